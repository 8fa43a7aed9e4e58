/* kitty_test.c -- what a terminal that draws pictures is sent. */
#include "tui/ink/kitty.h"

#include "shared/base/hash.h"
#include "shared/text/utf8.h"
#include "tests/check.h"
#include "shared/base/ban.h"

static void cells(void **state)
{
	(void)state;
	static const struct {
		int row, col;
		const char *want;
	} rows[] = {
		{ 0, 0, "\U0010EEEE\u0305\u0305" },
		{ 0, 1, "\U0010EEEE\u0305\u030D" },
		{ 1, 0, "\U0010EEEE\u030D\u0305" },
		{ 2, 9, "\U0010EEEE\u030E\u034A" },
		{ 296, 295, "\U0010EEEE\U0001D244\U0001D243" },
	};
	char got[KITTY_CELL_MAX], before[KITTY_CELL_MAX] = "";

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		size_t n = kitty_cell(rows[i].row, rows[i].col, got);

		check_vstr("a cell", vy_str_n(got, n), vy_str_c(rows[i].want));
	}
	for (int i = 0; i < KITTY_SIDES; i++) { /* no mark twice, and they rise */
		size_t n = kitty_cell(0, i, got);
		uint32_t a = 0, b = 0;

		vy_utf8_get(vy_str_n(got, n), 6, &b);
		if (i > 0) {
			vy_utf8_get(vy_str_n(before, sizeof(before)), 6, &a);
			check_true("marks rise", b > a);
		}
		memset(before, 0, sizeof(before));
		memcpy(before, got, n);
	}
}

static void answers(void **state)
{
	(void)state;
	check_true("yes", kitty_is_yes(VY_STR_LIT("Gi=5657;OK")));
	check_true("an error", !kitty_is_yes(VY_STR_LIT("Gi=5657;ENOTSUPPORTED")));
	check_true("of another", !kitty_is_yes(VY_STR_LIT("Gi=31;OK")));
	check_true("kitty", kitty_is_name(VY_STR_LIT("kitty(0.35.2)")));
	check_true("ghostty", kitty_is_name(VY_STR_LIT("ghostty 1.0.0")));
	check_true("one that has no such cells", !kitty_is_name(VY_STR_LIT("WezTerm 20240203")));
}

/* The pixels of the pieces together, decoded as a terminal does. */
static void take(struct vy_str sent, struct vy_buf *pixels, int *pieces, bool *ended)
{
	while (sent.n) {
		const char *end = memmem(sent.p, sent.n, "\033\\", 2);
		const char *body = memchr(sent.p, ';', sent.n);

		check_true("a whole string", end && body && body < end);
		check_true("it begins as one", vy_str_starts(sent, "\033_G"));
		struct vy_str code = vy_str_n(body + 1, (size_t)(end - body) - 1);
		struct vy_str head = vy_str_n(sent.p, (size_t)(body - sent.p));

		check_true("short enough", code.n <= KITTY_CHUNK);
		check_true("quiet", memmem(head.p, head.n, "q=2", 3) != NULL);
		check_true("the first says how large, and only it",
			(memmem(head.p, head.n, "a=T,U=1", 7) != NULL) == (*pieces == 0));
		*ended = memmem(head.p, head.n, "m=0", 3) != NULL;
		(*pieces)++;
		vy_buf_reserve(pixels, code.n);
		pixels->len += (size_t)vy_base64_decode(code, pixels->data + pixels->len, code.n);
		sent = vy_str_from(sent, (size_t)(end - sent.p) + 2);
	}
}

static void sending(void **state)
{
	(void)state;
	static uint8_t rgba[100 * 70 * 4];
	VY_AUTO_BUF pixels = VY_BUF_INIT(1 << 20);
	struct kitty_sending s = { 7, rgba, 100, 70, 12, 4, 0 };
	int pieces = 0, calls = 0;
	bool ended = false, done = false;

	for (size_t i = 0; i < sizeof(rgba); i++) {
		rgba[i] = (uint8_t)(i * 31 >> 3);
	}
	while (!done) {
		VY_AUTO_BUF out = VY_BUF_INIT(1 << 20);

		check_true("not ended before", !ended);
		done = kitty_send(&s, 6000, &out);
		check_true("no more at once than was said", out.len < 2 * 6000);
		if (calls++ == 0) {
			check_true("what it is",
				vy_str_starts(vy_buf_str(&out),
					"\033_Ga=T,U=1,q=2,t=d,f=32,i=7,s=100,v=70,c=12,r=4,m=1;"));
		}
		take(vy_buf_str(&out), &pixels, &pieces, &ended);
	}
	check_true("ended", ended);
	check_true("in several turns", calls > 3);
	check_vstr("every pixel", vy_buf_str(&pixels), vy_str_n((const char *)rgba, sizeof(rgba)));
}

static void forgetting(void **state)
{
	(void)state;
	VY_AUTO_BUF out = VY_BUF_INIT(100);

	kitty_forget(7, &out);
	check_str("it and its pixels", vy_buf_c(&out), "\033_Ga=d,d=I,i=7,q=2\033\\");
}

CHECK_MAIN(CHECK_TEST(cells), CHECK_TEST(answers), CHECK_TEST(sending), CHECK_TEST(forgetting))

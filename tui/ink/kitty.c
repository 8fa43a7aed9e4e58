/* kitty.c -- see kitty.h. */
#include "tui/ink/kitty.h"

#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define PIECE (KITTY_CHUNK / 4 * 3) /* bytes of pixels in one chunk */

/* The marks that stand for 0, 1, 2 … as the protocol has them, by runs. */
static const struct {
	uint32_t first;
	int n;
} marks[] = {
	{ 0x0305, 1 },
	{ 0x030d, 2 },
	{ 0x0310, 1 },
	{ 0x0312, 1 },
	{ 0x033d, 3 },
	{ 0x0346, 1 },
	{ 0x034a, 3 },
	{ 0x0350, 3 },
	{ 0x0357, 1 },
	{ 0x035b, 1 },
	{ 0x0363, 13 },
	{ 0x0483, 5 },
	{ 0x0592, 4 },
	{ 0x0597, 3 },
	{ 0x059c, 6 },
	{ 0x05a8, 2 },
	{ 0x05ab, 2 },
	{ 0x05af, 1 },
	{ 0x05c4, 1 },
	{ 0x0610, 8 },
	{ 0x0657, 5 },
	{ 0x065d, 2 },
	{ 0x06d6, 7 },
	{ 0x06df, 4 },
	{ 0x06e4, 1 },
	{ 0x06e7, 2 },
	{ 0x06eb, 2 },
	{ 0x0730, 1 },
	{ 0x0732, 2 },
	{ 0x0735, 2 },
	{ 0x073a, 1 },
	{ 0x073d, 1 },
	{ 0x073f, 3 },
	{ 0x0743, 1 },
	{ 0x0745, 1 },
	{ 0x0747, 1 },
	{ 0x0749, 2 },
	{ 0x07eb, 7 },
	{ 0x07f3, 1 },
	{ 0x0816, 4 },
	{ 0x081b, 9 },
	{ 0x0825, 3 },
	{ 0x0829, 5 },
	{ 0x0951, 1 },
	{ 0x0953, 2 },
	{ 0x0f82, 2 },
	{ 0x0f86, 2 },
	{ 0x135d, 3 },
	{ 0x17dd, 1 },
	{ 0x193a, 1 },
	{ 0x1a17, 1 },
	{ 0x1a75, 8 },
	{ 0x1b6b, 1 },
	{ 0x1b6d, 7 },
	{ 0x1cd0, 3 },
	{ 0x1cda, 2 },
	{ 0x1ce0, 1 },
	{ 0x1dc0, 2 },
	{ 0x1dc3, 7 },
	{ 0x1dcb, 2 },
	{ 0x1dd1, 22 },
	{ 0x1dfe, 1 },
	{ 0x20d0, 2 },
	{ 0x20d4, 4 },
	{ 0x20db, 2 },
	{ 0x20e1, 1 },
	{ 0x20e7, 1 },
	{ 0x20e9, 1 },
	{ 0x20f0, 1 },
	{ 0x2cef, 3 },
	{ 0x2de0, 32 },
	{ 0xa66f, 1 },
	{ 0xa67c, 2 },
	{ 0xa6f0, 2 },
	{ 0xa8e0, 18 },
	{ 0xaab0, 1 },
	{ 0xaab2, 2 },
	{ 0xaab7, 2 },
	{ 0xaabe, 2 },
	{ 0xaac1, 1 },
	{ 0xfe20, 7 },
	{ 0x10a0f, 1 },
	{ 0x10a38, 1 },
	{ 0x1d185, 5 },
	{ 0x1d1aa, 4 },
	{ 0x1d242, 3 },
};

static uint32_t mark(int i)
{
	for (size_t k = 0; k < VY_COUNT(marks); k++) {
		if (i < marks[k].n) {
			return marks[k].first + (uint32_t)i;
		}
		i -= marks[k].n;
	}
	return marks[0].first;
}

size_t kitty_cell(int row, int col, char out[KITTY_CELL_MAX])
{
	size_t n = vy_utf8_put(KITTY_PLACEHOLDER, out);

	n += vy_utf8_put(mark(row), out + n);
	return n + vy_utf8_put(mark(col), out + n);
}

bool kitty_is_yes(struct vy_str answer)
{
	return vy_str_starts(answer, "Gi=5657;OK");
}

bool kitty_is_name(struct vy_str name)
{
	return vy_str_starts(name, "kitty") || vy_str_starts(name, "ghostty");
}

/* ---- sending ---- */

static void begin(const struct kitty_sending *s, struct vy_buf *out)
{
	vy_buf_addf(out, "\033_Ga=T,U=1,q=2,t=d,f=32,i=%u,s=%d,v=%d,c=%d,r=%d,", s->image, s->w,
		s->h, s->cols, s->rows);
}

bool kitty_send(struct kitty_sending *s, size_t most, struct vy_buf *out)
{
	size_t all = (size_t)s->w * (size_t)s->h * 4, end = s->sent + most;
	char code[KITTY_CHUNK + 1];

	while (s->sent < all && s->sent < end) {
		size_t n = all - s->sent < PIECE ? all - s->sent : PIECE;

		if (s->sent == 0) {
			begin(s, out);
		} else {
			vy_buf_adds(out, "\033_Gq=2,");
		}
		vy_base64((const char *)s->rgba + s->sent, n, code);
		s->sent += n;
		vy_buf_addf(out, "m=%d;", s->sent < all);
		vy_buf_adds(out, code);
		vy_buf_adds(out, "\033\\");
	}
	return s->sent == all;
}

void kitty_forget(uint32_t image, struct vy_buf *out)
{
	vy_buf_addf(out, "\033_Ga=d,d=I,i=%u,q=2\033\\", image);
}

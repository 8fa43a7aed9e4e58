/* burst_test.c -- pastes without brackets among typing: chunks in, what is held and given out. */
#include "tests/check.h"

#include "shared/base/mem.h"
#include "tui/input/burst.h"
#include "shared/base/ban.h"

static void say(void *ctx, const struct key_event *ev)
{
	vy_buf_addf(ctx, "<%s%.*s>", ev->is_cut ? "cut " : "", VY_STR_ARG(ev->text));
}

/* Chunks are parted by "|"; "~" is a moment of quiet. What is no paste stands for itself. */
static const struct {
	const char *name, *in, *out;
	bool has_brackets, is_inside;
} rows[] = {
	{ "a word", "hello|~", "hello", false, false },
	{ "a word and enter in one read", "hello\r|~", "hello\r", false, false },
	{ "two lines of a fast hand on a slow line", "yes\rno\r|~", "yes\rno\r", false, false },
	{ "four lines are a paste", "a\rb\rc\rd\r|~", "<a\nb\nc\nd\n>", false, false },
	{ "with CRLF", "a\r\nb\r\nc\r\nd|~", "<a\nb\nc\nd>", false, false },
	{ "CR and LF in two reads", "a\rb\rc\rd\r|\ne|~", "<a\nb\nc\nd\ne>", false, false },
	{ "what follows at once belongs to it", "a\rb\rc\rd|e|f\r|~g|~", "<a\nb\nc\ndef\n>g", false,
		false },
	{ "a key ends it", "a\rb\rc\rd|\033[A|~", "<a\nb\nc\nd>\033[A", false, false },
	{ "where pastes have brackets nothing is held", "a\rb\rc\rd|~", "a\rb\rc\rd", true, false },
	{ "nor inside of a sequence", "a\rb\rc\rd|~", "a\rb\rc\rd", false, true },
};

static void chunks(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct burst b;
		struct vy_buf out = VY_BUF_INIT(4096);
		char *copy = vy_strdup(rows[i].in), *rest = copy, *chunk;

		burst_init(&b);
		b.has_brackets = rows[i].has_brackets;
		while ((chunk = strsep(&rest, "|"))) {
			if (*chunk == '~') {
				burst_timeout(&b, say, &out);
				chunk++;
			}
			if (*chunk &&
				!burst_takes(&b, vy_str_c(chunk), !rows[i].is_inside, say, &out)) {
				vy_buf_adds(&out, chunk);
			}
			check_true(rows[i].name, (burst_wait_ms(&b) < 0) == (b.held.len == 0));
		}
		check_str(rows[i].name, vy_buf_c(&out), rows[i].out);
		vy_buf_fini(&out);
		burst_fini(&b);
		free(copy);
	}
}

/* A long line with one end in it is one too; so is all that comes after it, in any pieces. */
static void long_ones(void **state)
{
	struct burst b;
	struct vy_buf out = VY_BUF_INIT(1 << 20), in = VY_BUF_INIT(1 << 20);

	(void)state;
	burst_init(&b);
	while (in.len < 100000) {
		vy_buf_adds(&in, "0123456789012345678901234567890123456789\r");
	}
	for (size_t at = 0; at < in.len; at += 4095) {
		size_t n = in.len - at < 4095 ? in.len - at : 4095;

		assert_true(burst_takes(&b, vy_str_n(in.data + at, n), true, say, &out));
	}
	check_int("nothing yet", (long long)out.len, 0);
	burst_timeout(&b, say, &out);
	check_int("all at once", (long long)out.len, (long long)in.len + 2);
	check_true("lines end as lines do", !memchr(out.data, '\r', out.len));
	vy_buf_fini(&in);
	vy_buf_fini(&out);
	burst_fini(&b);
}

CHECK_MAIN(CHECK_TEST(chunks), CHECK_TEST(long_ones))

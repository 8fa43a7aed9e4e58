/* hold_lines_test.c -- wherever it is cut, committed and fed again, each line is given once. */
#include "server/io/hold_lines.h"
#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "tests/check.h"

enum { LINE_MAX = 12 };

struct record {
	int stream;
	const char *bytes;
};

/* Two streams that interleave inside lines, long lines among them. */
static const struct record story[] = {
	{ 1, "one\ntw" },
	{ 2, "err 1\nerr" },
	{ 1, "o\nthree\n" },
	{ 2, " 2\n" },
	{ 1, "a line that is far too lo" },
	{ 2, "x\n" },
	{ 1, "ng for us to keep\nnext\n" },
	{ 2, "this one is too long as well\n" },
	{ 1, "\n\nun" },
	{ 2, "unfinished" },
	{ 1, "finished" },
};

static const char want_out[] = "[one][two][three]<a l>[next][][](unfinished)";
static const char want_err[] = "[err 1][err 2][x]<thi>(unfinished)";

static void note(struct vy_buf *to, const struct hold_line *line, bool is_rest)
{
	const char *around = line->too_long ? "<>" : is_rest ? "()" : "[]";

	vy_buf_addc(to, around[0]);
	vy_buf_add(to, line->text.p, line->too_long ? 3 : line->text.n);
	vy_buf_addc(to, around[1]);
}

static struct vy_str flat(int *streams)
{
	static char bytes[400];
	size_t n = 0;

	for (size_t i = 0; i < VY_COUNT(story); i++) {
		size_t len = strlen(story[i].bytes);

		memcpy(bytes + n, story[i].bytes, len);
		for (size_t k = 0; k < len; k++) {
			streams[n + k] = story[i].stream;
		}
		n += len;
	}
	return vy_str_n(bytes, n);
}

/* Feeds from the mark in records of at most `step` bytes; commits after `lines` lines and stops: true. */
static bool live(struct hold_mark *mark, size_t step, int lines, struct vy_buf *said)
{
	struct hold_lines l;
	struct hold_line line;
	int streams[400];
	struct vy_str all = flat(streams);
	bool stopped = false;

	hold_lines_init(&l, mark, LINE_MAX);
	for (size_t at = (size_t)mark->off; at < all.n && !stopped;) {
		size_t n = 1;

		while (n < step && at + n < all.n && streams[at + n] == streams[at]) {
			n++;
		}
		hold_lines_feed(&l, at, streams[at], vy_str_n(all.p + at, n));
		while (!stopped && hold_lines_next(&l, &line)) {
			note(&said[line.stream], &line, false);
			*mark = hold_lines_mark(&l);
			stopped = --lines == 0;
		}
		at += n;
	}
	while (!stopped && hold_lines_rest(&l, &line)) {
		note(&said[line.stream], &line, true);
	}
	hold_lines_fini(&l);
	return stopped;
}

static void test_once_each(void **state)
{
	(void)state;
	for (size_t step = 1; step < 30; step++) {
		for (int lines = 1; lines < 14; lines++) {
			struct hold_mark mark = { 0 };
			struct vy_buf said[3] = { VY_BUF_INIT(1000), VY_BUF_INIT(1000),
				VY_BUF_INIT(1000) };
			int lives = 0;

			while (live(&mark, step, lines, said)) {
				char text[HOLD_MARK_LEN];
				struct hold_mark back;

				hold_mark_format(&mark, text);
				assert_int_equal(hold_mark_parse(vy_str_c(text), &back, NULL), 0);
				assert_int_equal(back.off, mark.off);
				mark = back;
				assert_true(lives++ < 20);
			}
			check_str("stdout", vy_buf_c(&said[1]), want_out);
			check_str("stderr", vy_buf_c(&said[2]), want_err);
			vy_buf_fini(&said[1]);
			vy_buf_fini(&said[2]);
		}
	}
}

static void test_mark_moves(void **state)
{
	struct hold_lines l;
	struct hold_line line;
	static char many[1000];

	(void)state;
	hold_lines_init(&l, NULL, LINE_MAX);
	hold_lines_feed(&l, 0, 1, VY_STR_LIT("un"));
	assert_false(hold_lines_next(&l, &line));
	check_int("an unfinished line holds it back", (long long)hold_lines_mark(&l).off, 0);
	hold_lines_feed(&l, 2, 2, VY_STR_LIT("e\n"));
	assert_true(hold_lines_next(&l, &line));
	check_int("also when the other goes on", (long long)hold_lines_mark(&l).off, 0);
	check_int("which is known", (long long)hold_lines_mark(&l).done[1], 4);
	assert_false(hold_lines_next(&l, &line));
	hold_lines_feed(&l, 4, 1, VY_STR_LIT("d\nx"));
	assert_true(hold_lines_next(&l, &line));
	check_int("its end lets it go", (long long)hold_lines_mark(&l).off, 6);
	assert_false(hold_lines_next(&l, &line));
	memset(many, 'x', sizeof(many));
	hold_lines_feed(&l, 7, 1, vy_str_n(many, sizeof(many)));
	assert_true(hold_lines_next(&l, &line) && line.too_long);
	assert_false(hold_lines_next(&l, &line));
	check_int("a line that is skipped does not hold it", (long long)hold_lines_mark(&l).off,
		1007);
	hold_lines_fini(&l);
}

static void test_bad_marks(void **state)
{
	static const char *const bad[] = { "", "1", "1,2", "1,2,4", "1,2,3,", "-1,2,0", "1,x,0",
		"1,2,0 " };
	struct hold_mark m;

	(void)state;
	for (size_t i = 0; i < VY_COUNT(bad); i++) {
		check_int(bad[i], hold_mark_parse(vy_str_c(bad[i]), &m, NULL), -1);
	}
}

CHECK_MAIN(CHECK_TEST(test_once_each), CHECK_TEST(test_mark_moves), CHECK_TEST(test_bad_marks))

/* grid_test.c -- a resize loses nothing; the scrollback, the pools, the lines of a command. */
#include "tests/check.h"

#include "shared/base/buf.h"
#include "shared/text/utf8.h"
#include "shared/vt/grid.h"
#include "shared/vt/vt.h"
#include "shared/base/ban.h"

#define S(lit) VY_STR_LIT(lit)

/* Scrollback and screen, "/" between rows ("~" where the next continues), "|" where the screen
 * begins; without trailing blanks and empty last rows. */
static const char *all_of(const struct vy_grid *g)
{
	static struct vy_buf b = { .max = 1 << 22 };
	int cols, rows, first = -vy_grid_scrollback(g);
	size_t end = 0;

	vy_buf_clear(&b);
	vy_grid_size(g, &cols, &rows);
	for (int y = first; y < rows; y++) {
		const struct vy_vt_row *r = vy_grid_row(g, y);
		size_t row_end;

		vy_buf_adds(&b, y == first ? "" : r->continues ? "~" : "/");
		vy_buf_adds(&b, y == 0 ? "|" : "");
		row_end = b.len;
		for (int x = 0; x < cols; x++) {
			const struct vy_vt_cell *c = vy_grid_cell(g, x, y);
			char t[VY_GRID_TEXT_MAX];

			vy_buf_add(&b, t, c->width > 0 ? vy_grid_text(g, c, t) : 0);
			row_end = c->ch ? b.len : row_end;
		}
		vy_buf_truncate(&b, row_end);
		end = y == 0 || b.data[row_end - 1] != '/' ? row_end : end;
	}
	vy_buf_truncate(&b, end);
	return vy_buf_c(&b);
}

static void resizes(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int cols, rows;
		struct vy_str in;
		int to_cols, to_rows;
		const char *all;
		int x, y;
	} rows[] = {
		{ "narrower", 8, 3, S("abcdefg"), 4, 3, "|abcd~efg", 3, 1 },
		{ "wider", 4, 3, S("abcdefg"), 8, 3, "|abcdefg", 7, 0 },
		{ "lines stay lines", 4, 3, S("abcd\r\nef"), 8, 3, "|abcd/ef", 2, 1 },
		{ "narrower than the screen holds", 6, 2, S("abcdef\r\nx"), 2, 2, "ab~cd~|ef/x", 1,
			1 },
		{ "lower", 4, 4, S("a\r\nb\r\nc\r\nd"), 4, 2, "a/b/|c/d", 1, 1 },
		{ "lower, with room", 4, 4, S("a\r\nb"), 4, 2, "|a/b", 1, 1 },
		{ "higher gets rows back", 4, 2, S("a\r\nb\r\nc\r\nd"), 4, 3, "a/|b/c/d", 1, 2 },
		{ "higher, cleared before", 4, 2, S("a\r\nb\r\nc\033[2J\033[Hd"), 4, 4, "a/|d", 1,
			0 },
		{ "wide glyphs", 6, 3, S("中文日"), 5, 3, "|中文~日", 2, 1 },
		{ "wide glyphs, odd", 5, 3, S("a中文日"), 3, 3, "|a中~文~日", 2, 2 },
		{ "cursor in the middle", 8, 3, S("abcdefg\033[1;3H"), 2, 5, "|ab~cd~ef~g", 0, 1 },
		{ "cursor behind the text", 8, 3, S("ab\033[1;7H"), 4, 3, "|ab", 3, 0 },
		{ "full row, wider", 4, 3, S("abcd"), 6, 3, "|abcd", 4, 0 },
		{ "full row, narrower", 4, 3, S("abcd"), 3, 3, "|abc~d", 1, 1 },
		{ "empty", 4, 3, S(""), 9, 9, "|", 0, 0 },
		{ "blank lines between", 4, 4, S("a\r\n\r\nb"), 2, 4, "|a//b", 1, 2 },
		{ "blanks that were written", 4, 3, S("a   b"), 2, 4, "|a~~b", 1, 2 },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_vt *v = vy_vt_new(rows[i].cols, rows[i].rows, 100, NULL);
		int x, y;

		vy_vt_feed(v, rows[i].in);
		vy_vt_resize(v, rows[i].to_cols, rows[i].to_rows);
		check_str(rows[i].name, all_of(vy_vt_grid(v)), rows[i].all);
		vy_vt_cursor(v, &x, &y);
		check_int(rows[i].name, x, rows[i].x);
		check_int(rows[i].name, y, rows[i].y);
		vy_vt_free(v);
	}
}

/* What is written after a resize goes on where the text was. */
static void goes_on(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct vy_str in;
		int cols, to, back;
		struct vy_str more;
		const char *all;
	} rows[] = {
		{ "in a line", S("abcdef"), 8, 4, 8, S("gh"), "|abcdefgh" },
		{ "a full row that waits to wrap", S("abcdefgh"), 8, 4, 8, S("ij"),
			"|abcdefgh~ij" },
		{ "waits again in a narrower one", S("abcdefgh"), 8, 4, 4, S("ij"),
			"|abcd~efgh~ij" },
		{ "does not wait in a wider one", S("abcd"), 4, 8, 8, S("ij"), "|abcdij" },
		{ "narrower, not at the edge", S("abcdef"), 6, 4, 4, S("g"), "|abcd~efg" },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_vt *v = vy_vt_new(rows[i].cols, 4, 100, NULL);

		vy_vt_feed(v, rows[i].in);
		vy_vt_resize(v, rows[i].to, 4);
		vy_vt_resize(v, rows[i].back, 4);
		vy_vt_feed(v, rows[i].more);
		check_str(rows[i].name, all_of(vy_vt_grid(v)), rows[i].all);
		vy_vt_free(v);
	}
}

/* 80 lines, any widths and heights: each is found exactly once, whole, in order. */
static void loses_nothing(void **state)
{
	(void)state;
	static const int sizes[][2] = { { 134, 40 }, { 118, 30 }, { 108, 24 }, { 90, 50 },
		{ 128, 24 }, { 7, 3 }, { 2, 2 }, { 33, 90 }, { 134, 40 } };
	struct vy_vt *v = vy_vt_new(134, 40, 100000, NULL);
	VY_AUTO_BUF want = VY_BUF_INIT(65536);

	for (int i = 0; i < 80; i++) {
		char t[200];

		snprintf(t, sizeof(t), "%sline %d %.*s", i ? "\r\n" : "", i, i * 7 % 150,
			"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuv"
			"wxyz"
			"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuv"
			"wxyz");
		vy_vt_feed(v, vy_str_c(t));
		vy_buf_adds(&want, i ? "/" : "");
		vy_buf_adds(&want, t + (i ? 2 : 0));
	}
	for (size_t s = 0; s < VY_COUNT(sizes); s++) {
		VY_AUTO_BUF got = VY_BUF_INIT(1 << 20);

		vy_vt_resize(v, sizes[s][0], sizes[s][1]);
		for (const char *p = all_of(vy_vt_grid(v)); *p; p++) {
			if (*p != '~' && *p != '|') {
				vy_buf_addc(&got, *p);
			}
		}
		char name[32];

		snprintf(name, sizeof(name), "%dx%d", sizes[s][0], sizes[s][1]);
		/* a blank at a row's end is not printed by all_of() */
		VY_AUTO_BUF squeezed = VY_BUF_INIT(65536);
		VY_AUTO_BUF squeezed_want = VY_BUF_INIT(65536);

		for (size_t i = 0; i < got.len; i++) {
			vy_buf_add(&squeezed, &got.data[i], got.data[i] != ' ');
		}
		for (size_t i = 0; i < want.len; i++) {
			vy_buf_add(&squeezed_want, &want.data[i], want.data[i] != ' ');
		}
		check_str(name, vy_buf_c(&squeezed), vy_buf_c(&squeezed_want));
	}
	vy_vt_free(v);
}

/* While a program is on the alternate screen the main one flows behind it, its cursor along. */
static void alternate(void **state)
{
	(void)state;
	struct vy_vt *v = vy_vt_new(8, 3, 100, NULL);
	int x, y;

	vy_vt_feed(v, S("abcdefgh\r\nij\033[?1049h\033[Hxxxxxxxx"));
	vy_vt_resize(v, 4, 3);
	check_str("cut", all_of(vy_vt_grid(v)), "|xxxx");
	vy_vt_cursor(v, &x, &y);
	check_true("cursor inside", x < 4 && y < 3);
	vy_vt_resize(v, 6, 2);
	check_str("padded", all_of(vy_vt_grid(v)), "|xxxx");
	vy_vt_feed(v, S("\033[?1049lk"));
	check_str("and back", all_of(vy_vt_grid(v)), "abcdef~|gh/ijk");
	vy_vt_free(v);

	/* A cursor saved far down is restored on a screen that is not so high any more. */
	v = vy_vt_new(80, 40, 0, NULL);
	vy_vt_feed(v, S("\033[40;80H\0337"));
	vy_vt_resize(v, 10, 5);
	vy_vt_feed(v, S("\0338x\033[40;80H\033[s\033[uy\033[?1048lz"));
	vy_vt_cursor(v, &x, &y);
	check_true("kept inside", x < 10 && y < 5);
	vy_vt_free(v);
}

static void scrollback(void **state)
{
	(void)state;
	struct vy_vt *v = vy_vt_new(4, 2, 3, NULL);

	vy_vt_feed(v, S("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7"));
	check_str("the newest stay", all_of(vy_vt_grid(v)), "3/4/5/|6/7");
	check_int("all are counted", (long long)vy_grid_scrolled(vy_vt_grid(v)), 5);
	check_true("nothing above", vy_grid_row(vy_vt_grid(v), -4) == NULL);
	vy_vt_feed(v, S("\033[?1049h\r\n\r\n\r\n\033[?1049l"));
	check_str("the alternate screen keeps none", all_of(vy_vt_grid(v)), "3/4/5/|6/7");
	vy_vt_feed(v, S("\033[3J"));
	check_str("erased", all_of(vy_vt_grid(v)), "|6/7");
	vy_vt_free(v);

	v = vy_vt_new(4, 3, 9, NULL);
	vy_vt_feed(v, S("a\r\nb\r\nS\033[1;2r\033[2;1H\nc\nd"));
	check_str("a region at the top scrolls off too", all_of(vy_vt_grid(v)), "a/b/|c/ d/S");
	vy_vt_free(v);
	v = vy_vt_new(4, 2, 0, NULL);
	vy_vt_feed(v, S("1\r\n2\r\n3"));
	vy_vt_resize(v, 2, 2);
	check_str("none at all", all_of(vy_vt_grid(v)), "|2/3");
	vy_vt_free(v);
}

static void many_clusters(void **state)
{
	(void)state;
	struct vy_grid *g = vy_grid_new(4, 2, 0);
	uint32_t kept[2] = { 'k', 0x301 };
	char t[VY_GRID_TEXT_MAX], want[16];
	uint32_t chars[3] = { 0 };

	vy_grid_put(g, 0, 0, kept, 2, 1, &(struct vy_vt_pen){ 0 }, false);
	for (uint32_t i = 0; i < 150000; i++) {
		chars[0] = 0x4e00 + i % 20000;
		chars[1] = 0x300 + i / 20000;
		vy_grid_put(g, 0, 1, chars, 2, 2, &(struct vy_vt_pen){ 0 }, false);
		uint32_t number = 0x100 + i % 8000; /* and links */
		size_t n = vy_utf8_put(number, t);

		vy_grid_put(g, 2, 1, kept, 1, 1,
			&(struct vy_vt_pen){ .link = vy_grid_link(g, vy_str_n(t, n), S("")) },
			false);
		check_vstr("the newest link", vy_grid_link_url(g, vy_grid_cell(g, 2, 1)->link),
			vy_str_n(t, n));
	}
	size_t n = vy_utf8_put(chars[0], want);

	n += vy_utf8_put(chars[1], want + n);
	check_vstr("the newest", vy_str_n(t, vy_grid_text(g, vy_grid_cell(g, 0, 1), t)),
		vy_str_n(want, n));
	check_vstr(
		"the oldest", vy_str_n(t, vy_grid_text(g, vy_grid_cell(g, 0, 0), t)), S("k\u0301"));
	vy_grid_free(g);
}

static void say_lines(struct vy_vt_lines l, struct vy_buf *out)
{
	vy_buf_clear(out);
	for (size_t i = 0; i < l.n; i++) {
		vy_buf_adds(out, i == 0 ? "" : l.lines[i].continues ? "~" : "/");
		for (size_t k = 0; k < l.lines[i].n; k++) {
			const struct vy_vt_run *r = &l.lines[i].runs[k];

			vy_buf_addf(out,
				r->fg || r->bg || r->attrs || r->url.n ? "[%x %x %x %.*s|%.*s]"
								       : "%.0d%.0d%.0d%.*s%.*s",
				r->fg, r->bg, r->attrs, VY_STR_ARG(r->url), VY_STR_ARG(r->text));
		}
	}
	vy_buf_addf(out, l.dropped ? " (%zu)" : "%.0zu", l.dropped);
}

static void plain_lines(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct vy_str in;
		int cols;
		size_t max;
		const char *out;
	} rows[] = {
		{ "lines", S("a\nb\n"), 80, 10, "a/b" },
		{ "no line end", S("a\nb"), 80, 10, "a/b" },
		{ "nothing", S(""), 80, 10, "" },
		{ "blank lines inside", S("a\n\nb\n\n"), 80, 10, "a//b" },
		{ "wrapped", S("abcdef\ng"), 4, 10, "abcd~ef/g" },
		{ "colours", S("a\033[31mred\033[0;1mbold\n"), 80, 10,
			"a[2000001 0 0 |red][0 0 1 |bold]" },
		{ "a coloured blank is seen", S("a\033[41m \033[0m  \n"), 80, 10,
			"a[0 2000001 0 | ]" },
		{ "progress", S("1%\r50%\r100%\ndone\n"), 80, 10, "100%/done" },
		{ "progress above", S("a\nb\n\033[2Ax\n\n"), 80, 10, "x/b" },
		{ "a title and a bell", S("\033]0;t\a\aa\n"), 80, 10, "a" },
		{ "a link", S("\033]8;;http://x\033\\l\033]8;;\033\\m"), 80, 10,
			"[0 0 0 http://x|l]m" },
		{ "the last lines", S("1\n2\n3\n4\n"), 80, 2, "3/4 (2)" },
		{ "screen erased", S("a\n\033[2J\033[Hb\n"), 80, 10, "b" },
		{ "cut off on the alternate screen", S("a\n\033[?1049hx\ny"), 80, 10, "a" },
		{ "CRLF", S("a\r\nb\r\n"), 80, 10, "a/b" },
		{ "wide and marks", S("中e\u0301\n"), 80, 10, "中e\u0301" },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_arena a;
		VY_AUTO_BUF out = VY_BUF_INIT(65536);

		vy_arena_init(&a);
		say_lines(vy_vt_plain(rows[i].in, rows[i].cols, rows[i].max, &a), &out);
		check_str(rows[i].name, vy_buf_c(&out), rows[i].out);
		vy_arena_fini(&a);
	}
	/* more than fits on its screen, and more than is kept */
	VY_AUTO_BUF big = VY_BUF_INIT(1 << 20);
	struct vy_arena a;

	for (int i = 0; i < 1000; i++) {
		vy_buf_addf(&big, "line %d\n", i);
	}
	vy_arena_init(&a);
	struct vy_vt_lines l = vy_vt_plain(vy_buf_str(&big), 80, 300, &a);

	check_int("kept", (long long)l.n, 300);
	check_int("dropped", (long long)l.dropped, 700);
	check_vstr("first", l.lines[0].runs[0].text, S("line 700"));
	check_vstr("last", l.lines[299].runs[0].text, S("line 999"));
	vy_arena_fini(&a);
}

CHECK_MAIN(CHECK_TEST(resizes), CHECK_TEST(goes_on), CHECK_TEST(loses_nothing),
	CHECK_TEST(alternate), CHECK_TEST(scrollback), CHECK_TEST(many_clusters),
	CHECK_TEST(plain_lines))

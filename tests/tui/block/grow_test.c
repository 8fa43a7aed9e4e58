/* grow_test.c -- a message that grows: what is settled never moves, and a sheet that is drawn on
 * is the same as one that is drawn anew. */
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "tests/check.h"
#include "tests/tui/golden.h"
#include "tui/block/slide.h"

/* All that streams badly: fences, tables, lists, quotes, links, entities, wide characters. */
/* clang-format off */
static const char sample[] =
	"# A heading of some words\n\nA paragraph with **bold**, *thin*, `code`, ~~gone~~ and\n"
	"[a link](https://example.org/a/b) in it; then https://example.org too.\n\n"
	"- one\n- two, with more words than one row holds at forty\n  - nested\n    deeper text\n\n"
	"  a second paragraph of it\n- three\n\n1. first\n2. second\n   ```sh\n   echo \"$x\"\n   ```\n"
	"10. tenth\n\n> quoted *words*\n> go on\n>\n> - and a list\n\nSetext\n======\n\n"
	"```c\nint main(void)\n{\n\treturn 0; /* 中文 */\n}\n\n\n/* far\n * down */\n```\nright behind\n\n"
	"| Name | 状态 | n |\n|:-----|:----:|--:|\n| ana | 完成 | 1 |\n| li 👩🏽‍💻 | 🚧 `x|y` | 22 |\n\n"
	"Text\nwith | a bar\nand more.\n\n---\n\n* * *\n\n    indented code\n\n    more of it\n\n"
	"~~~\n```\n~~~\n\nLast &amp; least: 🇩🇪 e\xCC\x81 ⏱️ \\*not thin\\*\n\n- [x] done\n- [ ] open\n\nEnd";
/* clang-format on */

struct picture {
	struct cell_pool *pool;
	struct block_sheet sheet;
};

static void picture_init(struct picture *p, struct cell_pool *pool)
{
	p->pool = pool;
	block_sheet_init(&p->sheet, pool);
}

static struct vy_row row_of(enum vy_row_kind kind, struct vy_str text, bool done)
{
	struct vy_row row = { .key = VY_STR_LIT("k"), .rev = 1, .kind = kind };

	if (kind == VY_ROW_THINKING) {
		row.thinking.text = text;
		row.thinking.done = done;
		row.thinking.ms = (int64_t)text.n * 10;
	} else {
		row.message.text = text;
		row.message.done = done;
	}
	return row;
}

static bool same_cells(const struct block_sheet *a, const struct block_sheet *b, int y)
{
	int x0, x1;
	struct cell_grid one = { .cols = a->grid.cols,
		.rows = 1,
		.cells = &a->grid.cells[y * a->grid.cols],
		.pool = a->grid.pool };
	struct cell_grid two = { .cols = b->grid.cols,
		.rows = 1,
		.cells = &b->grid.cells[y * b->grid.cols],
		.pool = b->grid.pool };

	return !cell_diff_row(&one, &two, 0, &x0, &x1);
}

/* What is kept beside the lines: which of them are code, and what of it does not fit. */
static bool same_slides(const struct block_sheet *a, const struct block_sheet *b)
{
	int x0, x1;

	if (a->n_slides != b->n_slides || a->n_longs != b->n_longs) {
		return false;
	}
	for (size_t i = 0; i < a->n_slides; i++) {
		const struct block_slide *one = &a->slides[i], *two = &b->slides[i];

		if (one->first != two->first || one->end != two->end ||
			memcmp(one->zones, two->zones, sizeof(one->zones)) != 0) {
			return false;
		}
	}
	for (size_t i = 0; i < a->n_longs; i++) {
		const struct block_long *one = &a->longs[i], *two = &b->longs[i];

		if (one->line != two->line || one->x != two->x ||
			one->grid.cols != two->grid.cols ||
			cell_diff_row(&one->grid, &two->grid, 0, &x0, &x1)) {
			return false;
		}
	}
	return true;
}

static bool same_line(const struct block_sheet *a, const struct block_sheet *b, int y)
{
	return same_cells(a, b, y) && a->marks[y] == b->marks[y];
}

static void check_same(const char *name, size_t at, const struct block_sheet *a,
	const struct block_sheet *b, int lines)
{
	for (int y = 0; y < lines; y++) {
		if (!same_line(a, b, y)) {
			fail_msg("%s: byte %zu: line %d is another", name, at, y);
		}
	}
}

/* Non-blank glyphs of a sheet in order: what wrapping may not lose, double or reorder. */
static void glyphs_of(const struct block_sheet *s, struct vy_buf *out)
{
	for (int y = 0; y < s->lines; y++) {
		for (int x = 0; x < s->grid.cols; x++) {
			const struct cell *c = cell_at(&s->grid, x, y);
			struct vy_str t = cell_text(&s->grid, c);

			if (c->width && !vy_str_is(t, " ")) {
				vy_buf_addstr(out, t);
			}
		}
	}
}

/* Every prefix in turn, drawn on one sheet and on a fresh one. */
static void grow(const char *name, struct vy_str text, enum vy_row_kind kind, int cols, size_t step,
	bool is_unwrapped)
{
	struct cell_pool *pool = cell_pool_new((struct vy_width){ 0 });
	struct block_how how = { .cols = cols, .with_details = true, .is_unwrapped = is_unwrapped };
	struct picture on, anew, before;
	size_t len = text.n, settled_at = 0;
	int settled = 0;

	picture_init(&on, pool);
	picture_init(&anew, pool);
	picture_init(&before, pool);
	for (size_t n = 0;; n = n + step < len ? n + step : len) {
		for (int done = 0; done <= (n == len); done++) {
			struct vy_row row = row_of(kind, vy_str_n(text.p, n), done);

			on.sheet.same = SIZE_MAX;
			block_draw(&row, &how, &on.sheet);
			anew.sheet.same = 0;
			block_draw(&row, &how, &anew.sheet);
			check_int(name, on.sheet.lines, anew.sheet.lines);
			check_same(name, n, &on.sheet, &anew.sheet, on.sheet.lines);
			check_true(name, same_slides(&on.sheet, &anew.sheet));
			golden_check_grid(name, &on.sheet.grid, on.sheet.lines);

			int head = kind == VY_ROW_THINKING; /* its time goes on */

			for (int y = head; y < settled; y++) {
				if (!same_line(&before.sheet, &on.sheet, y)) {
					fail_msg("%s: byte %zu: settled line %d moved", name, n, y);
				}
			}
			check_true(name, on.sheet.settled.lines >= settled &&
						 on.sheet.settled.tail.border >= settled_at);
			settled = on.sheet.settled.lines;
			settled_at = on.sheet.settled.tail.border;
			block_draw(&row, &how, &before.sheet);
		}
		if (n == len) {
			break;
		}
	}
	check_true(name, settled > 10); /* something was */
	block_sheet_fini(&on.sheet);
	block_sheet_fini(&anew.sheet);
	block_sheet_fini(&before.sheet);
	cell_pool_free(pool);
}

/* Code of many lines: the fence is cut, its comments go on over the cut. */
static void add_code(struct vy_buf *b)
{
	vy_buf_adds(b, "Look:\n```c\n");
	for (int i = 0; i < 150; i++) {
		vy_buf_adds(b, i % 50 == 20   ? "/* a comment\n"
			       : i % 50 == 40 ? "   ends */\n\n"
					      : "\treturn \"中\";\n");
	}
	vy_buf_adds(b, "```\nBehind it.\n\n- and a list");
}

static void test_every_prefix(void **state)
{
	static const struct {
		const char *name;
		bool is_code;
		enum vy_row_kind kind;
		int cols;
		size_t step;
		bool is_unwrapped;
	} rows[] = {
		{ "a message, forty columns", false, VY_ROW_MESSAGE, 40, 1 },
		{ "a message, narrow", false, VY_ROW_MESSAGE, 17, 1 },
		{ "a message, wide, in pieces", false, VY_ROW_MESSAGE, 120, 7 },
		{ "thinking", false, VY_ROW_THINKING, 60, 3 },
		{ "a long fence", true, VY_ROW_MESSAGE, 40, 5 },
		{ "a long fence, wide", true, VY_ROW_MESSAGE, 100, 101 },
		{ "a message, not wrapped", false, VY_ROW_MESSAGE, 20, 1, true },
		{ "a long fence, cut", true, VY_ROW_MESSAGE, 14, 5, true },
		{ "in pieces, cut", true, VY_ROW_MESSAGE, 16, 101, true },
	};
	VY_AUTO_BUF code = VY_BUF_INIT(65536);

	(void)state;
	add_code(&code);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		grow(rows[i].name, rows[i].is_code ? vy_buf_str(&code) : vy_str_c(sample),
			rows[i].kind, rows[i].cols, rows[i].step, rows[i].is_unwrapped);
	}
}

/* A fence that comes byte by byte: lines only ever come, and none of its own marks is seen. */
static void test_fence(void **state)
{
	static const char text[] =
		"Text before.\n\n```python\ndef f():\n    pass\n\n    # x\n```\n\n"
		"1. one:\n   ~~~sh\n   ls\n   ~~~\n\nAfter.";
	struct cell_pool *pool = cell_pool_new((struct vy_width){ 0 });
	struct block_how how = { .cols = 40 };
	struct block_sheet s;
	int before = 0;

	(void)state;
	block_sheet_init(&s, pool);
	for (size_t n = 0; n < sizeof(text); n++) {
		struct vy_row row =
			row_of(VY_ROW_MESSAGE, vy_str_n(text, n), n + 1 == sizeof(text));
		VY_AUTO_BUF seen = VY_BUF_INIT(65536);

		s.same = SIZE_MAX;
		block_draw(&row, &how, &s);
		glyphs_of(&s, &seen);
		check_true("only ever comes", s.lines >= before);
		check_true("no marks", !strpbrk(vy_buf_c(&seen), "`~"));
		before = s.lines;
	}
	block_sheet_fini(&s);
	cell_pool_free(pool);
}

/* Text that was taken back (a cut) is not trusted, however much of it is said to be the same. */
static void test_text_taken_back(void **state)
{
	static const size_t same[] = { SIZE_MAX, 400, 30, 0 };
	struct cell_pool *pool = cell_pool_new((struct vy_width){ 0 });
	struct block_how how = { .cols = 40 };

	(void)state;
	for (size_t i = 0; i < VY_COUNT(same); i++) {
		VY_AUTO_BUF other = VY_BUF_INIT(8192);
		size_t keep = same[i] < sizeof(sample) - 1 ? same[i] : sizeof(sample) - 1;
		struct block_sheet on, anew;
		struct vy_row row = row_of(VY_ROW_MESSAGE, vy_str_c(sample), false);

		block_sheet_init(&on, pool);
		block_sheet_init(&anew, pool);
		block_draw(&row, &how, &on);
		vy_buf_add(&other, sample, keep);
		vy_buf_adds(&other, keep < 1000 ? "\n\nother words" : "");
		row = row_of(VY_ROW_MESSAGE, vy_buf_str(&other), true);
		row.message.cut = true;
		on.same = same[i];
		block_draw(&row, &how, &on);
		block_draw(&row, &how, &anew);
		check_int("lines", on.lines, anew.lines);
		check_same("a cut text", same[i], &on, &anew, on.lines);
		block_sheet_fini(&on);
		block_sheet_fini(&anew);
	}
	cell_pool_free(pool);
}

static void test_nothing_lost(void **state)
{
	static const char prose[] = "All of these words, 漢字と仮名 included, and e\xCC\x81 and "
				    "👩🏽‍💻 and a-very-long-word-that-is-"
				    "longer-than-some-of-the-widths_at_which_it_is_drawn, stand "
				    "there once.\n\n- in a list\n"
				    "- too\n\nAnd **here** `as well` 🇩🇪🇫🇷.";
	struct cell_pool *pool = cell_pool_new((struct vy_width){ 0 });
	VY_AUTO_BUF want = VY_BUF_INIT(65536);

	(void)state;
	for (int cols = 130; cols >= 16; cols--) {
		struct vy_row row = row_of(VY_ROW_MESSAGE, vy_str_c(prose), true);
		struct block_how how = { .cols = cols };
		struct block_sheet s;
		VY_AUTO_BUF got = VY_BUF_INIT(65536);

		block_sheet_init(&s, pool);
		block_draw(&row, &how, &s);
		glyphs_of(&s, cols == 130 ? &want : &got);
		if (cols < 130) {
			check_vstr("glyphs", vy_buf_str(&got), vy_buf_str(&want));
		}
		block_sheet_fini(&s);
	}
	cell_pool_free(pool);
}

/* A place in the words is found again at another width. */
static void test_marks(void **state)
{
	struct cell_pool *pool = cell_pool_new((struct vy_width){ 0 });
	struct vy_row row = row_of(VY_ROW_MESSAGE, vy_str_c(sample), true);
	struct block_how wide = { .cols = 100 }, narrow = { .cols = 30 };
	struct block_sheet a, b;

	(void)state;
	block_sheet_init(&a, pool);
	block_sheet_init(&b, pool);
	block_draw(&row, &wide, &a);
	block_draw(&row, &narrow, &b);
	for (int y = 0; y < a.lines; y++) {
		int there = block_line_of(&b, a.marks[y], 0);

		check_true("not behind it", b.marks[there] <= a.marks[y]);
		check_true("the last before it",
			there + 1 == b.lines || b.marks[there + 1] >= a.marks[y]);
		int back = block_line_of(&a, a.marks[y], y - block_line_of(&a, a.marks[y], 0));

		check_int("the same width", back, y);
	}
	check_int("behind all", block_line_of(&a, SIZE_MAX, 0), a.lines - 1);
	check_int("before all", block_line_of(&a, 0, 0), 0);
	block_sheet_fini(&a);
	block_sheet_fini(&b);
	cell_pool_free(pool);
}

static void draw_all(struct cell_pool *pool, const struct vy_row *row)
{
	for (int open = 0; open < 2; open++) {
		for (int cols = 1; cols < 200; cols = cols * 3 + 1) {
			struct block_how how = { .cols = cols,
				.is_open = open,
				.with_details = true,
				.is_unwrapped = cols % 2 };
			struct block_sheet s;

			block_sheet_init(&s, pool);
			block_draw(row, &how, &s);
			check_true("bounded", s.lines <= 6000 || row->kind == VY_ROW_MESSAGE);
			golden_check_grid("huge", &s.grid, s.lines < 300 ? s.lines : 300);
			block_sheet_fini(&s);
		}
	}
}

static void fill(struct vy_buf *b, const char *piece, size_t n)
{
	vy_buf_clear(b);
	while (b->len < n) {
		vy_buf_adds(b, piece);
	}
}

/* What is large, from every side: it is bounded, and over in a moment. */
static void test_huge(void **state)
{
	static const char *const pieces[] = { "x", "line\n", "\t", "\n", "e\xCC\x81", "\x1b[31m",
		"中", "| ", "> ", "- ", "`", "👩🏽‍💻" };
	struct cell_pool *pool = cell_pool_new((struct vy_width){ 0 });
	VY_AUTO_BUF big = VY_BUF_INIT(16 << 20);

	(void)state;
	for (size_t i = 0; i < VY_COUNT(pieces); i++) {
		struct vy_row row = { .key = VY_STR_LIT("k"), .kind = VY_ROW_MESSAGE };

		fill(&big, pieces[i], 200000);
		row.message.is_user = true;
		row.message.text = vy_buf_str(&big);
		draw_all(pool, &row);
		row = (struct vy_row){ .key = VY_STR_LIT("k"), .kind = VY_ROW_TERM_COMMAND };
		row.term.output = vy_buf_str(&big);
		row.term.command = vy_str_n(big.data, 5000);
		draw_all(pool, &row);
		row = (struct vy_row){ .key = VY_STR_LIT("k"), .kind = VY_ROW_TOOL };
		row.tool.progress = row.tool.summary = row.tool.name = vy_buf_str(&big);
		draw_all(pool, &row);
		row = (struct vy_row){ .key = VY_STR_LIT("k"), .kind = VY_ROW_NOTICE };
		row.notice.note = vy_buf_str(&big);
		draw_all(pool, &row);
		fill(&big, pieces[i], 20000);
		row = (struct vy_row){ .key = VY_STR_LIT("k"), .kind = VY_ROW_MESSAGE };
		row.message.text = vy_buf_str(&big);
		draw_all(pool, &row);
	}
	cell_pool_free(pool);
}

/* Long paragraphs of one line, their rows kept while they grow, with all that may open, close and
 * change its mind in them: drawn on is drawn anew, in cells, marks and joins. */
static void test_rows_that_stay(void **state)
{
	static const char *const pieces[] = { "alpha ", "bravo ", "charlie delta ", "echo, ",
		"fox. ", "which ", "hotel ", "india juliett kilo lima ", "**bold** ", "*thin* ",
		"`code` ", "**open ", "close** ", "*", "_", "_a_ ", "`", "``", "~~gone~~ ", "~",
		"[text](https://x.example/) ", "[", "](", ")", "<b>", "<", "&amp; ", "&",
		"https://x.example/a ", "www.x.example ", "| ", "\\", "\\* ", "中文字 ", "e\u0301 ",
		"👩‍💻 ", "שלום ", "  ", "- ", "1. ", "# ", "> ", "a@b.example ", "!", "\r",
		"\t", "\xff", "\n", "\n\n", "\n|---|\n", "\n- item\n\n", "\n```\n", "\n---\n",
		"\n===\n\n" };
	size_t kept = 0;
	const char *more = getenv("VYRE_SEEDS");
	unsigned seeds = more ? (unsigned)strtoul(more, NULL, 10) : 50;

	(void)state;
	for (unsigned seed = 1; seed <= seeds; seed++) {
		static const int widths[] = { 24, 40, 66 };
		struct block_how how = {
			.cols = widths[seed % 3], .with_details = true, .is_unwrapped = seed % 2
		};
		struct cell_pool *pool = cell_pool_new((struct vy_width){ 0 });
		enum vy_row_kind kind = seed % 4 ? VY_ROW_MESSAGE : VY_ROW_THINKING;
		unsigned dice = seed * 2654435761u;
		struct picture on, anew;
		VY_AUTO_BUF text = VY_BUF_INIT(65536);
		char name[40];

		picture_init(&on, pool);
		picture_init(&anew, pool);
		vy_buf_adds(&text, "begun\n\n");
		for (int step = 0; step < 200; step++) {
			dice = dice * 1103515245u + 12345u;
			size_t n = VY_COUNT(pieces), before = text.len;

			/* mostly words, and seldom the end of a line */
			n = dice >> 24 < 216 ? 8 : dice >> 24 < 252 ? VY_COUNT(pieces) - 7 : n;
			vy_buf_adds(&text, pieces[(dice >> 12) % n]);
			struct vy_row row = row_of(kind, vy_buf_str(&text), step == 199);

			on.sheet.same = before;
			block_draw(&row, &how, &on.sheet);
			anew.sheet.same = 0;
			block_draw(&row, &how, &anew.sheet);
			kept += on.sheet.settled.rows_at > 0;
			snprintf(name, sizeof(name), "seed %u, step %d", seed, step);
			check_int(name, on.sheet.lines, anew.sheet.lines);
			check_true(name, same_slides(&on.sheet, &anew.sheet));
			/* behind an underlined heading, say, the marks are too far already */
			const struct block_settled *s = &on.sheet.settled;
			bool is_exact =
				s->lines == 0 || on.sheet.marks[s->lines - 1] <= s->tail.border;

			for (int y = 0; y < on.sheet.lines; y++) {
				check_true(name, same_cells(&on.sheet, &anew.sheet, y));
				check_true(name,
					!is_exact || on.sheet.marks[y] == anew.sheet.marks[y]);
				check_int(name, on.sheet.words[y].join, anew.sheet.words[y].join);
				check_int(name, on.sheet.words[y].from, anew.sheet.words[y].from);
				check_int(name, on.sheet.words[y].end, anew.sheet.words[y].end);
			}
		}
		block_sheet_fini(&on.sheet);
		block_sheet_fini(&anew.sheet);
		cell_pool_free(pool);
	}
	check_true("rows were kept", kept > 2000);
}

CHECK_MAIN(CHECK_TEST(test_every_prefix), CHECK_TEST(test_fence), CHECK_TEST(test_text_taken_back),
	CHECK_TEST(test_nothing_lost), CHECK_TEST(test_rows_that_stay), CHECK_TEST(test_marks),
	CHECK_TEST(test_huge))

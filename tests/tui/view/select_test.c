/* select_test.c -- a row drawn at many widths is the same words again: no margin, no gutter, no
 * padding, no break of the wrap. And what a row's source, its code and its paths are. */
#include "shared/base/mem.h"
#include "tests/check.h"
#include "tui/view/find.h"
#include "tui/view/select.h"
#include "tui/view/place.h"
#include "tui/view/source.h"

struct world {
	struct cell_pool *pool;
	struct block_sheet sheet;
	struct vy_buf text;
};

static void world_init(struct world *w)
{
	w->pool = cell_pool_new((struct vy_width){ 0 });
	block_sheet_init(&w->sheet, w->pool);
	w->text = VY_BUF_INIT(1 << 20);
}

static void world_fini(struct world *w)
{
	vy_buf_fini(&w->text);
	block_sheet_fini(&w->sheet);
	cell_pool_free(w->pool);
}

static struct vy_row said(const char *text, bool is_user)
{
	return (struct vy_row){ .kind = VY_ROW_MESSAGE,
		.rev = 1,
		.key = VY_STR_LIT("k"),
		.message = { .is_user = is_user,
			.done = true,
			.state = VY_MESSAGE_SENT,
			.text = vy_str_c(text) } };
}

static struct vy_row tool(const char *name, const char *summary, const char *result)
{
	return (struct vy_row){ .kind = VY_ROW_TOOL,
		.rev = 1,
		.key = VY_STR_LIT("t"),
		.tool = { .name = vy_str_c(name),
			.summary = vy_str_c(summary),
			.status = VY_TOOL_COMPLETED,
			.pct = -1,
			.result = vy_str_c(result) } };
}

static void draw(
	struct world *w, const struct vy_row *row, int cols, bool is_wide, bool is_unwrapped)
{
	struct block_how how = { .cols = cols,
		.is_open = true,
		.is_side_by_side = is_wide,
		.is_unwrapped = is_unwrapped };

	w->sheet.same = 0;
	block_draw(row, &how, &w->sheet);
}

static const char *all(struct world *w)
{
	vy_buf_clear(&w->text);
	select_add(&w->sheet, select_start(), select_last(&w->sheet), &w->text);
	return vy_buf_c(&w->text);
}

/* ---- the same words at every width ---- */

static const struct {
	const char *name, *text, *copied;
	bool is_user;
} texts[] = {
	{ "prose", "one two three four five six seven eight nine ten eleven twelve", NULL, false },
	{ "a person's", "one two three four five six seven eight nine ten\nand a second line", NULL,
		true },
	{ "a long word",
		"see aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggg", NULL,
		false },
	{ "CJK", "我们来看一下这个很长的中文句子它没有任何空格也会换行并且应该原样复制回来", NULL,
		false },
	{ "emoji",
		"👩‍👩‍👧 family 🇩🇪 flag e\xCC\x81 accent 👍🏽 thumb "
		"👩‍👩‍👧 "
		"again "
		"and "
		"again",
		NULL, false },
	{ "a wrapped link",
		"go to [the long name of a link that wraps](https://example.org/a/b/c) and read on",
		"go to the long name of a link that wraps and read on", false },
	{ "styles",
		"this is **bold and long enough** to be `wrapped` *somewhere* in the middle of it",
		"this is bold and long enough to be wrapped somewhere in the middle of it", false },
	{ "two paragraphs", "one\n\ntwo", NULL, false },
	{ "code with tabs",
		"```c\nint f(void)\n{\n\tif (x) {\n\t\treturn 1;\t/* a comment long enough to wrap "
		"*/\n\t}\n}\n```",
		"int f(void)\n{\n\tif (x) {\n\t\treturn 1;\t/* a comment long enough to wrap "
		"*/\n\t}\n}",
		false },
	{ "code that ends in blanks", "```\na                                           b\n```",
		"a                                           b", false },
	{ "a quote", "> said by somebody else and long enough to be wrapped at the edge",
		"said by somebody else and long enough to be wrapped at the edge", false },
};

static void test_words(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	for (size_t i = 0; i < VY_COUNT(texts); i++) {
		struct vy_row row = said(texts[i].text, texts[i].is_user);

		for (int cols = 24; cols <= 160; cols += 4) {
			draw(&w, &row, cols, false, false);
			check_str(texts[i].name, all(&w),
				texts[i].copied ? texts[i].copied : texts[i].text);
			draw(&w, &row, cols, false, true); /* what is cut is copied too */
			check_str(texts[i].name, all(&w),
				texts[i].copied ? texts[i].copied : texts[i].text);
		}
	}
	world_fini(&w);
}

/* ---- lines that are not wrapped: giants ---- */

static void fill(struct vy_buf *b, const char *piece, size_t n)
{
	while (b->len < n) {
		vy_buf_adds(b, piece);
	}
}

/* A line beyond what one line may have goes on in the next, and is copied as one. */
static void test_giant(void **state)
{
	static const char *const pieces[] = { "x", "中", "ab\t", "e\xCC\x81 " };
	VY_AUTO_BUF text = VY_BUF_INIT(1 << 20);
	struct world w;

	(void)state;
	world_init(&w);
	for (size_t i = 0; i < VY_COUNT(pieces); i++) {
		vy_buf_clear(&text);
		vy_buf_adds(&text, "```\n");
		fill(&text, pieces[i], 40000);
		vy_buf_adds(&text, "\n```");
		struct vy_row row = said(vy_buf_c(&text), false);

		draw(&w, &row, 80, false, true);
		check_true(pieces[i], w.sheet.lines <= 7);
		check_int(pieces[i], select_last(&w.sheet).line, 0);
		vy_buf_clear(&w.text);
		select_add_line(&w.sheet, 0, &w.text);
		check_vstr(pieces[i], vy_buf_str(&w.text), vy_str_n(text.data + 4, text.len - 8));
	}
	world_fini(&w);
}

/* More than the terminal that reads an output is wide: the pieces are one line again, blanks and
 * glyphs that did not fit at its edge too. */
static void test_long_output(void **state)
{
	static const struct {
		const char *name, *lead, *piece;
		size_t n;
	} rows[] = {
		{ "letters", "", "0123456789", 2500 },
		{ "wide ones over the edge", "a", "中", 4000 },
		{ "blanks at the edge", "", "a         ", 2501 },
		{ "longer than a line", "", "0123456789", 40000 },
	};
	VY_AUTO_BUF want = VY_BUF_INIT(1 << 20), json = VY_BUF_INIT(1 << 20);
	struct world w;

	(void)state;
	world_init(&w);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		vy_buf_clear(&want);
		vy_buf_clear(&json);
		vy_buf_adds(&want, rows[i].lead);
		fill(&want, rows[i].piece, rows[i].n);
		vy_buf_addc(&want, '.');
		vy_buf_adds(&json, "{\"type\":\"terminal\",\"exit\":1,\"output\":\"");
		vy_buf_addstr(&json, vy_buf_str(&want));
		vy_buf_adds(&json, "\\nend\\n\"}");
		struct vy_row row = tool("Bash", "it", vy_buf_c(&json));

		draw(&w, &row, 80, false, true);
		vy_buf_clear(&w.text);
		select_add_line(&w.sheet, 1, &w.text);
		check_vstr(rows[i].name, vy_buf_str(&w.text), vy_buf_str(&want));
		check_int(rows[i].name, select_last(&w.sheet).line, 2);
	}
	world_fini(&w);
}

static void test_list_and_table(void **state)
{
	struct world w;
	struct vy_row list = said("- first\n- second one that is long enough to wrap\n", false);
	struct vy_row table = said("| a | 数量 |\n|---|---|\n| x y | 12 |\n| 👍 | 3 |\n", false);

	(void)state;
	world_init(&w);
	draw(&w, &list, 24, false, false);
	check_str("list", all(&w), "• first\n• second one that is long enough to wrap");
	draw(&w, &table, 60, false, false);
	check_str("table", all(&w), "a     数量\nx y   12\n👍    3");
	world_fini(&w);
}

#define DIFF                                                                                       \
	"{\"type\":\"diff\",\"path\":\"src/"                                                       \
	"a.c\",\"added\":1,\"removed\":1,\"hunks\":[{\"old_start\":8,"                             \
	"\"new_start\":8,\"lines\":[\" {\",\"-\\treturn one(of, the, arguments);\",\"+\\treturn "  \
	"another(of, the, arguments);\",\" }\"]}]}"

static void test_diff(void **state)
{
	struct world w;
	struct vy_row row = tool("Edit", "src/a.c", DIFF);

	(void)state;
	world_init(&w);
	for (int cols = 30; cols < 120; cols += 7) {
		draw(&w, &row, cols, false, cols % 2);
		check_str("unified", all(&w),
			"Edit  src/a.c\n{\n\treturn one(of, the, arguments);\n"
			"\treturn another(of, the, arguments);\n}");
	}
	draw(&w, &row, 160, true, false);
	check_str("sides: what is there now", all(&w),
		"Edit  src/a.c\n{\n\treturn another(of, the, arguments);\n}");
	world_fini(&w);
}

static void test_output(void **state)
{
	struct world w;
	struct vy_row row = tool("Bash", "make",
		"{\"type\":\"terminal\",\"command\":\"make\",\"exit\":0,\"output\":\"\\u001b["
		"32mok\\u001b[0m "
		"a line that is much too long for the narrow window it is shown in\\nsecond\\n\"}");

	(void)state;
	world_init(&w);
	for (int cols = 20; cols < 120; cols += 9) {
		draw(&w, &row, cols, false, cols % 2);
		check_str("output", all(&w),
			"Bash  make\nok a line that is much too long for the narrow window it is "
			"shown "
			"in\nsecond");
	}
	world_fini(&w);
}

/* ---- points ---- */

/* From each end by single steps: every glyph once, and back the same way. */
static void test_steps(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	for (size_t i = 0; i < VY_COUNT(texts); i++) {
		struct vy_row row = said(texts[i].text, texts[i].is_user);
		struct select_point p = select_start(), trail[400];
		size_t n = 0;

		draw(&w, &row, 26, false, false);
		do {
			int y, x;

			assert_true(n < VY_COUNT(trail));
			trail[n++] = p;
			select_place(&w.sheet, p, &y, &x);
			struct select_point back = select_at(&w.sheet, y, x);

			if (back.line != p.line || back.at != p.at) {
				/* the blank of a wrap stands behind the line's last glyph */
				check_int(texts[i].name, x >= 4, 1);
				check_true(texts[i].name,
					!select_before(back, p) || back.at + 1 == p.at);
			}
		} while (select_right(&w.sheet, &p));
		check_true(texts[i].name, !select_before(p, select_last(&w.sheet)));
		while (n-- > 1) {
			check_true(texts[i].name, select_left(&w.sheet, &p));
			check_int(texts[i].name, (long long)p.line, (long long)trail[n - 1].line);
			check_int(texts[i].name, (long long)p.at, (long long)trail[n - 1].at);
		}
		check_true(texts[i].name, !select_left(&w.sheet, &p));
	}
	world_fini(&w);
}

static void test_part(void **state)
{
	struct world w;
	struct vy_row row = said("alpha bravo charlie delta echo foxtrot golf hotel", false);
	struct select_point a = { 0, 6 }, b = { 0, 25 };

	(void)state;
	world_init(&w);
	for (int cols = 20; cols < 80; cols += 3) {
		int cells = 0, x0, x1;

		draw(&w, &row, cols, false, false);
		vy_buf_clear(&w.text);
		select_add(&w.sheet, a, b, &w.text);
		check_str("part", vy_buf_c(&w.text), "bravo charlie delta");
		for (int y = 0; y < w.sheet.lines; y++) {
			if (select_cells(&w.sheet, y, a, b, &x0, &x1)) {
				cells += x1 - x0;
			}
		}
		check_true("all its glyphs are covered", cells >= 17 && cells <= 19);
	}
	draw(&w, &row, 80, false, false);
	struct select_point p = { 0, 0 };

	check_true("word", select_word_right(&w.sheet, &p) && p.at == 6);
	check_true("word", select_word_right(&w.sheet, &p) && p.at == 12);
	check_true("back", select_word_left(&w.sheet, &p) && p.at == 6);
	check_true("back", select_word_left(&w.sheet, &p) && p.at == 0);
	check_true("no more", !select_word_left(&w.sheet, &p));
	world_fini(&w);
}

/* ---- sources ---- */

static void test_source(void **state)
{
	static const struct {
		const char *name, *result, *source;
	} rows[] = {
		{ "diff", DIFF,
			"Edit src/a.c\n--- src/a.c\n+++ src/a.c\n@@ -8,3 +8,3 @@\n {\n-\treturn "
			"one(of, "
			"the, arguments);\n+\treturn another(of, the, arguments);\n }" },
		{ "command",
			"{\"type\":\"terminal\",\"command\":\"ls\",\"output\":\"\\u001b[1ma\\u001b["
			"0m\\nb\\n\"}",
			"$ ls\na\nb" },
		{ "files",
			"{\"type\":\"files\",\"files\":[{\"path\":\"a.c\",\"line\":3,\"text\":"
			"\"int\"}]}",
			"Edit src/a.c\na.c:3: int" },
		{ "tasks",
			"{\"type\":\"task\",\"items\":[{\"text\":\"one\",\"status\":\"done\"},{"
			"\"text\":\"two\","
			"\"status\":\"pending\"}]}",
			"Edit src/a.c\n- [x] one\n- [ ] two" },
		{ "a picture that the head names",
			"{\"type\":\"screen\",\"ref\":\"img-1\",\"alt\":\"src/a.c\"}",
			"Edit src/a.c" },
		{ "a picture", "{\"type\":\"screen\",\"ref\":\"img-1\",\"alt\":\"the start page\"}",
			"Edit src/a.c\nthe start page" },
		{ "sealed",
			"{\"type\":\"record\",\"title\":\"T\",\"fields\":[{\"label\":\"pin\","
			"\"sealed\":true,"
			"\"value\":\"1234\"}]}",
			"Edit src/a.c\nT\npin: …" },
	};
	struct vy_buf out = VY_BUF_INIT(1 << 20);

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_row row = tool("Edit", "src/a.c", rows[i].result);

		vy_buf_clear(&out);
		source_row(&row, &out);
		check_str(rows[i].name, vy_buf_c(&out), rows[i].source);
	}
	struct vy_row row = said("# T\n\n**b**\x1b[31m\x07 \xE2\x80\xAE"
				 "x\n\n```sh\nls\n```\n\n    cc\n",
		false);

	vy_buf_clear(&out);
	source_row(&row, &out);
	check_str("no control byte", vy_buf_c(&out),
		"# T\n\n**b**[31m \xE2\x80\xAE"
		"x\n\n```sh\nls\n```\n\n    cc");
	vy_buf_clear(&out);
	source_reveal(&row, &out);
	check_true("named",
		strstr(vy_buf_c(&out), "**b**⟨ESC⟩[31m⟨BEL⟩ ⟨U+202E RIGHT-TO-LEFT OVERRIDE⟩x"));
	vy_buf_clear(&out);
	check_true("first code", source_code(&row, 0, &out));
	check_str("first code", vy_buf_c(&out), "ls");
	vy_buf_clear(&out);
	check_true("second code", source_code(&row, 1, &out));
	check_str("second code", vy_buf_c(&out), "cc");
	check_true("no third", !source_code(&row, 2, &out));
	vy_buf_fini(&out);
}

static void tell_places(const struct places_named *named, struct vy_buf *out)
{
	for (size_t i = 0; i < named->n; i++) {
		vy_buf_addf(out, "%s%.*s", i ? " " : "", VY_STR_ARG(named->v[i].path));
		if (named->v[i].line) {
			vy_buf_addf(out, "@%lld", (long long)named->v[i].line);
		}
	}
}

static void test_paths(void **state)
{
	static const struct {
		const char *words, *places;
	} rows[] = {
		{ "see src/a.c:12.", "src/a.c@12" },
		{ "in `tui/view/x.h`, there", "tui/view/x.h" },
		{ "open README.md first", "README.md" },
		{ "https://example.org/x.c is no file", "" },
		{ "1.5 of e.g. nothing", "" },
		{ "/etc/hosts:3:1: bad", "/etc/hosts@3" },
		{ "", "" },
		{ "and/or, then src/b.c(7,2): error", "and/or src/b.c@7" },
		{ "  File \"/usr/x.py\", line 42, in f", "/usr/x.py@42" },
		{ "a.c line 3 and b.c", "a.c@3 b.c" },
		{ "src/a.c#L9 or src/a.c#L9-L12", "src/a.c@9" },
		{ "a.c:1 a.c:1 a.c:2", "a.c@1 a.c@2" },
		{ "a.c:99999999999", "a.c@999999999" },
	};
	struct vy_arena a;

	(void)state;
	vy_arena_init(&a);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF told = VY_BUF_INIT(4096);
		struct places_named named = { 0 };

		place_in_words(vy_str_c(rows[i].words), &a, &named);
		tell_places(&named, &told);
		check_str(rows[i].words, vy_buf_c(&told), rows[i].places);
	}
	vy_arena_fini(&a);
}

/* What a tool worked on comes first, with its line; then what it said. */
static void test_paths_of_rows(void **state)
{
	static const struct {
		const char *name, *summary, *result, *places;
	} rows[] = {
		{ "a change", "b.c",
			"{\"type\":\"diff\",\"path\":\"src/"
			"r.c\",\"added\":1,\"removed\":0,\"hunks\":["
			"{\"old_start\":41,\"new_start\":41,\"lines\":[\"+x\"]}]}",
			"src/r.c@41 b.c" },
		{ "files", "grep x",
			"{\"type\":\"files\",\"files\":[{\"path\":\"a.c\",\"line\":3},{\"path\":"
			"\"b.c\"}]}",
			"a.c@3 b.c" },
		{ "what a command printed", "make check",
			"{\"type\":\"terminal\",\"output\":\"x.c:7:1: error: no\\n\"}", "x.c@7" },
		{ "its line alone", "src/x.c", "", "src/x.c" },
		{ "none", "ls", "", "" },
	};
	struct vy_arena a;

	(void)state;
	vy_arena_init(&a);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF told = VY_BUF_INIT(4096);
		struct vy_row row = { .kind = VY_ROW_TOOL };
		struct places_named named;

		row.tool.name = VY_STR_LIT("Bash");
		row.tool.summary = vy_str_c(rows[i].summary);
		row.tool.result = vy_str_c(rows[i].result);
		place_in_row(&row, &a, &named);
		tell_places(&named, &told);
		check_str(rows[i].name, vy_buf_c(&told), rows[i].places);
	}
	vy_arena_fini(&a);
}

/* ---- letters ---- */

static void test_find_in(void **state)
{
	static const struct {
		const char *query, *text;
		long long at;
	} rows[] = {
		{ "abc", "xxABCxx", 2 },
		{ "ABC", "xxabcxABC", 6 },
		{ "größe", "Die GRÖSSE, die Größe", 17 },
		{ "файл", "Открыть ФАЙЛ", 15 },
		{ "数量", "a 数量", 2 },
		{ "zz", "abc", -1 },
		{ "\xC3", "abc\xC3\xA9", -1 },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_fold *fold = vy_fold_new();
		struct find f;
		size_t n;

		find_init(&f);
		find_set(&f, fold, vy_str_c(rows[i].query));
		size_t at = find_in(&f, vy_str_c(rows[i].text), 0, &n);

		check_int(rows[i].query, at == FIND_NONE ? -1 : (long long)at, rows[i].at);
		find_fini(&f);
		vy_fold_free(fold);
	}
}

CHECK_MAIN(CHECK_TEST(test_words), CHECK_TEST(test_giant), CHECK_TEST(test_long_output),
	CHECK_TEST(test_list_and_table), CHECK_TEST(test_diff), CHECK_TEST(test_output),
	CHECK_TEST(test_steps), CHECK_TEST(test_part), CHECK_TEST(test_source),
	CHECK_TEST(test_paths), CHECK_TEST(test_paths_of_rows), CHECK_TEST(test_find_in))

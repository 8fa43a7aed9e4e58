/* turn_test.c -- text that runs from right to left, in every place it is shown. Capitals stand for
 * Hebrew letters, going in and coming out, so that a reader sees the order. */
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "tests/check.h"
#include "tests/tui/golden.h"
#include "tui/block/shape.h"
#include "tui/ink/theme.h"
#include "tui/view/ask_panel.h"
#include "tui/view/pager.h"
#include "tui/view/picker.h"
#include "tui/view/turn.h"

static struct vy_str hebrew(const char *text, struct vy_buf *out)
{
	vy_buf_clear(out);
	for (; *text; text++) {
		char c[4];

		if (*text >= 'A' && *text <= 'Z') {
			vy_buf_add(out, c, vy_utf8_put(0x5D0u + (uint32_t)(*text - 'A'), c));
		} else {
			vy_buf_addc(out, *text);
		}
	}
	return vy_buf_str(out);
}

static void add_row(const struct cell_grid *g, int y, struct vy_buf *out)
{
	size_t kept = out->len;

	for (int x = 0; x < g->cols; x++) {
		const struct cell *c = cell_at(g, x, y);
		struct vy_str text = cell_text(g, c);
		uint32_t cp = 0;

		if (c->width == 0) {
			continue;
		}
		vy_utf8_get(text, 0, &cp);
		if (cp >= 0x5D0 && cp < 0x5D0 + 26) {
			vy_buf_addc(out, (char)('A' + (cp - 0x5D0)));
		} else {
			vy_buf_addstr(out, text);
		}
		kept = vy_str_is(text, " ") ? kept : out->len;
	}
	vy_buf_truncate(out, kept);
}

/* All rows of a window, parted by "/". */
static void tell(const struct cell_grid *g, int rows, struct vy_buf *out)
{
	golden_check_grid("turned", g, rows);
	for (int y = 0; y < rows; y++) {
		vy_buf_adds(out, y ? "/" : "");
		add_row(g, y, out);
	}
}

/* ---- a piece of a line ---- */

static void test_piece(void **state)
{
	static const struct {
		const char *name, *text, *seen;
		bool is_straight;
	} rows[] = {
		{ "latin", "plain (words)", "plain (words)", false },
		{ "one word", "ABC", "CBA", false },
		{ "among latin ones", "say ABC now", "say CBA now", false },
		{ "a path", "src/ABC/x.c", "src/CBA/x.c", false },
		{ "its own direction", "ABC foo.", ".foo CBA", false },
		{ "mirrored", "A(B)", "(B)A", false },
		{ "wide ones", "A漢B", "B漢A", false },
		{ "left to the terminal", "ABC", "ABC", true },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct cell_pool *pool = cell_pool_new((struct vy_width){ 0 });
		VY_AUTO_BUF text = VY_BUF_INIT(4096), seen = VY_BUF_INIT(4096);
		struct cell_grid g;

		cell_grid_init(&g, pool, 40, 1);
		cell_pool_set_straight(pool, rows[i].is_straight);
		struct cell_win w = cell_win_all(&g);
		int x = cell_puts(w, 0, 0, "ab ", theme_ink(THEME_DIM));
		int end = x + cell_put(w, x, 0, hebrew(rows[i].text, &text), theme_ink(THEME_TEXT));

		cell_puts(w, end, 0, " yz", theme_ink(THEME_DIM));
		turn_piece(w, 0, x, end);
		tell(&g, 1, &seen);
		VY_AUTO_BUF want = VY_BUF_INIT(4096);

		vy_buf_addf(&want, "ab %s yz", rows[i].seen);
		check_str(rows[i].name, vy_buf_c(&seen), vy_buf_c(&want));
		cell_grid_fini(&g);
		cell_pool_free(pool);
	}
}

/* ---- a field of one line ---- */

static void test_field(void **state)
{
	static const struct {
		const char *name, *text;
		int cols, letters; /* before the cursor */
		const char *seen;  /* with the cursor */
	} rows[] = {
		{ "latin", "abc", 9, 3, "abc^" },
		{ "latin, in it", "abc", 9, 1, "a^bc" },
		{ "latin, longer than the field", "abcdefgh", 5, 8, "efgh^" },
		{ "the end is at the left", "ABC", 9, 3, "^CBA" },
		{ "the start is at the right", "ABC", 9, 0, "CBA^" },
		{ "in it", "ABC", 9, 1, "CB^A" },
		{ "behind latin", "ab CD", 9, 5, "ab DC^" },
		{ "empty", "", 9, 0, "^" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct cell_pool *pool = cell_pool_new((struct vy_width){ 0 });
		VY_AUTO_BUF text = VY_BUF_INIT(4096), seen = VY_BUF_INIT(4096);
		struct cell_grid g;
		struct vy_str s = hebrew(rows[i].text, &text);
		size_t at = 0;

		for (int k = 0; k < rows[i].letters; k++) {
			at = vy_cluster_next(s, at);
		}
		cell_grid_init(&g, pool, rows[i].cols, 1);
		int x = turn_field(cell_win_all(&g), s, at, theme_ink(THEME_TEXT));

		tell(&g, 1, &seen);
		VY_AUTO_BUF got = VY_BUF_INIT(4096);

		vy_buf_addf(&got, "%.*s^%s", x, vy_buf_c(&seen),
			(size_t)x < seen.len ? vy_buf_c(&seen) + x : "");
		check_str(rows[i].name, vy_buf_c(&got), rows[i].seen);
		cell_grid_fini(&g);
		cell_pool_free(pool);
	}
}

/* ---- a sheet: paragraphs over lines ---- */

static void test_sheet(void **state)
{
	static const struct {
		const char *name, *text;
		int cols;
		const char *seen;
	} rows[] = {
		{ "one line", "say ABC.", 20, "say CBA." },
		{ "wrapped", "ABCD EFGH IJ", 10, "HGFE DCBA/JI" },
		{ "a line in latin is still of it", "ABCD EFGH foo.", 10, "HGFE DCBA/.foo" },
		{ "the first letter stands in the second line", "......... ABC.", 10,
			"........./.CBA" },
		{ "a line in Hebrew of a latin paragraph", "say word ABC.", 10, "say word/CBA." },
		{ "a line break begins another", "ABC\\nfoo.", 10, "CBA/foo." },
		{ "numbers behind the word before", "say ABC 12 34 x", 10, "say CBA/34 12 x" },
		{ "a bracket that closes in the next line", "ABC (DEF GHI) J", 10,
			"FED) CBA/J (IHG" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct cell_pool *pool = cell_pool_new((struct vy_width){ 0 });
		VY_AUTO_BUF text = VY_BUF_INIT(4096), seen = VY_BUF_INIT(4096);
		struct block_sheet s;
		struct cell_grid g;
		char plain[128];
		size_t n = 0;

		for (const char *p = rows[i].text; *p; p++) {
			plain[n++] = p[0] == '\\' ? '\n' : *p;
			p += p[0] == '\\';
		}
		plain[n] = '\0';
		block_sheet_init(&s, pool);
		block_sheet_reset(&s, rows[i].cols);
		shape_words(hebrew(plain, &text), THEME_TEXT, 0, 0, &s);
		cell_grid_init(&g, pool, rows[i].cols, s.lines);
		for (int y = 0; y < s.lines; y++) {
			cell_blit(cell_win_all(&g), 0, y, &s.grid,
				(struct cell_rect){ 0, y, s.grid.cols, 1 });
		}
		for (int y = s.lines - 1; y >= 0; y--) { /* in any order */
			turn_line(cell_win_all(&g), y, &s, y);
		}
		tell(&g, s.lines, &seen);
		check_str(rows[i].name, vy_buf_c(&seen), rows[i].seen);
		block_sheet_fini(&s);
		cell_grid_fini(&g);
		cell_pool_free(pool);
	}
}

/* ---- the pager ---- */

static void test_pager(void **state)
{
	struct cell_pool *pool = cell_pool_new((struct vy_width){ 0 });
	VY_AUTO_BUF text = VY_BUF_INIT(4096), query = VY_BUF_INIT(64), seen = VY_BUF_INIT(4096);
	struct vy_row row = { .kind = VY_ROW_MESSAGE };
	struct cell_grid g;
	struct pager p;

	(void)state;
	row.message.text = hebrew("ABC foo.\nsay DEF now\nplain", &text);
	pager_init(&p);
	pager_open(&p, &row, false, cell_pool_width(pool));
	cell_grid_init(&g, pool, 20, 4);
	pager_draw(&p, cell_win_all(&g));
	tell(&g, 3, &seen);
	check_str("each line by itself", vy_buf_c(&seen), " .foo CBA/ say FED now/ plain");

	pager_find(&p, hebrew("EF", &query));
	cell_grid_clear(&g);
	pager_draw(&p, cell_win_all(&g));
	for (int x = 0; x < 20; x++) {
		bool is_match = x == 5 || x == 6; /* " say FE" */

		check_true("the match where it is seen",
			(cell_at(&g, x, 1)->bg == CELL_ROLE(THEME_MATCH_NOW)) == is_match);
	}
	cell_pool_set_straight(pool, true);
	vy_buf_clear(&seen);
	cell_grid_clear(&g);
	pager_draw(&p, cell_win_all(&g));
	tell(&g, 3, &seen);
	check_str("left to the terminal", vy_buf_c(&seen), " ABC foo./ say DEF now/ plain");
	pager_fini(&p);
	cell_grid_fini(&g);
	cell_pool_free(pool);
}

/* ---- a list ---- */

static void test_picker(void **state)
{
	struct cell_pool *pool = cell_pool_new((struct vy_width){ 0 });
	VY_AUTO_BUF label = VY_BUF_INIT(256), detail = VY_BUF_INIT(256), seen = VY_BUF_INIT(4096);
	VY_AUTO_BUF typed = VY_BUF_INIT(64);
	struct screen_cursor cursor;
	struct cell_grid g;
	struct picker p;

	(void)state;
	picker_init(&p);
	picker_begin(&p, "Sessions", NULL);
	hebrew("ABC (x)", &label);
	hebrew("say DEF", &detail);
	picker_add(&p, &(struct picker_item){ .id = "1",
			       .label = vy_buf_c(&label),
			       .detail = vy_buf_c(&detail),
			       .aside = "now" });
	picker_type(&p, hebrew("AB", &typed));
	cell_grid_init(&g, pool, 60, 3);
	picker_draw(&p, cell_win_all(&g), &cursor);
	add_row(&g, 1, &seen);
	vy_buf_addc(&seen, '/');
	add_row(&g, 2, &seen);
	check_str("each column by itself", vy_buf_c(&seen),
		"  › BA/    (x) CBA  say FED" /* the label, two cells, its detail */
		"                                   now");
	check_int("the cursor, at the left of what was typed", cursor.x, 4);
	/* the letters that were found are where they are seen: C B A at 8, 9, 10 */
	check_true("found", (cell_at(&g, 10, 2)->attrs & CELL_BOLD) &&
				    (cell_at(&g, 9, 2)->attrs & CELL_BOLD) &&
				    !(cell_at(&g, 8, 2)->attrs & CELL_BOLD));
	picker_fini(&p);
	cell_grid_fini(&g);
	cell_pool_free(pool);
}

/* ---- an ask ---- */

#define ASK                                                                                        \
	"{\"ask\":\"a\",\"state\":\"open\",\"kind\":\"question\",\"summary\":\"q\",\"options\":[]" \
	","                                                                                        \
	"\"questions\":[{\"question\":\"ABC foo?\",\"header\":\"DE\",\"free\":false,\"options\":[" \
	"{\"label\":\"GH\",\"description\":\"IJ KLM NOP QRS TUV foo.\"},{\"label\":\"no\"}]}]}"

static void test_ask(void **state)
{
	struct cell_pool *pool = cell_pool_new((struct vy_width){ 0 });
	VY_AUTO_BUF text = VY_BUF_INIT(4096), seen = VY_BUF_INIT(8192);
	struct ask_panel panel;
	struct keymap keymap;
	struct vy_arena arena;
	struct vy_row row = { .kind = VY_ROW_ASK };
	struct vy_err e = { 0 };
	struct cell_grid g;
	/* the names of the members are no Hebrew */
	VY_AUTO_JSON *v = vy_json_parse(hebrew(ASK, &text), &e);

	(void)state;
	vy_arena_init(&arena);
	assert_non_null(v);
	assert_int_equal(vy_ask_decode(v, &arena, &row.ask, &e), 0);
	keymap_init(&keymap);
	ask_panel_init(&panel, &keymap);
	ask_panel_sync(&panel, &row, 0, 1, 1000);
	cell_grid_init(&g, pool, 44, 12);
	int rows = ask_panel_rows(&panel, pool, g.cols, 12);

	ask_panel_draw(&panel, cell_win_all(&g));
	tell(&g, rows, &seen);
	const char *all = vy_buf_c(&seen);

	check_true("the question", strstr(all, "?foo CBA") != NULL);
	check_true("its name", strstr(all, "ED") != NULL);
	check_true("a label, its number where it is", strstr(all, "1 HG") != NULL);
	check_true("what it says, in rows of one paragraph", strstr(all, "MLK JI") != NULL);
	check_true("the last of them", strstr(all, ".foo") != NULL);
	check_true("none in the order of the text", strstr(all, "ABC") == NULL);
	ask_panel_fini(&panel);
	keymap_fini(&keymap);
	vy_arena_fini(&arena);
	cell_grid_fini(&g);
	cell_pool_free(pool);
}

CHECK_MAIN(CHECK_TEST(test_piece), CHECK_TEST(test_field), CHECK_TEST(test_sheet),
	CHECK_TEST(test_pager), CHECK_TEST(test_picker), CHECK_TEST(test_ask))

/* cell_test.c -- the grid holds whole glyphs, whatever is drawn where. */
#include "tests/check.h"

#include "shared/base/buf.h"
#include "tui/ink/cell.h"
#include "tui/ink/screen.h"
#include "shared/base/ban.h"

#define S(lit) VY_STR_LIT(lit)

static struct cell_pool *pool;

static int setup(void **state)
{
	(void)state;
	pool = cell_pool_new((struct vy_width){ 0 });
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	cell_pool_free(pool);
	return 0;
}

/* A row as text; "_" for the right half of a wide glyph, so that each cell is seen. */
static const char *row_text(const struct cell_grid *g, int y)
{
	static struct vy_buf b = { .max = 65536 };

	vy_buf_clear(&b);
	for (int x = 0; x < g->cols; x++) {
		const struct cell *c = cell_at(g, x, y);

		if (c->width == 0) {
			vy_buf_addc(&b, '_');
		} else {
			vy_buf_addstr(&b, cell_text(g, c));
		}
	}
	return vy_buf_c(&b);
}

/* Every wide glyph has its right half, every right half its glyph. */
static void check_whole(const char *name, const struct cell_grid *g)
{
	for (int y = 0; y < g->rows; y++) {
		for (int x = 0; x < g->cols; x++) {
			const struct cell *c = cell_at(g, x, y);
			const struct cell *next = cell_at(g, x + 1, y);

			if (c->width == 2) {
				check_true(name, next && next->width == 0);
			} else if (next) {
				check_true(name, next->width != 0 || c->width == 2);
			}
			check_true(name, x > 0 || c->width != 0);
		}
	}
}

static void puts_text(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int x;
		struct vy_str text;
		int used;
		const char *row; /* of 8 cells full of dots, window from 1 to 7 */
	} rows[] = {
		{ "plain", 0, S("abc"), 3, ".abc...." },
		{ "to the edge", 3, S("abc"), 3, "....abc." },
		{ "over the edge", 4, S("abc"), 2, ".....ab." },
		{ "behind the edge", 6, S("abc"), 0, "........" },
		{ "from the left", -1, S("abc"), 3, ".bc....." },
		{ "all to the left", -3, S("abc"), 3, "........" },
		{ "wide", 0, S("中b"), 3, ".中_b...." },
		{ "wide at the edge", 4, S("中"), 2, ".....中_." },
		{ "wide over the edge", 5, S("中"), 1, "...... ." },
		{ "wide from the left", -1, S("中b"), 3, ". b....." },
		{ "control bytes", 0, S("a\033\x07"), 3, ".a\uFFFD\uFFFD...." },
		{ "a C1 byte", 0, S("\xC2\x9B"), 1, ".\uFFFD......" },
		{ "bad bytes", 0, S("\xFFz"), 2, ".\uFFFDz....." },
		{ "base and mark", 0, S("e\u0301x"), 2, ".e\u0301x....." },
		{ "a family is one glyph", 0, S("👨‍👩‍👧‍👦x"), 3,
			".👨‍👩‍👧‍👦_x...." },
		{ "a flag", 0, S("🇩🇪"), 2, ".🇩🇪_....." },
		{ "empty", 2, S(""), 0, "........" },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct cell_grid g;

		cell_grid_init(&g, pool, 8, 1);
		cell_puts(cell_win_all(&g), 0, 0, "........", (struct cell_style){ 0 });
		struct cell_win w =
			cell_win_sub(cell_win_all(&g), (struct cell_rect){ 1, 0, 6, 1 });

		check_int(rows[i].name,
			cell_put(w, rows[i].x, 0, rows[i].text, (struct cell_style){ 0 }),
			rows[i].used);
		check_str(rows[i].name, row_text(&g, 0), rows[i].row);
		check_whole(rows[i].name, &g);
		check_int(rows[i].name, cell_put(w, 0, 1, S("x"), (struct cell_style){ 0 }), 1);
		cell_grid_fini(&g);
	}
}

static void covers_halves(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int x;
		const char *text, *row; /* over "a中文b" */
	} rows[] = {
		{ "left half", 1, "X", "aX 文_b" },
		{ "right half", 2, "X", "a X文_b" },
		{ "two halves", 2, "XY", "a XY b" },
		{ "wide over two halves", 2, "日", "a 日_ b" },
		{ "wide over one", 1, "日", "a日_文_b" },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct cell_grid g;

		cell_grid_init(&g, pool, 6, 1);
		cell_puts(cell_win_all(&g), 0, 0, "a中文b", (struct cell_style){ 0 });
		cell_puts(cell_win_all(&g), rows[i].x, 0, rows[i].text, (struct cell_style){ 0 });
		check_str(rows[i].name, row_text(&g, 0), rows[i].row);
		check_whole(rows[i].name, &g);
		cell_grid_fini(&g);
	}
}

static void keeps_grounds(void **state)
{
	(void)state;
	struct cell_grid g;
	struct cell_style red = { .bg = CELL_RGB(0xff0000) }, blue = { .fg = CELL_RGB(0x0000ff) };

	cell_grid_init(&g, pool, 6, 1);
	struct cell_win w = cell_win_all(&g);

	cell_fill(w, (struct cell_rect){ 0, 0, 4, 1 }, red);
	cell_puts(w, 2, 0, "ab中", blue);
	check_int("text lies on the fill", cell_at(&g, 2, 0)->bg, CELL_RGB(0xff0000));
	check_int("and off it", cell_at(&g, 4, 0)->bg, CELL_DEFAULT);
	check_int("fg", cell_at(&g, 2, 0)->fg, CELL_RGB(0x0000ff));
	cell_puts(w, 2, 0, "a", (struct cell_style){ .bg = CELL_BARE });
	check_int("bare is the terminal's", cell_at(&g, 2, 0)->bg, CELL_DEFAULT);
	cell_tint(w, (struct cell_rect){ 3, 0, 2, 1 },
		(struct cell_style){ .bg = CELL_INDEX(4), .attrs = CELL_BOLD });
	check_str("tint keeps text", row_text(&g, 0), "  ab中_");
	check_int("tint sets ground", cell_at(&g, 3, 0)->bg, CELL_INDEX(4));
	check_int("tint takes the glyph whole", cell_at(&g, 5, 0)->bg, CELL_INDEX(4));
	check_int("tint keeps fg", cell_at(&g, 4, 0)->fg, CELL_RGB(0x0000ff));
	check_int("tint adds attributes", cell_at(&g, 5, 0)->attrs, CELL_BOLD);
	cell_tint(w, (struct cell_rect){ 5, 0, 1, 1 }, (struct cell_style){ .bg = CELL_INDEX(7) });
	check_int("not by its right half", cell_at(&g, 5, 0)->bg, CELL_INDEX(4));
	cell_grid_fini(&g);
}

static void boxes_and_right(void **state)
{
	(void)state;
	struct cell_grid g;

	cell_grid_init(&g, pool, 8, 3);
	struct cell_win w = cell_win_all(&g);

	cell_box(w, (struct cell_rect){ 1, 0, 6, 3 }, (struct cell_style){ 0 });
	check_int("right", cell_puts_right(w, 6, 1, "中x", (struct cell_style){ 0 }), 3);
	check_str("top", row_text(&g, 0), " ╭────╮ ");
	check_str("middle", row_text(&g, 1), " │ 中_x│ ");
	check_str("bottom", row_text(&g, 2), " ╰────╯ ");
	cell_grid_clear(&g);
	cell_box(w, (struct cell_rect){ 6, 1, 6, 3 }, (struct cell_style){ 0 });
	check_str("clipped top", row_text(&g, 1), "      ╭─");
	check_str("clipped side", row_text(&g, 2), "      │ ");
	cell_grid_fini(&g);

	struct cell_pool *wide = cell_pool_new((struct vy_width){ .ambiguous_wide = true });

	cell_grid_init(&g, wide, 4, 2);
	cell_box(cell_win_all(&g), (struct cell_rect){ 0, 0, 4, 2 }, (struct cell_style){ 0 });
	check_str("where borders are wide", row_text(&g, 0), "+--+");
	cell_grid_fini(&g);
	cell_pool_free(wide);
}

static void blits(void **state)
{
	(void)state;
	struct cell_grid from, to;

	cell_grid_init(&from, pool, 6, 2);
	cell_grid_init(&to, pool, 6, 2);
	cell_puts(cell_win_all(&from), 0, 0, "a中文b", (struct cell_style){ .fg = CELL_INDEX(1) });
	cell_puts(cell_win_all(&to), 0, 1, "......", (struct cell_style){ 0 });
	struct cell_win w = cell_win_sub(cell_win_all(&to), (struct cell_rect){ 1, 1, 4, 1 });

	cell_blit(w, 0, 0, &from, (struct cell_rect){ 0, 0, 6, 2 });
	check_str("cut by the window", row_text(&to, 1), ".a中_ .");
	check_str("nothing above", row_text(&to, 0), "      ");
	cell_blit(w, 0, 0, &from, (struct cell_rect){ 2, 0, 2, 1 });
	check_str("cut in the source", row_text(&to, 1), ".    .");
	check_whole("after a cut", &to);
	cell_blit(w, -1, -1, &from, (struct cell_rect){ 0, -1, 9, 9 });
	check_whole("from outside", &to);
	cell_grid_fini(&from);
	cell_grid_fini(&to);
}

static void diffs(void **state)
{
	(void)state;
	static const struct {
		const char *name, *a, *b;
		int x0, x1; /* -1: equal */
	} rows[] = {
		{ "equal", "abc", "abc", -1, -1 },
		{ "one", "abc", "aXc", 1, 1 },
		{ "span", "abcdef", "aXcdYf", 1, 4 },
		{ "wide comes", "abcd", "a中d", 1, 2 },
		{ "wide goes", "a中d", "a中d ", -1, -1 },
		{ "next to wide", "中b", "中c", 2, 2 },
		{ "wide shifts", "a中b", "ab中", 1, 3 },
		{ "long clusters", "👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦", -1,
			-1 },
		{ "other long clusters", "👨‍👩‍👧‍👦", "👨‍👩‍👧", 0, 1 },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct cell_grid a, b;
		int x0 = -1, x1 = -1;

		cell_grid_init(&a, pool, 8, 1);
		cell_grid_init(&b, pool, 8, 1);
		cell_puts(cell_win_all(&a), 0, 0, rows[i].a, (struct cell_style){ 0 });
		cell_puts(cell_win_all(&b), 0, 0, rows[i].b, (struct cell_style){ 0 });
		check_int(rows[i].name, cell_diff_row(&a, &b, 0, &x0, &x1), rows[i].x0 >= 0);
		check_int(rows[i].name, x0, rows[i].x0);
		check_int(rows[i].name, x1, rows[i].x1);
		cell_grid_copy(&b, &a);
		check_true(rows[i].name, !cell_diff_row(&a, &b, 0, &x0, &x1));
		cell_grid_fini(&a);
		cell_grid_fini(&b);
	}
}

static void links(void **state)
{
	(void)state;
	uint16_t a = cell_link(pool, S("https://a.example/x"), NULL);

	check_true("a number", a != 0);
	check_int("the same again", cell_link(pool, S("https://a.example/x"), NULL), a);
	check_true("another by its id", cell_link(pool, S("https://a.example/x"), "2") != a);
	check_vstr("back", cell_link_url(pool, a), S("https://a.example/x"));
	uint16_t bad = cell_link(pool, S("http://x/\033\\ é"), NULL);

	check_vstr("nothing can end the escape", cell_link_url(pool, bad),
		S("http://x/%1B\\%20%C3%A9"));
	check_int("empty", cell_link(pool, S(""), NULL), 0);
	check_vstr("none", cell_link_url(pool, 0), S(""));
	char longer[4000];

	memset(longer, 'a', sizeof(longer));
	check_int("too long", cell_link(pool, vy_str_n(longer, sizeof(longer)), NULL), 0);
}

/* Random drawing: no verb leaves half a glyph, none writes outside of its window. */
static void never_half(void **state)
{
	(void)state;
	static const char *const texts[] = { "a", "中", "ab中c", "e\u0301", "👩‍💻", "\033",
		"日本語" };
	unsigned seed = 1;
	struct cell_grid g, other;

	cell_grid_init(&g, pool, 12, 4);
	cell_grid_init(&other, pool, 9, 3);
	cell_puts(cell_win_all(&other), 0, 0, "中a文b日", (struct cell_style){ 0 });
	cell_puts(cell_win_all(&other), 1, 1, "中文日本", (struct cell_style){ 0 });
	for (int i = 0; i < 20000; i++) {
		int r[6];

		for (size_t k = 0; k < VY_COUNT(r); k++) {
			seed = seed * 1103515245u + 12345u;
			r[k] = (int)(seed >> 16 & 0x7fff);
		}
		struct cell_win w = cell_win_sub(cell_win_all(&g),
			(struct cell_rect){ r[0] % 14 - 2, r[1] % 6 - 1, r[2] % 12, r[3] % 5 });
		struct cell_rect any = { r[3] % 9 - 3, r[4] % 5 - 2, r[5] % 9, r[2] % 5 };
		struct cell_style s = { .attrs = (uint8_t)(r[4] % 3),
			.bg = r[1] % 2 ? CELL_INDEX(r[0]) : 0 };

		switch (r[5] % 5) {
		case 0: cell_fill(w, any, s); break;
		case 1: cell_tint(w, any, s); break;
		case 2: cell_blit(w, any.x, any.y, &other, any); break;
		case 3: cell_box(w, any, s); break;
		default: cell_puts(w, any.x, any.y, texts[r[4] % (int)VY_COUNT(texts)], s);
		}
		check_whole("random drawing", &g);
	}
	cell_grid_fini(&g);
	cell_grid_fini(&other);
}

static void dumps(void **state)
{
	(void)state;
	struct screen *s = screen_dump_open(12, 3);
	struct cell_grid g;
	struct cell_win w;

	cell_grid_init(&g, pool, 12, 3);
	w = cell_win_all(&g);
	cell_puts(w, 0, 0, "● Edit 中", theme_ink(THEME_OK));
	cell_puts(w, 2, 0, "Edit", theme_bold(THEME_TOOL));
	cell_puts(w, 1, 1, "+x", theme_on(THEME_CODE_STRING, THEME_DIFF_ADD));
	struct cell_style link = { .fg = CELL_RGB(0x102030),
		.link = cell_link(pool, S("http://x"), NULL) };

	cell_puts(w, 3, 1, "l", link);
	check_int("present",
		screen_present(
			s, &g, (struct screen_cursor){ .x = 2, .y = 1, .visible = true }, NULL),
		0);
	check_vstr("dump", screen_dump_text(s),
		S("size 12x3 cursor 2,1\n"
		  "|● Edit 中\n"
		  ":aabbbbaaa\n"
		  "| +xl\n"
		  ":.ccd\n"
		  "|\n"
		  "a = OK\n"
		  "b = TOOL bold\n"
		  "c = CODE_STRING on DIFF_ADD\n"
		  "d = #102030 link http://x\n"));
	screen_close(s);
	cell_grid_fini(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = { CHECK_TEST(puts_text), CHECK_TEST(covers_halves),
		CHECK_TEST(keeps_grounds), CHECK_TEST(boxes_and_right), CHECK_TEST(blits),
		CHECK_TEST(diffs), CHECK_TEST(links), CHECK_TEST(never_half), CHECK_TEST(dumps) };

	return cmocka_run_group_tests(tests, setup, teardown);
}

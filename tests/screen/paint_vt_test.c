/* paint_vt_test.c -- the painter's frames, read by the emulator, show the grid: for any two grids, at
 * any depth, whatever terminals make of the glyphs they disagree about. */
#include "tests/check.h"

#include "shared/text/utf8.h"
#include "shared/vt/vt.h"
#include "tui/ink/cell_rows.h"
#include "tui/ink/paint.h"
#include "shared/base/ban.h"

static unsigned seed = 1;

static int dice(int n)
{
	seed = seed * 1103515245u + 12345u;
	return (int)(seed >> 16 & 0x7fff) % n;
}

/* Is it a glyph whose width all terminals agree upon? */
static bool is_agreed(struct vy_str text)
{
	uint32_t cp;

	return vy_utf8_get(text, 0, &cp) == text.n && !(cp >= 0x2000 && vy_cp_is_pictograph(cp)) &&
	       !(cp >= 0x1f000);
}

static void check_cell(
	const struct cell_grid *g, const struct vy_grid *vg, struct theme t, int x, int y)
{
	const struct cell *c = cell_at(g, x, y);
	const struct vy_vt_cell *v = vy_grid_cell(vg, x, y);
	struct theme_pen pen = theme_pen_of(t, c->fg, c->bg, c->attrs);
	char text[VY_GRID_TEXT_MAX], name[64];
	bool is_blank = c->text[0] == '\0';

	snprintf(name, sizeof(name), "cell %d,%d", x, y);
	if (c->width == 2 && !is_agreed(cell_text(g, c))) { /* its right half is its own or blank */
		struct vy_str whole = cell_text(g, c), half;

		v = vy_grid_cell(vg, x + 1, y);
		half = vy_str_n(text, v->width && v->ch ? vy_grid_text(vg, v, text) : 0);
		check_true(name, half.n == 0 || memmem(whole.p, whole.n, half.p, half.n));
	}
	if (c->width == 0 || !is_agreed(cell_text(g, c))) {
		return;
	}
	check_vstr(name, vy_str_n(text, vy_grid_text(vg, v, text)), cell_text(g, c));
	check_int(name, v->width, c->width);
	check_int(name, v->bg, pen.bg);
	if (!is_blank) { /* a blank's own colour cannot be seen */
		check_int(name, v->fg, pen.fg);
		check_int(name, v->attrs, pen.attrs);
		check_vstr(name, vy_grid_link_url(vg, v->link), cell_link_url(g->pool, c->link));
	} else {
		int seen = CELL_UNDERLINE | CELL_REVERSE | CELL_STRIKE;

		check_int(name, v->attrs & seen, pen.attrs & seen);
	}
}

static void check_same(
	const struct cell_grid *g, const struct vy_vt *vt, struct theme t, struct screen_cursor c)
{
	int x, y;

	for (y = 0; y < g->rows; y++) {
		for (x = 0; x < g->cols; x++) {
			check_cell(g, vy_vt_grid(vt), t, x, y);
		}
	}
	vy_vt_cursor(vt, &x, &y);
	check_int("cursor's column", x, c.x);
	check_int("cursor's row", y, c.y);
	check_int("cursor", vy_vt_modes(vt).cursor_visible, c.visible);
}

static struct cell_style any_style(struct cell_pool *pool)
{
	static const uint32_t colors[] = { 0, 0, CELL_ROLE(THEME_OK), CELL_ROLE(THEME_DIFF_ADD),
		CELL_ROLE(THEME_SELECT), CELL_RGB(0x123456), CELL_INDEX(3), CELL_INDEX(200),
		CELL_BARE };
	struct cell_style s = {
		.fg = colors[dice(8)], .bg = colors[dice(9)], .attrs = (uint8_t)dice(64)
	};

	if (dice(3)) {
		s.attrs = 0;
	}
	if (!dice(8)) {
		s.link = cell_link(pool, VY_STR_LIT("https://x.example/"), dice(2) ? "a" : NULL);
	}
	return s;
}

static void change(struct cell_grid *g)
{
	static const char *const texts[] = { "a", "hello world", "中", "日本語", "e\u0301",
		"👩‍💻", "👨‍👩‍👧‍👦", "☺️", "🚧", "🇩🇪", "⏱️x", "─╮",
		"    ", "abc👍🏽def", "한" };
	struct cell_win w = cell_win_all(g);

	switch (dice(12)) {
	case 0: cell_grid_clear(g); return;
	case 1:
		cell_fill(w, (struct cell_rect){ dice(g->cols), dice(g->rows), dice(20), dice(4) },
			any_style(g->pool));
		return;
	case 2: { /* scroll a block */
		struct cell_grid copy;
		int top = dice(3), by = 1 + dice(3);

		cell_grid_init(&copy, g->pool, g->cols, g->rows);
		cell_grid_copy(&copy, g);
		cell_blit(w, 0, dice(2) ? top : top + by, &copy,
			(struct cell_rect){ 0, top + by, g->cols, g->rows - top - by - 2 });
		cell_grid_fini(&copy);
		return;
	}
	default: break;
	}
	cell_puts(w, dice(g->cols + 6) - 6, dice(g->rows), texts[dice(VY_COUNT(texts))],
		any_style(g->pool));
}

/* What stands beside it, where the grid is split: a list that seldom changes. */
static void draw_beside(struct cell_grid *g, const uint64_t numbers[32])
{
	struct cell_win w =
		cell_win_sub(cell_win_all(g), (struct cell_rect){ 0, 0, g->split, g->rows });

	for (int y = 0; y < g->rows - 1 && g->split; y++) {
		if (dice(20) && !cell_row_keep(w, y, numbers[y])) {
			cell_fill(w, (struct cell_rect){ 0, y, w.w, 1 },
				theme_on(THEME_LIST, THEME_LIST));
			cell_puts(w, 0, y, y < 4 ? "名 of it" : "", theme_ink(THEME_DIM));
			cell_row_is(w, y, numbers[y]);
		}
	}
}

/* Drawings with numbers, from the `top`-th on, as a transcript that scrolls; some drawn over. */
static void draw_frame(struct cell_grid *g, const uint64_t numbers[32])
{
	struct cell_win w;
	int top = dice(16);

	cell_frame_begin(g);
	if (dice(20) == 0) {
		cell_grid_split(g, dice(2) ? g->cols / 3 : 0);
	}
	draw_beside(g, numbers);
	w = cell_win_sub(
		cell_win_all(g), (struct cell_rect){ g->split, 0, g->cols - g->split, g->rows });
	for (int y = 0; y < g->rows - 1; y++) {
		int i = (top + y) % 32;
		char text[40];

		if (dice(12) == 0) {
			continue; /* nothing here */
		}
		if (!cell_row_keep(w, y, numbers[i])) {
			snprintf(text, sizeof(text), "%d 中文 of a drawing", i);
			cell_puts(w, i % 3, y, text, theme_ink(i % 2 ? THEME_TEXT : THEME_OK));
			cell_row_is(w, y, numbers[i]);
		}
		if (dice(12) == 0) {
			cell_puts(w, dice(w.w), y, "new", theme_bold(THEME_SELECT));
		}
	}
	cell_puts(cell_win_all(g), 0, g->rows - 1, "always", theme_ink(THEME_DIM));
	cell_frame_end(g);
}

static void any_two_grids(void **state)
{
	(void)state;
	static const int sizes[][2] = { { 20, 6 }, { 41, 12 }, { 3, 2 } };
	struct cell_pool *pool = cell_pool_new((struct vy_width){ 0 });

	for (int i = 0; i < 24; i++) { /* every other one is watched */
		int cols = sizes[i % 3][0], rows = sizes[i % 3][1];
		struct theme t = { (enum theme_look)(i % 2 * 2), (enum theme_depth)(i / 2 % 4) };
		struct paint_caps caps = { .no_bce = i % 5 == 0, .no_scroll = i % 7 == 0 };
		struct vy_vt *vt = vy_vt_new(cols, rows, 0, NULL);
		struct cell_grid g;
		struct paint p;
		uint64_t numbers[32];
		VY_AUTO_BUF out = VY_BUF_INIT(1 << 22);

		paint_init(&p, caps);
		p.theme = t;
		cell_grid_init(&g, pool, cols, rows);
		if (i % 2) {
			cell_grid_watch(&g);
		}
		for (int k = 0; k < 32; k++) {
			numbers[k] = cell_number(pool);
		}
		for (int frame = 0; frame < 300; frame++) {
			struct screen_cursor c = {
				.x = dice(cols), .y = dice(rows), .visible = dice(4)
			};

			for (int k = dice(5); k >= 0; k--) {
				change(&g);
			}
			if (dice(2)) {
				draw_frame(&g, numbers);
			}
			if (!dice(50)) {
				paint_forget(&p);
			}
			vy_buf_clear(&out);
			paint_frame(&p, &g, c, &out);
			vy_vt_feed(vt, vy_buf_str(&out));
			check_same(&g, vt, t, c);
			check_true("no frame is left open", !vy_vt_modes(vt).sync);
		}
		paint_fini(&p);
		cell_grid_fini(&g);
		vy_vt_free(vt);
	}
	cell_pool_free(pool);
}

/* A line more in a chat costs about a line, not a screen. */
static void a_line_costs_a_line(void **state)
{
	(void)state;
	struct cell_pool *pool = cell_pool_new((struct vy_width){ 0 });
	struct screen_cursor c = { .x = 2, .y = 48, .visible = true };
	struct paint p;
	struct cell_grid g;
	VY_AUTO_BUF out = VY_BUF_INIT(1 << 22);
	size_t first = 0;

	paint_init(&p, (struct paint_caps){ 0 });
	cell_grid_init(&g, pool, 200, 50);
	for (int top = 0; top < 10; top++) {
		cell_grid_clear(&g);
		cell_puts(cell_win_all(&g), 1, 0, "status", theme_bold(THEME_TITLE));
		for (int y = 1; y < 48; y++) {
			char line[160];

			snprintf(line, sizeof(line),
				"%d the agent reads a file and runs all tests again", top + y);
			cell_puts(cell_win_all(&g), 2, y, line,
				theme_ink((top + y) % 2 ? THEME_TEXT : THEME_OK));
		}
		vy_buf_clear(&out);
		paint_frame(&p, &g, c, &out);
		first = top == 0 ? out.len : first;
		check_true("one line", top == 0 || out.len < 200);
	}
	check_true("the first is a screen", first > 2000);
	paint_fini(&p);
	cell_grid_fini(&g);
	cell_pool_free(pool);
}

CHECK_MAIN(CHECK_TEST(any_two_grids), CHECK_TEST(a_line_costs_a_line))

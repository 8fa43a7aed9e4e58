/* cell_rows_test.c -- rows that are as they were: kept, brought, drawn again. (That a whole screen
 * comes out the same is tests/tui/app/paint_test.c.) */
#include "tests/check.h"

#include "tui/ink/cell_rows.h"
#include "tui/ink/theme.h"
#include "shared/base/ban.h"

#define ROWS 4

struct world {
	struct cell_pool *pool;
	struct cell_grid g, whole; /* watched, and not */
	uint64_t a, b;             /* numbers of two drawings */
};

static void world_init(struct world *w)
{
	w->pool = cell_pool_new((struct vy_width){ 0 });
	cell_grid_init(&w->g, w->pool, 5, ROWS);
	cell_grid_init(&w->whole, w->pool, 5, ROWS);
	cell_grid_watch(&w->g);
	w->a = cell_number(w->pool);
	w->b = cell_number(w->pool);
}

static void world_fini(struct world *w)
{
	cell_grid_fini(&w->g);
	cell_grid_fini(&w->whole);
	cell_pool_free(w->pool);
}

/* One letter a row: "a" and "b" have numbers, "." has none, "-" is nothing. In `out` a row that was
 * not drawn, since it stood there, is "!". */
static void draw(const struct world *w, struct cell_grid *g, const char *rows, char out[ROWS + 1])
{
	struct cell_win all = cell_win_all(g);

	memset(out, 0, ROWS + 1);
	cell_frame_begin(g);
	for (int y = 0; y < ROWS; y++) {
		bool has_number = rows[y] == 'a' || rows[y] == 'b';
		uint64_t number = rows[y] == 'a' ? w->a : w->b;
		char text[] = { rows[y], '\0' };

		out[y] = has_number && cell_row_keep(all, y, number) ? '!' : rows[y];
		if (rows[y] != '-' && out[y] != '!') {
			cell_puts(all, 0, y, text, (struct cell_style){ 0 });
		}
		if (has_number && out[y] != '!') {
			cell_row_is(all, y, number);
		}
	}
	cell_frame_end(g);
}

static void kept(void **state)
{
	static const struct {
		const char *name, *rows, *drawn;
	} frames[] = {
		{ "all is drawn once", "ab.-", "ab.-" },
		{ "then kept, but what has no number", "ab.-", "!!.-" },
		{ "a row that moved is brought; the one it covers was not", "-ab-", "-!b-" },
		{ "upwards all are", "ab.-", "!!.-" },
		{ "twice, too", "bbb-", "!!!-" },
		{ "what nobody draws is blank", "----", "----" },
		{ "and nowhere any more", "-a-b", "-a-b" },
		{ "drawn over is not the same", "-.-b", "-.-!" },
		{ "it is drawn again", "-a-b", "-a-!" },
	};
	struct world w;
	char drawn[ROWS + 1];

	(void)state;
	world_init(&w);
	for (size_t i = 0; i < VY_COUNT(frames); i++) {
		draw(&w, &w.whole, frames[i].rows, drawn);
		check_str("a grid that is not watched keeps nothing", drawn, frames[i].rows);
		draw(&w, &w.g, frames[i].rows, drawn);
		check_str(frames[i].name, drawn, frames[i].drawn);
		for (int y = 0; y < ROWS; y++) {
			int x0, x1;

			check_true(frames[i].name, !cell_diff_row(&w.g, &w.whole, y, &x0, &x1));
		}
	}
	world_fini(&w);
}

/* Each of these leaves a row that does not look as its drawing did. */
static void changed(void **state)
{
	static const char *const names[] = { "put", "fill", "tint", "tab", "line", "blit",
		"clear" };
	struct world w;
	char drawn[ROWS + 1];

	(void)state;
	world_init(&w);
	draw(&w, &w.whole, "....", drawn);
	for (size_t i = 0; i < VY_COUNT(names); i++) {
		struct cell_rect r = { 0, 1, 1, 1 };
		struct cell_win all = cell_win_all(&w.g);

		draw(&w, &w.g, "-a--", drawn);
		check_true(names[i], cell_row_number(&w.g, 1) == w.a);
		switch (i) {
		case 0: cell_puts(all, 0, 1, "x", theme_ink(THEME_OK)); break;
		case 1: cell_fill(all, r, theme_ink(THEME_OK)); break;
		case 2: cell_tint(all, r, theme_ink(THEME_OK)); break;
		case 3: cell_put_tab(all, 0, 1, 2, theme_ink(THEME_OK)); break;
		case 4: cell_hline(all, 0, 1, 3, "-", theme_ink(THEME_OK)); break;
		case 5: cell_blit(all, 0, 1, &w.whole, r); break;
		default: cell_grid_clear(&w.g); break;
		}
		check_true(names[i], cell_row_number(&w.g, 1) != w.a);
		check_true(names[i], !cell_row_keep(all, 1, w.a));
	}
	world_fini(&w);
}

static void whole_rows_only(void **state)
{
	struct world w;
	char drawn[ROWS + 1];

	(void)state;
	world_init(&w);
	struct cell_win narrow =
		cell_win_sub(cell_win_all(&w.g), (struct cell_rect){ 1, 0, 3, ROWS });

	check_true("a part of a row", !cell_row_keep(narrow, 0, w.a));
	cell_row_is(narrow, 0, w.a);
	check_true("is never the row", !cell_row_keep(narrow, 0, w.a));
	draw(&w, &w.g, "a---", drawn);
	cell_puts(cell_win_all(&w.g), 0, 2, "under", (struct cell_style){ 0 });
	check_true("and what is below a drawing", cell_row_keep(cell_win_all(&w.g), 2, w.a));
	check_vstr("is gone", cell_text(&w.g, cell_at(&w.g, 1, 2)), VY_STR_LIT(" "));
	cell_grid_resize(&w.g, 6, ROWS);
	check_true("another size", !cell_row_keep(cell_win_all(&w.g), 0, w.a));
	world_fini(&w);
}

static void two_grids(void **state)
{
	struct world w;
	struct cell_grid other;
	char drawn[ROWS + 1];

	(void)state;
	world_init(&w);
	cell_grid_init(&other, w.pool, 5, ROWS);
	cell_grid_watch(&other);
	draw(&w, &w.g, "ab..", drawn);
	check_true("blank is not a", !cell_row_same(&w.g, 0, &other, 0));
	check_true("dots look alike", cell_row_same(&w.g, 2, &w.g, 3));
	check_true(
		"with numbers of their own", cell_row_number(&w.g, 2) != cell_row_number(&w.g, 3));
	cell_row_known(&w.g, 2, &w.g, 3);
	check_true("until it is known", cell_row_number(&w.g, 2) == cell_row_number(&w.g, 3));
	cell_grid_copy(&other, &w.g);
	for (int y = 0; y < ROWS; y++) {
		check_true(
			"a copy has them", cell_row_number(&other, y) == cell_row_number(&w.g, y));
		check_true("and looks so", cell_row_same(&w.g, y, &other, y));
	}
	cell_grid_copy(&other, &w.whole);
	check_true("of one without, none is known",
		cell_row_number(&other, 0) != cell_row_number(&w.g, 0));
	cell_grid_fini(&other);
	world_fini(&w);
}

/* The right side changes, the left one does not, and the other way round. */
static void sides(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	cell_grid_split(&w.g, 2);
	struct cell_win all = cell_win_all(&w.g),
			left = cell_win_sub(all, (struct cell_rect){ 0, 0, 2, ROWS }),
			right = cell_win_sub(all, (struct cell_rect){ 2, 0, 3, ROWS });

	cell_frame_begin(&w.g);
	check_true("new on the left", !cell_row_keep(left, 1, w.a));
	cell_puts(left, 0, 1, "l", (struct cell_style){ 0 });
	cell_row_is(left, 1, w.a);
	check_true("new on the right", !cell_row_keep(right, 1, w.b));
	cell_puts(right, 0, 1, "r", (struct cell_style){ 0 });
	cell_row_is(right, 1, w.b);
	check_true("a whole row is no side", !cell_row_keep(all, 0, w.a));
	cell_frame_end(&w.g);

	cell_frame_begin(&w.g);
	check_true("kept on the left", cell_row_keep(left, 1, w.a));
	check_true("brought on the right", cell_row_keep(right, 2, w.b));
	cell_frame_end(&w.g);
	check_vstr("the left stays", cell_text(&w.g, cell_at(&w.g, 0, 1)), VY_STR_LIT("l"));
	check_vstr("the right went", cell_text(&w.g, cell_at(&w.g, 2, 1)), VY_STR_LIT(" "));
	check_vstr("alone", cell_text(&w.g, cell_at(&w.g, 0, 2)), VY_STR_LIT(" "));
	check_vstr("to the row below", cell_text(&w.g, cell_at(&w.g, 2, 2)), VY_STR_LIT("r"));

	cell_frame_begin(&w.g);
	cell_puts(right, 1, 1, "x", (struct cell_style){ 0 });
	check_true("drawn on the right, kept on the left", cell_row_keep(left, 1, w.a));
	cell_puts(all, 0, 2, "whole", (struct cell_style){ 0 });
	check_true("drawn on both", !cell_row_keep(right, 2, w.b));
	cell_frame_end(&w.g);

	cell_grid_split(&w.g, 3);
	left = cell_win_sub(all, (struct cell_rect){ 0, 0, 3, ROWS });
	cell_frame_begin(&w.g);
	check_true("split elsewhere, nothing is kept", !cell_row_keep(left, 1, w.a));
	cell_frame_end(&w.g);
	check_vstr("nor what stood there", cell_text(&w.g, cell_at(&w.g, 0, 1)), VY_STR_LIT(" "));
	check_vstr("on either side", cell_text(&w.g, cell_at(&w.g, 3, 1)), VY_STR_LIT(" "));
	world_fini(&w);
}

CHECK_MAIN(CHECK_TEST(kept), CHECK_TEST(sides), CHECK_TEST(changed), CHECK_TEST(whole_rows_only),
	CHECK_TEST(two_grids))

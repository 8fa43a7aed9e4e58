/* transcript_slide.c -- code that is not wrapped, sideways (transcript_core.h, block/slide.h). */
#include "tui/block/slide.h"
#include "tui/ink/theme.h"
#include "tui/view/transcript_core.h"
#include "tui/view/turn.h"
#include "shared/base/ban.h"

#define EDGE 4 /* cells, for each move of the mouse at the edge of code that is cut */

/* How far block `slide` of the row has slid: no farther than it can. */
static int shift_of(const struct transcript *t, const struct vy_fold *f, size_t row,
	const struct block_sheet *s, int slide)
{
	int shift = slides_get(&t->slides, vy_fold_row(f, row)->key, slide);
	int most = shift > 0 ? slide_most(s, slide) : 0;

	return shift < most ? shift : most;
}

static int shift_at(const struct transcript *t, const struct vy_fold *f, size_t row,
	const struct block_sheet *s, int line)
{
	int slide = t->slides.n && s->n_slides ? slide_of(s, line) : -1;

	return slide >= 0 ? shift_of(t, f, row, s, slide) : 0;
}

static void slide_to(struct transcript *t, const struct vy_fold *f, size_t row,
	const struct block_sheet *s, int slide, int shift)
{
	int most = slide_most(s, slide);

	shift = shift < most ? shift : most;
	slides_set(&t->slides, vy_fold_row(f, row)->key, slide, shift);
}

/* ---- drawing ---- */

bool transcript_is_slid(const struct transcript *t, const struct vy_fold *f, size_t row,
	struct block_sheet *s, int line, bool is_browsing)
{
	int at;

	if (s->n_slides == 0) {
		return false;
	}
	bool is_long = slide_whole(s, line, &at) != &s->grid;

	return shift_at(t, f, row, s, line) > 0 ||
	       (is_long && (is_browsing || (!t->is_straight && turn_is(s, line))));
}

void transcript_put_slid(struct transcript *t, const struct vy_fold *f, struct cell_win w, int y,
	size_t row, int line, bool is_browsing)
{
	struct block_sheet *s = transcript_sheet(t, f, row);
	struct cell_grid paper;
	int at;
	const struct cell_grid *whole = slide_whole(s, line, &at);

	cell_grid_init(&paper, t->pool, whole->cols + 1, 1); /* and a cursor behind its end */
	struct cell_win all = cell_win_all(&paper);

	cell_blit(all, 0, 0, whole, (struct cell_rect){ 0, at, whole->cols, 1 });
	if (is_browsing) {
		bool is_chosen = t->selected && vy_str_is(vy_fold_row(f, row)->key, t->selected);

		if (is_chosen && line == 0 && t->span != TRANSCRIPT_CHARS) {
			cell_tint(all, (struct cell_rect){ 0, 0, paper.cols, 1 },
				(struct cell_style){ .bg = CELL_ROLE(THEME_SELECT) });
		}
		transcript_overlay(t, f, all, row, (struct cell_rect){ 0, 0, paper.cols, 1 }, line);
	}
	if (!t->is_straight) {
		turn_line(all, 0, s, line);
	}
	slide_put(w, y, s, line, shift_at(t, f, row, s, line), &paper);
	cell_grid_fini(&paper);
}

/* ---- places ---- */

int transcript_column(struct transcript *t, const struct vy_fold *f, size_t row, int line, int x)
{
	const struct block_sheet *s = transcript_sheet(t, f, row);
	int shift = shift_at(t, f, row, s, line);

	return shift > 0 && x >= slide_zone_of(s, line).x ? x + shift : x;
}

void transcript_show_column(
	struct transcript *t, const struct vy_fold *f, size_t row, int line, int x, int cells)
{
	const struct block_sheet *s = transcript_sheet(t, f, row);
	int slide = slide_of(s, line);

	if (slide < 0) {
		return;
	}
	struct slide_zone z = slide_zone_of(s, line);
	int at = x - z.x, shift = shift_of(t, f, row, s, slide), edge = z.cells / 4;

	if (at - shift < (shift > 0) ||
		at + cells - shift > z.cells - 1) { /* the marks hide a cell */
		bool is_right = at > shift;

		shift = is_right ? at + cells - z.cells + edge : at - edge;
		slide_to(t, f, row, s, slide, shift);
	}
}

/* ---- by a person ---- */

/* Block `slide` by so many cells; false: it has nothing to slide. */
static bool slide_by(
	struct transcript *t, const struct vy_fold *f, size_t row, int slide, int cells)
{
	const struct block_sheet *s = transcript_sheet(t, f, row);

	if (slide < 0 || slide_most(s, slide) == 0) {
		return false;
	}
	if (cells) {
		slide_to(t, f, row, s, slide, shift_of(t, f, row, s, slide) + cells);
	}
	return true;
}

/* None of the row is in sight: what there is to slide is shown first. */
static bool show_first(struct transcript *t, const struct vy_fold *f, size_t row, bool moves)
{
	const struct block_sheet *s = transcript_sheet(t, f, row);

	for (size_t i = 0; i < s->n_slides; i++) {
		if (slide_most(s, (int)i) > 0) {
			if (moves) {
				transcript_show_line(t, f, row, s->slides[i].first);
			}
			return true;
		}
	}
	return false;
}

bool transcript_slide(struct transcript *t, const struct vy_fold *f, int direction)
{
	bool any = false;
	size_t row, at;
	int line, last = -1;

	if (!transcript_index(f, t->selected, &row)) {
		return false;
	}
	for (int y = 0; y < t->rows; y++) {
		if (!transcript_spot(t, f, y, &at, &line) || at != row || line < 0) {
			continue;
		}
		const struct block_sheet *s = transcript_sheet(t, f, row);
		int slide = slide_of(s, line);

		if (slide >= 0 && slide != last) {
			int room = slide_zone_of(s, line).cells;

			any |= slide_by(t, f, row, slide, direction * (room > 3 ? room / 2 : 1));
			last = slide;
		}
	}
	return any || show_first(t, f, row, direction != 0);
}

bool transcript_slide_at(struct transcript *t, const struct vy_fold *f, int y, int cells)
{
	size_t row;
	int line;

	if (!transcript_spot(t, f, y, &row, &line) || line < 0) {
		return false;
	}
	return slide_by(t, f, row, slide_of(transcript_sheet(t, f, row), line), cells);
}

void transcript_slide_edge(struct transcript *t, const struct vy_fold *f, int x, int y)
{
	size_t row;
	int line;

	if (!transcript_spot(t, f, y, &row, &line)) {
		return;
	}
	const struct block_sheet *s = transcript_sheet(t, f, row);
	int slide = slide_of(s, line);
	struct slide_zone z = slide_zone_of(s, line);

	if (slide >= 0 && (x <= z.x || x >= z.x + z.cells - 1)) {
		slide_by(t, f, row, slide, x <= z.x ? -EDGE : EDGE);
	}
}

/* grid_flow.c -- a new size for the main screen: lines are laid out anew, nothing is lost.
 *
 * The old rows (ring first, then the screen down to its last used row) are read as lines: a row and
 * those that continue it. Each line is cut into rows of the new width, never inside of a glyph. A
 * place on the screen (the cursor) is remembered as cells from the start of its line. In the end the
 * new screen is a window over the new rows: it keeps its top row, unless what it showed reached its
 * last row (then it keeps its bottom, and gets rows back from the ring) or does not fit any more. */
#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "shared/vt/grid_rows.h"
#include "shared/base/ban.h"

struct flow {
	struct vy_grid *g;
	int cols;
	struct vy_vt_row *out; /* the new rows, each with its own cells */
	size_t n, cap;
	size_t cursor_row; /* of out */
	int cursor_col;
	size_t top_row; /* of out: where the old screen began */
};

/* Old row i, counted from the oldest of the ring. */
static const struct vy_vt_row *old_row(const struct vy_grid *g, size_t i)
{
	return i < g->ring.n ? grid_ring_at(&g->ring, i) : &g->main[i - g->ring.n];
}

static struct vy_vt_row *add_row(struct flow *f, bool continues)
{
	f->out = vy_grow(f->out, &f->cap, f->n + 1, sizeof(*f->out));
	f->out[f->n] = grid_row_new(f->cols);
	f->out[f->n].continues = continues;
	return &f->out[f->n++];
}

/* A line as one long row of cells. */
struct line {
	struct vy_vt_cell *cells;
	size_t n, cap;
};

static void line_add(struct line *l, const struct vy_vt_row *r, int n)
{
	l->cells = vy_grow(l->cells, &l->cap, l->n + (size_t)n + 1, sizeof(*l->cells));
	if (n > 0) {
		memcpy(l->cells + l->n, r->cells, (size_t)n * sizeof(*l->cells));
	}
	l->n += (size_t)n;
}

/* Lays a line out; marks are cells of the line whose new place is wanted, (size_t)-1 for none. */
static void lay(struct flow *f, const struct line *l, size_t cursor_at, size_t top_at)
{
	size_t at = 0;
	bool is_first = true;

	do {
		struct vy_vt_row *r = add_row(f, !is_first);
		size_t start = at;

		is_first = false;
		while (at < l->n) {
			struct vy_vt_cell c = l->cells[at];
			int width = c.width == 2 ? 2 : 1;

			if (width > f->cols) { /* no room in any row */
				at += 2;
				r->cells[r->n++] = grid_blank;
				break;
			}
			if (r->n + width > f->cols) {
				break;
			}
			memcpy(&r->cells[r->n], &l->cells[at], (size_t)width * sizeof(c));
			r->n += width;
			at += (size_t)width;
		}
		bool is_last = at >= l->n;

		if (top_at != (size_t)-1 && top_at >= start && (top_at < at || is_last)) {
			f->top_row = f->n - 1;
			top_at = (size_t)-1;
		}
		if (cursor_at != (size_t)-1 && cursor_at >= start && (cursor_at < at || is_last)) {
			f->cursor_row = f->n - 1;
			f->cursor_col = cursor_at - start < (size_t)f->cols
						? (int)(cursor_at - start)
						: f->cols - 1;
			cursor_at = (size_t)-1;
		}
	} while (at < l->n);
}

/* Rows there are down to the last used one, the cursor's included. */
static size_t used_rows(const struct vy_grid *g, int cursor_y)
{
	int last = g->rows - 1;

	while (last > cursor_y && grid_row_used(&g->main[last]) == 0 && !g->main[last].continues) {
		last--;
	}
	return g->ring.n + (size_t)last + 1;
}

static void flow_lines(struct flow *f, size_t used, size_t cursor_i, int cursor_x)
{
	struct line l = { 0 };

	for (size_t i = 0; i < used;) {
		size_t cursor_at = (size_t)-1, top_at = (size_t)-1;

		l.n = 0;
		do {
			const struct vy_vt_row *r = old_row(f->g, i);
			bool wraps = i + 1 < used && old_row(f->g, i + 1)->continues;

			cursor_at = i == cursor_i ? l.n + (size_t)cursor_x : cursor_at;
			top_at = i == f->g->ring.n ? l.n : top_at;
			line_add(&l, r, wraps ? r->n : grid_row_used(r));
			i++;
			if (!wraps) {
				break;
			}
		} while (i < used);
		lay(f, &l, cursor_at, top_at);
	}
	free(l.cells);
}

/* Which of the new rows is the screen's first. */
static size_t window_top(const struct flow *f, int rows, bool was_full)
{
	size_t need = (size_t)rows, fits = f->n > need ? f->n - need : 0;

	return was_full || f->top_row < fits ? fits : f->top_row;
}

void grid_flow(struct vy_grid *g, int cols, int rows, int *x, int *y)
{
	struct flow f = { .g = g, .cols = cols };
	size_t used = used_rows(g, *y), old_ring = g->ring.n;
	bool was_full = used == g->ring.n + (size_t)g->rows;

	flow_lines(&f, used, g->ring.n + (size_t)*y, *x);
	vy_assert(f.out != NULL); /* the cursor's row at least */
	size_t top = window_top(&f, rows, was_full);

	grid_rows_free(g->main, g->rows);
	grid_ring_clear(&g->ring);
	for (size_t i = 0; i < top; i++) {
		grid_ring_push(&g->ring, &f.out[i]);
		free(f.out[i].cells);
	}
	g->scrolled += top > old_ring ? top - old_ring : 0;
	g->main = vy_calloc((size_t)rows, sizeof(*g->main));
	for (int i = 0; i < rows; i++) {
		g->main[i] = top + (size_t)i < f.n ? f.out[top + (size_t)i] : grid_row_new(cols);
	}
	for (size_t i = top + (size_t)rows; i < f.n; i++) {
		free(f.out[i].cells);
	}
	free(f.out);
	*y = f.cursor_row < top ? 0 : (int)(f.cursor_row - top); /* text below it is kept, too */
	*x = f.cursor_col;
}

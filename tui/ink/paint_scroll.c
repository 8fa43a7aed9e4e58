/* paint_scroll.c -- see paint_scroll.h.
 *
 * Each row gets a number (a hash of its cells); for each distance the longest run of rows that
 * match at that distance is looked for. A row counts if moving it saves painting it: it differs
 * from what is there and is not blank. Numbers that collide are found out by comparing cells. */
#include "tui/ink/paint_scroll.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define LEAST_SAVED 4

struct row {
	uint64_t hash;
	bool blank;
};

static const struct cell *cells_of(const struct cell_grid *g, int y)
{
	return &g->cells[(size_t)y * (size_t)g->cols];
}

static struct row row_of(const struct cell_grid *g, int y)
{
	const struct cell *c = cells_of(g, y);
	struct row r = { .hash = 1469598103934665603u, .blank = true };

	for (int x = 0; x < g->cols; x++) {
		uint64_t text;

		memcpy(&text, c[x].text, sizeof(text));
		r.blank = r.blank && text == 0;
		r.hash = (r.hash ^ text) * 1099511628211u;
		r.hash = (r.hash ^ c[x].fg ^ (uint64_t)c[x].bg << 32) * 1099511628211u;
		r.hash = (r.hash ^ c[x].attrs ^ (uint64_t)c[x].link << 8 ^
				 (uint64_t)c[x].width << 32) *
			 1099511628211u;
	}
	return r;
}

static bool equal(const struct cell_grid *a, int ya, const struct cell_grid *b, int yb)
{
	return memcmp(cells_of(a, ya), cells_of(b, yb), (size_t)a->cols * sizeof(struct cell)) == 0;
}

/* The best run at one distance; its saved rows are returned. */
static int best_at(
	const struct row *old, const struct row *new, int rows, int by, struct paint_move *m)
{
	int best = 0, saved = 0, start = 0;

	for (int y = 0; y <= rows; y++) {
		bool match =
			y < rows && y + by >= 0 && y + by < rows && new[y].hash == old[y + by].hash;

		if (!match) {
			if (saved > best) {
				best = saved;
				*m = (struct paint_move){ start, y - start, by };
			}
			start = y + 1;
			saved = 0;
		} else if (new[y].hash != old[y].hash && !new[y].blank) {
			saved++;
		}
	}
	return best;
}

int paint_scroll_differs(const struct cell_grid *old, const struct cell_grid *new, bool *differs)
{
	int changed = 0;

	for (int y = 0; y < new->rows; y++) {
		differs[y] = !equal(old, y, new, y);
		changed += differs[y];
	}
	return changed;
}

bool paint_scroll_find(
	const struct cell_grid *old, const struct cell_grid *new, int changed, struct paint_move *m)
{
	int rows = new->rows, best = 0;

	if (changed < LEAST_SAVED) {
		return false;
	}
	struct row *a = vy_calloc((size_t)rows * 2, sizeof(*a)), *b = a + rows;

	for (int y = 0; y < rows; y++) {
		a[y] = row_of(old, y);
		b[y] = row_of(new, y);
	}
	for (int by = 1 - rows; by < rows; by++) {
		struct paint_move here;
		int saved = by == 0 ? 0 : best_at(a, b, rows, by, &here);

		if (saved > best) {
			best = saved;
			*m = here;
		}
	}
	free(a);
	if (best < LEAST_SAVED) {
		return false;
	}
	for (int y = m->y; y < m->y + m->rows; y++) {
		if (!equal(new, y, old, y + m->by)) {
			return false;
		}
	}
	return true;
}

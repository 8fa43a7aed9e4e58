/* paint_scroll.c -- see paint_scroll.h.
 *
 * Each row gets a sign: its number, where a row of the other grid has it too, else a hash of its cells.
 * For each distance the longest run of rows that match at that distance is looked for. A row counts
 * if moving it saves painting it: it differs from what is there and is not blank. Signs that
 * collide are found out by comparing cells.
 *
 * Of a grid that is split only the right side is looked at: the left one moves along, and is painted
 * again where it does not like that. */
#include "tui/ink/paint_scroll.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "tui/ink/cell_rows.h"
#include "shared/base/ban.h"

#define LEAST_SAVED 4
#define WORTH_CELLS 8 /* of them at least, for one row more */

struct row {
	uint64_t sign;
	bool blank, has_sign;
};

static const struct cell *cells_of(const struct cell_grid *g, int y)
{
	return &g->cells[(size_t)y * (size_t)g->cols];
}

static bool is_blank(const struct cell_grid *g, int y)
{
	const struct cell *c = cells_of(g, y);

	for (int x = g->split; x < g->cols; x++) {
		if (c[x].text[0] != '\0') {
			return false;
		}
	}
	return true;
}

static uint64_t hash_of(const struct cell_grid *g, int y)
{
	const struct cell *c = cells_of(g, y);
	uint64_t hash = 1469598103934665603u;

	for (int x = g->split; x < g->cols; x++) {
		uint64_t text;

		memcpy(&text, c[x].text, sizeof(text));
		hash = (hash ^ text) * 1099511628211u;
		hash = (hash ^ c[x].fg ^ (uint64_t)c[x].bg << 32) * 1099511628211u;
		hash = (hash ^ c[x].attrs ^ (uint64_t)c[x].link << 8 ^ (uint64_t)c[x].width << 32) *
		       1099511628211u;
	}
	return hash;
}

/* Rows that both grids have, by their numbers: no cell of theirs is hashed. */
static void pair(
	const struct cell_grid *old, const struct cell_grid *new, struct row *a, struct row *b)
{
	int from = 0; /* most are in the same order */

	for (int y = 0; y < new->rows; y++) {
		uint64_t number = cell_row_number(new, y);

		for (int i = 0; number && i < old->rows; i++) {
			int at = (from + i) % old->rows;

			if (cell_row_number(old, at) == number) {
				a[at].sign = b[y].sign = number;
				a[at].has_sign = b[y].has_sign = true;
				from = at + 1;
				break;
			}
		}
	}
}

static void sign(const struct cell_grid *g, struct row *r)
{
	for (int y = 0; y < g->rows; y++) {
		r[y].blank = is_blank(g, y);
		if (!r[y].has_sign) {
			r[y].sign = hash_of(g, y);
		}
	}
}

/* The best run at one distance; its saved rows are returned. */
static int best_at(
	const struct row *old, const struct row *new, int rows, int by, struct paint_move *m)
{
	int best = 0, saved = 0, start = 0;

	for (int y = 0; y <= rows; y++) {
		bool match =
			y < rows && y + by >= 0 && y + by < rows && new[y].sign == old[y + by].sign;

		if (!match) {
			if (saved > best) {
				best = saved;
				*m = (struct paint_move){ start, y - start, by };
			}
			start = y + 1;
			saved = 0;
		} else if (new[y].sign != old[y].sign && !new[y].blank) {
			saved++;
		}
	}
	return best;
}

int paint_scroll_differs(struct cell_grid *old, const struct cell_grid *new, bool *differs)
{
	int changed = 0;

	for (int y = 0; y < new->rows; y++) {
		differs[y] = !cell_row_same(old, y, new, y);
		changed += differs[y];
		if (!differs[y]) {
			cell_row_known(old, y, new, y);
		}
	}
	return changed;
}

/* How many rows each distance would save, in any runs: counts[by + rows]. */
static void count_saved(const struct row *old, const struct row *new, int rows, int *counts)
{
	for (int y = 0; y < rows; y++) {
		if (new[y].blank || new[y].sign == old[y].sign) {
			continue;
		}
		for (int from = 0; from < rows; from++) {
			counts[from - y + rows] += new[y].sign == old[from].sign;
		}
	}
}

static int differing(const struct cell_grid *a, int ya, const struct cell_grid *b, int yb)
{
	const struct cell *p = cells_of(a, ya), *q = cells_of(b, yb);
	int n = 0;

	for (int x = 0; x < a->cols; x++) {
		n += !cell_same(&p[x], &q[x]);
	}
	return n;
}

static int drawn(const struct cell_grid *g, int y)
{
	const struct cell *c = cells_of(g, y);
	int n = 0;

	for (int x = 0; x < g->cols; x++) {
		n += c[x].text[0] != '\0' || c[x].bg != CELL_DEFAULT;
	}
	return n;
}

/* The row behind the block, which comes in blank, may be nearly what the next one was: a text that
 * grew by the word that made it scroll. Then that one moves too, and its place comes in blank. */
static void take_next(
	const struct cell_grid *old, const struct cell_grid *new, struct paint_move *m)
{
	for (;;) {
		int y = m->by > 0 ? m->y + m->rows : m->y - 1, from = y + m->by;

		if (y < 0 || y >= new->rows || from < 0 || from >= new->rows) {
			return;
		}
		int now = drawn(new, y) + differing(new, from, old, from);
		int then = differing(new, y, old, from) + drawn(new, from);

		if (then + WORTH_CELLS > now) {
			return;
		}
		m->rows++;
		m->y -= m->by < 0;
	}
}

bool paint_scroll_find(
	const struct cell_grid *old, const struct cell_grid *new, int changed, struct paint_move *m)
{
	int rows = new->rows, best = 0;

	if (changed < LEAST_SAVED) {
		return false;
	}
	struct row *a = vy_calloc((size_t)rows * 2, sizeof(*a)), *b = a + rows;
	int *counts = vy_calloc((size_t)rows * 2 + 1, sizeof(*counts));

	pair(old, new, a, b);
	sign(old, a);
	sign(new, b);
	count_saved(a, b, rows, counts);
	for (int by = 1 - rows; by < rows; by++) {
		struct paint_move here;
		bool is_worth = counts[by + rows] >= LEAST_SAVED && counts[by + rows] > best;
		int saved = is_worth ? best_at(a, b, rows, by, &here) : 0;

		if (saved > best) {
			best = saved;
			*m = here;
		}
	}
	free(a);
	free(counts);
	if (best < LEAST_SAVED) {
		return false;
	}
	int harmed = 0; /* left sides that would be painted again */

	for (int y = m->y; y < m->y + m->rows; y++) {
		if (!cell_row_same_right(new, y, old, y + m->by)) {
			return false;
		}
		harmed += !cell_row_same(new, y, old, y + m->by);
	}
	if (best * (new->cols - new->split) <= harmed * new->split) {
		return false;
	}
	take_next(old, new, m);
	return true;
}

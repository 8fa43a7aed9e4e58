/* vt_plain.c -- a command's output as lines: an emulator without a program behind it. */
#include "shared/vt/vt.h"

#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/vt/vt_inside.h"
#include "shared/base/ban.h"

#define LINES_MAX 1000000
#define ROWS      50 /* as far up as the output may still change what it wrote */

static bool same_look(const struct vy_vt_cell *a, const struct vy_vt_cell *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->attrs == b->attrs && a->link == b->link;
}

/* Cells up to the last one that can be seen. */
static int visible_cells(const struct vy_vt_row *r)
{
	int n = r->n;

	while (n > 0 && r->cells[n - 1].ch == 0 && r->cells[n - 1].width == 1 &&
		r->cells[n - 1].bg == VY_VT_DEFAULT && r->cells[n - 1].link == 0 &&
		!(r->cells[n - 1].attrs & (VY_VT_REVERSE | VY_VT_UNDERLINE | VY_VT_STRIKE))) {
		n--;
	}
	return n;
}

static struct vy_vt_run run_of(
	const struct vy_grid *g, const struct vy_vt_row *r, int from, int to, struct vy_arena *a)
{
	const struct vy_vt_cell *look = &r->cells[from];
	VY_AUTO_BUF b = VY_BUF_INIT((size_t)(to - from) * VY_GRID_TEXT_MAX + 1);

	for (int x = from; x < to; x++) {
		char text[VY_GRID_TEXT_MAX];

		if (r->cells[x].width > 0) {
			vy_buf_add(&b, text, vy_grid_text(g, &r->cells[x], text));
		}
	}
	return (struct vy_vt_run){ .text = vy_arena_str(a, vy_buf_str(&b)),
		.url = vy_arena_str(a, vy_grid_link_url(g, look->link)),
		.fg = look->fg,
		.bg = look->bg,
		.attrs = look->attrs,
		.cells = to - from };
}

static struct vy_vt_line line_of(
	const struct vy_grid *g, const struct vy_vt_row *r, struct vy_arena *a)
{
	int cells = visible_cells(r), count = 0;

	for (int x = 0; x < cells; x++) {
		count += x == 0 || !same_look(&r->cells[x], &r->cells[x - 1]);
	}
	struct vy_vt_run *runs = vy_arena_calloc(a, (size_t)count, sizeof(*runs));

	count = 0;
	for (int x = 0, end; x < cells; x = end) {
		for (end = x + 1; end < cells && same_look(&r->cells[x], &r->cells[end]);) {
			end++;
		}
		runs[count++] = run_of(g, r, x, end, a);
	}
	return (struct vy_vt_line){
		.runs = runs, .n = (size_t)count, .cells = cells, .continues = r->continues
	};
}

struct vy_vt_lines vy_vt_plain(struct vy_str bytes, int cols, size_t max, struct vy_arena *a)
{
	max = max < LINES_MAX ? max : LINES_MAX;
	struct vy_vt *v = vy_vt_new(cols, ROWS, (int)max, NULL);
	const struct vy_grid *g = vy_vt_grid(v);
	struct vy_vt_lines out = { 0 };
	int last = ROWS - 1;

	vt_set_raw(v, true);
	vy_vt_feed(v, bytes);
	if (vy_vt_modes(v).alt) { /* a program that was cut off: what it covered is what remains */
		vy_vt_feed(v, VY_STR_LIT("\033[?1049l"));
	}
	while (last >= 0 && visible_cells(vy_grid_row(g, last)) == 0) {
		last--;
	}
	int first = -vy_grid_scrollback(g);

	while (first <= last && last - first >= (int)max) {
		first++;
	}
	int n = last - first + 1;

	out.n = (size_t)n;
	out.dropped = (size_t)vy_grid_scrolled(g) + (size_t)(last + 1) - out.n;
	struct vy_vt_line *lines = vy_arena_calloc(a, out.n, sizeof(*lines));

	for (int y = first; y <= last; y++) {
		lines[y - first] = line_of(g, vy_grid_row(g, y), a);
	}
	out.lines = lines;
	vy_vt_free(v);
	return out;
}

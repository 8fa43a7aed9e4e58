/* graphics.c -- see graphics.h. */
#include "tests/screen/graphics.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/hash.h"
#include "tui/ink/kitty.h"
#include "shared/base/ban.h"

#define ASKS_NAME "\033[>0q"
#define NAME      "\033P>|kitty(0.35.2)\033\\"
#define PIXELS    (8 * 1024 * 1024)

void graphics_init(struct graphics *g)
{
	*g = (struct graphics){ 0 };
	vy_buf_init(&g->held, 1 << 20);
}

void graphics_fini(struct graphics *g)
{
	for (int i = 0; i < g->n; i++) {
		vy_buf_fini(&g->v[i].rgba);
	}
	vy_buf_fini(&g->held);
}

static void wrong(struct graphics *g, const char *fmt, ...) VY_PRINTF(2, 3);

static void wrong(struct graphics *g, const char *fmt, ...)
{
	va_list ap;

	if (g->wrong[0]) {
		return;
	}
	va_start(ap, fmt);
	vsnprintf(g->wrong, sizeof(g->wrong), fmt, ap);
	va_end(ap);
}

/* ---- commands ---- */

/* The number behind "k=" among "a=T,i=7"; -1: not there. */
static long value(struct vy_str keys, char key)
{
	for (size_t i = 0; i + 2 < keys.n; i++) {
		if (keys.p[i] == key && keys.p[i + 1] == '=' && (i == 0 || keys.p[i - 1] == ',')) {
			return strtol(keys.p + i + 2, NULL, 10);
		}
	}
	return -1;
}

static char letter(struct vy_str keys, char key)
{
	for (size_t i = 0; i + 2 < keys.n; i++) {
		if (keys.p[i] == key && keys.p[i + 1] == '=' && (i == 0 || keys.p[i - 1] == ',')) {
			return keys.p[i + 2];
		}
	}
	return 0;
}

static void drop(struct graphics *g, uint32_t id)
{
	for (int i = 0; i < g->n; i++) {
		if (g->v[i].id == id) {
			vy_buf_fini(&g->v[i].rgba);
			g->v[i] = g->v[--g->n];
			return;
		}
	}
	wrong(g, "image %u is not there to be forgotten", id);
}

static void open_image(struct graphics *g, struct vy_str keys)
{
	struct graphics_image *im = &g->v[g->n];

	if (g->n == GRAPHICS_MAX || value(keys, 'U') != 1 || value(keys, 'f') != 32 ||
		letter(keys, 't') != 'd') {
		wrong(g, "no picture as it is understood here: %.*s", VY_STR_ARG(keys));
		return;
	}
	*im = (struct graphics_image){ .id = (uint32_t)value(keys, 'i'),
		.w = (int)value(keys, 's'),
		.h = (int)value(keys, 'v'),
		.cols = (int)value(keys, 'c'),
		.rows = (int)value(keys, 'r') };
	vy_buf_init(&im->rgba, PIXELS);
	g->n++;
	g->open = im;
}

static void take(struct graphics *g, struct vy_str keys, struct vy_str code)
{
	struct graphics_image *im = g->open;

	if (!im || code.n > KITTY_CHUNK || !vy_buf_reserve(&im->rgba, code.n)) {
		wrong(g, "a piece of nothing, or one that is too large");
		return;
	}
	long n = vy_base64_decode(code, im->rgba.data + im->rgba.len, code.n);

	im->rgba.len += n > 0 ? (size_t)n : 0;
	if (value(keys, 'm') == 0) {
		im->is_whole = im->rgba.len == (size_t)im->w * (size_t)im->h * 4;
		g->open = NULL;
		if (!im->is_whole) {
			wrong(g, "image %u ends early", im->id);
		}
	}
}

static void command(struct graphics *g, struct vy_str body, struct vy_buf *answers)
{
	const char *end = memchr(body.p, ';', body.n);
	struct vy_str keys = end ? vy_str_n(body.p, (size_t)(end - body.p)) : body;
	struct vy_str code = vy_str_from(body, keys.n + 1);

	switch (letter(keys, 'a')) {
	case 'q': vy_buf_addf(answers, "\033_Gi=%ld;OK\033\\", value(keys, 'i')); return;
	case 'd':
		if (g->open) {
			wrong(g, "something else between the pieces of image %u", g->open->id);
		}
		drop(g, (uint32_t)value(keys, 'i'));
		break;
	case 'T':
		if (g->open) {
			wrong(g, "image %u is not finished", g->open->id);
		}
		open_image(g, keys);
		take(g, keys, code);
		break;
	default: take(g, keys, code); break;
	}
	if (value(keys, 'q') != 2) {
		wrong(g, "not quiet: %.*s", VY_STR_ARG(keys));
	}
}

/* ---- bytes ---- */

/* How many bytes at the end of `s` may be the beginning of something that is for us. */
static size_t unfinished(struct vy_str s)
{
	const char *last = memrchr(s.p, '\033', s.n);

	if (!last) {
		return 0;
	}
	struct vy_str tail = vy_str_n(last, s.n - (size_t)(last - s.p));

	return tail.n < 3 || vy_str_starts(tail, "\033_G") ||
			       (tail.n < sizeof(ASKS_NAME) - 1 &&
				       memcmp(tail.p, ASKS_NAME, tail.n) == 0)
		       ? tail.n
		       : 0;
}

void graphics_step(
	struct graphics *g, struct vy_str bytes, struct vy_buf *rest, struct vy_buf *answers)
{
	if (!g->is_on) {
		vy_buf_addstr(rest, bytes);
		return;
	}
	vy_buf_addstr(&g->held, bytes);
	struct vy_str s = vy_buf_str(&g->held);

	for (;;) {
		const char *at = s.n ? memmem(s.p, s.n, "\033_G", 3) : NULL;
		const char *ask = s.n ? memmem(s.p, s.n, ASKS_NAME, sizeof(ASKS_NAME) - 1) : NULL;

		if (ask && (!at || ask < at)) {
			vy_buf_add(rest, s.p, (size_t)(ask - s.p));
			vy_buf_adds(answers, NAME);
			s = vy_str_from(s, (size_t)(ask - s.p) + sizeof(ASKS_NAME) - 1);
			continue;
		}
		const char *end = at ? memmem(at, s.n - (size_t)(at - s.p), "\033\\", 2) : NULL;

		if (!end) {
			size_t keep = at ? s.n - (size_t)(at - s.p) : unfinished(s);

			vy_buf_add(rest, s.p, s.n - keep);
			vy_buf_consume(&g->held, g->held.len - keep);
			return;
		}
		vy_buf_add(rest, s.p, (size_t)(at - s.p));
		command(g, vy_str_n(at + 3, (size_t)(end - at) - 3), answers);
		s = vy_str_from(s, (size_t)(end - s.p) + 2);
	}
}

/* ---- looking ---- */

int graphics_count(const struct graphics *g)
{
	int n = 0;

	for (int i = 0; i < g->n; i++) {
		n += g->v[i].is_whole;
	}
	return n;
}

/* The place in its picture that a cell stands for; false: it is none of that image's. */
static bool place_of(const struct vy_grid *grid, int x, int y, const struct graphics_image *im,
	int *row, int *col)
{
	const struct vy_vt_cell *c = vy_grid_cell(grid, x, y);
	char text[VY_GRID_TEXT_MAX], want[KITTY_CELL_MAX];
	size_t n = vy_grid_text(grid, c, text);

	if (c->fg != VY_VT_RGB(im->id) || n < 5) {
		return false;
	}
	for (int i = 0; i < im->rows * im->cols; i++) {
		size_t k = kitty_cell(i / im->cols, i % im->cols, want);

		if (n == k && memcmp(text, want, n) == 0) {
			*row = i / im->cols;
			*col = i % im->cols;
			return true;
		}
	}
	return false;
}

/* Cells of it on the screen; -1: some do not stand where the others say. */
static int cells_of(const struct vy_grid *grid, const struct graphics_image *im)
{
	int cols, rows, row = 0, col = 0, left = 0, top = 0, n = 0;

	vy_grid_size(grid, &cols, &rows);
	for (int at = 0; at < cols * rows; at++) {
		int x = at % cols, y = at / cols;

		if (!place_of(grid, x, y, im, &row, &col)) {
			continue;
		}
		left = n ? left : x - col;
		top = n ? top : y - row;
		if (x - col != left || y - row != top) {
			return -1;
		}
		n++;
	}
	return n;
}

bool graphics_is_shown(
	const struct graphics *g, const struct vy_grid *grid, char *says, size_t room)
{
	int shown = 0;

	snprintf(says, room, "%d images, and no cell of them", g->n);
	for (int i = 0; i < g->n; i++) {
		int n = g->v[i].is_whole ? cells_of(grid, &g->v[i]) : 0;

		if (n < 0) {
			snprintf(says, room, "the cells of image %u are out of place", g->v[i].id);
			return false;
		}
		shown += n;
	}
	return shown > 0;
}

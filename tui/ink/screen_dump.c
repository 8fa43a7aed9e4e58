/* screen_dump.c -- the text back end: a grid as two lanes, for golden files and for people.
 *
 *	size 24x2 cursor 3,1
 *	| ● Edit  src/router.c
 *	: abcccccdddddddddddddd
 *	a = OK
 *
 * "|" begins a row of glyphs, ":" the same row's styles, one letter a cell: "." is no style, other
 * letters are explained below in the order they first come. A row of no style has no second lane.
 * Both halves of a wide glyph have a letter, so the lanes line up in cells. */
#include "tui/ink/screen.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "tui/ink/screen_backend.h"
#include "shared/base/ban.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

struct legend {
	struct cell styles[sizeof(LETTERS) - 1];
	size_t n;
};

static bool same_style(const struct cell *a, const struct cell *b)
{
	return a->fg == b->fg && a->bg == b->bg && ((a->attrs ^ b->attrs) & CELL_LOOKS) == 0 &&
	       a->link == b->link;
}

static char letter_of(struct legend *l, const struct cell *c)
{
	static const struct cell plain;

	if (same_style(c, &plain)) {
		return '.';
	}
	for (size_t i = 0; i < l->n; i++) {
		if (same_style(&l->styles[i], c)) {
			return LETTERS[i];
		}
	}
	if (l->n == VY_COUNT(l->styles)) {
		return '?';
	}
	l->styles[l->n] = *c;
	return LETTERS[l->n++];
}

static void add_color(struct vy_buf *out, const char *before, uint32_t c)
{
	uint32_t v = c & 0xffffff;

	if (c == CELL_DEFAULT) {
		return;
	}
	vy_buf_adds(out, before);
	if (CELL_KIND(c) == CELL_KIND(CELL_ROLE(0))) {
		vy_buf_adds(out, theme_role_name((enum theme_role)v));
	} else if (CELL_KIND(c) == CELL_KIND(CELL_INDEX(0))) {
		vy_buf_addf(out, "%u", v);
	} else {
		vy_buf_addf(out, "#%06x", v);
	}
}

static void add_style(struct vy_buf *out, const struct cell_grid *g, const struct cell *c)
{
	static const char *const names[] = { "bold", "dim", "italic", "underline", "reverse",
		"strike" };
	size_t start = out->len;

	add_color(out, " ", c->fg);
	add_color(out, " on ", c->bg);
	for (size_t i = 0; i < VY_COUNT(names); i++) {
		if (c->attrs & 1u << i) {
			vy_buf_addf(out, " %s", names[i]);
		}
	}
	if (c->link) {
		vy_buf_addf(out, " link %.*s", VY_STR_ARG(cell_link_url(g->pool, c->link)));
	}
	vy_assert(out->len > start);
}

static bool is_nothing(const struct cell *c)
{
	static const struct cell blank = { .width = 1 };

	return memcmp(c, &blank, sizeof(blank)) == 0;
}

static void add_row(struct vy_buf *out, const struct cell_grid *g, int y, struct legend *l)
{
	int end = g->cols;
	bool styled = false;
	VY_AUTO_BUF styles = VY_BUF_INIT(VY_MIB);

	while (end > 0 && is_nothing(cell_at(g, end - 1, y))) {
		end--;
	}
	vy_buf_addc(out, '|');
	for (int x = 0; x < end; x++) {
		const struct cell *c = cell_at(g, x, y);
		char letter = letter_of(l, c);

		if (c->width > 0) {
			vy_buf_addstr(out, cell_text(g, c));
		}
		styled = styled || letter != '.';
		vy_buf_addc(&styles, letter);
	}
	vy_buf_addc(out, '\n');
	while (styles.len > 0 && styles.data[styles.len - 1] == '.') {
		vy_buf_truncate(&styles, styles.len - 1);
	}
	if (styled) {
		vy_buf_addf(out, ":%s\n", vy_buf_c(&styles));
	}
}

void screen_dump_grid(const struct cell_grid *g, const struct screen_cursor *c, struct vy_buf *out)
{
	struct legend l = { .n = 0 };

	vy_buf_addf(out, "size %dx%d", g->cols, g->rows);
	if (c && c->visible) {
		vy_buf_addf(out, " cursor %d,%d", c->x, c->y);
	}
	vy_buf_addc(out, '\n');
	for (int y = 0; y < g->rows; y++) {
		add_row(out, g, y, &l);
	}
	for (size_t i = 0; i < l.n; i++) {
		vy_buf_addf(out, "%c =", LETTERS[i]);
		add_style(out, g, &l.styles[i]);
		vy_buf_addc(out, '\n');
	}
}

/* ---- as a back end ---- */

struct dump {
	struct screen base;
	int cols, rows;
	struct vy_buf text;
};

static void dump_close(struct screen *s)
{
	struct dump *d = (struct dump *)s;

	vy_buf_fini(&d->text);
	free(d);
}

static void dump_size(struct screen *s, int *cols, int *rows)
{
	const struct dump *d = (const struct dump *)s;

	*cols = d->cols;
	*rows = d->rows;
}

static int dump_present(
	struct screen *s, const struct cell_grid *g, struct screen_cursor c, struct vy_err *e)
{
	struct dump *d = (struct dump *)s;

	vy_buf_clear(&d->text);
	screen_dump_grid(g, &c, &d->text);
	return vy_buf_is_over(&d->text) ? vy_fail(e, VY_FULL, "a screen of %d rows", g->rows) : 0;
}

static const struct screen_ops dump_ops = {
	.close = dump_close,
	.size = dump_size,
	.present = dump_present,
};

struct screen *screen_dump_open(int cols, int rows)
{
	struct dump *d = VY_NEW(struct dump);

	d->base.ops = &dump_ops;
	d->cols = cols;
	d->rows = rows;
	vy_buf_init(&d->text, 16 * VY_MIB);
	return &d->base;
}

struct vy_str screen_dump_text(const struct screen *s)
{
	vy_assert(s->ops == &dump_ops);
	return vy_buf_str(&((const struct dump *)s)->text);
}

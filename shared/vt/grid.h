/* grid.h -- a terminal's screen and scrollback as a value.
 *
 * Two screens (main and alternate) of row pointers, a ring of scrolled-off lines, cells of 16 bytes.
 * A row knows whether it continues the row above (the terminal wrapped there), so resizing the main
 * screen lays lines out anew and loses nothing; the alternate screen is cut or padded, its program
 * draws again. A two-cell glyph owns the cell to its right (width 0); halves never stay behind.
 * Row 0 is the top of the visible screen; scrollback rows are counted upwards from -1 (the newest).
 * Fed by vt.h; read by panes and tests. All verbs clip; nothing a program sends can reach outside.
 * Pure. */
#ifndef VY_VT_GRID_H
#define VY_VT_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/str.h"

/* A colour: kind in the top byte. The numbers are those of tui/ink/cell.h, so a pane copies them. */
#define VY_VT_DEFAULT  0u
#define VY_VT_INDEX(i) (0x02000000u | ((uint32_t)(i)&0xff))
#define VY_VT_RGB(hex) (0x03000000u | ((uint32_t)(hex)&0xffffff))

enum vy_vt_attr { /* the first six are cell.h's too */
	VY_VT_BOLD = 1,
	VY_VT_DIM = 2,
	VY_VT_ITALIC = 4,
	VY_VT_UNDERLINE = 8,
	VY_VT_REVERSE = 16,
	VY_VT_STRIKE = 32,
	VY_VT_BLINK = 64,
	VY_VT_CONCEAL = 128,
};

struct vy_vt_pen {
	uint32_t fg, bg;
	uint16_t link; /* vy_grid_link() */
	uint8_t attrs;
};

struct vy_vt_cell {
	uint32_t
		ch; /* a code point, 0 for a blank, or a cluster's number: read with vy_grid_text() */
	uint32_t fg, bg;
	uint16_t link;
	uint8_t attrs;
	uint8_t width; /* 1, 2, or 0: the right half */
};

struct vy_vt_row {
	struct vy_vt_cell *cells;
	int n;          /* cells there are; what lies beyond is blank */
	bool continues; /* goes on from the row above: no line end between them */
	bool dirty;     /* changed since vy_grid_clean() */
};

struct vy_grid;

struct vy_grid *vy_grid_new(int cols, int rows, int scrollback);
void vy_grid_free(struct vy_grid *g);

/* ---- reading ---- */

void vy_grid_size(const struct vy_grid *g, int *cols, int *rows);
bool vy_grid_is_alt(const struct vy_grid *g);
int vy_grid_scrollback(const struct vy_grid *g); /* lines there are; none on the alternate screen */
uint64_t vy_grid_scrolled(const struct vy_grid *g); /* lines that ever left at the top */
/* Row y: 0 … rows-1, or -1 … -scrollback. NULL outside. Borrow, until the next change. */
const struct vy_vt_row *vy_grid_row(const struct vy_grid *g, int y);
/* The cell, a blank where the row ends early; never NULL. */
const struct vy_vt_cell *vy_grid_cell(const struct vy_grid *g, int x, int y);
/* The cluster as UTF-8 into out (room for VY_GRID_TEXT_MAX); its length. " " for a blank. */
#define VY_GRID_TEXT_MAX 32
size_t vy_grid_text(const struct vy_grid *g, const struct vy_vt_cell *c, char *out);
struct vy_str vy_grid_link_url(const struct vy_grid *g, uint16_t link);
void vy_grid_clean(struct vy_grid *g); /* no row is dirty now */

/* ---- writing: what a terminal does ---- */

struct vy_vt_rect {
	int x0, y0, x1, y1; /* x1 and y1 are the first outside */
};

/* One glyph; more than one code point makes a cluster. `continues` says that the terminal wrapped
 * here: the row goes on from the one above. */
void vy_grid_put(struct vy_grid *g, int x, int y, const uint32_t *chars, size_t n, int width,
	const struct vy_vt_pen *pen, bool continues);
/* The same for glyphs of one cell each, by far the most: printable ASCII, all of it inside the row. */
void vy_grid_put_ascii(
	struct vy_grid *g, int x, int y, struct vy_str text, const struct vy_vt_pen *pen);
void vy_grid_erase(struct vy_grid *g, struct vy_vt_rect r, struct vy_vt_pen pen);
/* Moves the rectangle's content up by `down` rows and left by `right` cells (either may be
 * negative); what leaves at the top of a whole main screen goes to the scrollback. */
void vy_grid_scroll(
	struct vy_grid *g, struct vy_vt_rect r, int down, int right, struct vy_vt_pen pen);
void vy_grid_set_alt(struct vy_grid *g, bool on); /* switching on clears the alternate screen */
void vy_grid_clear_scrollback(struct vy_grid *g);
/* Link number for an address; 0 when empty or there are too many. */
uint16_t vy_grid_link(struct vy_grid *g, struct vy_str url, struct vy_str id);

/* New size. The main screen flows; *x,*y, a place on it (its cursor), moves with its text. */
void vy_grid_resize(struct vy_grid *g, int cols, int rows, int *x, int *y);

#endif

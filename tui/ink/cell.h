/* cell.h -- a grid of cells: what one screen should show, as a value.
 *
 * A cell is one grapheme cluster with a style; a two-cell cluster owns the cell to its right, which
 * then has width 0. Whatever is drawn, clipped or overwritten, a grid never holds half a glyph: the
 * orphaned half becomes a blank in the style it had. Text is expected from behind the UTF-8 door
 * (shared/text/utf8.h), but the grid is safe by itself: control bytes, bidi
 * controls and bad UTF-8 become U+FFFD.
 *
 * Drawing goes through a window (struct cell_win): a rectangle of a grid with its own origin, to
 * which everything is clipped, so a renderer can never paint outside of its place.
 *
 * A screen that is drawn again and again has its grid watched (cell_rows.h): rows that nothing is
 * drawn into are neither drawn nor compared.
 *
 * A pool keeps long clusters and link addresses; grids that are compared or copied into each other
 * share one. The pool outlives its grids. Pure: no terminal, no locale, no globals. */
#ifndef INK_CELL_H
#define INK_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "shared/base/str.h"
#include "shared/text/width.h"

/* ---- colours and styles ---- */

/* A colour is a word: the kind in its top byte. */
#define CELL_DEFAULT  0u                                   /* the terminal's own */
#define CELL_ROLE(r)  (0x01000000u | (uint32_t)(r))        /* enum theme_role (theme.h) */
#define CELL_INDEX(i) (0x02000000u | ((uint32_t)(i)&0xff)) /* one of the terminal's 256 */
#define CELL_RGB(hex) (0x03000000u | ((uint32_t)(hex)&0xffffff))
#define CELL_BARE     0x04000000u /* as a style's bg: the terminal's own, not what is below */
#define CELL_KIND(c)  ((c)&0xff000000u)

enum cell_attr {
	CELL_BOLD = 1,
	CELL_DIM = 2,
	CELL_ITALIC = 4,
	CELL_UNDERLINE = 8,
	CELL_REVERSE = 16,
	CELL_STRIKE = 32,
	CELL_LOOKS = 63, /* the attributes one sees */
	/* What copying needs to know of a blank; never seen. */
	CELL_TAB = 64,      /* the first of those that stand for a tab */
	CELL_TAB_REST = 128 /* the others */
};

/* How to draw. bg 0 keeps the background that is there, so text lies on what was filled before. */
struct cell_style {
	uint32_t fg, bg;
	uint16_t link; /* from cell_link(); 0 is none */
	uint8_t attrs; /* enum cell_attr, or-ed */
};

#define CELL_TEXT_INLINE 8

struct cell {
	char text[CELL_TEXT_INLINE]; /* UTF-8, NUL-padded; read it with cell_text() */
	uint32_t fg, bg;
	uint16_t link;
	uint8_t attrs;
	uint8_t width; /* 1, 2, or 0: the right half of the glyph to its left */
};

/* ---- what grids share ---- */

struct cell_pool;

/* `width` is how the terminal at hand counts cells; it holds for all grids of the pool. */
struct cell_pool *cell_pool_new(struct vy_width width);
void cell_pool_free(struct cell_pool *p); /* NULL is fine */
struct vy_width cell_pool_width(const struct cell_pool *p);
/* The terminal turns right-to-left text itself: nobody shall do it twice. */
void cell_pool_set_straight(struct cell_pool *p, bool is_straight);
bool cell_pool_is_straight(const struct cell_pool *p);

/* Number of a link address, for cell_style.link. `id` tells two links to one address apart (a row
 * number, say; NULL: same address, same link). Bytes that could end an escape are percent-coded.
 * 0 when the address is empty, longer than 2 KiB, or the pool has 65,535 already. */
uint16_t cell_link(struct cell_pool *p, struct vy_str url, const char *id);
struct vy_str cell_link_url(const struct cell_pool *p, uint16_t link); /* empty for 0 */

/* ---- grids ---- */

struct cell_row;

struct cell_grid {
	int cols, rows;
	struct cell *cells; /* rows * cols */
	struct cell_pool *pool;
	struct cell_row *row; /* one a row if it is watched (cell_rows.h), else NULL */
	uint64_t frame;       /* its count of frames */
	int split;            /* columns of the left side */
};

struct cell_rect {
	int x, y, w, h;
};

void cell_grid_init(struct cell_grid *g, struct cell_pool *pool, int cols, int rows);
void cell_grid_fini(struct cell_grid *g);
void cell_grid_resize(struct cell_grid *g, int cols, int rows); /* blank afterwards */
void cell_grid_clear(struct cell_grid *g);
void cell_grid_copy(struct cell_grid *to, const struct cell_grid *from); /* takes its size too */

const struct cell *cell_at(const struct cell_grid *g, int x, int y);      /* NULL outside */
struct vy_str cell_text(const struct cell_grid *g, const struct cell *c); /* " " for a blank */

/* Do they look alike and lead to the same? (Of one pool.) */
static inline bool cell_same(const struct cell *a, const struct cell *b)
{
	return memcmp(a->text, b->text, sizeof(a->text)) == 0 && a->fg == b->fg && a->bg == b->bg &&
	       a->link == b->link && a->attrs == b->attrs && a->width == b->width;
}

/* The first and the last cell in which row y differs, whole glyphs; false when it does not.
 * The grids have one size and one pool. */
bool cell_diff_row(const struct cell_grid *a, const struct cell_grid *b, int y, int *x0, int *x1);

/* ---- drawing ---- */

struct cell_win {
	struct cell_grid *grid;
	int x, y;              /* where its 0,0 is in the grid; may lie outside */
	struct cell_rect clip; /* in the grid: nothing is drawn outside */
	int w, h;
};

struct cell_win cell_win_all(struct cell_grid *g);
struct cell_win cell_win_sub(struct cell_win w, struct cell_rect r); /* r relative to w */

/* Puts text at x,y and returns the cells it takes, clipped ones included (x may be negative: text
 * scrolled sideways). Stops at the right edge; a wide glyph that would be cut there, or at the
 * left, leaves a blank. */
int cell_put(struct cell_win w, int x, int y, struct vy_str text, struct cell_style s);
int cell_puts(struct cell_win w, int x, int y, const char *text, struct cell_style s);
/* The same with its last cell before x; returns the x it began at. */
int cell_puts_right(struct cell_win w, int x, int y, const char *text, struct cell_style s);
/* The cells cell_put() would take, if there is room. */
int cell_width(const struct cell_pool *p, struct vy_str text);

void cell_fill(struct cell_win w, struct cell_rect r, struct cell_style s); /* blanks */
/* Blanks of one line that stand for one tab. */
void cell_put_tab(struct cell_win w, int x, int y, int cells, struct cell_style s);
/* Keeps the text: sets the colours that are not 0 and adds the attributes. Whole glyphs. */
void cell_tint(struct cell_win w, struct cell_rect r, struct cell_style s);
/* n times a glyph of one cell. */
void cell_hline(struct cell_win w, int x, int y, int n, const char *glyph, struct cell_style s);
void cell_box(struct cell_win w, struct cell_rect r, struct cell_style s); /* round corners */
/* Copies r of a grid to x,y: a row that was laid out once is shown again. */
void cell_blit(struct cell_win w, int x, int y, const struct cell_grid *from, struct cell_rect r);

#endif

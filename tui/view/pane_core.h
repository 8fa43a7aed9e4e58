/* pane_core.h -- for pane*.c: the pane's inside.
 *
 * A line's number counts from the first that the terminal ever had: number = lines that scrolled off
 * + its row. The emulator's own rows are found by pane_row(). */
#ifndef VIEW_PANE_CORE_H
#define VIEW_PANE_CORE_H

#include "shared/vt/vt.h"
#include "tui/view/find.h"
#include "tui/view/pane.h"

struct pane_spot {
	int64_t line;
	int x;
};

struct pane_hit {
	struct pane_spot from, to; /* `to` is the first cell behind it */
};

struct pane {
	struct cell_pool *pool;
	struct vy_vt *vt;
	struct vy_buf out, clip, title;
	bool is_muted, is_feeding, has_bell, has_clip;
	bool has_colors;
	uint32_t fg, bg;

	/* what was shown last, and with which of the terminal's rows */
	struct cell_grid shown;
	uint64_t *number; /* of each shown row (cell_rows.h) */
	int64_t shown_top;
	bool shown_reverse, is_stale;
	int64_t sync_since_ms;  /* -1: no frame is in the making */
	int cursor_x, cursor_y; /* when it was shown */
	struct vy_vt_modes shown_modes;
	uint16_t link_top; /* highest number of a link, and how many were new */
	size_t n_links;

	/* looking back */
	bool is_back; /* the view stays at `top` */
	int64_t top;  /* its first line */
	bool is_looking;
	struct pane_spot mark, anchor;
	enum { PANE_NO_SELECTION, PANE_SELECTS, PANE_SELECTS_LINES } selects;
	struct find find;
	struct pane_hit *hits;
	size_t n_hits, cap_hits, hit; /* hit: from 1; 0 none */
	uint64_t fed, found_at;       /* bytes fed so far; when the hits were made */
};

/* ---- lines (pane.c) ---- */

int64_t pane_first(const struct pane *p);  /* the oldest line there is */
int64_t pane_screen(const struct pane *p); /* the line of the emulator's row 0 */
int64_t pane_last(const struct pane *p);
int64_t pane_end(const struct pane *p); /* the last line with something in it, or the cursor's */
const struct vy_vt_row *pane_row(const struct pane *p, int64_t line); /* NULL: none */
/* The first line in view, in a window of so many rows. */
int64_t pane_view_top(const struct pane *p, int rows);

/* ---- pane_back.c ---- */

bool pane_before(struct pane_spot a, struct pane_spot b);
/* The cells of a line that are selected; false: none. */
bool pane_selected(const struct pane *p, int64_t line, int *x0, int *x1);
void pane_lost(struct pane *p); /* the lines were laid out anew: no place holds any more */

#endif

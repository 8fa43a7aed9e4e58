/* paint.h -- from "what is shown" to "what should be": the bytes between two grids.
 *
 * A frame is the shortest honest way there: a scrolled region is scrolled, equal stretches are
 * jumped over, blank tails are erased, and all of it stands inside of one synchronized update
 * (2026) that ends with the cursor at its place. A frame that changes nothing has no bytes.
 *
 * Terminals disagree about the width of some clusters (joined emoji, variation selectors, marks).
 * After such a cluster the cursor is placed anew and the cells it may have spilled into are drawn
 * again, so a disagreement costs one odd glyph, never a shifted line.
 *
 * Rows of a watched grid that have the number of those on the terminal are not looked at: the cost of a
 * frame is that of the rows which were drawn (cell_rows.h).
 *
 * Speaks ECMA-48 with xterm's colours; who opens the terminal checks that it does too. Pure. */
#ifndef INK_PAINT_H
#define INK_PAINT_H

#include <stdbool.h>

#include "shared/base/buf.h"
#include "tui/ink/cell.h"
#include "tui/ink/screen.h"
#include "tui/ink/theme.h"

/* What the terminal can do, from terminfo. */
struct paint_caps {
	bool ascii;       /* no UTF-8: marks and borders become ASCII, the rest "?" */
	bool no_bce;      /* erasing ignores the background: blanks are written */
	bool no_scroll;   /* no scrolling regions */
	bool no_strings;  /* OSC may not be sent: no links, no cursor shapes */
	bool eight;       /* 8 colours: the bright ones are bold, grey is dim */
	uint8_t no_attrs; /* attributes it does not have */
};

struct paint {
	struct paint_caps caps;
	struct theme theme;
	struct cell_grid shown; /* on the terminal, if is_known */
	bool is_known;
	struct screen_cursor cursor; /* as it was left */
	struct vy_buf body;          /* the frame in the making */
};

void paint_init(struct paint *p, struct paint_caps caps);
void paint_fini(struct paint *p);
void paint_forget(struct paint *p); /* the terminal may show anything: the next frame is whole */

/* Appends the frame that shows `g`. The same pool in every frame of one painter. */
void paint_frame(
	struct paint *p, const struct cell_grid *g, struct screen_cursor c, struct vy_buf *out);

#endif

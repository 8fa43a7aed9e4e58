/* pager.h -- one text by itself on the whole window: a long output, an opened row, named controls.
 *
 * Lines are not wrapped: they are moved sideways. An output keeps its colours, a change those of
 * its signs; nothing in it is obeyed. Its search has counts and marks its matches. What is copied is
 * the whole text as it was. Pure; init/fini, a value between. */
#ifndef VIEW_PAGER_H
#define VIEW_PAGER_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/model/row.h"
#include "tui/ink/cell.h"
#include "tui/view/find.h"

struct pager_line;

struct pager {
	struct vy_arena arena, seen; /* seen: one line as it is seen */
	struct vy_buf text;          /* what is copied */
	struct vy_str title;
	struct pager_line *lines;
	size_t n;
	int widest; /* cells of the longest line */
	size_t top;
	int left;
	int cols, rows;   /* of the last draw, and: */
	bool is_straight; /* the terminal turns right-to-left text itself */
	struct find find;
	size_t found_line, found_at, found; /* the match at hand; `found` counts from 1, 0: none */
};

void pager_init(struct pager *p);
void pager_fini(struct pager *p);
bool pager_is_open(const struct pager *p);

/* `reveal`: control bytes are named in their places. */
void pager_open(struct pager *p, const struct vy_row *row, bool reveal, struct vy_width width);
void pager_close(struct pager *p);

void pager_scroll(struct pager *p, int lines);
void pager_page(struct pager *p, int pages);
void pager_top(struct pager *p);
void pager_bottom(struct pager *p);
void pager_sideways(struct pager *p, int direction); /* by half a window */
void pager_slide(struct pager *p, int cells);

/* From the first line in sight on; "" ends the search. */
void pager_find(struct pager *p, struct vy_str query);
bool pager_find_step(struct pager *p, int direction); /* false: there is none */

/* The last row says what it is and where one is. */
void pager_draw(struct pager *p, struct cell_win w);

#endif

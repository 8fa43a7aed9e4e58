/* composer.h -- where a person writes: the text field laid out in rows, and what was said before.
 *
 * Never disabled. Grows with its text up to the height it is given and then scrolls, the cursor
 * always in sight. Up and down move by rows as they are seen; past the first and the last row they
 * walk the history, and the draft that stood there comes back at its end. Pure; init/fini. */
#ifndef VIEW_COMPOSER_H
#define VIEW_COMPOSER_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/arena.h"
#include "tui/ink/cell.h"
#include "tui/view/edit.h"

#define COMPOSER_HISTORY       500
#define COMPOSER_HISTORY_BYTES (4 * 1024 * 1024) /* of all of them; the newest stays in any case */

struct composer {
	struct edit edit;
	char *history[COMPOSER_HISTORY]; /* oldest first */
	size_t n_history, at;            /* at == n_history: the draft */
	size_t history_bytes;
	char *draft;           /* kept while the history is walked */
	size_t top;            /* first row shown */
	struct vy_arena arena; /* of one layout */
};

void composer_init(struct composer *c);
void composer_fini(struct composer *c);

/* Takes the whole text for sending and leaves the composer empty; owned. NULL when there is
 * nothing but white space. It is remembered in the history. */
char *composer_take(struct composer *c, size_t *len);
void composer_remember(struct composer *c, struct vy_str text);
/* Puts a text there to be edited (a queued message, a denied plan); undo brings back the draft. */
void composer_put(struct composer *c, struct vy_str text);

/* Rows the text takes at this width, prompt included; at least 1. */
int composer_rows(struct composer *c, int cols, struct vy_width width);

/* One row up or down; false when there is no row and no history in that direction. */
bool composer_up(struct composer *c, int cols, struct vy_width width);
bool composer_down(struct composer *c, int cols, struct vy_width width);

/* Draws into w (its height is the most it may show) and says where the cursor is, in w. `hint` is
 * shown dim while the text is empty. */
void composer_draw(struct composer *c, struct cell_win w, const char *hint, int *x, int *y);

#endif

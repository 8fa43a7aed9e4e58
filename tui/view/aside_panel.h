/* aside_panel.h -- questions beside the conversation and their answers, in a panel of their own.
 *
 * They are no part of the session: they stand here until the session is left. The newest is at the
 * end, above the line for the next question; each answer is laid out as the assistant's words are.
 * Questions are answered in any order, known by a number; one can be given up while it waits, its
 * words come back into the line. Pure; init/fini. */
#ifndef VIEW_ASIDE_PANEL_H
#define VIEW_ASIDE_PANEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/block/draw.h"
#include "tui/ink/screen.h"
#include "tui/input/keymap.h"
#include "tui/view/edit.h"

#define ASIDE_MOST 50          /* questions kept; the oldest goes */
#define ASIDE_TEXT (64 * 1024) /* bytes of one question */

struct aside_turn {
	char *question, *answer, *trouble; /* of the last two one, or neither while it waits */
	uint32_t number;
	struct block_sheet asked, told; /* as laid out */
	int laid_cols;
};

struct aside_panel {
	struct aside_turn *v[ASIDE_MOST]; /* the oldest first */
	size_t n;
	uint32_t last; /* number */
	struct edit line;
	int above;       /* rows of the end that are scrolled out of sight */
	uint32_t news;   /* its answer came: it is shown from its beginning; 0: seen */
	int lines, page; /* of the last layout */
	struct cell_pool *pool;
};

void aside_panel_init(struct aside_panel *p, struct cell_pool *pool);
void aside_panel_fini(struct aside_panel *p);
void aside_panel_clear(struct aside_panel *p); /* another session */

/* A question is on its way from now on; its number. */
uint32_t aside_panel_ask(struct aside_panel *p, struct vy_str question);
/* Its answer, or why there is none; false: it was given up. */
bool aside_panel_told(
	struct aside_panel *p, uint32_t number, struct vy_str answer, const char *trouble);
bool aside_panel_waits(const struct aside_panel *p);
/* All that wait go, the words of the newest into the line when that is empty; false: none waits. */
bool aside_panel_give_up(struct aside_panel *p);
/* The newest answer in sight; NULL: there is none. Borrowed. */
const char *aside_panel_answer(const struct aside_panel *p);

/* Scrolls, or edits its line; false: not one of its own. */
bool aside_panel_key(struct aside_panel *p, enum keymap_action a);
void aside_panel_type(struct aside_panel *p, struct vy_str text); /* line ends become blanks */

/* Rows it takes, `most` at most; at least 3. */
int aside_panel_rows(struct aside_panel *p, int cols, int most);
void aside_panel_draw(struct aside_panel *p, struct cell_win w, struct screen_cursor *cursor);

#endif

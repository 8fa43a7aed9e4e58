/* composer.h -- where a person writes: the text field laid out in rows, and what was said before.
 *
 * Never disabled. Grows with its text up to the height it is given and then scrolls, the cursor
 * always in sight. Up and down move by rows as they are seen; past the first and the last row they
 * walk the history, and the draft that stood there comes back at its end. A recalled line that was
 * changed becomes the draft; the draft it takes the place of goes into the history.
 * What a layout costs depends on the window, not on the text. Pure; init/fini. */
#ifndef VIEW_COMPOSER_H
#define VIEW_COMPOSER_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/arena.h"
#include "tui/ink/cell.h"
#include "tui/view/edit.h"
#include "tui/view/edit_vim.h"

#define COMPOSER_HISTORY       1000
#define COMPOSER_HISTORY_BYTES (4 * 1024 * 1024) /* of all of them; the newest stays in any case */

struct composer {
	struct edit edit;
	struct edit_vim vim; /* has the keys first while is_vim */
	bool is_vim;
	bool is_straight; /* as last drawn: the terminal turns right-to-left text itself */
	char *history[COMPOSER_HISTORY]; /* oldest first */
	size_t n_history, at;            /* at == n_history: the draft */
	size_t history_bytes;
	size_t n_fresh; /* of them, the newest: said since they were last put on disk */
	char *draft;    /* kept while the history is walked */
	size_t n_draft;
	size_t top;            /* byte where the first row shown starts */
	struct vy_arena arena; /* of one layout */
};

void composer_init(struct composer *c);
void composer_fini(struct composer *c);

/* vi's way of writing, or emacs' again; it begins in insert mode. */
void composer_set_vim(struct composer *c, bool is_vim);

/* ---- what it is ---- */

/* What enter would do with the text, by its first character. A blank in front makes a message of
 * anything, and so does what no command looks like: "#12 is broken", "/usr/bin is full". */
enum composer_kind {
	COMPOSER_MESSAGE,
	COMPOSER_QUEUE,   /* "&later" */
	COMPOSER_SHELL,   /* "!make" */
	COMPOSER_MEMORY,  /* "#use tabs": one line */
	COMPOSER_COMMAND, /* "/word …": of ours or the agent's, or neither */
};
enum composer_kind composer_kind(const struct composer *c);

/* Takes the whole text for sending and leaves the composer empty; owned. NULL when there is
 * nothing but white space. It is remembered in the history. */
char *composer_take(struct composer *c, size_t *len);
/* Empties it; what stood there is remembered. */
void composer_drop(struct composer *c);
/* Another session's text comes here: empty, nothing to undo; history and kills stay. */
void composer_switch(struct composer *c);
/* Puts a text there to be edited (a queued message, a denied plan); undo brings back the draft. */
void composer_put(struct composer *c, struct vy_str text);
/* The same for the whole as an editor gave it back; nothing happens when it changed nothing. */
void composer_put_back(struct composer *c, struct vy_str whole);

/* ---- what was said ---- */

void composer_remember(struct composer *c, struct vy_str text);
/* The history of another project, oldest first: it takes the place of all that is not fresh. */
void composer_load_history(struct composer *c, const struct vy_str *texts, size_t n);
/* What is fresh is on disk now. */
void composer_kept(struct composer *c);
/* The line said before, or after, takes the place of what stands there; false: there is none. */
bool composer_back(struct composer *c);
bool composer_forth(struct composer *c);
void composer_go(struct composer *c, size_t i); /* line i of the history */
/* The draft: what stands there, or stood there before the history was walked; as edit_text(). */
struct vy_str composer_draft(const struct composer *c);

/* ---- rows ---- */

/* Rows the text takes at this width, `most` at most; at least 1. */
int composer_rows(struct composer *c, int cols, struct vy_width width, int most);

/* One row up or down; false when there is no row and no history in that direction. */
bool composer_up(struct composer *c, int cols, struct vy_width width);
bool composer_down(struct composer *c, int cols, struct vy_width width);

/* Draws into w (its height is the most it may show) and says where the cursor is, in w. `hint` is
 * shown dim while the text is empty; `kind` chooses the mark in front. */
void composer_draw(struct composer *c, struct cell_win w, const char *hint, enum composer_kind kind,
	int *x, int *y);

#endif

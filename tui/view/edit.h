/* edit.h -- a text being written: characters, a cursor, a way back. Emacs' verbs, no keys.
 *
 * The cursor stands between clusters, so one step is what a person sees as one character. Every
 * change is an edit that undo takes back; typing runs of letters is one edit, and so is a paste,
 * however long. Whatever a verb removes beyond one character goes to the kill ring, which outlives
 * the text. Long pastes may be chips: they show as one line of the form "[pasted 214 lines]" and
 * are the whole text when it is taken; a chip is one cluster to move over and to delete.
 * Pure: no screen, no clock. Init/fini. */
#ifndef VIEW_EDIT_H
#define VIEW_EDIT_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/buf.h"
#include "shared/base/str.h"

#define EDIT_MAX        (8 * 1024 * 1024) /* what one message may hold: wire 2 */
#define EDIT_CHIP_LINES 10                /* a paste over either of these is a chip */
#define EDIT_CHIP_CHARS 1000
#define EDIT_KILLS      32
#define EDIT_UNDOS      1000

struct edit_change; /* one step of undo */
struct edit_chip;

struct edit {
	struct vy_buf text; /* a chip stands in it as U+FFFC and its number, see edit_chip_at() */
	size_t at;          /* the cursor, a byte offset on a cluster's border */
	size_t goal;        /* wanted column of up and down; SIZE_MAX: none */
	struct edit_change *undo, *redo; /* newest first */
	size_t n_undo;
	char *kills[EDIT_KILLS]; /* newest at kill_at */
	size_t n_kills, kill_at;
	size_t yank_from, yank_to; /* of the last yank; equal: none */
	struct edit_chip *chips;
	size_t n_chips;
	unsigned last; /* kind of the last edit, for joining */
};

void edit_init(struct edit *e);
void edit_fini(struct edit *e);

/* ---- the text ---- */

bool edit_is_empty(const struct edit *e);
struct vy_str edit_text(const struct edit *e); /* as it stands, chips as their marks; borrowed */
bool edit_whole(const struct edit *e, struct vy_buf *out); /* chips opened */
void edit_set(struct edit *e, struct vy_str text); /* replaces all, cursor at the end; undoable */
/* Empties it for sending: the text is gone from here, undo brings it back. */
void edit_clear(struct edit *e);
bool edit_is_full(const struct edit *e); /* the last insert did not fit */

/* Length of the chip's mark at byte `at` and what it shows; 0 when there is none. */
size_t edit_chip_at(const struct edit *e, size_t at, struct vy_str *label);

/* ---- writing ---- */

void edit_insert(struct edit *e, struct vy_str text); /* typed */
void edit_paste(struct edit *e, struct vy_str text);  /* one edit; long ones become chips */
bool edit_open_chip(struct edit *e); /* the chip before or under the cursor becomes its text */

/* ---- moving ---- */

void edit_left(struct edit *e);
void edit_right(struct edit *e);
void edit_word_left(struct edit *e);
void edit_word_right(struct edit *e);
void edit_line_start(struct edit *e);
void edit_line_end(struct edit *e);
void edit_text_start(struct edit *e);
void edit_text_end(struct edit *e);
void edit_move_to(struct edit *e, size_t at); /* the border at or before `at` */

/* ---- removing ---- */

void edit_delete_back(struct edit *e);
void edit_delete(struct edit *e);
void edit_kill_word_back(struct edit *e);
void edit_kill_word(struct edit *e);
void edit_kill_line(struct edit *e);  /* to the end of the line; at its end the newline */
void edit_kill_start(struct edit *e); /* to the start of the line */

/* ---- the way back ---- */

void edit_yank(struct edit *e);
void edit_yank_pop(struct edit *e); /* after a yank: the kill before it instead */
bool edit_undo(struct edit *e);
bool edit_redo(struct edit *e);

#endif

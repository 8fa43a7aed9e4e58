/* edit.h -- a text being written: characters, a cursor, a way back. Emacs' verbs, no keys.
 *
 * The cursor stands between clusters, so one step is what a person sees as one character. Every
 * change is an edit that undo takes back; a run of typing is one edit, one of deleting too, and so
 * is a paste, however long. Whatever a verb removes beyond one character goes to the kill ring,
 * which outlives the text.
 *
 * A long paste or a picture is a chip: it shows as "[pasted 214 lines]" or "[image 1 · 320×200]",
 * is one step to move over and goes as a whole, into the kill ring. A pasted one becomes its text
 * when it is opened, and is that text when the whole is taken; a picture is its name there.
 * Pure: no screen, no clock. Init/fini. */
#ifndef VIEW_EDIT_H
#define VIEW_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/str.h"

#define EDIT_MAX        (8 * 1024 * 1024) /* what one message may hold: wire 2 */
#define EDIT_CHIP_LINES 10                /* a paste over either of these is a chip */
#define EDIT_CHIP_CHARS 1000
#define EDIT_IMAGES     20 /* in one message: wire 2 */
#define EDIT_KILLS      32
#define EDIT_REGS       28 /* vim's: a to z, what was yanked last, what "." writes again */
#define EDIT_UNDOS      1000
#define EDIT_KEEP       (64 * 1024 * 1024) /* undo and chips together; then the oldest undo goes */

struct edit_change; /* one step of undo */
struct edit_chip;

struct edit_kill {
	char *p; /* owned; NULL: none */
	size_t n;
	bool is_lines; /* whole lines, the last with its newline: vim puts them as lines */
	bool is_small; /* a character or so, as vim's x cuts it: the next such takes its place */
};

struct edit_image {
	const char *mime;   /* "image/png" */
	struct vy_str data; /* the file's bytes */
	unsigned w, h;      /* 0: not known */
};

struct edit {
	struct vy_buf text; /* a chip stands in it as U+FFFC and its number, see edit_chip_at() */
	size_t at;          /* the cursor, a byte offset on a cluster's border */
	size_t goal;        /* wanted column of up and down; SIZE_MAX: none */
	uint64_t rev;       /* counts the changes of the text */
	struct edit_change *undo, *redo; /* newest first */
	size_t n_undo, undo_bytes;
	struct edit_kill kills[EDIT_KILLS]; /* newest at kill_at */
	size_t n_kills, kill_at;
	struct edit_kill regs[EDIT_REGS];
	unsigned group, n_groups;  /* a command of vim's: its u takes all of it back */
	uint64_t kill_rev;         /* counts the changes of the kills */
	size_t yank_from, yank_to; /* of the last yank; equal: none */
	struct edit_chip *chips;
	size_t n_chips, chip_bytes;
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
size_t edit_size(const struct edit *e);  /* of the whole, pictures included, in bytes */
bool edit_is_full(const struct edit *e); /* the last insert did not fit */

/* Length of the chip's mark at byte `at` and what it shows; 0 when there is none. */
size_t edit_chip_at(const struct edit *e, size_t at, struct vy_str *label);
/* Picture i of the text, in its order; false when there are fewer. Borrowed. */
bool edit_image(const struct edit *e, size_t i, struct edit_image *out);

/* ---- writing ---- */

void edit_insert(struct edit *e, struct vy_str text); /* typed */
void edit_paste(struct edit *e, struct vy_str text);  /* one edit; long ones become chips */
/* A chip whatever its length; false when it does not fit. */
bool edit_paste_chip(struct edit *e, struct vy_str text);
/* Its bytes are copied; false when it does not fit, or there are EDIT_IMAGES. */
bool edit_add_image(struct edit *e, const struct edit_image *image);
/* The chip a verb would open: that under the cursor, else that before it; false when none. */
bool edit_chip_near(const struct edit *e, size_t *at);
bool edit_open_chip(struct edit *e); /* it becomes its text; a picture stays */
/* The bytes from one border to another become `text`, the cursor behind it: one edit. */
void edit_put_in(struct edit *e, size_t from, size_t to, struct vy_str text);
/* Takes out the n bytes before the cursor (whole clusters), for what takes their place. */
void edit_take_back(struct edit *e, size_t n);

/* ---- a text of ours: what edit_text() once gave, or what is put together here ---- */

void edit_set_own(struct edit *e, struct vy_str own); /* its chips are chips again */
bool edit_open(const struct edit *e, struct vy_str own, struct vy_buf *out); /* as edit_whole() */
size_t edit_chip_in(const struct edit *e, struct vy_str own, size_t at);     /* length; 0: none */
/* What the chip at byte `at` holds: a pasted text (NULL p: none), a picture. Borrowed. */
struct vy_str edit_chip_text(const struct edit *e, struct vy_str own, size_t at);
bool edit_chip_image(const struct edit *e, struct vy_str own, size_t at, struct edit_image *out);
/* Appends a new chip, or a text from outside, to what shall become the text. */
bool edit_make_chip(struct edit *e, struct vy_str text, struct vy_buf *own);
bool edit_make_image(struct edit *e, const struct edit_image *image, struct vy_buf *own);
void edit_make_text(struct vy_str text, struct vy_buf *own);

/* The text as another program gave the whole back: names of its pictures are the pictures again. */
void edit_rewrite(struct edit *e, struct vy_str whole);

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

/* ---- removing: a chip and all longer than a character goes to the kill ring ---- */

void edit_delete_back(struct edit *e);
void edit_delete(struct edit *e);
void edit_kill_word_back(struct edit *e);
void edit_kill_word(struct edit *e);
void edit_kill_line(struct edit *e); /* to the end of the line; the newline when there */
void edit_kill_start(struct edit *e);

/* Kill i, the newest first, its chips opened; false when there are fewer. */
bool edit_kill(const struct edit *e, size_t i, struct vy_buf *out);
void edit_remember_kill(struct edit *e, struct vy_str text); /* the newest from now on */

void edit_yank(struct edit *e);
void edit_yank_pop(struct edit *e); /* after a yank: the kill before it instead */
bool edit_undo(struct edit *e);
bool edit_redo(struct edit *e);
void edit_forget(struct edit *e); /* undo and redo: another text from now on */

#endif

/* edit_core.h -- for edit*.c alone: the one change of the text, and its chips. */
#ifndef VIEW_EDIT_CORE_H
#define VIEW_EDIT_CORE_H

#include "tui/view/edit.h"

#define EDIT_MARK_LEN 7 /* of a chip: U+FFFC and a private character, 3 + 4 bytes of UTF-8 */

enum { EDIT_OTHER, EDIT_TYPED, EDIT_DELETED, EDIT_KILLED };

struct edit_change {
	size_t at;
	char *removed, *added;
	size_t n_removed, n_added;
	size_t cursor; /* where it was before */
	unsigned group;
	struct edit_change *next;
};

enum edit_chip_kind { EDIT_CHIP_FREE, EDIT_CHIP_TEXT, EDIT_CHIP_IMAGE };

struct edit_chip {
	enum edit_chip_kind kind;
	bool is_used; /* while edit_collect() looks */
	char *data;   /* the text, or the picture's bytes */
	size_t n;
	size_t lines;    /* of a text */
	unsigned number; /* of a picture: its place among those in the text, from 1 */
	unsigned w, h;   /* of a picture; 0 when not known */
	char mime[32];   /* of a picture */
	char label[64];
};

/* ---- edit.c ---- */

/* Takes n_old bytes at `at` out, puts `text` there, notes it for undo; the cursor is behind it.
 * False, and nothing changed: it does not fit. `text` may hold marks of chips. */
bool edit_replace(struct edit *e, size_t at, size_t n_old, struct vy_str text, unsigned kind);
bool edit_undo_group(struct edit *e);
bool edit_redo_group(struct edit *e);
/* What comes from outside may not hold a NUL, and in the text no mark of a chip either; `own` keeps
 * a copy if one is needed. */
struct vy_str edit_clean(struct vy_str text, bool is_chip, struct vy_buf *own);

/* What vim's verbs cut or copy becomes the newest kill; `text` may hold marks of chips. */
void edit_keep_cut(struct edit *e, struct vy_str text, bool is_lines, bool is_small);
void edit_set_reg(struct edit_kill *reg, struct vy_str text, bool is_lines); /* copies */

/* ---- edit_chip.c ---- */

struct edit_chip *edit_chip(const struct edit *e, size_t at); /* whose mark is at byte `at` */
/* What `s` comes to when its chips are opened. */
size_t edit_whole_size(const struct edit *e, struct vy_str s);
void edit_renumber(struct edit *e); /* the pictures, after a change */
void edit_chips_fini(struct edit *e);

/* ---- edit_move.c ---- */

bool edit_is_border(const struct edit *e, size_t at); /* may the cursor stand there? */
size_t edit_before(const struct edit *e, size_t at);  /* one step back from there */
size_t edit_behind(const struct edit *e, size_t at);
size_t edit_word_start(const struct edit *e);
size_t edit_word_end(const struct edit *e);
size_t edit_row_start(const struct edit *e);
size_t edit_row_end(const struct edit *e);
void edit_go(struct edit *e, size_t at);

#endif

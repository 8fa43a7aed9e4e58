/* edit_vim_core.h -- for edit_vim*.c alone: places in the text, motions, what is done to a span.
 *
 * A place is a byte on a cluster's border. A line's end is a place too (its newline, or the end of
 * the text): vim's "NUL" behind the last character, where the cursor stands only for a moment, or in
 * visual mode, or in an empty line. */
#ifndef VIEW_EDIT_VIM_CORE_H
#define VIEW_EDIT_VIM_CORE_H

#include "tui/view/edit_core.h"
#include "tui/view/edit_vim.h"

#define VIM_PAIR(a, b) ((uint32_t)(a) << 21 | (uint32_t)(b)) /* two keys: "ge", "iw" */
#define VIM_LINE       1u /* as a motion: the lines themselves, of "dd" */
#define VIM_AREA       2u /* as a motion: what was selected, or as much again */
#define VIM_REDO       3u /* ctrl-r */
#define VIM_SHIFT      4  /* cells of a step of > and < */
#define VIM_TAB        8

enum { VIM_REG_YANK = 26, VIM_REG_DOT = 27 };

/* A command being carried out. */
struct vim_run {
	struct edit_vim *v;
	struct edit *e;
	const struct edit_vim_cmd *c;
	size_t n;   /* how often; at least 1 */
	bool has_n; /* it was typed */
	bool has_op, is_visual;
};

struct vim_move {
	size_t from, to; /* from: where the cursor is, but for an object */
	bool is_lines, is_inclusive;
	bool is_vertical; /* keeps the wanted column */
	bool is_object;
	bool is_exact; /* an object that ends there, even at a line's start */
};

struct vim_span {
	size_t from, to; /* bytes; of lines: from the first one's start to the last one's end */
	bool is_lines;
	size_t cursor; /* where undo puts it, and what does not delete */
};

/* ---- edit_vim_text.c: places ---- */

bool vim_is_end(const struct edit *e, size_t at); /* at a line's end */
size_t vim_line_start(const struct edit *e, size_t at);
size_t vim_line_end(const struct edit *e, size_t at);
size_t vim_last(const struct edit *e, size_t at);        /* the line's last cluster, or its start */
size_t vim_first_word(const struct edit *e, size_t at);  /* the line's first that is no blank */
size_t vim_line_behind(const struct edit *e, size_t at); /* start of the next; SIZE_MAX: none */
size_t vim_line_before(const struct edit *e, size_t at);
bool vim_is_empty_line(const struct edit *e, size_t at);          /* `at` is the start of one */
bool vim_is_blank_line(const struct edit *e, size_t at);          /* empty, or blanks alone */
bool vim_is_indent(const struct edit *e, size_t at);              /* only blanks before it */
unsigned vim_class(const struct edit *e, size_t at, bool is_big); /* 0: a blank or an end */
/* One place on or back. 0: inside of the line; 1: to another line; 2: onto the line's end; -1: there
 * is none. */
int vim_step(const struct edit *e, size_t *at);
int vim_back(const struct edit *e, size_t *at);
size_t vim_column(const struct edit *e, size_t at);                  /* in cells */
size_t vim_at_column(const struct edit *e, size_t line, size_t col); /* at most the line's end */
struct vy_str vim_cluster(const struct edit *e, size_t at);          /* a chip's mark too */

/* ---- edit_vim_move.c, edit_vim_find.c, edit_vim_object.c: false: the command fails ---- */

bool vim_motion(struct vim_run *r, struct vim_move *m);
bool vim_find(struct vim_run *r, struct vim_move *m);  /* f F t T ; , */
bool vim_match(struct vim_run *r, struct vim_move *m); /* % */
bool vim_object(const struct vim_run *r, struct vim_move *m);
/* The bracket that belongs to the one at `at`; SIZE_MAX: none. */
size_t vim_partner(const struct edit *e, size_t at);

/* ---- edit_vim_op.c ---- */

struct vim_span vim_span_of(const struct vim_run *r, const struct vim_move *m);
/* Does the operator to the span; the cursor ends where vim's does. False: nothing to do it to. */
bool vim_operate(struct vim_run *r, struct vim_span s);
/* Changes the text as vim notes it for undo: the cursor comes back to `cursor`. */
bool vim_replace(struct edit *e, size_t cursor, size_t from, size_t to, struct vy_str text);
void vim_keep(const struct vim_run *r, struct vim_span s, bool is_yank);

/* ---- edit_vim_do.c ---- */

enum vim_done { VIM_FAILED, VIM_MOVED, VIM_CHANGED, VIM_INSERTS };
enum vim_done vim_command(struct vim_run *r);      /* of normal mode, that are no motions */
struct edit_kill vim_reg(const struct vim_run *r); /* what p would put; borrowed */
void vim_insert_from(struct vim_run *r, size_t times, bool is_line);
/* A command on what is selected; `done` is what "." shall do. In edit_vim_visual.c. */
enum vim_done vim_visual(struct vim_run *r, struct edit_vim_cmd *done);
/* What "." writes, so often, each on a line of its own if it is an "o". */
void vim_write_again(const struct edit_vim *v, struct edit *e, size_t times);
/* Esc: writes it as often as it is wanted; normal mode. */
void vim_insert_end(struct edit_vim *v, struct edit *e);

#endif

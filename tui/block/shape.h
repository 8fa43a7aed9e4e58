/* shape.h -- the renderers of tui/block, one a file, as kinds.c lists them.
 *
 * Each appends lines to the sheet, `left` cells in, and sets the sheet's `at` to where in its own
 * words each line begins, counted on from where `at` stood. Text comes in as it arrived; it is made
 * safe here. What a folded drawing leaves out is counted in a line of its own. */
#ifndef BLOCK_SHAPE_H
#define BLOCK_SHAPE_H

#include "shared/text/md.h"
#include "shared/text/wrap.h"
#include "tui/block/draw.h"
#include "tui/block/mark.h"

/* ---- blocks ---- */

typedef void block_shape_fn(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out);

block_shape_fn shape_text, shape_terminal, shape_diff, shape_files, shape_task, shape_record,
	shape_answer, shape_flow, shape_screen, shape_field, shape_field_ref;

/* asked.c: what an ask is about, whole; and what else a person must know of it. */
void shape_asked(const struct vy_ask *a, int left, struct block_sheet *out);
void shape_asked_facts(const struct vy_ask *a, int left, struct block_sheet *out);

/* By its kind. kinds.c. */
void shape_block(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out);

#define SHAPE_FOLDED 6                        /* lines of a folded output */
int shape_limit(const struct block_how *how); /* of shape_words(): SHAPE_FOLDED, or all */

/* The quiet words below a block, if it has any. */
void shape_note(const struct vy_block *b, int left, struct block_sheet *out);
/* "label  value", or why there is none to see. field.c */
void shape_put_field(const struct vy_block_field *f, int left, struct block_sheet *out);

/* What a command printed; folded `tail` of its lines: a third of
 * them its first ones, the others its last. With 1 it is the last, behind their count. */
void shape_output(const struct vy_block *b, const struct block_how *how, int left, size_t tail,
	struct block_sheet *out);

/* picture.c: a picture of `n` that belong together. Where it is not shown, its caption is: what it
 * is called (`alt`; empty: nothing), how large it is, and why it does not come. */
struct shape_picture {
	struct vy_str ref, alt;
	int64_t w, h; /* 0: not said */
	int n;
	bool is_told; /* its row has said that it is one: a caption that says no more is left out */
};
void shape_picture(const struct shape_picture *p, const struct block_how *how, int left,
	struct block_sheet *out);

/* ---- rows: where their marks and words stand ---- */

typedef void block_row_fn(
	const struct vy_row *row, const struct block_how *how, struct block_sheet *out);

/* A person's own command that has not ended: its mark turns. */
bool shape_runs(const struct vy_row *row);

block_row_fn row_message, row_thinking, row_tool, row_ask, row_todo, row_notice, row_term,
	row_participant, row_extension, row_expired;

#define SHAPE_MARK 2 /* marks are left of a quiet edge, as in the margin of a page */
#define SHAPE_TEXT 4
#define SHAPE_BODY 6 /* what a tool brought is indented below its line */

int shape_indent(const struct block_how *how); /* of a row that nests */
/* A line with a mark in the margin. */
struct cell_win shape_head(struct block_sheet *out, const struct block_how *how,
	enum block_mark mark, enum theme_role role);
/* "42 s", "3:05 min"; with tenths "1.8 s" while that says more. */
void shape_time(int64_t ms, bool tenths, char *out, size_t room);

/* ---- text ---- */

/* markdown.c: a message's words. While they grow (not done) nothing half-typed is shown. Goes on
 * behind the sheet's `settled` part, and moves it. */
void shape_markdown(struct vy_str text, bool is_done, struct cell_style base, int left,
	struct block_sheet *out);

/* lines.c: plain text. */
struct shape_lines {
	struct cell_style style;
	int left;
	int limit;        /* rows, if there are more the rest is counted; 0: SHAPE_LINES_MAX */
	bool is_verbatim; /* columns matter: breaks only at the edge */
	int drawn;        /* out: rows */
};
#define SHAPE_LINES_MAX 5000
void shape_lines(struct vy_str text, struct shape_lines *how, struct block_sheet *out);

/* Prose in a role. */
void shape_words(
	struct vy_str text, enum theme_role role, int left, int limit, struct block_sheet *out);

/* A line of its own, its end left out where it does not fit. */
void shape_line(struct vy_str text, struct cell_style s, int left, struct block_sheet *out);
/* One line from x on, at most `room` cells, its end left out with "…". Returns the x behind. */
int shape_put(struct cell_win w, int x, struct vy_str text, int room, struct cell_style s,
	struct block_sheet *out);
/* The same with the beginning left out: paths. */
int shape_put_path(struct cell_win w, int x, struct vy_str path, int room, struct cell_style s,
	struct block_sheet *out);

/* As a screen may show it, in the sheet's arena if it had to be changed. */
struct vy_str shape_safe(struct block_sheet *out, struct vy_str text, unsigned keep);

/* "… 12 more lines" */
void shape_more(struct block_sheet *out, int left, size_t lines);

/* How the row that follows this one goes on from it; of a zeroed row, as vy_wrap_next() begins
 * with, a new line. */
enum block_join shape_join(const struct vy_wrap_row *before);

/* Cells of a line of prose: no wider than an eye follows back. */
int shape_measure(const struct block_sheet *out, int left);

#endif

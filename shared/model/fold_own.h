/* fold_own.h -- the inside of the fold: rows, the lists they stand in, and what changed.
 *
 * `all` holds every row of the transcript in the order it began; `shown` those a screen draws, and
 * each knows its place there. Waiting messages stand in `queued` instead. Of fold*.c alone. */
#ifndef VY_MODEL_FOLD_OWN_H
#define VY_MODEL_FOLD_OWN_H

#include <uthash.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/model/fold.h"

#define VY_FOLD_TEXT_MAX   (64 * VY_MIB) /* of one row */
#define VY_FOLD_OUTPUT_MAX (4 * VY_MIB)  /* of one `!` command */
#define VY_FOLD_NOWHERE    SIZE_MAX
#define FOLD_DEPTH_MAX     8 /* calls a row may stand under; more are not looked up */

struct fold_row {
	struct vy_row row;
	struct vy_buf text; /* the part that grows or is replaced; the row's slice points into it */
	bool listed;        /* in `all` */
	bool full;          /* the text met its maximum: no more is taken */
	size_t at;          /* among the shown */
	UT_hash_handle hh;
};

struct fold_list {
	struct fold_row **v;
	size_t n, cap;
};

/* A rewind at frame `at`: what is visible is what was visible at frame `to`. */
struct fold_rewind {
	uint64_t at, to;
};

struct fold_term {
	struct vy_str term;
	struct fold_row *row; /* its newest command */
};

struct vy_fold {
	struct vy_arena a; /* keys and whatever is set once */
	struct fold_row *by_key;
	struct fold_list all, shown, queued, asks;
	struct fold_rewind *rewinds;
	size_t nrewinds, rewinds_cap;
	struct fold_term *terms;
	size_t nterms, terms_cap;
	uint64_t older;    /* vy_fold_older() */
	bool lacks_folded; /* loaded without the rows that a rewind had hidden */
	struct vy_fold_state state;
	int64_t last_time;                                   /* of the newest frame */
	struct vy_str last_turn, last_author, last_acts_for; /* in `a`: most rows share them */
	struct vy_change *ch; /* of the frame that is being applied */
};

/* ---- rows ---- */

struct fold_row *fold_find(const struct vy_fold *f, struct vy_str key);
/* A new row in no list, with the envelope of the frame. The key is copied. */
struct fold_row *fold_new(
	struct vy_fold *f, enum vy_row_kind kind, struct vy_str key, const struct vy_frame *fr);
void fold_delete(struct vy_fold *f, struct fold_row *r);   /* in no list any more */
void fold_append(struct vy_fold *f, struct fold_row *r);   /* at the end of the transcript */
void fold_take_out(struct vy_fold *f, struct fold_row *r); /* of the transcript */
/* Withheld or folded may have changed: shows or hides it where it belongs. */
void fold_settle(struct vy_fold *f, struct fold_row *r);
/* The frame is in the row now: cursor, time and revision. */
void fold_touch(struct vy_fold *f, struct fold_row *r, const struct vy_frame *fr);
/* The same, and its text is as before up to byte `from`. */
void fold_touch_text(struct vy_fold *f, struct fold_row *r, const struct vy_frame *fr, size_t from);

struct vy_str fold_keep(struct vy_fold *f, struct vy_str s); /* a copy for good; empty stays */
void fold_set(struct vy_str *owned, struct vy_str s);        /* malloc'ed, replaces */

/* ---- lists ---- */

void fold_list_insert(struct fold_list *l, size_t at, struct fold_row *r);
bool fold_list_remove(struct fold_list *l, const struct fold_row *r);
size_t fold_list_index(const struct fold_list *l, const struct fold_row *r); /* or NOWHERE */

/* ---- snapshots ---- */

/* A row of an older page, at the end of `all`; one that is known, or waits, is passed over. */
int fold_load_old_row(struct vy_fold *f, const struct vy_json *v, struct vy_err *e);
void fold_load_rewinds(struct vy_fold *f, const struct vy_json *list);

/* ---- rewinds ---- */

void fold_rewind(struct vy_fold *f, uint64_t at, uint64_t to);
bool fold_is_visible(const struct vy_fold *f, uint64_t cur, uint64_t as_of);
void fold_reshow(struct vy_fold *f); /* rebuilds `shown` from what is visible now */

/* ---- keys: "<what>:<id>" and the like, appended to a buffer of the caller's ---- */

#define FOLD_KEY_MAX   (8 * VY_KIB) /* the longest one holds a path */
#define FOLD_KEY(name) VY_AUTO_BUF name = VY_BUF_INIT(FOLD_KEY_MAX)

struct vy_str fold_key(struct vy_buf *b, const char *what, struct vy_str id);
struct vy_str fold_key2(struct vy_buf *b, const char *what, struct vy_str one, struct vy_str two);
struct vy_str fold_key_cur(struct vy_buf *b, const char *what, uint64_t cur);
struct vy_str fold_key_block(
	struct vy_buf *b, const char *what, struct vy_str message, int64_t index);

/* ---- text that grows ---- */

struct vy_str *fold_text_slice(struct vy_row *r); /* the slice that grows; NULL: none */
void fold_attach(struct fold_row *r);             /* points that slice at the row's buffer */
/* Adds what still fits; what is over its maximum is over for good, wherever the pieces end. */
void fold_grow(struct fold_row *r, struct vy_str s, size_t max, bool is_text);
void fold_replace(struct fold_row *r, struct vy_str s);
/* When the text that this frame begins was begun: merged or not, the same. */
int64_t fold_began(const struct vy_fold *f, const struct vy_frame *fr);
struct fold_row *fold_find_text(struct vy_fold *f, struct vy_str message, int64_t index);

/* ---- frames ---- */

void fold_frame(struct vy_fold *f, const struct vy_frame *fr);
void fold_user_message(struct vy_fold *f, const struct vy_frame *fr);
void fold_text_delta(struct vy_fold *f, const struct vy_frame *fr);
void fold_text_done(struct vy_fold *f, const struct vy_frame *fr);
void fold_text_cut(struct vy_fold *f, const struct vy_frame *fr);
void fold_tool_started(struct vy_fold *f, const struct vy_frame *fr);
void fold_tool_progress(struct vy_fold *f, const struct vy_frame *fr);
void fold_tool_finished(struct vy_fold *f, const struct vy_frame *fr);
/* The call that an ask is about (and those it stands under) waits for a person, or no longer. */
void fold_tool_waits(struct vy_fold *f, struct vy_str tool_id, const struct vy_frame *fr);
void fold_tool_goes_on(struct vy_fold *f, struct vy_str tool_id, const struct vy_frame *fr);
struct vy_str fold_tool_parent(const struct vy_fold *f, struct vy_str tool_id); /* or empty */
void fold_file_changed(struct vy_fold *f, const struct vy_frame *fr);
void fold_term_command(struct vy_fold *f, const struct vy_frame *fr);
void fold_term_chunk(struct vy_fold *f, const struct vy_frame *fr);
struct fold_term *fold_term(struct vy_fold *f, struct vy_str term, bool make);
void fold_set_todo(struct fold_row *r, struct vy_str items); /* `items` is copied */

#endif

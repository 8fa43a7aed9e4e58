/* fold.h -- frames in, transcript out: the one reading of a session, for every screen and server.
 *
 * Feed the frames of one session in the order of their cursors (shared/frame/resume sees to it).
 * One by one or merged, the same rows come out. Text grows by what arrived, not by what is there.
 * What is waiting is not in the transcript: queued messages stand in their own list in the order
 * they will be taken, and become rows where the agent picks them up. A rewind folds rows away and
 * a redo brings them back; both are only statuses.
 *
 * Rows are the fold's and stay readable until the next apply or load. Owner frees with
 * vy_fold_free. Pure: no clock (times are the frames'). */
#ifndef VY_MODEL_FOLD_H
#define VY_MODEL_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/jw.h"
#include "shared/frame/frame.h"
#include "shared/model/row.h"
#include "shared/model/state.h"

struct vy_fold;

/* What one frame did to the shown rows. Rows before `row` are as they were; at `row`, `removed`
 * rows went and `inserted` came; a row that only changed counts as neither. */
struct vy_change {
	bool rows; /* some shown row changed, came or went: `row` is the first */
	size_t row;
	size_t inserted, removed;
	bool grew; /* `row` is older, and its text is as before up to byte `from` */
	size_t from;
	bool rest;  /* rows behind it may have changed too: compare revisions */
	bool state; /* the session's state, mode, queue or open asks changed */
	bool stale; /* rows are missing that a redo wants back: take a snapshot with ?folded=1 */
};

/* What is known of the session beside its rows. */
struct vy_fold_state {
	enum vy_state state;
	bool has_state;     /* some status came */
	int64_t since;      /* time of the frame that entered `state` */
	int64_t worked;     /* ms that the turn worked before it: not what it waited for a person */
	struct vy_str turn; /* the present or last one */
	bool stopping, held;                     /* held: the queue waits for a key */
	struct vy_str reason, note, mode, model; /* empty: not said */
	uint64_t cur;                            /* newest cursor folded; 0: none */
	size_t queued, asks;                     /* waiting messages, open asks */
	size_t running;                          /* tool calls that have not finished */
	struct vy_str todo;                      /* key of the newest todo row; empty: none */
};

struct vy_fold *vy_fold_new(void);
void vy_fold_free(struct vy_fold *f);
void vy_fold_clear(struct vy_fold *f);

/* Applies one frame. Control and ephemeral frames change nothing; a cursor at or below the newest
 * is ignored. `ch` may be NULL. */
void vy_fold_apply(struct vy_fold *f, const struct vy_frame *frame, struct vy_change *ch);

/* ---- reading ---- */

size_t vy_fold_len(const struct vy_fold *f); /* shown rows */
const struct vy_row *vy_fold_row(const struct vy_fold *f, size_t i);
const struct vy_row *vy_fold_find(const struct vy_fold *f, struct vy_str key); /* NULL: none */
bool vy_fold_index(const struct vy_fold *f, struct vy_str key, size_t *i);     /* among the shown */
const struct vy_fold_state *vy_fold_state(const struct vy_fold *f);
const struct vy_row *vy_fold_queued(const struct vy_fold *f, size_t i); /* next first; NULL past */
const struct vy_row *vy_fold_ask(const struct vy_fold *f, size_t i);    /* open, oldest first */

/* What the newest rewind folded away, as long as nothing was said since: a redo brings it back. */
struct vy_fold_back {
	size_t messages; /* of both sides; 0: not known, the snapshot was without them */
};
/* False: there is nothing to bring back. */
bool vy_fold_back(const struct vy_fold *f, struct vy_fold_back *out);

/* Where a row stands under tool calls of the transcript: 0 is the top. At most 8. */
unsigned vy_fold_depth(const struct vy_fold *f, const struct vy_row *r);

/* ---- snapshot ---- */

/* Writes the members "rows", "cur" and "fold" into an object the caller opened (he adds "record"
 * and "epoch"). Folded rows only when asked, marked `folded`. */
void vy_fold_encode(const struct vy_fold *f, bool folded, struct vy_jw *w);
/* The same of the rows that began behind a cursor, and of all that are still open. */
void vy_fold_encode_after(const struct vy_fold *f, uint64_t cur, bool folded, struct vy_jw *w);

/* Replaces all by a snapshot {record, rows, cur, epoch, fold?, before?}. On failure the fold is
 * empty. */
VY_MUST_USE int vy_fold_load(struct vy_fold *f, const struct vy_json *snapshot, struct vy_err *e);

/* ---- pages: a long session begins with its end ---- */

/* May a fold begin behind this frame? A turn is over there. */
bool vy_fold_may_begin(const struct vy_frame *frame);
/* Asked before a frame is applied to a fold that began late: does it go on with something from
 * before? Then the fold should have begun sooner. */
bool vy_fold_crosses(const struct vy_fold *f, const struct vy_frame *frame);
/* Does a later frame go on with, or end, something the fold holds? */
bool vy_fold_ends(const struct vy_fold *f, const struct vy_frame *frame);

/* Frames up to this cursor have not been given: the snapshot was a page. 0: nothing is missing. */
uint64_t vy_fold_older(const struct vy_fold *f);
/* Puts an older page (the snapshot up to vy_fold_older()) in front of all rows. */
VY_MUST_USE int vy_fold_load_older(
	struct vy_fold *f, const struct vy_json *snapshot, struct vy_err *e);

#endif

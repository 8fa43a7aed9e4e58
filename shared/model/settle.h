/* settle.h -- the words of one model attempt, whole: settled once, when the attempt is over.
 *
 * An attempt is the run of words of one message of an assistant, under one parent (the session
 * itself, or the call a subagent works for). It opens with its first text-delta and is settled by
 * the first of: words of another message there, the end of a call there, the end of the turn, of
 * the subagent's call, of the agent; a subagent whose call has ended before: the end of its text. Whole ones have no reason; the others say why they were cut short:
 * "interrupted", "stopped", "retried", "agent-lost", or as the turn's failure said.
 *
 * Exactly one settlement an attempt, and nothing of its deltas is lost in it: per block the text
 * once and a piece for each delta, [where it begins, ms since the delta before]. So a cold replay
 * makes the deltas again with their texts, borders, order and times (vy_settlement_deltas).
 *
 * The machine is rebuilt, not stored: vy_settle_again() takes the frames from vy_settle_since() to the
 * last one that was acted on, with what vy_settle_open() said then. Pure. */
#ifndef VY_MODEL_SETTLE_H
#define VY_MODEL_SETTLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/jw.h"
#include "shared/base/str.h"
#include "shared/frame/frame.h"

/* An attempt that is longer is settled so far and goes on as another. */
#define VY_ATTEMPT_TEXT_MAX   (4 * 1024 * 1024)
#define VY_ATTEMPT_PIECES_MAX (256 * 1024)
#define VY_ATTEMPTS_MAX       256 /* open at once in a session; one more settles the oldest */

#define VY_PIECE_DT_MAX (INT64_C(1) << 43) /* ms; so that all of them are a time */

struct vy_piece {
	int64_t at; /* in the block's text, in UTF-16 units */
	int64_t dt; /* ms since the piece before it in the attempt; 0 for the first */
};

struct vy_settled_block {
	int64_t index;
	bool is_reasoning;
	struct vy_str text;
	const struct vy_piece *pieces;
	size_t n;
};

/* So many pieces come from that block next (its place in `blocks`). */
struct vy_piece_run {
	size_t block, n;
};

struct vy_settlement {
	struct vy_str attempt; /* opaque; of the frame that opened it */
	struct vy_str message, parent, turn, author, acts_for;
	struct vy_str reason;  /* empty: it is whole */
	struct vy_str usage;   /* JSON, or empty */
	int64_t step, started; /* started: wall ms of the first piece */
	int64_t from, to;      /* cursor of the first delta; of the frame that settled it */
	int64_t time;          /* of that frame */
	const struct vy_settled_block *blocks;
	size_t n_blocks;
	const struct vy_piece_run *runs; /* the order of the pieces over all blocks */
	size_t n_runs;
};

/* What a step says. All is lent for the call. */
struct vy_settle_out {
	void (*opened)(void *ctx, const struct vy_frame *first); /* a text-delta */
	void (*settled)(void *ctx, const struct vy_settlement *s);
	void *ctx;
	/* A delta is in it, the attempt's `nth` from 0 on, also its first. NULL: not asked. */
	void (*piece)(void *ctx, struct vy_str attempt, int64_t nth, const struct vy_frame *f);
};

struct vy_settle;

struct vy_settle *vy_settle_new(void);
void vy_settle_free(struct vy_settle *s); /* forgets what is open; NULL is fine */

/* Every frame of a session in order, never merged ones; `step` is the turn's (lift.h). */
void vy_settle_step(struct vy_settle *s, const struct vy_frame *f, int64_t step,
	const struct vy_settle_out *out);

/* Whatever ran before that frame is over: its agent has ended, or another one begins. */
bool vy_settle_ends_agent(const struct vy_frame *f);

/* The oldest frame that the state still rests on; 0: none. */
int64_t vy_settle_since(const struct vy_settle *s);

/* The i-th open attempt, in no order: its first cursor and step; false past the last. */
bool vy_settle_open(const struct vy_settle *s, size_t i, int64_t *from, int64_t *step);

/* The same attempt as if it were settled now, without a cause; the lists live in `mem`, the words until
 * the next step. */
bool vy_settle_so_far(
	const struct vy_settle *s, size_t i, struct vy_arena *mem, struct vy_settlement *out);
/* Of all its blocks. */
size_t vy_settlement_pieces(const struct vy_settlement *s);

/* The frame once more, on the way back to that state: nothing is said. `opens`: it is the first of an
 * attempt that was open (then its step); what was settled by then stays out. */
void vy_settle_again(struct vy_settle *s, const struct vy_frame *f, bool opens, int64_t step);

/* ---- a settlement as the data of its event ---- */

/* In canonical form. What the event has beside it (author, acts_for, turn, step, time) is not in. */
void vy_settlement_encode(const struct vy_settlement *s, struct vy_buf *out);
VY_MUST_USE int vy_settlement_decode(
	struct vy_str data, struct vy_arena *mem, struct vy_settlement *out, struct vy_err *e);

/* Its members "blocks" and, where one is needed, "order", into an object that is open; a block's pieces
 * are called `stream`. And back: of `out` only these are set. */
void vy_settlement_write_blocks(const struct vy_settlement *s, const char *stream, struct vy_jw *w);
VY_MUST_USE int vy_settlement_read_blocks(const struct vy_json *v, const char *stream,
	struct vy_arena *mem, struct vy_settlement *out, struct vy_err *e);

/* The deltas it was made of, in order, without id and cursor. */
typedef void vy_settlement_fn(void *ctx, const struct vy_frame *delta);
void vy_settlement_deltas(const struct vy_settlement *s, vy_settlement_fn *fn, void *ctx);

#endif

/* log.h -- the door of the house: what people must be able to see again becomes a frame here first.
 *
 * Everything of one loop turn (frames of all sessions, rows, calls for afterwards) is gathered and
 * committed in one transaction at the turn's end. Only then it exists: `committed` tells the hub,
 * and the calls given to log_after() run in order (RPC replies, bytes for agents, ACKs). So no
 * viewer and no caller ever saw what the store lacks.
 *
 * A commit that fails publishes nothing and loses nothing: all stays staged, in order, and is tried
 * again; `paused` says so when it begins, when its reason changes and when it is over. While
 * paused, callers take in no new agent output (no CREDIT, no ACK); asks, answers and interrupts go
 * on. A damaged store (VY_CORRUPT, VY_CONFLICT) is read only until a restart: what waits is lost.
 * A read that meets damage makes it so too; frames that cannot be read come as `hidden`.
 *
 * Under many commits a second the turn is widened to a few ms, never when things are quiet.
 *
 * Sessions are named by id; one never seen has head 0. Slices are borrowed and copied. Loop thread. */
#ifndef LOG_H
#define LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "server/log/ring.h"
#include "server/log/store.h"
#include "shared/base/buf.h"
#include "shared/base/err.h"

struct vy_clock;
struct vy_event;
struct vy_frame;
struct vy_message;
struct vy_settlement;
struct vy_loop;
struct log;

struct log_conf {
	struct vy_loop *loop;    /* NULL (tests, tools): the caller calls log_flush() itself */
	struct log_store *store; /* borrowed; closed by the caller after log_free */
	const struct vy_clock *clock;
	size_t ring_frames, ring_bytes, rings_bytes; /* one session, one session, all; 0: default */
	const char *boot_id;                         /* of the machine's boot; NULL: the kernel's */
	int64_t retain_frames, retain_bytes;         /* of one session in the store; 0: default */
	/* A store that is open to be read alone, and why: the log begins as damaged. NULL: it is not. */
	const struct vy_err *damaged;
	/* What can be done about a damaged store, as a sentence; NULL: nothing is known. */
	void (*remedy)(void *ctx, struct vy_buf *out);
	void *ctx;
};

/* Reads or makes the epoch and counts this start. NULL on failure. */
VY_MUST_USE struct log *log_new(const struct log_conf *conf, struct vy_err *e);
/* The last commit: what cannot be stored now never will be, and its calls run with committed =
 * false; waits for the syncs. Before the rooms that stand behind those calls are taken down. */
void log_settle(struct log *l);
/* Settles, and marks the end as clean when nothing was lost. */
void log_free(struct log *l);

const char *log_epoch(const struct log *l); /* 12 characters */
int64_t log_starts(const struct log *l);    /* vyred's start counter: ATTACH's epoch (wire 12) */
bool log_was_clean(const struct log *l);    /* the last vyred shut down by itself */

/* Called after the commit; head 0: the session was deleted. */
typedef void log_committed_fn(void *ctx, const char *session, int64_t head);
typedef void log_paused_fn(void *ctx, bool is_paused, const struct vy_err *why); /* NULL: over */
/* An event was staged (derive.h), or, with its id, the end of a session; one listener, the search. */
typedef void log_event_fn(void *ctx, struct vy_str deleted);
void log_on_event(struct log *l, log_event_fn *fn, void *ctx);
/* LOG_LISTENERS at most (the hub and its views), told in that order. By their ctx; fn NULL: no more. */
#define LOG_LISTENERS 8
void log_on_committed(struct log *l, log_committed_fn *fn, void *ctx);
/* Two listeners at most: the sessions, which wait, and the hub, which tells. By their ctx; fn NULL:
 * no more. */
void log_on_paused(struct log *l, log_paused_fn *fn, void *ctx);
const struct vy_err *log_trouble(const struct log *l); /* why it is paused; NULL: it is not */
/* Why it is paused, as people and programs are told; false: it is not. Borrowed until it changes. */
struct log_pause {
	const char *reason; /* disk-full, disk-failed, storage-slow, damaged, not-ours */
	const char *note;   /* for a person */
};
bool log_pause(const struct log *l, struct log_pause *out);
bool log_is_read_only(const struct log *l); /* a damaged store: nothing new until a restart */

/* What is staged beside frames, as it is staged: an event of the journal, a message's record, a
 * session's. One listener (the control plane), which tells it on behind log_after(). Lent. */
struct log_news {
	const char *session;
	const struct vy_frame *frame;     /* it came of; NULL for a session's record */
	const struct vy_event *event;     /* NULL, or … */
	struct vy_str id;                 /* … with its name */
	const struct vy_message *message; /* NULL, or … */
	int change;                       /* … an enum vy_message_change */
	struct vy_str record;             /* the session's, as stored; empty beside the others */
	bool is_gone;                     /* the session's record is deleted */
};
typedef void log_news_fn(void *ctx, const struct log_news *n);
void log_on_news(struct log *l, log_news_fn *fn, void *ctx);

/* ---- staging ---- */

/* Gives the frame its session, cursor, and id and time where unset, encodes it and stages it. The
 * cursor is in f->cur afterwards. VY_BAD_INPUT: not a valid frame or too large; VY_FULL: paused,
 * and too much waits already; VY_CORRUPT: the store is damaged and read only. */
VY_MUST_USE int log_append(
	struct log *l, const char *session, struct vy_frame *f, struct vy_err *e);

/* While it is, frames that are appended are no news (log_on_news): they are copies of what is known. */
void log_quiet(struct log *l, bool is_quiet);

/* Rows that commit with it. A row put twice before the commit is written once, as it was last. */
void log_put(struct log *l, const struct store_row *row);
void log_del(struct log *l, const struct store_row *row);
#define LOG_PUT(log, KIND, member, ...)                                                            \
	log_put((log), &(struct store_row){ .kind = (KIND), .member = { __VA_ARGS__ } })
#define LOG_DEL(log, KIND, member, ...)                                                            \
	log_del((log), &(struct store_row){ .kind = (KIND), .member = { __VA_ARGS__ } })
/*	LOG_PUT(log, ROW_KV, kv, .space = VY_STR_LIT("trust"), .name = cwd, .value = when); */

/* Runs fn after the commit of all that was staged before it (at this turn's end when that is
 * nothing); committed = false only when the log ends or breaks before it. In the order given. fn
 * may stage again: that is the next transaction. */
typedef void log_after_fn(void *ctx, bool committed);
void log_after(struct log *l, log_after_fn *fn, void *ctx);
/* The same, after the disk has it too (durability=full); false also when the disk failed. */
void log_after_sync(struct log *l, log_after_fn *fn, void *ctx);
/* For who only read: behind the commit like all others, but not held up while it is paused. */
void log_after_read(struct log *l, log_after_fn *fn, void *ctx);

/* The turn's end: the log is a hook of its loop, so only tests and shutdown call this. */
void log_flush(struct log *l);

/* ---- reading: only what is committed ---- */

int64_t log_head(struct log *l, const char *session);
int64_t log_floor(struct log *l, const char *session);  /* head + 1 when none is held */
int64_t log_staged(struct log *l, const char *session); /* last cursor given out, >= head */
/* Below this cursor the log was made again (seed.h): nobody goes on from there, but from before the floor
 * all of it is right. 0: it is as it was. */
int64_t log_exact(struct log *l, const char *session);
/* The number of the journal's newest event, 0 before the first commit of this start. As long as it stays
 * the same there are no new ones, of any session. */
int64_t log_events(const struct log *l);

/* Frames after `after` in order, from ring or store, each lent until fn returns (frame_ref() to
 * keep it); until fn says enough, or the head. VY_GONE when after < floor - 1 or after > head. */
typedef bool log_read_fn(void *ctx, struct frame_ref *f);
VY_MUST_USE int log_read(struct log *l, const char *session, int64_t after, log_read_fn *fn,
	void *ctx, struct vy_err *e);
/* The same, with runs as one frame up to a cursor, or with words that expired for viewers (store.h). */
VY_MUST_USE int log_read_as(struct log *l, const char *session, int64_t after,
	const struct store_reading *how, log_read_fn *fn, void *ctx, struct vy_err *e);
/* One frame by cursor as a reference of the caller's, or NULL when it is not held or not read. */
struct frame_ref *log_frame(struct log *l, const char *session, int64_t cur);

/* The attempts of a session that are under way, each as if it were settled now (settle.h: words and
 * pieces so far), lent for the call; with the frames that wait for the commit, if any do (log_staged). */
typedef void log_attempt_fn(void *ctx, const struct vy_settlement *so_far);
VY_MUST_USE int log_attempts(
	struct log *l, const char *session, log_attempt_fn *fn, void *ctx, struct vy_err *e);

/* Rows as they were at the last commit (store.h: each, output). */
VY_MUST_USE int log_each(
	struct log *l, const struct store_row *like, store_row_fn *fn, void *ctx, struct vy_err *e);
/* One row by its key, as it is staged, else as at the last commit: what this loop turn did counts, for
 * who must not do a thing twice. fn is not called when there is none. */
VY_MUST_USE int log_row(
	struct log *l, const struct store_row *key, store_row_fn *fn, void *ctx, struct vy_err *e);
VY_MUST_USE int64_t log_output(struct log *l, struct vy_str session, struct vy_str ref, int64_t off,
	void *out, size_t n, int64_t *total, struct vy_err *e);

/* ---- keeping it small: of retain.h alone ---- */

/* store.h (tidy, shrink), with what the log has in memory brought along. VY_RETRY: not now. */
VY_MUST_USE int log_tidy(struct log *l, const struct store_tidy *what,
	void (*done)(void *ctx, int rc), void *ctx, struct vy_err *e);
void log_tidy_end(struct log *l); /* waits for the step under way, of which nobody is told */
VY_MUST_USE int log_trim(struct log *l, const char *session, int64_t floor, struct vy_err *e);
VY_MUST_USE int log_shrink(struct log *l, struct vy_err *e);
/* As the store has it: a log that is empty is not made again for it (seed.h). */
VY_MUST_USE int log_held(
	struct log *l, const char *session, struct store_bounds *out, struct vy_err *e);

#endif

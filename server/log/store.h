/* store.h -- where frames and rows live for good: SQLite now, another engine one day.
 *
 * A store is an engine behind `struct store_ops`; nobody outside server/log calls it for writing
 * (log.h stages and commits). Two kinds of things: frames, gapless per session and addressed by
 * cursor; and rows, small typed records that commit together with them, "the state at the offset"
 * (wire 12). An append names the cursor it expects to follow and the epoch of the history it
 * belongs to; the wrong one is refused (VY_CONFLICT), so two writers can never both go on.
 *
 * A failed begin, append, put, del or commit has rolled the transaction back. All slices given are
 * borrowed for the call; all slices in a callback live until it returns, and a callback calls no
 * store function. Loop thread only. */
#ifndef STORE_H
#define STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/str.h"

#define STORE_EPOCH_LEN 12

/* ---- frames ---- */

struct store_frame {
	int64_t cur;
	struct vy_str bytes; /* encoded, as every viewer gets them */
	int64_t span;        /* read: 0 or 1, or how many frames it stands for (store_reading) */
};

/* How frames are read; NULL: as they came, one by one. */
struct store_reading {
	int64_t merge_to; /* a store may give runs up to here as one frame (wire 3); 0: none */
	bool is_whole;    /* words that expired for viewers too, where they are still known */
};

/* floor is the oldest frame held, head + 1 when none (wire 4). A session never seen: 0, 1. */
struct store_bounds {
	int64_t head, floor;
	int64_t frames, bytes; /* held */
	int64_t packed;        /* up to here a merged read costs next to nothing; 0: nowhere */
};

/* false: enough, stop reading. */
typedef bool store_frame_fn(void *ctx, const struct store_frame *f);

/* ---- rows ---- */

enum row_kind {
	ROW_SESSION,
	ROW_LIVE,
	ROW_TELL,
	ROW_ASK,
	ROW_QUEUE,
	ROW_KEY,
	ROW_OUTPUT,
	ROW_KV,
	ROW_JOURNAL,
	ROW_MESSAGE,
	ROW_CONTROL,
	ROW_KINDS
};

struct row_session {                /* key: session */
	struct vy_str session, doc; /* doc: the record as JSON */
	struct vy_str project, state;
	int64_t updated; /* wall ms */
	bool is_archived;
};

struct row_live { /* key: hid; a process that is, or may still be, out there */
	struct vy_str hid, session;
	struct vy_str token;                    /* 32 bytes for ATTACH */
	int64_t off;                            /* consumed: parsed into events */
	struct vy_str driver_state, turn_state; /* JSON of the pure cores' values */
	struct vy_str extra;                    /* JSON: pids, pgid, sid, started … */
};

struct row_tell { /* key: hid, seq; bytes on their way to the agent's stdin */
	struct vy_str hid;
	int64_t seq;
	struct vy_str bytes;
};

struct row_ask { /* key: ask */
	struct vy_str ask, session;
	bool is_open;
	int64_t raised; /* wall ms; lists are in this order */
	struct vy_str doc;
};

struct row_queue { /* key: session, queued */
	struct vy_str session, queued;
	int64_t position;  /* lists are in this order */
	struct vy_str doc; /* JSON: message, text, mode, author, … */
};

struct row_key {             /* key: scope, method, key; an idempotency record (wire 2) */
	struct vy_str scope; /* person and device */
	struct vy_str method, key;
	struct vy_str input;  /* hash of the parameters */
	struct vy_str result; /* JSON as first answered */
	int64_t expires;      /* wall ms */
};

struct row_output { /* key: session, ref; a body too large for a frame, an uploaded image */
	struct vy_str session, ref, mime, bytes;
};

/* These spaces go with the session that is their name. */
#define ROW_DERIVED "derive"
#define ROW_SEEDED  "seed"
struct row_kv { /* key: space, name; "trust" cwd, "draft" …, "meta" (the log's own), "rule" … */
	struct vy_str space, name, value;
};

/* key: seq; put once, never replaced (journal.h). A session that is deleted leaves its rows without
 * their data: then, and only then, data is empty. */
struct row_journal {
	int64_t seq; /* of the whole database, dense from 1; in a list: from this on, -1: the last */
	struct vy_str session, id, type;
	int64_t time;
	struct vy_str actor, chain, subject, turn;
	int64_t step;
	struct vy_str data, data_hash, prev, hash;
};

struct row_message { /* key: session, message; shared/model/message */
	struct vy_str session, message;
	int64_t position;  /* lists are newest first; in a list: below this, 0: all */
	struct vy_str doc; /* the record as JSON */
};

/* key: seq; an event of the control plane (hub/control_kept.h), put once. A session that is deleted leaves
 * its rows empty but for their seq. */
struct row_control {
	int64_t seq; /* in a list: from this on, -1: the last */
	struct vy_str session, type;
	struct vy_str own; /* JSON: whose it was, for when the session is gone; empty: it says so */
	struct vy_str doc; /* the event as it is sent, or the record of the message it is about */
};

struct store_row {
	enum row_kind kind;
	union {
		struct row_session session;
		struct row_live live;
		struct row_tell tell;
		struct row_ask ask;
		struct row_queue queue;
		struct row_key key;
		struct row_output output;
		struct row_kv kv;
		struct row_journal journal;
		struct row_message message;
		struct row_control control;
	};
};

typedef bool store_row_fn(void *ctx, const struct store_row *row);

/* ---- keeping it small ---- */

/* What a step may do for one session, the first of these that is due. Frames stay what they are to every
 * reader, but for those that expire (wire 7). Each step is one transaction of bounded size. */
struct store_tidy {
	struct vy_str session;
	int64_t upto;          /* frames up to here rest on nothing open: they may be packed */
	int64_t few;           /* not when there are fewer than so many */
	int64_t expire_before; /* wall ms: what expires and is older loses its words; 0: nothing */
	bool is_idle;          /* its runs may be joined and packed as small as it goes */
};

/* ---- the engine ---- */

struct log_store {
	const struct store_ops *ops;
};

struct store_ops {
	const char *name;

	/* What one loop turn commits together. VY_RETRY: not now, call again after `wake`. */
	int (*begin)(struct log_store *s, struct vy_err *e);
	int (*commit)(struct log_store *s, struct vy_err *e);
	void (*rollback)(struct log_store *s);

	/* frames[i].cur must be prev + 1 + i and prev the head. */
	int (*append)(struct log_store *s, struct vy_str session, int64_t prev, const char *epoch,
		const struct store_frame *frames, size_t n, struct vy_err *e);
	int (*trim)(struct log_store *s, struct vy_str session, int64_t floor, struct vy_err *e);
	/* Of a log that holds no frame: n of them up to its head, the last of which is that (or, of a session
	 * never seen, becomes it). VY_CONFLICT: it is not so. */
	int (*fill)(struct log_store *s, struct vy_str session, const struct store_frame *frames,
		size_t n, struct vy_err *e);
	/* Inserts or replaces by key; a journal row that is there already is VY_CONFLICT. */
	int (*put)(struct log_store *s, const struct store_row *row, struct vy_err *e);
	/* Deletes by key (only key fields are read). A tell goes with all lower seqs of its hid;
	 * a key goes by `expires`: all that expired before it; a control row with all lower ones; a
	 * live row takes its tells along; a session takes its frames and all its rows along, but of the
	 * journal their data alone, and of the control plane all but the seq. */
	int (*del)(struct log_store *s, const struct store_row *row, struct vy_err *e);

	/* 0 with *e VY_CORRUPT beside it: as far as they can still be read. */
	int (*bounds)(struct log_store *s, struct vy_str session, struct store_bounds *out,
		struct vy_err *e);
	/* Frames from cursor `from` on, in order, until fn says enough. */
	int (*read)(struct log_store *s, struct vy_str session, int64_t from,
		const struct store_reading *how, store_frame_fn *fn, void *ctx, struct vy_err *e);
	/* Rows of like->kind whose leading key fields equal those given in `like`; empty ones match
	 * all. Session: newest first; by session, also by project or state when given. Ask: open
	 * ones only when like->ask.is_open. Live: by session, or hid. Tell: seq >= like's. Outputs
	 * come without bytes (see output). Journal: seq >= like's, also of one session. Control: seq >= like's. Message: of
	 * one session, position < like's, or one by its id. */
	/* Of a damaged store: VY_CORRUPT behind the rows that could be read. */
	int (*each)(struct log_store *s, const struct store_row *like, store_row_fn *fn, void *ctx,
		struct vy_err *e);
	/* Bytes [off, off + n) of an output into `out`: the count, 0 past the end, -1 NOT_FOUND. */
	int64_t (*output)(struct log_store *s, struct vy_str session, struct vy_str ref,
		int64_t off, void *out, size_t n, int64_t *total, struct vy_err *e);

	/* One step that keeps a session small (store_tidy). 1: made, or under way on the worker; `done`
	 * comes with it, with rc 0, or -1 when it came to nothing this time. 0: there is nothing to
	 * do, -1: failed; neither calls. One at a time. */
	int (*tidy)(struct log_store *s, const struct store_tidy *t,
		void (*done)(void *ctx, int rc), void *ctx, struct vy_err *e);
	/* Gives some free room back to the disk: 1 there is more, 0 none, -1 failed. */
	int (*shrink)(struct log_store *s, struct vy_err *e);

	/* Everything committed so far reaches the disk; fn on the loop, later or at once. */
	void (*sync)(
		struct log_store *s, void (*fn)(void *ctx, const struct vy_err *failed), void *ctx);
	/* Waits until every sync asked for, and a step of tidy, has called back. */
	void (*drain)(struct log_store *s);
	/* After VY_FULL: is there room again for ordinary work? Asked from time to time. */
	bool (*has_room)(struct log_store *s);
	/* `wake` is called on the loop when a begin or commit refused with VY_RETRY may go on. */
	void (*on_wake)(struct log_store *s, void (*wake)(void *ctx), void *ctx);
	/* Copies all of it into a new file while work goes on, a piece a call: 1 more, 0 whole, -1
	 * failed. `copied` of `total` bytes are there. copy_end throws half a copy away. */
	int (*copy)(struct log_store *s, const char *path, int64_t *copied, int64_t *total,
		struct vy_err *e);
	void (*copy_end)(struct log_store *s);
	void (*close)(struct log_store *s); /* clean shutdown; frees */
};

struct vy_loop;
struct work;

/* `<dir>/vyre.db`; the caller holds the lock of `dir`. NULL on failure. loop and work may both be
 * NULL for a tool without a loop: then nothing is checkpointed before close. */
VY_MUST_USE struct log_store *store_sqlite_open(
	const char *dir, struct vy_loop *loop, struct work *work, struct vy_err *e);

/* The same to read alone, for a database that is damaged or that nobody may write: nothing is changed,
 * begin fails with VY_CORRUPT. NULL: not even its schema can be read. */
VY_MUST_USE struct log_store *store_sqlite_open_read(const char *dir, struct vy_err *e);
/* Reads every page of the database file `path`, which nobody has open: 0, or VY_CORRUPT with what is
 * not whole, VY_UNSUPPORTED when a newer vyred wrote it. Changes nothing. */
VY_MUST_USE int store_sqlite_check(const char *path, struct vy_err *e);

/* In memory, for tests; forgets all at close. */
struct log_store *store_mem_new(void);
/* The kth call from now (1 is the next) of begin, append, put, del or commit fails with `code`,
 * and `times` - 1 further ones. */
void store_mem_fail(struct log_store *s, int kth, int times, enum vy_code code);

#endif

/* hold.h -- vyred's end of one holder: starts it, speaks its protocol, carries the bytes.
 *
 * It transports and nothing more: what must be committed before a byte may go out (`tell`) or be
 * forgotten (`live`) is the caller's. Calls may be made at any time after hold_spawn/hold_attach,
 * also before on_hello: they reach the holder in the order they were made, but for input that waits
 * for a child which does not read (a signal overtakes it). How far the holder may send runs by
 * itself, a window ahead of what on_out took; hold_pause() stops it (the holder then spools, and at
 * its limit stops the child).
 *
 * Loop thread only. Callbacks come from the loop only, never from inside a call; every call, hold_free
 * too, may be made from a callback. on_lost is the last callback and comes at most once. A connection
 * that breaks is made anew while somebody answers there: on_hello comes once more, and what had
 * not arrived goes again, but for signals. Nobody does when the holder died; one that a newer
 * vyred took, or that let us go after hold_bye(), is not dialled again. */
#ifndef HOLD_H
#define HOLD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "shared/base/err.h"
#include "shared/base/str.h"

struct vy_loop;
struct hold;

#define HOLD_HID_LEN   16 /* 8 random bytes as hex */
#define HOLD_TOKEN_LEN 32

enum hold_state { HOLD_EMPTY, HOLD_RUNNING, HOLD_EXITED };
enum hold_kind { HOLD_PIPE, HOLD_PTY };
enum { HOLD_STDOUT = 1, HOLD_STDERR = 2 }; /* a PTY has HOLD_STDOUT alone */

struct hold_at {         /* which holder; all of it is copied */
	const char *dir; /* the state folder, absolute; the holder listens in its h/ */
	const char *hid;
	uint8_t token[HOLD_TOKEN_LEN];
	uint64_t epoch;      /* vyred's start counter: a higher one takes the holder over */
	const char *program; /* vyre-holder to start; NULL: where launch.h finds it */
};

struct hold_start { /* what the child is; all of it is copied */
	enum hold_kind kind;
	const char *const *argv; /* NULL at the end; argv[0] is looked up in env's PATH */
	const char *const *env;  /* "NAME=value", NULL at the end; the whole environment */
	const char *cwd;
	unsigned cols, rows;  /* PTY */
	unsigned umask;       /* 022 and the like */
	const char *user;     /* who it becomes (io/agent_user.h); NULL: nobody else */
	bool is_agent;        /* it is branded (holder/brand.h); a person's shell is not */
	uint32_t orphan_s;    /* without a vyred this long, a silent child is ended; 0: never */
	struct vy_str secret; /* to the child's fd 3, at most VY_SECRET_MAX; empty: none */
};

struct hold_hello {
	enum hold_state state;
	pid_t holder;         /* the holder itself */
	pid_t pid, pgid, sid; /* the child; 0 while there is none */
	uint64_t floor, end;  /* what the spool has: [floor, end) */
	uint64_t in_next;     /* tells below this arrived; send the others again */
	int status, signal;   /* when exited; signal 0: it ended by itself */
};

struct hold_ops {
	void (*on_hello)(void *ctx, const struct hold_hello *hello);
	void (*on_started)(void *ctx, pid_t pid, pid_t pgid, pid_t sid);
	void (*on_refused)(void *ctx, const char *why); /* START: a sentence for a person */
	/* No bytes: the child closed that stream. Each attach tells it again. */
	void (*on_out)(void *ctx, uint64_t off, int stream, struct vy_str bytes);
	void (*on_inack)(void *ctx, uint64_t seq); /* the holder has this tell and all before it */
	void (*on_exit)(void *ctx, int status, int signo);    /* after the last on_out */
	void (*on_lost)(void *ctx, const struct vy_err *why); /* VY_GONE, VY_DENIED, VY_IO … */
};

void hold_new_id(char hid[HOLD_HID_LEN + 1], uint8_t token[HOLD_TOKEN_LEN]);

/* Starts a holder and attaches to it. Commit (session, hid, token) before. */
struct hold *hold_spawn(
	struct vy_loop *l, const struct hold_at *at, const struct hold_ops *ops, void *ctx);
/* Attaches to one that an earlier vyred started; bytes come from offset `from` on, which the caller
 * has committed: the holder may forget what is before it. */
struct hold *hold_attach(struct vy_loop *l, const struct hold_at *at, uint64_t from,
	const struct hold_ops *ops, void *ctx);
/* Lets go of the connection alone: the holder lives on, and gets what was sent before. */
void hold_free(struct hold *h);

/* Once; a second is only answered. -1 with VY_FULL: over VY_ARGV_MAX, VY_ENV_MAX or VY_SECRET_MAX. */
VY_MUST_USE int hold_start(struct hold *h, const struct hold_start *start, struct vy_err *e);
void hold_ack(struct hold *h, uint64_t off); /* committed up to here: the holder may forget it */
void hold_pause(struct hold *h, bool paused);

/* One whole message for the child's stdin; seq grows. No bytes: end of input. Held back here while
 * the child does not read; -1 with VY_FULL when VY_HOLD_IN_MAX bytes wait (nothing was taken). */
VY_MUST_USE int hold_in(struct hold *h, uint64_t seq, struct vy_str bytes, struct vy_err *e);
void hold_signal(struct hold *h, int signo, bool tree); /* tree: to every descendant */
void hold_resize(struct hold *h, unsigned cols, unsigned rows);
void hold_bye(struct hold *h); /* the holder ends once its child is over; then on_lost, VY_GONE */

#endif

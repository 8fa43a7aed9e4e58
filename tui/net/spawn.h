/* spawn.h -- where the local server is, and starting one when none runs.
 *
 * The server is started as `vyred --socket PATH --state-dir DIR`, detached (a session of its own,
 * no terminal, / as its folder, no descriptor of ours), with nothing of our environment but where
 * home is. Starting it twice is harmless: vyred takes a lock, and whoever lost the race finds the
 * winner's socket. A try blocks no longer than the fork. Loop thread only. */
#ifndef SPAWN_H
#define SPAWN_H

#include <stdbool.h>

#include "shared/base/err.h"
#include "shared/io/loop.h"

struct spawn_place {
	char *state_dir; /* $XDG_STATE_HOME/vyre, or --state-dir; absolute */
	char *socket;    /* <state_dir>/vyred.sock, or --socket; absolute, of any length */
	char *program; /* vyred: beside this program in a build tree, else in BINDIR, else in PATH */
};

/* `state_dir` and `socket` may be NULL for the usual place. -1 when there is no home to put it. */
VY_MUST_USE int spawn_place_init(
	struct spawn_place *p, const char *state_dir, const char *socket, struct vy_err *e);
void spawn_place_fini(struct spawn_place *p);

/* A connect() that tells whether anybody listens: true, or false with the reason (VY_RETRY when
 * it is simply nobody). */
bool spawn_is_running(const struct spawn_place *p, struct vy_err *e);

struct spawn;

/* Starts a server and waits for it: `done`, once and never from inside spawn_start(), with VY_OK
 * when the socket answers (ours or the winner's), else with the reason: what the server last said,
 * or that it did not answer within SPAWN_WAIT_MS. While the one that holds the lock says nothing
 * (it may be dying) another is started from time to time. The place is copied. */
#define SPAWN_WAIT_MS 10000
typedef void spawn_done_fn(void *ctx, const struct vy_err *e);
struct spawn *spawn_start(
	struct vy_loop *l, const struct spawn_place *p, spawn_done_fn *fn, void *ctx);
/* Stops waiting; the server goes on. NULL is fine; from inside `done` too. */
void spawn_free(struct spawn *s);

#endif

/* ask.h -- questions to the server whose answer is waited for, before or without a screen.
 *
 * Each runs the loop until its answer is there and is therefore never called from a callback. An
 * answer is owned by the caller; NULL or -1 is a failure with its sentence. */
#ifndef NET_ASK_H
#define NET_ASK_H

#include <stdbool.h>

#include "shared/base/err.h"
#include "shared/base/hash.h"
#include "shared/base/json.h"
#include "shared/io/loop.h"

struct rpc;
struct spawn_place;

/* A server that answers at this place: the one that runs, or one that is started now. */
VY_MUST_USE int ask_server(struct vy_loop *l, const struct spawn_place *p, struct vy_err *e);

/* `own_params` is handed over; `key` may be NULL. With a key, an answer that got lost is asked for
 * again a few times: the same key gets the same result. */
struct vy_json *ask_call(struct vy_loop *l, struct rpc *r, const char *method,
	struct vy_json *own_params, const char *key, struct vy_err *e);

/* ---- which session ---- */

/* By its id, four characters or more of its beginning, or its title; the newest that fits. */
struct vy_json *ask_named(struct vy_loop *l, struct rpc *r, const char *name, struct vy_err *e);
/* The newest of a folder; VY_NOT_FOUND when there is none. */
struct vy_json *ask_newest(struct vy_loop *l, struct rpc *r, const char *cwd, struct vy_err *e);

/* ---- a new one ---- */

struct ask_start {
	const char *provider, *model, *title; /* NULL: not said */
	const char *cwd;                      /* absolute */
};

/* Starts it: its record. Without a provider it is the first that can run here, the demo last. */
struct vy_json *ask_start(
	struct vy_loop *l, struct rpc *r, const struct ask_start *s, struct vy_err *e);

#endif

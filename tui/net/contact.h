/* contact.h -- a server to talk to, for whoever cannot go on without its answer.
 *
 * The commands, and the screen before there is one: finds the server or starts it, dials it, and
 * waits for answers by running the loop. contact_ask() blocks the caller; nothing else may run the
 * same loop meanwhile, but what stands on it (a link) goes on.
 *
 * A call that got lost because the server went away is asked again for a few seconds, a write with
 * the same key: a restart is not an error. Owner closes it; loop, dial and rpc are its own and may
 * be used by others until then. */
#ifndef NET_CONTACT_H
#define NET_CONTACT_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/io/loop.h"
#include "tui/net/dial.h"
#include "tui/net/rpc.h"
#include "tui/net/spawn.h"

struct contact_conf {
	const char *connect;   /* URL; NULL: the local server */
	const char *socket;    /* NULL: the usual one; inside an agent, the agent's own */
	const char *state_dir; /* NULL: the usual one */
	bool may_start;        /* a local server, when none runs */
	int64_t timeout_ms;    /* of a call; 0: rpc.h's */
};

struct contact {
	struct vy_loop *loop;
	struct spawn_place place;
	struct dial *dial;
	struct rpc *rpc;
	bool is_local;  /* on this machine, by its socket */
	bool may_start; /* a server, when there is none (any more) */
	int64_t timeout_ms;
};

/* -1 with VY_RETRY when there is no server (and it could not be started), VY_BAD_INPUT when what
 * was given makes no sense. contact_close() is due in any case. */
VY_MUST_USE int contact_open(struct contact *c, const struct contact_conf *conf, struct vy_err *e);
void contact_close(struct contact *c);

/* The result, owned by the caller; NULL with the server's reason. `key` NULL: none. */
struct vy_json *contact_ask(struct contact *c, const char *method, struct vy_json *own_params,
	const char *key, struct vy_err *e);

/* What stands at a path of the server, the same way. */
struct vy_json *contact_get(struct contact *c, const char *path, struct vy_err *e);

/* The exit code of vyre-tui for what went wrong (vyre-tui(1)). */
enum {
	EXIT_OK = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_NOT_FOUND = 3,
	EXIT_DENIED = 4,
	EXIT_NO_SERVER = 5,
};
int contact_exit(enum vy_code code);

#endif

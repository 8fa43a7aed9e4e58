/* listen.h -- listening sockets: made, kept, and accepted from.
 *
 * Every socket of ours is 0600 from the moment it exists (doors.c opens those of agents that are another
 * user). A socket's path that somebody removes, or moves another to, is
 * made again (the folder is watched, nothing polls): at once, and ever more slowly when it is taken
 * again and again, as by another vyred with the same path. When the process is out of descriptors, one
 * that was kept back lets the caller be told and let go, instead of the loop spinning on an accept
 * that cannot succeed.
 *
 * `accepted` owns the fd it gets (non-blocking, close-on-exec). Loop thread only. */
#ifndef LISTEN_H
#define LISTEN_H

#include <stdbool.h>

#include "server/wire/gate.h"
#include "shared/base/err.h"

struct vy_loop;
struct listener;

enum listen_kind { LISTEN_MAIN, LISTEN_LINE, LISTEN_AGENT, LISTEN_TCP };

struct listen_ops {
	void (*accepted)(void *ctx, struct listener *l, int fd);
	void (*refused)(void *ctx); /* no descriptor was left for it; it was told 503 */
	void *ctx;
};

/* `path` is where the socket really stands (shared/base/sockpath.h); what is there is replaced, and
 * must be nobody's any more: the caller holds the state folder's lock. */
struct listener *listen_unix(struct vy_loop *loop, enum listen_kind kind, const char *path,
	const struct listen_ops *ops, struct vy_err *e);
struct listener *listen_tcp(struct vy_loop *loop, const struct gate_addr *at,
	const struct listen_ops *ops, struct vy_err *e);
/* One that somebody else made and watches over (systemd): takes the fd, leaves the path alone. */
struct listener *listen_adopt(
	struct vy_loop *loop, int fd, const struct listen_ops *ops, struct vy_err *e);
void listen_close(struct listener *l); /* removes the path it made; NULL is fine */

enum listen_kind listen_kind(const struct listener *l);
const char *listen_path(const struct listener *l); /* "" for TCP */
int listen_port(const struct listener *l);         /* 0 for a Unix socket */

/* Does somebody answer at this path? Then it is not stale. */
bool listen_is_served(const char *path);

/* Says that there is no room, in HTTP or as a line, and closes. */
void listen_turn_away(const struct listener *l, int fd);

#endif

/* plane.h -- the control plane of the server: what happens to all sessions, told at once.
 *
 * One WebSocket, /v1/stream, held as long as it is wanted; it comes back by itself and goes on
 * behind the last event it saw. A server that has no such thing is asked once, and plane_is_there()
 * says no: what it would have told has to be read. Loop thread. */
#ifndef NET_PLANE_H
#define NET_PLANE_H

#include <stdbool.h>

#include "shared/base/json.h"
#include "shared/base/str.h"

struct dial;
struct plane;
struct vy_loop;

/* An event; or type "control.reset": something was missed, read all anew. Lent. */
typedef void plane_fn(
	void *ctx, struct vy_str type, struct vy_str session, const struct vy_json *data);

struct plane *plane_new(struct vy_loop *loop, struct dial *d, plane_fn *fn, void *ctx);
void plane_free(struct plane *p); /* NULL is fine */

void plane_want(struct plane *p, bool is_wanted); /* not wanted: it is not tried again */
bool plane_is_there(const struct plane *p);

#endif

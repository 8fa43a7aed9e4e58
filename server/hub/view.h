/* view.h -- what a connection may be subscribed to, whatever it is: the one shape of all views.
 *
 * A view is opened with its place and who looks (its opener knows), lends item after item when it is
 * asked, and says `ready` when it had run dry and there is more. It holds nothing for its reader
 * but that place, so a slow one costs nobody anything. Loop thread. */
#ifndef VIEW_H
#define VIEW_H

#include "server/hub/control.h"
#include "server/hub/hub.h"
#include "shared/base/buf.h"
#include "shared/base/err.h"

enum view_got {
	VIEW_ITEM,  /* one item was appended, a JSON object with a member or more */
	VIEW_EMPTY, /* `ready` comes */
	VIEW_CLOSED /* nothing ever more */
};

struct view_ops {
	const char *method; /* of its notifications: "control.event" */
	bool is_urgent;     /* few items, which go before all others of a connection */
	enum view_got (*next)(void *sub, struct vy_buf *out);
	int (*code)(void *sub); /* why it is closed (enum hub_close) */
	void (*close)(void *sub);
};

struct view {
	const struct view_ops *ops;
	void *sub;
};

/* Opens one: `ready` later in this turn, never from inside a call. -1 with a sentence. */
typedef int view_open_fn(
	void *ctx, void (*ready)(void *ctx), void *ready_ctx, struct view *out, struct vy_err *e);

extern const struct view_ops view_control; /* sub: a control_sub */
extern const struct view_ops view_stream;  /* sub: a hub_sub */

#endif

/* view.h -- what a connection may be subscribed to, whatever it is: the one shape of all views.
 *
 * A view is opened with its place and who looks (its opener knows), lends item after item when it is
 * asked, and says `ready` when it had run dry and there is more. It holds nothing for its reader
 * but that place, so a slow one costs nobody anything.
 *
 * Whoever carries one to a client gives it a pass with view_mind() when it is open and takes its items by
 * view_next(), never by its ops: there it is asked whether its reader may still look, before each item. When
 * not, it is over with HUB_ACCESS_ENDED, whatever it still has. Loop thread. */
#ifndef VIEW_H
#define VIEW_H

#include "server/auth/access.h"
#include "server/hub/control.h"
#include "server/hub/hub.h"
#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/jw.h"

enum view_got {
	VIEW_ITEM,  /* one item was appended, a JSON object with a member or more, on one line */
	VIEW_EMPTY, /* `ready` comes */
	VIEW_CLOSED /* nothing ever more: also behind an item that is the last by its nature */
};

/* What an item is called where a stream has names (server-sent events: `event:` and `id:`). Who
 * comes back with the id goes on behind the item. */
#define VIEW_ID_MAX      640
#define VIEW_SESSION_MAX 64
struct view_tag {
	const char *event;        /* NULL: it has no name */
	char id[VIEW_ID_MAX + 1]; /* "": it is no place to go on from */
};

struct view_ops {
	const char *method; /* of its notifications: "control.event" */
	bool is_urgent;     /* few items, which go before all others of a connection */
	/* Of the moment: a reader who takes nothing for a while is better told to come again, and is
	 * let go. Else it lags, for as long as it likes. */
	bool drops_slow;
	enum view_got (*next)(void *sub, struct vy_buf *out);
	int (*code)(void *sub); /* why it is closed (enum hub_close) */
	void (*close)(void *sub);
	/* Of the item that next() appended last; *out is empty before. NULL: none has any. */
	void (*tag)(void *sub, struct view_tag *out);
	/* What a page of the items so far says beside them, as members. NULL: it has no pages. */
	void (*page)(void *sub, struct vy_jw *w);
};

struct view {
	const struct view_ops *ops;
	void *sub;
	/* What it shows, "": no one session (then it judges item by item). Set for all by rpc_subscribed(). */
	char session[VIEW_SESSION_MAX + 1];
	struct access_pass *pass; /* view_mind()'s */
};

/* Opens one: `ready` later in this turn, never from inside a call. -1 with a sentence. */
typedef int view_open_fn(
	void *ctx, void (*ready)(void *ctx), void *ready_ctx, struct view *out, struct vy_err *e);

/* For who carries it. `ready` also comes when access ends; `access` NULL: it never does (tests). */
void view_mind(struct view *v, struct access *access, const struct caller *who,
	void (*ready)(void *ctx), void *ready_ctx);
enum view_got view_next(struct view *v, struct vy_buf *out);
int view_code(const struct view *v);  /* why it is closed */
void view_end_access(struct view *v); /* its reader is not who it was */
void view_close(struct view *v);

extern const struct view_ops view_control; /* sub: a control_sub */
extern const struct view_ops view_stream;  /* sub: a hub_sub */
extern const struct view_ops view_ui;      /* sub: a ui_sub */
extern const struct view_ops view_observe; /* sub: an observe_sub */

#endif

/* endpoints.h -- where views are read by HTTP, as a table, and what a request there asks for. Pure.
 *
 * An endpoint is a subscription by another door: its row says which JSON-RPC method opens the same view
 * on the control WebSocket and the line socket, and how path and arguments are that method's
 * params. So who may, what is junk, and what an unknown session is called is judged once (rpc_open),
 * and both doors give the same items.
 *
 * To add one:
 *   1. the view: server/hub/NAME.[ch] with a struct view_ops (server/hub/view.h); `tag` names its
 *      items for `event:` and `id:`;
 *   2. the method: NAME.subscribe in methods.def (its reach is who may), its handler in a
 *      server/rpc/m_*.c through rpc_subscribed(), as m_control.c does; the opener sets
 *      out->session, so that the view ends with the access;
 *   3. the row in endpoints.c: {param} in the path is a param of the method; ENDPOINT_SSE, or that and
 *      ENDPOINT_WS, or ENDPOINT_PAGE for a view with `page`; the argument that Last-Event-ID is another word for, as `place`.
 * The engine (events.h) does the rest: retry, comments, resuming, back pressure, ends. */
#ifndef ENDPOINTS_H
#define ENDPOINTS_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

#define ENDPOINT_ARGS  4
#define ENDPOINT_PARTS 2

enum endpoint_form {
	ENDPOINT_SSE = 1,
	ENDPOINT_WS = 2,
	ENDPOINT_PAGE =
		4 /* for who takes application/json: what there is now, and where to go on */
};

enum endpoint_kind {
	ENDPOINT_CURSOR = 1, /* a number from 0 on */
	ENDPOINT_TEXT,       /* as it is; the method's schema judges it */
	ENDPOINT_FLAG        /* 1 or 0 */
};

struct endpoint {
	const char *path; /* "/v1/sessions/{session}/messages/{message}/stream" */
	const char *method;
	unsigned forms;
	struct endpoint_arg {
		const char *name; /* in the URL and among the params; NULL: no more */
		enum endpoint_kind kind;
	} args[ENDPOINT_ARGS];
	const char *place; /* the one of them that Last-Event-ID says too; NULL: none does */
	/* Of two places that are no numbers, is `a` ahead of `b`? NULL: Last-Event-ID always is. */
	bool (*is_ahead)(struct vy_str a, struct vy_str b);
};

const struct endpoint *endpoint_at(size_t i); /* all of them; NULL past the end */

/* The row whose path that is, and what stands for its {params}, in order; NULL: none is. A part is
 * letters, digits, '-', '_', '.' and ':', 256 at most. */
const struct endpoint *endpoint_find(struct vy_str path, struct vy_str parts[ENDPOINT_PARTS]);

/* The method's params, the caller's. `last`: Last-Event-ID, empty: none came; of it and the place in the
 * URL the newer counts. NULL with VY_BAD_INPUT: junk in either. */
struct vy_json *endpoint_params(const struct endpoint *at, const struct vy_str *parts,
	const struct vy_str *args, size_t n, struct vy_str last, struct vy_err *e);

#endif

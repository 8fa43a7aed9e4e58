/* handler.h -- what a method family sees of a call, and what it brings (rpc.c and m_*.c alone). */
#ifndef RPC_HANDLER_H
#define RPC_HANDLER_H

#include "server/rpc/rpc.h"
#include "server/session/session.h"
#include "shared/rpc/method.h"

struct folder;
struct pending;

struct rpc_call {
	const struct rpc_conf *house;
	const struct vy_methods *methods;
	const struct vy_method *method;
	const struct caller *who;
	const struct vy_json *params; /* checked against the schema; NULL: none */
	struct session *session;      /* the one the call names, readable by this caller; or NULL */
	struct vy_str author;         /* "person:ID" or "assistant:SESSION" */
	struct vy_str key;            /* idempotency key; empty: none */
	const char *hint;             /* set beside an error: what to do instead; or NULL */
	uint64_t request;             /* whose answer this will be in; or … */
	const struct rpc_open *open;  /* … this view is opened, and nothing is answered */
	struct view *view;            /* of it */
	struct rpc_later *later;      /* rpc_later() was called; rpc.c's own */
	bool is_told;                 /* … and rpc_told(), in the call itself */
	struct pending *pending;      /* the request it is part of, rpc.c's own; NULL: a view */
	const struct vy_json *id;     /* of the call in it; NULL: a notification */
	struct folder **folder;       /* the list of files read last, the dispatch's own; or NULL */
};

/* The result, owned by the caller; NULL with *e set. */
typedef struct vy_json *rpc_handler_fn(struct rpc_call *c, struct vy_err *e);

struct rpc_handler {
	const char *method;
	rpc_handler_fn *fn;
};

/* Each ends with a NULL method. */
extern const struct rpc_handler m_server[], m_stream[], m_threads[], m_queue[], m_asks[], m_files[],
	m_drafts[], m_agent[], m_history[], m_search[], m_control[], m_generation[], m_slots[],
	m_rewind[], m_models[], m_budget[], m_term[], m_adopt[], m_hook[];

/* Who called is told later: the handler answers NULL without an error, and rpc_told() ends it, once: with a
 * result (owned) or with why not. rpc_told() in the call itself is fine; so is that nobody waits any more. */
struct rpc_later;
struct rpc_later *rpc_later(struct rpc_call *c);
void rpc_told(struct rpc_later *l, struct vy_json *own_result, const struct vy_err *why);

/* m_control.c: what every method does that subscribes to a view: `open` gets the call as its ctx. What
 * session the view shows, and so when access to it ends, is the one that the call names. The
 * result is {subscription}, to which the method may add. */
struct vy_json *rpc_subscribed(struct rpc_call *c, view_open_fn *open, struct vy_err *e);
struct vy_json *rpc_unsubscribe(struct rpc_call *c, struct vy_err *e);

/* m_server.c. {reason, note} while the log is paused, the caller's; NULL: it is not, or that is not
 * for this caller. */
struct vy_json *rpc_paused(const struct rpc_call *c);

/* snapshot.c: the body of rpc_snapshot(). */
int rpc_snapshot_of(const struct rpc_conf *house, const struct caller *who,
	const struct rpc_snapshot_ask *ask, struct vy_buf *out, struct vy_err *e);

#endif

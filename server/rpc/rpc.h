/* rpc.h -- what a request means: envelope, caller, reach, schema, access, key, handler (wire 2).
 *
 * Each call of a batch is judged by itself, in that order. An answer leaves only after the commit
 * of whatever its handler staged, so nobody is told of a thing that a crash could still undo; when
 * it cannot be stored the answer is an error (503). Who only reads waits for no disk that is full.
 * A write with a key is done once: the same key again gets the stored result with `replayed`.
 *
 * A method family is one file with a table of handlers (m_*.c); methods.def says the rest.
 * Loop thread only. */
#ifndef RPC_H
#define RPC_H

#include <stdbool.h>
#include <stdint.h>

#include "server/auth/caller.h"
#include "server/hub/view.h"
#include "server/provider/provider.h"
#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

struct attic;
struct backup;
struct control;
struct follow;
struct hub;
struct log;
struct observe;
struct rpc;
struct table;
struct terms;
struct ticket_table;
struct ui;
struct vy_clock;
struct vy_fold;

#define RPC_SUBSCRIPTION_MAX 24

/* A program somebody started elsewhere. */
struct rpc_program {
	pid_t pid;
	uint64_t born;
	char program[CALLER_PROG_MAX + 1]; /* "claude" */
};

struct rpc_conf {
	struct log *log;
	struct hub *hub;
	struct table *table;
	struct ticket_table *tickets;
	struct terms *terms; /* NULL: this server has no terminals */
	struct control *control;
	struct ui *ui;
	struct follow *follow;
	struct observe *observe;
	struct backup *backup; /* NULL: this server makes none */
	struct search *search; /* NULL: this server does not search */
	struct attic *attic;   /* NULL: other programs' sessions are not for this server */
	const struct vy_clock *clock;
	const char *version;
	int64_t started_ms; /* wall time of this vyred's start */
	/* The i-th configured provider; NULL past the end. */
	const struct provider_conf *(*provider)(void *ctx, size_t i);
	const char *path; /* where providers are looked for when a person says nothing */
	bool (*agents_may_start)(void *ctx);
	bool (*is_durable)(void *ctx); /* durability=full: an answer waits for the disk */
	/* Who a waiting request comes from, as of now; false: its connection is gone. */
	bool (*place_again)(void *ctx, uint64_t request, struct caller *out);
	/* The agent program that a request comes from below, when it is no session's; false: there is none. */
	bool (*above)(void *ctx, uint64_t request, struct rpc_program *out);
	/* A subscription for the connection a request came by, and its end. */
	int (*subscribe)(void *ctx, uint64_t request, view_open_fn *open, void *open_ctx,
		char name[RPC_SUBSCRIPTION_MAX], struct vy_err *e);
	bool (*unsubscribe)(void *ctx, uint64_t request, struct vy_str name);
	/* The whole answer to a request; empty for a batch of notifications. */
	void (*reply)(void *ctx, uint64_t request, int status, struct vy_str body);
	void *ctx;
};

struct rpc *rpc_new(const struct rpc_conf *conf);
void rpc_free(struct rpc *r);

/* One HTTP request: answered through conf.reply, exactly once, behind the commit. */
void rpc_request(struct rpc *r, uint64_t request, const struct caller *who, struct vy_str body,
	struct vy_str key);

/* The view of a method that subscribes, for a connection of its own (GET on an endpoint): judged as the
 * call would be, but for its answer. The caller is placed as of now. */
struct rpc_open {
	const struct caller *who;
	const char *method;
	const struct vy_json *params;
	void (*ready)(void *ctx); /* view.h */
	void *ctx;
};
VY_MUST_USE int rpc_open(
	struct rpc *r, const struct rpc_open *o, struct view *out, struct vy_err *e);

/* May this caller see this session now, whatever it might before? "": what belongs to no one session.
 * An access_may_fn but for its ctx. */
bool rpc_may(struct rpc *r, const struct caller *who, const char *session);

struct rpc_snapshot_ask {
	const char *session;
	int64_t rows;   /* about so many, the newest; 0: all */
	int64_t to;     /* as if the log ended with this cursor: an older page; 0: as it ends */
	bool is_folded; /* with the rows that a rewind folded away, marked `folded` */
};

/* GET /v1/sessions/ID/snapshot: appends {record, rows, cur, epoch, fold, before?}. */
int rpc_snapshot(struct rpc *r, const struct caller *who, const struct rpc_snapshot_ask *ask,
	struct vy_buf *out, struct vy_err *e);

/* Does the fold hold all that the session has waiting or open? ctx: the table (hub/rows.h). */
bool rpc_is_whole(void *ctx, const char *session, const struct vy_fold *fold);

#endif

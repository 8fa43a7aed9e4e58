/* envelope.h -- JSON-RPC 2.0: requests in, answers out, and the other way round for a client.
 *
 * A body is one request or a batch of at most VY_RPC_BATCH_MAX. Each call is judged by itself: a
 * bad one in a batch does not spoil the others. Errors carry {code, message, data: {kind, hint?,
 * msg: {id, args}}}: the message is a sentence a person can act on, `msg` lets a client translate
 * it (wire 2). Pure; any thread. */
#ifndef VY_RPC_ENVELOPE_H
#define VY_RPC_ENVELOPE_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/base/str.h"

#define VY_RPC_PARSE_ERROR (-32700)
#define VY_RPC_BAD_REQUEST (-32600)
#define VY_RPC_NO_METHOD   (-32601)
#define VY_RPC_BAD_PARAMS  (-32602)

/* An error as it stands in an answer. */
struct vy_rpc_error {
	int code;
	struct vy_str kind; /* bad_input, not_found, … */
	struct vy_str message;
	struct vy_str hint;             /* empty: none */
	struct vy_str msg_id, msg_args; /* args: JSON object; empty: {} */
};

/* ---- the server's side ---- */

struct vy_rpc_call {
	struct vy_str method;   /* empty when `bad` */
	struct vy_json *params; /* object, or NULL when absent */
	struct vy_json *id;     /* NULL: a notification, never answered */
	struct vy_str key;      /* params._key; empty: none */
	bool bad;               /* answer with `error` */
	int code;               /* of a bad one */
	struct vy_err error;
};

struct vy_rpc_batch {
	struct vy_json *root; /* holds all that is borrowed below */
	bool is_batch;
	size_t n;
	struct vy_rpc_call *calls; /* n of them */
};

/* Fails (no batch made) when the body is no JSON, no request shape at all, empty or too many: then
 * *code is the JSON-RPC number to answer with id null. */
VY_MUST_USE int vy_rpc_parse(
	struct vy_str body, struct vy_rpc_batch *out, int *code, struct vy_err *e);
void vy_rpc_batch_fini(struct vy_rpc_batch *b);

/* One answer; `result` is JSON text. id NULL writes null. */
void vy_rpc_write_result(struct vy_jw *w, const struct vy_json *id, struct vy_str result);
void vy_rpc_write_error(struct vy_jw *w, const struct vy_json *id, const struct vy_rpc_error *err);

/* The error of a vy_err: its code's number and kind; msg.id is the sentence's (msg.h), or the
 * kind when it has none; msg.args are the caller's to add (vy_msg_args). */
struct vy_rpc_error vy_rpc_error_of(const struct vy_err *e);

/* {"jsonrpc":"2.0","method":…,"params":…} */
void vy_rpc_write_notice(struct vy_jw *w, const char *method, struct vy_str params);

/* ---- the client's side ---- */

/* key empty: none; else it goes in as params._key. `params` is JSON text of an object or empty. */
void vy_rpc_write_call(
	struct vy_jw *w, int64_t id, const char *method, struct vy_str params, struct vy_str key);

enum vy_rpc_reply_type { VY_RPC_RESULT, VY_RPC_ERROR, VY_RPC_NOTICE };

struct vy_rpc_reply {
	struct vy_json *root;
	enum vy_rpc_reply_type type;
	int64_t id;                /* -1: null or none */
	struct vy_json *result;    /* RESULT */
	struct vy_rpc_error error; /* ERROR; msg_args lives in the arena */
	struct vy_str method;      /* NOTICE */
	struct vy_json *params;
};

VY_MUST_USE int vy_rpc_reply_parse(
	struct vy_str body, struct vy_arena *a, struct vy_rpc_reply *out, struct vy_err *e);
void vy_rpc_reply_fini(struct vy_rpc_reply *r);

/* The code of ours that a wire kind stands for: "conflict" → VY_CONFLICT; VY_BUG for a stranger. */
enum vy_code vy_rpc_code_of(struct vy_str kind);

#endif

/* rpc.c -- see rpc.h. One POST a call; the answer's envelope is read by shared/rpc. */
#include "tui/net/rpc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "shared/base/arena.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/rpc/envelope.h"
#include "shared/rpc/msg.h"
#include "shared/rpc/protocol.h"
#include "tui/net/dial.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

struct rpc_call {
	VY_MAGIC;
	struct rpc *rpc;
	struct dial_request *request;
	bool is_document; /* a GET: its body is the result */
	bool is_info;     /* server.info */
	rpc_done_fn *fn;
	void *ctx;
	LIST_ENTRY(rpc_call) link;
};

struct rpc {
	struct dial *dial;
	LIST_HEAD(, rpc_call) calls;
};

#define RPC_MAGIC 0x72706363u

struct rpc *rpc_new(struct dial *d)
{
	struct rpc *r = VY_NEW(struct rpc);

	r->dial = d;
	LIST_INIT(&r->calls);
	return r;
}

static void call_free(struct rpc_call *c)
{
	LIST_REMOVE(c, link);
	VY_MAGIC_CLEAR(c);
	free(c);
}

void rpc_cancel(struct rpc_call *c)
{
	if (c) {
		VY_CHECK(c, RPC_MAGIC);
		dial_cancel(c->request);
		call_free(c);
	}
}

void rpc_free(struct rpc *r)
{
	struct rpc_call *c;

	if (!r) {
		return;
	}
	while ((c = LIST_FIRST(&r->calls))) {
		rpc_cancel(c);
	}
	free(r);
}

/* ---- answers ---- */

/* The server's sentence in the person's language: known by its id, with what stands in it. */
static bool translated(const struct vy_json *error, struct vy_buf *out)
{
	const struct vy_msg *msg = vy_msg_find(vy_json_strval(vy_json_path(error, "data.msg.id")));

	return msg && vy_msg_print(gettext(msg->text), vy_json_path(error, "data.msg.args"), out);
}

/* The error of a call, as the wire put it. */
static void error_of(const struct vy_json *error, struct vy_err *e)
{
	enum vy_code code = vy_rpc_code_of(vy_json_strval(vy_json_path(error, "data.kind")));
	VY_AUTO_BUF own = VY_BUF_INIT(64 * VY_KIB);
	struct vy_str text =
		translated(error, &own) ? vy_buf_str(&own) : vy_json_str(error, "message");

	vy_fail(e, code, "%.*s", VY_STR_ARG(text));
}

/* The result to lend, or NULL with *e set. `root` holds it. */
static struct vy_json *read_answer(
	const struct dial_answer *a, bool is_document, struct vy_json **root, struct vy_err *e)
{
	struct vy_json *result, *error;

	*root = NULL;
	if (a->err.code != VY_OK) {
		*e = a->err;
		return NULL;
	}
	*root = vy_json_parse(a->body, NULL);
	error = vy_json_get(*root, "error");
	if (vy_json_type(error) == VY_JSON_OBJ) {
		error_of(error, e);
		return NULL;
	}
	result = is_document ? *root : vy_json_get(*root, "result");
	if (a->status == 200 && result) {
		return result;
	}
	vy_fail(e, VY_CORRUPT,
		_("the server answered with HTTP %d and nothing that can be read: is it a "
		  "vyred of this version?"),
		a->status);
	return NULL;
}

/* Who asks the server about itself learns whether we can talk at all. */
static bool is_strange(const struct vy_json *info, struct vy_err *e)
{
	const struct vy_json *protocol = vy_json_get(info, "protocol");

	return protocol && vy_protocol_of_server(vy_json_int(protocol, "min", VY_PROTOCOL),
				   vy_json_int(protocol, "max", VY_PROTOCOL), e) != 0;
}

static void on_answer(void *ctx, const struct dial_answer *a)
{
	struct rpc_call *c = ctx;
	struct vy_err e = { .code = VY_OK };
	rpc_done_fn *fn = c->fn;
	void *fn_ctx = c->ctx;
	struct vy_json *root, *result;

	VY_CHECK(c, RPC_MAGIC);
	result = read_answer(a, c->is_document, &root, &e);
	if (result && c->is_info && is_strange(result, &e)) {
		result = NULL;
	}
	call_free(c); /* first: the callback may free all of us */
	fn(fn_ctx, result, &e);
	vy_json_free(root);
}

/* ---- calls ---- */

static struct rpc_call *send(
	struct rpc *r, const struct dial_ask *ask, bool is_document, rpc_done_fn *fn, void *ctx)
{
	struct rpc_call *c = VY_NEW(struct rpc_call);

	VY_MAGIC_SET(c, RPC_MAGIC);
	c->rpc = r;
	c->is_document = is_document;
	c->fn = fn;
	c->ctx = ctx;
	LIST_INSERT_HEAD(&r->calls, c, link);
	c->request = dial_ask(r->dial, ask, on_answer, c);
	return c;
}

static int64_t timeout_of(int64_t ms)
{
	return ms == 0 ? RPC_TIMEOUT_MS : ms < 0 ? 0 : ms;
}

struct rpc_call *rpc_call(struct rpc *r, const char *method, struct vy_json *own_params,
	const char *key, int64_t timeout_ms, rpc_done_fn *fn, void *ctx)
{
	VY_AUTO_BUF params = VY_BUF_INIT(VY_RPC_BODY_MAX);
	VY_AUTO_BUF body = VY_BUF_INIT(VY_RPC_BODY_MAX + 1024);
	struct vy_jw w = VY_JW(&body);

	if (own_params) {
		vy_json_dump(own_params, &params);
		vy_json_free(own_params);
	}
	vy_rpc_write_call(&w, 1, method, vy_buf_str(&params), vy_str_n(NULL, 0));

	struct rpc_call *c = send(r,
		&(struct dial_ask){ .method = "POST",
			.path = "/v1/rpc",
			.body = vy_buf_str(&body),
			.key = key,
			.timeout_ms = timeout_of(timeout_ms) },
		false, fn, ctx);

	c->is_info = strcmp(method, "server.info") == 0;
	return c;
}

struct rpc_call *rpc_get(struct rpc *r, const char *path, rpc_done_fn *fn, void *ctx)
{
	return send(r,
		&(struct dial_ask){ .method = "GET", .path = path, .timeout_ms = RPC_TIMEOUT_MS },
		true, fn, ctx);
}

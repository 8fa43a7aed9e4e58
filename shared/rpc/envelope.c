/* envelope.c -- see envelope.h. */
#include "shared/rpc/envelope.h"

#include "shared/base/mem.h"
#include "shared/rpc/msg.h"
#include "shared/base/ban.h"

/* ---- the server's side ---- */

static void judge(struct vy_rpc_call *c, int code, const char *sentence)
{
	c->bad = true;
	c->code = code;
	c->method = vy_str_n(NULL, 0);
	(void)vy_fail(&c->error, VY_BAD_INPUT, "%s", sentence);
	c->error.format = sentence; /* a literal, too */
}

static bool is_id(const struct vy_json *id)
{
	switch (vy_json_type(id)) {
	case VY_JSON_STR: return vy_json_strval(id).n <= VY_ID_MAX;
	case VY_JSON_INT:
	case VY_JSON_NULL: return true;
	case VY_JSON_NONE:
	case VY_JSON_BOOL:
	case VY_JSON_REAL:
	case VY_JSON_ARR:
	case VY_JSON_OBJ: break;
	}
	return false;
}

static void read_call(struct vy_json *v, struct vy_rpc_call *c)
{
	*c = (struct vy_rpc_call){ 0 };
	if (vy_json_type(v) != VY_JSON_OBJ) {
		judge(c, VY_RPC_BAD_REQUEST, "a request must be an object");
		return;
	}
	struct vy_json *id = vy_json_get(v, "id");
	enum vy_json_type params = vy_json_type(vy_json_get(v, "params"));

	if (id && !is_id(id)) {
		judge(c, VY_RPC_BAD_REQUEST,
			"id must be a string of at most 256 bytes or a whole number");
		return;
	}
	c->id = id;
	c->method = vy_json_str(v, "method");
	if (!vy_str_is(vy_json_str(v, "jsonrpc"), "2.0")) {
		judge(c, VY_RPC_BAD_REQUEST, "jsonrpc must be \"2.0\"");
	} else if (c->method.n == 0) {
		judge(c, VY_RPC_BAD_REQUEST, "method must be the name of one");
	} else if (params == VY_JSON_OBJ) {
		c->params = vy_json_get(v, "params");
		c->key = vy_json_str(c->params, "_key");
	} else if (params != VY_JSON_NONE && params != VY_JSON_NULL) {
		judge(c, VY_RPC_BAD_PARAMS, "params must be an object");
	}
	if (c->key.n > VY_ID_MAX) {
		judge(c, VY_RPC_BAD_PARAMS,
			"params._key: an idempotency key has at most 256 bytes");
	}
}

int vy_rpc_parse(struct vy_str body, struct vy_rpc_batch *out, int *code, struct vy_err *e)
{
	*out = (struct vy_rpc_batch){ 0 };
	*code = VY_RPC_PARSE_ERROR;
	out->root = vy_json_parse(body, e);
	if (!out->root) {
		return -1;
	}
	out->is_batch = vy_json_type(out->root) == VY_JSON_ARR;
	out->n = out->is_batch ? vy_json_len(out->root) : 1;
	*code = VY_RPC_BAD_REQUEST;
	if (out->n == 0 || out->n > VY_RPC_BATCH_MAX) {
		size_t n = out->n;

		vy_rpc_batch_fini(out);
		return n ? vy_fail(e, VY_BAD_INPUT,
				   "a batch of %zu requests, at most %d are allowed", n,
				   VY_RPC_BATCH_MAX)
			 : vy_fail(e, VY_BAD_INPUT, "an empty batch");
	}
	out->calls = vy_calloc(out->n, sizeof(out->calls[0]));
	for (size_t i = 0; i < out->n; i++) {
		read_call(out->is_batch ? vy_json_at(out->root, i) : out->root, &out->calls[i]);
	}
	return 0;
}

void vy_rpc_batch_fini(struct vy_rpc_batch *b)
{
	free(b->calls);
	vy_json_free(b->root);
	*b = (struct vy_rpc_batch){ 0 };
}

static void write_id(struct vy_jw *w, const struct vy_json *id)
{
	VY_AUTO_BUF b = VY_BUF_INIT(16 * VY_ID_MAX);

	vy_jw_key(w, "id");
	if (id && vy_json_dump(id, &b)) {
		vy_jw_raw(w, vy_buf_str(&b));
	} else {
		vy_jw_null(w);
	}
}

static void begin(struct vy_jw *w)
{
	vy_jw_obj(w);
	vy_jw_kstr(w, "jsonrpc", VY_STR_LIT("2.0"));
}

void vy_rpc_write_result(struct vy_jw *w, const struct vy_json *id, struct vy_str result)
{
	begin(w);
	write_id(w, id);
	vy_jw_key(w, "result");
	vy_jw_raw(w, result.n ? result : VY_STR_LIT("null"));
	vy_jw_end_obj(w);
}

void vy_rpc_write_error(struct vy_jw *w, const struct vy_json *id, const struct vy_rpc_error *err)
{
	begin(w);
	write_id(w, id);
	vy_jw_key(w, "error");
	vy_jw_obj(w);
	vy_jw_kint(w, "code", err->code);
	vy_jw_kstr(w, "message", err->message);
	vy_jw_key(w, "data");
	vy_jw_obj(w);
	vy_jw_kstr(w, "kind", err->kind);
	if (err->hint.n) {
		vy_jw_kstr(w, "hint", err->hint);
	}
	vy_jw_key(w, "msg");
	vy_jw_obj(w);
	vy_jw_kstr(w, "id", err->msg_id);
	vy_jw_key(w, "args");
	vy_jw_raw(w, err->msg_args.n ? err->msg_args : VY_STR_LIT("{}"));
	vy_jw_end_obj(w);
	vy_jw_end_obj(w);
	vy_jw_end_obj(w);
	vy_jw_end_obj(w);
}

struct vy_rpc_error vy_rpc_error_of(const struct vy_err *e)
{
	struct vy_str kind = vy_str_c(vy_code_kind(e->code));
	const struct vy_msg *msg = vy_msg_of(e);

	return (struct vy_rpc_error){
		.code = vy_code_rpc(e->code),
		.kind = kind,
		.message = vy_str_c(e->text),
		.msg_id = msg ? vy_str_c(msg->id) : kind,
	};
}

void vy_rpc_write_notice(struct vy_jw *w, const char *method, struct vy_str params)
{
	begin(w);
	vy_jw_kstr(w, "method", vy_str_c(method));
	vy_jw_key(w, "params");
	vy_jw_raw(w, params.n ? params : VY_STR_LIT("{}"));
	vy_jw_end_obj(w);
}

/* ---- the client's side ---- */

/* "{…}" with one more member: the text before its closing brace is kept as it is. */
static void write_params(struct vy_jw *w, struct vy_str params, struct vy_str key)
{
	size_t end = params.n;

	while (end > 0 && params.p[end - 1] != '}') {
		end--;
	}
	vy_assert(params.n == 0 || end > 1);
	struct vy_str inner = params.n ? vy_str_n(params.p, end - 1) : VY_STR_LIT("{");
	size_t last = inner.n;

	while (last > 1 && strchr(" \t\r\n", inner.p[last - 1])) {
		last--;
	}
	/* the writer believes that it stands in an object of its own: it does, we opened it as text */
	vy_jw_raw(w, inner);
	w->comma = inner.p[last - 1] != '{';
	vy_jw_kstr(w, "_key", key);
	vy_jw_end_obj(w);
}

void vy_rpc_write_call(
	struct vy_jw *w, int64_t id, const char *method, struct vy_str params, struct vy_str key)
{
	begin(w);
	vy_jw_kint(w, "id", id);
	vy_jw_kstr(w, "method", vy_str_c(method));
	if (params.n || key.n) {
		vy_jw_key(w, "params");
	}
	if (key.n) {
		write_params(w, params, key);
	} else if (params.n) {
		vy_jw_raw(w, params);
	}
	vy_jw_end_obj(w);
}

static void read_error(const struct vy_json *v, struct vy_arena *a, struct vy_rpc_error *out)
{
	const struct vy_json *data = vy_json_get(v, "data"), *msg = vy_json_get(data, "msg");
	const struct vy_json *args = vy_json_get(msg, "args");
	VY_AUTO_BUF b = VY_BUF_INIT(64 * VY_KIB);

	out->code = (int)vy_json_int(v, "code", 0);
	out->message = vy_json_str(v, "message");
	out->kind = vy_json_str(data, "kind");
	out->hint = vy_json_str(data, "hint");
	out->msg_id = vy_json_str(msg, "id");
	if (args && vy_json_dump(args, &b)) {
		out->msg_args = vy_arena_str(a, vy_buf_str(&b));
	}
}

int vy_rpc_reply_parse(
	struct vy_str body, struct vy_arena *a, struct vy_rpc_reply *out, struct vy_err *e)
{
	*out = (struct vy_rpc_reply){ .id = -1 };
	out->root = vy_json_parse(body, e);
	if (!out->root) {
		return vy_wrap(e, "an answer of the server");
	}
	struct vy_json *error = vy_json_get(out->root, "error");

	out->id = vy_json_int(out->root, "id", -1);
	out->result = vy_json_get(out->root, "result");
	out->method = vy_json_str(out->root, "method");
	out->params = vy_json_get(out->root, "params");
	if (vy_json_type(error) == VY_JSON_OBJ) {
		out->type = VY_RPC_ERROR;
		read_error(error, a, &out->error);
	} else if (out->method.n) {
		out->type = VY_RPC_NOTICE;
	} else if (out->result) {
		out->type = VY_RPC_RESULT;
	} else {
		vy_rpc_reply_fini(out);
		return vy_fail(
			e, VY_BAD_INPUT, "an answer of the server has neither result nor error");
	}
	return 0;
}

void vy_rpc_reply_fini(struct vy_rpc_reply *r)
{
	vy_json_free(r->root);
	*r = (struct vy_rpc_reply){ .id = -1 };
}

enum vy_code vy_rpc_code_of(struct vy_str kind)
{
	if (vy_str_is(kind, vy_code_kind(VY_BUG))) {
		return VY_BUG; /* one word for several codes of theirs */
	}
	if (vy_str_is(kind, vy_code_kind(VY_BUSY))) {
		return VY_BUSY;
	}
	for (unsigned c = VY_OK + 1; c < VY_CODE_COUNT; c++) {
		if (vy_str_is(kind, vy_code_kind((enum vy_code)c))) {
			return (enum vy_code)c;
		}
	}
	return VY_BUG;
}

/* envelope_test.c -- JSON-RPC in and out, from both sides. */
#include "tests/check.h"

#include "shared/rpc/envelope.h"
#include "shared/base/ban.h"

/* ---- requests ---- */

/* One line per call: "method key=… id=… params" or "bad CODE sentence id=…". */
static void describe(const struct vy_rpc_batch *b, struct vy_buf *out)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct vy_rpc_call *c = &b->calls[i];

		vy_buf_adds(out, i ? "; " : "");
		if (c->bad) {
			vy_buf_addf(out, "bad %d %s", c->code, c->error.text);
		} else {
			vy_buf_addstr(out, c->method);
		}
		if (c->key.n) {
			vy_buf_addf(out, " key=%.*s", VY_STR_ARG(c->key));
		}
		if (c->id) {
			vy_buf_adds(out, " id=");
			vy_json_dump(c->id, out);
		}
		if (c->params) {
			vy_buf_addc(out, ' ');
			vy_json_dump(c->params, out);
		}
	}
}

#define V "\"jsonrpc\":\"2.0\""

static const struct {
	const char *name, *body, *want; /* want "!CODE sentence": no batch at all */
} requests[] = {
	{ "a call", "{" V ",\"id\":1,\"method\":\"a.b\",\"params\":{\"x\":1}}",
		"a.b id=1 {\"x\":1}" },
	{ "no params", "{" V ",\"id\":\"q\",\"method\":\"a\"}", "a id=\"q\"" },
	{ "null params", "{" V ",\"id\":\"q\",\"method\":\"a\",\"params\":null}", "a id=\"q\"" },
	{ "a notification", "{" V ",\"method\":\"a\"}", "a" },
	{ "a null id is an id", "{" V ",\"id\":null,\"method\":\"a\"}", "a id=null" },
	{ "a key", "{" V ",\"id\":1,\"method\":\"a\",\"params\":{\"_key\":\"k\"}}",
		"a key=k id=1 {\"_key\":\"k\"}" },
	{ "a batch", "[{" V ",\"id\":1,\"method\":\"a\"},{" V ",\"id\":2,\"method\":\"b\"}]",
		"a id=1; b id=2" },
	{ "a bad one spoils no other", "[{" V ",\"id\":1,\"method\":\"a\"},7,{\"id\":3}]",
		"a id=1; bad -32600 a request must be an object; bad -32600 jsonrpc must be "
		"\"2.0\" id=3" },
	{ "no version", "{\"id\":1,\"method\":\"a\"}", "bad -32600 jsonrpc must be \"2.0\" id=1" },
	{ "no method", "{" V ",\"id\":1}", "bad -32600 method must be the name of one id=1" },
	{ "a method that is a number", "{" V ",\"id\":1,\"method\":5}",
		"bad -32600 method must be the name of one id=1" },
	{ "params in a list", "{" V ",\"id\":1,\"method\":\"a\",\"params\":[1]}",
		"bad -32602 params must be an object id=1" },
	{ "an id that is an object", "{" V ",\"id\":{},\"method\":\"a\"}",
		"bad -32600 id must be a string of at most 256 bytes or a whole number" },
	{ "an id with a fraction", "{" V ",\"id\":1.5,\"method\":\"a\"}",
		"bad -32600 id must be a string of at most 256 bytes or a whole number" },
	{ "nothing", "", "!-32700" },
	{ "half", "{\"jsonrpc\":", "!-32700" },
	{ "an empty batch", "[]", "!-32600 an empty batch" },
	{ "a number", "7", "bad -32600 a request must be an object" },
};

static void reads_requests(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(requests); i++) {
		struct vy_rpc_batch b;
		struct vy_err e = { 0 };
		VY_AUTO_BUF got = VY_BUF_INIT(65536);
		int code;

		if (vy_rpc_parse(vy_str_c(requests[i].body), &b, &code, &e) < 0) {
			vy_buf_addf(&got, "!%d", code);
			if (code != VY_RPC_PARSE_ERROR) { /* else the words are the parser's own */
				vy_buf_addf(&got, " %s", e.text);
			}
		} else {
			describe(&b, &got);
			check_true(requests[i].name, b.is_batch == (requests[i].body[0] == '['));
			vy_rpc_batch_fini(&b);
		}
		check_str(requests[i].name, vy_buf_c(&got), requests[i].want);
	}
}

static void batches_have_an_end(void **state)
{
	(void)state;
	for (int n = VY_RPC_BATCH_MAX - 1; n <= VY_RPC_BATCH_MAX + 1; n++) {
		VY_AUTO_BUF body = VY_BUF_INIT(65536);
		struct vy_rpc_batch b;
		struct vy_err e = { 0 };
		int code;

		for (int i = 0; i < n; i++) {
			vy_buf_addf(
				&body, "%c{" V ",\"id\":%d,\"method\":\"a\"}", i ? ',' : '[', i);
		}
		vy_buf_addc(&body, ']');
		bool fits = vy_rpc_parse(vy_buf_str(&body), &b, &code, &e) == 0;

		check_int("fits", fits, n <= VY_RPC_BATCH_MAX);
		if (fits) {
			vy_rpc_batch_fini(&b);
		} else {
			check_str("says so", e.text,
				"a batch of 51 requests, at most 50 are allowed");
			check_int("code", code, VY_RPC_BAD_REQUEST);
		}
	}
}

/* ---- answers ---- */

static void writes_answers(void **state)
{
	(void)state;
	VY_AUTO_BUF b = VY_BUF_INIT(4096);
	struct vy_jw w = VY_JW(&b);
	VY_AUTO_JSON *id = vy_json_new_str(vy_str_c("a\"b"));
	struct vy_err e = { 0 };

	vy_rpc_write_result(&w, id, vy_str_c("{\"x\":1}"));
	check_str("result", vy_buf_c(&b), "{" V ",\"id\":\"a\\\"b\",\"result\":{\"x\":1}}");

	(void)vy_fail(&e, VY_CONFLICT, "the agent has it already");
	struct vy_rpc_error err = vy_rpc_error_of(&e);

	vy_buf_clear(&b);
	w = VY_JW(&b);
	vy_rpc_write_error(&w, NULL, &err);
	check_str("error", vy_buf_c(&b),
		"{" V
		",\"id\":null,\"error\":{\"code\":-32009,\"message\":\"the agent has it already\","
		"\"data\":{\"kind\":\"conflict\",\"msg\":{\"id\":\"conflict\",\"args\":{}}}}}");

	err.hint = vy_str_c("rewind");
	err.msg_id = vy_str_c("queue.taken");
	err.msg_args = vy_str_c("{\"n\":2}");
	vy_buf_clear(&b);
	w = VY_JW(&b);
	vy_rpc_write_error(&w, id, &err);
	check_str("with a hint", vy_buf_c(&b),
		"{" V ",\"id\":\"a\\\"b\",\"error\":{\"code\":-32009,\"message\":\"the agent has "
		"it already\","
		"\"data\":{\"kind\":\"conflict\",\"hint\":\"rewind\","
		"\"msg\":{\"id\":\"queue.taken\",\"args\":{\"n\":2}}}}}");

	vy_buf_clear(&b);
	w = VY_JW(&b);
	vy_rpc_write_notice(&w, "stream.frame", vy_str_c("{\"subscription\":1}"));
	check_str("notice", vy_buf_c(&b),
		"{" V ",\"method\":\"stream.frame\",\"params\":{\"subscription\":1}}");
}

/* ---- the client's side ---- */

static void writes_calls(void **state)
{
	(void)state;
	static const struct {
		const char *params, *key, *want;
	} rows[] = {
		{ "", "", "{" V ",\"id\":7,\"method\":\"m\"}" },
		{ "{\"a\":1}", "", "{" V ",\"id\":7,\"method\":\"m\",\"params\":{\"a\":1}}" },
		{ "", "k\"", "{" V ",\"id\":7,\"method\":\"m\",\"params\":{\"_key\":\"k\\\"\"}}" },
		{ "{}", "k", "{" V ",\"id\":7,\"method\":\"m\",\"params\":{\"_key\":\"k\"}}" },
		{ "{ }", "k", "{" V ",\"id\":7,\"method\":\"m\",\"params\":{ \"_key\":\"k\"}}" },
		{ "{\"a\":{}}", "k",
			"{" V ",\"id\":7,\"method\":\"m\",\"params\":{\"a\":{},\"_key\":\"k\"}}" },
		{ "{\"a\":\"{\"}", "k",
			"{" V
			",\"id\":7,\"method\":\"m\",\"params\":{\"a\":\"{\",\"_key\":\"k\"}}" },
	};

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF b = VY_BUF_INIT(4096);
		struct vy_jw w = VY_JW(&b);
		struct vy_rpc_batch batch;
		int code;

		vy_rpc_write_call(&w, 7, "m", vy_str_c(rows[i].params), vy_str_c(rows[i].key));
		check_str(rows[i].params, vy_buf_c(&b), rows[i].want);
		check_int("the server reads it", vy_rpc_parse(vy_buf_str(&b), &batch, &code, NULL),
			0);
		check_vstr("and its key", batch.calls[0].key, vy_str_c(rows[i].key));
		vy_rpc_batch_fini(&batch);
	}
}

static void reads_answers(void **state)
{
	(void)state;
	struct vy_arena a;
	struct vy_rpc_reply r;
	struct vy_err e = { 0 };

	vy_arena_init(&a);
	check_int("result",
		vy_rpc_reply_parse(VY_STR_LIT("{" V ",\"id\":3,\"result\":{\"x\":1}}"), &a, &r, &e),
		0);
	check_true("result",
		r.type == VY_RPC_RESULT && r.id == 3 && vy_json_int(r.result, "x", 0) == 1);
	vy_rpc_reply_fini(&r);

	check_int("null result",
		vy_rpc_reply_parse(VY_STR_LIT("{" V ",\"id\":3,\"result\":null}"), &a, &r, &e), 0);
	check_true(
		"null result", r.type == VY_RPC_RESULT && vy_json_type(r.result) == VY_JSON_NULL);
	vy_rpc_reply_fini(&r);

	check_int("error",
		vy_rpc_reply_parse(VY_STR_LIT("{" V ",\"id\":4,\"error\":{\"code\":-32009,"
					      "\"message\":\"no\",\"data\":{\"kind\":\"conflict\","
					      "\"hint\":\"rewind\","
					      "\"msg\":{\"id\":\"q\",\"args\":{\"n\":2}}}}}"),
			&a, &r, &e),
		0);
	check_true("error", r.type == VY_RPC_ERROR && r.id == 4 && r.error.code == -32009);
	check_vstr("message", r.error.message, vy_str_c("no"));
	check_vstr("hint", r.error.hint, vy_str_c("rewind"));
	check_vstr("args", r.error.msg_args, vy_str_c("{\"n\":2}"));
	check_int("code", vy_rpc_code_of(r.error.kind), VY_CONFLICT);
	vy_rpc_reply_fini(&r);

	check_int("notice",
		vy_rpc_reply_parse(
			VY_STR_LIT("{" V ",\"method\":\"m\",\"params\":{}}"), &a, &r, &e),
		0);
	check_true("notice", r.type == VY_RPC_NOTICE && r.id == -1);
	vy_rpc_reply_fini(&r);

	check_int("neither", vy_rpc_reply_parse(VY_STR_LIT("{" V ",\"id\":4}"), &a, &r, &e), -1);
	check_str("neither", e.text, "an answer of the server has neither result nor error");
	check_int("no JSON", vy_rpc_reply_parse(VY_STR_LIT("<html>"), &a, &r, &e), -1);
	check_true("no JSON", strncmp(e.text, "an answer of the server: not JSON", 33) == 0);
	vy_arena_fini(&a);
}

static void kinds_are_codes(void **state)
{
	(void)state;
	static const struct {
		const char *kind;
		enum vy_code code;
	} rows[] = {
		{ "bad_input", VY_BAD_INPUT },
		{ "not_found", VY_NOT_FOUND },
		{ "denied", VY_DENIED },
		{ "person_only", VY_PERSON_ONLY },
		{ "busy", VY_BUSY },
		{ "conflict", VY_CONFLICT },
		{ "unsupported", VY_UNSUPPORTED },
		{ "gone", VY_GONE },
		{ "limit", VY_FULL },
		{ "internal", VY_BUG },
		{ "something new", VY_BUG },
		{ "", VY_BUG },
	};

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		check_int(rows[i].kind, vy_rpc_code_of(vy_str_c(rows[i].kind)), rows[i].code);
	}
}

CHECK_MAIN(CHECK_TEST(reads_requests), CHECK_TEST(batches_have_an_end), CHECK_TEST(writes_answers),
	CHECK_TEST(writes_calls), CHECK_TEST(reads_answers), CHECK_TEST(kinds_are_codes))

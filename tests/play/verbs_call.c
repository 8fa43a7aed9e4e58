/* verbs_call.c -- what a person says to vyred, and what the script thinks of the answer. */
#include <stdlib.h>
#include <string.h>

#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/play/match.h"
#include "tests/play/play.h"
#include "tests/play/promise.h"
#include "shared/base/ban.h"

/* ---- calls ---- */

static int post(struct play *p, struct vy_str body, struct vy_buf *answer, struct vy_err *e)
{
	VY_AUTO_BUF head = VY_BUF_INIT(4096);
	struct conn_ask ask = { "POST", "/v1/rpc", NULL, body };

	if (p->key) {
		vy_buf_addf(&head, "Idempotency-Key: %s\r\n", p->key);
		ask.head = head.data;
	}
	return conn_request(p->box.sock, &ask, p->patience_ms, answer, e);
}

static struct vy_json *no_answer(const struct vy_err *e)
{
	struct vy_json *o = vy_json_new_obj(), *data = vy_json_new_obj();

	vy_json_set_c(data, "kind", "");
	vy_json_set_c(o, "message", e->text);
	vy_json_take(o, "data", data);
	return o;
}

static void forget_key(struct play *p)
{
	free((char *)(uintptr_t)p->key);
	p->key = NULL;
}

/* A person who is steady gives every act a key, and repeats the act with it until it is answered. */
static int post_steadily(
	struct play *p, struct vy_str body, struct vy_buf *answer, struct vy_err *e)
{
	char uuid[VY_UUID_LEN + 1];
	bool is_ours = p->is_steady && !p->key && !p->is_reviving;
	int status;

	if (is_ours) {
		vy_uuid(uuid);
		p->key = uuid;
	}
	do {
		vy_buf_clear(answer);
		status = post(p, body, answer, e);
		play_pump(p, 1);
	} while (status < 0 && p->is_steady && !p->is_reviving && (p->box.vyred || play_revive(p)));
	if (is_ours) {
		p->key = NULL;
	}
	return status;
}

bool play_call(struct play *p, const char *method, const char *params)
{
	VY_AUTO_BUF body = VY_BUF_INIT(CONN_ANSWER_MAX), answer = VY_BUF_INIT(CONN_ANSWER_MAX);
	struct vy_err e = { 0 };
	bool ok;

	vy_buf_addf(&body, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}", method,
		params);
	if (post_steadily(p, vy_buf_str(&body), &answer, &e) < 0) {
		play_it(p, no_answer(&e));
		return play_fail(p, "%s", e.text);
	}
	VY_AUTO_JSON *whole = vy_json_parse(vy_buf_str(&answer), &e);
	struct vy_json *result = vy_json_get(whole, "result");

	ok = result != NULL;
	play_it(p, vy_json_ref(ok ? result : vy_json_get(whole, "error")));
	vy_buf_clear(&p->why);
	return ok ? promise_keeps(vy_str_c(method), result, &p->why)
		  : play_fail(p, "%.500s", vy_buf_c(&answer));
}

static const char *params_of(const struct words *w, int i)
{
	return w->n > i ? w->rest[i] : "{}";
}

static bool do_call(struct play *p, const struct words *w)
{
	bool ok = play_call(p, w->v[1], params_of(w, 2));

	forget_key(p);
	return ok;
}

/* perhaps METHOD [{…}]: it may fail, for the machine is in a bad way; `it` is the result or the error. */
static bool do_perhaps(struct play *p, const struct words *w)
{
	(void)play_call(p, w->v[1], params_of(w, 2));
	forget_key(p);
	return true;
}

/* The next call's idempotency key. */
static bool do_key(struct play *p, const struct words *w)
{
	forget_key(p);
	p->key = vy_strdup(w->v[1]);
	return true;
}

static bool do_refuse(struct play *p, const struct words *w)
{
	bool ok = play_call(p, w->v[2], params_of(w, 3));
	const char *kind = vy_json_cstr(vy_json_get(p->it, "data"), "kind");

	forget_key(p);
	if (ok) {
		return play_fail(p, "it was not refused");
	}
	return (kind && strcmp(kind, w->v[1]) == 0) ||
	       play_fail(p, "it was refused as %s", kind ? kind : "nothing");
}

/* The body as it is written; `it` is the status and what came, read as JSON where it is. */
static bool do_post(struct play *p, const struct words *w)
{
	VY_AUTO_BUF answer = VY_BUF_INIT(CONN_ANSWER_MAX);
	struct vy_err e = { 0 };
	int status = post(p, vy_str_c(w->rest[1]), &answer, &e);
	struct vy_json *o = vy_json_new_obj(), *body = vy_json_parse(vy_buf_str(&answer), NULL);

	forget_key(p);
	vy_json_set_int(o, "status", status);
	vy_json_take(o, "body", body ? body : vy_json_new_str(vy_buf_str(&answer)));
	play_it(p, o);
	return status > 0 || play_fail(p, "%s", e.text);
}

static bool do_get(struct play *p, const struct words *w)
{
	VY_AUTO_BUF answer = VY_BUF_INIT(CONN_ANSWER_MAX);
	struct conn_ask ask = { "GET", w->v[1], "Accept: application/json\r\n", { 0 } };
	struct vy_err e = { 0 };
	int status = conn_request(p->box.sock, &ask, p->patience_ms, &answer, &e);
	struct vy_json *o = vy_json_new_obj(), *body = vy_json_parse(vy_buf_str(&answer), NULL);

	vy_json_set_int(o, "status", status);
	vy_json_take(o, "body", body ? body : vy_json_new_str(vy_buf_str(&answer)));
	play_it(p, o);
	return status > 0 || play_fail(p, "%s", e.text);
}

/* What was answered is as it was promised; of a batch, each in its place. */
static bool said_well(struct play *p, const struct vy_json *asked, const struct vy_json *body)
{
	bool is_batch = vy_json_type(asked) == VY_JSON_ARR, ok = true;

	vy_buf_clear(&p->why);
	for (size_t i = 0; ok && i < (is_batch ? vy_json_len(asked) : 1); i++) {
		const struct vy_json *call = is_batch ? vy_json_at(asked, i) : asked;
		const struct vy_json *answer = is_batch ? vy_json_at(body, i) : body;
		struct vy_str method = vy_json_str(call, "method");
		const struct vy_json *result = vy_json_get(answer, "result");

		ok = !result || !method.n || promise_keeps(method, result, &p->why);
	}
	return ok;
}

/* say WAY BODY: that text on a connection of its own, by WAY: socket or talk; `it` is {body}. */
static bool do_say(struct play *p, const struct words *w)
{
	bool is_talk = strcmp(w->v[1], conn_words[CONN_TALK]) == 0;
	struct conn c = { .fd = -1 };
	VY_AUTO_BUF answer = VY_BUF_INIT(CONN_ANSWER_MAX);
	struct vy_err e = { 0 };

	if (!is_talk && strcmp(w->v[1], conn_words[CONN_SOCKET]) != 0) {
		return play_fail(p, "expected: say socket|talk BODY");
	}
	int rc = conn_ask(&c, p->box.sock, is_talk ? CONN_TALK : CONN_SOCKET, vy_str_c(w->rest[2]),
		p->patience_ms, &answer, &e);
	VY_AUTO_JSON *asked = vy_json_parse(vy_str_c(w->rest[2]), NULL);
	struct vy_json *o = vy_json_new_obj(), *body = vy_json_parse(vy_buf_str(&answer), NULL);

	conn_close(&c);
	vy_json_take(o, "body", body ? body : vy_json_new_str(vy_buf_str(&answer)));
	play_it(p, o);
	if (rc != 0) {
		return play_fail(p, "%s", e.text);
	}
	return said_well(p, asked, body);
}

/* answered: every method of the table was, by this script. */
static bool do_answered(struct play *p, const struct words *w)
{
	VY_AUTO_BUF left = VY_BUF_INIT(65536);

	(void)w;
	promise_left(&left);
	return left.len == 0 || play_fail(p, "nobody was answered%s", vy_buf_c(&left));
}

/* ---- shorthands ---- */

/* session NAME [{further params}]: a demo session in $T/work. */
static bool do_session(struct play *p, const struct words *w)
{
	VY_AUTO_JSON *params = vy_json_parse(vy_str_c(params_of(w, 2)), NULL);
	VY_AUTO_BUF text = VY_BUF_INIT(VY_MIB);

	if (!params) {
		return play_fail(p, "expected: session NAME [{…}]");
	}
	if (!vy_json_get(params, "provider")) {
		vy_json_set_c(params, "provider", "demo");
	}
	if (!vy_json_get(params, "cwd")) {
		vy_json_set_c(params, "cwd", p->box.work);
	}
	vy_json_dump(params, &text);
	if (!play_call(p, "threads.start", vy_buf_c(&text))) {
		return false;
	}
	play_set(p, w->v[1], vy_json_cstr(p->it, "session"));
	return true;
}

/* send SESSION TEXT [steer|queue|now] */
static bool do_send(struct play *p, const struct words *w)
{
	VY_AUTO_JSON *params = vy_json_new_obj();
	VY_AUTO_BUF text = VY_BUF_INIT(CONN_ANSWER_MAX);
	bool ok;

	vy_json_set_c(params, "session", w->v[1]);
	vy_json_set_c(params, "text", w->v[2]);
	vy_json_set_c(params, "mode", w->n > 3 ? w->v[3] : NULL);
	vy_json_dump(params, &text);
	ok = play_call(p, "threads.send", vy_buf_c(&text));
	forget_key(p);
	return ok;
}

/* answer ASK DECISION [{further params}] */
static bool do_answer(struct play *p, const struct words *w)
{
	VY_AUTO_JSON *params = vy_json_parse(vy_str_c(params_of(w, 3)), NULL);
	VY_AUTO_BUF text = VY_BUF_INIT(VY_MIB);

	if (!params) {
		return play_fail(p, "expected: answer ASK DECISION [{…}]");
	}
	vy_json_set_c(params, "ask", w->v[1]);
	vy_json_set_c(params, "decision", w->v[2]);
	vy_json_dump(params, &text);
	return play_call(p, "threads.answer", vy_buf_c(&text));
}

/* pid SESSION NAME: of its agent, once it has one. */
static bool has_pid(struct play *p, void *ctx)
{
	const struct words *w = ctx;
	char text[32];

	if (!play_call(p, "threads.pids", "{}")) {
		return false;
	}
	const struct vy_json *list = vy_json_get(p->it, "pids");

	for (size_t i = 0; i < vy_json_len(list); i++) {
		const struct vy_json *one = vy_json_at(list, i);

		if (vy_str_is(vy_json_str(one, "session"), w->v[1])) {
			snprintf(text, sizeof(text), "%lld", (long long)vy_json_int(one, "pid", 0));
			play_set(p, w->v[2], text);
			return true;
		}
	}
	return false;
}

static bool do_pid(struct play *p, const struct words *w)
{
	return play_until(p, has_pid, (void *)(uintptr_t)w) ||
	       play_fail(p, "session %s has no process", w->v[1]);
}

/* ---- what is thought of it ---- */

static bool do_expect(struct play *p, const struct words *w)
{
	for (int i = 1; i < w->n; i++) {
		if (!match_fact(p->it, w->v[i], &p->why)) {
			return false;
		}
	}
	return true;
}

/* let NAME .path | let NAME = text */
static bool do_let(struct play *p, const struct words *w)
{
	VY_AUTO_BUF text = VY_BUF_INIT(CONN_ANSWER_MAX);

	if (strcmp(w->v[2], "=") == 0) {
		play_set(p, w->v[1], w->n > 3 ? w->rest[3] : "");
		return true;
	}
	const struct vy_json *v = match_path(p->it, vy_str_c(w->v[2] + (w->v[2][0] == '.')));

	match_text(v, &text);
	play_set(p, w->v[1], vy_buf_c(&text));
	return v || play_fail(p, "there is no %s", w->v[2]);
}

/* default NAME [text]: unless --set said it. */
static bool do_default(struct play *p, const struct words *w)
{
	if (!vy_json_get(p->vars, w->v[1])) {
		play_set(p, w->v[1], w->n > 2 ? w->rest[2] : "");
	}
	return true;
}

/* next NAME: one more. */
static bool do_next(struct play *p, const struct words *w)
{
	long long n = 0;
	char text[32];

	if (!vy_parse_i64(vy_json_str(p->vars, w->v[1]), &n)) {
		return play_fail(p, "%s is no number", w->v[1]);
	}
	snprintf(text, sizeof(text), "%lld", n + 1);
	play_set(p, w->v[1], text);
	return true;
}

/* random NAME MOST: from 1. */
static bool do_random(struct play *p, const struct words *w)
{
	long long most = 0;
	char text[32];

	if (!vy_parse_i64(vy_str_c(w->v[2]), &most) || most < 1) {
		return play_fail(p, "expected: random NAME MOST");
	}
	snprintf(text, sizeof(text), "%u", 1 + play_random(p, (uint32_t)most));
	play_set(p, w->v[1], text);
	return true;
}

/* is TEXT = TEXT, ~, !=: about variables. */
static bool do_is(struct play *p, const struct words *w)
{
	VY_AUTO_JSON *o = vy_json_new_obj();
	VY_AUTO_BUF fact = VY_BUF_INIT(CONN_ANSWER_MAX);

	vy_json_set_c(o, "text", w->v[1]);
	vy_buf_addf(&fact, ".text%s%s", w->v[2], w->v[3]);
	return match_fact(o, vy_buf_c(&fact), &p->why);
}

struct asking {
	const struct words *w;
	int facts; /* the first word that is one */
};

static bool call_holds(struct play *p, void *ctx)
{
	const struct asking *a = ctx;
	bool ok = play_call(p, a->w->v[1], a->facts > 2 ? a->w->v[2] : "{}");

	for (int i = a->facts; ok && i < a->w->n; i++) {
		ok = match_fact(p->it, a->w->v[i], &p->why);
	}
	return ok;
}

/* until METHOD [{params} in one word] FACT...: asked again until it is so. */
static bool do_until(struct play *p, const struct words *w)
{
	struct asking a = { w, w->v[2][0] == '{' ? 3 : 2 };

	return play_until(p, call_holds, &a);
}

static bool do_print(struct play *p, const struct words *w)
{
	VY_AUTO_BUF text = VY_BUF_INIT(CONN_ANSWER_MAX);

	if (w->n > 1) {
		printf("%s: %s\n", p->path, w->rest[1]);
	} else {
		vy_json_dump(p->it, &text);
		printf("%s:%zu: %s\n", p->path, p->at + 1, vy_buf_c(&text));
	}
	fflush(stdout);
	return true;
}

const struct play_entry verbs_call[] = {
	{ "call", 1, do_call },
	{ "perhaps", 1, do_perhaps },
	{ "key", 1, do_key },
	{ "refuse", 2, do_refuse },
	{ "post", 1, do_post },
	{ "say", 2, do_say },
	{ "answered", 0, do_answered },
	{ "get", 1, do_get },
	{ "session", 1, do_session },
	{ "send", 2, do_send },
	{ "answer", 2, do_answer },
	{ "pid", 2, do_pid },
	{ "expect", 1, do_expect },
	{ "let", 2, do_let },
	{ "default", 1, do_default },
	{ "next", 1, do_next },
	{ "random", 2, do_random },
	{ "is", 3, do_is },
	{ "until", 2, do_until },
	{ "print", 0, do_print },
	{ 0 },
};

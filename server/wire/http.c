/* http.c -- requests in, answers out: the routes, bodies, and what lws must be kept from doing.
 *
 * An answer is built whole, head and body, in conn->out and written a chunk at a time. From the
 * moment a request is complete until its answer is out, lws does not read (http_quiet): in that
 * state it would take further bytes for more of the same body and, once the other side is gone,
 * spin. But with its reading off it drops every "writable" on the floor too, and spins again. So
 * an eye of our own waits for room, and only when there is some is lws let loose, for one write.
 *
 * One connection carries one request. lws 4.1.6 keeps what was sent behind a request for later, and
 * when that later comes and the next one is a POST whose answer takes time, it calls its own body
 * parser for ever (doc/TRAPS.md): so there is no later. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "server/rpc/rpc.h"
#include "server/wire/events.h"
#include "server/wire/inline.h"
#include "server/wire/inside.h"
#include "server/wire/target.h"
#include "shared/base/log.h"
#include "shared/rpc/envelope.h"
#include "shared/rpc/protocol.h"
#include "shared/base/ban.h"

/* A body that is refused is still read to its end up to here, so that the other side, which is
 * busy sending, gets to read why. */
#define DISCARD_MAX (64LL * VY_MIB)

/* ---- the eye ---- */

/* The other side closed, or at least says nothing more. Who waits for an answer may still listen;
 * a reader of events cannot be told from one that is gone. */
static void saw_end(struct conn *c, int fd)
{
	struct pollfd p = { .fd = fd };

	if (c->phase == CONN_STREAM || poll(&p, 1, 0) != 0) {
		conn_kill(c);
	}
}

static void on_eye(void *ctx, int fd, unsigned events)
{
	struct conn *c = ctx;
	char byte;

	VY_CHECK(c, CONN_MAGIC);
	if (events & VY_WRITE) {
		c->eye_events &= ~(unsigned)VY_WRITE;
		/* in this order: libev serves first what was asked for first, so lws writes, and
		 * turns its reading off again, before it reads anything */
		lws_callback_on_writable(c->wsi);
		lws_rx_flow_control(c->wsi, 1);
	}
	if (events & VY_READ) {
		ssize_t n = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);

		if (n >= 0 || errno != EAGAIN) {
			c->eye_events &= ~(unsigned)VY_READ; /* more to read stays for lws, later */
		}
		if (n == 0 || (n < 0 && errno != EAGAIN)) {
			saw_end(c, fd);
		}
	}
	vy_watch_set(c->eye, c->eye_events);
}

void http_quiet(struct conn *c, bool is_quiet)
{
	lws_rx_flow_control(c->wsi, is_quiet ? 0 : 1);
	if (is_quiet && !c->eye) {
		c->eye_events = VY_READ;
		c->eye = vy_loop_watch(c->wire->conf.loop, c->fd, c->eye_events, on_eye, c);
	} else if (!is_quiet) {
		vy_watch_del(c->eye);
		c->eye = NULL;
	}
}

void http_want_write(struct conn *c)
{
	vy_assert(c->eye != NULL);
	c->eye_events |= VY_WRITE;
	vy_watch_set(c->eye, c->eye_events);
}

/* ---- answers ---- */

bool http_add_line(
	struct conn *c, const char *name, const char *value, unsigned char **p, unsigned char *end)
{
	return lws_add_http_header_by_name(c->wsi, (const unsigned char *)name,
		       (const unsigned char *)value, (int)strlen(value), p, end) == 0;
}

static bool add_head(struct conn *c, int status, const char *type, size_t n)
{
	unsigned char head[1024], *p = head, *end = head + sizeof(head);
	bool ok;

	if (status == 204) { /* has no length, not even 0 */
		ok = lws_add_http_header_status(c->wsi, 204, &p, end) == 0;
	} else {
		ok = lws_add_http_common_headers(c->wsi, (unsigned)status, type, n, &p, end) == 0;
	}
	if (status == 405) {
		ok = ok && http_add_line(c, "allow:", c->is_post ? "POST" : "GET", &p, end);
	}
	ok = ok && http_add_line(c, "connection:", "close", &p, end);
	ok = ok && http_add_line(c, "cache-control:", "no-store", &p, end);
	ok = ok && lws_finalize_http_header(c->wsi, &p, end) == 0;
	return ok && vy_buf_add(&c->out, head, (size_t)(p - head));
}

static void fill_out(struct conn *c, int status, const char *type, struct vy_str body)
{
	static const char pre[LWS_PRE];

	vy_buf_fini(&c->out);
	vy_buf_add(&c->out, pre, sizeof(pre));
	c->out_at = LWS_PRE;
	if (!add_head(c, status, type, body.n) || !vy_buf_addstr(&c->out, body)) {
		vy_buf_clear(&c->out); /* too long to be sent at all */
	}
}

void http_answer(struct conn *c, int status, const char *type, struct vy_str body)
{
	c->phase = CONN_WRITE;
	http_quiet(c, true);
	fill_out(c, status, type, body);
	http_want_write(c);
}

int http_status(const char *kind)
{
	static const struct {
		const char *kind;
		int status;
	} table[] = {
		{ "bad_input", 400 },
		{ "not_found", 404 },
		{ "denied", 403 },
		{ "person_only", 403 },
		{ "conflict", 409 },
		{ "gone", 410 },
		{ "unsupported", 501 },
		{ "busy", 503 },
		{ "limit", 503 },
	};

	for (size_t i = 0; i < VY_COUNT(table); i++) {
		if (strcmp(kind, table[i].kind) == 0) {
			return table[i].status;
		}
	}
	return 500;
}

static void error_body(struct vy_buf *out, const struct vy_err *e)
{
	struct vy_jw w = VY_JW(out);

	vy_jw_obj(&w);
	vy_jw_key(&w, "error");
	vy_jw_obj(&w);
	vy_jw_kint(&w, "code", vy_code_rpc(e->code));
	vy_jw_kstr(&w, "message", vy_str_c(e->text));
	vy_jw_key(&w, "data");
	vy_jw_obj(&w);
	vy_jw_kstr(&w, "kind", vy_str_c(vy_code_kind(e->code)));
	vy_jw_end_obj(&w);
	vy_jw_end_obj(&w);
	vy_jw_end_obj(&w);
}

void http_refuse(struct conn *c, int status, const struct vy_err *e)
{
	VY_AUTO_BUF body = VY_BUF_INIT(4096);

	error_body(&body, e);
	http_answer(c, status, "application/json", vy_buf_str(&body));
}

int http_refuse_now(struct conn *c, int status, const struct vy_err *e)
{
	VY_AUTO_BUF out = VY_BUF_INIT(8192);
	VY_AUTO_BUF body = VY_BUF_INIT(4096);
	static const char pre[LWS_PRE];
	size_t n;

	error_body(&body, e);
	vy_buf_add(&out, pre, sizeof(pre));
	vy_buf_addf(&out,
		"HTTP/1.1 %d Refused\r\ncontent-type: application/json\r\ncontent-length: %zu\r\n"
		"cache-control: no-store\r\nconnection: close\r\n\r\n",
		status, body.len);
	vy_buf_addstr(&out, vy_buf_str(&body));
	n = out.len - LWS_PRE;
	if (lws_write(c->wsi, (unsigned char *)out.data + LWS_PRE, n, LWS_WRITE_HTTP_FINAL) <
		(int)n) {
		return -1;
	}
	conn_due(c, CONN_CLOSE, WIRE_STALL_MS);
	return 1;
}

/* The answer is out: 0 or -1 for lws. Who is still sending a body that nobody wants is let finish,
 * or it would be cut off before it could read why; body_complete() ends it then. */
static int finished(struct conn *c)
{
	if (!c->is_early) {
		return -1;
	}
	http_quiet(c, false);
	conn_due(c, CONN_CLOSE, WIRE_STALL_MS);
	return 0;
}

enum http_wrote http_write(struct conn *c, enum lws_write_protocol last)
{
	size_t left = c->out.len - c->out_at, n = left < CHUNK ? left : CHUNK;
	unsigned char *at = (unsigned char *)c->out.data + c->out_at;

	/* what lies before `at` is LWS_PRE or has been sent, so lws may use it as its own */
	if (lws_write(c->wsi, at, n, n < left ? LWS_WRITE_HTTP : last) < (int)n) {
		return HTTP_LOST;
	}
	c->wire->counts.bytes_sent += n;
	c->out_at += n;
	if (n == left) {
		vy_buf_fini(&c->out);
		return HTTP_ALL;
	}
	http_want_write(c);
	return HTTP_SOME;
}

/* Room for one write. lws also calls for reasons of its own, which are none of ours. */
static int on_writeable(struct conn *c, struct lws *wsi)
{
	if (lws_partial_buffered(wsi) || !c->eye) {
		return 0;
	}
	lws_rx_flow_control(wsi, 0);
	if (c->phase == CONN_STREAM) {
		return stream_write_events(c);
	}
	if (c->phase != CONN_WRITE) {
		return 0;
	}
	if (c->out.len == 0) {
		return -1;
	}
	switch (http_write(c, LWS_WRITE_HTTP_FINAL)) {
	case HTTP_LOST: return -1;
	case HTTP_SOME: return 0;
	case HTTP_ALL: break;
	}
	return finished(c);
}

/* ---- requests ---- */

/* A header as a slice of `room`; empty when there is none. */
static struct vy_str header(struct lws *wsi, enum lws_token_indexes token, char *room, size_t n)
{
	int len = lws_hdr_copy(wsi, room, (int)n, token);

	if (len < 0) {
		return vy_str_c("(too long)"); /* which is not the same as absent */
	}
	return vy_str_n(room, (size_t)len);
}

static struct vy_str custom(struct lws *wsi, const char *name, char *room, size_t n)
{
	int len = lws_hdr_custom_copy(wsi, room, (int)n, name, (int)strlen(name));

	return vy_str_n(room, len > 0 ? (size_t)len : 0);
}

/* "vyre-tui/0.1.0 (linux)" → "vyre-tui" */
static void note_surface(struct conn *c, struct lws *wsi)
{
	char room[256];
	struct vy_str ua = header(wsi, WSI_TOKEN_HTTP_USER_AGENT, room, sizeof(room));
	size_t n = 0;

	while (n < ua.n && n < sizeof(c->caller.surface) - 1 && ua.p[n] > ' ' && ua.p[n] < 127 &&
		ua.p[n] != '/') {
		n++;
	}
	if (n == 0) {
		snprintf(c->caller.surface, sizeof(c->caller.surface), "http");
		return;
	}
	memcpy(c->caller.surface, ua.p, n);
	c->caller.surface[n] = '\0';
}

/* Path and arguments as lws took them apart. */
static int read_target(struct lws *wsi, struct http_target *t, struct vy_err *e)
{
	char *path = NULL;
	size_t used = 0, n = 0;
	int len = 0, got;

	t->method = lws_http_get_uri_and_method(wsi, &path, &len);
	while (n < VY_COUNT(t->args) &&
		(got = lws_hdr_copy_fragment(wsi, t->room + used, (int)(sizeof(t->room) - used),
			 WSI_TOKEN_HTTP_URI_ARGS, (int)n)) >= 0) {
		t->args[n++] = vy_str_n(t->room + used, (size_t)got);
		used += (size_t)got + 1;
	}
	t->n_args = n;
	return target_parse(vy_str_n(path, len > 0 ? (size_t)len : 0), t->args, n, &t->target, e);
}

int http_target(struct conn *c, struct lws *wsi, struct http_target *t, struct vy_err *e)
{
	char host[256], origin[256];

	note_surface(c, wsi);
	if (c->is_tcp && gate_check(header(wsi, WSI_TOKEN_HOST, host, sizeof(host)),
				 header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof(origin)), e) != 0) {
		return -1;
	}
	return read_target(wsi, t, e);
}

/* -1: none, junk, or one that another way of saying where the body ends stands beside. */
static long long content_length(struct lws *wsi)
{
	char room[32];
	struct vy_str s = header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, room, sizeof(room));
	long long n;

	if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0) {
		return -1;
	}
	return s.n && vy_parse_i64(s, &n) && n >= 0 ? n : -1;
}

static int refuse(struct conn *c, int status, enum vy_code code, const char *sentence)
{
	struct vy_err e;

	vy_fail(&e, code, "%s", sentence);
	http_refuse(c, status, &e);
	return 0;
}

int http_take_body(struct conn *c, struct lws *wsi, long long n)
{
	char room[VY_ID_MAX + 1];
	struct vy_str key;

	if (n < 0) {
		return refuse(c, 411, VY_BAD_INPUT, "the request needs a Content-Length");
	}
	if (n > VY_RPC_BODY_MAX) {
		return refuse(c, 413, VY_FULL, "a request may have 16 MiB");
	}
	struct vy_err e = { 0 };
	char said[32];

	if (vy_protocol_of_client(custom(wsi, VY_PROTOCOL_HEADER, said, sizeof(said)), &e) != 0) {
		http_refuse(c, 400, &e);
		return 0;
	}
	if (lws_hdr_custom_length(wsi, "idempotency-key:", 16) > VY_ID_MAX) {
		return refuse(c, 400, VY_BAD_INPUT, "Idempotency-Key: at most 256 bytes");
	}
	key = custom(wsi, "idempotency-key:", room, sizeof(room));
	vy_buf_addstr(&c->key, key);
	if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_EXPECT) > 0) {
		unsigned char go[LWS_PRE + 32] = { 0 };
		int len = snprintf((char *)go + LWS_PRE, 32, "HTTP/1.1 100 Continue\r\n\r\n");

		if (lws_write(wsi, go + LWS_PRE, (size_t)len, LWS_WRITE_HTTP) < len) {
			return -1;
		}
	}
	conn_due(c, CONN_BODY, WIRE_STALL_MS);
	return 0;
}

/* A TCP caller is nobody until it can show a device's token, which a later release gives out. */
static void deny_rpc(struct conn *c)
{
	struct vy_rpc_batch batch;
	VY_AUTO_BUF out = VY_BUF_INIT(256 * VY_KIB);
	struct vy_jw w = VY_JW(&out);
	struct vy_rpc_error error;
	struct vy_err e;
	int code;

	vy_fail(&e, VY_PERSON_ONLY,
		"Only a person can send requests by TCP, with a device's token, which this version "
		"cannot give yet: use the Unix socket");
	error = vy_rpc_error_of(&e);
	if (vy_rpc_parse(vy_buf_str(&c->in), &batch, &code, NULL) != 0) {
		vy_rpc_write_error(&w, NULL, &error);
		http_answer(c, 200, "application/json", vy_buf_str(&out));
		return;
	}
	if (batch.is_batch) {
		vy_jw_arr(&w);
	}
	for (size_t i = 0; i < batch.n; i++) {
		vy_rpc_write_error(&w, batch.calls[i].id, &error);
	}
	if (batch.is_batch) {
		vy_jw_end_arr(&w);
	}
	vy_rpc_batch_fini(&batch);
	http_answer(c, 200, "application/json", vy_buf_str(&out));
}

void http_call(struct conn *c, struct vy_str body)
{
	struct wire *w = c->wire;

	c->phase = CONN_WAIT;
	c->call = ++w->next_call;
	HASH_ADD(hh, w->calls, call, sizeof(c->call), c);
	w->counts.waiting++;
	w->conf.call(w->conf.ctx, &(struct wire_request){ .id = c->call,
					  .who = &c->caller,
					  .body = body,
					  .key = vy_buf_str(&c->key) });
}

static int body_complete(struct conn *c, struct lws *wsi)
{
	c->is_early = false;
	if (c->phase !=
		CONN_BODY) { /* refused before its body came: over, once it could read why */
		return c->phase == CONN_CLOSE ? -1 : 0;
	}
	lws_http_headers_detach(wsi); /* lws ends a connection that holds them for minutes */
	lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0);
	http_quiet(c, true);
	if (c->say_to) {
		inline_say(c);
	} else if (c->is_tcp) {
		deny_rpc(c);
	} else {
		http_call(c, vy_buf_str(&c->in));
	}
	vy_buf_fini(&c->in); /* the request is theirs now; the memory need not wait with it */
	return 0;
}

static int snapshot(struct conn *c, const struct target *t)
{
	VY_AUTO_BUF body = VY_BUF_INIT(ANSWER_MAX);
	struct rpc_snapshot_ask ask = { t->session, t->rows, t->to, t->is_folded };
	struct wire *w = c->wire;
	struct vy_err e;

	if (c->is_tcp) {
		return refuse(
			c, 403, VY_DENIED, "by TCP there are streams only, each with its ticket");
	}
	if (w->conf.snapshot(w->conf.ctx, &c->caller, &ask, &body, &e) == 0) {
		http_answer(c, 200, "application/json", vy_buf_str(&body));
		return 0;
	}
	http_refuse(c,
		e.code == VY_NOT_FOUND     ? 404
		: e.code == VY_DENIED      ? 403
		: e.code == VY_PERSON_ONLY ? 403
					   : 500,
		&e);
	return 0;
}

static int on_request(struct conn *c, struct lws *wsi)
{
	long long length = content_length(wsi);
	struct http_target t;
	struct vy_err e;

	if (c->phase != CONN_HEAD) {
		return -1; /* one is enough */
	}
	c->phase = CONN_WRITE;
	c->is_early = length > 0 && length <= DISCARD_MAX;
	lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0);
	if (http_target(c, wsi, &t, &e) != 0) {
		http_refuse(c, e.code == VY_DENIED ? 403 : 400, &e);
		return 0;
	}
	c->is_post = t.target.route == TARGET_RPC || t.target.route == TARGET_SAY;
	if (t.target.route == TARGET_NONE) {
		return refuse(
			c, 404, VY_NOT_FOUND, "there is nothing here; POST /v1/rpc is the way in");
	}
	if (t.method != (c->is_post ? LWSHUMETH_POST : LWSHUMETH_GET)) {
		return refuse(c, 405, VY_UNSUPPORTED,
			c->is_post ? "requests are made with POST" : "this is read with GET");
	}
	switch (t.target.route) {
	case TARGET_RPC: return http_take_body(c, wsi, length);
	case TARGET_SAY: return inline_head(c, wsi, &t.target, length);
	case TARGET_SNAPSHOT: return snapshot(c, &t.target);
	case TARGET_EVENTS: return events_get(c, wsi, &t);
	case TARGET_TERM:
		return refuse(
			c, 426, VY_UNSUPPORTED, "a terminal is a WebSocket: it needs an upgrade");
	case TARGET_CONTROL:
		return stream_asks_events(wsi)
			       ? events_get(c, wsi, &t)
			       : refuse(c, 426, VY_UNSUPPORTED,
					 "this is a WebSocket: it needs an upgrade, or Accept: "
					 "text/event-stream");
	default: return stream_events(c, wsi, &t);
	}
}

static int on_body(struct conn *c, const void *in, size_t n)
{
	if (c->phase == CONN_BODY) {
		conn_due(c, CONN_BODY, WIRE_STALL_MS);
		if (!vy_buf_add(&c->in, in, n)) {
			return -1; /* more than it said, which lws does not let through */
		}
	}
	return 0;
}

int http_event(struct conn *c, struct lws *wsi, enum lws_callback_reasons why, void *in, size_t n)
{
	switch ((int)why) {
	case LWS_CALLBACK_HTTP: return on_request(c, wsi);
	case LWS_CALLBACK_HTTP_BODY: return on_body(c, in, n);
	case LWS_CALLBACK_HTTP_BODY_COMPLETION: return body_complete(c, wsi);
	case LWS_CALLBACK_HTTP_WRITEABLE: return on_writeable(c, wsi);
	default: /* the socket is about to be closed */
		vy_watch_del(c->eye);
		c->eye = NULL;
		return 0;
	}
}

/* dial.c -- see dial.h. The side of libwebsockets; the calls themselves are call.c. */
#include "tui/net/dial.h"

#include <libwebsockets.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "config.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/sockpath.h"
#include "shared/rpc/protocol.h"
#include "tui/net/call.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define DIAL_FDS 1024          /* lws makes tables of this size */
#define NEVER_S  (100 * 86400) /* lws' own deadlines: ours are the ones that count */
#define CHUNK    VY_BATCH_BYTES
#define AGENT    "vyre-tui/" PACKAGE_VERSION

_Static_assert(CALL_PRE >= LWS_PRE, "lws writes its header before what it is given");

struct dial {
	struct vy_loop *loop;
	char *target;
	bool is_local;
	char *address; /* "+/path" or a host */
	int port;
	struct lws_context *lws;
	struct lws_vhost *vhost;
	struct calls calls;
};

static struct dial *dial_of(const struct call *c)
{
	return (struct dial *)((char *)c->all - offsetof(struct dial, calls));
}

static void drop(struct lws *wsi)
{
	lws_set_opaque_user_data(wsi, NULL);
	lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_SYNC);
}

/* ---- what lws tells of a request ---- */

static bool add(
	struct lws *wsi, const char *name, const char *value, unsigned char **p, unsigned char *end)
{
	return lws_add_http_header_by_name(wsi, (const unsigned char *)name,
		       (const unsigned char *)value, (int)strlen(value), p, end) == 0;
}

static int append_headers(struct call *c, struct lws *wsi, unsigned char **p, size_t room)
{
	unsigned char *end = *p + room;
	struct dial_request *r = (struct dial_request *)c;
	char protocol[16];

	snprintf(protocol, sizeof(protocol), "%d", VY_PROTOCOL);

	bool ok = add(wsi, "user-agent:", AGENT, p, end) &&
		  add(wsi, VY_PROTOCOL_HEADER, protocol, p, end);
	char length[32];

	if (c->kind == CALL_REQUEST && r->events.bytes) {
		ok = ok && add(wsi, "accept:", "text/event-stream", p, end);
		ok = ok && (!r->last_id || add(wsi, "last-event-id:", r->last_id, p, end));
	}
	if (c->kind == CALL_REQUEST && r->out.len > CALL_PRE) {
		snprintf(length, sizeof(length), "%zu", r->out.len - CALL_PRE);
		ok = ok && add(wsi, "content-type:", "application/json", p, end);
		ok = ok && add(wsi, "content-length:", length, p, end);
		ok = ok && (!r->key || add(wsi, "idempotency-key:", r->key, p, end));
		lws_client_http_body_pending(wsi, 1);
		lws_callback_on_writable(wsi);
	}
	return ok ? 0 : -1;
}

static int write_body(struct dial_request *r, struct lws *wsi)
{
	size_t left = r->out.len - r->out_at, n = left < CHUNK ? left : CHUNK;
	unsigned char *at = (unsigned char *)r->out.data + r->out_at;

	if (left == 0) {
		return 0;
	}
	if (lws_write(wsi, at, n, n == left ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < (int)n) {
		return -1;
	}
	r->out_at += n;
	if (n == left) {
		lws_client_http_body_pending(wsi, 0);
	} else {
		lws_callback_on_writable(wsi);
	}
	return 0;
}

static void read_head(struct dial_request *r, struct lws *wsi)
{
	char text[32];
	long long n;
	int len = lws_hdr_copy(wsi, text, sizeof(text), WSI_TOKEN_HTTP_CONTENT_LENGTH);

	r->status = (int)lws_http_client_http_response(wsi);
	r->length = len > 0 && vy_parse_i64(vy_str_n(text, (size_t)len), &n) ? n : -1;
	if (r->events.bytes && r->status == 200 && !r->c.is_over) {
		r->is_stream = true;
		if (r->c.timer) {
			vy_timer_set(r->c.timer, -1);
		}
		r->events.open(r->ctx);
	}
}

static int read_some(struct call *c, struct lws *wsi)
{
	char room[CALL_PRE + 16384], *p = room + CALL_PRE;
	int n = sizeof(room) - CALL_PRE;

	(void)c;
	return lws_http_client_read(wsi, &p, &n) < 0 ? -1 : 0;
}

static int request_event(
	struct dial_request *r, struct lws *wsi, enum lws_callback_reasons why, void *in, size_t n)
{
	switch ((int)why) {
	case LWS_CALLBACK_CLIENT_HTTP_WRITEABLE: return write_body(r, wsi);
	case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP: read_head(r, wsi); return 0;
	case LWS_CALLBACK_RECEIVE_CLIENT_HTTP: return read_some(&r->c, wsi);
	case LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ:
		if (r->is_stream) {
			if (!r->c.is_over) {
				r->events.bytes(r->ctx, vy_str_n(in, n));
			}
			return 0;
		}
		if (!vy_buf_add(&r->c.in, in, n)) {
			call_fail(&r->c, VY_FULL, _("the server's answer is larger than 64 MiB"));
			return -1;
		}
		return 0;
	case LWS_CALLBACK_COMPLETED_CLIENT_HTTP:
		r->is_whole = true;
		call_over(&r->c);
		return 0;
	case LWS_CALLBACK_CLOSED_CLIENT_HTTP: request_ended(r); return 0;
	default: return 0;
	}
}

/* ---- what lws tells of a WebSocket ---- */

static int write_saying(struct dial_ws *ws, struct lws *wsi)
{
	struct saying *s = STAILQ_FIRST(&ws->sayings);
	unsigned char room[CALL_PRE + 1]; /* lws does not tell of an answer without a payload */
	int rc;

	if (ws->wants_ping) {
		ws->wants_ping = false;
		lws_callback_on_writable(wsi);
		room[CALL_PRE] = '?';
		return lws_write(wsi, room + CALL_PRE, 1, LWS_WRITE_PING) < 1 ? -1 : 0;
	}
	if (!s) {
		return 0;
	}
	rc = lws_write(
		wsi, s->bytes + CALL_PRE, s->n, s->is_binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT);
	STAILQ_REMOVE_HEAD(&ws->sayings, link);
	ws->waiting -= s->n;
	rc = rc < (int)s->n ? -1 : 0;
	free(s);
	if (rc == 0 && !STAILQ_EMPTY(&ws->sayings)) {
		lws_callback_on_writable(wsi);
	}
	return rc;
}

static void heard(const struct dial_ws *ws)
{
	if (ws->ev.heard && !ws->c.is_silent && !ws->c.is_over) {
		ws->ev.heard(ws->ctx);
	}
}

static int received(struct dial_ws *ws, struct lws *wsi, const void *in, size_t n)
{
	heard(ws);
	if (lws_is_first_fragment(wsi)) {
		vy_buf_clear(&ws->c.in);
	}
	if (!vy_buf_add(&ws->c.in, in, n)) {
		ws->code = LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE;
		snprintf(ws->why, sizeof(ws->why), "a message was larger than 1 MiB");
		lws_close_reason(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, NULL, 0);
		call_over(&ws->c);
		return -1;
	}
	if (lws_is_final_fragment(wsi) && !ws->c.is_silent && !ws->c.is_over) {
		(ws->ev.bytes && lws_frame_is_binary(wsi) ? ws->ev.bytes : ws->ev.message)(
			ws->ctx, vy_buf_str(&ws->c.in));
		vy_buf_clear(&ws->c.in);
	}
	return 0;
}

static int ws_event(
	struct dial_ws *ws, struct lws *wsi, enum lws_callback_reasons why, void *in, size_t n)
{
	switch ((int)why) {
	case LWS_CALLBACK_CLIENT_ESTABLISHED:
		ws->is_open = true;
		vy_timer_set(ws->c.timer, -1);
		lws_callback_on_writable(wsi);
		if (!ws->c.is_silent && !ws->c.is_over) {
			ws->ev.open(ws->ctx);
		}
		return 0;
	case LWS_CALLBACK_CLIENT_RECEIVE: return received(ws, wsi, in, n);
	case LWS_CALLBACK_CLIENT_RECEIVE_PONG: heard(ws); return 0;
	case LWS_CALLBACK_CLIENT_WRITEABLE: return write_saying(ws, wsi);
	case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: ws_told(ws, in, n); return 0;
	case LWS_CALLBACK_CLIENT_CLOSED: call_over(&ws->c); return 0;
	default: return 0; /* of the request before the upgrade */
	}
}

/* ---- lws ---- */

static void refused(struct call *c, struct lws *wsi, const char *why, size_t n)
{
	struct dial_ws *ws = (struct dial_ws *)c;
	int status = (int)lws_http_client_http_response(wsi);

	if (c->kind == CALL_WS && status >= 400 && status < 600) {
		ws->code = status;
		snprintf(ws->why, sizeof(ws->why), "HTTP %d", status);
	}
	if (c->err.code == VY_OK) {
		vy_fail(&c->err, VY_RETRY, _("nobody answers at %s (%.*s)"), dial_of(c)->target,
			n ? (int)n : 0, n ? why : "");
	}
	call_over(c);
}

static int on_lws(struct lws *wsi, enum lws_callback_reasons why, void *user, void *in, size_t n)
{
	struct call *c;

	(void)user;
	switch ((int)why) {
	case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
	case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
	case LWS_CALLBACK_WSI_DESTROY:
	case LWS_CALLBACK_CLIENT_HTTP_WRITEABLE:
	case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP:
	case LWS_CALLBACK_RECEIVE_CLIENT_HTTP:
	case LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ:
	case LWS_CALLBACK_COMPLETED_CLIENT_HTTP:
	case LWS_CALLBACK_CLOSED_CLIENT_HTTP:
	case LWS_CALLBACK_CLIENT_ESTABLISHED:
	case LWS_CALLBACK_CLIENT_RECEIVE:
	case LWS_CALLBACK_CLIENT_RECEIVE_PONG:
	case LWS_CALLBACK_CLIENT_WRITEABLE:
	case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
	case LWS_CALLBACK_CLIENT_CLOSED: break;
	default: return 0;
	}
	c = lws_get_opaque_user_data(wsi);
	if (!c) {
		return 0; /* one that we let go */
	}
	VY_CHECK(c, CALL_MAGIC);
	switch ((int)why) {
	case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER: return append_headers(c, wsi, in, n);
	case LWS_CALLBACK_CLIENT_CONNECTION_ERROR: refused(c, wsi, in, in ? n : 0); return 0;
	case LWS_CALLBACK_WSI_DESTROY:
		c->wsi = NULL;
		if (!c->is_over) {
			call_fail(c, VY_RETRY, _("the connection ended"));
		}
		return 0;
	default: break;
	}
	return c->kind == CALL_REQUEST ? request_event((struct dial_request *)c, wsi, why, in, n)
				       : ws_event((struct dial_ws *)c, wsi, why, in, n);
}

static const struct lws_protocols protocols[] = {
	{ .name = "vyre", .callback = on_lws, .rx_buffer_size = CHUNK, .tx_packet_size = CHUNK },
	{ .name = "vyre.lines",
		.callback = on_lws,
		.rx_buffer_size = CHUNK,
		.tx_packet_size = CHUNK },
	{ .name = NULL },
};

/* No pings by lws: its validity timer outlives what it points to (doc/TRAPS.md). */
static const lws_retry_bo_t no_pings = { .secs_since_valid_ping = 0 };

static void lws_says(int level, const char *line)
{
	(void)level; /* a screen is no place for it */
	(void)line;
}

/* lws sizes its tables by the file limit, which may be a million here. */
static struct lws_context *make_context(struct lws_context_creation_info *info)
{
	struct rlimit was, now;
	bool is_lowered = getrlimit(RLIMIT_NOFILE, &was) == 0 && was.rlim_cur > DIAL_FDS;
	struct lws_context *lws;

	if (is_lowered) {
		now = was;
		now.rlim_cur = DIAL_FDS;
		is_lowered = setrlimit(RLIMIT_NOFILE, &now) == 0;
	}
	lws = lws_create_context(info);
	if (is_lowered) {
		(void)setrlimit(RLIMIT_NOFILE, &was);
	}
	return lws;
}

static int make_lws(struct dial *d, struct vy_err *e)
{
	void *loops[1] = { vy_loop_native(d->loop) };
	struct lws_context_creation_info info = {
		.port = CONTEXT_PORT_NO_LISTEN,
		.protocols = protocols,
		.gid = (gid_t)-1,
		.uid = (uid_t)-1,
		.foreign_loops = loops,
		.options = LWS_SERVER_OPTION_LIBEV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
			   LWS_SERVER_OPTION_DISABLE_IPV6,
		.pt_serv_buf_size = CHUNK + 1024,
		.timeout_secs = NEVER_S,
		.connect_timeout_secs = NEVER_S,
		.retry_and_idle_policy = &no_pings,
		.vhost_name = "vyre-tui",
	};

	lws_set_log_level(LLL_ERR, lws_says);
	d->lws = make_context(&info);
	d->vhost = d->lws ? lws_create_vhost(d->lws, &info) : NULL;
	if (!d->vhost) {
		return vy_fail(e, VY_UNSUPPORTED,
			_("libwebsockets would not start on the libev loop: is its plugin there? "
			  "(apt-get "
			  "install libwebsockets-evlib-ev)"));
	}
	return 0;
}

/* ---- the dial ---- */

static int read_target(struct dial *d, const char *target, struct vy_err *e)
{
	static const char http[] = "http://";
	VY_AUTO_BUF b = VY_BUF_INIT(4096);
	char real[VY_SOCK_PATH_MAX + 1];
	const char *host = target + strlen(http), *colon;
	long long port;

	if (target[0] == '/') {
		if (vy_sock_path(target, real, e) != 0) {
			return -1;
		}
		vy_buf_addf(&b, "+%s", real);
		d->is_local = true;
		d->address = vy_buf_take(&b, NULL);
		return 0;
	}
	colon = strncmp(target, http, strlen(http)) == 0 ? strrchr(host, ':') : NULL;
	if (!colon || !vy_parse_i64(vy_str_c(colon + 1), &port) || port < 1 || port > 65535) {
		return vy_fail(e, VY_BAD_INPUT,
			_("expected the path of a socket or http://ADDRESS:PORT, got %s"), target);
	}
	d->address = vy_memdup0(host, (size_t)(colon - host));
	d->port = (int)port;
	return 0;
}

struct dial *dial_new(struct vy_loop *l, const char *target, struct vy_err *e)
{
	struct dial *d = VY_NEW(struct dial);

	d->loop = l;
	d->target = vy_strdup(target);
	calls_init(&d->calls, l, drop);
	if (read_target(d, target, e) != 0 || make_lws(d, e) != 0) {
		dial_free(d);
		return NULL;
	}
	return d;
}

void dial_free(struct dial *d)
{
	if (!d) {
		return;
	}
	calls_fini(&d->calls);
	if (d->lws) {
		lws_context_destroy(d->lws);
	}
	free(d->address);
	free(d->target);
	free(d);
}

const char *dial_target(const struct dial *d)
{
	return d->target;
}

bool dial_is_local(const struct dial *d)
{
	return d->is_local;
}

/* ---- starting a call ---- */

static void start(
	struct dial *d, struct call *c, const char *method, const char *path, const char *protocol)
{
	struct lws_client_connect_info i = {
		.context = d->lws,
		.vhost = d->vhost,
		.address = d->address,
		.port = d->port,
		.host = d->is_local ? "localhost" : d->target + strlen("http://"),
		.path = path,
		.method = method,
		.protocol = protocol,
		.local_protocol_name = protocol ? protocol : protocols[0].name,
		.retry_and_idle_policy = &no_pings,
		.pwsi = &c->wsi,
		.opaque_user_data = c,
	};

	if (!lws_client_connect_via_info(&i)) {
		c->wsi = NULL; /* it may have told us why already */
		call_fail(c, VY_RETRY, _("nobody answers there"));
	}
}

struct dial_request *dial_ask(
	struct dial *d, const struct dial_ask *ask, dial_answer_fn *fn, void *ctx)
{
	struct dial_request *r = request_new(&d->calls, ask, fn, ctx);

	if (!r->c.is_over) {
		start(d, &r->c, r->method, r->path, NULL);
	}
	return r;
}

void dial_cancel(struct dial_request *r)
{
	if (r) {
		call_forget(&r->c);
	}
}

struct dial_ws *dial_ws_open(struct dial *d, const char *path, const char *subprotocol,
	const struct dial_ws_events *ev, void *ctx)
{
	struct dial_ws *ws = ws_new(&d->calls, ev, ctx);

	start(d, &ws->c, NULL, path, subprotocol);
	return ws;
}

static void say(struct dial_ws *ws, struct vy_str text, bool is_binary)
{
	struct saying *s = vy_alloc(sizeof(*s) + CALL_PRE + text.n);

	VY_CHECK(&ws->c, CALL_MAGIC);
	s->n = text.n;
	s->is_binary = is_binary;
	ws->waiting += text.n;
	if (text.n) {
		memcpy(s->bytes + CALL_PRE, text.p, text.n);
	}
	STAILQ_INSERT_TAIL(&ws->sayings, s, link);
	if (ws->is_open && ws->c.wsi) {
		lws_callback_on_writable(ws->c.wsi);
	}
}

void dial_ws_send(struct dial_ws *ws, struct vy_str text)
{
	say(ws, text, false);
}

void dial_ws_send_bytes(struct dial_ws *ws, struct vy_str bytes)
{
	say(ws, bytes, true);
}

size_t dial_ws_waiting(const struct dial_ws *ws)
{
	return ws->waiting;
}

void dial_ws_ping(struct dial_ws *ws)
{
	VY_CHECK(&ws->c, CALL_MAGIC);
	if (ws->is_open && ws->c.wsi) {
		ws->wants_ping = true;
		lws_callback_on_writable(ws->c.wsi);
	}
}

void dial_ws_close(struct dial_ws *ws)
{
	if (ws) {
		call_forget(&ws->c);
	}
}

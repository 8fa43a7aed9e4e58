/* stream.c -- a connection that became a viewer: as a WebSocket, or as server-sent events.
 *
 * Both are the same peer behind two ways of writing. A ticket is redeemed when everything else
 * about the request is right, and before lws is allowed to say yes to an upgrade: refused later
 * than that, lws would hang up without a word. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "server/wire/beat.h"
#include "server/wire/events.h"
#include "server/wire/feed.h"
#include "server/wire/inside.h"
#include "server/wire/talk.h"
#include "server/wire/term.h"
#include "shared/base/crash.h"
#include "shared/base/log.h"
#include "shared/base/ban.h"

#define CLOSE_MS 3000 /* for the other side to agree that it is over */

static bool write_plain(struct conn *c);

/* There is something for a viewer that had got all there was, so its socket has room: it goes now,
 * not when the loop has asked the kernel. Called by the hub, never from a callback of lws. May end
 * the connection. */
static void write_now(struct conn *c)
{
	struct lws_pollfd p = { .fd = c->fd, .events = POLLIN | POLLOUT, .revents = POLLOUT };

	if (lws_partial_buffered(c->wsi)) {
		lws_callback_on_writable(c->wsi);
	} else if (!write_plain(c)) {
		lws_service_fd(c->wire->lws, &p);
	}
}

void stream_want_write(struct conn *c)
{
	VY_CHECK(c, CONN_MAGIC);
	if (c->form == PEER_SSE) {
		http_want_write(c);
	} else {
		write_now(c);
	}
}

static void wants_write(void *ctx)
{
	stream_want_write(ctx);
}

void stream_close(struct conn *c, int code)
{
	if (c->events) {
		events_end(c->events, code);
		return;
	}
	c->close_code = code;
	stream_want_write(c);
}

static void become_viewer(struct conn *c)
{
	struct peer_conf conf = {
		.hub = c->wire->conf.hub,
		.access = c->wire->conf.access,
		.who = &c->grant.caller,
		.loop = c->wire->conf.loop,
		.form = c->form,
		.session = c->grant.session,
		.viewer = c->grant.viewer,
		.epoch = c->grant.epoch,
		.has_from = c->has_from,
		.from = c->from,
		.is_agent = c->grant.caller.kind != CALLER_PERSON,
		.is_counted = c->grant.caller.kind == CALLER_PERSON,
		.wants_write = wants_write,
		.ctx = c,
	};

	c->phase = CONN_STREAM;
	c->peer = peer_new(&conf);
	c->wire->counts.streams++;
	VY_CRASH(VIEWER_JOINED);
	vy_log(VY_LOG_DEBUG, "wire.stream", "fd=%d session=%s form=%d from=%lld", c->fd,
		c->grant.session, (int)c->form, c->has_from ? (long long)c->from : -1LL);
}

/* ---- may it? ---- */

static bool has_word(struct lws *wsi, enum lws_token_indexes token, const char *word)
{
	char room[256];
	size_t n = strlen(word);
	int len = lws_hdr_copy(wsi, room, sizeof(room), token);

	for (const char *p = room; len > 0 && *p; p++) {
		bool is_start = p == room || p[-1] == ' ' || p[-1] == ',';

		if (is_start && strncasecmp(p, word, n) == 0 &&
			(p[n] == '\0' || p[n] == ',' || p[n] == ' ' || p[n] == ';')) {
			return true;
		}
	}
	return false;
}

int stream_has_place(struct conn *c, struct vy_err *e)
{
	if (c->wire->is_draining) {
		vy_fail(e, VY_RETRY, "vyred is restarting; come again in a moment");
		return 503;
	}
	if (c->wire->counts.streams >= wire_max_streams(c->wire)) {
		vy_fail(e, VY_BUSY, "too many viewers: close one, or try again");
		return 503;
	}
	return 0;
}

static int take_ticket(struct conn *c, const struct target *t, struct vy_err *e)
{
	const struct caller *who = c->is_tcp ? NULL : &c->caller;
	int status = stream_has_place(c, e);

	c->has_from = t->has_from;
	c->from = t->from;
	if (status) {
		return status;
	}
	if (t->ticket.n == 0) {
		vy_fail(e, VY_DENIED, "a stream needs a ticket: stream.open gives one");
		return 403;
	}
	if (ticket_redeem(c->wire->conf.tickets, t->ticket, who, &c->grant, e) != 0) {
		return 403;
	}
	if (t->route == TARGET_TERM) {
		return wire_term_upgrade(c, t, e);
	}
	if (c->grant.term[0]) {
		vy_fail(e, VY_DENIED, "this ticket was made for another stream");
		return 403;
	}
	return 0;
}

/* ---- WebSocket ---- */

/* 0, or the HTTP status to refuse with. */
static int judge_upgrade(struct conn *c, struct lws *wsi, struct vy_err *e)
{
	struct http_target t;

	if (http_target(c, wsi, &t, e) != 0) {
		return e->code == VY_DENIED ? 403 : 400;
	}
	enum target_route route = t.target.route;
	bool is_control = route == TARGET_CONTROL, is_events = route == TARGET_EVENTS;
	bool is_ticketed = route == TARGET_STREAM || route == TARGET_TERM;

	if ((!is_control && !is_events && !is_ticketed) || t.method != LWSHUMETH_GET) {
		vy_fail(e, VY_NOT_FOUND,
			"no WebSocket is here; stream.open names the path of a stream");
		return 404;
	}
	if (!has_word(wsi, WSI_TOKEN_UPGRADE, "websocket") ||
		!has_word(wsi, WSI_TOKEN_CONNECTION, "upgrade") ||
		!has_word(wsi, WSI_TOKEN_VERSION, "13") ||
		lws_hdr_total_length(wsi, WSI_TOKEN_KEY) <= 0) {
		vy_fail(e, VY_BAD_INPUT, "this upgrade is no WebSocket's, version 13");
		return 400;
	}
	if (lws_hdr_total_length(wsi, WSI_TOKEN_PROTOCOL) > 0 &&
		!has_word(wsi, WSI_TOKEN_PROTOCOL, "vyre.lines")) {
		vy_fail(e, VY_BAD_INPUT, "the subprotocol here is vyre.lines, or none");
		return 400;
	}
	c->form = is_control ? PEER_CONTROL : PEER_SINGLE;
	return is_control  ? stream_has_place(c, e)
	       : is_events ? events_upgrade(c, wsi, &t, e)
			   : take_ticket(c, &t.target, e);
}

int stream_upgrade(struct conn *c, struct lws *wsi)
{
	struct vy_err e;
	int status = judge_upgrade(c, wsi, &e);

	if (status == 0) {
		c->phase = CONN_STREAM; /* no deadline of ours from here on */
		return 0;
	}
	return http_refuse_now(c, status, &e);
}

static int established(struct conn *c, struct lws *wsi)
{
	const struct lws_protocols *p = lws_get_protocol(wsi);

	if (c->form == PEER_CONTROL) {
		vy_buf_fini(&c->in);
		vy_buf_init(&c->in, VY_RPC_BODY_MAX);
		c->talk = talk_new(c);
		c->wire->counts.streams++;
		beat_begin(c->wire);
		return 0;
	}
	if (c->grant.term[0]) {
		return wire_term_begin(c);
	}
	c->form = p && p->name[0] ? PEER_LINES : PEER_SINGLE;
	vy_buf_fini(&c->in);
	vy_buf_init(&c->in, PEER_SAY_MAX);
	if (c->events) {
		lws_callback_on_writable(wsi);
	} else {
		become_viewer(c);
	}
	return 0;
}

int stream_close_with(struct conn *c, struct lws *wsi, int code, const char *why)
{
	unsigned char room[LWS_PRE + 128];
	int n = snprintf((char *)room + LWS_PRE, 124, "%s", why);

	c->close_code = code;
	conn_due(c, CONN_CLOSE, CLOSE_MS);
	lws_close_reason(
		wsi, (enum lws_close_status)code, room + LWS_PRE, (size_t)(n < 123 ? n : 123));
	return -1;
}

static const char *reason_of(int code)
{
	switch (code) {
	case 1012: return "restarting";
	case 1013: return "try again later";
	case 4403: return "access ended";
	default: return "";
	}
}

/* The next message, with room for lws before it. */
static enum peer_got next_message(struct conn *c, struct vy_buf *b)
{
	static const char pre[LWS_PRE];

	vy_buf_clear(b);
	vy_buf_add(b, pre, sizeof(pre));
	if (c->events) {
		return events_take(c->events, c->form, b);
	}
	return c->close_code ? PEER_OVER : peer_take(c->peer, b);
}

/* One message; -1: the socket is lost. */
static int write_message(struct conn *c, struct lws *wsi, struct vy_buf *b, bool has_more)
{
	size_t n = b->len - LWS_PRE;

	VY_CRASH(VIEWER_WRITE);
	if (lws_write(wsi, (unsigned char *)b->data + LWS_PRE, n, LWS_WRITE_TEXT) < (int)n) {
		return -1;
	}
	VY_CRASH(VIEWER_WRITTEN);
	c->wire->counts.bytes_sent += n;
	if (has_more) {
		lws_callback_on_writable(wsi);
	}
	return 0;
}

/* What a viewer of frames gets most of the time, past lws' own way to a callback. Nothing to say is no
 * matter; the end of it, and all else, is said in a callback. */
static bool write_plain(struct conn *c)
{
	struct vy_buf *b = &c->wire->scratch;
	enum peer_got got;

	if (!c->peer || c->phase != CONN_STREAM || c->close_code || c->is_doomed) {
		return false;
	}
	got = next_message(c, b);
	if (got == PEER_OVER) {
		return false;
	}
	if (got != PEER_NOTHING && write_message(c, c->wsi, b, got == PEER_MORE) != 0) {
		conn_kill(c);
	}
	return true;
}

static int writeable(struct conn *c, struct lws *wsi)
{
	VY_AUTO_BUF large = VY_BUF_INIT(LWS_PRE + 2 * FEED_ITEM); /* an item of a view may be */
	struct vy_buf *b = c->events ? &large : &c->wire->scratch;
	enum peer_got got = next_message(c, b);

	if (got == PEER_OVER) {
		int code = c->events       ? events_code(c->events)
			   : c->close_code ? c->close_code
					   : peer_code(c->peer);

		return stream_close_with(c, wsi, code, reason_of(code));
	}
	if (got == PEER_NOTHING) {
		return 0;
	}
	return write_message(c, wsi, b, got == PEER_MORE);
}

static int receive(struct conn *c, struct lws *wsi, const void *in, size_t n)
{
	struct vy_err e;

	if (lws_is_first_fragment(wsi)) {
		vy_buf_clear(&c->in);
	}
	if (!vy_buf_add(&c->in, in, n)) {
		return stream_close_with(c, wsi, 1009, "a viewer's message may have 4096 bytes");
	}
	if (!lws_is_final_fragment(wsi)) {
		return 0;
	}
	if (peer_hear(c->peer, vy_buf_str(&c->in), &e) != 0) {
		return stream_close_with(c, wsi, 1007, e.text);
	}
	vy_buf_clear(&c->in);
	return 0;
}

int stream_event(struct conn *c, struct lws *wsi, enum lws_callback_reasons why, void *in, size_t n)
{
	int rc = 0;

	if (why == LWS_CALLBACK_RECEIVE || why == LWS_CALLBACK_RECEIVE_PONG) {
		beat_heard(c);
	} else if (why == LWS_CALLBACK_SERVER_WRITEABLE && beat_write(c, wsi, &rc)) {
		return rc;
	}
	if (c->term) {
		switch ((int)why) {
		case LWS_CALLBACK_SERVER_WRITEABLE: return wire_term_writeable(c->term, wsi);
		case LWS_CALLBACK_RECEIVE: return wire_term_receive(c->term, wsi, in, n);
		default: return 0;
		}
	}
	if (c->talk) {
		switch ((int)why) {
		case LWS_CALLBACK_SERVER_WRITEABLE: return talk_writeable(c->talk, wsi);
		case LWS_CALLBACK_RECEIVE: return talk_receive(c->talk, wsi, in, n);
		default: return 0;
		}
	}
	switch ((int)why) {
	case LWS_CALLBACK_ESTABLISHED: return established(c, wsi);
	case LWS_CALLBACK_SERVER_WRITEABLE:
		return (c->peer || c->events) && c->phase == CONN_STREAM ? writeable(c, wsi) : 0;
	case LWS_CALLBACK_RECEIVE: return c->peer && !c->close_code ? receive(c, wsi, in, n) : 0;
	default: return 0; /* both sides of a close are lws'; WSI_DESTROY cleans up */
	}
}

/* ---- server-sent events ---- */

static bool events_head(struct conn *c)
{
	static const char pre[LWS_PRE];
	unsigned char head[1024], *p = head, *end = head + sizeof(head);
	bool ok;

	/* without a length: the end of the stream is the end of the connection */
	ok = lws_add_http_common_headers(
		     c->wsi, 200, "text/event-stream", LWS_ILLEGAL_HTTP_CONTENT_LEN, &p, end) == 0;
	ok = ok && http_add_line(c, "cache-control:", "no-store, no-transform", &p, end);
	ok = ok && http_add_line(c, "x-accel-buffering:", "no", &p, end);
	ok = ok && lws_finalize_http_header(c->wsi, &p, end) == 0;
	vy_buf_fini(&c->out);
	vy_buf_add(&c->out, pre, sizeof(pre));
	vy_buf_add(&c->out, head, (size_t)(p - head));
	c->out_at = LWS_PRE;
	return ok;
}

bool stream_asks_events(struct lws *wsi)
{
	return has_word(wsi, WSI_TOKEN_HTTP_ACCEPT, "text/event-stream");
}

int stream_takes_events(struct lws *wsi, struct vy_err *e)
{
	if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_ACCEPT) > 0 &&
		!has_word(wsi, WSI_TOKEN_HTTP_ACCEPT, "text/event-stream") &&
		!has_word(wsi, WSI_TOKEN_HTTP_ACCEPT, "*/*")) {
		vy_fail(e, VY_UNSUPPORTED, "a stream is text/event-stream, or a WebSocket");
		return 406;
	}
	return 0;
}

bool stream_takes_json(struct lws *wsi)
{
	return lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_ACCEPT) > 0 &&
	       has_word(wsi, WSI_TOKEN_HTTP_ACCEPT, "application/json") &&
	       !has_word(wsi, WSI_TOKEN_HTTP_ACCEPT, "text/event-stream");
}

/* 0, or the HTTP status to refuse with. Last-Event-ID is heard when the URL names no cursor. */
static int judge_events(struct conn *c, struct lws *wsi, struct target *t, struct vy_err *e)
{
	char room[64] = "";
	int len = lws_hdr_custom_length(wsi, "last-event-id:", 14);
	int status = stream_takes_events(wsi, e);
	int64_t last = 0;

	if (status) {
		return status;
	}
	if (len > 0) {
		if (lws_hdr_custom_copy(wsi, room, sizeof(room), "last-event-id:", 14) < 0) {
			snprintf(room, sizeof(room), "(%d bytes)", len);
		}
		if (target_cursor(vy_str_c(room), "Last-Event-ID", &last, e) != 0) {
			return 400;
		}
		if (!t->has_from) {
			t->has_from = true;
			t->from = last;
		}
	}
	return take_ticket(c, t, e);
}

int stream_begin_events(struct conn *c, struct lws *wsi)
{
	if (!events_head(c)) {
		return -1;
	}
	c->form = PEER_SSE;
	c->phase = CONN_STREAM;
	lws_http_headers_detach(wsi);
	lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0);
	http_quiet(c, true);
	if (!c->events) {
		become_viewer(c);
	}
	http_want_write(c);
	return 0;
}

int stream_events(struct conn *c, struct lws *wsi, struct http_target *t)
{
	struct vy_err e;
	int status = judge_events(c, wsi, &t->target, &e);

	if (status != 0) {
		http_refuse(c, status, &e);
		return 0;
	}
	return stream_begin_events(c, wsi);
}

int stream_write_events(struct conn *c)
{
	if (c->out.len == 0) {
		switch (next_message(c, &c->out)) {
		case PEER_OVER: return -1;
		case PEER_NOTHING: vy_buf_fini(&c->out); return 0;
		case PEER_MESSAGE:
		case PEER_MORE: break;
		}
		c->out_at = LWS_PRE;
	}
	if (http_write(c, LWS_WRITE_HTTP) == HTTP_LOST) {
		return -1;
	}
	http_want_write(c); /* until the peer says that there is nothing */
	return 0;
}

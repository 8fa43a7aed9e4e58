/* wire.c -- see wire.h. The room's life, what lws is told, and the requests under way. */
#include "server/wire/wire.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "server/hub/hub.h"
#include "server/wire/beat.h"
#include "server/wire/events.h"
#include "server/wire/feed.h"
#include "server/wire/inline.h"
#include "server/wire/inside.h"
#include "server/wire/line.h"
#include "server/wire/talk.h"
#include "shared/base/log.h"
#include "shared/base/ban.h"

#define SERVICE_MAX (VY_BATCH_BYTES + 1024) /* one read or send of lws */
#define FDS_KEPT    64 /* for the store, the holders' links, log files and the like */

/* ---- lws ---- */

static int on_lws(struct lws *wsi, enum lws_callback_reasons why, void *user, void *in, size_t n)
{
	struct conn *c;

	(void)user;
	switch ((int)why) {
	case LWS_CALLBACK_WSI_DESTROY:
	case LWS_CALLBACK_HTTP:
	case LWS_CALLBACK_HTTP_BODY:
	case LWS_CALLBACK_HTTP_BODY_COMPLETION:
	case LWS_CALLBACK_HTTP_WRITEABLE:
	case LWS_CALLBACK_CLOSED_HTTP:
	case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
	case LWS_CALLBACK_ESTABLISHED:
	case LWS_CALLBACK_RECEIVE:
	case LWS_CALLBACK_RECEIVE_PONG:
	case LWS_CALLBACK_SERVER_WRITEABLE:
	case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
	case LWS_CALLBACK_CLOSED: break;
	default: return 0; /* nothing of ours; the default handler would speak for us */
	}
	c = lws_get_opaque_user_data(wsi);
	if (!c) {
		return 0; /* lws' own: its wake-up pipe */
	}
	VY_CHECK(c, CONN_MAGIC);
	c->wsi = wsi;
	switch ((int)why) {
	case LWS_CALLBACK_WSI_DESTROY: conn_gone(c); return 0;
	case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return stream_upgrade(c, wsi);
	case LWS_CALLBACK_HTTP:
	case LWS_CALLBACK_HTTP_BODY:
	case LWS_CALLBACK_HTTP_BODY_COMPLETION:
	case LWS_CALLBACK_HTTP_WRITEABLE:
	case LWS_CALLBACK_CLOSED_HTTP: return http_event(c, wsi, why, in, n);
	default: return stream_event(c, wsi, why, in, n);
	}
}

/* An upgrade that names no subprotocol gets the first; one that names others only is refused by us
 * with a reply, since lws would hang up without one. */
static const struct lws_protocols protocols[] = {
	{ .name = "", .callback = on_lws, .rx_buffer_size = 1024, .tx_packet_size = SERVICE_MAX },
	{ .name = "vyre.lines",
		.callback = on_lws,
		.rx_buffer_size = 1024,
		.tx_packet_size = SERVICE_MAX },
	{ .name = NULL },
};

/* No pings by lws: its validity timer outlives what it points to. They are ours (beat.h). */
static const lws_retry_bo_t no_pings = { .secs_since_valid_ping = 0 };

/* Whatever lws has to say may hold a URL, and a URL may hold a ticket: only in its own debugging. */
static void lws_says(int level, const char *line)
{
	if (level & LLL_ERR) {
		vy_log(VY_LOG_DEBUG, "wire.lws", "text=%s", vy_log_q(line));
	}
}

static int make_lws(struct wire *w, struct vy_err *e)
{
	void *loops[1] = { vy_loop_native(w->conf.loop) };
	struct lws_context_creation_info info = {
		.port = CONTEXT_PORT_NO_LISTEN_SERVER,
		.protocols = protocols,
		.gid = (gid_t)-1,
		.uid = (uid_t)-1,
		.foreign_loops = loops,
		.options = LWS_SERVER_OPTION_LIBEV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
			   LWS_SERVER_OPTION_DISABLE_IPV6,
		.pt_serv_buf_size = SERVICE_MAX,
		.max_http_header_data = 8192,
		.retry_and_idle_policy = &no_pings,
		.server_string = "vyred",
		.vhost_name = "vyred",
		.keepalive_timeout = 0,
		.timeout_secs = 2 * WIRE_STALL_MS / 1000, /* ours come first */
	};

	lws_set_log_level(LLL_ERR, lws_says);
	w->lws = lws_create_context(&info);
	if (!w->lws) {
		return vy_fail(e, VY_UNSUPPORTED,
			"libwebsockets would not start on the libev loop: is its plugin there? "
			"(apt-get "
			"install libwebsockets-evlib-ev)");
	}
	w->vhost = lws_create_vhost(w->lws, &info);
	return w->vhost ? 0 : vy_fail(e, VY_BUG, "libwebsockets would not make its vhost");
}

/* ---- how many ---- */

/* Up to what we want, and down to it too: lws makes tables of this size. */
static unsigned set_fd_limit(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) != 0) {
		return 256;
	}
	if (r.rlim_cur != WIRE_FD_LIMIT) {
		r.rlim_cur = r.rlim_max < WIRE_FD_LIMIT ? r.rlim_max : WIRE_FD_LIMIT;
		(void)setrlimit(RLIMIT_NOFILE, &r);
		(void)getrlimit(RLIMIT_NOFILE, &r);
	}
	return r.rlim_cur < WIRE_FD_LIMIT ? (unsigned)r.rlim_cur : WIRE_FD_LIMIT;
}

/* An eighth is left to those who come with a request: the last viewer must not lock people out. */
unsigned wire_max_streams(const struct wire *w)
{
	return w->conf.max_connections - w->conf.max_connections / 8;
}

/* ---- the room's life ---- */

struct wire *wire_new(const struct wire_conf *conf, struct vy_err *e)
{
	struct wire *w = VY_NEW(struct wire);
	unsigned fds = set_fd_limit(), room = fds > 2 * FDS_KEPT ? fds - FDS_KEPT : fds / 2;

	VY_MAGIC_SET(w, WIRE_MAGIC);
	w->conf = *conf;
	/* a connection may hold two: its socket and the pidfd of its peer */
	if (!w->conf.max_connections || w->conf.max_connections > room / 2) {
		w->conf.max_connections = room / 2;
	}
	TAILQ_INIT(&w->conns);
	LIST_INIT(&w->agents);
	w->listen_ops = (struct listen_ops){ conn_accepted, conn_refused, w };
	w->lines = line_new(w);
	w->line_ops = (struct listen_ops){ line_accepted, line_refused, w->lines };
	w->sweep = vy_loop_timer(conf->loop, conn_sweep, w);
	w->soon = vy_loop_timer(conf->loop, conn_soon, w);
	w->late = vy_loop_timer(conf->loop, conn_late, w);
	w->beat = vy_loop_timer(conf->loop, beat_due, w);
	w->conf.late_ms = conf->late_ms ? conf->late_ms : VY_LATE_MS;
	w->conf.beat_ms = conf->beat_ms ? conf->beat_ms : VY_HEARTBEAT_MS;
	w->conf.dead_ms = conf->dead_ms ? conf->dead_ms : VY_DEAD_MS;
	vy_buf_init(&w->scratch, LWS_PRE + PEER_MESSAGE_MAX + 4096);
	if (make_lws(w, e) != 0) {
		wire_free(w);
		return NULL;
	}
	return w;
}

void wire_free(struct wire *w)
{
	if (!w) {
		return;
	}
	VY_CHECK(w, WIRE_MAGIC);
	w->is_being_freed = true;
	doors_close(w);
	if (w->lws) {
		lws_context_destroy(w->lws);
	}
	line_free(w->lines);
	vy_assert(TAILQ_EMPTY(&w->conns));
	vy_timer_del(w->sweep);
	vy_timer_del(w->soon);
	vy_timer_del(w->late);
	vy_timer_del(w->beat);
	free(w->agent_dir);
	vy_buf_fini(&w->scratch);
	VY_MAGIC_CLEAR(w);
	free(w);
}

void wire_drain(struct wire *w, vy_call_fn *done, void *ctx)
{
	struct conn *c, *next;

	VY_CHECK(w, WIRE_MAGIC);
	w->is_draining = true;
	w->drained = done;
	w->drained_ctx = ctx;
	doors_close(w);
	hub_close_all(w->conf.hub, HUB_RESTARTING);
	for (c = TAILQ_FIRST(&w->conns); c; c = next) {
		next = TAILQ_NEXT(c, link);
		if (c->phase == CONN_HEAD) {
			conn_kill(c);
		} else if (c->talk) {
			talk_end(c->talk);
		} else if (c->peer || c->events || c->term) {
			stream_close(c, HUB_RESTARTING);
		}
	}
	line_drain(w->lines);
	vy_timer_set(w->late, w->conf.late_ms);
	conn_check_drained(w);
}

void wire_counts(const struct wire *w, struct wire_counts *out)
{
	*out = w->counts;
}

/* ---- requests under way ---- */

static struct conn *find_call(struct wire *w, wire_call_id id)
{
	struct conn *c;

	VY_CHECK(w, WIRE_MAGIC);
	HASH_FIND(hh, w->calls, &id, sizeof(id), c);
	return c;
}

void wire_reply(struct wire *w, wire_call_id id, int status, struct vy_str body)
{
	struct conn *c = find_call(w, id);

	if (!c) {
		struct talk *t = talk_of(w, id);

		if (t) {
			talk_reply(t, id, body);
		} else {
			line_reply(w->lines, id, body);
		}
		return;
	}
	HASH_DEL(w->calls, c);
	w->counts.waiting--;
	if (c->say_to) {
		inline_said(c, status, body);
		return;
	}
	c->phase = CONN_WRITE;
	if (status == 200 && body.n == 0) {
		status = 204;
	}
	http_answer(c, status, body.n ? "application/json" : NULL, body);
}

bool wire_place_again(struct wire *w, wire_call_id id, struct caller *out)
{
	struct conn *c = find_call(w, id);

	if (!c) {
		struct talk *t = talk_of(w, id);

		if (!t) {
			return line_place_again(w->lines, id, out);
		}
		c = talk_conn(t);
	}
	conn_place(c, out, NULL);
	return true;
}

bool wire_peer(struct wire *w, wire_call_id id, struct caller_peer *out)
{
	struct conn *c = find_call(w, id);

	if (!c) {
		struct talk *t = talk_of(w, id);

		if (!t) {
			return line_peer(w->lines, id, out);
		}
		c = talk_conn(t);
	}
	*out = (struct caller_peer){ c->cred.pid, c->cred.uid, c->cred.born };
	return !c->is_tcp;
}

/* ---- subscriptions ---- */

static struct feed *feed_of(struct wire *w, wire_call_id id)
{
	struct talk *t = talk_of(w, id);

	return t ? talk_feed(t) : line_feed(w->lines, id);
}

int wire_subscribe(struct wire *w, wire_call_id id, view_open_fn *open, void *open_ctx,
	char name[WIRE_SUBSCRIPTION_MAX], struct vy_err *e)
{
	struct talk *t = talk_of(w, id);
	struct feed *f = feed_of(w, id);
	struct feed_open o = { .request = id,
		.who = t ? &talk_conn(t)->caller : line_caller(w->lines, id),
		.open = open,
		.ctx = open_ctx };

	if (!f) {
		return vy_fail(e, VY_UNSUPPORTED,
			"subscriptions live on the WebSocket /v1/stream and on the line socket");
	}
	return feed_open(f, &o, name, e);
}

bool wire_unsubscribe(struct wire *w, wire_call_id id, struct vy_str name)
{
	struct feed *f = feed_of(w, id);

	return f && feed_close(f, name);
}

void wire_recheck(struct wire *w)
{
	struct conn *c;

	TAILQ_FOREACH (c, &w->conns, link) {
		struct caller now;

		conn_place(c, &now, NULL);
	}
	line_recheck(w->lines);
}

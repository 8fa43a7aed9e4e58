/* wire.c -- see wire.h. The room's life, its listeners, and the life of a connection.
 *
 * Accepting is ours (listen.c) and lws adopts what was accepted: so the peer's credentials are read
 * before anything else, agent sockets need no vhost each, and running out of descriptors is
 * answered instead of spun on. */
#include "server/wire/wire.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/hub/hub.h"
#include "server/wire/inside.h"
#include "shared/base/log.h"
#include "shared/base/sockpath.h"
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

static unsigned raise_fd_limit(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) != 0) {
		return 256;
	}
	if (r.rlim_cur < WIRE_FD_LIMIT) {
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

/* ---- deadlines ---- */

static bool has_deadline(const struct conn *c)
{
	return c->phase == CONN_HEAD || c->phase == CONN_BODY || c->phase == CONN_CLOSE;
}

void conn_due(struct conn *c, enum conn_phase phase, int64_t ms)
{
	c->phase = phase;
	c->due_ms = vy_boot_ms(c->wire->conf.clock) + ms;
	if (!vy_timer_is_set(c->wire->sweep)) {
		vy_timer_set(c->wire->sweep, ms);
	}
}

static void on_sweep(void *ctx)
{
	struct wire *w = ctx;
	struct conn *c, *next;
	int64_t now = vy_boot_ms(w->conf.clock), soonest = INT64_MAX;

	for (c = TAILQ_FIRST(&w->conns); c; c = next) {
		next = TAILQ_NEXT(c, link);
		if (!has_deadline(c)) {
			continue;
		}
		if (c->due_ms <= now) {
			conn_kill(c);
		} else if (c->due_ms < soonest) {
			soonest = c->due_ms;
		}
	}
	if (soonest != INT64_MAX && !vy_timer_is_set(w->sweep)) {
		vy_timer_set(w->sweep, soonest - now);
	}
}

/* ---- a connection ---- */

static void set_agent(struct conn *c, const struct listener *l)
{
	struct agent_socket *a;

	LIST_FOREACH (a, &c->wire->agents, link) {
		if (a->listener == l) {
			c->caller.kind = CALLER_AGENT;
			c->caller.is_confined = true;
			snprintf(c->caller.device, sizeof(c->caller.device), "local");
			memcpy(c->caller.session, a->session, sizeof(a->session));
			memcpy(c->caller.person, a->person, sizeof(a->person));
		}
	}
}

bool conn_place(struct conn *c, struct caller *out, const char **why)
{
	struct caller_peer peer = { c->cred.pid, c->cred.uid, c->cred.born };
	const char *reason = "came by TCP";

	*out = c->caller;
	if (c->caller.is_confined) {
		reason = "came by an agent's socket";
	} else if (!c->is_tcp) {
		caller_place(out, &peer, c->wire->conf.world, &reason);
		if (!peercred_is_same(&c->cred)) {
			out->kind = CALLER_UNKNOWN;
			out->session[0] = '\0';
			reason = "it ended";
		}
	}
	if (why) {
		*why = reason;
	}
	return true;
}

static void prepare_tcp(int fd)
{
	int on = 1, room = VY_PEER_UNSENT_MAX / 2;
	unsigned dead = VY_DEAD_MS;

	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	/* bounds what is unsent, and makes "writable" mean that a whole chunk fits */
	(void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &dead, sizeof(dead));
}

static struct conn *conn_new(struct wire *w, struct listener *l, int fd)
{
	struct conn *c = VY_NEW(struct conn);
	const char *why = NULL;
	struct vy_err e;

	VY_MAGIC_SET(c, CONN_MAGIC);
	c->wire = w;
	c->fd = fd;
	c->cred.pidfd = -1;
	c->is_tcp = listen_kind(l) == LISTEN_TCP;
	vy_buf_init(&c->in, VY_RPC_BODY_MAX);
	vy_buf_init(&c->key, VY_ID_MAX);
	vy_buf_init(&c->out, LWS_PRE + ANSWER_MAX + 4096);
	if (c->is_tcp) {
		prepare_tcp(fd);
	} else if (peercred_get(fd, &c->cred, &e) != 0) {
		c->cred.pidfd = -1;
		vy_log(VY_LOG_WARN, "wire.peer", "why=%s", vy_log_q(e.text));
	}
	if (listen_kind(l) == LISTEN_AGENT) {
		set_agent(c, l);
	}
	(void)conn_place(c, &c->caller, &why);
	vy_log(VY_LOG_DEBUG, "wire.open", "fd=%d pid=%d caller=%s session=%s why=%s", fd,
		(int)c->cred.pid, caller_kind_name(c->caller.kind), c->caller.session,
		vy_log_q(why));
	TAILQ_INSERT_TAIL(&w->conns, c, link);
	w->counts.connections++;
	conn_due(c, CONN_HEAD, WIRE_STALL_MS);
	return c;
}

void conn_accepted(void *ctx, struct listener *l, int fd)
{
	struct wire *w = ctx;
	lws_adopt_desc_t desc = {
		.vh = w->vhost, .type = LWS_ADOPT_HTTP | LWS_ADOPT_SOCKET, .fd.sockfd = fd
	};

	VY_CHECK(w, WIRE_MAGIC);
	if (w->counts.connections >= w->conf.max_connections) {
		w->counts.refused++;
		listen_turn_away(fd);
		return;
	}
	w->counts.accepted++;
	w->adopting = conn_new(w, l, fd);
	desc.opaque = w->adopting;
	w->adopting->wsi = lws_adopt_descriptor_vhost_via_info(&desc);
	if (w->adopting && !w->adopting->wsi) {
		conn_gone(w->adopting); /* lws gave up before it had made anything to destroy */
	}
	w->adopting = NULL;
}

void conn_refused(void *ctx)
{
	struct wire *w = ctx;

	w->counts.refused++;
}

/* Killed soon, not now: we may stand in a callback of this very connection. */
void conn_kill(struct conn *c)
{
	c->is_doomed = true;
	vy_timer_set(c->wire->soon, 0);
}

static void check_drained(struct wire *w)
{
	if (w->is_draining && TAILQ_EMPTY(&w->conns) && !w->is_being_freed) {
		vy_timer_set(w->soon, 0);
	}
}

static void on_soon(void *ctx)
{
	struct wire *w = ctx;
	struct conn *c, *next;

	VY_CHECK(w, WIRE_MAGIC);
	for (c = TAILQ_FIRST(&w->conns); c; c = next) {
		next = TAILQ_NEXT(c, link);
		if (c->is_doomed) {
			lws_set_timeout(c->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_SYNC);
		}
	}
	if (w->is_draining && w->drained && TAILQ_EMPTY(&w->conns)) {
		vy_call_fn *drained = w->drained;

		w->drained = NULL;
		drained(w->drained_ctx); /* may free us */
	}
}

void conn_gone(struct conn *c)
{
	struct wire *w = c->wire;

	vy_log(VY_LOG_DEBUG, "wire.close", "fd=%d code=%d", c->fd, c->close_code);
	if (w->adopting == c) {
		w->adopting = NULL;
	}
	if (c->phase == CONN_WAIT) {
		HASH_DEL(w->calls, c);
		w->counts.waiting--;
	}
	if (c->peer) {
		w->counts.streams--;
	}
	peer_free(c->peer);
	vy_watch_del(c->eye);
	peercred_fini(&c->cred);
	vy_buf_fini(&c->in);
	vy_buf_fini(&c->key);
	vy_buf_fini(&c->out);
	TAILQ_REMOVE(&w->conns, c, link);
	w->counts.connections--;
	VY_MAGIC_CLEAR(c);
	free(c);
	check_drained(w);
}

/* ---- the room's life ---- */

struct wire *wire_new(const struct wire_conf *conf, struct vy_err *e)
{
	struct wire *w = VY_NEW(struct wire);
	unsigned fds = raise_fd_limit(), room = fds > 2 * FDS_KEPT ? fds - FDS_KEPT : fds / 2;

	VY_MAGIC_SET(w, WIRE_MAGIC);
	w->conf = *conf;
	/* a connection may hold two: its socket and the pidfd of its peer */
	if (!w->conf.max_connections || w->conf.max_connections > room / 2) {
		w->conf.max_connections = room / 2;
	}
	TAILQ_INIT(&w->conns);
	LIST_INIT(&w->agents);
	w->listen_ops = (struct listen_ops){ conn_accepted, conn_refused, w };
	w->sweep = vy_loop_timer(conf->loop, on_sweep, w);
	w->soon = vy_loop_timer(conf->loop, on_soon, w);
	vy_buf_init(&w->scratch, LWS_PRE + PEER_MESSAGE_MAX + 4096);
	if (make_lws(w, e) != 0) {
		wire_free(w);
		return NULL;
	}
	return w;
}

static void stop_listening(struct wire *w)
{
	struct agent_socket *a;

	listen_close(w->main);
	listen_close(w->tcp);
	w->main = w->tcp = NULL;
	while ((a = LIST_FIRST(&w->agents))) {
		LIST_REMOVE(a, link);
		listen_close(a->listener);
		free(a);
	}
}

void wire_free(struct wire *w)
{
	if (!w) {
		return;
	}
	VY_CHECK(w, WIRE_MAGIC);
	w->is_being_freed = true;
	stop_listening(w);
	if (w->lws) {
		lws_context_destroy(w->lws);
	}
	vy_assert(TAILQ_EMPTY(&w->conns));
	vy_timer_del(w->sweep);
	vy_timer_del(w->soon);
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
	stop_listening(w);
	hub_close_all(w->conf.hub, HUB_RESTARTING);
	for (c = TAILQ_FIRST(&w->conns); c; c = next) {
		next = TAILQ_NEXT(c, link);
		if (c->phase == CONN_HEAD) {
			conn_kill(c);
		} else if (c->peer) {
			stream_close(c, HUB_RESTARTING);
		}
	}
	check_drained(w);
}

void wire_counts(const struct wire *w, struct wire_counts *out)
{
	*out = w->counts;
}

/* ---- listening ---- */

/* The sockets of agents stand in a folder beside the main one. */
static void set_agent_dir(struct wire *w, const char *path)
{
	const char *slash = strrchr(path, '/');

	free(w->agent_dir);
	w->agent_dir = slash ? vy_memdup0(path, (size_t)(slash - path) + 1) : vy_strdup("");
}

int wire_listen_unix(struct wire *w, const char *path, struct vy_err *e)
{
	char real[VY_SOCK_PATH_MAX + 1];

	VY_CHECK(w, WIRE_MAGIC);
	if (vy_sock_path(path, real, e) != 0) {
		return -1;
	}
	set_agent_dir(w, path);
	w->main = listen_unix(w->conf.loop, LISTEN_MAIN, real, &w->listen_ops, e);
	return w->main ? 0 : -1;
}

const char *wire_socket_path(const struct wire *w)
{
	return w->main ? listen_path(w->main) : "";
}

int wire_listen_fd(struct wire *w, int fd, struct vy_err *e)
{
	w->main = listen_adopt(w->conf.loop, fd, &w->listen_ops, e);
	if (!w->main) {
		return -1;
	}
	set_agent_dir(w, listen_path(w->main));
	return 0;
}

int wire_listen_tcp(struct wire *w, const char *addr_port, struct vy_err *e)
{
	struct gate_addr at;

	if (gate_parse(vy_str_c(addr_port), &at, e) != 0) {
		return -1;
	}
	w->tcp = listen_tcp(w->conf.loop, &at, &w->listen_ops, e);
	return w->tcp ? 0 : -1;
}

int wire_tcp_port(const struct wire *w)
{
	return w->tcp ? listen_port(w->tcp) : 0;
}

/* ---- the sockets of agents ---- */

static struct agent_socket *find_agent(struct wire *w, const char *session)
{
	struct agent_socket *a;

	LIST_FOREACH (a, &w->agents, link) {
		if (strcmp(a->session, session) == 0) {
			return a;
		}
	}
	return NULL;
}

const char *wire_agent_socket_open(
	struct wire *w, const char *session, const char *person, struct vy_err *e)
{
	struct agent_socket *a = find_agent(w, session);
	char real[VY_SOCK_PATH_MAX + 1];
	VY_AUTO_BUF want = VY_BUF_INIT(8192);

	if (a) {
		return listen_path(a->listener);
	}
	vy_buf_addf(&want, "%sa", w->agent_dir ? w->agent_dir : "");
	if (mkdir(vy_buf_c(&want), 0700) != 0 && errno != EEXIST) {
		vy_fail_errno(e, errno, "making %s", vy_buf_c(&want));
		return NULL;
	}
	vy_buf_addf(&want, "/%s.sock", session);
	if (vy_sock_path(vy_buf_c(&want), real, e) != 0) {
		return NULL;
	}
	a = VY_NEW(struct agent_socket);
	snprintf(a->session, sizeof(a->session), "%s", session);
	snprintf(a->person, sizeof(a->person), "%s", person);
	a->listener = listen_unix(w->conf.loop, LISTEN_AGENT, real, &w->listen_ops, e);
	if (!a->listener) {
		free(a);
		return NULL;
	}
	LIST_INSERT_HEAD(&w->agents, a, link);
	return listen_path(a->listener);
}

void wire_agent_socket_close(struct wire *w, const char *session)
{
	struct agent_socket *a = find_agent(w, session);
	struct conn *c, *next;

	if (!a) {
		return;
	}
	LIST_REMOVE(a, link);
	listen_close(a->listener);
	for (c = TAILQ_FIRST(&w->conns); c; c = next) {
		next = TAILQ_NEXT(c, link);
		if (c->caller.is_confined && strcmp(c->caller.session, session) == 0) {
			conn_kill(c);
		}
	}
	free(a);
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
		return;
	}
	HASH_DEL(w->calls, c);
	w->counts.waiting--;
	c->phase = CONN_WRITE;
	if (status == 200 && body.n == 0) {
		status = 204;
	}
	http_answer(c, status, body.n ? "application/json" : NULL, body);
}

bool wire_place_again(struct wire *w, wire_call_id id, struct caller *out)
{
	struct conn *c = find_call(w, id);

	return c && conn_place(c, out, NULL);
}

void wire_recheck(struct wire *w, const char *session,
	bool (*may)(void *ctx, const struct caller *who), void *ctx)
{
	struct conn *c;

	TAILQ_FOREACH (c, &w->conns, link) {
		if (c->peer && strcmp(c->grant.session, session) == 0 &&
			!may(ctx, &c->grant.caller)) {
			hub_close_session(w->conf.hub, session, c->grant.viewer, HUB_ACCESS_ENDED);
		}
	}
}

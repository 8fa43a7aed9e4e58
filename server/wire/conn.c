/* conn.c -- a connection from accept to close, whatever it turns into.
 *
 * Accepting is ours (listen.c) and lws adopts what was accepted: so the peer's credentials are read
 * before anything else, agent sockets need no vhost each, and running out of descriptors is
 * answered instead of spun on. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/wire/inside.h"
#include "server/wire/events.h"
#include "server/wire/feed.h"
#include "server/wire/line.h"
#include "server/wire/talk.h"
#include "server/wire/term.h"
#include "shared/base/log.h"
#include "shared/base/ban.h"

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

void conn_sweep(void *ctx)
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

/* Whoever comes by an agent's socket is that agent, but for one that is known to be another: a path can
 * be guessed, and then it is still who it is. */
static void set_agent(struct conn *c, const struct listener *l)
{
	struct caller_peer peer = { c->cred.pid, c->cred.uid, c->cred.born };
	struct caller real;
	struct agent_socket *a;

	caller_place(&real, &peer, c->wire->conf.world, NULL);
	LIST_FOREACH (a, &c->wire->agents, link) {
		if (a->listener == l) {
			bool is_other = real.kind == CALLER_AGENT && real.session[0] &&
					strcmp(real.session, a->session) != 0;

			c->caller.kind = CALLER_AGENT;
			c->caller.is_confined = true;
			snprintf(c->caller.device, sizeof(c->caller.device), "local");
			snprintf(c->caller.session, sizeof(c->caller.session), "%s",
				is_other ? real.session : a->session);
			snprintf(c->caller.person, sizeof(c->caller.person), "%s",
				is_other ? real.person : a->person);
		}
	}
}

void wire_place_peer(
	struct wire *w, const struct peercred *cred, struct caller *out, const char **why)
{
	struct caller_peer peer = { cred->pid, cred->uid, cred->born };

	caller_place(out, &peer, w->conf.world, why);
	if (!peercred_is_same(cred)) {
		out->kind = CALLER_UNKNOWN;
		out->session[0] = '\0';
		if (why) {
			*why = "it ended";
		}
	}
}

void conn_place(struct conn *c, struct caller *out, const char **why)
{
	const char *reason = "came by TCP";

	*out = c->caller;
	if (c->caller.is_confined) {
		reason = "came by an agent's socket";
	} else if (!c->is_tcp) {
		wire_place_peer(c->wire, &c->cred, out, &reason);
	}
	if (!caller_same(out, &c->caller)) {
		c->caller = *out;
		if (c->peer) {
			peer_end_access(c->peer);
		} else if (c->talk) {
			feed_end_access(talk_feed(c->talk));
		} else if (c->events) {
			events_end_access(c->events);
		} else if (c->term) {
			wire_term_end_access(c->term);
		}
	}
	if (why) {
		*why = reason;
	}
}

/* An agent's socket is open to every user where agents have one of their own, and meant for that one. */
static bool is_stranger(const struct conn *c, const struct listener *l)
{
	const struct caller_world *w = c->wire->conf.world;

	return listen_kind(l) == LISTEN_AGENT && c->cred.uid != w->uid &&
	       !(w->has_agents && c->cred.uid == w->agents);
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
	conn_place(c, &c->caller, &why);
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
		listen_turn_away(l, fd);
		return;
	}
	w->counts.accepted++;
	w->adopting = conn_new(w, l, fd);
	if (is_stranger(w->adopting, l)) {
		w->counts.refused++;
		conn_gone(w->adopting);
		close(fd);
		return;
	}
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

static bool is_empty(const struct wire *w)
{
	return TAILQ_EMPTY(&w->conns) && line_is_empty(w->lines);
}

void conn_check_drained(struct wire *w)
{
	if (w->is_draining && !w->is_being_freed && is_empty(w)) {
		vy_timer_set(w->soon, 0);
	}
}

void conn_soon(void *ctx)
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
	if (w->is_draining && w->drained && is_empty(w)) {
		vy_call_fn *drained = w->drained;

		w->drained = NULL;
		drained(w->drained_ctx); /* may free us */
	}
}

void conn_late(void *ctx)
{
	struct wire *w = ctx;
	struct conn *c, *next;

	VY_CHECK(w, WIRE_MAGIC);
	for (c = TAILQ_FIRST(&w->conns); c; c = next) {
		next = TAILQ_NEXT(c, link);
		if (c->phase != CONN_WAIT &&
			c->phase != CONN_WRITE) { /* an answer is still given */
			conn_kill(c);
		}
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
	if (c->peer || c->talk || c->events || c->term) {
		w->counts.streams--;
	}
	peer_free(c->peer);
	events_free(c->events);
	talk_free(c->talk);
	wire_term_free(c->term);
	vy_watch_del(c->eye);
	peercred_fini(&c->cred);
	free(c->say_to);
	vy_buf_fini(&c->in);
	vy_buf_fini(&c->key);
	vy_buf_fini(&c->out);
	TAILQ_REMOVE(&w->conns, c, link);
	w->counts.connections--;
	VY_MAGIC_CLEAR(c);
	free(c);
	if (TAILQ_EMPTY(&w->conns)) {
		vy_timer_set(w->sweep, -1); /* nobody there: nothing to wake up for */
	}
	conn_check_drained(w);
}

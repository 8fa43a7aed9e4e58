/* line.c -- see line.h. */
#include "server/wire/line.h"

#include <stdlib.h>
#include <unistd.h>

#include "server/wire/feed.h"
#include "shared/base/crash.h"
#include "shared/base/log.h"
#include "shared/io/stream.h"
#include "shared/base/ban.h"

#define LINE_MAGIC 0x6c696e65u

struct line {
	VY_MAGIC;
	struct line_world *world;
	struct vy_stream *stream;
	struct peercred cred;
	struct caller caller;
	struct feed *feed;
	unsigned calls;
	bool is_over; /* no more is read: the other side has said all, or we end */
	LIST_ENTRY(line) link;
};

/* One under way: its answer may come when its connection is gone. */
struct line_call {
	wire_call_id id;
	struct line *line;
	UT_hash_handle hh;
};

struct line_world {
	struct wire *wire;
	LIST_HEAD(, line) lines;
	struct line_call *calls;
};

/* ---- a connection ---- */

static void drop_calls(struct line *ln)
{
	struct line_call *c, *next;

	HASH_ITER (hh, ln->world->calls, c, next) {
		if (c->line == ln) {
			HASH_DEL(ln->world->calls, c);
			ln->world->wire->counts.waiting--;
			free(c);
		}
	}
}

static void line_gone(struct line *ln)
{
	struct wire *w = ln->world->wire;

	vy_log(VY_LOG_DEBUG, "wire.line-close", "pid=%d", (int)ln->cred.pid);
	drop_calls(ln);
	feed_free(ln->feed);
	vy_stream_free(ln->stream);
	peercred_fini(&ln->cred);
	LIST_REMOVE(ln, link);
	w->counts.connections--;
	VY_MAGIC_CLEAR(ln);
	free(ln);
	conn_check_drained(w);
}

/* Who does not take its answers, or has asked much, is not read from. */
static void mind_room(struct line *ln)
{
	vy_stream_pause(ln->stream, ln->is_over || ln->calls >= LINE_CALLS_MAX ||
					    vy_stream_queued(ln->stream) > VY_PEER_UNSENT_MAX);
}

/* Behind its last answer. Who said all it had to say is told by an end, too. */
static void end_if_done(struct line *ln)
{
	if (!ln->is_over || ln->calls > 0) {
		return;
	}
	if (ln->world->wire->is_draining) {
		line_gone(ln);
	} else {
		vy_stream_finish(ln->stream);
	}
}

/* Sends a line; a connection that cannot take it any more is closed. */
static bool say(struct line *ln, struct vy_str body)
{
	if (vy_stream_send(ln->stream, body) && vy_stream_send(ln->stream, VY_STR_LIT("\n"))) {
		mind_room(ln);
		VY_CRASH(LINE_SAID);
		return true;
	}
	vy_log(VY_LOG_WARN, "wire.line-full", "pid=%d", (int)ln->cred.pid);
	line_gone(ln);
	return false;
}

/* What it is subscribed to, as long as there is room; it may be gone then. */
static void pump(void *ctx)
{
	struct line *ln = ctx;
	VY_AUTO_BUF b = VY_BUF_INIT(FEED_ITEM + 4096);

	VY_CHECK(ln, LINE_MAGIC);
	while (!ln->is_over && vy_stream_queued(ln->stream) < VY_PEER_UNSENT_MAX &&
		feed_take(ln->feed, &b)) {
		if (!say(ln, vy_buf_str(&b))) {
			return;
		}
		vy_buf_clear(&b);
	}
}

/* ---- what it says ---- */

static void on_line(void *ctx, struct vy_str text)
{
	struct line *ln = ctx;
	struct wire *w = ln->world->wire;
	struct line_call *c;

	VY_CHECK(ln, LINE_MAGIC);
	if (ln->is_over || text.n == 0) {
		return; /* an empty line is none */
	}
	c = VY_NEW(struct line_call);
	c->id = ++w->next_call;
	c->line = ln;
	HASH_ADD(hh, ln->world->calls, id, sizeof(c->id), c);
	w->counts.waiting++;
	ln->calls++;
	mind_room(ln);
	w->conf.call(w->conf.ctx,
		&(struct wire_request){ .id = c->id, .who = &ln->caller, .body = text });
}

static void on_too_long(void *ctx, struct vy_str head)
{
	(void)head;
	say(ctx, VY_STR_LIT(
			 "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":"
			 "\"a message is one line of at most 16 "
			 "MiB\",\"data\":{\"kind\":\"limit\"}}}"));
}

static void on_room(void *ctx)
{
	mind_room(ctx);
	pump(ctx);
}

/* It may still read: what is under way is answered. */
static void on_eof(void *ctx)
{
	struct line *ln = ctx;

	ln->is_over = true;
	end_if_done(ln);
}

static void on_end(void *ctx, const struct vy_err *why)
{
	struct line *ln = ctx;

	(void)why;
	VY_CHECK(ln, LINE_MAGIC);
	line_gone(ln);
}

void line_accepted(void *ctx, struct listener *l, int fd)
{
	static const struct vy_stream_ops ops = { on_line, on_too_long, on_room, on_end, on_eof };
	struct vy_stream_conf conf = { .kind = VY_STREAM_LINES,
		.in_fd = fd,
		.out_fd = fd,
		.piece_max = VY_RPC_BODY_MAX,
		.queue_max = ANSWER_MAX,
		.room_at = VY_PEER_UNSENT_MAX / 2 };
	struct line_world *lw = ctx;
	struct wire *w = lw->wire;
	struct line *ln;
	struct vy_err e;

	if (w->counts.connections >= w->conf.max_connections) {
		w->counts.refused++;
		listen_turn_away(l, fd);
		return;
	}
	ln = VY_NEW(struct line);
	VY_MAGIC_SET(ln, LINE_MAGIC);
	ln->world = lw;
	ln->cred.pidfd = -1;
	if (peercred_get(fd, &ln->cred, &e) != 0) {
		ln->cred.pidfd = -1;
		vy_log(VY_LOG_WARN, "wire.peer", "why=%s", vy_log_q(e.text));
	}
	wire_place_peer(w, &ln->cred, &ln->caller, NULL);
	ln->stream = vy_stream_new(w->conf.loop, &conf, &ops, ln);
	ln->feed = feed_new(w->conf.access, pump, ln);
	LIST_INSERT_HEAD(&lw->lines, ln, link);
	w->counts.accepted++;
	w->counts.connections++;
	vy_log(VY_LOG_DEBUG, "wire.line", "pid=%d caller=%s session=%s", (int)ln->cred.pid,
		caller_kind_name(ln->caller.kind), ln->caller.session);
}

void line_refused(void *ctx)
{
	((struct line_world *)ctx)->wire->counts.refused++;
}

/* ---- what is answered ---- */

static struct line_call *find(struct line_world *lw, wire_call_id id)
{
	struct line_call *c;

	HASH_FIND(hh, lw->calls, &id, sizeof(id), c);
	return c;
}

/* What it is subscribed to since may speak now; that may be its end. */
static void answered(struct line *ln, wire_call_id id)
{
	if (ln->is_over) {
		end_if_done(ln);
	} else {
		feed_answered(ln->feed, id);
	}
}

struct feed *line_feed(struct line_world *lw, wire_call_id id)
{
	struct line_call *c = find(lw, id);

	return c ? c->line->feed : NULL;
}

bool line_reply(struct line_world *lw, wire_call_id id, struct vy_str body)
{
	struct line_call *c = find(lw, id);

	if (!c) {
		return false;
	}
	struct line *ln = c->line;

	HASH_DEL(lw->calls, c);
	lw->wire->counts.waiting--;
	free(c);
	ln->calls--;
	mind_room(ln);
	if (body.n == 0 || say(ln, body)) {
		answered(ln, id);
	}
	return true;
}

const struct caller *line_caller(struct line_world *lw, wire_call_id id)
{
	struct line_call *c = find(lw, id);

	return c ? &c->line->caller : NULL;
}

/* As conn_place(). */
static void place(struct line *ln)
{
	struct caller now = ln->caller;

	wire_place_peer(ln->world->wire, &ln->cred, &now, NULL);
	if (!caller_same(&now, &ln->caller)) {
		ln->caller = now;
		feed_end_access(ln->feed);
	}
}

bool line_place_again(struct line_world *lw, wire_call_id id, struct caller *out)
{
	struct line_call *c = find(lw, id);

	if (c) {
		place(c->line);
		*out = c->line->caller;
	}
	return c != NULL;
}

bool line_peer(struct line_world *lw, wire_call_id id, struct caller_peer *out)
{
	struct line_call *c = find(lw, id);

	if (c) {
		*out = (struct caller_peer){ c->line->cred.pid, c->line->cred.uid,
			c->line->cred.born };
	}
	return c != NULL;
}

/* ---- all of them ---- */

struct line_world *line_new(struct wire *w)
{
	struct line_world *lw = VY_NEW(struct line_world);

	lw->wire = w;
	LIST_INIT(&lw->lines);
	return lw;
}

void line_drain(struct line_world *lw)
{
	struct line *ln, *next;

	for (ln = LIST_FIRST(&lw->lines); ln; ln = next) {
		next = LIST_NEXT(ln, link);
		ln->is_over = true;
		mind_room(ln);
		end_if_done(ln);
	}
}

void line_recheck(struct line_world *lw)
{
	struct line *ln;

	LIST_FOREACH (ln, &lw->lines, link) {
		place(ln);
	}
}

bool line_is_empty(const struct line_world *lw)
{
	return LIST_EMPTY(&lw->lines);
}

void line_free(struct line_world *lw)
{
	if (!lw) {
		return;
	}
	while (!LIST_EMPTY(&lw->lines)) {
		line_gone(LIST_FIRST(&lw->lines));
	}
	free(lw);
}

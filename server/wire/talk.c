/* talk.c -- see talk.h. */
#include "server/wire/talk.h"

#include <stdlib.h>

#include "server/wire/feed.h"
#include "shared/base/log.h"
#include "shared/base/ban.h"

#define TALK_MAGIC 0x74616c6bu

struct answer {
	struct vy_buf text; /* LWS_PRE, then the message */
	STAILQ_ENTRY(answer) link;
};

/* One under way: its answer may come when its connection is gone. */
struct talk_call {
	wire_call_id id;
	struct talk *talk;
	UT_hash_handle hh;
};

struct talk {
	VY_MAGIC;
	struct conn *conn;
	struct feed *feed;
	unsigned calls;
	size_t unsent; /* of answers */
	bool is_quiet, is_ending;
	STAILQ_HEAD(, answer) answers;
};

static void wants_write(void *ctx)
{
	struct talk *t = ctx;

	VY_CHECK(t, TALK_MAGIC);
	lws_callback_on_writable(t->conn->wsi);
}

struct talk *talk_new(struct conn *c)
{
	struct talk *t = VY_NEW(struct talk);

	VY_MAGIC_SET(t, TALK_MAGIC);
	t->conn = c;
	t->feed = feed_new(c->wire->conf.access, wants_write, t);
	STAILQ_INIT(&t->answers);
	vy_log(VY_LOG_DEBUG, "wire.talk", "fd=%d caller=%s", c->fd,
		caller_kind_name(c->caller.kind));
	return t;
}

static void answer_sent(struct talk *t)
{
	struct answer *a = STAILQ_FIRST(&t->answers);

	STAILQ_REMOVE_HEAD(&t->answers, link);
	t->unsent -= a->text.len;
	vy_buf_fini(&a->text);
	free(a);
}

void talk_free(struct talk *t)
{
	struct talk_call *c, *next;

	if (!t) {
		return;
	}
	VY_CHECK(t, TALK_MAGIC);
	HASH_ITER (hh, t->conn->wire->talk_calls, c, next) {
		if (c->talk == t) {
			HASH_DEL(t->conn->wire->talk_calls, c);
			t->conn->wire->counts.waiting--;
			free(c);
		}
	}
	while (!STAILQ_EMPTY(&t->answers)) {
		answer_sent(t);
	}
	feed_free(t->feed);
	VY_MAGIC_CLEAR(t);
	free(t);
}

struct conn *talk_conn(const struct talk *t)
{
	return t->conn;
}

struct feed *talk_feed(struct talk *t)
{
	return t->feed;
}

/* Who does not take its answers, or has asked much, is not read from. */
static void mind_room(struct talk *t)
{
	bool is_quiet = t->calls >= TALK_CALLS_MAX || t->unsent > VY_PEER_UNSENT_MAX;

	if (is_quiet != t->is_quiet) {
		t->is_quiet = is_quiet;
		lws_rx_flow_control(t->conn->wsi, !is_quiet);
	}
}

bool talk_is_quiet(const struct talk *t)
{
	return t->is_quiet;
}

/* ---- what it says ---- */

static void call(struct talk *t, struct vy_str text)
{
	struct wire *w = t->conn->wire;
	struct talk_call *c = VY_NEW(struct talk_call);

	c->id = ++w->next_call;
	c->talk = t;
	HASH_ADD(hh, w->talk_calls, id, sizeof(c->id), c);
	w->counts.waiting++;
	t->calls++;
	mind_room(t);
	w->conf.call(w->conf.ctx,
		&(struct wire_request){ .id = c->id, .who = &t->conn->caller, .body = text });
}

int talk_receive(struct talk *t, struct lws *wsi, const void *in, size_t n)
{
	struct conn *c = t->conn;

	if (t->is_ending) {
		return 0;
	}
	if (lws_is_first_fragment(wsi)) {
		vy_buf_clear(&c->in);
	}
	if (!vy_buf_add(&c->in, in, n)) {
		return stream_close_with(c, wsi, 1009, "a message may have 16 MiB");
	}
	if (lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0) {
		call(t, vy_buf_str(&c->in));
		vy_buf_fini(&c->in);
		vy_buf_init(&c->in, VY_RPC_BODY_MAX);
	}
	return 0;
}

/* ---- what it gets ---- */

static int send_one(struct talk *t, struct lws *wsi, struct vy_buf *b)
{
	size_t n = b->len - LWS_PRE;

	if (lws_write(wsi, (unsigned char *)b->data + LWS_PRE, n, LWS_WRITE_TEXT) < (int)n) {
		return -1;
	}
	t->conn->wire->counts.bytes_sent += n;
	lws_callback_on_writable(wsi);
	return 0;
}

static void begin(struct vy_buf *b)
{
	static const char pre[LWS_PRE];

	vy_buf_init(b, LWS_PRE + FEED_ITEM + ANSWER_MAX);
	vy_buf_add(b, pre, sizeof(pre));
}

/* Answers go before events: whoever asks is waiting. */
int talk_writeable(struct talk *t, struct lws *wsi)
{
	struct answer *a = STAILQ_FIRST(&t->answers);
	struct vy_buf b;
	int rc = 0;

	if (a) {
		rc = send_one(t, wsi, &a->text);
		answer_sent(t);
		mind_room(t);
		return rc;
	}
	if (t->is_ending && t->calls == 0) {
		return stream_close_with(t->conn, wsi, HUB_RESTARTING, "restarting");
	}
	begin(&b);
	if (feed_take(t->feed, &b)) {
		rc = send_one(t, wsi, &b);
	}
	vy_buf_fini(&b);
	return rc;
}

void talk_end(struct talk *t)
{
	t->is_ending = true;
	wants_write(t);
}

/* ---- what is answered ---- */

struct talk *talk_of(struct wire *w, wire_call_id id)
{
	struct talk_call *c;

	HASH_FIND(hh, w->talk_calls, &id, sizeof(id), c);
	return c ? c->talk : NULL;
}

void talk_reply(struct talk *t, wire_call_id id, struct vy_str body)
{
	struct wire *w = t->conn->wire;
	struct talk_call *c;

	HASH_FIND(hh, w->talk_calls, &id, sizeof(id), c);
	if (!c) {
		return;
	}
	HASH_DEL(w->talk_calls, c);
	w->counts.waiting--;
	free(c);
	t->calls--;
	if (body.n) {
		struct answer *a = VY_NEW(struct answer);

		begin(&a->text);
		vy_buf_addstr(&a->text, body);
		t->unsent += a->text.len;
		STAILQ_INSERT_TAIL(&t->answers, a, link);
	}
	mind_room(t);
	feed_answered(t->feed, id);
	wants_write(t);
}

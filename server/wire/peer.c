/* peer.c -- see peer.h. */
#include "server/wire/peer.h"

#include <stdlib.h>
#include <string.h>

#include "server/auth/access.h"
#include "server/hub/hub.h"
#include "server/wire/target.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

struct peer {
	VY_MAGIC;
	struct peer_conf conf; /* its strings are ours */
	struct access_pass *pass;
	struct hub_sub *sub; /* NULL while the viewer is being asked */
	struct vy_timer *ask;
	uint64_t sent;
	bool has_greeted; /* SSE: the opening lines went out */
};

#define PEER_MAGIC 0x70656572u

static void on_ready(void *ctx)
{
	struct peer *p = ctx;

	VY_CHECK(p, PEER_MAGIC);
	p->conf.wants_write(p->conf.ctx);
}

static void subscribe(struct peer *p, bool has_from, int64_t from)
{
	struct hub_open open = {
		.session = p->conf.session,
		.viewer = p->conf.viewer,
		.from = has_from ? from : HUB_NO_CURSOR,
		.epoch = has_from && p->conf.epoch && p->conf.epoch[0] ? p->conf.epoch : NULL,
		.is_merged = true,
		.is_agent = p->conf.is_agent,
		.is_counted = p->conf.is_counted,
		.ready = on_ready,
		.ctx = p,
	};
	struct hub_sub *old = p->sub;

	vy_timer_del(p->ask);
	p->ask = NULL;
	p->sub = hub_subscribe(p->conf.hub, &open);
	hub_unsubscribe(old); /* after: a session's count of viewers does not blink */
}

static void on_silence(void *ctx)
{
	struct peer *p = ctx;

	VY_CHECK(p, PEER_MAGIC);
	subscribe(p, false, 0);
}

struct peer *peer_new(const struct peer_conf *conf)
{
	struct peer *p = VY_NEW(struct peer);

	VY_MAGIC_SET(p, PEER_MAGIC);
	p->conf = *conf;
	p->conf.session = vy_strdup(conf->session);
	p->conf.viewer = vy_strdup(conf->viewer);
	p->conf.epoch = vy_strdup(conf->epoch);
	p->pass = access_pass_new(conf->access, conf->who, conf->session, on_ready, p);
	if (conf->has_from || conf->form == PEER_SSE) {
		subscribe(p, conf->has_from, conf->from);
	} else {
		p->ask = vy_loop_timer(conf->loop, on_silence, p);
		vy_timer_set(p->ask, PEER_ASK_MS);
	}
	return p;
}

void peer_free(struct peer *p)
{
	if (!p) {
		return;
	}
	VY_CHECK(p, PEER_MAGIC);
	vy_timer_del(p->ask);
	access_pass_free(p->pass);
	hub_unsubscribe(p->sub);
	free((char *)p->conf.session);
	free((char *)p->conf.viewer);
	free((char *)p->conf.epoch);
	VY_MAGIC_CLEAR(p);
	free(p);
}

/* ---- what the viewer says ---- */

int peer_hear(struct peer *p, struct vy_str text, struct vy_err *e)
{
	VY_AUTO_JSON *said = vy_json_parse(text, e);
	const struct vy_json *from;
	int64_t n;

	VY_CHECK(p, PEER_MAGIC);
	if (!said) {
		return -1;
	}
	if (vy_json_type(said) != VY_JSON_OBJ) {
		return vy_fail(e, VY_BAD_INPUT,
			"expected an object such as "
			"{\"t\":\"subscribe\",\"from\":0}");
	}
	if (!vy_str_is(vy_json_str(said, "t"), "subscribe") || p->conf.has_from) {
		return 0;
	}
	from = vy_json_get(said, "from");
	n = vy_json_int(said, "from", -1);
	if (from && (vy_json_type(from) != VY_JSON_INT || n < 0)) {
		return vy_fail(e, VY_BAD_INPUT, "from: expected the cursor of a frame, or 0");
	}
	p->conf.has_from = true; /* it is asked once */
	subscribe(p, from != NULL, n);
	return 0;
}

/* ---- what it gets ---- */

static void add(struct peer *p, struct vy_buf *out, size_t start, const struct hub_item *it)
{
	struct vy_str bytes = frame_ref_str(it->frame);

	p->sent++;
	if (p->conf.form != PEER_SSE) {
		if (out->len > start) {
			vy_buf_addc(out, '\n');
		}
		vy_buf_addstr(out, bytes);
		return;
	}
	if (it->kind == HUB_HEARTBEAT) {
		vy_buf_adds(
			out, ":\n\n"); /* what proxies and readers that count comments wait for */
	}
	if (it->kind == HUB_FRAME) {
		vy_buf_addf(out, "id: %lld\n", (long long)it->frame->cur);
	}
	vy_buf_adds(out, "data: ");
	vy_buf_addstr(out, bytes);
	vy_buf_adds(out, "\n\n");
}

/* Room that is left for one more; the first is never held back. */
static size_t room(const struct vy_buf *out, size_t start)
{
	size_t used = out->len - start;

	if (used == 0) {
		return PEER_MESSAGE_MAX;
	}
	return used < VY_BATCH_BYTES ? VY_BATCH_BYTES - used : 0;
}

enum peer_got peer_take(struct peer *p, struct vy_buf *out)
{
	size_t start = out->len;
	struct hub_item it;
	enum hub_got got = HUB_EMPTY;

	VY_CHECK(p, PEER_MAGIC);
	if (!access_ok(p->pass)) {
		return PEER_OVER;
	}
	if (p->conf.form == PEER_SSE && !p->has_greeted) {
		p->has_greeted = true;
		vy_buf_adds(out, "retry: 250\n: vyre session stream\n\n");
	}
	while (p->sub && room(out, start) > 0) {
		got = hub_next(p->sub, room(out, start), &it);
		if (got != HUB_ITEM) {
			break;
		}
		add(p, out, start, &it);
		hub_item_done(&it);
		if (p->conf.form == PEER_SINGLE) {
			break;
		}
	}
	vy_assert(!vy_buf_is_over(out));
	if (out->len > start) {
		return p->sub && got == HUB_EMPTY ? PEER_MESSAGE : PEER_MORE;
	}
	return got == HUB_CLOSED ? PEER_OVER : PEER_NOTHING;
}

int peer_code(const struct peer *p)
{
	if (!access_ok(p->pass)) {
		return HUB_ACCESS_ENDED;
	}
	return p->sub ? hub_code(p->sub) : HUB_DONE;
}

void peer_end_access(struct peer *p)
{
	access_end(p->pass);
}

uint64_t peer_sent(const struct peer *p)
{
	return p->sent;
}

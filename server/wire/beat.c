/* beat.c -- see beat.h. */
#include "server/wire/beat.h"

#include "server/wire/events.h"
#include "server/wire/talk.h"
#include "shared/base/clock.h"
#include "shared/base/log.h"
#include "shared/base/ban.h"

void beat_begin(struct wire *w)
{
	if (!vy_timer_is_set(w->beat)) {
		vy_timer_set(w->beat, w->conf.beat_ms);
	}
}

void beat_heard(struct conn *c)
{
	c->pinged_ms = 0;
}

/* A ping that had no room yet is none: nobody is called dead for what he was not asked. */
static void ask(struct conn *c, int64_t now)
{
	const struct wire_conf *conf = &c->wire->conf;

	if (c->talk && talk_is_quiet(c->talk)) { /* its answer lies there unread */
		beat_heard(c);
	}
	if (!c->pinged_ms) {
		c->wants_ping = true;
		lws_callback_on_writable(c->wsi);
	} else if (now - c->pinged_ms >= conf->dead_ms - conf->beat_ms) {
		vy_log(VY_LOG_INFO, "wire.silent", "fd=%d", c->fd);
		conn_kill(c);
	}
}

void beat_due(void *ctx)
{
	struct wire *w = ctx;
	struct conn *c, *next;
	int64_t now = vy_boot_ms(w->conf.clock);
	bool has_any = false;

	VY_CHECK(w, WIRE_MAGIC);
	for (c = TAILQ_FIRST(&w->conns); c; c = next) {
		next = TAILQ_NEXT(c, link);
		if (c->phase != CONN_STREAM || !(c->talk || c->events || c->term)) {
			continue;
		}
		has_any = true;
		if (c->form != PEER_SSE) {
			ask(c, now);
		}
		if (c->events && !c->is_doomed) {
			events_beat(c->events);
		}
	}
	if (has_any) {
		beat_begin(w);
	}
}

bool beat_write(struct conn *c, struct lws *wsi, int *rc)
{
	unsigned char room[LWS_PRE + 1]; /* lws does not tell of an answer without a payload */

	if (!c->wants_ping || c->phase != CONN_STREAM) {
		return false;
	}
	c->wants_ping = false;
	c->pinged_ms = vy_boot_ms(c->wire->conf.clock);
	room[LWS_PRE] = '?';
	*rc = lws_write(wsi, room + LWS_PRE, 1, LWS_WRITE_PING) < 1 ? -1 : 0;
	lws_callback_on_writable(wsi); /* for what else there is */
	return true;
}

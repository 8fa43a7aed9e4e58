/* fake_hub.c -- see fake_hub.h. Keeps the promises of hub.h that a peer relies on: `ready` only
 * after a viewer ran dry and never from inside a call, HUB_LARGE over the room, a reset that ends. */
#include "tests/server/wire/fake_hub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/term/terms.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

struct hub_sub {
	struct fake_hub *h;
	struct hub_open open;
	char viewer[64];
	int64_t cur;
	bool is_dry, beat_due, reset_due;
	int code;
	struct hub_sub *next;
};

struct fake_hub {
	struct vy_loop *loop;
	struct vy_timer *timer;
	struct frame_ref **frames;
	size_t n, cap;
	struct hub_sub *subs;
	const char *epoch; /* NULL: short stand-ins for control frames */
};

struct frame_ref *frame_ref_new(int64_t cur, int64_t span, struct vy_str bytes)
{
	struct frame_ref *f = vy_alloc(sizeof(*f) + bytes.n);

	*f = (struct frame_ref){ .refs = 1, .len = (uint32_t)bytes.n, .cur = cur, .span = span };
	memcpy(f->bytes, bytes.p, bytes.n);
	return f;
}

struct frame_ref *frame_ref(struct frame_ref *f)
{
	f->refs++;
	return f;
}

void frame_unref(struct frame_ref *f)
{
	if (f && --f->refs == 0) {
		free(f);
	}
}

static struct hub_sub *due(const struct fake_hub *h)
{
	struct hub_sub *s = h->subs;

	while (s && !(s->is_dry &&
			    (s->code || s->reset_due || s->beat_due || s->cur < (int64_t)h->n))) {
		s = s->next;
	}
	return s;
}

/* Looked for anew each time: `ready` may end any of them. */
static void tell(void *ctx)
{
	struct hub_sub *s;

	while ((s = due(ctx))) {
		s->is_dry = false;
		s->open.ready(s->open.ctx);
	}
}

static void soon(struct fake_hub *h)
{
	vy_timer_set(h->timer, 0);
}

struct hub *fake_hub_new(struct vy_loop *loop)
{
	struct fake_hub *h = VY_NEW(struct fake_hub);

	h->loop = loop;
	h->timer = vy_loop_timer(loop, tell, h);
	return (struct hub *)h;
}

void fake_hub_free(struct hub *hub)
{
	struct fake_hub *h = (struct fake_hub *)hub;

	vy_assert(h->subs == NULL);
	for (size_t i = 0; i < h->n; i++) {
		frame_unref(h->frames[i]);
	}
	free(h->frames);
	vy_timer_del(h->timer);
	free(h);
}

void fake_hub_push(struct fake_hub *h, struct vy_str bytes)
{
	h->frames = vy_grow(h->frames, &h->cap, h->n + 1, sizeof(*h->frames));
	h->frames[h->n] = frame_ref_new((int64_t)h->n + 1, 1, bytes);
	h->n++;
	soon(h);
}

unsigned fake_hub_subscribers(const struct fake_hub *h)
{
	unsigned n = 0;

	for (struct hub_sub *s = h->subs; s; s = s->next) {
		n++;
	}
	return n;
}

struct hub_sub *hub_subscribe(struct hub *hub, const struct hub_open *o)
{
	struct fake_hub *h = (struct fake_hub *)hub;
	struct hub_sub *s = VY_NEW(struct hub_sub);

	s->h = h;
	s->open = *o;
	snprintf(s->viewer, sizeof(s->viewer), "%s", o->viewer);
	s->cur = o->from == HUB_NO_CURSOR ? 0 : o->from;
	s->reset_due = s->cur > (int64_t)h->n;
	s->is_dry = s->beat_due = true;
	s->next = h->subs;
	h->subs = s;
	soon(h);
	return s;
}

void hub_unsubscribe(struct hub_sub *s)
{
	struct hub_sub **at;

	if (s) {
		for (at = &s->h->subs; *at != s; at = &(*at)->next) {
		}
		*at = s->next;
		free(s);
	}
}

static enum hub_got lend(struct hub_item *out, enum hub_kind kind, struct frame_ref *own)
{
	out->kind = kind;
	out->frame = own;
	return HUB_ITEM;
}

void fake_hub_real(struct hub *h, const char *epoch)
{
	((struct fake_hub *)h)->epoch = epoch;
}

static struct frame_ref *control(const struct fake_hub *h, bool is_reset)
{
	char text[400];
	long long n = (long long)h->n;

	if (!h->epoch && is_reset) {
		snprintf(text, sizeof(text), "{\"reset\":1}");
	} else if (!h->epoch) {
		snprintf(text, sizeof(text), "{\"beat\":%lld}", n);
	} else {
		snprintf(text, sizeof(text),
			"{\"v\":1,\"id\":\"h\",\"cur\":0,\"session\":\"s\",\"turn\":null,"
			"\"type\":\"session.%s\",\"time\":1,\"corr\":\"c\",\"data\":{%s\"head\":%"
			"lld,"
			"\"epoch\":\"%s\"}}",
			is_reset ? "reset" : "heartbeat",
			is_reset ? "\"reason\":\"ahead\",\"floor\":1," : "", n, h->epoch);
	}
	return frame_ref_new(0, 1, vy_str_c(text));
}

enum hub_got hub_next(struct hub_sub *s, size_t room, struct hub_item *out)
{
	if (s->code) {
		return HUB_CLOSED;
	}
	if (s->reset_due) {
		s->reset_due = false;
		s->code = HUB_DONE;
		return lend(out, HUB_RESET, control(s->h, true));
	}
	if (s->cur < (int64_t)s->h->n) {
		struct frame_ref *f = s->h->frames[s->cur];

		if (f->len > room) {
			return HUB_LARGE;
		}
		s->cur++;
		return lend(out, HUB_FRAME, frame_ref(f));
	}
	if (s->beat_due) {
		s->beat_due = false;
		return lend(out, HUB_HEARTBEAT, control(s->h, false));
	}
	s->is_dry = true;
	return HUB_EMPTY;
}

void hub_item_done(struct hub_item *it)
{
	frame_unref(it->frame);
}

int hub_code(const struct hub_sub *s)
{
	return s->code;
}

void hub_close_session(struct hub *hub, const char *session, const char *viewer, int code)
{
	struct fake_hub *h = (struct fake_hub *)hub;

	(void)session;
	for (struct hub_sub *s = h->subs; s; s = s->next) {
		if (!viewer || strcmp(viewer, s->viewer) == 0) {
			s->code = code;
		}
	}
	soon(h);
}

void hub_close_all(struct hub *hub, int code)
{
	hub_close_session(hub, NULL, NULL, code);
}

/* ---- no terminals here: their streams are played against a real vyred (tests/play) ---- */

const struct term_facts *terms_get(struct terms *t, struct vy_str id)
{
	(void)t;
	(void)id;
	return NULL;
}

struct term_viewer *terms_look_at(
	struct terms *t, struct vy_str id, const struct term_view *v, struct vy_err *e)
{
	(void)t;
	(void)id;
	(void)v;
	vy_fail(e, VY_NOT_FOUND, "there is no such terminal");
	return NULL;
}

void term_viewer_free(struct term_viewer *v)
{
	(void)v;
}

struct term_piece term_viewer_next(struct term_viewer *v, struct vy_buf *out)
{
	(void)v;
	(void)out;
	return (struct term_piece){ TERM_OVER, false, false };
}

void term_viewer_type(struct term_viewer *v, struct vy_str keys)
{
	(void)v;
	(void)keys;
}

int term_viewer_hear(struct term_viewer *v, struct vy_str text, struct vy_err *e)
{
	(void)v;
	(void)text;
	(void)e;
	return 0;
}

/* events.c -- see events.h. */
#include "tui/net/events.h"

#include <stdlib.h>

#include "shared/base/arena.h"
#include "shared/base/clock.h"
#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "shared/frame/sse.h"
#include "shared/frame/standing.h"
#include "shared/model/registry.h"
#include "shared/rpc/schema.h"
#include "tui/net/dial.h"
#include "tui/net/path.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define EVENTS_MAGIC 0x65766373u
#define OPEN_MS      10000

struct events {
	VY_MAGIC;
	struct events_conf conf; /* its path is ours */
	struct events_ops ops;
	void *ctx;
	struct vy_standing machine;
	struct vy_sse sse;
	struct dial_request *request;
	struct vy_timer *timer;
	struct path *path;
	enum events_state state;
	const struct events_item *at_hand;
	struct vy_err why;
};

static void feed(struct events *ev, struct vy_standing_event e);

/* ---- what is told ---- */

static void say_state(struct events *ev)
{
	enum events_state s = ev->machine.state == VY_STANDING_LIVE   ? EVENTS_LIVE
			      : ev->machine.state == VY_STANDING_OVER ? EVENTS_OVER
			      : ev->machine.state == VY_STANDING_LOST ? EVENTS_LOST
								      : EVENTS_DOWN;

	if (s == ev->state) {
		return;
	}
	ev->state = s;
	if (s == EVENTS_LIVE) {
		vy_err_clear(&ev->why);
	}
	if (ev->ops.state) {
		ev->ops.state(ev->ctx, s, ev->why.code == VY_OK ? NULL : &ev->why);
	}
}

/* ---- what came ---- */

/* Of `event: closed`. */
static void on_goodbye(struct events *ev, const struct vy_json *data)
{
	struct vy_standing_event e = { .type = VY_STANDING_GOODBYE,
		.code = (int)vy_json_int(data, "code", 0) };

	if (e.code == 4403) {
		vy_fail(&ev->why, VY_DENIED, _("You no longer have access to this session."));
	} else {
		vy_fail(&ev->why, VY_GONE, _("the stream ended (%d)"), e.code);
	}
	feed(ev, e);
}

static void on_item(struct events *ev, const struct events_item *it)
{
	enum events_fit fit = vy_json_type(it->json) != VY_JSON_OBJ ? EVENTS_MISFIT
			      : ev->ops.judge                       ? ev->ops.judge(ev->ctx, it)
								    : EVENTS_FITS;

	if (fit == EVENTS_MISFIT) {
		vy_fail(&ev->why, VY_CORRUPT,
			_("the server sent what is no such event: is it a vyred of this version?"));
		feed(ev, (struct vy_standing_event){ .type = VY_STANDING_MISFIT });
		return;
	}
	ev->at_hand = it;
	feed(ev, (struct vy_standing_event){
			 .type = VY_STANDING_ITEM, .id = it->id, .is_last = fit == EVENTS_LAST });
	ev->at_hand = NULL;
}

static void on_event(void *ctx, const struct vy_sse_event *in)
{
	struct events *ev = ctx;
	VY_AUTO_JSON *json = vy_json_parse(in->data, NULL);

	if (ev->machine.state != VY_STANDING_LIVE) {
		return; /* of a connection that was let go */
	}
	if (vy_str_is(in->name, "closed")) {
		on_goodbye(ev, json);
		return;
	}
	on_item(ev, &(struct events_item){ in->name, in->id, in->data, json });
}

static void on_retry(void *ctx, int64_t ms)
{
	feed(ctx, (struct vy_standing_event){ .type = VY_STANDING_RETRY, .ms = ms });
}

static void on_open(void *ctx)
{
	feed(ctx, (struct vy_standing_event){ .type = VY_STANDING_OPENED });
}

static void on_bytes(void *ctx, struct vy_str bytes)
{
	static const struct vy_sse_out shape = { .event = on_event, .retry = on_retry };
	struct events *ev = ctx;
	struct vy_sse_out out = shape;

	VY_CHECK(ev, EVENTS_MAGIC);
	out.ctx = ev;
	feed(ev, (struct vy_standing_event){ .type = VY_STANDING_BYTES });
	if (vy_sse_feed(&ev->sse, bytes, &out, &ev->why) != 0) {
		feed(ev, (struct vy_standing_event){ .type = VY_STANDING_MISFIT });
	}
}

/* The server's sentence, if it said one. */
static void note_refusal(struct events *ev, const struct dial_answer *a)
{
	VY_AUTO_JSON *v = vy_json_parse(a->body, NULL);
	struct vy_str text = vy_json_strval(vy_json_path(v, "error.message"));
	enum vy_code code = a->status == 404 || a->status == 410 ? VY_NOT_FOUND
			    : a->status == 403                   ? VY_DENIED
			    : a->status == 400                   ? VY_BAD_INPUT
								 : VY_UNSUPPORTED;

	if (text.n) {
		vy_fail(&ev->why, code, "%.*s", VY_STR_ARG(text));
	} else {
		vy_fail(&ev->why, code, _("the server answered with HTTP %d"), a->status);
	}
}

static void on_answer(void *ctx, const struct dial_answer *a)
{
	struct events *ev = ctx;
	struct vy_standing_event e = { .type = VY_STANDING_CLOSED };

	VY_CHECK(ev, EVENTS_MAGIC);
	ev->request = NULL;
	if (a->err.code == VY_OK && a->status != 200) {
		note_refusal(ev, a);
		e.type = VY_STANDING_REFUSED;
		e.code = a->status;
	} else if (a->err.code != VY_OK) {
		ev->why = a->err;
	}
	feed(ev, e);
}

/* ---- what is done ---- */

static void open_it(struct events *ev)
{
	static const struct dial_events events = { on_open, on_bytes };
	struct dial_ask ask = { .method = "GET",
		.path = ev->conf.path,
		.timeout_ms = OPEN_MS,
		.events = &events,
		.last_id = ev->machine.last };

	vy_sse_reset(&ev->sse);
	ev->request = dial_ask(ev->conf.dial, &ask, on_answer, ev);
}

static void close_it(struct events *ev)
{
	dial_cancel(ev->request);
	ev->request = NULL;
}

static void on_path(void *ctx)
{
	feed(ctx, (struct vy_standing_event){ .type = VY_STANDING_PATH });
}

static void wait(struct events *ev)
{
	if (!ev->path && dial_is_local(ev->conf.dial)) {
		ev->path = path_watch(ev->conf.loop, dial_target(ev->conf.dial), on_path, ev);
	}
}

static void act(struct events *ev, enum vy_standing_effect e)
{
	switch (e) {
	case VY_STANDING_DO_DELIVER: ev->ops.item(ev->ctx, ev->at_hand); break;
	case VY_STANDING_DO_OPEN: open_it(ev); break;
	case VY_STANDING_DO_CLOSE: close_it(ev); break;
	case VY_STANDING_DO_WAIT: wait(ev); break;
	case VY_STANDING_DO_END: /* the state says so */
	case VY_STANDING_DO_GIVE_UP: break;
	}
}

static void feed(struct events *ev, struct vy_standing_event e)
{
	struct vy_standing_out out;
	int64_t due;

	e.now_ms = vy_boot_ms(ev->conf.clock);
	vy_random(&e.random, sizeof(e.random));
	vy_standing_step(&ev->machine, &e, &out);
	for (size_t i = 0; i < out.n; i++) {
		act(ev, out.e[i]);
	}
	due = vy_standing_due(&ev->machine);
	vy_timer_set(ev->timer, due == INT64_MAX ? -1 : due > e.now_ms ? due - e.now_ms : 0);
	say_state(ev);
}

static void on_timer(void *ctx)
{
	feed(ctx, (struct vy_standing_event){ .type = VY_STANDING_TICK });
}

/* ---- life ---- */

struct events *events_new(const struct events_conf *conf, const struct events_ops *ops, void *ctx)
{
	struct events *ev = VY_NEW(struct events);

	VY_MAGIC_SET(ev, EVENTS_MAGIC);
	ev->conf = *conf;
	ev->conf.path = vy_strdup(conf->path);
	ev->ops = *ops;
	ev->ctx = ctx;
	vy_standing_init(&ev->machine, conf->last);
	vy_sse_init(&ev->sse, EVENTS_ITEM_MAX);
	ev->timer = vy_loop_timer(conf->loop, on_timer, ev);
	feed(ev, (struct vy_standing_event){ .type = VY_STANDING_START });
	return ev;
}

void events_stop(struct events *ev)
{
	feed(ev, (struct vy_standing_event){ .type = VY_STANDING_STOP });
}

void events_retry(struct events *ev)
{
	on_path(ev);
}

void events_free(struct events *ev)
{
	if (!ev) {
		return;
	}
	VY_CHECK(ev, EVENTS_MAGIC);
	close_it(ev);
	path_free(ev->path);
	vy_timer_del(ev->timer);
	vy_sse_fini(&ev->sse);
	free((char *)ev->conf.path);
	VY_MAGIC_CLEAR(ev);
	free(ev);
}

const char *events_last(const struct events *ev)
{
	return ev->machine.last;
}

/* ---- what fits ---- */

#define SNAPSHOT                                                                                   \
	"{messageId: id, messageRevision: int>=1, state: str, text: str, reasoning: str,"          \
	" index: {text: int>=0, reasoning: int>=0}}"

static bool fits(const char *schema, const struct vy_json *v)
{
	const struct vy_schema *s;
	struct vy_arena mem;
	bool ok;

	vy_arena_init(&mem);
	s = vy_schema_parse(vy_str_c(schema), &mem, NULL);
	vy_assert(s != NULL);
	ok = vy_schema_check(s, v, "", NULL) == 0;
	vy_arena_fini(&mem);
	return ok;
}

enum events_fit events_judge_generation(void *ctx, const struct events_item *it)
{
	enum vy_control_type type = vy_control_type(it->name);

	(void)ctx;
	if (vy_str_is(it->name, "snapshot")) {
		return fits(SNAPSHOT, it->json) ? EVENTS_FITS : EVENTS_MISFIT;
	}
	switch ((int)type) {
	case VY_CONTROL_MESSAGE_DELTA:
		return fits(vy_control_row(type)->data, it->json) ? EVENTS_FITS : EVENTS_MISFIT;
	case VY_CONTROL_MESSAGE_COMPLETED:
	case VY_CONTROL_MESSAGE_FAILED:
		return fits(vy_control_row(type)->data, vy_json_get(it->json, "data"))
			       ? EVENTS_LAST
			       : EVENTS_MISFIT;
	default: return EVENTS_FITS; /* of a newer server: it is not known to be wrong */
	}
}

enum events_fit events_judge_ui(void *ctx, const struct events_item *it)
{
	static const struct {
		const char *name, *schema;
	} rows[] = {
		{ "ui.reset", "{cur: int>=0, epoch: str, before?: int>=0, more?: bool,"
			      " rows: [{key: id, rev: int>=0, kind: str}]}" },
		{ "ui.upsert", "{key: id, rev: int>=0, after?: str,"
			       " row: {key: id, rev: int>=0, kind: str}}" },
		{ "ui.remove", "{key: id}" },
	};

	(void)ctx;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		if (vy_str_is(it->name, rows[i].name)) {
			return fits(rows[i].schema, it->json) ? EVENTS_FITS : EVENTS_MISFIT;
		}
	}
	return EVENTS_FITS;
}

#define LINE "{cur: int>=1, epoch: str, time: int>=0, dir: in|out, "

enum events_fit events_judge_observe(void *ctx, const struct events_item *it)
{
	(void)ctx;
	return fits(LINE "line: str, bytes?: int>=0, stderr?: bool}", it->json) ||
			       fits(LINE "kind: str, summary: str}", it->json)
		       ? EVENTS_FITS
		       : EVENTS_MISFIT;
}

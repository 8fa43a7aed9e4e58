/* events.c -- see events.h. */
#include "server/wire/events.h"

#include <stdlib.h>
#include <strings.h>

#include "server/wire/beat.h"
#include "server/wire/endpoints.h"
#include "server/wire/feed.h"
#include "shared/base/jw.h"
#include "shared/base/crash.h"
#include "shared/base/log.h"
#include "shared/base/ban.h"

#define EVENTS_MAGIC 0x65766e74u
#define PAGE_ITEMS   500 /* of one page; the last may go over the bytes */
#define PAGE_BYTES   (256 * VY_KIB)

struct events {
	VY_MAGIC;
	struct conn *conn;
	const char *method;
	struct vy_buf first; /* goes before its items */
	struct view view;
	bool has_greeted, wants_beat, is_over, has_said_why;
	bool is_owed; /* a heartbeat that it had no room for yet */
	int code;     /* it is ended from here; 0: it is not */
};

/* ---- opening ---- */

static void on_ready(void *ctx)
{
	struct events *ev = ctx;

	VY_CHECK(ev, EVENTS_MAGIC);
	if (ev->conn->phase == CONN_STREAM) { /* else its beginning asks */
		stream_want_write(ev->conn);
	}
}

/* Its caller, as of now: some views are a person's alone. */
static int open_view(struct events *ev, const struct vy_json *params, struct vy_err *e)
{
	struct conn *c = ev->conn;
	const struct wire_conf *conf = &c->wire->conf;
	struct wire_view ask_for = {
		.method = ev->method, .params = params, .ready = on_ready, .ready_ctx = ev
	};
	struct caller who;

	conn_place(c, &who, NULL);
	snprintf(who.surface, sizeof(who.surface), "%s", c->caller.surface);
	ask_for.who = &who;
	if (!conf->view) {
		return vy_fail(e, VY_UNSUPPORTED, "there is no such stream here");
	}
	if (conf->view(conf->ctx, &ask_for, &ev->view, e) != 0) {
		return -1;
	}
	view_mind(&ev->view, conf->access, &who, on_ready, ev);
	return 0;
}

/* 0, or the HTTP status to refuse with. */
static int open_events(
	struct conn *c, const char *method, const struct vy_json *params, struct vy_err *e)
{
	struct events *ev = VY_NEW(struct events);

	VY_MAGIC_SET(ev, EVENTS_MAGIC);
	ev->conn = c;
	ev->method = method;
	vy_buf_init(&ev->first, VY_MIB);
	if (open_view(ev, params, e) != 0) {
		VY_MAGIC_CLEAR(ev);
		free(ev);
		return http_status(vy_code_kind(e->code));
	}
	c->events = ev;
	c->wire->counts.streams++;
	beat_begin(c->wire);
	vy_log(VY_LOG_DEBUG, "wire.events", "fd=%d method=%s session=%s", c->fd, method,
		ev->view.session);
	return 0;
}

static struct vy_str last_event_id(struct lws *wsi, char room[VIEW_ID_MAX + 1])
{
	int n = lws_hdr_custom_copy(wsi, room, VIEW_ID_MAX + 1, "last-event-id:", 14);

	if (n < 0 && lws_hdr_custom_length(wsi, "last-event-id:", 14) > 0) {
		return VY_STR_LIT("(too long)"); /* which no place is */
	}
	return vy_str_n(room, n > 0 ? (size_t)n : 0);
}

/* 0, or the HTTP status to refuse with. */
static int begin(struct conn *c, struct lws *wsi, const struct http_target *t, struct vy_err *e)
{
	char room[VIEW_ID_MAX + 1];
	VY_AUTO_JSON *params = NULL;
	int status = stream_has_place(c, e);

	if (status) {
		return status;
	}
	if (c->is_tcp) {
		vy_fail(e, VY_DENIED, "by TCP there are streams only, each with its ticket");
		return 403;
	}
	params = endpoint_params(t->target.endpoint, t->target.parts, t->args, t->n_args,
		last_event_id(wsi, room), e);
	return params ? open_events(c, t->target.endpoint->method, params, e) : 400;
}

int events_upgrade(struct conn *c, struct lws *wsi, const struct http_target *t, struct vy_err *e)
{
	if (!(t->target.endpoint->forms & ENDPOINT_WS)) {
		vy_fail(e, VY_UNSUPPORTED, "this stream is read as text/event-stream");
		return 404;
	}
	return begin(c, wsi, t, e);
}

static void write_page(struct events *ev, struct vy_buf *out)
{
	struct vy_jw w = VY_JW(out);

	vy_jw_obj(&w);
	vy_jw_key(&w, "items");
	vy_jw_arr(&w);
	for (unsigned n = 0; n < PAGE_ITEMS && out->len < PAGE_BYTES; n++) {
		VY_AUTO_BUF item = VY_BUF_INIT(FEED_ITEM);

		if (view_next(&ev->view, &item) != VIEW_ITEM) {
			break;
		}
		vy_jw_raw(&w, vy_buf_str(&item));
	}
	vy_jw_end_arr(&w);
	ev->view.ops->page(ev->view.sub, &w);
	vy_jw_end_obj(&w);
}

/* What there is now, for who comes again by himself. */
static int get_page(struct conn *c, struct lws *wsi, const struct http_target *t)
{
	VY_AUTO_BUF body = VY_BUF_INIT(PAGE_BYTES + FEED_ITEM + 4096);
	struct vy_err e = { 0 };
	int status = begin(c, wsi, t, &e);

	if (status) {
		http_refuse(c, status, &e);
		return 0;
	}
	write_page(c->events, &body);
	events_free(c->events);
	c->events = NULL;
	c->wire->counts.streams--;
	http_answer(c, 200, "application/json", vy_buf_str(&body));
	return 0;
}

int events_get(struct conn *c, struct lws *wsi, const struct http_target *t)
{
	struct vy_err e = { 0 };

	if ((t->target.endpoint->forms & ENDPOINT_PAGE) && stream_takes_json(wsi)) {
		return get_page(c, wsi, t);
	}
	int status = stream_takes_events(wsi, &e);

	status = status ? status : begin(c, wsi, t, &e);
	if (status) {
		http_refuse(c, status, &e);
		return 0;
	}
	return stream_begin_events(c, wsi);
}

void events_answer(struct conn *c, const char *method, const struct vy_json *params,
	const struct events_first *first)
{
	struct vy_err e = { 0 };
	int status = stream_has_place(c, &e);

	status = status ? status : open_events(c, method, params, &e);
	if (status) {
		http_refuse(c, status, &e);
		return;
	}
	vy_buf_addf(&c->events->first, "event: %s\ndata: ", first->event);
	vy_buf_addstr(&c->events->first, first->data);
	vy_buf_adds(&c->events->first, "\n\n");
	if (stream_begin_events(c, c->wsi) != 0) {
		conn_kill(c);
	}
}

void events_free(struct events *ev)
{
	if (!ev) {
		return;
	}
	VY_CHECK(ev, EVENTS_MAGIC);
	view_close(&ev->view);
	vy_buf_fini(&ev->first);
	VY_MAGIC_CLEAR(ev);
	free(ev);
}

/* ---- what it says ---- */

static const char *why(int code)
{
	switch (code) {
	case HUB_RESTARTING: return "restarting";
	case HUB_TRY_LATER: return "try again later";
	case HUB_ACCESS_ENDED: return "access ended";
	default: return "ended";
	}
}

static void say_closed(struct events *ev, struct vy_buf *out)
{
	vy_buf_addf(out, "event: closed\ndata: {\"code\":%d,\"reason\":\"%s\"}\n\n",
		events_code(ev), why(events_code(ev)));
}

static void add_event(struct events *ev, struct vy_str item, struct vy_buf *out)
{
	struct view_tag tag;

	tag.event = NULL;
	tag.id[0] = '\0';
	if (ev->view.ops->tag) {
		ev->view.ops->tag(ev->view.sub, &tag);
	}
	if (tag.event) {
		vy_buf_addf(out, "event: %s\n", tag.event);
	}
	if (tag.id[0]) {
		vy_buf_addf(out, "id: %s\n", tag.id);
	}
	vy_buf_adds(out, "data: ");
	vy_buf_addstr(out, item);
	vy_buf_adds(out, "\n\n");
}

static void begin_message(struct events *ev, enum peer_form form, struct vy_buf *out)
{
	bool is_sse = form == PEER_SSE;

	if (is_sse && !ev->has_greeted) {
		/* to a POST nobody comes back */
		vy_buf_adds(out, ev->first.len ? NULL : "retry: 250\n");
		vy_buf_adds(out, ": vyre events\n\n");
		vy_buf_addstr(out, vy_buf_str(&ev->first));
		vy_buf_fini(&ev->first);
	} else if (ev->wants_beat) {
		vy_buf_adds(out, is_sse ? ":\n\n" : "{\"type\":\"heartbeat\"}");
	}
	ev->has_greeted = true;
	ev->wants_beat = false;
}

/* One more item behind `out`; false: there is none. */
static bool add_item(struct events *ev, enum peer_form form, struct vy_buf *out, bool is_first)
{
	VY_AUTO_BUF item = VY_BUF_INIT(FEED_ITEM);
	enum view_got got = view_next(&ev->view, &item);

	ev->is_over = got == VIEW_CLOSED;
	if (got != VIEW_ITEM) {
		return false;
	}
	vy_assert(!vy_buf_is_over(&item));
	if (form == PEER_SSE) {
		add_event(ev, vy_buf_str(&item), out);
	} else {
		vy_buf_adds(out, is_first ? NULL : "\n");
		vy_buf_addstr(out, vy_buf_str(&item));
	}
	return true;
}

enum peer_got events_take(struct events *ev, enum peer_form form, struct vy_buf *out)
{
	size_t start = out->len;
	bool goes_on = true;

	VY_CHECK(ev, EVENTS_MAGIC);
	ev->is_owed = false;
	begin_message(ev, form, out);
	if (form == PEER_SINGLE && out->len > start) {
		return PEER_MORE;
	}
	while (!ev->code && !ev->is_over && goes_on && out->len - start < VY_BATCH_BYTES) {
		goes_on = add_item(ev, form, out, out->len == start) && form != PEER_SINGLE;
		VY_CRASH(EVENTS_TAKEN);
	}
	if (ev->code || ev->is_over) {
		if (form == PEER_SSE && events_code(ev) != HUB_DONE && !ev->has_said_why) {
			ev->has_said_why = true;
			say_closed(ev, out);
		}
		return out->len > start ? PEER_MORE : PEER_OVER;
	}
	/* what has run dry calls; a single item is followed by a look whether there is another */
	return out->len == start                ? PEER_NOTHING
	       : goes_on || form == PEER_SINGLE ? PEER_MORE
						: PEER_MESSAGE;
}

int events_code(const struct events *ev)
{
	return ev->code ? ev->code : view_code(&ev->view);
}

void events_end(struct events *ev, int code)
{
	VY_CHECK(ev, EVENTS_MAGIC);
	ev->code = ev->code ? ev->code : code;
	stream_want_write(ev->conn);
}

void events_end_access(struct events *ev)
{
	view_end_access(&ev->view);
}

/* ---- the heartbeat ---- */

void events_beat(struct events *ev)
{
	struct conn *c = ev->conn;

	VY_CHECK(ev, EVENTS_MAGIC);
	if (ev->is_owed && ev->view.ops->drops_slow) {
		vy_log(VY_LOG_INFO, "wire.slow", "fd=%d method=%s", c->fd, ev->method);
		conn_kill(c);
		return;
	}
	ev->is_owed = ev->wants_beat = true;
	stream_want_write(c);
}

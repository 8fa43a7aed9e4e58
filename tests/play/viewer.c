/* viewer.c -- see viewer.h. */
#include "tests/play/viewer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/frame/check.h"
#include "shared/frame/codec.h"
#include "tests/play/promise.h"
#include "shared/base/ban.h"

struct viewer *viewer_new(const char *name, const char *session, enum conn_form form)
{
	struct viewer *v = VY_NEW(struct viewer);

	v->name = vy_strdup(name);
	v->session = vy_strdup(session);
	v->form = form;
	v->conn.fd = -1;
	return v;
}

void viewer_forget(struct viewer *v)
{
	for (size_t i = 0; i < v->n; i++) {
		vy_json_free(v->v[i].json);
		free(v->v[i].text);
	}
	v->n = v->mark = 0;
}

void viewer_free(struct viewer *v)
{
	if (!v) {
		return;
	}
	conn_close(&v->conn);
	viewer_forget(v);
	vy_json_free(v->snapshot);
	vy_json_free(v->answers);
	plane_free(v->plane);
	free(v->v);
	free(v->name);
	free(v->session);
	free(v);
}

static void wrong(struct viewer *v, const char *what, struct vy_str frame)
{
	if (!v->why[0]) {
		snprintf(v->why, sizeof(v->why), "viewer %s: %s: %.*s", v->name, what,
			(int)(frame.n < 300 ? frame.n : 300), frame.p);
	}
}

/* ---- keeping ---- */

/* Of a plane's item all of it. */
static char *same_for_all(const struct vy_json *frame, bool is_item)
{
	static const char *const keys[] = { "type", "turn", "author", "acts_for", "data" };
	VY_AUTO_JSON *o = vy_json_new_obj();
	VY_AUTO_BUF text = VY_BUF_INIT(CONN_ANSWER_MAX);

	if (is_item) {
		vy_json_dump_canonical(frame, &text);
		return vy_buf_take(&text, NULL);
	}

	for (size_t i = 0; i < VY_COUNT(keys); i++) {
		vy_json_set(o, keys[i], vy_json_get(frame, keys[i]));
	}
	vy_json_dump_canonical(o, &text);
	return vy_buf_take(&text, NULL);
}

static void keep(struct viewer *v, uint64_t cur, struct vy_json *own_frame)
{
	v->v = vy_grow(v->v, &v->cap, v->n + 1, sizeof(*v->v));
	v->v[v->n++] = (struct seen){ cur, own_frame, same_for_all(own_frame, v->plane != NULL) };
}

/* The frames a merged one stands for; those up to v->last were delivered before. */
static void take_apart(struct viewer *v, struct vy_json *frame, uint64_t cur, uint64_t span)
{
	struct vy_json *data = vy_json_get(frame, "data");
	const struct vy_json *parts = vy_json_get(data, "parts");
	struct vy_str text = vy_json_str(data, "text");

	for (size_t i = 0; i < vy_json_len(parts); i++) {
		uint64_t mine = cur - span + 1 + i;
		size_t n = journal_units(text, vy_json_intval(vy_json_at(parts, i), 0));

		if (mine > v->last) {
			struct vy_json *one = vy_json_copy(frame);
			struct vy_json *its = vy_json_get(one, "data");

			vy_json_del(one, "span");
			vy_json_del(its, "parts");
			vy_json_set_int(one, "cur", (int64_t)mine);
			vy_json_set_str(its, "text", vy_str_n(text.p, n));
			keep(v, mine, one);
		}
		text = vy_str_from(text, n);
	}
}

/* ---- judging ---- */

static void control(struct viewer *v, const struct vy_json *frame, struct vy_str frame_text)
{
	const struct vy_json *data = vy_json_get(frame, "data");

	if (vy_str_is(vy_json_str(frame, "type"), "session.heartbeat")) {
		v->beats++;
		v->head = (uint64_t)vy_json_int(data, "head", 0);
		if (v->has_from && v->head > v->last) {
			wrong(v, "a head this connection was not sent", frame_text);
		}
	} else if (vy_str_is(vy_json_str(frame, "type"), "session.reset")) {
		v->resets++;
		snprintf(v->reason, sizeof(v->reason), "%.*s",
			VY_STR_ARG(vy_json_str(data, "reason")));
	}
	if (vy_json_cstr(data, "epoch")) {
		snprintf(v->epoch, sizeof(v->epoch), "%s", vy_json_cstr(data, "epoch"));
	}
}

static void logged(
	struct viewer *v, struct vy_json *frame, const struct vy_frame *f, struct vy_str text)
{
	uint64_t first = vy_frame_first(f);

	if (v->has_from && !v->is_inline && first > v->last + 1) {
		wrong(v, "a gap before", text);
	}
	if (v->has_from && f->cur <= v->last) {
		wrong(v, "came a second time", text);
		return;
	}
	v->has_from = true;
	if (f->span > 1 && f->kind != VY_KIND_HIDDEN) {
		take_apart(v, frame, f->cur, f->span);
	} else {
		keep(v, f->cur, vy_json_ref(frame));
	}
	v->last = f->cur;
}

static void on_frame(void *ctx, struct vy_str text, int64_t id)
{
	struct viewer *v = ctx;
	struct vy_frame f;
	struct vy_arena a;
	struct vy_err e = { 0 };
	VY_AUTO_JSON *frame = vy_json_parse(text, &e);

	vy_arena_init(&a);
	if (!frame || vy_frame_decode(text, &a, &f, &e) != 0 || vy_frame_check(&f, &e) != 0) {
		wrong(v, e.text, text);
	} else {
		VY_AUTO_BUF why = VY_BUF_INIT(4096);

		if (!promise_frame(&f, &why)) {
			wrong(v, vy_buf_c(&why), text);
		}
		if (v->form == CONN_EVENTS && id != (f.cur ? (int64_t)f.cur : -1)) {
			wrong(v, "its event has another id", text);
		}
		if (!vy_str_is(vy_json_str(frame, "session"), v->session)) {
			wrong(v, "of another session", text);
		}
		if (f.cur) {
			logged(v, frame, &f, text);
		} else if (vy_kind_class(f.kind) == VY_CLASS_CONTROL) {
			control(v, frame, text);
		} else {
			keep(v, 0, vy_json_ref(frame));
		}
	}
	vy_arena_fini(&a);
}

/* What is no frame: the plane judges it. */
static void on_item(struct viewer *v, struct vy_json *item, struct vy_str text)
{
	if (plane_step(v->plane, item)) {
		keep(v, 0, vy_json_ref(item));
	}
	if (v->plane->why[0]) {
		wrong(v, v->plane->why, text);
	}
}

/* What came of something said inline: `accepted` and `ended` in between frames. */
static void on_turn(void *ctx, struct vy_str text, int64_t id)
{
	struct viewer *v = ctx;

	if (v->conn.event.n) {
		struct vy_json *o = vy_json_new_obj();

		vy_json_set_str(o, "type", v->conn.event);
		vy_json_take(o, "data", vy_json_parse(text, NULL));
		keep(v, 0, o);
	} else {
		on_frame(v, text, id);
	}
}

void viewer_take(struct viewer *v, struct vy_str text)
{
	VY_AUTO_JSON *item = vy_json_parse(text, NULL);

	if (item) {
		on_item(v, item, text);
	} else {
		wrong(v, "no JSON", text);
	}
}

/* An item of a plane that has a connection of its own. */
static void on_own(void *ctx, struct vy_str text, int64_t id)
{
	struct viewer *v = ctx;
	VY_AUTO_JSON *item = vy_json_parse(text, NULL);

	(void)id;
	if (vy_str_is(vy_json_str(item, "type"), "heartbeat")) {
		v->beats++;
	} else if (vy_str_is(v->conn.event, "closed")) {
		v->goodbye = (int)vy_json_int(item, "code", 0);
	} else {
		on_item(v, item, text);
		if (v->form == CONN_EVENTS) {
			plane_tagged(v->plane, item, v->conn.event, v->conn.id);
		}
	}
}

/* A notification of the one subscription: a frame, an item, or its end. */
static void on_notice(void *ctx, struct vy_str text, int64_t id)
{
	struct viewer *v = ctx;
	VY_AUTO_BUF frame = VY_BUF_INIT(2 * VY_MIB);
	VY_AUTO_JSON *notice = vy_json_parse(text, NULL);
	struct vy_json *params = vy_json_get(notice, "params");
	struct vy_str method = vy_json_str(notice, "method");

	if (!vy_str_is(vy_json_str(params, "subscription"), v->subscription)) {
		wrong(v, "of another subscription", text);
	} else if (vy_str_is(method, "subscription.closed")) {
		conn_over(&v->conn, (int)vy_json_int(params, "code", 0));
	} else if (!vy_str_is(method, v->plane ? v->plane->kind->notice : "stream.frame")) {
		wrong(v, "another notification", text);
	} else if (v->plane) {
		vy_json_del(params, "subscription");
		on_item(v, params, text);
	} else {
		vy_json_del(params, "subscription");
		vy_json_dump(params, &frame);
		on_frame(v, vy_buf_str(&frame), id);
	}
}

/* Of one who talks: an answer, or a notification as it is. */
static void on_talk(void *ctx, struct vy_str text, int64_t id)
{
	struct viewer *v = ctx;
	struct vy_json *m = vy_json_parse(text, NULL);

	(void)id;
	if (vy_json_get(m, "id")) {
		v->answers = v->answers ? v->answers : vy_json_new_arr();
		vy_json_add_take(v->answers, m);
		return;
	}
	VY_AUTO_JSON *notice = m;
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_str(o, "type", vy_json_str(notice, "method"));
	vy_json_set(o, "data", vy_json_get(notice, "params"));
	keep(v, 0, o);
}

bool viewer_read(struct viewer *v)
{
	return conn_read(&v->conn,
		v->is_talker           ? on_talk
		: conn_is_rpc(v->form) ? on_notice
		: v->plane             ? on_own
		: v->is_inline         ? on_turn
				       : on_frame,
		v);
}

void viewer_words(const struct viewer *v, size_t from, struct vy_buf *out)
{
	for (size_t i = from; i < v->n; i++) {
		const struct vy_json *data = vy_json_get(v->v[i].json, "data");

		if (vy_str_is(vy_json_str(v->v[i].json, "type"), "session.text-delta") &&
			!vy_json_bool(data, "reasoning", false)) {
			vy_buf_addstr(out, vy_json_str(data, "text"));
		}
	}
}

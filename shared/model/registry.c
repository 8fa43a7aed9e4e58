/* registry.c -- see registry.h. */
#include "shared/model/registry.h"

#include "shared/base/buf.h"
#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define DATA_MAX    (16 * VY_MIB)
#define MEMBERS_MAX 8

static const struct vy_control_row rows[VY_CONTROL_TYPES] = {
#define VY_CONTROL(name, word, delivery, persistence, from, data)                                  \
	{ word, VY_DELIVERY_##delivery, VY_PERSISTENCE_##persistence, from, data },
#include "shared/model/registry.def"
#undef VY_CONTROL
};

const struct vy_control_row *vy_control_row(enum vy_control_type t)
{
	return &rows[t];
}

enum vy_control_type vy_control_type(struct vy_str word)
{
	int t = 0;

	while (t < VY_CONTROL_TYPES && !vy_str_is(word, rows[t].word)) {
		t++;
	}
	return (enum vy_control_type)t;
}

/* ---- saying ---- */

struct saying {
	struct vy_str id;
	int64_t time;
	struct vy_arena *mem;
	vy_control_fn *fn;
	void *ctx;
	int said; /* of one id: each event has a name of its own */
};

static void say_text(struct saying *s, enum vy_control_type type, struct vy_str data)
{
	struct vy_control ev = { .type = type, .id = s->id, .time = s->time, .data = data };

	if (s->id.n && s->said > 0) {
		ev.id = vy_str_c(vy_arena_printf(s->mem, "%.*s.%d", VY_STR_ARG(s->id), s->said));
	}
	s->said++;
	s->fn(s->ctx, &ev);
}

static void say(struct saying *s, enum vy_control_type type, const struct vy_json *data)
{
	VY_AUTO_BUF text = VY_BUF_INIT(DATA_MAX);

	vy_json_dump(data, &text);
	say_text(s, type, vy_arena_str(s->mem, vy_buf_str(&text)));
}

/* ---- of the journal ---- */

/* What an event becomes, with the members of its data that go along. */
static const struct drawn {
	const char *from;
	enum vy_control_type type;
	const char *members[MEMBERS_MAX];
} table[] = {
	{ "ask.raised", VY_CONTROL_ASK_RAISED,
		{ "ask", "kind", "tool", "summary", "options", "questions" } },
	{ "ask.answered", VY_CONTROL_ASK_ANSWERED, { "ask", "decision", "by", "delivered" } },
	{ "mode.changed", VY_CONTROL_MODE_CHANGED, { "mode" } },
	{ "model.changed", VY_CONTROL_MODEL_CHANGED, { "model" } },
	{ "thread.compacted", VY_CONTROL_SESSION_COMPACTED, { "trigger", "before", "after" } },
	{ "thread.rewound", VY_CONTROL_SESSION_REWOUND, { "message", "to" } },
	{ "thread.held", VY_CONTROL_QUEUE_CHANGED, { "held" } },
	{ "thread.queued", VY_CONTROL_QUEUE_CHANGED, { "message", "state", "position" } },
	{ "thread.unqueued", VY_CONTROL_QUEUE_CHANGED, { "message", "state" } },
	{ "thread.steered", VY_CONTROL_QUEUE_CHANGED, { "message", "state" } },
};

static void add(struct vy_json *to, const struct vy_json *from, const char *key)
{
	struct vy_json *v = vy_json_get(from, key);

	if (v) {
		vy_json_set(to, key, v);
	}
}

static void say_drawn(struct saying *s, const struct vy_event *ev, const struct vy_json *data)
{
	for (size_t i = 0; i < VY_COUNT(table); i++) {
		const struct drawn *d = &table[i];

		if (strcmp(d->from, ev->type) == 0) {
			VY_AUTO_JSON *o = vy_json_new_obj();

			for (int m = 0; m < MEMBERS_MAX && d->members[m]; m++) {
				add(o, data, d->members[m]);
			}
			say(s, d->type, o);
		}
	}
	/* one that had waited; what was sent at once was never in the queue */
	if (strcmp(ev->type, "thread.sent") == 0 &&
		vy_str_is(vy_json_str(data, "state"), "picked-up")) {
		VY_AUTO_JSON *o = vy_json_new_obj();

		add(o, data, "message");
		add(o, data, "state");
		say(s, VY_CONTROL_QUEUE_CHANGED, o);
	}
}

static void say_run(struct saying *s, const struct vy_event *ev, const struct vy_json *data)
{
	VY_AUTO_JSON *o = vy_json_new_obj();

	vy_json_set_str(o, "turn", ev->turn);
	if (strcmp(ev->type, "thread.turn") == 0) {
		add(o, data, "origin");
		say(s, VY_CONTROL_RUN_STARTED, o);
	} else if (strcmp(ev->type, "thread.finished") == 0) {
		say(s,
			vy_json_bool(data, "canceled", false) ? VY_CONTROL_RUN_CANCELLED
			: vy_json_bool(data, "ok", true)      ? VY_CONTROL_RUN_COMPLETED
							      : VY_CONTROL_RUN_FAILED,
			o);
		if (vy_json_type(vy_json_get(data, "usage")) == VY_JSON_OBJ) {
			VY_AUTO_JSON *u = vy_json_new_obj();

			add(u, data, "usage");
			say(s, VY_CONTROL_SESSION_USAGE, u);
		}
	}
}

/* Facts that ride on a status (a mode, a title) tell nothing of the state. */
static bool tells_state(const char *type)
{
	static const char *const those[] = { "thread.started", "thread.turn", "thread.finished",
		"thread.stopped", "thread.state", "thread.stopping" };

	for (size_t i = 0; i < VY_COUNT(those); i++) {
		if (strcmp(type, those[i]) == 0) {
			return true;
		}
	}
	return false;
}

static void say_state(struct saying *s, const struct vy_event *ev, const struct vy_frame *f)
{
	static const enum vy_fid words[] = { VY_F_STATE, VY_F_REASON, VY_F_NOTE };

	if (!f || f->kind != VY_KIND_STATUS || !tells_state(ev->type)) {
		return;
	}
	VY_AUTO_JSON *o = vy_json_new_obj();

	for (size_t i = 0; i < VY_COUNT(words); i++) {
		if (vy_frame_has(f, words[i])) {
			vy_json_set_str(o, vy_field_word(words[i]), vy_frame_str(f, words[i]));
		}
	}
	if (vy_frame_has(f, VY_F_STOPPING)) {
		vy_json_set_bool(o, "stopping", vy_frame_bool(f, VY_F_STOPPING));
	}
	say(s, VY_CONTROL_SESSION_STATE, o);
}

void vy_control_of_event(struct vy_str id, const struct vy_event *ev, const struct vy_frame *f,
	struct vy_arena *mem, vy_control_fn *fn, void *ctx)
{
	struct saying s = { .id = id, .time = ev->time, .mem = mem, .fn = fn, .ctx = ctx };
	VY_AUTO_JSON *data = vy_json_parse(ev->data, NULL);

	say_drawn(&s, ev, data);
	say_run(&s, ev, data);
	say_state(&s, ev, f);
}

/* ---- of a message ---- */

void vy_control_of_message(
	const struct vy_control_message *in, struct vy_arena *mem, vy_control_fn *fn, void *ctx)
{
	static const enum vy_control_type types[] = {
		[VY_MESSAGE_SAME] = VY_CONTROL_TYPES,
		[VY_MESSAGE_CREATED] = VY_CONTROL_MESSAGE_CREATED,
		[VY_MESSAGE_UPDATED] = VY_CONTROL_MESSAGE_UPDATED,
		[VY_MESSAGE_IS_COMPLETED] = VY_CONTROL_MESSAGE_COMPLETED,
		[VY_MESSAGE_HAS_FAILED] = VY_CONTROL_MESSAGE_FAILED,
		[VY_MESSAGE_IS_DELETED] = VY_CONTROL_MESSAGE_DELETED,
	};
	struct saying s = {
		.id = in->id, .time = in->m->updated, .mem = mem, .fn = fn, .ctx = ctx
	};
	VY_AUTO_BUF text = VY_BUF_INIT(DATA_MAX);
	struct vy_jw w = VY_JW(&text);

	if (in->change == VY_MESSAGE_SAME) {
		return;
	}
	vy_jw_obj(&w);
	vy_jw_key(&w, "message");
	vy_message_write(in->m, in->text, in->blocks, &w);
	vy_jw_kstr(&w, "transcriptTargetId", in->session);
	vy_jw_kstr(&w, "producer", in->m->author);
	vy_jw_end_obj(&w);
	say_text(&s, types[in->change], vy_arena_str(mem, vy_buf_str(&text)));
}

/* ---- of a session's record ---- */

static bool is_same(const struct vy_json *was, const struct vy_json *is, const char *key)
{
	return vy_json_equal(vy_json_get(was, key), vy_json_get(is, key));
}

/* In anything but when it was written. */
static bool is_news(const struct vy_json *was, const struct vy_json *is)
{
	const char *key;
	struct vy_json *value;

	VY_JSON_EACH (is, key, value) {
		if (strcmp(key, "updated") != 0 && !vy_json_equal(vy_json_get(was, key), value)) {
			return true;
		}
	}
	return false;
}

static const struct vy_json *task_of(const struct vy_json *tasks, struct vy_str id)
{
	for (size_t i = 0; i < vy_json_len(tasks); i++) {
		if (vy_str_eq(vy_json_str(vy_json_at(tasks, i), "task"), id)) {
			return vy_json_at(tasks, i);
		}
	}
	return NULL;
}

/* Those of `a` that are not in `b`. */
static void say_tasks(struct saying *s, enum vy_control_type type, const struct vy_json *a,
	const struct vy_json *b)
{
	static const char *const members[] = { "task", "kind", "text", "status" };

	for (size_t i = 0; i < vy_json_len(a); i++) {
		const struct vy_json *task = vy_json_at(a, i);

		if (vy_json_str(task, "task").n && !task_of(b, vy_json_str(task, "task"))) {
			VY_AUTO_JSON *o = vy_json_new_obj();

			for (size_t m = 0; m < VY_COUNT(members); m++) {
				add(o, task, members[m]);
			}
			say(s, type, o);
		}
	}
}

void vy_control_of_record(const struct vy_json *was, const struct vy_json *is, bool is_new,
	struct vy_arena *mem, vy_control_fn *fn, void *ctx)
{
	struct saying s = { .mem = mem, .fn = fn, .ctx = ctx };
	VY_AUTO_JSON *o = vy_json_new_obj();
	bool is_away = vy_json_bool(is, "archived", false);

	if (!is) {
		say(&s, VY_CONTROL_SESSION_DELETED, o);
		return;
	}
	if (was && !is_news(was, is)) {
		return;
	}
	s.time = vy_json_int(is, "updated", 0);
	vy_json_take(o, "record", vy_json_copy(is));
	say(&s,
		is_new ? VY_CONTROL_SESSION_CREATED
		: is_away && was && !vy_json_bool(was, "archived", false)
			? VY_CONTROL_SESSION_ARCHIVED
			: VY_CONTROL_SESSION_UPDATED,
		o);
	if (!is_same(was, is, "limits") &&
		vy_json_type(vy_json_get(is, "limits")) != VY_JSON_NULL &&
		vy_json_get(is, "limits")) {
		VY_AUTO_JSON *l = vy_json_new_obj();

		add(l, is, "limits");
		say(&s, VY_CONTROL_SESSION_LIMIT, l);
	}
	say_tasks(&s, VY_CONTROL_TASK_STARTED, vy_json_get(is, "tasks"), vy_json_get(was, "tasks"));
	say_tasks(
		&s, VY_CONTROL_TASK_FINISHED, vy_json_get(was, "tasks"), vy_json_get(is, "tasks"));
}

/* ---- of a provider ---- */

void vy_control_of_provider(
	struct vy_str name, struct vy_str why, struct vy_arena *mem, vy_control_fn *fn, void *ctx)
{
	struct saying s = { .mem = mem, .fn = fn, .ctx = ctx };
	VY_AUTO_JSON *o = vy_json_new_obj();

	vy_json_set_str(o, "provider", name);
	vy_json_set_bool(o, "available", why.n == 0);
	if (why.n) {
		vy_json_set_str(o, "why", why);
	}
	say(&s, VY_CONTROL_PROVIDER_CHANGED, o);
}

/* ---- of a slot ---- */

void vy_control_of_slot(
	const struct vy_control_slot *slot, struct vy_arena *mem, vy_control_fn *fn, void *ctx)
{
	struct saying s = { .mem = mem, .fn = fn, .ctx = ctx };
	VY_AUTO_JSON *o = vy_json_new_obj();

	vy_json_set_str(o, "kind", slot->kind);
	if (slot->project.n) {
		vy_json_set_str(o, "project", slot->project);
	}
	vy_json_set_str(o, "session", slot->session);
	vy_json_set_str(o, "holder", slot->holder);
	if (slot->position) {
		vy_json_set_int(o, "position", slot->position);
	}
	if (slot->has_waited) {
		vy_json_set_bool(o, "waited", true);
	}
	say(&s, slot->type, o);
}

/* ---- of a terminal ---- */

void vy_control_of_term(
	const struct vy_control_term *term, struct vy_arena *mem, vy_control_fn *fn, void *ctx)
{
	struct saying s = { .mem = mem, .fn = fn, .ctx = ctx };
	VY_AUTO_JSON *o = vy_json_new_obj();

	vy_json_set_str(o, "term", term->term);
	if (term->type == VY_CONTROL_TERM_OPENED) {
		vy_json_set_int(o, "pid", term->pid);
		vy_json_set_int(o, "cols", term->cols);
		vy_json_set_int(o, "rows", term->rows);
	}
	if (term->type == VY_CONTROL_TERM_ENDED && term->has_code) {
		vy_json_set_int(o, term->signal ? "signal" : "status",
			term->signal ? term->signal : term->status);
	}
	if (term->type == VY_CONTROL_TERM_ENDED && term->why.n) {
		vy_json_set_str(o, "why", term->why);
	}
	say(&s, term->type, o);
}

/* ---- of what people set ---- */

void vy_control_of_defaults(
	const struct vy_control_defaults *d, struct vy_arena *mem, vy_control_fn *fn, void *ctx)
{
	struct saying s = { .mem = mem, .fn = fn, .ctx = ctx };
	VY_AUTO_JSON *o = vy_json_new_obj();

	vy_json_set_str(o, "what", d->what);
	if (d->project.n) {
		vy_json_set_str(o, "project", d->project);
	}
	if (d->purpose.n) {
		vy_json_set_str(o, vy_str_is(d->what, "slots") ? "kind" : "purpose", d->purpose);
	}
	if (d->rev) {
		vy_json_set_int(o, "rev", d->rev);
	}
	say(&s, VY_CONTROL_DEFAULTS_CHANGED, o);
}

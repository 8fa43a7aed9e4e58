/* lower.c -- see lower.h. What a frame takes from its event is a table; the rest chooses the rule. */
#include "shared/model/lower.h"

#include <stdio.h>
#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/model/state.h"
#include "shared/base/ban.h"

#define PICKS 9

/* How a member of the event becomes a field of the frame. */
struct pick {
	enum vy_fid field;
	const char *key; /* NULL: ends the list */
};

struct rule {
	const char *type, *phase; /* phase: of a call's event; NULL: any */
	enum vy_kind kind;
	bool lacks;        /* what it must say is not in the event */
	const char *state; /* of a status; NULL: as the event says, "": as it was */
	struct pick picks[PICKS];
};

static const struct rule rules[] = {
	{ "thread.started", NULL, VY_KIND_STATUS, false, "starting", { { 0 } } },
	{ "thread.turn", NULL, VY_KIND_STATUS, false, "working",
		{ { VY_F_MESSAGE, "message" }, { VY_F_STEERED, "steered" },
			{ VY_F_ORIGIN, "origin" } } },
	{ "thread.finished", NULL, VY_KIND_STATUS, false, "waiting",
		{ { VY_F_USAGE, "usage" }, { VY_F_HELD, "held" } } },
	{ "thread.stopped", NULL, VY_KIND_STATUS, false, "stopped", { { VY_F_REASON, "reason" } } },
	{ "thread.state", NULL, VY_KIND_STATUS, false, NULL,
		{ { VY_F_REASON, "reason" }, { VY_F_NOTE, "note" }, { VY_F_NOTE, "error" },
			{ VY_F_POSITION, "position" }, { VY_F_UNTIL, "until" } } },
	{ "thread.rewound", NULL, VY_KIND_STATUS, false, "", { { 0 } } },
	{ "thread.compacted", NULL, VY_KIND_STATUS, false, "", { { 0 } } },
	{ "thread.renamed", NULL, VY_KIND_STATUS, false, "", { { VY_F_TITLE, "title" } } },
	{ "mode.changed", NULL, VY_KIND_STATUS, false, "", { { VY_F_MODE, "mode" } } },
	{ "model.changed", NULL, VY_KIND_STATUS, false, "", { { VY_F_MODEL, "model" } } },
	{ "thinking.changed", NULL, VY_KIND_STATUS, false, "", { { VY_F_THINKING, "thinking" } } },
	{ "effort.changed", NULL, VY_KIND_STATUS, false, "", { { VY_F_EFFORT, "effort" } } },
	{ "thread.tasks", NULL, VY_KIND_STATUS, true, "", { { 0 } } },
	{ "thread.stopping", NULL, VY_KIND_STATUS, false, "", { { VY_F_REASON, "reason" } } },
	{ "thread.held", NULL, VY_KIND_STATUS, false, "", { { VY_F_HELD, "held" } } },
	{ "thread.usage", NULL, VY_KIND_STATUS, false, "", { { VY_F_USAGE, "usage" } } },
	{ "thread.limit", NULL, VY_KIND_STATUS, false, "", { { VY_F_NOTE, "note" } } },
	{ "thread.note", NULL, VY_KIND_STATUS, false, "", { { VY_F_NOTE, "note" } } },
	{ "thread.tool", "started", VY_KIND_TOOL_STARTED, false, NULL,
		{ { VY_F_TOOL_ID, "call" }, { VY_F_TOOL, "name" }, { VY_F_KIND, "kind" },
			{ VY_F_SUMMARY, "summary" }, { VY_F_PARENT_TOOL, "parent" },
			{ VY_F_BACKGROUND, "background" }, { VY_F_MESSAGE, "message" },
			{ VY_F_INDEX, "block" } } },
	{ "thread.tool", "done", VY_KIND_TOOL_FINISHED, true, NULL,
		{ { VY_F_TOOL_ID, "call" }, { VY_F_OK, "ok" }, { VY_F_STATUS, "status" } } },
	{ "thread.command", NULL, VY_KIND_TERM_COMMAND, true, NULL,
		{ { VY_F_TERM, "term" }, { VY_F_VIA, "via" }, { VY_F_SURFACE, "surface" },
			{ VY_F_EXIT, "exit" } } },
	{ "thread.file", NULL, VY_KIND_FILE_CHANGED, false, NULL,
		{ { VY_F_PATH, "path" }, { VY_F_OP, "op" }, { VY_F_ADDED, "added" },
			{ VY_F_REMOVED, "removed" } } },
	{ "ask.raised", NULL, VY_KIND_ASK, true, NULL,
		{ { VY_F_ASK_ID, "ask" }, { VY_F_KIND, "kind" }, { VY_F_TOOL, "tool" },
			{ VY_F_TOOL_ID, "call" }, { VY_F_SUMMARY, "summary" },
			{ VY_F_SOURCE, "source" } } },
	{ "ask.answered", NULL, VY_KIND_ASK_ANSWERED, false, NULL,
		{ { VY_F_ASK_ID, "ask" }, { VY_F_DECISION, "decision" }, { VY_F_BY, "by" },
			{ VY_F_DELIVERED, "delivered" } } },
	{ "thread.joined", NULL, VY_KIND_PARTICIPANT_JOINED, false, NULL,
		{ { VY_F_WHO, "who" }, { VY_F_ROLE, "role" } } },
	{ "thread.left", NULL, VY_KIND_PARTICIPANT_LEFT, false, NULL,
		{ { VY_F_WHO, "who" }, { VY_F_ROLE, "role" } } },
	{ "thread.reaction", NULL, VY_KIND_REACTION, false, NULL,
		{ { VY_F_MESSAGE, "message" }, { VY_F_EMOJI, "emoji" }, { VY_F_ON, "on" } } },
	{ "thread.pin", NULL, VY_KIND_PIN, false, NULL,
		{ { VY_F_MESSAGE, "message" }, { VY_F_ON, "on" } } },
	{ "thread.mention", NULL, VY_KIND_MENTION, false, NULL,
		{ { VY_F_MESSAGE, "message" }, { VY_F_WHO_LIST, "who" } } },
	{ "thread.fanout", NULL, VY_KIND_FANOUT, true, NULL,
		{ { VY_F_GROUP, "group" }, { VY_F_MESSAGE, "message" } } },
	{ "thread.fanout.kept", NULL, VY_KIND_FANOUT_KEEP, false, NULL,
		{ { VY_F_GROUP, "group" }, { VY_F_KEEP, "keep" } } },
};

#define USER(type)                                                                                 \
	{                                                                                          \
		type, NULL, VY_KIND_USER_MESSAGE, false, NULL,                                     \
		{                                                                                  \
			{ VY_F_MESSAGE, "message" }, { VY_F_STATE, "state" }, { VY_F_VIA, "via" }, \
				{ VY_F_POSITION, "position" }, { VY_F_STEP, "step" },              \
				{ VY_F_REASON, "reason" }, { VY_F_SURFACE, "surface" },            \
			{                                                                          \
				VY_F_MODE, "mode"                                                  \
			}                                                                          \
		}                                                                                  \
	}
static const struct rule user_rules[] = { USER("thread.sent"), USER("thread.queued"),
	USER("thread.steered"), USER("thread.unqueued") };

/* ---- a rule, applied ---- */

static struct vy_str text_of(const struct vy_json *v, struct vy_arena *mem)
{
	VY_AUTO_BUF text = VY_BUF_INIT(2 * VY_FRAME_MAX);

	vy_json_dump(v, &text);
	return vy_arena_str(mem, vy_buf_str(&text));
}

static void put(
	struct vy_frame *f, const struct pick *p, const struct vy_json *data, struct vy_arena *mem)
{
	const struct vy_json *v = vy_json_get(data, p->key);

	switch (vy_field_type(p->field)) {
	case VY_TYPE_STR:
		vy_frame_set_str(f, p->field, vy_arena_str(mem, vy_json_strval(v)));
		break;
	case VY_TYPE_INT: vy_frame_set_int(f, p->field, vy_json_intval(v, 0)); break;
	case VY_TYPE_BOOL: vy_frame_set_bool(f, p->field, vy_json_bool(data, p->key, false)); break;
	case VY_TYPE_JSON: vy_frame_set_json(f, p->field, text_of(v, mem)); break;
	}
}

static void put_all(
	struct vy_frame *f, const struct rule *r, const struct vy_json *data, struct vy_arena *mem)
{
	for (size_t i = 0; i < PICKS && r->picks[i].key; i++) {
		if (vy_json_get(data, r->picks[i].key)) {
			put(f, &r->picks[i], data, mem);
		}
	}
}

static const struct rule *rule_of(const char *type, const struct vy_json *data)
{
	struct vy_str phase = vy_json_str(data, "phase");

	for (size_t i = 0; i < VY_COUNT(rules); i++) {
		if (strcmp(rules[i].type, type) == 0 &&
			(!rules[i].phase || vy_str_is(phase, rules[i].phase))) {
			return &rules[i];
		}
	}
	for (size_t i = 0; i < VY_COUNT(user_rules); i++) {
		if (strcmp(user_rules[i].type, type) == 0) {
			return &user_rules[i];
		}
	}
	return NULL;
}

/* ---- what the table has no words for ---- */

/* The words are those that the message has now, in every state. */
static void add_words(struct vy_frame *f, const struct vy_message *m)
{
	if (!m || (m->state == VY_MESSAGE_DELETED && !m->folded)) {
		vy_frame_set_bool(f, VY_F_EXPIRED, true);
		return;
	}
	if (m->enc.n) {
		vy_frame_set_json(f, VY_F_ENC, m->enc);
	} else {
		vy_frame_set_str(f, VY_F_TEXT, m->text);
	}
	if (m->bytes) {
		vy_frame_set_int(f, VY_F_BYTES, m->bytes);
		vy_frame_set_bool(f, VY_F_MORE, true);
	}
	if (m->images.n) {
		vy_frame_set_json(f, VY_F_IMAGES, m->images);
	}
	if (m->parent.n) {
		vy_frame_set_str(f, VY_F_PARENT, m->parent);
	}
	if (m->reply_to.n) {
		vy_frame_set_str(f, VY_F_REPLY_TO, m->reply_to);
	}
	if (m->edited) {
		vy_frame_set_bool(f, VY_F_EDITED, true);
	}
}

static void add_str(struct vy_frame *f, enum vy_fid field, struct vy_str s)
{
	if (s.n) {
		vy_frame_set_str(f, field, s);
	}
}

static void add_ask(struct vy_frame *f, const struct vy_ask *a)
{
	if (!a) {
		return;
	}
	vy_frame_del(f, VY_F_EXPIRED);
	vy_frame_set_str(f, VY_F_SUMMARY, a->summary);
	add_str(f, VY_F_TITLE, a->title);
	add_str(f, VY_F_DETAIL, a->detail);
	add_str(f, VY_F_BLOCKED_PATH, a->blocked_path);
	if (a->more) {
		vy_frame_set_bool(f, VY_F_MORE, true);
	}
	vy_frame_set_json(f, VY_F_OPTIONS, a->options.n ? a->options : VY_STR_LIT("[]"));
	if (a->questions.n) {
		vy_frame_set_json(f, VY_F_QUESTIONS, a->questions);
	}
}

/* All of the event's data but where it stood, and the words for a person. */
static struct vy_str spread(const struct vy_json *data, struct vy_arena *mem)
{
	VY_AUTO_JSON *o = vy_json_copy(data);

	vy_json_del(o, "cur");
	vy_json_del(o, "note");
	return text_of(o, mem);
}

/* A start says what is started; what has no `resumed` is of an earlier vyred, which told the model. */
static void add_launch(struct vy_frame *f, const struct vy_json *data, struct vy_arena *mem)
{
	if (vy_json_get(data, "resumed")) {
		vy_frame_set_json(f, VY_F_LAUNCH, spread(data, mem));
	} else if (vy_json_str(data, "model").n) {
		vy_frame_set_str(f, VY_F_MODEL, vy_arena_str(mem, vy_json_str(data, "model")));
	}
}

static void add_state(struct vy_lower *l, struct vy_frame *f, const struct vy_event *ev,
	const struct rule *r, const struct vy_json *data)
{
	struct vy_str says = vy_json_str(data, "state");

	if (!r->state) {
		snprintf(l->state, sizeof(l->state), "%.*s", VY_STR_ARG(says));
	} else if (r->state[0]) {
		snprintf(l->state, sizeof(l->state), "%s", r->state);
	}
	if (strcmp(ev->type, "thread.stopped") == 0 && vy_is_rest(vy_json_str(data, "reason"))) {
		snprintf(l->state, sizeof(l->state), "%s",
			vy_str_is(vy_json_str(data, "reason"), "done") ? "finished" : "waiting");
	}
	vy_frame_set_c(f, VY_F_STATE, l->state[0] ? l->state : "waiting");
	if (ev->turn.n) {
		vy_frame_set_str(f, VY_F_TURN, ev->turn);
	}
}

static void add_status(struct vy_lower *l, struct vy_frame *f, const struct vy_event *ev,
	const struct rule *r, const struct vy_json *data, struct vy_arena *mem)
{
	add_state(l, f, ev, r, data);
	if (strcmp(ev->type, "thread.rewound") == 0) {
		vy_frame_set_json(f, VY_F_REWOUND, spread(data, mem));
	} else if (strcmp(ev->type, "thread.compacted") == 0) {
		vy_frame_set_json(f, VY_F_COMPACTED, spread(data, mem));
	} else if (strcmp(ev->type, "thread.started") == 0) {
		add_launch(f, data, mem);
	} else if (strcmp(ev->type, "thread.limit") == 0) {
		vy_frame_set_json(f, VY_F_LIMIT, spread(data, mem));
	} else if (strcmp(ev->type, "thread.stopped") == 0 &&
		   (vy_frame_is(f, VY_F_REASON, "stopped") ||
			   vy_frame_is(f, VY_F_REASON, "done"))) {
		vy_frame_del(f, VY_F_REASON); /* the event alone says that */
	} else if (strcmp(ev->type, "thread.stopping") == 0) {
		vy_frame_set_bool(f, VY_F_STOPPING, true);
	} else if (strcmp(ev->type, "thread.finished") == 0 &&
		   vy_json_bool(data, "canceled", false)) {
		vy_frame_set_c(f, VY_F_NOTE, "interrupted");
	}
}

static struct vy_str first_of(struct vy_str chain, struct vy_arena *mem)
{
	VY_AUTO_JSON *v = chain.n ? vy_json_parse(chain, NULL) : NULL;

	return vy_arena_str(mem, vy_json_strval(vy_json_at(v, 0)));
}

bool vy_lower(struct vy_lower *l, const struct vy_event *ev, const struct vy_lower_beside *beside,
	struct vy_arena *mem, struct vy_frame *out)
{
	VY_AUTO_JSON *data = vy_json_parse(ev->data, NULL);
	const struct rule *r = data ? rule_of(ev->type, data) : NULL;

	if (!r) {
		return false;
	}
	vy_frame_init(out, r->kind);
	out->cur = (uint64_t)vy_json_int(data, "cur", 0);
	out->time = ev->time;
	out->turn = ev->turn;
	out->author = vy_str_is(ev->actor, "system") ? vy_str_n(NULL, 0) : ev->actor;
	out->acts_for = first_of(ev->chain, mem);
	put_all(out, r, data, mem);
	if (r->lacks) {
		vy_frame_set_bool(out, VY_F_EXPIRED, true);
	}
	if (r->kind == VY_KIND_USER_MESSAGE) {
		add_words(out, beside->message);
	} else if (r->kind == VY_KIND_ASK) {
		add_ask(out, beside->ask);
	} else if (r->kind == VY_KIND_STATUS) {
		add_status(l, out, ev, r, data, mem);
	}
	return true;
}

/* ---- beside it ---- */

int64_t vy_lower_cur(struct vy_str data)
{
	static const char key[] = "\"cur\":";
	const char *at = data.n ? memmem(data.p, data.n, key, sizeof(key) - 1) : NULL;
	int64_t cur = 0;

	for (at = at ? at + sizeof(key) - 1 : NULL;
		at && at < data.p + data.n && *at >= '0' && *at <= '9' && cur < INT64_MAX / 16;
		at++) {
		cur = cur * 10 + (*at - '0');
	}
	return cur;
}

void vy_lower_done(const struct vy_frame *delta, struct vy_frame *out)
{
	vy_frame_init(out, VY_KIND_TEXT_DONE);
	out->time = delta->time;
	out->turn = delta->turn;
	out->author = delta->author;
	out->acts_for = delta->acts_for;
	vy_frame_set_str(out, VY_F_MESSAGE, vy_frame_str(delta, VY_F_MESSAGE));
	vy_frame_set_int(out, VY_F_INDEX, vy_frame_int(delta, VY_F_INDEX, 0));
}

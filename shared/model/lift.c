/* lift.c -- see lift.h. What an event takes from its frame is a table; the rest chooses the rule. */
#include "shared/model/lift.h"

#include <stdio.h>

#include "shared/model/state.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define LINE_MAX_ 512 /* of a summary */
#define PICKS     10
#define DATA_MAX  (2 * VY_FRAME_MAX)

/* How a field of the frame becomes a member of the event. */
enum how {
	NO,    /* ends the list */
	ID,    /* as it is */
	LINE,  /* a summary, cut */
	INT,   /* as it is, when it is there */
	BOOL,  /* when it is true */
	FACT,  /* true or false, when it is there */
	COUNT, /* members of an array */
	SIZE,  /* bytes of a text */
	TYPE,  /* the type of a block */
	WHOLE, /* a small JSON value of ids and numbers */
	SPREAD /* the members of an object */
};

struct pick {
	enum how how;
	enum vy_fid field;
	const char *key;
};

struct rule {
	const char *type;
	enum vy_fid subject; /* VY_F_COUNT: none */
	struct pick picks[PICKS];
};

#define NONE VY_F_COUNT

enum user_rule { SENT, QUEUED, STEERED, UNQUEUED };
#define WORDS                                                                                      \
	{ SIZE, VY_F_TEXT, "bytes" }, { COUNT, VY_F_IMAGES, "images" }, { ID, VY_F_VIA, "via" },   \
	{                                                                                          \
		BOOL, VY_F_EDITED, "edited"                                                        \
	}
#define SAID                                                                                       \
	{ ID, VY_F_MESSAGE, "message" },                                                           \
	{                                                                                          \
		ID, VY_F_STATE, "state"                                                            \
	}

static const struct rule user_rules[] = {
	[SENT] = { "thread.sent", VY_F_MESSAGE,
		{ SAID, WORDS, { ID, VY_F_SURFACE, "surface" },
			{ ID, VY_F_REPLY_TO, "reply_to" } } },
	[QUEUED] = { "thread.queued", VY_F_MESSAGE,
		{ SAID, WORDS, { ID, VY_F_MODE, "mode" }, { INT, VY_F_POSITION, "position" },
			{ ID, VY_F_SURFACE, "surface" }, { ID, VY_F_REASON, "reason" } } },
	[STEERED] = { "thread.steered", VY_F_MESSAGE,
		{ SAID, { ID, VY_F_VIA, "via" }, { INT, VY_F_STEP, "step" } } },
	[UNQUEUED] = { "thread.unqueued", VY_F_MESSAGE, { SAID, { ID, VY_F_REASON, "reason" } } },
};

/* Of an encrypted one, whatever it was. */
static const struct pick private_picks[PICKS] = { SAID };

/* What a status may bring beside its state, each an event of its own; the first that is there. */
static const struct {
	enum vy_fid field;
	struct rule rule;
} fact_rules[] = {
	{ VY_F_REWOUND, { "thread.rewound", NONE, { { SPREAD, VY_F_REWOUND, "" } } } },
	{ VY_F_COMPACTED, { "thread.compacted", NONE, { { SPREAD, VY_F_COMPACTED, "" } } } },
	{ VY_F_TITLE, { "thread.renamed", NONE, { { LINE, VY_F_TITLE, "title" } } } },
	{ VY_F_MODE, { "mode.changed", NONE, { { ID, VY_F_MODE, "mode" } } } },
	{ VY_F_MODEL, { "model.changed", NONE, { { ID, VY_F_MODEL, "model" } } } },
	{ VY_F_THINKING, { "thinking.changed", NONE, { { ID, VY_F_THINKING, "thinking" } } } },
	{ VY_F_EFFORT, { "effort.changed", NONE, { { ID, VY_F_EFFORT, "effort" } } } },
	{ VY_F_TASKS, { "thread.tasks", NONE, { { COUNT, VY_F_TASKS, "tasks" } } } },
	{ VY_F_STOPPING, { "thread.stopping", NONE, { { ID, VY_F_REASON, "reason" } } } },
	{ VY_F_LIMIT, { "thread.limit", NONE,
			      { { SPREAD, VY_F_LIMIT, "" }, { LINE, VY_F_NOTE, "note" } } } },
	{ VY_F_HELD, { "thread.held", NONE, { { FACT, VY_F_HELD, "held" } } } },
	{ VY_F_NOTE, { "thread.note", NONE, { { LINE, VY_F_NOTE, "note" } } } },
	{ VY_F_USAGE, { "thread.usage", NONE, { { WHOLE, VY_F_USAGE, "usage" } } } },
};

enum state_rule { STARTED, BEGUN, FINISHED, ENDED, FAILED, STATE };
static const struct rule state_rules[] = {
	[STARTED] = { "thread.started", NONE,
		{ { SPREAD, VY_F_LAUNCH, "" }, { ID, VY_F_MODEL, "model" } } },
	[BEGUN] = { "thread.turn", NONE,
		{ { ID, VY_F_MESSAGE, "message" }, { BOOL, VY_F_STEERED, "steered" },
			{ ID, VY_F_ORIGIN, "origin" } } },
	[FINISHED] = { "thread.finished", NONE,
		{ { WHOLE, VY_F_USAGE, "usage" }, { FACT, VY_F_HELD, "held" } } },
	[ENDED] = { "thread.stopped", NONE, { { ID, VY_F_REASON, "reason" } } },
	[FAILED] = { "thread.state", NONE,
		{ { ID, VY_F_STATE, "state" }, { ID, VY_F_REASON, "reason" },
			{ LINE, VY_F_NOTE, "error" } } },
	[STATE] = { "thread.state", NONE,
		{ { ID, VY_F_STATE, "state" }, { ID, VY_F_REASON, "reason" },
			{ LINE, VY_F_NOTE, "note" }, { INT, VY_F_POSITION, "position" },
			{ INT, VY_F_UNTIL, "until" } } },
};

static const struct rule kind_rules[VY_KIND_COUNT] = {
	[VY_KIND_TOOL_STARTED] = { "thread.tool", VY_F_TOOL_ID,
		{ { ID, VY_F_TOOL_ID, "call" }, { ID, VY_F_TOOL, "name" },
			{ ID, VY_F_KIND, "kind" }, { LINE, VY_F_SUMMARY, "summary" },
			{ ID, VY_F_PARENT_TOOL, "parent" }, { BOOL, VY_F_BACKGROUND, "background" },
			{ ID, VY_F_MESSAGE, "message" }, { INT, VY_F_INDEX, "block" } } },
	[VY_KIND_TOOL_FINISHED] = { "thread.tool", VY_F_TOOL_ID,
		{ { ID, VY_F_TOOL_ID, "call" }, { FACT, VY_F_OK, "ok" },
			{ ID, VY_F_STATUS, "status" }, { TYPE, VY_F_RESULT, "result" },
			{ SIZE, VY_F_RESULT, "bytes" } } },
	[VY_KIND_TERM_COMMAND] = { "thread.command", VY_F_TERM,
		{ { ID, VY_F_TERM, "term" }, { SIZE, VY_F_COMMAND, "bytes" },
			{ ID, VY_F_VIA, "via" }, { ID, VY_F_SURFACE, "surface" },
			{ INT, VY_F_EXIT, "exit" } } },
	[VY_KIND_FILE_CHANGED] = { "thread.file", NONE,
		{ { LINE, VY_F_PATH, "path" }, { ID, VY_F_OP, "op" }, { INT, VY_F_ADDED, "added" },
			{ INT, VY_F_REMOVED, "removed" } } },
	[VY_KIND_ASK] = { "ask.raised", VY_F_ASK_ID,
		{ { ID, VY_F_ASK_ID, "ask" }, { ID, VY_F_KIND, "kind" }, { ID, VY_F_TOOL, "tool" },
			{ ID, VY_F_TOOL_ID, "call" }, { LINE, VY_F_SUMMARY, "summary" },
			{ ID, VY_F_SOURCE, "source" }, { COUNT, VY_F_OPTIONS, "options" },
			{ COUNT, VY_F_QUESTIONS, "questions" } } },
	[VY_KIND_ASK_ANSWERED] = { "ask.answered", VY_F_ASK_ID,
		{ { ID, VY_F_ASK_ID, "ask" }, { ID, VY_F_DECISION, "decision" },
			{ ID, VY_F_BY, "by" }, { FACT, VY_F_DELIVERED, "delivered" } } },
	[VY_KIND_PARTICIPANT_JOINED] = { "thread.joined", VY_F_WHO,
		{ { ID, VY_F_WHO, "who" }, { ID, VY_F_ROLE, "role" } } },
	[VY_KIND_PARTICIPANT_LEFT] = { "thread.left", VY_F_WHO,
		{ { ID, VY_F_WHO, "who" }, { ID, VY_F_ROLE, "role" } } },
	[VY_KIND_REACTION] = { "thread.reaction", VY_F_MESSAGE,
		{ { ID, VY_F_MESSAGE, "message" }, { ID, VY_F_EMOJI, "emoji" },
			{ FACT, VY_F_ON, "on" } } },
	[VY_KIND_PIN] = { "thread.pin", VY_F_MESSAGE,
		{ { ID, VY_F_MESSAGE, "message" }, { FACT, VY_F_ON, "on" } } },
	[VY_KIND_MENTION] = { "thread.mention", VY_F_MESSAGE,
		{ { ID, VY_F_MESSAGE, "message" }, { WHOLE, VY_F_WHO_LIST, "who" } } },
	[VY_KIND_FANOUT] = { "thread.fanout", VY_F_MESSAGE,
		{ { ID, VY_F_GROUP, "group" }, { ID, VY_F_MESSAGE, "message" },
			{ COUNT, VY_F_MEMBERS, "members" } } },
	[VY_KIND_FANOUT_KEEP] = { "thread.fanout.kept", NONE,
		{ { ID, VY_F_GROUP, "group" }, { ID, VY_F_KEEP, "keep" } } },
};

/* ---- a rule, applied ---- */

static void spread(struct vy_json *data, const struct vy_json *from)
{
	const char *key;
	struct vy_json *value;

	VY_JSON_EACH (from, key, value) {
		vy_json_set(data, key, value);
	}
}

static void take_json(struct vy_json *data, const struct pick *p, struct vy_str text)
{
	VY_AUTO_JSON *v = vy_json_parse(text, NULL);

	switch (p->how) {
	case COUNT: vy_json_set_int(data, p->key, (int64_t)vy_json_len(v)); break;
	case TYPE: vy_json_set_str(data, p->key, vy_json_str(v, "type")); break;
	case WHOLE: vy_json_set(data, p->key, v); break;
	case SPREAD: spread(data, v); break;
	case NO:
	case ID:
	case LINE:
	case INT:
	case BOOL:
	case FACT:
	case SIZE: break;
	}
}

static void take(struct vy_json *data, const struct pick *p, const struct vy_frame *f)
{
	struct vy_str s = vy_frame_str(f, p->field);

	if (!vy_frame_has(f, p->field)) {
		return;
	}
	switch (p->how) {
	case ID: vy_json_set_str(data, p->key, s); break;
	case LINE: vy_json_set_str(data, p->key, vy_str_n(s.p, vy_utf8_cut(s, LINE_MAX_))); break;
	case INT: vy_json_set_int(data, p->key, vy_frame_int(f, p->field, 0)); break;
	case BOOL:
		if (vy_frame_bool(f, p->field)) {
			vy_json_set_bool(data, p->key, true);
		}
		break;
	case FACT: vy_json_set_bool(data, p->key, vy_frame_bool(f, p->field)); break;
	case SIZE: vy_json_set_int(data, p->key, vy_frame_int(f, VY_F_BYTES, (int64_t)s.n)); break;
	case COUNT:
	case TYPE:
	case WHOLE:
	case SPREAD: take_json(data, p, s); break;
	case NO: break;
	}
}

static struct vy_json *take_all(const struct pick *picks, const struct vy_frame *f)
{
	struct vy_json *data = vy_json_new_obj();

	for (size_t i = 0; i < PICKS && picks[i].how != NO; i++) {
		take(data, &picks[i], f);
	}
	return data;
}

/* ---- which rule ---- */

static const struct rule *user_rule(const struct vy_frame *f)
{
	if (vy_frame_is(f, VY_F_STATE, "queued")) {
		return &user_rules[QUEUED];
	}
	if (vy_frame_is(f, VY_F_STATE, "cancelled")) {
		return &user_rules[UNQUEUED];
	}
	return vy_frame_is(f, VY_F_STATE, "picked-up") && vy_frame_has(f, VY_F_STEP)
		       ? &user_rules[STEERED]
		       : &user_rules[SENT];
}

static const struct rule *fact_rule(const struct vy_frame *f)
{
	for (size_t i = 0; i < VY_COUNT(fact_rules); i++) {
		if (vy_frame_has(f, fact_rules[i].field)) {
			return &fact_rules[i].rule;
		}
	}
	return NULL;
}

/* A turn begins with the first "working" or "asking" behind a rest and ends with the "waiting" that
 * follows; all else that a status says is a fact in between. */
static const struct rule *status_rule(struct vy_lift *l, const struct vy_frame *f)
{
	const struct rule *fact = fact_rule(f);
	bool is_waiting = vy_frame_is(f, VY_F_STATE, "waiting");

	if (is_waiting && l->phase != VY_LIFT_REST) {
		bool is_turn = l->phase == VY_LIFT_TURN || vy_frame_is(f, VY_F_NOTE, "interrupted");

		l->phase = VY_LIFT_REST; /* an agent may be woken for no turn */
		return &state_rules[is_turn ? FINISHED : STATE];
	}
	if (is_waiting && vy_is_rest(vy_frame_str(f, VY_F_REASON))) {
		return fact ? fact : &state_rules[ENDED];
	}
	if (vy_frame_is(f, VY_F_STATE, "failed")) {
		struct vy_str why = vy_frame_str(f, VY_F_NOTE);

		l->has_failed = true;
		snprintf(l->error, sizeof(l->error), "%.*s",
			(int)vy_utf8_cut(why, sizeof(l->error) - 1), why.n ? why.p : "");
		return &state_rules[FAILED];
	}
	if (vy_frame_is(f, VY_F_STATE, "stopped") || vy_frame_is(f, VY_F_STATE, "finished")) {
		l->phase = fact ? l->phase : VY_LIFT_REST;
		return fact ? fact : &state_rules[ENDED];
	}
	if (vy_frame_is(f, VY_F_STATE, "starting")) {
		bool is_new = l->phase == VY_LIFT_REST;

		l->phase = is_new ? VY_LIFT_STARTING : l->phase;
		return fact ? fact : &state_rules[STARTED];
	}
	if (vy_frame_is(f, VY_F_STATE, "working") || vy_frame_is(f, VY_F_STATE, "asking")) {
		bool begins = l->phase != VY_LIFT_TURN && !fact;

		l->phase = fact ? l->phase : VY_LIFT_TURN;
		return begins ? &state_rules[BEGUN] : fact ? fact : &state_rules[STATE];
	}
	return fact ? fact : &state_rules[STATE];
}

static void follow_turn(struct vy_lift *l, struct vy_str turn)
{
	if (turn.p && turn.n > 0 && turn.n <= VY_ID_MAX && !vy_str_is(turn, l->turn)) {
		snprintf(l->turn, sizeof(l->turn), "%.*s", VY_STR_ARG(turn));
		l->step = 0;
		l->has_failed = false;
		l->error[0] = '\0';
	}
}

/* Of the turn, and beside it what the session took so far. */
static void add_cost(const struct vy_frame *f, struct vy_json *data)
{
	VY_AUTO_JSON *usage = vy_json_parse(vy_frame_str(f, VY_F_USAGE), NULL);
	struct vy_json *own = vy_json_get(usage, "turn"), *tokens = vy_json_new_obj();
	struct vy_json *context = vy_json_new_obj();

	vy_json_set(data, "total_cost_usd", vy_json_get(usage, "cost_usd"));
	vy_json_set(data, "cost_usd", vy_json_get(own, "cost_usd"));
	vy_json_set(tokens, "input", vy_json_get(own, "input"));
	vy_json_set(tokens, "output", vy_json_get(own, "output"));
	vy_json_set(context, "used", vy_json_get(usage, "used"));
	vy_json_set(context, "max", vy_json_get(usage, "max"));
	vy_json_take(data, "tokens", tokens);
	vy_json_take(data, "context", context);
}

static void add_end(struct vy_lift *l, const struct vy_frame *f, struct vy_json *data)
{
	bool is_cut = vy_frame_is(f, VY_F_NOTE, "interrupted");

	vy_json_set_bool(data, "ok", !l->has_failed && !is_cut);
	if (is_cut) {
		vy_json_set_bool(data, "canceled", true);
		vy_json_set_c(data, "reason", "interrupt");
	}
	if (l->has_failed && l->error[0]) {
		vy_json_set_c(data, "error", l->error);
	}
	l->has_failed = false;
	l->error[0] = '\0';
}

/* What the table has no words for. */
static void add_more(
	struct vy_lift *l, const struct vy_frame *f, const struct rule *r, struct vy_json *data)
{
	if (f->kind == VY_KIND_TOOL_STARTED) {
		vy_json_set_c(data, "phase", "started");
		vy_json_set_c(data, "status", "running");
	} else if (f->kind == VY_KIND_TOOL_FINISHED) {
		vy_json_set_c(data, "phase", "done");
	} else if (r == &state_rules[FINISHED]) {
		add_end(l, f, data);
	} else if (r == &state_rules[ENDED] && !vy_frame_has(f, VY_F_REASON)) {
		vy_json_set_c(data, "reason",
			vy_frame_is(f, VY_F_STATE, "finished") ? "done" : "stopped");
	} else if (f->kind == VY_KIND_USER_MESSAGE && !vy_frame_is(f, VY_F_STATE, "sent") &&
		   !vy_frame_has(f, VY_F_ENC)) {
		vy_json_set_str(data, "queued", vy_frame_str(f, VY_F_MESSAGE));
	}
	if (f->kind == VY_KIND_STATUS && vy_json_get(data, "usage")) {
		add_cost(f, data);
	}
}

static struct vy_str canonical(const struct vy_json *data, struct vy_arena *mem)
{
	VY_AUTO_BUF text = VY_BUF_INIT(DATA_MAX);

	vy_json_dump_canonical(data, &text);
	return vy_arena_str(mem, vy_buf_str(&text));
}

struct vy_str vy_lift_actor(const struct vy_frame *f)
{
	return f->author.n ? f->author : VY_STR_LIT("system");
}

struct vy_str vy_lift_chain(const struct vy_frame *f, struct vy_arena *mem)
{
	if (f->acts_for.n == 0) {
		return vy_str_n(NULL, 0);
	}
	VY_AUTO_JSON *chain = vy_json_new_arr();

	vy_json_add_take(chain, vy_json_new_str(f->acts_for));
	return canonical(chain, mem);
}

bool vy_lift(
	struct vy_lift *l, const struct vy_frame *f, struct vy_arena *mem, struct vy_event *out)
{
	const struct rule *r = &kind_rules[f->kind];
	bool is_user = f->kind == VY_KIND_USER_MESSAGE, is_status = f->kind == VY_KIND_STATUS;

	if ((!r->type && !is_user && !is_status) || vy_frame_is_expired(f)) {
		return false;
	}
	follow_turn(l, f->turn);
	r = is_user ? user_rule(f) : is_status ? status_rule(l, f) : r;
	bool is_private = is_user && vy_frame_has(f, VY_F_ENC);
	VY_AUTO_JSON *data = take_all(is_private ? private_picks : r->picks, f);

	if (is_private) {
		vy_json_set_bool(data, "enc", true);
	}
	add_more(l, f, r, data);
	if (!is_private && f->cur > 0) {
		vy_json_set_int(data, "cur", (int64_t)f->cur);
	}
	*out = (struct vy_event){
		.type = r->type,
		.actor = vy_lift_actor(f),
		.chain = vy_lift_chain(f, mem),
		.turn = f->turn,
		.step = l->step,
		.time = f->time,
		.data = canonical(data, mem),
	};
	if (r->subject != NONE) {
		out->subject = vy_frame_str(f, r->subject);
	}
	if (f->kind == VY_KIND_TOOL_FINISHED) {
		l->step++;
	}
	return true;
}

/* ---- storage ---- */

void vy_lift_encode(const struct vy_lift *l, struct vy_jw *w)
{
	vy_jw_kstr(w, "turn", vy_str_c(l->turn));
	vy_jw_kint(w, "step", l->step);
	vy_jw_kint(w, "phase", (int64_t)l->phase);
	vy_jw_kbool(w, "failed", l->has_failed);
	vy_jw_kstr(w, "error", vy_str_c(l->error));
}

void vy_lift_decode(const struct vy_json *v, struct vy_lift *out)
{
	int64_t phase = vy_json_int(v, "phase", 0);

	*out = (struct vy_lift){ 0 };
	follow_turn(out, vy_json_str(v, "turn"));
	out->step = vy_json_int(v, "step", 0);
	out->phase = phase == VY_LIFT_STARTING || phase == VY_LIFT_TURN ? (enum vy_lift_phase)phase
									: VY_LIFT_REST;
	out->has_failed = vy_json_bool(v, "failed", false);
	snprintf(out->error, sizeof(out->error), "%.*s", VY_STR_ARG(vy_json_str(v, "error")));
}

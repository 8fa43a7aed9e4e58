/* turn_agent.c -- what an agent does, as frames (turn.h, "the agent's side").
 *
 * One function an event; the table at the end is the whole list. */
#include "server/session/turn_state.h"

#include <stdlib.h>

#include "server/guard/redact.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/frame/check.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define TASKS_SHOWN   16
#define TASK_TEXT_MAX 200

struct vy_str turn_cut(struct vy_str s, size_t max)
{
	return vy_str_n(s.p, vy_utf8_cut(s, max));
}

void turn_ensure_running(struct turn *t, struct effects *fx)
{
	if (t->is_aside) {
		t->is_aside = false;
		t->rev++;
	}
	if (t->turn == VY_TURN_IDLE && t->process == VY_PROCESS_LIVE) {
		turn_begin(t, vy_str_n(NULL, 0), false);
		turn_move_turn(t, VY_TURN_RUNNING);
	}
	if (t->turn != VY_TURN_IDLE) {
		turn_announce(t, vy_str_n(NULL, 0), fx);
	}
}

/* ---- text ---- */

static size_t find_block(struct turn *t, struct vy_str message, int64_t index)
{
	size_t i = 0;

	while (i < t->n_blocks &&
		!(t->blocks[i].index == index && vy_str_is(message, t->blocks[i].message))) {
		i++;
	}
	return i;
}

static void on_text(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	struct vy_str rest = ev->text;

	if (!ev->parent.n) {
		turn_ensure_running(t, fx);
	}
	if (find_block(t, ev->message, ev->index) == t->n_blocks) {
		t->blocks = vy_grow(t->blocks, &t->cap_blocks, t->n_blocks + 1, sizeof(*t->blocks));
		t->blocks[t->n_blocks++] =
			(struct open_block){ vy_memdup0(ev->message.p, ev->message.n), ev->index,
				ev->parent.n > 0 };
		t->messages += !ev->is_reasoning && !ev->parent.n;
		t->rev++;
	}
	while (rest.n) {
		size_t fit = vy_frame_text_fit(rest);
		struct vy_frame *f = fx_frame(t, VY_KIND_TEXT_DELTA, fx);

		vy_frame_set_str(f, VY_F_MESSAGE, fx_keep(fx, ev->message));
		vy_frame_set_int(f, VY_F_INDEX, ev->index);
		vy_frame_set_str(f, VY_F_TEXT, fx_keep(fx, vy_str_n(rest.p, fit)));
		if (ev->is_reasoning) {
			vy_frame_set_bool(f, VY_F_REASONING, true);
		}
		if (ev->parent.n) {
			vy_frame_set_str(f, VY_F_PARENT, fx_keep(fx, ev->parent));
		}
		rest = vy_str_from(rest, fit);
	}
}

static void on_text_done(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	size_t i = find_block(t, ev->message, ev->index);

	if (i == t->n_blocks) {
		return;
	}
	turn_close_block(t, i, fx);
}

/* A retried request: what its cut answer had shown stays visible and says that it broke off. */
static void on_text_void(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	size_t i = find_block(t, ev->message, ev->index);

	if (i == t->n_blocks) {
		return;
	}
	struct vy_frame *f = fx_frame(t, VY_KIND_TEXT_CUT, fx);

	vy_frame_set_str(f, VY_F_MESSAGE, fx_keep(fx, ev->message));
	vy_frame_set_int(f, VY_F_INDEX, ev->index);
	vy_frame_set_c(f, VY_F_NOTE, "broken off; asked again");
	turn_drop_block(t, i);
}

/* ---- tools ---- */

static size_t find_tool(const struct turn *t, struct vy_str id)
{
	size_t i = 0;

	while (i < t->n_tools && !vy_str_is(id, t->tools[i].id)) {
		i++;
	}
	return i;
}

/* In the arena, without what looks like a secret: what a tool is called with and what it says. */
static struct vy_str clean(struct vy_str s, size_t max, struct effects *fx)
{
	VY_AUTO_BUF b = VY_BUF_INIT(s.n * 32 + 64);
	struct vy_str whole = turn_cut(s, max);

	if (whole.n < s.n) {
		guard_redact_cut(whole, &b);
	} else {
		guard_redact(whole, &b);
	}
	return fx_keep(fx, turn_cut(vy_buf_str(&b), max));
}

static void on_tool_start(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	if (find_tool(t, ev->tool) < t->n_tools || turn_was_called(t, ev->tool)) {
		return; /* a call begins once */
	}
	if (!ev->parent.n) {
		turn_ensure_running(t, fx);
	}
	struct vy_frame *f = fx_frame(t, VY_KIND_TOOL_STARTED, fx);

	vy_frame_set_str(f, VY_F_TOOL_ID, fx_keep(fx, ev->tool));
	vy_frame_set_str(f, VY_F_TOOL, fx_keep(fx, turn_cut(ev->name, VY_ID_MAX)));
	vy_frame_set_c(f, VY_F_KIND, ev->tool_kind ? ev->tool_kind : "other");
	vy_frame_set_str(f, VY_F_SUMMARY, clean(ev->text, TURN_LINE_MAX, fx));
	if (ev->parent.n) {
		vy_frame_set_str(f, VY_F_PARENT_TOOL, fx_keep(fx, ev->parent));
	}
	if (ev->is_background) {
		vy_frame_set_bool(f, VY_F_BACKGROUND, true);
	}
	if (ev->message.n) {
		vy_frame_set_str(f, VY_F_MESSAGE, fx_keep(fx, ev->message));
		vy_frame_set_int(f, VY_F_INDEX, ev->index);
	}
	t->tools = vy_grow(t->tools, &t->cap_tools, t->n_tools + 1, sizeof(*t->tools));
	t->tools[t->n_tools++] = (struct open_tool){ vy_memdup0(ev->tool.p, ev->tool.n),
		ev->is_background || ev->parent.n > 0 };
	t->rev++;
}

static void on_tool_progress(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	if (find_tool(t, ev->tool) == t->n_tools) {
		return;
	}
	struct vy_frame *f = fx_frame(t, VY_KIND_TOOL_PROGRESS, fx);

	vy_frame_set_str(f, VY_F_TOOL_ID, fx_keep(fx, ev->tool));
	if (ev->text.n) {
		vy_frame_set_str(f, VY_F_TEXT, clean(ev->text, vy_frame_text_fit(ev->text), fx));
	}
}

void turn_tool_says(struct turn *t, struct vy_str tool, struct vy_str text, struct effects *fx)
{
	if (find_tool(t, tool) < t->n_tools) {
		struct vy_frame *f = fx_frame(t, VY_KIND_TOOL_PROGRESS, fx);

		vy_frame_set_str(f, VY_F_TOOL_ID, fx_keep(fx, tool));
		vy_frame_set_str(f, VY_F_TEXT, fx_keep(fx, text));
	}
}

static const char *status_word(enum agent_outcome outcome)
{
	return outcome == AGENT_OK ? "completed" : outcome == AGENT_FAILED ? "failed" : "canceled";
}

static void on_tool_done(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	size_t i = find_tool(t, ev->tool);

	if (i == t->n_tools) {
		return;
	}
	struct vy_frame *f = fx_frame(t, VY_KIND_TOOL_FINISHED, fx);

	vy_frame_set_str(f, VY_F_TOOL_ID, fx_keep(fx, ev->tool));
	vy_frame_set_bool(f, VY_F_OK, ev->outcome == AGENT_OK);
	vy_frame_set_c(f, VY_F_STATUS, status_word(ev->outcome));
	guard_redact_json(ev->json);
	vy_frame_set_json(f, VY_F_RESULT,
		ev->json ? fx_keep_json(fx, ev->json)
			 : VY_STR_LIT("{\"type\":\"text\",\"text\":\"\"}"));
	turn_drop_tool(t, i);
	t->step++;
	turn_settle_asks(t, ev->tool, fx);
}

static void on_file(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	struct vy_frame *f = fx_frame(t, VY_KIND_FILE_CHANGED, fx);

	vy_frame_set_str(f, VY_F_PATH, fx_keep(fx, turn_cut(ev->name, 4096)));
	vy_frame_set_str(f, VY_F_OP, fx_keep(fx, ev->text));
	vy_frame_set_int(f, VY_F_ADDED, ev->added);
	vy_frame_set_int(f, VY_F_REMOVED, ev->removed);
}

/* ---- facts ---- */

static void keep_json(struct vy_json **at, struct vy_json *v)
{
	vy_json_free(*at);
	*at = vy_json_ref(v);
}

static void on_mode(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	if (ev->text.n == 0 || vy_str_is(ev->text, t->mode)) {
		return;
	}
	turn_set(&t->mode, ev->text);
	t->rev++;
	vy_frame_set_str(fx_status_now(t, fx), VY_F_MODE, fx_keep(fx, turn_cut(ev->text, 64)));
}

static void on_model(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	if (ev->text.n == 0 || (t->model && vy_str_is(ev->text, t->model))) {
		return;
	}
	turn_set(&t->model, ev->text);
	t->rev++;
	vy_frame_set_str(
		fx_status_now(t, fx), VY_F_MODEL, fx_keep(fx, turn_cut(ev->text, VY_ID_MAX)));
}

/* An agent that forgets its conversation begins to count anew; what a session took only grows. */
static void on_usage(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	VY_AUTO_JSON *usage = vy_json_copy(ev->json);
	const struct vy_json *told = vy_json_get(ev->json, "cost_usd");
	double cost = vy_json_num(usage, "cost_usd", t->cost_seen);

	(void)fx;
	if (cost < t->cost_seen) {
		t->cost_before += t->cost_seen;
	}
	t->cost_seen = cost;
	if (told) {
		t->is_unpriced = vy_json_type(told) == VY_JSON_NULL;
	}
	vy_json_del(usage, "cost_usd");
	if (!t->is_unpriced) {
		vy_json_take(usage, "cost_usd", vy_json_new_real(t->cost_before + cost));
	}
	keep_json(&t->usage, usage);
	t->rev++;
}

/* The first of them, and short: threads.tasks has them whole. */
static void say_tasks(struct turn *t, struct effects *fx)
{
	VY_AUTO_JSON *list = vy_json_new_arr();

	for (size_t i = 0; i < vy_json_len(t->tasks) && i < TASKS_SHOWN; i++) {
		struct vy_json *o = vy_json_copy(vy_json_at(t->tasks, i));

		vy_json_set_str(o, "text", turn_cut(vy_json_str(o, "text"), TASK_TEXT_MAX));
		vy_json_add_take(list, o);
	}
	vy_frame_set_json(fx_status_now(t, fx), VY_F_TASKS, fx_keep_json(fx, list));
}

static void on_tasks(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	keep_json(&t->tasks, ev->json);
	t->rev++;
	say_tasks(t, fx);
}

void turn_drop_tasks(struct turn *t, struct effects *fx)
{
	if (vy_json_len(t->tasks) > 0) {
		VY_AUTO_JSON *none = vy_json_new_arr();

		keep_json(&t->tasks, none);
		t->rev++;
		say_tasks(t, fx);
	}
}

static void on_commands(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	(void)fx;
	keep_json(&t->commands, ev->json);
	t->rev++;
}

static void on_ready(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	struct agent_event model = { .kind = AE_MODEL, .text = vy_json_str(ev->json, "model") };

	t->is_ready = true;
	t->rev++;
	on_model(t, &model, fx);
	if (t->thinking) {
		turn_say_thinking(t, fx);
	}
	if (t->effort) {
		turn_say_effort(t, fx);
	}
	if (vy_json_get(ev->json, "commands")) {
		keep_json(&t->commands, vy_json_get(ev->json, "commands"));
		t->rev++;
	}
}

static void on_compacted(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	t->rewind.chapter++;
	t->rev++;
	vy_frame_set_json(fx_status_now(t, fx), VY_F_COMPACTED, fx_keep_json(fx, ev->json));
}

static void on_note(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	const struct vy_json *limit = vy_json_get(ev->json, "limit");
	struct vy_frame *f = fx_status_now(t, fx);

	if (ev->text.n) {
		vy_frame_set_str(f, VY_F_NOTE, fx_keep(fx, turn_cut(ev->text, TURN_LINE_MAX)));
	}
	if (limit) {
		vy_frame_set_json(f, VY_F_LIMIT, fx_keep_json(fx, limit));
	}
}

static void (*const hearers[])(struct turn *, const struct agent_event *, struct effects *) = {
	[AE_READY] = on_ready,
	[AE_TURN_BEGIN] = turn_on_turn_begin,
	[AE_TAKEN] = turn_on_taken,
	[AE_CAME_BACK] = turn_on_came_back,
	[AE_TEXT] = on_text,
	[AE_TEXT_DONE] = on_text_done,
	[AE_TEXT_VOID] = on_text_void,
	[AE_TOOL_START] = on_tool_start,
	[AE_TOOL_PROGRESS] = on_tool_progress,
	[AE_TOOL_DONE] = on_tool_done,
	[AE_FILE_CHANGED] = on_file,
	[AE_ASK] = turn_on_ask,
	[AE_ASK_GONE] = turn_on_ask_gone,
	[AE_CHECK] = turn_on_check,
	[AE_MODE] = on_mode,
	[AE_MODEL] = on_model,
	[AE_USAGE] = on_usage,
	[AE_TASKS] = on_tasks,
	[AE_COMMANDS] = on_commands,
	[AE_COMPACTED] = on_compacted,
	[AE_NOTE] = on_note,
	[AE_TURN_END] = turn_on_turn_end,
	[AE_BROKEN] = turn_on_broken,
	[AE_MARK] = turn_on_mark,
	[AE_FILES] = turn_on_files,
};

void turn_heard(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	if (t->process == VY_PROCESS_ABSENT) {
		return; /* the last words of one that was given up */
	}
	if (t->is_switching) {
		turn_heard_leaving(t, ev);
		return;
	}
	if ((size_t)ev->kind < VY_COUNT(hearers) && hearers[ev->kind]) {
		hearers[ev->kind](t, ev, fx);
	}
}

/* codex_beside.c -- see codex_beside.h. */
#include "server/provider/codex_beside.h"

#include <stdlib.h>
#include <string.h>

#include "server/provider/brief.h"
#include "server/provider/codex_say.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define ASIDES_MAX 16
#define TAIL_MAX   (8 * VY_KIB) /* of a command's output; it is stored with the state */

/* ---- answers ---- */

static struct agent_event *reply(
	struct vy_str name, enum agent_outcome outcome, struct vy_str text, struct agent_out *out)
{
	struct agent_event *ev = agent_out_add(out, AE_REPLY);

	ev->message = vy_arena_str(out->arena, name);
	ev->outcome = outcome;
	ev->text = vy_arena_str(out->arena, text);
	return ev;
}

/* ---- copies ---- */

static struct codex_aside *by_name(struct codex *c, struct vy_str name)
{
	for (size_t i = 0; i < c->asides.n; i++) {
		if (vy_str_is(name, c->asides.v[i].name)) {
			return &c->asides.v[i];
		}
	}
	return NULL;
}

static struct codex_aside *by_thread(const struct codex *c, struct vy_str thread)
{
	for (size_t i = 0; i < c->asides.n && thread.n; i++) {
		if (vy_str_eq(thread, fields_str(c->asides.v[i].thread))) {
			return &c->asides.v[i];
		}
	}
	return NULL;
}

bool codex_beside_is_copy(const struct codex *c, struct vy_str thread)
{
	return by_thread(c, thread) != NULL;
}

/* Nobody listens to it any more; what it still does is ended. */
static void leave(struct codex *c, struct codex_aside *a, struct agent_out *out)
{
	if (a->thread) {
		codex_say_leave(c, fields_str(a->thread), fields_str(a->turn), out);
	}
	fields_list_del(&c->asides, &codex_aside_set, (size_t)(a - c->asides.v));
}

static void over(struct codex *c, struct codex_aside *a, enum agent_outcome outcome,
	struct vy_str text, struct agent_out *out)
{
	reply(fields_str(a->name), outcome, text, out);
	leave(c, a, out);
}

void codex_beside_ask(
	struct codex *c, struct vy_str name, struct vy_str question, struct agent_out *out)
{
	if (!c->thread || c->asides.n >= ASIDES_MAX) {
		reply(name, AGENT_FAILED, VY_STR_LIT("too many side questions wait for an answer"),
			out);
		return;
	}
	struct codex_aside *a = fields_list_add(&c->asides, &codex_aside_set);

	fields_str_set(&a->name, name);
	fields_str_set(&a->question, question);
	codex_say_copy(c, name, out);
}

void codex_beside_forget(struct codex *c, struct vy_str name, struct agent_out *out)
{
	struct codex_aside *a = by_name(c, name);

	if (a) {
		leave(c, a, out);
	}
}

void codex_beside_forked(
	struct codex *c, struct vy_str name, const struct vy_json *result, struct agent_out *out)
{
	struct vy_str thread = brief_id(vy_json_str(vy_json_get(result, "thread"), "id"));
	struct codex_aside *a = by_name(c, name);

	if (!a) { /* it was forgotten meanwhile */
		if (thread.n) {
			codex_say_leave(c, thread, vy_str_n(NULL, 0), out);
		}
		return;
	}
	if (!thread.n || vy_str_eq(thread, fields_str(c->thread))) {
		over(c, a, AGENT_FAILED, VY_STR_LIT("Codex made no copy of the conversation."),
			out);
		return;
	}
	fields_str_set(&a->thread, thread);
	codex_say_aside(c, thread, name, fields_str(a->question), out);
}

void codex_beside_refused(
	struct codex *c, struct vy_str name, struct vy_str why, struct agent_out *out)
{
	struct codex_aside *a = by_name(c, name);

	if (a) {
		over(c, a, AGENT_FAILED, brief_sentence(why, out->arena), out);
	}
}

static bool is_words(struct vy_str type)
{
	return vy_str_is(type, "userMessage") || vy_str_is(type, "agentMessage") ||
	       vy_str_is(type, "reasoning") || vy_str_is(type, "plan") ||
	       vy_str_is(type, "contextCompaction");
}

static void turn_over(
	struct codex *c, struct codex_aside *a, const struct vy_json *turn, struct agent_out *out)
{
	bool is_done = vy_str_is(vy_json_str(turn, "status"), "completed");
	struct vy_str why = vy_json_str(vy_json_get(turn, "error"), "message");

	fields_str_set(&a->turn, vy_str_n(NULL, 0));
	if (is_done && a->answer) {
		over(c, a, AGENT_OK, fields_str(a->answer), out);
	} else {
		over(c, a, AGENT_FAILED,
			why.n ? brief_sentence(why, out->arena)
			      : VY_STR_LIT("Codex gave no answer."),
			out);
	}
}

bool codex_beside_told(
	struct codex *c, struct vy_str method, const struct vy_json *params, struct agent_out *out)
{
	struct codex_aside *a = by_thread(c, vy_json_str(params, "threadId"));
	const struct vy_json *item = vy_json_get(params, "item"),
			     *turn = vy_json_get(params, "turn");
	struct vy_str type = vy_json_str(item, "type");

	if (!a) {
		return false;
	}
	if (vy_str_is(method, "turn/started")) {
		fields_str_set(&a->turn, brief_id(vy_json_str(turn, "id")));
	} else if (vy_str_is(method, "item/started") && !is_words(type)) {
		over(c, a, AGENT_FAILED,
			VY_STR_LIT("Codex wanted to run something for that; a side question is "
				   "answered from the conversation alone. Send it as a message."),
			out);
	} else if (vy_str_is(method, "item/completed") && vy_str_is(type, "agentMessage")) {
		fields_str_set(&a->answer, vy_json_str(item, "text"));
	} else if (vy_str_is(method, "turn/completed")) {
		turn_over(c, a, turn, out);
	}
	return true;
}

/* ---- what a task prints ---- */

void codex_beside_printed(struct codex_item *item, struct vy_str text)
{
	VY_AUTO_BUF all = VY_BUF_INIT(VY_LINE_MAX);

	item->printed += (int64_t)text.n;
	vy_buf_adds(&all, item->tail);
	vy_buf_addstr(&all, text);
	struct vy_str tail = vy_buf_str(&all);

	if (tail.n > TAIL_MAX) {
		size_t from = tail.n - TAIL_MAX;

		while (from < tail.n && ((unsigned char)tail.p[from] & 0xC0) == 0x80) {
			from++;
		}
		tail = vy_str_from(tail, from);
	}
	fields_str_set(&item->tail, tail);
}

void codex_beside_output(
	struct codex *c, struct vy_str name, struct vy_str task, struct agent_out *out)
{
	const struct codex_item *item = codex_item_find(c, task);

	if (!item || !item->is_behind) {
		reply(name, AGENT_FAILED, VY_STR_LIT("That task has ended."), out);
		return;
	}
	struct agent_event *ev = reply(name, AGENT_OK, fields_str(item->tail), out);

	ev->json = vy_json_new_obj();
	vy_json_set_int(ev->json, "total", item->printed);
	vy_json_set_bool(ev->json, "truncated", item->printed > (int64_t)ev->text.n);
}

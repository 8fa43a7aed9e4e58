/* table_hook.c -- what the hook of a claude in a terminal says, and is answered (server/hook).
 *
 * Who says it is a process below that claude, so it is an agent's word: it may say of its own claude
 * what that has open, take and give back slots, and carry over words that a person left for that very
 * conversation. A claude that is bound to one conversation hears nothing of another. */
#include "server/session/session_in.h"
#include "server/session/table_in.h"

#include <stdlib.h>

#include "shared/base/crash.h"
#include "shared/base/hash.h"
#include "shared/base/log.h"
#include "shared/base/ban.h"

/* A "SessionEnd" changes nothing: it still writes then. Its process ends, or begins another conversation. */

#define HANDED_MAX 8000 /* bytes; claude cuts what a hook says at 10,000 characters */

static struct vy_json *said(const char *event, const char *key, const char *value)
{
	struct vy_json *o = vy_json_new_obj(), *in = vy_json_new_obj();

	vy_json_set_c(in, "hookEventName", event);
	vy_json_set_c(in, key, value);
	vy_json_take(o, "hookSpecificOutput", in);
	return o;
}

static struct vy_json *block(const char *reason)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_c(o, "decision", "block");
	vy_json_set_c(o, "reason", reason);
	return o;
}

/* ---- who it is ---- */

/* Bound to what it says. Only its start, or a change of conversation, which is told as one, binds it anew, or
 * to what another has open. */
static bool is_bound(struct table *t, const struct table_hook *h)
{
	const struct elsewhere_bound *b = elsewhere_by(t->elsewhere, &h->proc);

	if (b && vy_str_is(h->conversation, b->conversation)) {
		return true;
	}
	if (!vy_str_is(h->event, "SessionStart") &&
		(b || elsewhere_of(t->elsewhere, h->conversation))) {
		return false; /* that one is another's */
	}
	if (b) {
		table_elsewhere_moves(t, &h->proc);
	}
	elsewhere_bind(t->elsewhere, &h->proc, h->conversation, vy_str_c(h->program));
	table_elsewhere_watch(t, &h->proc);
	table_elsewhere_moved(t, &h->proc);
	vy_log(VY_LOG_INFO, "hook.bound", "pid=%lld conversation=%.*s", (long long)h->proc.pid,
		VY_STR_ARG(h->conversation));
	return true;
}

struct ours {
	struct vy_str conversation;
	struct session *found;
};

static void find_ours(void *ctx, struct session *s)
{
	struct ours *o = ctx;
	const char *id = session_record(s)->agent_id;

	if (!o->found && !session_is_spare(s) && session_is_live(s) &&
		vy_str_is(o->conversation, id ? id : session_id(s))) {
		o->found = s;
	}
}

/* A session of ours that has an agent in that conversation: one that has nothing to do lets go. NULL:
 * there is none that goes on. */
static struct session *ours_at_work(struct table *t, struct vy_str conversation)
{
	struct ours o = { .conversation = conversation };

	table_each_loaded(t, find_ours, &o);
	if (o.found && turn_can_rest(o.found->turn)) {
		session_rest(o.found, "idle");
		return NULL;
	}
	return o.found && turn_is_busy(o.found->turn) ? o.found : NULL;
}

/* ---- words that wait for it ---- */

static struct vy_json *hand_over(
	struct table *t, const struct table_hook *h, char token[VY_UUID_LEN + 1])
{
	const struct elsewhere_wait *w = elsewhere_wait_for(t->elsewhere, h->conversation);
	struct vy_err e = { 0 };
	struct session *s = w ? table_find(t, vy_str_c(w->session), &e) : NULL;
	VY_AUTO_BUF text = VY_BUF_INIT(2 * HANDED_MAX);
	VY_AUTO_JSON *messages = vy_json_new_arr();

	vy_buf_adds(&text, "The person you work for said this from another window (Vyre):\n\n");
	if (!s || turn_to_hand(s->turn, HANDED_MAX, messages, &text) == 0) {
		return NULL;
	}
	vy_uuid(token);
	elsewhere_lend(t->elsewhere, vy_str_c(session_id(s)), token, messages);
	return vy_str_is(h->event, "Stop")
		       ? block(vy_buf_c(&text))
		       : said("UserPromptSubmit", "additionalContext", vy_buf_c(&text));
}

void table_hook_handed(struct table *t, struct vy_str token)
{
	VY_AUTO_BUF id = VY_BUF_INIT(4096);
	VY_AUTO_JSON *messages = elsewhere_lent(t->elsewhere, token, &id);
	struct vy_err e = { 0 };
	struct session *s = messages ? table_find(t, vy_buf_str(&id), &e) : NULL;
	size_t n = 0;

	for (size_t i = 0; s && i < vy_json_len(messages); i++) {
		n += turn_handed(s->turn, vy_json_strval(vy_json_at(messages, i)), &s->fx);
	}
	if (n) {
		turn_note(s->turn,
			"Handed over to the one that has this conversation open: its answer is "
			"there.",
			&s->fx);
		vy_log(VY_LOG_INFO, "hook.handed", "session=%s words=%zu", session_id(s), n);
		session_run(s);
		VY_CRASH(ELSEWHERE_HANDED);
	}
	table_elsewhere_keep(t);
}

static struct vy_json *on_prompt(
	struct table *t, const struct table_hook *h, char token[VY_UUID_LEN + 1])
{
	if (ours_at_work(t, h->conversation)) {
		return block(
			"Vyre is at work in this conversation just now: two at once would tear "
			"it apart. Wait for the end of its turn, or stop it there.");
	}
	return hand_over(t, h, token);
}

/* ---- subagents ---- */

static struct vy_json *on_call(struct table *t, const struct table_hook *h)
{
	const struct slots_who who = { SLOTS_SUBAGENT, vy_str_n("", 0), h->conversation, h->call };
	VY_AUTO_BUF why = VY_BUF_INIT(512);

	if (!h->call.n) {
		return NULL;
	}
	if (!slots_has_room(t->slots, SLOTS_SUBAGENT, who.project)) {
		vy_buf_addf(&why,
			"All %lld slots for subagents are taken; this one would be number %zu in "
			"line. "
			"Do the work yourself, or try again when one has ended.",
			(long long)slots_limit(t->slots, SLOTS_SUBAGENT, NULL),
			slots_waiting(t->slots, SLOTS_SUBAGENT) + 1);
		struct vy_json *o = said("PreToolUse", "permissionDecision", "deny");

		vy_json_set_c(vy_json_get(o, "hookSpecificOutput"), "permissionDecisionReason",
			vy_buf_c(&why));
		return o;
	}
	(void)table_slot_take(t, &who, vy_str_n(NULL, 0));
	elsewhere_call(t->elsewhere, &h->proc, h->call);
	return NULL;
}

static void give(
	struct table *t, const struct table_hook *h, struct vy_str call, struct vy_str agent)
{
	VY_AUTO_BUF name = VY_BUF_INIT(4096);
	VY_AUTO_BUF id = VY_BUF_INIT(4096);

	vy_buf_addstr(&id, h->conversation);
	if (elsewhere_call_over(t->elsewhere, &h->proc, call, agent, &name)) {
		table_slot_give(t, SLOTS_SUBAGENT, vy_buf_c(&id), vy_buf_str(&name));
	}
}

/* One that goes on behind its answer keeps its slot until its own end. */
static void on_answer(struct table *t, const struct table_hook *h)
{
	if (vy_str_is(h->status, "async_launched") && h->agent.n) {
		elsewhere_call_is(t->elsewhere, &h->proc, h->call, h->agent);
	} else if (h->call.n) {
		give(t, h, h->call, vy_str_n(NULL, 0));
	}
}

/* A call that was refused, or that nobody spoke of again, has no end of its own: this is it. */
static void on_turn_end(struct table *t, const struct table_hook *h)
{
	VY_AUTO_BUF id = VY_BUF_INIT(4096);
	VY_AUTO_BUF name = VY_BUF_INIT(4096);

	vy_buf_addstr(&id, h->conversation);
	while (h->running && elsewhere_call_stale(t->elsewhere, &h->proc, h->running, &name)) {
		table_slot_give(t, SLOTS_SUBAGENT, vy_buf_c(&id), vy_buf_str(&name));
		vy_buf_clear(&name);
	}
}

/* ---- the whole ---- */

struct vy_json *table_hook(struct table *t, const struct table_hook *h, char token[VY_UUID_LEN + 1])
{
	struct vy_json *out = NULL;

	token[0] = '\0';
	if (vy_str_is(h->event, "Handed")) {
		table_hook_handed(t, h->token);
		return NULL;
	}
	if (!h->conversation.n || !is_bound(t, h)) {
		return NULL;
	}
	if (vy_str_is(h->event, "SessionStart")) {
		(void)ours_at_work(t, h->conversation);
	} else if (vy_str_is(h->event, "UserPromptSubmit")) {
		out = on_prompt(t, h, token);
	} else if (vy_str_is(h->event, "PreToolUse")) {
		out = on_call(t, h);
	} else if (vy_str_is(h->event, "PostToolUse")) {
		on_answer(t, h);
	} else if (vy_str_is(h->event, "SubagentStop")) {
		give(t, h, vy_str_n(NULL, 0), h->agent);
	} else if (vy_str_is(h->event, "Stop")) {
		on_turn_end(t, h);
		out = hand_over(t, h, token);
	}
	table_elsewhere_keep(t);
	return out;
}

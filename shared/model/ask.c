/* ask.c -- see ask.h. */
#include "shared/model/ask.h"

#include "shared/base/limits.h"
#include "shared/model/members.h"
#include "shared/base/ban.h"

static const char *const kind_words[] = {
	[VY_ASK_PERMISSION] = "permission",
	[VY_ASK_QUESTION] = "question",
	[VY_ASK_PLAN] = "plan",
	[VY_ASK_APPROVAL] = "approval",
};

static const char *const state_words[] = {
	[VY_ASK_OPEN] = "open",
	[VY_ASK_ANSWERED] = "answered",
	[VY_ASK_SKIPPED] = "skipped",
	[VY_ASK_SUPERSEDED] = "superseded",
	[VY_ASK_WITHDRAWN] = "withdrawn",
};

static const struct vy_member members[] = {
	VY_MEMBER_STR(struct vy_ask, id, "ask"),
	VY_MEMBER_STR(struct vy_ask, session, "session"),
	VY_MEMBER_STR(struct vy_ask, turn, "turn"),
	VY_MEMBER_ENUM(struct vy_ask, kind, "kind", kind_words),
	VY_MEMBER_ENUM(struct vy_ask, state, "state", state_words),
	VY_MEMBER_STR(struct vy_ask, tool, "tool"),
	VY_MEMBER_STR(struct vy_ask, tool_id, "tool_id"),
	VY_MEMBER_STR(struct vy_ask, title, "title"),
	VY_MEMBER_STR(struct vy_ask, summary, "summary"),
	VY_MEMBER_STR(struct vy_ask, detail, "detail"),
	VY_MEMBER_BOOL(struct vy_ask, more, "more"),
	VY_MEMBER_STR(struct vy_ask, blocked_path, "blocked_path"),
	VY_MEMBER_STR(struct vy_ask, source, "source"),
	VY_MEMBER_JSON(struct vy_ask, options, "options"),
	VY_MEMBER_JSON(struct vy_ask, questions, "questions"),
	VY_MEMBER_INT(struct vy_ask, raised, "raised", 0),
	VY_MEMBER_STR(struct vy_ask, decision, "decision"),
	VY_MEMBER_STR(struct vy_ask, by, "by"),
	VY_MEMBER_JSON(struct vy_ask, answers, "answers"),
	VY_MEMBER_STR(struct vy_ask, message, "message"),
	VY_MEMBER_INT(struct vy_ask, closed, "closed", 0),
	VY_MEMBER_JSON(struct vy_ask, delivered, "delivered"),
};

static const struct vy_member option_members[] = {
	VY_MEMBER_STR(struct vy_ask_option, id, "id"),
	VY_MEMBER_STR(struct vy_ask_option, label, "label"),
	VY_MEMBER_STR(struct vy_ask_option, decision, "decision"),
	VY_MEMBER_STR(struct vy_ask_option, rule, "rule"),
	VY_MEMBER_JSON(struct vy_ask_option, rules, "rules"),
	VY_MEMBER_JSON(struct vy_ask_option, parts, "parts"),
	VY_MEMBER_STR(struct vy_ask_option, scope, "scope"),
	VY_MEMBER_JSON(struct vy_ask_option, scopes, "scopes"),
	VY_MEMBER_STR(struct vy_ask_option, mode, "mode"),
};

const char *vy_ask_kind_word(enum vy_ask_kind k)
{
	return kind_words[k];
}

bool vy_ask_kind_parse(struct vy_str word, enum vy_ask_kind *out)
{
	int k = vy_word_index(kind_words, VY_COUNT(kind_words), word);

	if (k >= 0) {
		*out = (enum vy_ask_kind)k;
	}
	return k >= 0;
}

const char *vy_ask_state_word(enum vy_ask_state s)
{
	return state_words[s];
}

enum vy_ask_state vy_ask_state_of(struct vy_str decision)
{
	if (vy_str_is(decision, "skip")) {
		return VY_ASK_SKIPPED;
	}
	if (vy_str_is(decision, "superseded")) {
		return VY_ASK_SUPERSEDED;
	}
	return vy_str_is(decision, "cancelled") ? VY_ASK_WITHDRAWN : VY_ASK_ANSWERED;
}

/* ---- answering ---- */

static bool has_option(const struct vy_ask *a, struct vy_str id)
{
	VY_AUTO_JSON *options = a->options.n ? vy_json_parse(a->options, NULL) : NULL;

	for (size_t i = 0; i < vy_json_len(options); i++) {
		if (vy_str_eq(vy_json_str(vy_json_at(options, i), "id"), id)) {
			return true;
		}
	}
	return false;
}

bool vy_ask_takes(const struct vy_ask *a, struct vy_str decision)
{
	return vy_str_is(decision, "allow") || vy_str_is(decision, "deny") ||
	       vy_str_is(decision, "skip") || (decision.n && has_option(a, decision));
}

static void close_with(struct vy_ask *a, struct vy_str decision, struct vy_str by, int64_t now_ms)
{
	a->state = vy_ask_state_of(decision);
	a->decision = decision;
	a->by = by;
	a->closed = now_ms;
}

int vy_ask_answer(struct vy_ask *a, struct vy_str decision, struct vy_str by, int64_t now_ms,
	bool *already, struct vy_err *e)
{
	*already = false;
	if (a->state == VY_ASK_WITHDRAWN) {
		return vy_fail(e, VY_GONE, "the agent no longer asks this");
	}
	if (a->state != VY_ASK_OPEN) {
		*already = true;
		return 0;
	}
	if (!vy_ask_takes(a, decision)) {
		return vy_fail(e, VY_BAD_INPUT,
			"params.decision: expected allow, deny, skip or one of the ask's options");
	}
	close_with(a, decision, by, now_ms);
	return 0;
}

void vy_ask_close(struct vy_ask *a, struct vy_str decision, int64_t now_ms)
{
	if (a->state == VY_ASK_OPEN) {
		close_with(a, decision, vy_str_n(NULL, 0), now_ms);
	}
}

bool vy_ask_option(
	const struct vy_ask *a, size_t i, struct vy_arena *mem, struct vy_ask_option *out)
{
	VY_AUTO_JSON *options = a->options.n ? vy_json_parse(a->options, NULL) : NULL;

	if (vy_json_type(options) != VY_JSON_ARR || i >= vy_json_len(options)) {
		return false;
	}
	vy_members_read(option_members, VY_COUNT(option_members), vy_json_at(options, i), mem, out);
	return true;
}

/* ---- as JSON ---- */

void vy_ask_encode(const struct vy_ask *a, struct vy_jw *w)
{
	vy_jw_obj(w);
	vy_members_write(members, VY_COUNT(members), a, w);
	vy_jw_end_obj(w);
}

int vy_ask_decode(
	const struct vy_json *v, struct vy_arena *mem, struct vy_ask *out, struct vy_err *e)
{
	vy_members_read(members, VY_COUNT(members), v, mem, out);
	return out->id.n ? 0 : vy_fail(e, VY_CORRUPT, "an ask without an id");
}

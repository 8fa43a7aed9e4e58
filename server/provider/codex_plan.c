/* codex_plan.c -- see codex_plan.h. */
#include "server/provider/codex_plan.h"

#include "server/provider/brief.h"
#include "server/provider/codex_say.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define PLAN_MAX (60 * VY_KIB)

static const char go_on[] = "Implement the plan.";

void codex_plan_proposed(struct codex *c, struct vy_str plan)
{
	fields_str_set(&c->plan, brief_cut(plan, PLAN_MAX));
}

static void option(struct vy_json *list, const char *id, const char *label, const char *decision,
	const char *mode)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_c(o, "id", id);
	vy_json_set_c(o, "label", label);
	vy_json_set_c(o, "decision", decision);
	vy_json_set_c(o, "mode", mode);
	vy_json_add_take(list, o);
}

static struct vy_json *shape(struct vy_str plan, struct vy_arena *a)
{
	struct vy_json *ask = vy_json_new_obj(), *options = vy_json_new_arr();

	option(options, "accept-edits", "Yes, and accept edits", "allow", "acceptEdits");
	option(options, "allow", "Yes, ask before edits", "allow", "default");
	option(options, "deny", "No, keep planning", "deny", NULL);
	vy_json_set_c(ask, "kind", "plan");
	vy_json_set_c(ask, "tool", "plan");
	vy_json_set_c(ask, "title", "Carry out the plan?");
	vy_json_set_str(ask, "summary", brief_one_line(plan, a));
	vy_json_set_str(ask, "detail", plan);
	vy_json_take(ask, "options", options);
	return ask;
}

void codex_plan_ask(struct codex *c, struct agent_out *out)
{
	bool is_free = !c->turn && c->said.n == 0 && vy_str_is(fields_str(c->mode), "plan");

	if (c->plan && is_free) {
		const char *id = vy_arena_printf(out->arena, "plan:%s", c->mark ? c->mark : "");
		struct codex_theirs *t = fields_list_add(&c->theirs, &codex_theirs_set);
		struct agent_event *ev = agent_out_add(out, AE_ASK);

		fields_str_set(&t->id, brief_id(vy_str_c(id)));
		fields_str_set(&t->raw, VY_STR_LIT("plan")); /* no request of codex is called so */
		t->kind = CODEX_PLAN;
		ev->request = vy_arena_str(out->arena, fields_str(t->id));
		ev->json = shape(fields_str(c->plan), out->arena);
	}
	fields_str_set(&c->plan, vy_str_n(NULL, 0));
}

void codex_plan_drop(struct codex *c, struct agent_out *out)
{
	fields_str_set(&c->plan, vy_str_n(NULL, 0));
	for (size_t i = c->theirs.n; i > 0; i--) {
		struct codex_theirs *t = &c->theirs.v[i - 1];

		if (t->kind == CODEX_PLAN) {
			agent_out_add(out, AE_ASK_GONE)->request =
				vy_arena_str(out->arena, fields_str(t->id));
			codex_theirs_del(c, t);
		}
	}
}

void codex_plan_answer(struct codex *c, const struct agent_command *cmd, struct agent_out *out)
{
	bool is_edits = vy_str_is(cmd->decision, "accept-edits");
	struct vy_str mode = vy_json_str(cmd->json, "mode");

	if (!is_edits && !vy_str_is(cmd->decision, "allow")) {
		if (cmd->text.n) {
			codex_say_words(c, cmd->text, out);
		}
		return;
	}
	if (!codex_mode_is_ours(mode) || vy_str_is(mode, "plan")) {
		mode = is_edits ? VY_STR_LIT("acceptEdits") : VY_STR_LIT("default");
	}
	codex_say_mode(c, mode, out);
	codex_say_words(c, vy_str_c(go_on), out);
}

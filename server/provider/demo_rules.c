/* demo_rules.c -- what the demo need not ask about again: suggested with an ask, learnt from its
 * answer. As claude has it, each part of a compound command needs a rule; what writes to a file is
 * suggested none. */
#include "server/guard/words.h"
#include "server/provider/claude_parts.h"
#include "server/provider/claude_rules.h"
#include "server/provider/demo_agent.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

static void add(struct vy_json *rules, struct vy_str content)
{
	struct vy_json *rule = vy_json_new_obj();

	vy_json_set_c(rule, "toolName", "Bash");
	vy_json_set_str(rule, "ruleContent", content);
	vy_json_add_take(rules, rule);
}

static struct vy_json *rules_for(struct demo *d, struct vy_str command)
{
	struct vy_json *rules = vy_json_new_arr();
	struct guard_commands cmds;

	guard_words(command, &d->arena, &cmds);
	if (cmds.n < 2) {
		add(rules, command);
		return rules;
	}
	for (size_t i = 0; i < cmds.n; i++) {
		VY_AUTO_BUF text = VY_BUF_INIT(VY_SEND_TEXT_MAX);

		claude_part_print(&cmds.v[i], false, &text);
		if (text.len && cmds.v[i].n_writes == 0) {
			add(rules, vy_buf_str(&text));
		}
	}
	return rules;
}

struct vy_json *demo_rules_suggest(struct demo *d, const struct demo_call *call, bool is_edit)
{
	struct vy_json *list = vy_json_new_arr();

	if (strcmp(call->name, "Bash") == 0) {
		struct vy_json *rules = rules_for(d, vy_json_str(call->input, "command"));

		vy_json_add_take(list, claude_update_rules(rules, "localSettings"));
	}
	if (is_edit) {
		vy_json_add_take(list, claude_update_mode(VY_STR_LIT("acceptEdits")));
	}
	return list;
}

bool demo_rules_allow(struct demo *d, struct vy_str command)
{
	VY_AUTO_JSON *rules = vy_json_new_arr();

	for (size_t i = 0; i < vy_json_len(d->rules); i++) {
		struct vy_json *rule = claude_rule_parse(vy_json_strval(vy_json_at(d->rules, i)));

		if (vy_str_is(vy_json_str(rule, "toolName"), "Bash") &&
			claude_parts_covers(vy_json_str(rule, "ruleContent"), command)) {
			vy_json_free(rule);
			return true;
		}
		if (rule) {
			vy_json_add_take(rules, rule);
		}
	}
	VY_AUTO_JSON *parts = claude_parts(command, rules, &d->arena);

	for (size_t i = 0; i < vy_json_len(parts); i++) {
		if (!vy_json_get(vy_json_at(parts, i), "rule")) {
			return false;
		}
	}
	return vy_json_len(parts) > 0;
}

void demo_rules_learn(struct demo *d, const struct vy_json *updates)
{
	for (size_t i = 0; i < vy_json_len(updates); i++) {
		const struct vy_json *u = vy_json_at(updates, i), *rules = vy_json_get(u, "rules");

		for (size_t k = 0; k < vy_json_len(rules); k++) {
			VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);

			claude_rule_print(vy_json_at(rules, k), &b);
			vy_json_add_take(d->rules, vy_json_new_str(vy_buf_str(&b)));
		}
		if (vy_str_is(vy_json_str(u, "type"), "setMode")) {
			demo_set_mode(d, vy_json_str(u, "mode"));
		}
	}
}

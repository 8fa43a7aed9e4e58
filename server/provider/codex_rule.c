/* codex_rule.c -- see codex_rule.h. */
#include "server/provider/codex_rule.h"

#include <string.h>

#include "server/provider/claude_rules.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define WORDS_MAX 32

/* It stands for itself in a shell, too: what is judged below is what codex compares. */
static bool is_plain(struct vy_str word)
{
	for (size_t i = 0; i < word.n; i++) {
		char c = word.p[i];
		bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			       (c >= '0' && c <= '9') || strchr("_./=:@%+,-", c);

		if (!c || !is_word) {
			return false;
		}
	}
	return word.n > 0;
}

bool codex_rule_is_allowed(const struct vy_json *words, struct vy_str cwd)
{
	VY_AUTO_BUF content = VY_BUF_INIT(VY_DETAIL_MAX);
	VY_AUTO_JSON *rule = vy_json_new_obj();

	if (vy_json_type(words) != VY_JSON_ARR || vy_json_len(words) == 0 ||
		vy_json_len(words) > WORDS_MAX) {
		return false;
	}
	for (size_t i = 0; i < vy_json_len(words); i++) {
		struct vy_str word = vy_json_strval(vy_json_at(words, i));

		if (!is_plain(word)) {
			return false;
		}
		vy_buf_adds(&content, i ? " " : "");
		vy_buf_addstr(&content, word);
	}
	vy_buf_adds(&content, ":*");
	if (vy_buf_is_over(&content)) {
		return false;
	}
	vy_json_set_c(rule, "toolName", "Bash");
	vy_json_set_str(rule, "ruleContent", vy_buf_str(&content));
	return claude_rule_is_allowed(rule, cwd);
}

const char *codex_rule_print(const struct vy_json *words, struct vy_arena *a)
{
	VY_AUTO_BUF b = VY_BUF_INIT(2 * VY_DETAIL_MAX);

	vy_json_dump(words, &b);
	return vy_arena_printf(
		a, "prefix_rule(pattern=%.*s, decision=\"allow\")", VY_STR_ARG(vy_buf_str(&b)));
}

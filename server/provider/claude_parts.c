/* claude_parts.c -- see claude_parts.h. */
#include "server/provider/claude_parts.h"

#include <string.h>

#include "server/guard/words.h"
#include "server/provider/brief.h"
#include "server/provider/claude_rules.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define PARTS_MAX 32
#define TEXT_MAX  400

/* ---- a part as text ---- */

static bool is_plain(struct vy_str word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-./:=,+@%^$~*?[]{}!";

	for (size_t i = 0; i < word.n; i++) {
		if ((unsigned char)word.p[i] < 0x80 &&
			!memchr(plain, word.p[i], sizeof(plain) - 1)) {
			return false;
		}
	}
	return word.n > 0;
}

/* What a shell would run or fill in is shown as it was written: quotes would say that it does not. */
static bool is_filled_in(struct vy_str word)
{
	return word.n > 1 && (memmem(word.p, word.n, "$(", 2) || memmem(word.p, word.n, "<(", 2));
}

static void add_word(struct vy_buf *b, struct vy_str word)
{
	if (is_plain(word) || is_filled_in(word)) {
		vy_buf_addstr(b, word);
		return;
	}
	vy_buf_addc(b, '\'');
	for (size_t i = 0; i < word.n; i++) {
		if (word.p[i] == '\'') {
			vy_buf_adds(b, "'\\''");
		} else {
			vy_buf_addc(b, word.p[i]);
		}
	}
	vy_buf_addc(b, '\'');
}

void claude_part_print(const struct guard_command *c, bool with_writes, struct vy_buf *b)
{
	for (size_t i = 0; i < c->n; i++) {
		vy_buf_adds(b, i ? " " : "");
		add_word(b, c->words[i]);
	}
	for (size_t i = 0; with_writes && i < c->n_writes; i++) {
		vy_buf_adds(b, b->len ? " > " : "> ");
		add_word(b, c->writes[i]);
	}
}

/* ---- rules ---- */

bool claude_parts_covers(struct vy_str content, struct vy_str command)
{
	size_t n = content.n;

	if (n >= 2 && memcmp(content.p + n - 2, ":*", 2) == 0) {
		n -= 2;
	} else if (n >= 2 && memcmp(content.p + n - 2, " *", 2) == 0) {
		n -= 2;
	} else if (n == 0 || vy_str_is(content, "*")) {
		return true;
	} else {
		return vy_str_eq(content, command);
	}
	return command.n >= n && memcmp(command.p, content.p, n) == 0 &&
	       (n == 0 || command.n == n || command.p[n] == ' ');
}

static const struct vy_json *rule_for(const struct vy_json *rules, struct vy_str command)
{
	for (size_t i = 0; i < vy_json_len(rules); i++) {
		const struct vy_json *rule = vy_json_at(rules, i);

		if (vy_str_is(vy_json_str(rule, "toolName"), "Bash") &&
			claude_parts_covers(vy_json_str(rule, "ruleContent"), command)) {
			return rule;
		}
	}
	return NULL;
}

static struct vy_json *part(
	const struct guard_command *c, const struct vy_json *rules, struct vy_arena *a)
{
	VY_AUTO_BUF shown = VY_BUF_INIT(VY_SEND_TEXT_MAX), bare = VY_BUF_INIT(VY_SEND_TEXT_MAX);
	VY_AUTO_BUF text = VY_BUF_INIT(VY_SEND_TEXT_MAX);
	struct vy_json *o = vy_json_new_obj();

	claude_part_print(c, true, &shown);
	claude_part_print(c, false, &bare);
	const struct vy_json *rule = bare.len ? rule_for(rules, vy_buf_str(&bare)) : NULL;

	vy_json_set_str(o, "text", brief_cut(brief_one_line(vy_buf_str(&shown), a), TEXT_MAX));
	if (rule) {
		claude_rule_print(rule, &text);
		vy_json_set_str(o, "rule", vy_buf_str(&text));
	}
	return o;
}

struct vy_json *claude_parts(struct vy_str command, const struct vy_json *rules, struct vy_arena *a)
{
	struct guard_commands cmds;
	struct vy_json *list;

	guard_words(command, a, &cmds);
	if (cmds.n < 2) {
		return NULL;
	}
	list = vy_json_new_arr();
	for (size_t i = 0; i < cmds.n && i < PARTS_MAX; i++) {
		vy_json_add_take(list, part(&cmds.v[i], rules, a));
	}
	if (cmds.n > PARTS_MAX) {
		struct vy_json *more = vy_json_new_obj();

		vy_json_set_c(more, "text",
			vy_arena_printf(a, "… and %zu commands more", cmds.n - PARTS_MAX));
		vy_json_add_take(list, more);
	}
	return list;
}

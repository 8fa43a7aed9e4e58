/* rules.c -- see rules.h. How a judgement is made and told; what is judged is in the files beside. */
#include "server/guard/rules.h"

#include <string.h>

#include "server/guard/judge.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define LINES_MAX 200
#define SHOWN_MAX 200

/* ---- sentences ---- */

static const struct {
	const char *rule, *why, *instead;
} reasons[] = {
	{ "agent-settings", "an agent may not touch the files that say what agents may do",
		"Say what should be in it, and let the person write it." },
	{ "agent-setup", "this changes what an agent may do or load", "A person decides." },
	{ "git-hooks", "git would run this outside of what was asked", "A person decides." },
	{ "vyre-state", "Vyre's own files and sockets are not for agents",
		"Ask the person for what you need from them." },
	{ "vyre-configuration", "an agent may not change how Vyre is set up",
		"Say what should be in it, and let the person write it." },
	{ "credentials", "keys and passwords are not for agents",
		"Use the program they are for, or ask the person to do this step." },
	{ "answers", "only a person answers, changes modes and trusts",
		"Ask, and wait for the answer." },
	{ "vyre-control", "only a person controls Vyre", "Ask the person to do it." },
	{ "lax-session", "an agent may not start a session that asks less",
		"Start it without that, or ask the person to." },
	{ "way-out", "an agent may not leave the tree of processes it belongs to",
		"Run it here, in the background if it is long." },
	{ "signals", "Vyre and the agents it runs are not to be signalled by an agent",
		"Name your own process by its number." },
	{ "destruction", "this would destroy what no project owns",
		"Name what is in the project's folder." },
	{ "machine", "this stops or changes the machine for all", "A person decides." },
	{ "shell-startup", "every shell of the person would run this from now on",
		"A person decides." },
	{ "hidden", "what this would run cannot be read beforehand", "A person decides." },
	{ "too-long", "no shell takes a command of this length, and it cannot be judged in time",
		"Write it to a file and run that." },
};

static const char *sentence(const struct judge *j)
{
	struct vy_str what = vy_str_trim(j->what);
	const char *why = "this is not allowed", *instead = "";
	VY_AUTO_BUF shown = VY_BUF_INIT(SHOWN_MAX + 8);

	for (size_t i = 0; i < VY_COUNT(reasons); i++) {
		if (strcmp(reasons[i].rule, j->rule) == 0) {
			why = reasons[i].why;
			instead = reasons[i].instead;
		}
	}
	for (size_t i = 0; i < what.n && shown.len < SHOWN_MAX; i++) {
		if (what.p[i] == GUARD_ANYTHING[0]) {
			vy_buf_adds(&shown, "…");
		} else {
			vy_buf_addc(&shown, (unsigned char)what.p[i] < 0x20 ? ' ' : what.p[i]);
		}
	}
	while (shown.len > 0 && !vy_utf8_is_valid(vy_buf_str(&shown))) { /* cut in a character */
		vy_buf_truncate(&shown, shown.len - 1);
	}
	return vy_arena_printf(j->scope.a, "Vyre's floor rule \"%s\": %s (%s). %s", j->rule, why,
		vy_buf_c(&shown), instead);
}

/* ---- findings ---- */

void judge_say(struct judge *j, enum guard_verdict verdict, const char *rule, struct vy_str what)
{
	if (verdict <= j->verdict || (j->is_remote && strcmp(rule, "destruction") != 0)) {
		return;
	}
	j->verdict = verdict;
	j->rule = rule;
	j->what = what;
}

void judge_path(struct judge *j, struct vy_str path, enum guard_use use)
{
	if (path.n == 0 || path.n > 4096 || judge_is_done(j)) {
		return;
	}
	struct vy_str full = guard_path(path, j->scope.folder, j->scope.c, j->scope.a);
	struct guard_found found = guard_place(full, use, j->scope.c);

	if (found.verdict != GUARD_NOTHING) {
		judge_say(j, found.verdict, found.rule, path);
	}
}

/* ---- words ---- */

struct vy_str judge_base(struct vy_str path)
{
	size_t at = path.n;

	while (at > 0 && path.p[at - 1] != '/') {
		at--;
	}
	return vy_str_from(path, at);
}

bool judge_holds(struct vy_str s, const char *word)
{
	return s.n && memmem(s.p, s.n, word, strlen(word));
}

bool judge_is_one_of(struct vy_str s, const char *list)
{
	while (*list) {
		size_t n = strcspn(list, " ");

		if (n == s.n && memcmp(list, s.p, n) == 0) {
			return true;
		}
		list += n + (list[n] == ' ');
	}
	return false;
}

bool judge_has_flag(const struct vy_str *v, size_t n, char letter, const char *word)
{
	for (size_t i = 0; i < n; i++) {
		if (letter && is_flag(v[i]) && v[i].p[1] != '-' && memchr(v[i].p, letter, v[i].n)) {
			return true;
		}
		if (word && vy_str_starts(v[i], word)) {
			return true;
		}
	}
	return false;
}

/* ---- the judgement ---- */

struct guard_answer guard_check(struct vy_str tool, const struct vy_json *input,
	const struct guard_context *c, struct vy_arena *a)
{
	struct judge j = { .scope = { .c = c, .a = a, .folder = c->cwd }, .lines = LINES_MAX };

	judge_tool(&j, tool, input);
	if (j.verdict == GUARD_NOTHING) {
		return (struct guard_answer){ GUARD_NOTHING, NULL, NULL };
	}
	return (struct guard_answer){ j.verdict, j.rule, sentence(&j) };
}

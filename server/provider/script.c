/* script.c -- see script.h. */
#include "server/provider/script.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/ban.h"

#define STEPS_MAX  1000
#define SEARCH_MAX 8192 /* of a line that is searched for a script inside; keeps it linear */

static const struct {
	const char *word;
	bool has_options;
} verbs[SCRIPT_VERBS] = {
	[SCRIPT_SAY] = { "say", true },
	[SCRIPT_ECHO] = { "echo", false },
	[SCRIPT_MARKDOWN] = { "markdown", false },
	[SCRIPT_BIG] = { "big", true },
	[SCRIPT_THINK] = { "think", true },
	[SCRIPT_SLOW] = { "slow", true },
	[SCRIPT_PACE] = { "pace", true },
	[SCRIPT_IMAGES] = { "images", false },
	[SCRIPT_SPEND] = { "spend", false },
	[SCRIPT_RECALL] = { "recall", false },
	[SCRIPT_HANG] = { "hang", true },
	[SCRIPT_DROP] = { "drop", false },
	[SCRIPT_MAXTOKENS] = { "maxtokens", false },
	[SCRIPT_REFUSE] = { "refuse", false },
	[SCRIPT_ERR] = { "err", true },
	[SCRIPT_BASH] = { "bash", false },
	[SCRIPT_BASHBG] = { "bashbg", false },
	[SCRIPT_READ] = { "read", false },
	[SCRIPT_WRITE] = { "write", false },
	[SCRIPT_EDIT] = { "edit", false },
	[SCRIPT_TODO] = { "todo", false },
	[SCRIPT_ASK] = { "ask", false },
	[SCRIPT_PLAN] = { "plan", false },
	[SCRIPT_PLANFILE] = { "planfile", false },
	[SCRIPT_AGENT] = { "agent", false },
	[SCRIPT_AGENTBG] = { "agentbg", false },
	[SCRIPT_AGENTFG] = { "agentfg", false },
	[SCRIPT_MULTI] = { "multi", false },
	[SCRIPT_MULTI2] = { "multi2", false },
	[SCRIPT_TOOL] = { "tool", false },
};

bool script_is_speech(enum script_verb v)
{
	return v < SCRIPT_HANG;
}

const char *script_word(enum script_verb v)
{
	return verbs[v].word;
}

/* ---- characters ---- */

static bool is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r';
}

static bool is_lower(char ch)
{
	return ch >= 'a' && ch <= 'z';
}

static bool is_word(char ch)
{
	return is_lower(ch) || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_';
}

struct vy_str script_until(struct vy_str *s, char sep)
{
	const char *at = s->n ? memchr(s->p, sep, s->n) : NULL;
	struct vy_str head = at ? vy_str_n(s->p, (size_t)(at - s->p)) : *s;

	*s = vy_str_from(*s, head.n + 1);
	return head;
}

double script_number(struct vy_str s, double none)
{
	char text[40], *end;
	size_t n = s.n < sizeof(text) - 1 ? s.n : sizeof(text) - 1;

	if (n == 0) {
		return none;
	}
	memcpy(text, s.p, n);
	text[n] = '\0';
	if (strspn(text, "0123456789.") == 0) {
		return none; /* no sign, no "inf", no "0x": strtod knows too much */
	}
	text[strspn(text, "0123456789.")] = '\0';
	double v = strtod(text, &end);

	return end == text || v > 1e9 ? none : v;
}

/* ---- one step ---- */

static void option(struct script_step *st, struct vy_str key, struct vy_str value)
{
	double v = script_number(value, -1);

	if (v < 0) {
		return;
	}
	if (vy_str_is(key, "words")) {
		st->words = (int64_t)v;
	} else if (vy_str_is(key, "delay")) {
		st->delay_ms = (int64_t)v;
	} else if (vy_str_is(key, "rate")) {
		st->rate = (int64_t)v;
	} else if (vy_str_is(key, "retry")) {
		st->retry_s = v;
	}
}

/* Takes "key=value" words off the end of the argument. */
static void take_options(struct script_step *st)
{
	for (;;) {
		size_t from = st->arg.n, eq;

		while (from > 0 && !is_blank(st->arg.p[from - 1])) {
			from--;
		}
		for (eq = from; eq < st->arg.n && is_word(st->arg.p[eq]); eq++) {
		}
		if (eq == from || eq >= st->arg.n || st->arg.p[eq] != '=') {
			return;
		}
		option(st, vy_str_n(st->arg.p + from, eq - from), vy_str_from(st->arg, eq + 1));
		st->arg = vy_str_trim(vy_str_n(st->arg.p, from));
	}
}

static bool step(struct vy_str text, struct script_step *st)
{
	size_t n = 0;

	text = vy_str_trim(text);
	while (n < text.n && is_lower(text.p[n])) {
		n++;
	}
	if (n > 0 && n < text.n && text.p[n] >= '0' && text.p[n] <= '9') {
		n++;
	}
	if (n < text.n && text.p[n] != ':') {
		return false;
	}
	for (int v = 0; v < SCRIPT_VERBS; v++) {
		if (!vy_str_is(vy_str_n(text.p, n), verbs[v].word)) {
			continue;
		}
		*st = (struct script_step){ (enum script_verb)v,
			vy_str_trim(vy_str_from(text, n + 1)), -1, -1, -1, -1 };
		if (verbs[v].has_options) {
			take_options(st);
		}
		return true;
	}
	return false;
}

/* ---- the whole ---- */

/* Bytes before the next " ;; " with blanks around it; all of it when there is none. */
static size_t until_joint(struct vy_str s)
{
	for (size_t i = 1; i + 2 < s.n; i++) {
		if (s.p[i] == ';' && s.p[i + 1] == ';' && is_blank(s.p[i - 1]) &&
			is_blank(s.p[i + 2])) {
			return i;
		}
	}
	return s.n;
}

static bool all_steps(struct vy_str s, struct vy_arena *a, struct script *out)
{
	size_t count = 1;

	for (struct vy_str rest = s; until_joint(rest) < rest.n && count < STEPS_MAX;) {
		rest = vy_str_from(rest, until_joint(rest) + 2);
		count++;
	}
	*out = (struct script){ vy_arena_calloc(a, count, sizeof(*out->steps)), 0 };
	for (;;) {
		size_t n = until_joint(s);

		if (out->n == count || !step(vy_str_n(s.p, n), &out->steps[out->n])) {
			out->n = 0;
			return false;
		}
		out->n++;
		if (n == s.n) {
			return true;
		}
		s = vy_str_from(s, n + 2);
	}
}

/* A line that is a script, or ends with one behind a blank: the longest wins. */
static bool in_line(struct vy_str line, struct vy_arena *a, struct script *out)
{
	if (all_steps(line, a, out)) {
		return true;
	}
	for (size_t i = 0; line.n <= SEARCH_MAX && i + 2 < line.n; i++) {
		size_t n = i + 1;

		while (n < line.n && is_lower(line.p[n])) {
			n++;
		}
		if (is_blank(line.p[i]) && n > i + 1 && n < line.n && line.p[n] == ':' &&
			all_steps(vy_str_from(line, i + 1), a, out)) {
			return true;
		}
	}
	return false;
}

bool script_parse(struct vy_str text, struct vy_arena *a, struct script *out)
{
	text = vy_str_trim(text);
	*out = (struct script){ NULL, 0 };
	if (!text.n || all_steps(text, a, out)) {
		return text.n > 0;
	}
	while (text.n) { /* the last line first */
		size_t from = text.n;

		while (from > 0 && text.p[from - 1] != '\n') {
			from--;
		}
		if (in_line(vy_str_from(text, from), a, out)) {
			return true;
		}
		text.n = from ? from - 1 : 0;
	}
	return false;
}

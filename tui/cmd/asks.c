/* asks.c -- what waits for a person, and the person's answer. */
#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "tui/cmd/verb.h"
#include "tui/net/session.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define INDENT "    "

/* ---- asks ---- */

/* "@@ -0,3 +0,2 @@": where it stands nobody knows, and then no number says it. */
static bool is_nowhere(struct vy_str line)
{
	size_t i = 5;

	if (!vy_str_starts(line, "@@ -0") || (line.n > i && line.p[i] != ',' && line.p[i] != ' ')) {
		return false;
	}
	while (i < line.n && line.p[i] != '+') {
		i++;
	}
	return vy_str_starts(vy_str_from(line, i), "+0 ") ||
	       vy_str_starts(vy_str_from(line, i), "+0,");
}

static void print_indented(struct out *out, struct vy_str text)
{
	while (text.n) {
		const char *nl = memchr(text.p, '\n', text.n);
		size_t n = nl ? (size_t)(nl - text.p) : text.n;

		if (!is_nowhere(vy_str_n(text.p, n))) {
			out_addf(out, INDENT "%.*s\n", (int)n, text.p);
		}
		text = vy_str_from(text, n + 1);
	}
}

static void print_questions(struct out *out, const struct vy_json *questions)
{
	for (size_t i = 0; i < vy_json_len(questions); i++) {
		const struct vy_json *q = vy_json_at(questions, i);
		const struct vy_json *options = vy_json_get(q, "options");

		print_indented(out, vy_json_str(q, "question"));
		for (size_t k = 0; k < vy_json_len(options); k++) {
			const struct vy_json *o = vy_json_at(options, k);
			struct vy_str more = vy_json_str(o, "description");

			out_addf(out, INDENT "  %.*s%s%.*s\n", VY_STR_ARG(vy_json_str(o, "label")),
				more.n ? " -- " : "", VY_STR_ARG(more));
		}
	}
}

/* Each part of a compound command, and the rule that "always" would store for it. */
static void print_parts(struct out *out, const struct vy_json *parts)
{
	for (size_t i = 0; i < vy_json_len(parts); i++) {
		const struct vy_json *p = vy_json_at(parts, i);
		struct vy_str rule = vy_json_str(p, "rule");
		const char *none = _("no rule: it will be asked again");

		rule = rule.n ? rule : vy_str_c(none);
		out_addf(out, INDENT INDENT "%.*s: %.*s\n", VY_STR_ARG(vy_json_str(p, "text")),
			VY_STR_ARG(rule));
	}
}

/* "allow Yes, always Always in this session (Bash(echo hi)), deny No" */
static void print_options(struct out *out, const struct vy_json *options)
{
	for (size_t i = 0; i < vy_json_len(options); i++) {
		const struct vy_json *o = vy_json_at(options, i);
		struct vy_str rule = vy_json_str(o, "rule");

		out_addf(out, INDENT "%.*s  %.*s", VY_STR_ARG(vy_json_str(o, "id")),
			VY_STR_ARG(vy_json_str(o, "label")));
		out_addf(out, rule.n ? ": %.*s\n" : "%.*s\n", VY_STR_ARG(rule));
		print_parts(out, vy_json_get(o, "parts"));
	}
}

/* "  -- fix login", and of another folder "  -- fix login, ~/src/door" */
static void print_place(struct out *out, const struct vy_json *record, const char *here)
{
	char *title = out_title(record), *folder = out_folder(vy_json_str(record, "cwd"));
	bool is_here = vy_str_is(vy_json_str(record, "cwd"), here);

	out_addf(out, "  -- %s%s%s\n", title, is_here || !folder[0] ? "" : ", ",
		is_here ? "" : folder);
	free(title);
	free(folder);
}

static void print_ask(
	struct out *out, const struct vy_json *a, const struct vy_json *record, const char *here)
{
	struct vy_str summary = vy_json_str(a, "summary"), detail = vy_json_str(a, "detail");
	struct vy_str tool = vy_json_str(a, "tool");

	out_addf(out, "%.*s  %.8s  %.*s%s%.*s", VY_STR_ARG(vy_json_str(a, "ask")),
		vy_json_cstr(a, "session"), VY_STR_ARG(tool), tool.n ? ": " : "",
		VY_STR_ARG(summary));
	print_place(out, record, here);
	if (!vy_str_eq(detail, summary)) {
		print_indented(out, detail);
	}
	print_questions(out, vy_json_get(a, "questions"));
	print_options(out, vy_json_get(a, "options"));
}

/* One ask, with its session's title and folder in it. */
static void tell_ask(
	struct cmd *c, const struct vy_json *ask, const struct vy_json *record, const char *here)
{
	VY_AUTO_JSON *a = NULL;

	if (!c->o->is_json) {
		print_ask(&c->out, ask, record, here);
		return;
	}
	a = vy_json_copy(ask);
	vy_json_set(a, "session_title", vy_json_get(record, "title"));
	vy_json_set(a, "cwd", vy_json_get(record, "cwd"));
	out_json(&c->out, a);
}

/* Those of one session: how many, or -1. */
static int tell_asks_of(
	struct cmd *c, const struct vy_json *record, const char *here, struct vy_err *e)
{
	char id[VY_UUID_LEN + 1];

	session_id_of(record, id);
	VY_AUTO_JSON *result = cmd_read(c, "threads.asks", cmd_params(id), e);
	const struct vy_json *asks = vy_json_get(result, "asks");

	if (!result) {
		return e->code == VY_NOT_FOUND ? 0 : -1; /* it went meanwhile */
	}
	for (size_t i = 0; i < vy_json_len(asks); i++) {
		tell_ask(c, vy_json_at(asks, i), record, here);
	}
	return (int)vy_json_len(asks);
}

static bool is_of(const struct vy_json *record, const char *here)
{
	return vy_str_is(vy_json_str(record, "cwd"), here);
}

/* Of all sessions of this folder; of a folder that has none, of all there are. */
static int tell_asks_around(struct cmd *c, const char *here, struct vy_err *e)
{
	VY_AUTO_JSON *list = cmd_read(c, "threads.list", NULL, e);
	const struct vy_json *threads = vy_json_get(list, "threads");
	bool has_any = false;
	int n = 0;

	for (size_t i = 0; i < vy_json_len(threads); i++) {
		has_any |= is_of(vy_json_at(threads, i), here);
	}
	for (size_t i = 0; list && i < vy_json_len(threads); i++) {
		const struct vy_json *t = vy_json_at(threads, i);
		bool may_ask = vy_json_int(t, "asks", 0) > 0 && (!has_any || is_of(t, here));
		int found = may_ask ? tell_asks_of(c, t, here, e) : 0;

		if (found < 0) {
			return -1;
		}
		n += found;
	}
	return list ? n : -1;
}

static int tell_asks_named(struct cmd *c, const char *name, const char *here, struct vy_err *e)
{
	char id[VY_UUID_LEN + 1];

	if (cmd_session(c, name, id, e) != 0) {
		return -1;
	}
	VY_AUTO_JSON *record = cmd_read(c, "threads.get", cmd_params(id), e);

	return record ? tell_asks_of(c, record, here, e) : -1;
}

int verb_asks(struct cmd *c, struct vy_err *e)
{
	char *here = session_folder(c->o->cwd, e);
	int n = !here           ? -1
		: c->o->n_words ? tell_asks_named(c, c->o->words[0], here, e)
				: tell_asks_around(c, here, e);

	free(here);
	if (n == 0) {
		out_progress(&c->out, "%s", _("Nothing waits for you."));
	}
	return n < 0 ? -1 : EXIT_OK;
}

/* ---- answer ---- */

static bool is_plain(const char *word)
{
	return strcmp(word, "allow") == 0 || strcmp(word, "deny") == 0 || strcmp(word, "skip") == 0;
}

/* Several may be chosen: "Door, Roof". */
static struct vy_json *labels_of(const char *words)
{
	struct vy_json *list = vy_json_new_arr();
	struct vy_str rest = vy_str_c(words);

	while (rest.n) {
		const char *comma = memchr(rest.p, ',', rest.n);
		struct vy_str one = vy_str_n(rest.p, comma ? (size_t)(comma - rest.p) : rest.n);

		rest = vy_str_from(rest, one.n + 1);
		while (one.n && one.p[0] == ' ') {
			one = vy_str_from(one, 1);
		}
		while (one.n && one.p[one.n - 1] == ' ') {
			one.n--;
		}
		if (one.n) {
			vy_json_add_take(list, vy_json_new_str(one));
		}
	}
	return list;
}

/* One word a question, in their order. */
static int add_answers(struct vy_json *params, const struct vy_json *questions,
	const char *const *words, size_t n, struct vy_err *e)
{
	struct vy_json *answers;

	if (n != vy_json_len(questions)) {
		return vy_fail(e, VY_BAD_INPUT,
			words_count("this is %zu question: give one answer",
				"these are %zu questions: give an answer to each",
				vy_json_len(questions)),
			vy_json_len(questions));
	}
	answers = vy_json_new_obj();
	for (size_t i = 0; i < n; i++) {
		const struct vy_json *q = vy_json_at(questions, i);
		const char *text = vy_json_cstr(q, "question");

		if (text && vy_json_bool(q, "multi", false)) {
			vy_json_take(answers, text, labels_of(words[i]));
		} else if (text) {
			vy_json_set_c(answers, text, words[i]);
		}
	}
	vy_json_take(params, "answers", answers);
	vy_json_set_c(params, "decision", "allow");
	return 0;
}

/* The questions of an open ask, owned; NULL when it is none that holds questions. */
static struct vy_json *questions_of(struct cmd *c, const char *ask, struct vy_err *e)
{
	VY_AUTO_JSON *result = cmd_read(c, "threads.asks", NULL, e);
	const struct vy_json *asks = vy_json_get(result, "asks");

	for (size_t i = 0; i < vy_json_len(asks); i++) {
		const struct vy_json *a = vy_json_at(asks, i);

		if (vy_str_is(vy_json_str(a, "ask"), ask) &&
			vy_json_len(vy_json_get(a, "questions"))) {
			return vy_json_copy(vy_json_get(a, "questions"));
		}
	}
	return NULL;
}

static struct vy_json *answer_params(struct cmd *c, struct vy_err *e)
{
	const char *const *words = c->o->words;
	size_t n = c->o->n_words - 1;
	VY_AUTO_JSON *questions = is_plain(words[1]) ? NULL : questions_of(c, words[0], e);
	struct vy_json *params = vy_json_new_obj();
	int rc = 0;

	vy_json_set_c(params, "ask", words[0]);
	vy_json_set_c(params, "message", c->o->message);
	if (questions) {
		rc = add_answers(params, questions, words + 1, n, e);
	} else if (n > 1) {
		rc = vy_fail(
			e, VY_BAD_INPUT, _("one decision, please: %s is one already"), words[1]);
	} else {
		vy_json_set_c(params, "decision", words[1]);
	}
	if (rc != 0) {
		vy_json_free(params);
		return NULL;
	}
	return params;
}

/* Somebody was first: their answer stands, whatever ours was. */
static int say_answered(const struct vy_json *result, struct vy_err *e)
{
	const char *by = vy_json_cstr(result, "by");
	struct vy_str decision = vy_json_str(result, "decision");

	if (!by || !by[0]) {
		return vy_fail(e, VY_GONE, _("it was answered before: %.*s"), VY_STR_ARG(decision));
	}
	by += strncmp(by, "person:", 7) == 0 ? 7 : 0;
	return vy_fail(
		e, VY_GONE, _("it was answered before: %.*s, by %s"), VY_STR_ARG(decision), by);
}

int verb_answer(struct cmd *c, struct vy_err *e)
{
	struct vy_json *params = answer_params(c, e);
	VY_AUTO_JSON *result = params ? cmd_write(c, "threads.answer", params, e) : NULL;

	if (!result) {
		if (e->code == VY_NOT_FOUND) {
			return vy_fail(e, VY_NOT_FOUND,
				_("there is no ask %s (vyre-tui asks lists those that are open)"),
				c->o->words[0]);
		}
		return -1;
	}
	if (c->o->is_json) {
		out_json(&c->out, result);
	}
	return vy_json_bool(result, "already", false) ? say_answered(result, e) : EXIT_OK;
}

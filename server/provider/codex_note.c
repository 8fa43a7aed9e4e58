/* codex_note.c -- see codex_note.h. */
#include "server/provider/codex_note.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include "server/provider/brief.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define LIST_MAX  200
#define WORDS_MAX 300 /* bytes of a description */
#define WARN_AT   80  /* percent of a limit from which a person is told */

void codex_note(struct agent_out *out, const char *text)
{
	agent_out_add(out, AE_NOTE)->text = vy_str_c(text);
}

/* ---- models ---- */

static void set_words(
	struct vy_json *to, const char *key, const struct vy_json *from, const char *its_key)
{
	vy_json_set_str(to, key, brief_cut(vy_json_str(from, its_key), WORDS_MAX));
}

static struct vy_json *efforts_of(const struct vy_json *model)
{
	const struct vy_json *from = vy_json_get(model, "supportedReasoningEfforts");
	struct vy_json *list = vy_json_new_arr();

	for (size_t i = 0; i < vy_json_len(from) && i < LIST_MAX; i++) {
		struct vy_str word = vy_json_str(vy_json_at(from, i), "reasoningEffort");

		if (word.n) {
			vy_json_add_take(list, vy_json_new_str(brief_id(word)));
		}
	}
	return list;
}

void codex_note_models(struct codex *c, const struct vy_json *result)
{
	const struct vy_json *from = vy_json_get(result, "data");
	struct vy_json *models = vy_json_new_arr(), *own = vy_json_new_obj();

	for (size_t i = 0; i < vy_json_len(from) && i < LIST_MAX; i++) {
		const struct vy_json *m = vy_json_at(from, i);
		const char *id = vy_json_cstr(m, "model");
		struct vy_json *to = vy_json_new_obj(), *efforts = efforts_of(m);

		vy_json_set_str(to, "id", brief_id(vy_json_str(m, "model")));
		set_words(to, "name", m, "displayName");
		set_words(to, "text", m, "description");
		if (vy_json_len(efforts)) {
			vy_json_set(to, "efforts", efforts);
		}
		vy_json_free(efforts);
		if (id && vy_json_str(m, "defaultReasoningEffort").n) {
			set_words(own, id, m, "defaultReasoningEffort");
		}
		vy_json_add_take(models, to);
	}
	vy_json_free(c->models);
	vy_json_free(c->efforts);
	c->models = models;
	c->efforts = own;
}

struct vy_json *codex_note_ready(const struct codex *c)
{
	struct vy_json *info = vy_json_new_obj();

	vy_json_set_str(info, "model", fields_str(c->model));
	vy_json_set_str(info, "mode", fields_str(c->mode));
	vy_json_set_str(info, "version", fields_str(c->version));
	vy_json_take(info, "commands", vy_json_new_arr());
	if (c->models) {
		vy_json_set(info, "models", c->models);
	}
	return info;
}

/* ---- usage ---- */

void codex_note_usage(struct codex *c, const struct vy_json *usage, struct agent_out *out)
{
	const struct vy_json *total = vy_json_get(usage, "total");
	struct vy_json *u = vy_json_new_obj();

	c->used = vy_json_int(vy_json_get(usage, "last"), "totalTokens", c->used);
	c->window = vy_json_int(usage, "modelContextWindow", c->window);
	c->input = vy_json_int(total, "inputTokens", c->input);
	c->output = vy_json_int(total, "outputTokens", c->output);
	vy_json_set_int(u, "used", c->used);
	if (c->window) {
		vy_json_set_int(u, "max", c->window);
	}
	vy_json_set_int(u, "input", c->input);
	vy_json_set_int(u, "output", c->output);
	vy_json_set_null(u, "cost_usd");
	agent_out_add(out, AE_USAGE)->json = u;
}

/* ---- limits ---- */

static const char *window_kind(int64_t minutes)
{
	return minutes == 300 ? "five_hour" : minutes == 10080 ? "seven_day" : "usage";
}

static const char *window_name(struct vy_str kind)
{
	return vy_str_is(kind, "five_hour")   ? "five-hour"
	       : vy_str_is(kind, "seven_day") ? "weekly"
					      : "usage";
}

/* The window that is fuller, as the house has it; NULL when none is known. */
static struct vy_json *limit_of(const struct vy_json *windows, bool is_reached)
{
	const struct vy_json *first = vy_json_get(windows, "primary");
	const struct vy_json *second = vy_json_get(windows, "secondary");
	double a = vy_json_num(first, "usedPercent", -1),
	       b = vy_json_num(second, "usedPercent", -1);
	const struct vy_json *w = b > a ? second : first;
	double used = b > a ? b : a;

	if (used < 0) {
		return NULL;
	}
	struct vy_json *o = vy_json_new_obj();
	int64_t resets = vy_json_int(w, "resetsAt", 0);

	vy_json_set_c(o, "status",
		is_reached || used >= 100 ? "rejected"
		: used >= WARN_AT         ? "allowed_warning"
					  : "allowed");
	vy_json_set_c(o, "kind", window_kind(vy_json_int(w, "windowDurationMins", 0)));
	vy_json_take(o, "used", vy_json_new_real(used / 100));
	vy_json_set_int(
		o, "resets_at", resets > 0 && resets < INT64_MAX / 1000 ? resets * 1000 : 0);
	return o;
}

static struct vy_str limit_words(
	const struct vy_json *before, const struct vy_json *limit, struct vy_arena *a)
{
	const char *name = window_name(vy_json_str(limit, "kind"));
	struct vy_str was = vy_json_str(before, "status");
	struct vy_str status = vy_json_str(limit, "status");

	if (vy_str_eq(status, was) || vy_str_is(status, "rejected")) {
		return vy_str_n(NULL, 0); /* the end of the turn says what comes of it */
	}
	if (vy_str_is(status, "allowed")) {
		return was.n ? vy_str_c(vy_arena_printf(a, "The %s limit is free again.",
				       window_name(vy_json_str(before, "kind"))))
			     : was;
	}
	return vy_str_c(vy_arena_printf(a, "%d %% of the %s limit is used.",
		(int)(vy_json_num(limit, "used", 0) * 100 + 0.5), name));
}

void codex_note_limits(struct codex *c, const struct vy_json *limits, struct agent_out *out)
{
	static const char *const keys[] = { "primary", "secondary" };
	bool is_reached = vy_json_str(limits, "rateLimitReachedType").n > 0;

	for (size_t i = 0; i < VY_COUNT(keys); i++) {
		struct vy_json *w = vy_json_get(limits, keys[i]);

		if (vy_json_type(w) == VY_JSON_OBJ) {
			c->windows = c->windows ? c->windows : vy_json_new_obj();
			vy_json_set(c->windows, keys[i], w);
		}
	}
	VY_AUTO_JSON *limit = limit_of(c->windows, is_reached);

	if (!limit || (c->limit && vy_json_equal(c->limit, limit))) {
		return;
	}
	struct agent_event *ev = agent_out_add(out, AE_NOTE);

	ev->text = limit_words(c->limit, limit, out->arena);
	ev->json = vy_json_new_obj();
	vy_json_set(ev->json, "limit", limit);
	vy_json_free(c->limit);
	c->limit = vy_json_ref(limit);
}

/* ---- errors ---- */

struct vy_str codex_note_retry(const struct vy_json *error, struct vy_arena *a)
{
	struct vy_str message = vy_json_str(error, "message");
	struct vy_str why = brief_one_line(vy_json_str(error, "additionalDetails"), a);
	struct vy_str count = vy_str_starts(message, "Reconnecting... ")
				      ? brief_one_line(vy_str_from(message, 16), a)
				      : vy_str_n(NULL, 0);

	return vy_str_c(vy_arena_printf(a,
		"The model's server did not answer as it should; trying again%s%.*s%s%s%.*s",
		count.n ? " (" : "", VY_STR_ARG(count), count.n ? ")" : "", why.n ? ": " : ".",
		VY_STR_ARG(why)));
}

static const struct {
	const char *info, *why;
	bool is_limit;
} reasons[] = {
	{ "contextWindowExceeded",
		"The conversation is longer than the model can read. Summarise it, or say the next "
		"word: Codex summarises by itself then.",
		false },
	{ "usageLimitExceeded", "The limit of what pays for Codex is reached.", true },
	{ "rateLimitExceeded", "The model's server takes no more requests for a moment.", false },
	{ "serverOverloaded", "The model's server is overloaded. Try again in a moment.", false },
	{ "internalServerError", "The model's server failed. Try again in a moment.", false },
	{ "unauthorized",
		"The model's server does not accept the login of Codex. Run `codex login` in a "
		"terminal.",
		false },
	{ "sandboxError", "The sandbox of Codex failed.", false },
};

/* A string, or an object of one key whose value may know the status of HTTP. */
static struct vy_str info_of(const struct vy_json *error, int64_t *status)
{
	const struct vy_json *info = vy_json_get(error, "codexErrorInfo");
	struct vy_json *value;
	const char *key;

	*status = 0;
	VY_JSON_EACH (info, key, value) {
		*status = vy_json_int(value, "httpStatusCode", 0);
		return vy_str_c(key);
	}
	return vy_json_strval(info);
}

/* Of HTTP 400 the message is the body of the answer (A7): its own words are in it. */
static struct vy_str words_of(const struct vy_json *error, struct vy_arena *a)
{
	struct vy_str said = vy_json_str(error, "message");
	VY_AUTO_JSON *body = vy_str_starts(said, "{") ? vy_json_parse_lenient(said, NULL) : NULL;
	struct vy_str inner = vy_json_str(vy_json_get(body, "error"), "message");

	inner = inner.n ? inner : vy_json_str(body, "message");
	inner = inner.n ? inner : vy_json_str(body, "error");
	return brief_sentence(inner.n ? inner : said, a);
}

struct vy_str codex_note_why(
	const struct codex *c, const struct vy_json *error, bool *is_limit, struct vy_arena *a)
{
	struct vy_str said = words_of(error, a);
	int64_t status;
	struct vy_str info = info_of(error, &status);

	*is_limit = status == 429;
	if (status == 401) {
		return vy_str_c(vy_arena_printf(a,
			"The model's server does not accept the login of %s. Run `codex login` in "
			"a terminal: %.*s",
			c->who, VY_STR_ARG(said)));
	}
	if (status == 429) {
		return vy_str_c(vy_arena_printf(a,
			"The model's server takes no more requests for now: %.*s",
			VY_STR_ARG(said)));
	}
	for (size_t i = 0; i < VY_COUNT(reasons); i++) {
		if (vy_str_is(info, reasons[i].info)) {
			*is_limit = reasons[i].is_limit;
			return said.n ? vy_str_c(vy_arena_printf(
						a, "%s (%.*s)", reasons[i].why, VY_STR_ARG(said)))
				      : vy_str_c(reasons[i].why);
		}
	}
	return said.n ? said : VY_STR_LIT("The agent ended its turn with an error.");
}

/* ---- the end ---- */

struct vy_str codex_note_exit(const struct codex *c, int status, int signo, struct vy_arena *a)
{
	VY_AUTO_BUF words = VY_BUF_INIT(4096);
	size_t from = c->stderr_tail.n > 3 ? c->stderr_tail.n - 3 : 0;
	const char *how = signo    ? vy_arena_printf(a, "was ended by signal %d", signo)
			  : status ? vy_arena_printf(a, "ended with status %d", status)
				   : "ended";

	for (size_t i = from; i < c->stderr_tail.n && signo != SIGKILL;
		i++) { /* killed: not its words */
		vy_buf_adds(&words, i == from ? ": " : " / ");
		vy_buf_addstr(&words, brief_one_line(fields_str(c->stderr_tail.v[i].text), a));
	}
	return vy_str_c(
		vy_arena_printf(a, "%s %s%.*s", c->who, how, VY_STR_ARG(vy_buf_str(&words))));
}

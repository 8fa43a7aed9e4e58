/* claude_note.c -- see claude_note.h. */
#include "server/provider/claude_note.h"

#include <inttypes.h>
#include <string.h>

#include "server/provider/brief.h"
#include "shared/base/ban.h"

#define LIST_MAX   500
#define WORDS_MAX  300 /* bytes of a description */
#define ALIAS_MAX  8
#define EFFORT_MAX 32

/* ---- hello ---- */

/* [{name, text, hint}] or [{id, name, text}]: `keys` says which member of claude's becomes which. */
static struct vy_json *renamed(const struct vy_json *from, const char *const keys[][2], size_t n)
{
	struct vy_json *list = vy_json_new_arr();

	for (size_t i = 0; i < vy_json_len(from) && i < LIST_MAX; i++) {
		struct vy_json *to = vy_json_new_obj();

		for (size_t k = 0; k < n; k++) {
			vy_json_set_str(to, keys[k][1],
				brief_cut(vy_json_str(vy_json_at(from, i), keys[k][0]), WORDS_MAX));
		}
		vy_json_add_take(list, to);
	}
	return list;
}

/* As `renamed`, and whose it is: the agent's own, or one that a person wrote or installed. */
static struct vy_json *commands_of(const struct vy_json *from)
{
	static const char *const keys[][2] = { { "name", "name" }, { "description", "text" },
		{ "argumentHint", "hint" } };
	struct vy_json *list = renamed(from, keys, VY_COUNT(keys));

	for (size_t i = 0; i < vy_json_len(list); i++) {
		const struct vy_json *c = vy_json_at(from, i), *aliases = vy_json_get(c, "aliases");
		struct vy_json *also = vy_json_new_arr();

		for (size_t k = 0; k < vy_json_len(aliases) && k < ALIAS_MAX; k++) {
			struct vy_str alias = vy_json_strval(vy_json_at(aliases, k));

			vy_json_add_take(also, vy_json_new_str(brief_cut(alias, WORDS_MAX)));
		}
		vy_json_set_c(vy_json_at(list, i), "kind",
			vy_json_bool(c, "builtin", false) ? "agent" : "person");
		vy_json_take(vy_json_at(list, i), "aliases", also);
	}
	return list;
}

/* The model that "default" stands for, until the first turn says it. */
static struct vy_str default_model(const struct vy_json *models)
{
	for (size_t i = 0; i < vy_json_len(models); i++) {
		const struct vy_json *m = vy_json_at(models, i);

		if (vy_str_is(vy_json_str(m, "value"), "default")) {
			return vy_json_str(m, "resolvedModel");
		}
	}
	return vy_str_n(NULL, 0);
}

/* How hard a model can be told to try, where it can. */
static void add_efforts(struct vy_json *list, const struct vy_json *from)
{
	for (size_t i = 0; i < vy_json_len(list); i++) {
		const struct vy_json *words =
			vy_json_get(vy_json_at(from, i), "supportedEffortLevels");
		struct vy_json *efforts = vy_json_new_arr();

		for (size_t k = 0; k < vy_json_len(words) && k < ALIAS_MAX; k++) {
			struct vy_str word = vy_json_strval(vy_json_at(words, k));

			vy_json_add_take(efforts, vy_json_new_str(brief_cut(word, EFFORT_MAX)));
		}
		if (vy_json_len(efforts) > 0) {
			vy_json_take(vy_json_at(list, i), "efforts", efforts);
		} else {
			vy_json_free(efforts);
		}
	}
}

struct vy_json *claude_note_ready(const struct claude *c, const struct vy_json *hello)
{
	static const char *const model_keys[][2] = { { "value", "id" }, { "displayName", "name" },
		{ "description", "text" } };
	const struct vy_json *models = vy_json_get(hello, "models");
	struct vy_json *info = vy_json_new_obj();

	vy_json_set_str(info, "model", c->model ? fields_str(c->model) : default_model(models));
	vy_json_set_str(info, "mode", fields_str(c->mode));
	vy_json_set_str(info, "version", fields_str(c->version));
	vy_json_set_int(info, "pid", vy_json_int(hello, "pid", 0));
	vy_json_take(info, "commands", commands_of(vy_json_get(hello, "commands")));
	vy_json_take(info, "models", renamed(models, model_keys, VY_COUNT(model_keys)));
	add_efforts(vy_json_get(info, "models"), models);
	vy_json_set(info, "account", vy_json_get(hello, "account"));
	return info;
}

/* ---- tasks ---- */

struct vy_json *claude_note_tasks(const struct vy_json *tasks)
{
	struct vy_json *list = vy_json_new_arr();

	for (size_t i = 0; i < vy_json_len(tasks) && i < LIST_MAX; i++) {
		const struct vy_json *t = vy_json_at(tasks, i);
		struct vy_json *to = vy_json_new_obj();
		bool is_agent = vy_str_is(vy_json_str(t, "task_type"), "local_agent");

		vy_json_set_str(to, "task", brief_id(vy_json_str(t, "task_id")));
		vy_json_set_c(to, "kind", is_agent ? "agent" : "shell");
		vy_json_set_str(to, "text", brief_cut(vy_json_str(t, "description"), WORDS_MAX));
		vy_json_set_c(to, "status", "running");
		vy_json_add_take(list, to);
	}
	return list;
}

/* ---- sentences ---- */

struct vy_str claude_note_retry(const struct vy_json *line, struct vy_arena *a)
{
	int64_t status = vy_json_int(line, "error_status", 0);
	char what[64] = "did not answer";

	if (status) {
		snprintf(what, sizeof(what), "answered %" PRId64, status);
	}
	return vy_str_c(vy_arena_printf(a,
		"The model's server %s; trying again (%" PRId64 " of %" PRId64 ").", what,
		vy_json_int(line, "attempt", 1), vy_json_int(line, "max_retries", 1)));
}

static const char *limit_name(struct vy_str kind)
{
	return vy_str_is(kind, "five_hour")       ? "five-hour"
	       : vy_str_starts(kind, "seven_day") ? "weekly"
						  : "usage";
}

/* "allowed" of a window that nears its end says allowed_warning only inside unifiedWindows. */
static struct vy_str limit_status(const struct vy_json *info, const struct vy_json *window)
{
	struct vy_str status = vy_json_str(info, "status"), inner = vy_json_str(window, "status");

	return vy_str_is(status, "allowed") && inner.n ? inner : status;
}

static struct vy_json *limit_of(
	struct vy_str status, struct vy_str kind, double used, int64_t resets)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_str(o, "status", status);
	vy_json_set_str(o, "kind", kind);
	vy_json_take(o, "used", vy_json_new_real(used));
	vy_json_set_int(o, "resets_at", resets);
	return o;
}

/* Of one that is reached nothing is said here: the end of the turn says what comes of it. */
static struct vy_str limit_words(struct vy_str was, const struct vy_json *limit, struct vy_arena *a)
{
	const char *name = limit_name(vy_json_str(limit, "kind"));
	struct vy_str status = vy_json_str(limit, "status");

	if (vy_str_eq(status, was) || vy_str_is(status, "rejected")) {
		return vy_str_n(NULL, 0);
	}
	if (vy_str_is(status, "allowed")) {
		return was.n ? vy_str_c(vy_arena_printf(a, "The %s limit is free again.", name))
			     : was;
	}
	return vy_str_c(vy_arena_printf(a, "%d %% of the %s limit is used.",
		(int)(vy_json_num(limit, "used", 0) * 100 + 0.5), name));
}

void claude_note_limit(struct claude *c, const struct vy_json *info, struct agent_out *out)
{
	struct vy_str kind = brief_id(vy_json_str(info, "rateLimitType"));
	const char *key = vy_arena_printf(out->arena, "%.*s", VY_STR_ARG(kind));
	const struct vy_json *window = vy_json_get(vy_json_get(info, "unifiedWindows"), key);
	VY_AUTO_JSON *limit = limit_of(brief_id(limit_status(info, window)), kind,
		vy_json_num(window, "utilization", 0), vy_json_int(info, "resetsAt", 0) * 1000);

	if (kind.n == 0 || (c->limit && vy_json_equal(c->limit, limit))) {
		return;
	}
	struct agent_event *ev = agent_out_add(out, AE_NOTE);

	ev->text = limit_words(vy_json_str(c->limit, "status"), limit, out->arena);
	ev->json = vy_json_new_obj();
	vy_json_set(ev->json, "limit", limit);
	vy_json_free(c->limit);
	c->limit = vy_json_ref(limit);
}

/* ---- files put back ---- */

void claude_note_files(const struct vy_json *r, bool is_done, struct agent_out *out)
{
	struct vy_json *v = vy_json_new_obj(), *changed = vy_json_new_arr();
	const struct vy_json *said = vy_json_get(r, "filesChanged");
	bool can = vy_json_bool(r, "canRewind", false);

	for (size_t i = 0; i < vy_json_len(said); i++) {
		vy_json_add_take(changed, vy_json_new_str(vy_json_strval(vy_json_at(said, i))));
	}
	vy_json_set_bool(v, "can", can);
	vy_json_take(v, "changed", changed);
	vy_json_set_int(v, "added", vy_json_int(r, "insertions", 0));
	vy_json_set_int(v, "removed", vy_json_int(r, "deletions", 0));
	vy_json_set_bool(v, "dry", !is_done);
	if (!can) {
		struct vy_str why = brief_one_line(vy_json_str(r, "error"), out->arena);

		vy_json_set_str(v, "why",
			why.n ? why : VY_STR_LIT("The agent kept no files of that time."));
	}
	agent_out_add(out, AE_FILES)->json = v;
}

void claude_note_no_files(struct vy_str why, bool is_done, struct agent_out *out)
{
	VY_AUTO_JSON *r = vy_json_new_obj();

	vy_json_set_bool(r, "canRewind", false);
	vy_json_set_str(r, "error", why);
	claude_note_files(r, is_done, out);
}

/* ---- the end ---- */

struct vy_str claude_note_exit(const struct claude *c, int status, int signo, struct vy_arena *a)
{
	VY_AUTO_BUF words = VY_BUF_INIT(4096);
	size_t from = c->stderr_tail.n > 3 ? c->stderr_tail.n - 3 : 0;
	const char *how = signo    ? vy_arena_printf(a, "was ended by signal %d", signo)
			  : status ? vy_arena_printf(a, "ended with status %d", status)
				   : "ended";

	for (size_t i = from; i < c->stderr_tail.n; i++) {
		vy_buf_adds(&words, i == from ? ": " : " / ");
		vy_buf_addstr(&words, brief_one_line(fields_str(c->stderr_tail.v[i].text), a));
	}
	return vy_str_c(
		vy_arena_printf(a, "%s %s%.*s", c->who, how, VY_STR_ARG(vy_buf_str(&words))));
}

/* m_agent.c -- an agent's settings and what it can do: model, thinking, commands, tasks. */
#include "server/rpc/handler.h"

#include <stdlib.h>

#include "server/session/table.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

/* Somebody who waits for what a task printed. */
struct waiting {
	struct rpc_later *later;
	char *task;
};

static struct vy_json *threads_mode(struct rpc_call *c, struct vy_err *e)
{
	struct vy_str mode = vy_json_str(c->params, "mode");

	if (session_set_mode(c->session, mode, e) != 0) {
		return NULL;
	}
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_str(o, "mode", mode);
	return o;
}

/* Without a model it only says which there are. */
static struct vy_json *threads_model(struct rpc_call *c, struct vy_err *e)
{
	struct vy_str model = vy_json_str(c->params, "model");
	bool is_new = vy_json_type(vy_json_get(c->params, "model")) == VY_JSON_STR;
	struct vy_str effort = vy_json_str(c->params, "effort");
	bool has_effort = vy_json_type(vy_json_get(c->params, "effort")) == VY_JSON_STR;

	if (is_new && session_set_model(c->session, model, e) != 0) {
		return NULL;
	}
	if (has_effort && session_set_effort(c->session, effort, e) != 0) {
		return NULL;
	}
	VY_AUTO_JSON *offer = session_offer(c->session);
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_str(o, "model", is_new ? model : vy_str_c(session_record(c->session)->model));
	vy_json_set(o, "models", vy_json_get(offer, "models"));
	vy_json_set_c(o, "effort",
		has_effort ? vy_json_cstr(c->params, "effort")
			   : session_record(c->session)->effort);
	return o;
}

static struct vy_json *threads_thinking(struct rpc_call *c, struct vy_err *e)
{
	struct vy_str word = vy_json_str(c->params, "thinking");
	int64_t tokens = vy_json_int(c->params, "tokens", 0);

	if (session_set_thinking(c->session, vy_str_is(word, "on"), tokens, e) != 0) {
		return NULL;
	}
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_str(o, "thinking", word);
	if (tokens > 0 && vy_str_is(word, "on")) {
		vy_json_set_int(o, "tokens", tokens);
	}
	return o;
}

static struct vy_json *threads_commands(struct rpc_call *c, struct vy_err *e)
{
	VY_AUTO_JSON *offer = session_offer(c->session);
	struct vy_json *list = vy_json_get(offer, "commands");
	struct vy_json *o = vy_json_new_obj();

	(void)e;
	vy_json_take(o, "commands", list ? vy_json_ref(list) : vy_json_new_arr());
	vy_json_set_bool(o, "fresh", vy_json_bool(offer, "fresh", false));
	return o;
}

static struct vy_json *threads_tasks(struct rpc_call *c, struct vy_err *e)
{
	struct vy_json *o = vy_json_new_obj();

	(void)e;
	vy_json_take(o, "tasks", session_tasks(c->session));
	return o;
}

static struct vy_json *threads_kill_task(struct rpc_call *c, struct vy_err *e)
{
	struct vy_str task = vy_json_str(c->params, "task");

	if (session_kill_task(c->session, task, e) != 0) {
		return NULL;
	}
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_str(o, "task", task);
	vy_json_set_bool(o, "stopping", true);
	return o;
}

static struct vy_json *threads_remember(struct rpc_call *c, struct vy_err *e)
{
	bool is_users = vy_str_is(vy_json_str(c->params, "scope"), "user");
	const char *path;

	if (session_remember(c->session, vy_json_str(c->params, "text"), is_users, c->author, &path,
		    e) != 0) {
		return NULL;
	}
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_c(o, "path", path);
	vy_json_set_c(o, "scope", is_users ? "user" : "project");
	return o;
}

static struct vy_json *threads_shell(struct rpc_call *c, struct vy_err *e)
{
	char term[VY_UUID_LEN + 1];

	if (session_shell(c->session, vy_json_str(c->params, "command"), c->author, term, e) != 0) {
		return NULL;
	}
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_c(o, "term", term);
	return o;
}

static void on_output(void *ctx, const struct session_reply *r, const struct vy_err *why)
{
	struct vy_json *o = r ? vy_json_new_obj() : NULL;
	struct waiting *w = ctx;

	if (r) {
		vy_json_set_c(o, "task", w->task);
		vy_json_set_str(o, "text", r->text);
		vy_json_set_int(o, "total", r->total > 0 ? r->total : (int64_t)r->text.n);
		vy_json_set_bool(o, "truncated", r->is_cut);
	}
	rpc_told(w->later, o, why);
	free(w->task);
	free(w);
}

static bool is_task(struct rpc_call *c, struct vy_str task, struct vy_err *e)
{
	VY_AUTO_JSON *tasks = session_tasks(c->session);

	for (size_t i = 0; i < vy_json_len(tasks); i++) {
		const struct vy_json *t = vy_json_at(tasks, i);

		if (!vy_str_eq(vy_json_str(t, "task"), task)) {
			continue;
		}
		if (vy_str_is(vy_json_str(t, "kind"), "command")) {
			vy_fail(e, VY_UNSUPPORTED,
				"what a command of yours prints is in the session's frames "
				"(session.term-chunk)");
			return false;
		}
		return true;
	}
	if (!vy_json_bool(session_record(c->session)->capabilities, "task_output", false)) {
		vy_fail(e, VY_UNSUPPORTED, "%s does not show what its tasks print",
			session_record(c->session)->provider);
		return false;
	}
	vy_fail(e, VY_NOT_FOUND, "there is no task %.*s in this session (any more)",
		VY_STR_ARG(task));
	return false;
}

static struct vy_json *threads_task_output(struct rpc_call *c, struct vy_err *e)
{
	struct vy_str task = vy_json_str(c->params, "task");

	if (!is_task(c, task, e)) {
		return NULL;
	}
	struct waiting *w = VY_NEW(struct waiting);

	w->task = vy_memdup0(task.p, task.n);
	w->later = rpc_later(c);
	if (session_ask(c->session, SESSION_TASK_OUTPUT, task, on_output, w, e) != 0) {
		on_output(w, NULL, e);
	}
	return NULL;
}

static void on_aside(void *ctx, const struct session_reply *r, const struct vy_err *why)
{
	struct vy_json *o = r ? vy_json_new_obj() : NULL;

	if (r) {
		vy_json_set_str(o, "answer", r->text);
	}
	rpc_told(ctx, o, why);
}

/* A question beside the conversation; or no more: those that are open are taken back. */
static struct vy_json *threads_aside(struct rpc_call *c, struct vy_err *e)
{
	struct vy_str question = vy_json_str(c->params, "question");
	bool is_cancel = vy_json_bool(c->params, "cancel", false);

	if (is_cancel == (question.n > 0)) {
		vy_fail(e, VY_BAD_INPUT, "params: expected either a question or cancel");
		return NULL;
	}
	if (is_cancel) {
		struct vy_json *o = vy_json_new_obj();

		vy_json_set_int(
			o, "cancelled", (int64_t)session_ask_back(c->session, SESSION_ASIDE));
		return o;
	}
	struct rpc_later *later = rpc_later(c);

	if (session_ask(c->session, SESSION_ASIDE, question, on_aside, later, e) != 0) {
		rpc_told(later, NULL, e);
	}
	return NULL;
}

static struct vy_json *threads_compact(struct rpc_call *c, struct vy_err *e)
{
	return session_compact(c->session, vy_json_str(c->params, "hint"), c->author, e);
}

const struct rpc_handler m_agent[] = {
	{ "threads.mode", threads_mode },
	{ "threads.model", threads_model },
	{ "threads.thinking", threads_thinking },
	{ "threads.commands", threads_commands },
	{ "threads.tasks", threads_tasks },
	{ "threads.kill_task", threads_kill_task },
	{ "threads.task_output", threads_task_output },
	{ "threads.aside", threads_aside },
	{ "threads.compact", threads_compact },
	{ "threads.remember", threads_remember },
	{ "threads.shell", threads_shell },
	{ 0 },
};

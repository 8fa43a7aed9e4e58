/* m_agent.c -- an agent's settings and what it can do: model, thinking, commands, tasks. */
#include "server/rpc/handler.h"
#include "server/session/table.h"
#include "shared/base/ban.h"

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

	if (is_new && session_set_model(c->session, model, e) != 0) {
		return NULL;
	}
	VY_AUTO_JSON *offer = session_offer(c->session);
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_str(o, "model", is_new ? model : vy_str_c(session_record(c->session)->model));
	vy_json_set(o, "models", vy_json_get(offer, "models"));
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

const struct rpc_handler m_agent[] = {
	{ "threads.mode", threads_mode },
	{ "threads.model", threads_model },
	{ "threads.thinking", threads_thinking },
	{ "threads.commands", threads_commands },
	{ "threads.tasks", threads_tasks },
	{ "threads.kill_task", threads_kill_task },
	{ "threads.remember", threads_remember },
	{ "threads.shell", threads_shell },
	{ 0 },
};

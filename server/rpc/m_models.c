/* m_models.c -- what a session gets when nobody says (server/session/defaults.h): models by purpose and
 * the prompts that are appended to the agents' own. All read, a person sets. */
#include <stdlib.h>

#include "server/rpc/handler.h"
#include "server/session/table.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

/* NULL: of all; owned. */
static char *project_of(const struct rpc_call *c)
{
	struct vy_str name = vy_json_str(c->params, "project");

	return name.n ? vy_memdup0(name.p, name.n) : NULL;
}

/* An agent reads what its own session gets, and nobody else's. */
static int may_read(struct rpc_call *c, struct vy_err *e)
{
	struct vy_str name = vy_json_str(c->params, "project");
	struct session *own = NULL;

	if (c->who->kind == CALLER_PERSON) {
		return 0;
	}
	if (c->who->kind == CALLER_AGENT) {
		own = table_find(c->house->table, vy_str_c(c->who->session), e);
	}
	return own && (!name.n || vy_str_is(name, session_record(own)->project))
		       ? 0
		       : vy_fail(e, VY_PERSON_ONLY,
				 "Only a person can see what sessions of other projects get");
}

/* ---- models ---- */

static struct vy_json *choice(struct table *t, const char *project, const char *purpose)
{
	struct defaults_choice made = table_model(t, project, purpose);
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_c(o, "purpose", purpose);
	if (*made.model) {
		vy_json_set_c(o, "model", made.model);
	}
	vy_json_set_c(o, "from", made.from);
	return o;
}

static struct vy_json *models_get(struct rpc_call *c, struct vy_err *e)
{
	struct vy_json *o, *list = vy_json_new_arr();
	char *project = project_of(c);

	for (size_t i = 0; i < DEFAULTS_PURPOSES; i++) {
		vy_json_add_take(list, choice(c->house->table, project, defaults_purposes[i]));
	}
	free(project);
	if (may_read(c, e) != 0) {
		vy_json_free(list);
		return NULL;
	}
	o = vy_json_new_obj();
	vy_json_take(o, "models", list);
	return o;
}

static struct vy_json *models_set(struct rpc_call *c, struct vy_err *e)
{
	struct vy_str model = vy_json_str(c->params, "model");

	if (!defaults_is_model(model)) {
		vy_fail(e, VY_BAD_INPUT,
			"params.model: expected the name of one model, got \"%.*s\"",
			VY_STR_ARG(model));
		return NULL;
	}
	char *project = project_of(c);

	table_model_set(c->house->table, project, vy_json_cstr(c->params, "purpose"),
		vy_json_cstr(c->params, "model"));
	struct vy_json *o = choice(c->house->table, project, vy_json_cstr(c->params, "purpose"));

	free(project);
	return o;
}

/* ---- prompts ---- */

static struct vy_json *prompt_get(struct rpc_call *c, struct vy_err *e)
{
	if (may_read(c, e) != 0) {
		return NULL;
	}
	char *project = project_of(c);
	struct vy_json *o = table_prompt(c->house->table, project, e);

	free(project);
	return o;
}

static struct vy_json *rev_json(int64_t rev)
{
	struct vy_json *o = rev >= 0 ? vy_json_new_obj() : NULL;

	if (o) {
		vy_json_set_int(o, "rev", rev);
	}
	return o;
}

static struct vy_json *prompt_set(struct rpc_call *c, struct vy_err *e)
{
	char *project = project_of(c);
	int64_t rev = table_prompt_set(c->house->table, project, vy_json_str(c->params, "text"),
		vy_json_int(c->params, "if_rev", -1), c->author, e);

	if (rev < 0 && e->code == VY_CONFLICT) {
		c->hint = "read it with sessions.prompt.get";
	}

	free(project);
	return rev_json(rev);
}

static struct vy_json *prompt_revert(struct rpc_call *c, struct vy_err *e)
{
	char *project = project_of(c);
	int64_t rev = table_prompt_revert(
		c->house->table, project, vy_json_int(c->params, "rev", 0), c->author, e);

	free(project);
	return rev_json(rev);
}

const struct rpc_handler m_models[] = {
	{ "sessions.models.get", models_get },
	{ "sessions.models.set", models_set },
	{ "sessions.prompt.get", prompt_get },
	{ "sessions.prompt.set", prompt_set },
	{ "sessions.prompt.revert", prompt_revert },
	{ 0 },
};

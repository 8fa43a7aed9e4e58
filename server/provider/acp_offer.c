/* acp_offer.c -- see acp_offer.h. */
#include "server/provider/acp_offer.h"

#include "server/provider/acp_say.h"
#include "server/provider/brief.h"
#include "shared/base/ban.h"

#define LIST_MAX    500
#define WORDS_MAX   300
#define EFFORTS_MAX 16

static void keep(struct vy_json **at, struct vy_json *own)
{
	vy_json_free(*at);
	*at = own;
}

static void add_text(struct vy_json *o, const char *key, const struct vy_json *of, const char *from)
{
	vy_json_set_str(o, key, brief_cut(vy_json_str(of, from), WORDS_MAX));
}

/* ---- lists ---- */

/* A select's options; they may be in groups. */
static void each_option(const struct vy_json *options, const char *value,
	void (*fn)(struct vy_json *list, const struct vy_json *o, const char *value),
	struct vy_json *list)
{
	for (size_t i = 0; i < vy_json_len(options); i++) {
		const struct vy_json *o = vy_json_at(options, i);
		const struct vy_json *inner = vy_json_get(o, "options");

		for (size_t k = 0; k < vy_json_len(inner) && vy_json_len(list) < LIST_MAX; k++) {
			fn(list, vy_json_at(inner, k), value);
		}
		if (!inner && vy_json_len(list) < LIST_MAX) {
			fn(list, o, value);
		}
	}
}

static void add_id(struct vy_json *list, const struct vy_json *o, const char *value)
{
	struct vy_str id = vy_json_str(o, value);

	if (id.n && !provider_bypass(id)) {
		vy_json_add_take(list, vy_json_new_str(brief_id(id)));
	}
}

static void add_model(struct vy_json *list, const struct vy_json *o, const char *value)
{
	struct vy_json *m = vy_json_new_obj();

	vy_json_set_str(m, "id", brief_id(vy_json_str(o, value)));
	add_text(m, "name", o, "name");
	add_text(m, "text", o, "description");
	vy_json_add_take(list, m);
}

static struct vy_json *ids_of(const struct vy_json *options, const char *value)
{
	struct vy_json *list = vy_json_new_arr();

	each_option(options, value, add_id, list);
	return list;
}

static struct vy_json *models_of(const struct vy_json *options, const char *value)
{
	struct vy_json *list = vy_json_new_arr();

	each_option(options, value, add_model, list);
	return list;
}

/* How hard it can be told to try is said for all of its models alike. */
static void add_efforts(struct acp *c, const struct vy_json *options)
{
	VY_AUTO_JSON *ids = ids_of(options, "value"), *efforts = vy_json_new_arr();

	for (size_t i = 0; i < vy_json_len(ids) && i < EFFORTS_MAX; i++) {
		if (!vy_str_is(vy_json_strval(vy_json_at(ids, i)), "default")) {
			vy_json_add_take(efforts, vy_json_copy(vy_json_at(ids, i)));
		}
	}
	for (size_t i = 0; i < vy_json_len(c->models); i++) {
		vy_json_take(vy_json_at(c->models, i), "efforts", vy_json_copy(efforts));
	}
}

/* ---- mode and model ---- */

void acp_offer_asks_nobody(const struct acp *c, struct agent_out *out)
{
	agent_out_add(out, AE_BROKEN)->text = vy_str_c(vy_arena_printf(out->arena,
		"%s is in a mode in which it asks nobody, and could not be set to one of Vyre's.",
		c->who));
}

void acp_offer_mode(struct acp *c, struct vy_str id, struct agent_out *out)
{
	const char *word = acp_mode_word(acp_facts_for(c), id);

	c->is_loose = id.n ? provider_bypass(id) != NULL : c->is_loose;
	if (!id.n || (word && vy_str_is(fields_str(c->mode), word))) {
		return;
	}
	if (word) {
		fields_str_set(&c->mode, vy_str_c(word));
		if (c->is_ready) {
			agent_out_add(out, AE_MODE)->text = vy_str_c(word);
		}
		return;
	}
	if (!c->is_ready) {
		return; /* the one that is wanted is asked for */
	}
	const char *back = c->mode ? c->mode : "default";
	bool can = acp_say_mode(c, vy_str_c(back), out);

	agent_out_add(out, AE_NOTE)->text = vy_str_c(vy_arena_printf(out->arena,
		"The agent changed to the mode \"%.*s\", which Vyre does not offer; %s.",
		VY_STR_ARG(brief_one_line(id, out->arena)),
		can ? vy_arena_printf(out->arena, "it was set back to \"%s\"", back)
		    : "it has none to be set back to"));
	if (!can && c->is_loose) {
		acp_offer_asks_nobody(c, out);
	}
}

void acp_offer_model(struct acp *c, struct vy_str model, struct agent_out *out)
{
	model = brief_id(model);
	if (!model.n || vy_str_eq(model, fields_str(c->model))) {
		return;
	}
	fields_str_set(&c->model, model);
	if (c->is_ready) {
		agent_out_add(out, AE_MODEL)->text = vy_arena_str(out->arena, model);
	}
}

void acp_offer_options(struct acp *c, const struct vy_json *options, struct agent_out *out)
{
	for (size_t i = 0; i < vy_json_len(options); i++) {
		const struct vy_json *o = vy_json_at(options, i);
		struct vy_str category = vy_json_str(o, "category"), id = vy_json_str(o, "id");

		if (vy_str_is(category, "model")) {
			fields_str_set(&c->model_option, brief_id(id));
			keep(&c->models, models_of(vy_json_get(o, "options"), "value"));
			acp_offer_model(c, vy_json_str(o, "currentValue"), out);
		}
	}
	for (size_t i = 0; i < vy_json_len(options); i++) {
		const struct vy_json *o = vy_json_at(options, i);
		struct vy_str category = vy_json_str(o, "category"), id = vy_json_str(o, "id");

		if (vy_str_is(category, "mode")) {
			fields_str_set(&c->mode_option, brief_id(id));
			keep(&c->modes, ids_of(vy_json_get(o, "options"), "value"));
			acp_offer_mode(c, vy_json_str(o, "currentValue"), out);
		} else if (vy_str_is(category, "thought_level")) {
			fields_str_set(&c->effort_option, brief_id(id));
			add_efforts(c, vy_json_get(o, "options"));
		}
	}
}

void acp_offer_session(struct acp *c, const struct vy_json *result, struct agent_out *out)
{
	const struct vy_json *modes = vy_json_get(result, "modes");
	const struct vy_json *models = vy_json_get(result, "models");

	if (modes) {
		keep(&c->modes, ids_of(vy_json_get(modes, "availableModes"), "id"));
		acp_offer_mode(c, vy_json_str(modes, "currentModeId"), out);
	}
	if (models) {
		keep(&c->models, models_of(vy_json_get(models, "availableModels"), "modelId"));
		acp_offer_model(c, vy_json_str(models, "currentModelId"), out);
	}
	acp_offer_options(c, vy_json_get(result, "configOptions"), out);
}

/* ---- commands ---- */

void acp_offer_commands(struct acp *c, const struct vy_json *from, struct agent_out *out)
{
	struct vy_json *list = vy_json_new_arr();

	for (size_t i = 0; i < vy_json_len(from) && i < LIST_MAX; i++) {
		const struct vy_json *o = vy_json_at(from, i);
		struct vy_json *to = vy_json_new_obj();

		add_text(to, "name", o, "name");
		add_text(to, "text", o, "description");
		add_text(to, "hint", vy_json_get(o, "input"), "hint");
		vy_json_set_c(to, "kind", "agent");
		vy_json_add_take(list, to);
	}
	if (c->is_ready) {
		agent_out_add(out, AE_COMMANDS)->json = list;
		return;
	}
	keep(&c->commands, list);
}

struct vy_json *acp_offer_ready(const struct acp *c)
{
	struct vy_json *v = vy_json_new_obj();

	vy_json_set_str(v, "model", fields_str(c->model));
	vy_json_set_c(v, "mode", c->mode ? c->mode : "default");
	vy_json_set_str(v, "version", fields_str(c->version));
	if (c->commands) {
		vy_json_set(v, "commands", c->commands);
	}
	if (c->models) {
		vy_json_set(v, "models", c->models);
	}
	return v;
}

/* ---- choosing ---- */

static bool has_model(const struct acp *c, struct vy_str model)
{
	for (size_t i = 0; i < vy_json_len(c->models); i++) {
		if (vy_str_eq(vy_json_str(vy_json_at(c->models, i), "id"), model)) {
			return true;
		}
	}
	return false;
}

static void note(struct agent_out *out, const char *who, const char *what, struct vy_str name)
{
	agent_out_add(out, AE_NOTE)->text =
		vy_str_c(vy_arena_printf(out->arena, "%s has no %s \"%.*s\".", who, what,
			VY_STR_ARG(brief_one_line(brief_cut(name, WORDS_MAX), out->arena))));
}

/* A wish for a mode that it has not leaves it as it is; "default" is no wish of a person. */
static void want_mode(struct acp *c, struct agent_out *out)
{
	struct vy_str want = fields_str(c->want_mode);

	if (vy_str_eq(want, fields_str(c->mode)) || acp_say_mode(c, want, out)) {
		return;
	}
	if (!vy_str_is(want, "default")) {
		note(out, c->who, "mode", want);
		if (!c->mode) {
			acp_say_mode(c, VY_STR_LIT("default"), out);
		}
	}
}

void acp_offer_want(struct acp *c, struct agent_out *out)
{
	struct vy_str model = fields_str(c->want_model);

	want_mode(c, out);
	if (model.n && has_model(c, model) && !vy_str_eq(model, fields_str(c->model))) {
		acp_say_model(c, model, out);
	}
}

static void back_to_mode(struct acp *c, struct agent_out *out)
{
	agent_out_add(out, AE_MODE)->text =
		vy_arena_str(out->arena, vy_str_c(c->mode ? c->mode : "default"));
}

void acp_offer_choose(struct acp *c, const struct agent_command *cmd, struct agent_out *out)
{
	if (!c->is_ready) { /* it is what the launch wanted, only newer */
		if (cmd->kind == AC_MODE && acp_mode_of(cmd->text) < ACP_MODES) {
			fields_str_set(&c->want_mode, cmd->text);
		} else if (cmd->kind == AC_MODEL) {
			fields_str_set(&c->want_model, cmd->text);
		}
		return;
	}
	if (cmd->kind == AC_MODE && !acp_say_mode(c, cmd->text, out)) {
		note(out, c->who, "mode", cmd->text);
		back_to_mode(c, out);
	} else if (cmd->kind == AC_MODEL && has_model(c, cmd->text)) {
		acp_say_model(c, cmd->text, out);
	} else if (cmd->kind == AC_MODEL) {
		note(out, c->who, "model", cmd->text);
		if (c->model) {
			agent_out_add(out, AE_MODEL)->text =
				vy_arena_str(out->arena, fields_str(c->model));
		}
	} else if (cmd->kind == AC_EFFORT && c->effort_option) {
		acp_say_effort(c, cmd->text, out);
	} else if (cmd->kind == AC_EFFORT && cmd->text.n) {
		note(out, c->who, "effort", cmd->text);
	}
}

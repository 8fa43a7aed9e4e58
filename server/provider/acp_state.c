/* acp_state.c -- see acp_state.h. The tables below are the state's format on disk: a new field is
 * one line here; a changed meaning is a new version. */
#include "server/provider/acp_state.h"

#include <string.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define F(T, name, type)                                                                           \
	{                                                                                          \
#name, FIELD_##type, offsetof(struct T, name), NULL                                \
	}
#define F_LIST(T, name, of)                                                                        \
	{                                                                                          \
#name, FIELD_LIST, offsetof(struct T, name), &(of)                                 \
	}

static const struct field word_fields[] = {
	F(acp_word, uuid, STR),
	F(acp_word, text, STR),
	F(acp_word, context, STR),
	F(acp_word, images, JSON),
};
const struct field_set acp_word_set = FIELD_SET(word_fields, struct acp_word);

static const struct field call_fields[] = {
	F(acp_call, id, STR),
	F(acp_call, own, STR),
	F(acp_call, name, STR),
	F(acp_call, kind, STR),
	F(acp_call, title, STR),
	F(acp_call, command, STR),
	F(acp_call, text, STR),
	F(acp_call, why, STR),
	F(acp_call, state, INT),
	F(acp_call, verdict, INT),
	F(acp_call, is_running, BOOL),
	F(acp_call, was_asked, BOOL),
	F(acp_call, is_cut, BOOL),
	F(acp_call, was_checked, BOOL),
	F(acp_call, paths, JSON),
	F(acp_call, diffs, JSON),
};
const struct field_set acp_call_set = FIELD_SET(call_fields, struct acp_call);

static const struct field ours_fields[] = {
	F(acp_ours, id, INT),
	F(acp_ours, purpose, INT),
	F(acp_ours, about, STR),
};
const struct field_set acp_ours_set = FIELD_SET(ours_fields, struct acp_ours);

static const struct field theirs_fields[] = {
	F(acp_theirs, id, STR),
	F(acp_theirs, call, STR),
	F(acp_theirs, kind, INT),
	F(acp_theirs, keep, JSON),
};
const struct field_set acp_theirs_set = FIELD_SET(theirs_fields, struct acp_theirs);

static const struct field line_fields[] = { F(acp_line, text, STR) };
const struct field_set acp_line_set = FIELD_SET(line_fields, struct acp_line);

static const struct field acp_fields[] = {
	F(acp, who, STR),
	F(acp, cwd, STR),
	F(acp, system, STR),
	F(acp, session, STR),
	F(acp, want_mode, STR),
	F(acp, want_model, STR),
	F(acp, is_resume, BOOL),
	F(acp, agent, STR),
	F(acp, version, STR),
	F(acp, ways, STR),
	F(acp, can_load, BOOL),
	F(acp, can_resume, BOOL),
	F(acp, can_images, BOOL),
	F(acp, mode_option, STR),
	F(acp, model_option, STR),
	F(acp, effort_option, STR),
	F(acp, modes, JSON),
	F(acp, models, JSON),
	F(acp, commands, JSON),
	F(acp, mode, STR),
	F(acp, model, STR),
	F(acp, effort, STR),
	F(acp, is_answered, BOOL),
	F(acp, is_ready, BOOL),
	F(acp, is_loose, BOOL),
	F(acp, is_ending, BOOL),
	F(acp, is_replaying, BOOL),
	F(acp, is_late_told, BOOL),
	F(acp, was_told, BOOL),
	F(acp, next_id, INT),
	F(acp, bad_lines, INT),
	F(acp, prompt, STR),
	F(acp, in_turn, BOOL),
	F(acp, is_interrupting, BOOL),
	F(acp, denied, STR),
	F(acp, block, INT),
	F(acp, block_kind, INT),
	F(acp, block_of, STR),
	F(acp, turn_cost, REAL),
	F(acp, used, INT),
	F(acp, window, INT),
	F(acp, input, INT),
	F(acp, output, INT),
	F(acp, cost, REAL),
	F(acp, knows_cost, BOOL),
	F(acp, todo, JSON),
	F_LIST(acp, words, acp_word_set),
	F_LIST(acp, calls, acp_call_set),
	F_LIST(acp, ours, acp_ours_set),
	F_LIST(acp, theirs, acp_theirs_set),
	F_LIST(acp, stderr_tail, acp_line_set),
};
static const struct field_set acp_set = FIELD_SET(acp_fields, struct acp);

/* ---- a life ---- */

struct acp *acp_new(const struct provider_launch *l)
{
	struct acp *c = VY_NEW(struct acp);

	fields_str_set(&c->who, vy_str_c(l->conf ? l->conf->name : "acp"));
	fields_str_set(&c->cwd, l->cwd);
	fields_str_set(&c->want_mode, l->mode.n ? l->mode : VY_STR_LIT("default"));
	fields_str_set(&c->want_model, l->model);
	fields_str_set(&c->system, l->system);
	if (l->is_resume && l->agent_id.n) {
		fields_str_set(&c->session, l->agent_id);
		c->is_resume = true;
	}
	return c;
}

void acp_free(struct acp *c)
{
	if (c) {
		fields_free(&acp_set, c);
		free(c);
	}
}

void acp_encode(const struct acp *c, struct vy_jw *w)
{
	fields_state_encode(&acp_set, c, ACP_STATE_VERSION, w);
}

struct acp *acp_decode(const struct vy_json *v, struct vy_err *e)
{
	return fields_state_decode(&acp_set, ACP_STATE_VERSION, v, e);
}

const struct acp_facts *acp_facts_for(const struct acp *c)
{
	return acp_facts_of(fields_str(c->agent));
}

/* ---- finding ---- */

struct acp_call *acp_call_find(struct acp *c, struct vy_str id)
{
	for (size_t i = c->calls.n; i > 0; i--) {
		if (vy_str_eq(fields_str(c->calls.v[i - 1].id), id)) {
			return &c->calls.v[i - 1];
		}
	}
	return NULL;
}

struct acp_call *acp_call_own(struct acp *c, struct vy_str own)
{
	for (size_t i = 0; own.n && i < c->calls.n; i++) {
		if (vy_str_eq(fields_str(c->calls.v[i].own), own)) {
			return &c->calls.v[i];
		}
	}
	return NULL;
}

struct acp_theirs *acp_theirs_find(struct acp *c, struct vy_str id)
{
	for (size_t i = 0; i < c->theirs.n; i++) {
		if (vy_str_eq(fields_str(c->theirs.v[i].id), id)) {
			return &c->theirs.v[i];
		}
	}
	return NULL;
}

void acp_theirs_del(struct acp *c, struct acp_theirs *t)
{
	fields_list_del(&c->theirs, &acp_theirs_set, (size_t)(t - c->theirs.v));
}

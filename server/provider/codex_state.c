/* codex_state.c -- see codex_state.h. The tables below are the state's format on disk: a new field
 * is one line here; a changed meaning is a new version. */
#include "server/provider/codex_state.h"

#include <string.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

/* ---- the tables ---- */

#define F(T, name, type)                                                                           \
	{                                                                                          \
#name, FIELD_##type, offsetof(struct T, name), NULL                                \
	}
#define F_LIST(T, name, of)                                                                        \
	{                                                                                          \
#name, FIELD_LIST, offsetof(struct T, name), &(of)                                 \
	}

static const struct field text_fields[] = {
	F(codex_text, item, STR),
	F(codex_text, index, INT),
	F(codex_text, length, INT),
	F(codex_text, hash, INT),
	F(codex_text, is_reasoning, BOOL),
};
const struct field_set codex_text_set = FIELD_SET(text_fields, struct codex_text);

static const struct field item_fields[] = {
	F(codex_item, id, STR),
	F(codex_item, type, STR),
	F(codex_item, name, STR),
	F(codex_item, about, STR),
	F(codex_item, process, STR),
	F(codex_item, changes, JSON),
	F(codex_item, tail, STR),
	F(codex_item, printed, INT),
	F(codex_item, is_judged, BOOL),
	F(codex_item, is_behind, BOOL),
};
const struct field_set codex_item_set = FIELD_SET(item_fields, struct codex_item);

static const struct field said_fields[] = {
	F(codex_said, uuid, STR),
	F(codex_said, turn, STR),
	F(codex_said, held, STR),
	F(codex_said, is_compact, BOOL),
};
const struct field_set codex_said_set = FIELD_SET(said_fields, struct codex_said);

static const struct field ours_fields[] = {
	F(codex_ours, id, INT),
	F(codex_ours, purpose, INT),
	F(codex_ours, about, STR),
};
const struct field_set codex_ours_set = FIELD_SET(ours_fields, struct codex_ours);

static const struct field theirs_fields[] = {
	F(codex_theirs, id, STR),
	F(codex_theirs, raw, STR),
	F(codex_theirs, kind, INT),
	F(codex_theirs, keep, JSON),
};
const struct field_set codex_theirs_set = FIELD_SET(theirs_fields, struct codex_theirs);

static const struct field aside_fields[] = {
	F(codex_aside, name, STR),
	F(codex_aside, question, STR),
	F(codex_aside, thread, STR),
	F(codex_aside, turn, STR),
	F(codex_aside, answer, STR),
};
const struct field_set codex_aside_set = FIELD_SET(aside_fields, struct codex_aside);

static const struct field line_fields[] = {
	F(codex_line, text, STR),
};
const struct field_set codex_line_set = FIELD_SET(line_fields, struct codex_line);

static const struct field codex_fields[] = {
	F(codex, who, STR),
	F(codex, cwd, STR),
	F(codex, thread, STR),
	F(codex, fork_of, STR),
	F(codex, mark, STR),
	F(codex, model, STR),
	F(codex, mode, STR),
	F(codex, effort, STR),
	F(codex, version, STR),
	F(codex, hello, JSON),
	F(codex, models, JSON),
	F(codex, efforts, JSON),
	F(codex, is_trusted, BOOL),
	F(codex, is_resume, BOOL),
	F(codex, has_account, BOOL),
	F(codex, has_models, BOOL),
	F(codex, has_thread, BOOL),
	F(codex, is_ready, BOOL),
	F(codex, is_ending, BOOL),
	F(codex, was_plan, BOOL),
	F(codex, plan, STR),
	F(codex, turn, STR),
	F(codex, last_call, STR),
	F(codex, is_ordered, BOOL),
	F(codex, is_interrupting, BOOL),
	F(codex, wants_interrupt, BOOL),
	F(codex, bad_lines, INT),
	F(codex, used, INT),
	F(codex, window, INT),
	F(codex, input, INT),
	F(codex, output, INT),
	F(codex, input_before, INT),
	F(codex, output_before, INT),
	F(codex, windows, JSON),
	F(codex, limit, JSON),
	F(codex, next_id, INT),
	F_LIST(codex, texts, codex_text_set),
	F_LIST(codex, items, codex_item_set),
	F_LIST(codex, said, codex_said_set),
	F_LIST(codex, ours, codex_ours_set),
	F_LIST(codex, theirs, codex_theirs_set),
	F_LIST(codex, asides, codex_aside_set),
	F_LIST(codex, stderr_tail, codex_line_set),
};
static const struct field_set codex_set = FIELD_SET(codex_fields, struct codex);

/* ---- life ---- */

struct codex *codex_new(const struct provider_launch *l)
{
	struct codex *c = VY_NEW(struct codex);

	fields_str_set(&c->who, vy_str_c(l->conf ? l->conf->name : "codex"));
	fields_str_set(&c->cwd, l->cwd);
	fields_str_set(&c->mark, l->mark);
	fields_str_set(&c->model, l->model);
	fields_str_set(&c->mode, l->mode.n ? l->mode : VY_STR_LIT("default"));
	c->is_trusted = l->is_trusted;
	c->is_resume = l->is_resume;
	if (l->is_resume) {
		fields_str_set(&c->thread, l->agent_id.n ? l->agent_id : l->session);
	} else {
		fields_str_set(&c->fork_of, l->fork_of);
	}
	return c;
}

void codex_free(struct codex *c)
{
	if (c) {
		fields_free(&codex_set, c);
		free(c);
	}
}

void codex_encode(const struct codex *c, struct vy_jw *w)
{
	fields_state_encode(&codex_set, c, CODEX_STATE_VERSION, w);
}

struct codex *codex_decode(const struct vy_json *v, struct vy_err *e)
{
	return fields_state_decode(&codex_set, CODEX_STATE_VERSION, v, e);
}

/* ---- finding ---- */

struct codex_item *codex_item_find(struct codex *c, struct vy_str id)
{
	return fields_list_find(&c->items, &codex_item_set, offsetof(struct codex_item, id), id);
}

struct codex_said *codex_said_find(struct codex *c, struct vy_str uuid)
{
	return fields_list_find(&c->said, &codex_said_set, offsetof(struct codex_said, uuid), uuid);
}

struct codex_theirs *codex_theirs_find(struct codex *c, struct vy_str id)
{
	return fields_list_find(
		&c->theirs, &codex_theirs_set, offsetof(struct codex_theirs, id), id);
}

void codex_item_del(struct codex *c, struct codex_item *item)
{
	fields_list_del(&c->items, &codex_item_set, (size_t)(item - c->items.v));
}

void codex_said_del(struct codex *c, struct codex_said *said)
{
	fields_list_del(&c->said, &codex_said_set, (size_t)(said - c->said.v));
}

void codex_theirs_del(struct codex *c, struct codex_theirs *t)
{
	fields_list_del(&c->theirs, &codex_theirs_set, (size_t)(t - c->theirs.v));
}

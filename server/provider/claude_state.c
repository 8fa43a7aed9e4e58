/* claude_state.c -- see claude_state.h. The tables below are the state's format on disk: a new
 * field is one line here; a changed meaning is a new version. */
#include "server/provider/claude_state.h"

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
#define SET(T, fields) FIELD_SET(fields, struct T)

static const struct field block_fields[] = {
	F(claude_block, index, INT),
	F(claude_block, kind, INT),
	F(claude_block, length, INT),
	F(claude_block, hash, INT),
	F(claude_block, is_final, BOOL),
};
const struct field_set claude_block_set = SET(claude_block, block_fields);

static const struct field message_fields[] = {
	F(claude_message, id, STR),
	F(claude_message, parent, STR),
	F(claude_message, next, INT),
	F(claude_message, is_streaming, BOOL),
	F_LIST(claude_message, blocks, claude_block_set),
};
const struct field_set claude_message_set = SET(claude_message, message_fields);

static const struct field call_fields[] = {
	F(claude_call, id, STR),
	F(claude_call, name, STR),
	F(claude_call, parent, STR),
	F(claude_call, input, JSON),
};
const struct field_set claude_call_set = SET(claude_call, call_fields);

static const struct field said_fields[] = {
	F(claude_said, uuid, STR),
	F(claude_said, state, INT),
};
const struct field_set claude_said_set = SET(claude_said, said_fields);

static const struct field ours_fields[] = {
	F(claude_ours, id, INT),
	F(claude_ours, purpose, INT),
	F(claude_ours, about, STR),
};
const struct field_set claude_ours_set = SET(claude_ours, ours_fields);

static const struct field theirs_fields[] = {
	F(claude_theirs, id, STR),
	F(claude_theirs, tool_id, STR),
	F(claude_theirs, tool, STR),
	F(claude_theirs, agent, STR),
	F(claude_theirs, source, STR),
	F(claude_theirs, kind, INT),
	F(claude_theirs, keep, JSON),
};
const struct field_set claude_theirs_set = SET(claude_theirs, theirs_fields);

static const struct field sub_fields[] = {
	F(claude_sub, id, STR),
	F(claude_sub, call, STR),
	F(claude_sub, is_listed, BOOL),
};
const struct field_set claude_sub_set = SET(claude_sub, sub_fields);

static const struct field todo_fields[] = {
	F(claude_todo, id, STR),
	F(claude_todo, text, STR),
	F(claude_todo, status, INT),
};
const struct field_set claude_todo_set = SET(claude_todo, todo_fields);

static const struct field trust_fields[] = {
	F(claude_trust, source, STR),
	F(claude_trust, tool, STR),
};
const struct field_set claude_trust_set = SET(claude_trust, trust_fields);

static const struct field line_fields[] = { F(claude_line, text, STR) };
const struct field_set claude_line_set = SET(claude_line, line_fields);

static const struct field claude_fields[] = {
	F(claude, who, STR),
	F(claude, session, STR),
	F(claude, cwd, STR),
	F(claude, model, STR),
	F(claude, mode, STR),
	F(claude, version, STR),
	F(claude, is_trusted, BOOL),
	F(claude, is_ready, BOOL),
	F(claude, is_ending, BOOL),
	F(claude, has_lifecycle, BOOL),
	F(claude, can_cancel_queued, BOOL),
	F(claude, can_say_unanswered, BOOL),
	F(claude, is_strange, BOOL),
	F(claude, other_way, BOOL),
	F(claude, in_turn, BOOL),
	F(claude, has_taken, BOOL),
	F(claude, is_interrupting, BOOL),
	F(claude, last_call, STR),
	F(claude, mark, STR),
	F(claude, woke, STR),
	F(claude, bad_lines, INT),
	F(claude, used, INT),
	F(claude, window, INT),
	F(claude, input, INT),
	F(claude, output, INT),
	F(claude, cost, REAL),
	F(claude, limit, JSON),
	F(claude, next_id, INT),
	F_LIST(claude, messages, claude_message_set),
	F_LIST(claude, calls, claude_call_set),
	F_LIST(claude, said, claude_said_set),
	F_LIST(claude, ours, claude_ours_set),
	F_LIST(claude, theirs, claude_theirs_set),
	F_LIST(claude, subs, claude_sub_set),
	F_LIST(claude, todos, claude_todo_set),
	F_LIST(claude, trusted, claude_trust_set),
	F_LIST(claude, asked, claude_line_set),
	F_LIST(claude, stderr_tail, claude_line_set),
};
static const struct field_set claude_set = SET(claude, claude_fields);

/* ---- a life ---- */

struct claude *claude_new(const struct provider_launch *l)
{
	struct claude *c = VY_NEW(struct claude);

	fields_str_set(&c->who, vy_str_c(l->conf ? l->conf->name : "claude"));
	fields_str_set(&c->session, l->agent_id.n ? l->agent_id : l->session);
	fields_str_set(&c->cwd, l->cwd);
	fields_str_set(&c->mark, l->mark);
	c->is_trusted = l->is_trusted;
	fields_str_set(&c->model, l->model);
	fields_str_set(&c->mode, l->mode.n ? l->mode : VY_STR_LIT("default"));
	return c;
}

void claude_free(struct claude *c)
{
	if (c) {
		vy_json_twin_fini(&c->twin); /* first: the fields leave nothing but zeros */
		fields_free(&claude_set, c);
		free(c);
	}
}

void claude_encode(const struct claude *c, struct vy_jw *w)
{
	fields_state_encode(&claude_set, c, CLAUDE_STATE_VERSION, w);
}

struct claude *claude_decode(const struct vy_json *v, struct vy_err *e)
{
	return fields_state_decode(&claude_set, CLAUDE_STATE_VERSION, v, e);
}

/* ---- finding ---- */

struct claude_call *claude_call_find(struct claude *c, struct vy_str id)
{
	return fields_list_find(&c->calls, &claude_call_set, offsetof(struct claude_call, id), id);
}

struct claude_said *claude_said_find(struct claude *c, struct vy_str uuid)
{
	return fields_list_find(
		&c->said, &claude_said_set, offsetof(struct claude_said, uuid), uuid);
}

struct claude_theirs *claude_theirs_find(struct claude *c, struct vy_str id)
{
	return fields_list_find(
		&c->theirs, &claude_theirs_set, offsetof(struct claude_theirs, id), id);
}

struct claude_message *claude_message_find(struct claude *c, struct vy_str parent)
{
	return fields_list_find(
		&c->messages, &claude_message_set, offsetof(struct claude_message, parent), parent);
}

struct claude_sub *claude_sub_find(struct claude *c, struct vy_str id)
{
	return fields_list_find(&c->subs, &claude_sub_set, offsetof(struct claude_sub, id), id);
}

void claude_call_del(struct claude *c, struct claude_call *call)
{
	fields_list_del(&c->calls, &claude_call_set, (size_t)(call - c->calls.v));
}

void claude_said_del(struct claude *c, struct claude_said *said)
{
	fields_list_del(&c->said, &claude_said_set, (size_t)(said - c->said.v));
}

void claude_theirs_del(struct claude *c, struct claude_theirs *t)
{
	fields_list_del(&c->theirs, &claude_theirs_set, (size_t)(t - c->theirs.v));
}

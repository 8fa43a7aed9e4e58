/* rewind.c -- see rewind.h. */
#include "server/session/rewind.h"

#include <stdlib.h>
#include <string.h>

#include "server/provider/provider.h"
#include "shared/base/mem.h"
#include "shared/model/message.h"
#include "shared/base/ban.h"

/* ---- marks ---- */

struct vy_json *rewind_mark_json(const struct rewind_mark *m)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_str(o, "as", m->as);
	vy_json_set_str(o, "agent", m->agent);
	vy_json_set_str(o, "at", m->at);
	vy_json_set_int(o, "chapter", m->chapter);
	return o;
}

bool rewind_mark_read(struct vy_str json, struct vy_arena *mem, struct rewind_mark *out)
{
	VY_AUTO_JSON *v = vy_json_parse(json, NULL);

	*out = (struct rewind_mark){
		.as = vy_arena_str(mem, vy_json_str(v, "as")),
		.agent = vy_arena_str(mem, vy_json_str(v, "agent")),
		.at = vy_arena_str(mem, vy_json_str(v, "at")),
		.chapter = vy_json_int(v, "chapter", 0),
	};
	return out->as.n > 0 && out->agent.n > 0;
}

/* ---- checks ---- */

static int check_agent(const struct rewind_ask *a, struct vy_err *e)
{
	if (a->is_copy ? !a->caps->can_fork : !a->caps->can_rewind) {
		return vy_fail(
			e, VY_UNSUPPORTED, "%s cannot go back in a conversation", a->provider);
	}
	if (!a->mark) {
		return vy_fail(e, VY_UNSUPPORTED,
			"the agent never took this message, or before there were marks to go back "
			"to");
	}
	if (a->mark->at.n && a->mark->chapter != a->chapter) {
		return vy_fail(e, VY_UNSUPPORTED,
			"the agent has summarised the conversation since: it cannot go back behind "
			"that");
	}
	return 0;
}

int rewind_check(const struct rewind_ask *a, struct vy_err *e)
{
	const struct vy_message *m = a->message;

	if (m->revision == 0) {
		return vy_fail(e, VY_NOT_FOUND,
			"params.message: there is no such message in this session");
	}
	if (m->role != VY_ROLE_USER) {
		return vy_fail(e, VY_BAD_INPUT,
			"params.message: expected a person's message, this is an assistant's");
	}
	if (!a->is_copy && !vy_str_eq(m->author, a->who)) {
		return vy_fail(
			e, VY_DENIED, "this message is another's: you can go back to your own");
	}
	if (m->state == VY_MESSAGE_PENDING) {
		return vy_fail(e, VY_CONFLICT, "this message still waits: take it back instead");
	}
	if (m->state == VY_MESSAGE_DELETED) {
		return vy_fail(e, VY_CONFLICT, "this message is taken back already");
	}
	return check_agent(a, e);
}

/* ---- in a turn ---- */

void rewind_step_fini(struct rewind_step *s)
{
	free(s->message);
	free(s->agent);
	free(s->at);
	free(s->fork_of);
	free(s->files);
	*s = (struct rewind_step){ 0 };
}

static void drop_all(struct rewind *r)
{
	while (r->n > 0) {
		rewind_step_fini(&r->redo[--r->n]);
	}
}

void rewind_fini(struct rewind *r)
{
	drop_all(r);
	free(r->at);
	free(r->fork_of);
	free(r->key);
	free(r->answer);
	vy_json_free(r->pending);
	*r = (struct rewind){ 0 };
}

void rewind_push(struct rewind *r, const struct rewind_step *own)
{
	if (r->n == REWIND_REDO_MAX) {
		rewind_step_fini(&r->redo[0]);
		memmove(&r->redo[0], &r->redo[1], (REWIND_REDO_MAX - 1) * sizeof(r->redo[0]));
		r->n--;
	}
	r->redo[r->n++] = *own;
}

void rewind_taken(struct rewind *r)
{
	drop_all(r);
	free(r->fork_of);
	r->fork_of = NULL;
	r->is_due = r->is_root = false;
}

/* ---- as JSON ---- */

struct vy_json *rewind_json(const struct rewind *r)
{
	struct vy_json *o = vy_json_new_obj(), *redo = vy_json_new_arr();

	vy_json_set_c(o, "at", r->at);
	vy_json_set_c(o, "fork_of", r->fork_of);
	vy_json_set_c(o, "key", r->key);
	vy_json_set_c(o, "answer", r->answer);
	vy_json_set_int(o, "chapter", r->chapter);
	vy_json_set_bool(o, "due", r->is_due);
	vy_json_set_bool(o, "root", r->is_root);
	for (size_t i = 0; i < r->n; i++) {
		const struct rewind_step *s = &r->redo[i];
		struct vy_json *v = vy_json_new_obj();

		vy_json_set_c(v, "message", s->message);
		vy_json_set_c(v, "agent", s->agent);
		vy_json_set_c(v, "at", s->at);
		vy_json_set_c(v, "fork_of", s->fork_of);
		vy_json_set_c(v, "files", s->files);
		vy_json_set_int(v, "to", s->to);
		vy_json_set_bool(v, "taken", s->was_taken);
		vy_json_set_bool(v, "back", s->was_back);
		vy_json_set_int(v, "chapter", s->chapter);
		vy_json_add_take(redo, v);
	}
	vy_json_take(o, "redo", redo);
	vy_json_set(o, "pending", r->pending);
	return o;
}

void rewind_load(struct rewind *r, const struct vy_json *v)
{
	const struct vy_json *redo = vy_json_get(v, "redo");

	rewind_fini(r);
	r->at = vy_strdup(vy_json_cstr(v, "at"));
	r->fork_of = vy_strdup(vy_json_cstr(v, "fork_of"));
	r->key = vy_strdup(vy_json_cstr(v, "key"));
	r->answer = vy_strdup(vy_json_cstr(v, "answer"));
	r->chapter = vy_json_int(v, "chapter", 0);
	r->pending = vy_json_type(vy_json_get(v, "pending")) == VY_JSON_OBJ
			     ? vy_json_ref(vy_json_get(v, "pending"))
			     : NULL;
	r->is_due = vy_json_bool(v, "due", false);
	r->is_root = vy_json_bool(v, "root", false);
	for (size_t i = 0; i < vy_json_len(redo) && r->n < REWIND_REDO_MAX; i++) {
		const struct vy_json *s = vy_json_at(redo, i);

		if (!vy_json_cstr(s, "message") || !vy_json_cstr(s, "agent")) {
			continue; /* damaged: there is one way back less */
		}
		r->redo[r->n++] = (struct rewind_step){
			.message = vy_strdup(vy_json_cstr(s, "message")),
			.agent = vy_strdup(vy_json_cstr(s, "agent")),
			.at = vy_strdup(vy_json_cstr(s, "at")),
			.fork_of = vy_strdup(vy_json_cstr(s, "fork_of")),
			.files = vy_strdup(vy_json_cstr(s, "files")),
			.to = vy_json_int(s, "to", 0),
			.was_taken = vy_json_bool(s, "taken", false),
			.was_back = vy_json_bool(s, "back", false),
			.chapter = vy_json_int(s, "chapter", 0),
		};
	}
}

/* elsewhere.c -- see elsewhere.h. They are few (who has a claude open in a terminal, and what waits for
 * it), so each list is a JSON array of what will be stored, and each question a walk. */
#include "server/session/elsewhere.h"

#include <string.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define VERSION 1

/* ---- the judgement ---- */

void elsewhere_judge(const struct elsewhere_seen *seen, struct elsewhere_is *out)
{
	const struct elsewhere_proc *const held[] = { &seen->bound, &seen->named, &seen->has_file };
	int64_t quiet_ms = seen->grew_ms + ELSEWHERE_QUIET_MS;

	*out = (struct elsewhere_is){ .what = ELSEWHERE_NOWHERE };
	for (size_t i = 0; i < VY_COUNT(held); i++) {
		if (held[i]->pid > 0) {
			out->what = ELSEWHERE_HELD;
			out->by = *held[i];
			return;
		}
	}
	/* A file of the future is a clock that went back: nobody can say since when it is quiet. */
	if (seen->grew_ms > seen->explained_ms && seen->now_ms < quiet_ms &&
		seen->grew_ms <= seen->now_ms + ELSEWHERE_QUIET_MS) {
		out->what = ELSEWHERE_GROWING;
		out->until_ms = quiet_ms;
	}
}

void elsewhere_say(const struct elsewhere_is *is, const char *program, struct vy_buf *out)
{
	if (is->what == ELSEWHERE_HELD) {
		vy_buf_addf(out,
			"%s (process %lld) has this conversation open. What is said here waits "
			"until "
			"that has ended; a fork goes on at once.",
			program && program[0] ? program : "Another program", (long long)is->by.pid);
	} else if (is->what == ELSEWHERE_GROWING) {
		vy_buf_adds(out,
			"Another program wrote into this conversation just now. What is said here "
			"waits until it has been quiet for half a minute; a fork goes on at once.");
	}
}

/* ---- the ledger ---- */

struct bound {
	struct elsewhere_bound is;
	struct vy_json *calls; /* {call: agent or ""} */
};

struct elsewhere {
	uint64_t rev;
	struct bound *bound;
	size_t n_bound, cap_bound;
	struct elsewhere_wait *waits;
	size_t n_waits, cap_waits;
	struct vy_json *explained; /* {conversation: ms} */
	struct vy_json *lent;      /* {token: {session, messages}} */
};

struct elsewhere *elsewhere_new(void)
{
	struct elsewhere *e = VY_NEW(struct elsewhere);

	e->explained = vy_json_new_obj();
	e->lent = vy_json_new_obj();
	return e;
}

static char *dup_str(struct vy_str s)
{
	return vy_memdup0(s.p, s.n);
}

static void bound_fini(struct bound *b)
{
	free((char *)b->is.conversation);
	free((char *)b->is.program);
	vy_json_free(b->calls);
}

static void wait_fini(struct elsewhere_wait *w)
{
	free((char *)w->session);
	free((char *)w->conversation);
}

static void clear(struct elsewhere *e)
{
	for (size_t i = 0; i < e->n_bound; i++) {
		bound_fini(&e->bound[i]);
	}
	for (size_t i = 0; i < e->n_waits; i++) {
		wait_fini(&e->waits[i]);
	}
	e->n_bound = e->n_waits = 0;
	vy_json_free(e->explained);
	vy_json_free(e->lent);
	e->explained = vy_json_new_obj();
	e->lent = vy_json_new_obj();
}

void elsewhere_free(struct elsewhere *e)
{
	if (e) {
		clear(e);
		vy_json_free(e->explained);
		vy_json_free(e->lent);
		free(e->bound);
		free(e->waits);
		free(e);
	}
}

uint64_t elsewhere_rev(const struct elsewhere *e)
{
	return e->rev;
}

static bool is_proc(const struct elsewhere_proc *a, const struct elsewhere_proc *b)
{
	return a->pid == b->pid && a->born == b->born;
}

static struct bound *find(const struct elsewhere *e, const struct elsewhere_proc *p)
{
	for (size_t i = 0; i < e->n_bound; i++) {
		if (is_proc(&e->bound[i].is.proc, p)) {
			return &e->bound[i];
		}
	}
	return NULL;
}

static struct bound *add_bound(struct elsewhere *e, const struct elsewhere_proc *p,
	struct vy_str conversation, struct vy_str program)
{
	e->bound = vy_grow(e->bound, &e->cap_bound, e->n_bound + 1, sizeof(*e->bound));
	struct bound *b = &e->bound[e->n_bound++];

	*b = (struct bound){ .is = { *p, dup_str(conversation), dup_str(program) },
		.calls = vy_json_new_obj() };
	e->rev++;
	return b;
}

bool elsewhere_bind(struct elsewhere *e, const struct elsewhere_proc *p, struct vy_str conversation,
	struct vy_str program)
{
	struct bound *b = find(e, p);

	if (b && vy_str_is(conversation, b->is.conversation)) {
		return false;
	}
	if (b) {
		free((char *)b->is.conversation);
		b->is.conversation = dup_str(conversation);
		e->rev++;
	} else {
		add_bound(e, p, conversation, program);
	}
	return true;
}

bool elsewhere_unbind(struct elsewhere *e, const struct elsewhere_proc *p)
{
	struct bound *b = find(e, p);

	if (b) {
		bound_fini(b);
		*b = e->bound[--e->n_bound];
		e->rev++;
	}
	return b != NULL;
}

const struct elsewhere_bound *elsewhere_of(const struct elsewhere *e, struct vy_str conversation)
{
	for (size_t i = 0; i < e->n_bound; i++) {
		if (vy_str_is(conversation, e->bound[i].is.conversation)) {
			return &e->bound[i].is;
		}
	}
	return NULL;
}

const struct elsewhere_bound *elsewhere_by(
	const struct elsewhere *e, const struct elsewhere_proc *p)
{
	const struct bound *b = find(e, p);

	return b ? &b->is : NULL;
}

const struct elsewhere_bound *elsewhere_at(const struct elsewhere *e, size_t i)
{
	return i < e->n_bound ? &e->bound[i].is : NULL;
}

static void set_int(struct vy_json *o, struct vy_str key, int64_t n)
{
	char *name = dup_str(key);

	vy_json_set_int(o, name, n);
	free(name);
}

void elsewhere_explain(struct elsewhere *e, struct vy_str conversation, int64_t ms, int64_t now_ms)
{
	struct vy_json *kept = vy_json_new_obj(), *value;
	const char *name;

	VY_JSON_EACH (e->explained, name, value) {
		if (vy_json_intval(value, 0) + ELSEWHERE_QUIET_MS > now_ms) {
			vy_json_set(kept, name, value);
		}
	}
	vy_json_free(e->explained);
	e->explained = kept;
	set_int(e->explained, conversation, ms);
	e->rev++;
}

int64_t elsewhere_explained(const struct elsewhere *e, struct vy_str conversation)
{
	char *name = dup_str(conversation);
	int64_t ms = vy_json_int(e->explained, name, 0);

	free(name);
	return ms;
}

/* ---- calls ---- */

static void set_call(struct elsewhere *e, struct bound *b, struct vy_str call, struct vy_str agent)
{
	char *name = dup_str(call);

	vy_json_set_str(b->calls, name, agent);
	free(name);
	e->rev++;
}

void elsewhere_call(struct elsewhere *e, const struct elsewhere_proc *p, struct vy_str call)
{
	struct bound *b = find(e, p);

	if (b) {
		set_call(e, b, call, vy_str_n("", 0));
	}
}

void elsewhere_call_is(struct elsewhere *e, const struct elsewhere_proc *p, struct vy_str call,
	struct vy_str agent)
{
	struct bound *b = find(e, p);
	char *name = dup_str(call);

	if (b && vy_json_get(b->calls, name)) {
		set_call(e, b, call, agent);
	}
	free(name);
}

static bool drop_call(struct elsewhere *e, struct bound *b, const char *call, struct vy_buf *name)
{
	vy_buf_adds(name, call);
	vy_json_del(b->calls, vy_buf_c(name)); /* `call` was the object's own */
	e->rev++;
	return true;
}

bool elsewhere_call_over(struct elsewhere *e, const struct elsewhere_proc *p, struct vy_str call,
	struct vy_str agent, struct vy_buf *name)
{
	struct bound *b = find(e, p);
	const char *is;
	struct vy_json *value;

	if (!b) {
		return false;
	}
	VY_JSON_EACH (b->calls, is, value) {
		bool is_it = call.n ? vy_str_is(call, is)
				    : agent.n && vy_str_eq(agent, vy_json_strval(value));

		if (is_it) {
			return drop_call(e, b, is, name);
		}
	}
	return false;
}

static bool runs(const struct vy_json *running, struct vy_str agent)
{
	for (size_t i = 0; i < vy_json_len(running); i++) {
		if (agent.n && vy_str_eq(vy_json_strval(vy_json_at(running, i)), agent)) {
			return true;
		}
	}
	return false;
}

bool elsewhere_call_stale(struct elsewhere *e, const struct elsewhere_proc *p,
	const struct vy_json *running, struct vy_buf *name)
{
	struct bound *b = find(e, p);
	const char *is;
	struct vy_json *value;

	if (!b) {
		return false;
	}
	VY_JSON_EACH (b->calls, is, value) {
		if (!runs(running, vy_json_strval(value))) {
			return drop_call(e, b, is, name);
		}
	}
	return false;
}

/* ---- sessions that wait ---- */

static struct elsewhere_wait *find_wait(const struct elsewhere *e, struct vy_str session)
{
	for (size_t i = 0; i < e->n_waits; i++) {
		if (vy_str_is(session, e->waits[i].session)) {
			return &e->waits[i];
		}
	}
	return NULL;
}

void elsewhere_wait(struct elsewhere *e, struct vy_str session, struct vy_str conversation,
	const struct elsewhere_is *is)
{
	struct elsewhere_wait *w = find_wait(e, session);

	if (!w) {
		e->waits = vy_grow(e->waits, &e->cap_waits, e->n_waits + 1, sizeof(*e->waits));
		w = &e->waits[e->n_waits++];
		*w = (struct elsewhere_wait){ .session = dup_str(session),
			.conversation = dup_str(conversation) };
	}
	w->by = is->by;
	w->until_ms = is->until_ms;
	e->rev++;
}

bool elsewhere_unwait(struct elsewhere *e, struct vy_str session)
{
	struct elsewhere_wait *w = find_wait(e, session);

	if (w) { /* the others keep their order */
		size_t i = (size_t)(w - e->waits);

		wait_fini(w);
		memmove(w, w + 1, (--e->n_waits - i) * sizeof(*w));
		e->rev++;
	}
	return w != NULL;
}

const struct elsewhere_wait *elsewhere_waiting(const struct elsewhere *e, size_t i)
{
	return i < e->n_waits ? &e->waits[i] : NULL;
}

const struct elsewhere_wait *elsewhere_wait_of(const struct elsewhere *e, struct vy_str session)
{
	return find_wait(e, session);
}

const struct elsewhere_wait *elsewhere_wait_for(
	const struct elsewhere *e, struct vy_str conversation)
{
	for (size_t i = 0; i < e->n_waits; i++) {
		if (vy_str_is(conversation, e->waits[i].conversation)) {
			return &e->waits[i];
		}
	}
	return NULL;
}

/* ---- words on their way ---- */

void elsewhere_lend(
	struct elsewhere *e, struct vy_str session, const char *token, struct vy_json *messages)
{
	struct vy_json *kept = vy_json_new_obj(), *o = vy_json_new_obj(), *value;
	const char *name;

	VY_JSON_EACH (e->lent, name, value) {
		if (!vy_str_eq(vy_json_str(value, "session"), session)) {
			vy_json_set(kept, name, value);
		}
	}
	vy_json_set_str(o, "session", session);
	vy_json_set(o, "messages", messages);
	vy_json_take(kept, token, o);
	vy_json_free(e->lent);
	e->lent = kept;
	e->rev++;
}

struct vy_json *elsewhere_lent(struct elsewhere *e, struct vy_str token, struct vy_buf *session)
{
	char *name = dup_str(token);
	const struct vy_json *o = vy_json_get(e->lent, name);
	struct vy_json *messages = NULL;

	if (o) {
		vy_buf_addstr(session, vy_json_str(o, "session"));
		messages = vy_json_ref(vy_json_get(o, "messages"));
		vy_json_del(e->lent, name);
		e->rev++;
	}
	free(name);
	return messages;
}

/* ---- as it is stored ---- */

static void put_proc(struct vy_json *o, const struct elsewhere_proc *p)
{
	vy_json_set_int(o, "pid", p->pid);
	vy_json_set_int(o, "born", (int64_t)p->born);
}

static struct elsewhere_proc get_proc(const struct vy_json *o)
{
	return (struct elsewhere_proc){ vy_json_int(o, "pid", 0),
		(uint64_t)vy_json_int(o, "born", 0) };
}

struct vy_json *elsewhere_encode(const struct elsewhere *e)
{
	struct vy_json *o = vy_json_new_obj(), *bound = vy_json_new_arr(),
		       *waits = vy_json_new_arr();

	for (size_t i = 0; i < e->n_bound; i++) {
		struct vy_json *b = vy_json_new_obj();

		put_proc(b, &e->bound[i].is.proc);
		vy_json_set_c(b, "conversation", e->bound[i].is.conversation);
		vy_json_set_c(b, "program", e->bound[i].is.program);
		vy_json_take(b, "calls", vy_json_copy(e->bound[i].calls));
		vy_json_add_take(bound, b);
	}
	for (size_t i = 0; i < e->n_waits; i++) {
		struct vy_json *w = vy_json_new_obj();

		put_proc(w, &e->waits[i].by);
		vy_json_set_c(w, "session", e->waits[i].session);
		vy_json_set_c(w, "conversation", e->waits[i].conversation);
		vy_json_set_int(w, "until", e->waits[i].until_ms);
		vy_json_add_take(waits, w);
	}
	vy_json_set_int(o, "v", VERSION);
	vy_json_take(o, "bound", bound);
	vy_json_take(o, "waits", waits);
	vy_json_take(o, "explained", vy_json_copy(e->explained));
	vy_json_take(o, "lent", vy_json_copy(e->lent));
	return o;
}

bool elsewhere_decode(struct elsewhere *e, const struct vy_json *v)
{
	const struct vy_json *bound = vy_json_get(v, "bound"), *waits = vy_json_get(v, "waits");

	clear(e);
	e->rev++;
	if (vy_json_int(v, "v", 0) != VERSION) {
		return false;
	}
	for (size_t i = 0; i < vy_json_len(bound); i++) {
		const struct vy_json *b = vy_json_at(bound, i);
		struct elsewhere_proc p = get_proc(b);
		struct bound *is =
			add_bound(e, &p, vy_json_str(b, "conversation"), vy_json_str(b, "program"));

		if (vy_json_type(vy_json_get(b, "calls")) == VY_JSON_OBJ) {
			vy_json_free(is->calls);
			is->calls = vy_json_copy(vy_json_get(b, "calls"));
		}
	}
	for (size_t i = 0; i < vy_json_len(waits); i++) {
		const struct vy_json *w = vy_json_at(waits, i);
		const struct elsewhere_is is = { .by = get_proc(w),
			.until_ms = vy_json_int(w, "until", 0) };

		elsewhere_wait(e, vy_json_str(w, "session"), vy_json_str(w, "conversation"), &is);
	}
	if (vy_json_type(vy_json_get(v, "explained")) == VY_JSON_OBJ) {
		vy_json_free(e->explained);
		e->explained = vy_json_copy(vy_json_get(v, "explained"));
	}
	if (vy_json_type(vy_json_get(v, "lent")) == VY_JSON_OBJ) {
		vy_json_free(e->lent);
		e->lent = vy_json_copy(vy_json_get(v, "lent"));
	}
	return true;
}

/* session_ask.c -- what is asked of an agent beside its conversation: a side question, what a task
 * printed so far. Its answer goes to who asked and is in no history.
 *
 * What is asked is the session's alone: the turn does not know of it, no frame tells, and a vyred that
 * dies has forgotten it together with the connection it came by. An agent that rests is woken. */
#include "server/session/session_in.h"

#include <stdlib.h>

#include "shared/base/hash.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

#define ASKED_MAX 8
#define ASKED_MS  120000 /* an agent that says nothing at all */

struct session_asked {
	struct session *s;
	char name[VY_UUID_LEN + 1];
	enum session_query what;
	char *text;
	bool is_told;
	session_reply_fn *fn;
	void *ctx;
	struct vy_timer *limit;
	LIST_ENTRY(session_asked) link;
};

static void asked_free(struct session_asked *q)
{
	LIST_REMOVE(q, link);
	vy_timer_del(q->limit);
	free(q->text);
	free(q);
}

static void fail(struct session_asked *q, const struct vy_err *why)
{
	struct session_asked gone = *q;

	asked_free(q); /* first: who hears of it may ask again */
	gone.fn(gone.ctx, NULL, why);
}

static void tell(struct session *s, struct session_asked *q, enum agent_command_kind kind)
{
	struct effect *e = effects_add(&s->fx, FX_COMMAND);

	e->command.kind = kind;
	e->command.message = vy_arena_str(&s->arena, vy_str_c(q->name));
	if (kind != AC_FORGET) {
		e->command.text = vy_arena_str(&s->arena, vy_str_c(q->text));
		q->is_told = true;
	}
}

void session_tell_asked(struct session *s)
{
	struct session_asked *q;

	LIST_FOREACH (q, &s->asked, link) {
		if (!q->is_told) {
			tell(s, q, q->what == SESSION_ASIDE ? AC_ASIDE : AC_TASK_OUTPUT);
		}
	}
}

static void take_back(struct session_asked *q, const struct vy_err *why)
{
	struct session *s = q->s;

	if (q->is_told) {
		tell(s, q, AC_FORGET);
	}
	fail(q, why);
	session_let_sleep(s);
	session_run(s);
}

static void on_limit(void *ctx)
{
	struct vy_err e = { 0 };

	vy_fail(&e, VY_GONE, "the agent did not answer within %d seconds; nothing was changed",
		ASKED_MS / 1000);
	take_back(ctx, &e);
}

static int can_ask(const struct session *s, enum session_query what, struct vy_err *e)
{
	const char *cap = what == SESSION_ASIDE ? "aside" : "task_output";
	const struct session_asked *q;
	size_t n = 0;

	if (!vy_json_bool(s->record->capabilities, cap, false)) {
		return what == SESSION_ASIDE
			       ? vy_fail(e, VY_UNSUPPORTED,
					 "%s takes no side questions; send it as a message, or ask "
					 "in "
					 "another session",
					 s->record->provider)
			       : vy_fail(e, VY_UNSUPPORTED, "%s does not show what its tasks print",
					 s->record->provider);
	}
	if (what == SESSION_ASIDE && turn_is_spent(s->turn)) {
		return vy_fail(e, VY_CONFLICT,
			"what this session may cost is spent: raise its budget, then ask");
	}
	LIST_FOREACH (q, &s->asked, link) {
		n++;
	}
	return n < ASKED_MAX
		       ? 0
		       : vy_fail(e, VY_BUSY,
				 "%d side questions of this session wait for an answer already",
				 ASKED_MAX);
}

int session_ask(struct session *s, enum session_query what, struct vy_str text,
	session_reply_fn *fn, void *ctx, struct vy_err *e)
{
	if (can_ask(s, what, e) != 0) {
		return -1;
	}
	if (turn_is_stopping(s->turn)) {
		return vy_fail(e, VY_CONFLICT, "the agent is leaving: ask again in a moment");
	}
	struct session_asked *q = VY_NEW(struct session_asked);

	q->s = s;
	q->what = what;
	q->text = vy_memdup0(text.p, text.n);
	q->fn = fn;
	q->ctx = ctx;
	q->limit = vy_loop_timer(s->conf->loop, on_limit, q);
	vy_uuid(q->name);
	vy_timer_set(q->limit, ASKED_MS);
	LIST_INSERT_HEAD(&s->asked, q, link);
	if (turn_wake(s->turn, &s->fx)) {
		session_tell_asked(s);
	}
	session_run(s);
	return 0;
}

size_t session_ask_back(struct session *s, enum session_query what)
{
	struct session_asked *q, *next;
	struct vy_err e = { 0 };
	size_t n = 0;

	vy_fail(&e, VY_GONE, "the question was taken back");
	for (q = LIST_FIRST(&s->asked); q; q = next) {
		next = LIST_NEXT(q, link);
		if (q->what == what) {
			take_back(q, &e);
			n++;
		}
	}
	return n;
}

void session_replied(struct session *s, const struct agent_event *ev)
{
	struct session_asked *q;

	LIST_FOREACH (q, &s->asked, link) {
		if (!vy_str_is(ev->message, q->name)) {
			continue;
		}
		if (ev->outcome == AGENT_OK) {
			struct session_asked told = *q;
			struct session_reply r = { ev->text, vy_json_int(ev->json, "total", 0),
				vy_json_bool(ev->json, "truncated", false) };

			asked_free(q);
			told.fn(told.ctx, &r, NULL);
		} else {
			struct vy_err e = { 0 };

			vy_fail(&e, VY_UNSUPPORTED, "the agent did not answer: %.*s",
				VY_STR_ARG(ev->text));
			fail(q, &e);
		}
		return;
	}
}

void session_asked_drop(struct session *s)
{
	struct vy_err e = { 0 };
	struct session_asked *q;

	vy_fail(&e, VY_GONE, "the agent ended before it answered");
	while ((q = LIST_FIRST(&s->asked))) {
		fail(q, &e);
	}
}

/* ---- who waits for an agent that is not there yet ---- */

bool session_is_waited_for(const struct session *s)
{
	return !LIST_EMPTY(&s->asked) || s->files;
}

void session_let_sleep(struct session *s)
{
	if (!session_is_waited_for(s)) {
		turn_unwake(s->turn, &s->fx);
	}
}

void session_nobody_comes(struct session *s)
{
	struct vy_err e = { 0 };
	struct session_asked *q;

	if (turn_wants(s->turn) || turn_has_process(s->turn)) {
		return;
	}
	vy_fail(&e, VY_GONE,
		"the session left the line for an agent before it had one: ask again, or say "
		"something");
	while ((q = LIST_FIRST(&s->asked))) {
		fail(q, &e);
	}
	session_files_left(s, &e);
}

/* share.c -- see share.h. */
#include "tui/app/share.h"

#include <stdio.h>
#include <stdlib.h>

#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "tui/net/rpc.h"
#include "shared/base/ban.h"

struct share {
	struct rpc *rpc;
	struct share_events ev;
	void *ctx;
	struct vy_timer *timer;
	int64_t pause_ms;
	char session[VY_UUID_LEN + 1];
	struct share_mark mark;
	bool is_up, is_read; /* the server's was read since the session was opened */
	bool is_off;         /* the server knows no drafts */
	uint64_t changes, sent_changes;
	struct rpc_call *call; /* NULL: none under way */
};

struct share_mark share_mark(const struct share *s)
{
	return s->mark;
}

static void go_on(struct share *s);

static void stop(struct share *s)
{
	rpc_cancel(s->call);
	s->call = NULL;
	vy_timer_set(s->timer, -1);
}

static struct vy_json *params_of(const struct share *s)
{
	struct vy_json *p = vy_json_new_obj();

	vy_json_set_c(p, "session", s->session);
	return p;
}

/* ---- writing ---- */

static void on_set(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct share *s = ctx;

	s->call = NULL;
	s->ev.look(s->ctx);
	if (e->code == VY_OK) {
		s->mark.rev = vy_json_int(result, "rev", s->mark.rev);
		s->mark.is_sent = s->changes == s->sent_changes;
		s->ev.settled(s->ctx);
	} else if (e->code == VY_CONFLICT) {
		s->is_read = false; /* another screen was faster */
	} else {
		s->is_off = e->code == VY_UNSUPPORTED || e->code == VY_NOT_FOUND;
		return; /* the next change tries again, or the line when it is up */
	}
	go_on(s);
}

static void push(struct share *s)
{
	struct vy_json *draft = NULL, *p;
	char key[VY_UUID_LEN + 1];

	if (!s->ev.ours(s->ctx, &draft)) {
		return;
	}
	p = params_of(s);
	vy_json_take(p, "draft", draft);
	vy_json_set_int(p, "if_rev", s->mark.rev);
	vy_uuid(key);
	s->sent_changes = s->changes;
	s->call = rpc_call(s->rpc, "threads.draft.set", p, key, 0, on_set, s);
}

/* ---- reading ---- */

static bool is_same(const struct vy_json *a, const struct vy_json *b)
{
	const struct vy_json *x = vy_json_get(a, "parts"), *y = vy_json_get(b, "parts");

	return vy_json_len(x) == vy_json_len(y) && (vy_json_len(x) == 0 || vy_json_equal(x, y));
}

/* Both were changed since they were one. */
static void meet(struct share *s, const struct vy_json *draft)
{
	struct vy_json *ours = NULL;
	bool is_known = s->ev.ours(s->ctx, &ours);

	if (vy_json_len(vy_json_get(draft, "parts")) && !(is_known && is_same(ours, draft))) {
		s->ev.other(s->ctx, draft);
	}
	vy_json_free(ours);
}

static void on_get(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct share *s = ctx;
	const struct vy_json *draft = vy_json_get(result, "draft");
	int64_t rev = vy_json_int(result, "rev", 0);

	s->call = NULL;
	if (e->code != VY_OK) {
		s->is_off = e->code == VY_UNSUPPORTED || e->code == VY_NOT_FOUND;
		return;
	}
	s->ev.look(s->ctx);
	s->is_read = true;
	if (rev != s->mark.rev) {
		s->mark.is_sent ? s->ev.theirs(s->ctx, draft) : meet(s, draft);
		s->mark.rev = rev;
		s->ev.settled(s->ctx);
	}
	go_on(s);
}

/* ---- what to do next ---- */

static void go_on(struct share *s)
{
	if (!s->is_up || s->is_off || s->call || !s->session[0]) {
		return;
	}
	if (!s->is_read) {
		s->call = rpc_call(s->rpc, "threads.draft.get", params_of(s), NULL, 0, on_get, s);
	} else if (!s->mark.is_sent && !vy_timer_is_set(s->timer)) {
		push(s);
	}
}

static void on_timer(void *ctx)
{
	go_on(ctx);
}

void share_changed(struct share *s)
{
	s->changes++;
	s->mark.is_sent = false;
	vy_timer_set(s->timer, s->pause_ms);
}

void share_up(struct share *s)
{
	s->is_up = true;
	go_on(s);
}

void share_down(struct share *s)
{
	s->is_up = false;
	stop(s);
}

void share_open(struct share *s, const char *session, struct share_mark mark)
{
	stop(s);
	snprintf(s->session, sizeof(s->session), "%s", session);
	s->mark = mark;
	s->is_read = false;
	go_on(s);
}

/* ---- life ---- */

struct share *share_new(struct vy_loop *l, struct rpc *rpc, int64_t pause_ms,
	const struct share_events *ev, void *ctx)
{
	struct share *s = VY_NEW(struct share);

	s->rpc = rpc;
	s->pause_ms = pause_ms;
	s->ev = *ev;
	s->ctx = ctx;
	s->mark = (struct share_mark){ -1, true };
	s->timer = vy_loop_timer(l, on_timer, s);
	return s;
}

void share_free(struct share *s)
{
	if (s) {
		stop(s);
		vy_timer_del(s->timer);
		free(s);
	}
}

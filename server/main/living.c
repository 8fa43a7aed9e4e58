/* living.c -- see living.h. */
#include "server/main/living.h"

#include "server/session/runner.h"
#include "server/session/session.h"
#include "server/session/table.h"
#include "server/term/terms.h"
#include "shared/base/ban.h"

struct walk {
	caller_live_each_fn *each;
	void *arg;
};

static void tell(
	const struct walk *k, const struct session *s, const struct runner_pids *p, bool is_term)
{
	struct caller_live live = {
		.session = session_id(s),
		.hid = p->hid,
		.person = session_record(s)->person,
		.holder = p->holder,
		.pid = p->pid,
		.pgid = p->pgid,
		.sid = p->sid,
		.is_term = is_term,
	};

	k->each(k->arg, &live);
}

static void on_shell(void *ctx, const struct session *s, const struct runner_pids *p)
{
	tell(ctx, s, p, true);
}

static void on_session(void *ctx, struct session *s)
{
	struct runner_pids p;

	if (session_pids(s, &p)) {
		tell(ctx, s, &p, false);
	}
	session_shell_pids(s, on_shell, ctx);
}

static void on_term(void *ctx, const struct term_facts *f)
{
	const struct walk *k = ctx;
	struct caller_live live = {
		.session = f->session,
		.hid = f->hid,
		.person = f->person,
		.holder = f->holder,
		.pid = f->pid,
		.pgid = f->pgid,
		.sid = f->sid,
		.is_term = true,
	};

	k->each(k->arg, &live);
}

void living_each(struct table *t, struct terms *terms, caller_live_each_fn *each, void *arg)
{
	struct walk k = { each, arg };

	table_each_loaded(t, on_session, &k);
	terms_each(terms, NULL, on_term, &k);
}

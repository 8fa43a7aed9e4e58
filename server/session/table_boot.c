/* table_boot.c -- boot: every agent that still lives gets its session back, strays are ended. */
#include "server/session/table_in.h"

#include <stdlib.h>

#include "server/io/cgroup.h"
#include "server/io/hold_sweep.h"
#include "server/log/log.h"
#include "server/session/runner.h"
#include "server/session/table_copy.h"
#include "server/term/terms.h"
#include "shared/base/crash.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

struct live_copy {
	struct row_live row;
	struct live_copy *next;
};

static struct vy_str copy(struct vy_str s)
{
	return vy_str_n(vy_memdup0(s.p, s.n), s.n);
}

static bool read_live(void *ctx, const struct store_row *row)
{
	struct live_copy **list = ctx, *c = VY_NEW(struct live_copy);

	c->row = row->live;
	c->row.session = copy(row->live.session);
	c->row.hid = copy(row->live.hid);
	c->row.token = copy(row->live.token);
	c->row.driver_state = copy(row->live.driver_state);
	c->row.extra = copy(row->live.extra);
	c->next = *list;
	*list = c;
	return true;
}

static void free_live(struct live_copy *c)
{
	const struct vy_str parts[] = { c->row.session, c->row.hid, c->row.token,
		c->row.driver_state, c->row.extra };

	for (size_t i = 0; i < VY_COUNT(parts); i++) {
		free((char *)(uintptr_t)parts[i].p);
	}
	free(c);
}

struct known {
	const struct live_copy *list;
	const struct terms *terms;
};

static bool is_live_hid(void *ctx, const char *hid)
{
	const struct known *k = ctx;
	const struct live_copy *c = k->list;

	while (c && !vy_str_is(c->row.hid, hid)) {
		c = c->next;
	}
	return c != NULL || (k->terms && terms_knows(k->terms, hid));
}

/* An agent whose session cannot be read, or that has another one, is nobody's. */
static void go_on(struct table *t, const struct row_live *live)
{
	struct vy_err e = { 0 };
	struct session *s = table_loaded(t, live->session);

	VY_CRASH(BOOT_LIVE);
	s = s ? s : table_spare_boot(t, live->session);
	s = s ? s : table_load(t, live->session, &e);
	if (s && !session_can_go_on(s, live)) {
		vy_fail(&e, VY_CONFLICT, "it has another one");
		s = NULL;
	}

	vy_log(s ? VY_LOG_INFO : VY_LOG_ERROR, "boot.live", "session=%s hid=%s found=%s",
		live->session.p, live->hid.p, s ? "yes" : vy_log_q(e.text));
	if (s) {
		session_go_on(s, live);
		if (session_is_spare(s) && !session_is_live(s)) {
			table_spare_gone(t, s);
		}
	} else {
		runner_abandon(t->conf.log, t->conf.state_dir, live);
	}
}

static void settle(void *ctx, struct session *s)
{
	(void)ctx;
	session_settle(s);
}

void table_boot(struct table *t)
{
	struct store_row like = { .kind = ROW_LIVE };
	struct live_copy *list = NULL;
	struct vy_err e = { 0 };

	table_payer_boot(t);
	/* What a holder says could not be kept: it keeps it, for the vyred behind a repair. */
	if (log_is_read_only(t->conf.log)) {
		return;
	}
	if (log_each(t->conf.log, &like, read_live, &list, &e) != 0) {
		vy_log(VY_LOG_ERROR, "boot", "why=%s", vy_log_q(e.text));
	} else {
		struct known known = { list, t->conf.terms };
		int strays = hold_end_strays(t->conf.state_dir, is_live_hid, &known);

		cgroup_tidy(is_live_hid, &known);
		vy_log(strays ? VY_LOG_INFO : VY_LOG_DEBUG, "boot.strays", "n=%d", strays);
	}
	t->is_booting = true;
	while (list) {
		struct live_copy *c = list;

		list = c->next;
		go_on(t, &c->row);
		free_live(c);
	}
	table_life_boot(t);
	table_go_on_deleting(t);
	table_copy_clean(t);
	table_each_loaded(t, settle, NULL); /* a command of one lives, its agent does not */
	table_elsewhere_boot(t);
	table_slots_boot(t);
	t->is_booting = false;
	table_life_work(t);
}

/* table_slots.c -- the ledger of slots at work: each act is stored with what it changes, told, and
 * done by the session it concerns, all in the same turn of the loop (table.h). */
#include "server/session/table_in.h"

#include <stdlib.h>

#include "server/log/log.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

static int64_t by_file(void *ctx, enum slots_kind kind, const char *project)
{
	const struct table *t = ctx;

	return t->conf.slot_limit(t->conf.ctx, slots_word(kind), project);
}

static bool read_ledger(void *ctx, const struct store_row *row)
{
	*(struct vy_json **)ctx = vy_json_parse(row->kv.value, NULL);
	return false;
}

/* ---- what was changed ---- */

static void keep(struct table *t)
{
	VY_AUTO_JSON *doc = slots_encode(t->slots);
	VY_AUTO_BUF text = VY_BUF_INIT(VY_LINE_MAX);

	vy_json_dump(doc, &text);
	LOG_PUT(t->conf.log, ROW_KV, kv, .space = VY_STR_LIT("slots"), .name = VY_STR_LIT("ledger"),
		.value = vy_buf_str(&text));
}

/* Who takes one at once knows it already. */
static void tell(struct table *t, const struct slots_item *it)
{
	struct session *s;

	t->conf.slot(t->conf.ctx, it);
	if (it->what == SLOTS_RELEASED || (it->what == SLOTS_TAKEN && !it->is_of_line)) {
		return;
	}
	s = table_loaded(t, it->who.session);
	if (s) {
		session_slot_news(s, it);
	}
}

/* Told in the order it happened. A session that is told may act itself: that is another list. */
static void done(struct table *t, struct slots_news *news, uint64_t was)
{
	if (slots_rev(t->slots) != was) {
		keep(t);
	}
	for (size_t i = 0; i < news->n; i++) {
		tell(t, &news->v[i]);
	}
	slots_news_fini(news);
}

/* ---- acts ---- */

bool table_slot_take(struct table *t, const struct slots_who *who, struct vy_str ticket)
{
	struct slots_news news;
	uint64_t was = slots_rev(t->slots);

	slots_news_init(&news);
	bool has_one = slots_take(t->slots, who, ticket, vy_wall_ms(t->conf.clock), &news);

	done(t, &news, was);
	return has_one;
}

void table_slot_give(
	struct table *t, enum slots_kind kind, const char *session, struct vy_str holder)
{
	struct slots_news news;
	uint64_t was = slots_rev(t->slots);

	slots_news_init(&news);
	slots_give(t->slots, kind, vy_str_c(session), holder, &news);
	done(t, &news, was);
}

void table_slot_give_all(struct table *t, enum slots_kind kind, const char *session, bool waiting)
{
	struct slots_news news;
	uint64_t was = slots_rev(t->slots);

	slots_news_init(&news);
	slots_give_all(t->slots, kind, vy_str_c(session), waiting, &news);
	done(t, &news, was);
}

void table_slots_set(struct table *t, enum slots_kind kind, const char *project, int64_t limit)
{
	struct slots_news news;
	uint64_t was = slots_rev(t->slots);

	slots_news_init(&news);
	slots_set(t->slots, kind, project, limit, &news);
	done(t, &news, was);
}

void table_slots_look(struct table *t)
{
	struct slots_news news;
	uint64_t was = slots_rev(t->slots);

	slots_news_init(&news);
	slots_look(t->slots, &news);
	done(t, &news, was);
}

const struct slots *table_slots(const struct table *t)
{
	return t->slots;
}

/* ---- life ---- */

void table_slots_open(struct table *t)
{
	struct store_row like = { .kind = ROW_KV,
		.kv = { .space = VY_STR_LIT("slots"), .name = VY_STR_LIT("ledger") } };
	struct vy_json *found = NULL;
	struct vy_err e = { 0 };

	t->slots = slots_new(by_file, t);
	if (log_each(t->conf.log, &like, read_ledger, &found, &e) != 0) {
		vy_log(VY_LOG_ERROR, "slots", "why=%s", vy_log_q(e.text));
	}
	VY_AUTO_JSON *doc = found;

	if (doc && !slots_decode(t->slots, doc)) {
		vy_log(VY_LOG_ERROR, "slots", "why=damaged");
	}
}

struct stale {
	struct table *t;
	struct vy_json *sessions; /* set of those whose agent is gone */
};

static void find_stale(void *ctx, const struct slots_who *who, int64_t position, int64_t since)
{
	struct stale *x = ctx;
	const struct session *s = table_loaded(x->t, who->session);

	(void)position;
	(void)since;
	if (who->kind == SLOTS_SUBAGENT && (!s || !session_is_live(s))) {
		VY_AUTO_BUF id = VY_BUF_INIT(4096);

		vy_buf_addstr(&id, who->session);
		vy_json_set_bool(x->sessions, vy_buf_c(&id), true);
	}
}

void table_slots_boot(struct table *t)
{
	VY_AUTO_JSON *gone = vy_json_new_obj();
	struct stale x = { t, gone };
	struct vy_json *value;
	const char *id;

	slots_each(t->slots, find_stale, &x);
	VY_JSON_EACH (gone, id, value) {
		table_slot_give_all(t, SLOTS_SUBAGENT, id, false);
	}
	table_slots_look(t);
}

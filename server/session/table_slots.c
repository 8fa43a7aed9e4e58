/* table_slots.c -- the ledger of slots at work: each act is stored with what it changes, told, and
 * done by the session it concerns, all in the same turn of the loop (table.h). */
#include "server/session/session_in.h"
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
	struct vy_err e = { 0 };

	t->conf.slot(t->conf.ctx, it);
	if (it->what == SLOTS_RELEASED || (it->what == SLOTS_TAKEN && !it->is_of_line)) {
		return;
	}
	s = table_loaded(t, it->who.session);
	if (!s && it->who.kind ==
			  SLOTS_TEAMMATE) { /* it has no process that would have kept it here */
		s = table_find(t, it->who.session, &e);
	}
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
	table_teammate_idle(t);
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
	int64_t had = slots_limit(t->slots, kind, project);
	bool was_set = slots_is_set(t->slots, kind, project);

	slots_news_init(&news);
	slots_set(t->slots, kind, project, limit, &news);
	done(t, &news, was);
	if (had != slots_limit(t->slots, kind, project) ||
		was_set != slots_is_set(t->slots, kind, project)) {
		t->conf.defaults(t->conf.ctx, "slots", project, slots_word(kind), 0);
	}
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

/* ---- teammates: sessions that an agent started, while they have a process or want one ---- */

static struct slots_who teammate(struct session *s)
{
	const struct record *r = session_record(s);

	return (struct slots_who){ SLOTS_TEAMMATE, vy_str_c(r->project), vy_str_c(r->session),
		vy_str_c(r->session) };
}

bool table_teammate_may(struct table *t, struct session *s)
{
	struct slots_who who = teammate(s);

	return !session_record(s)->started_by || table_slot_take(t, &who, vy_str_n(NULL, 0));
}

bool table_teammate_has_room(struct table *t, struct session *s)
{
	struct slots_who who = teammate(s);

	return !session_record(s)->started_by ||
	       slots_has(t->slots, who.kind, who.session, who.holder) ||
	       slots_has_room(t->slots, who.kind, who.project);
}

struct rested {
	struct table *t;
	struct session *idle; /* the oldest that could be let go, one that nobody looks at first */
	bool is_leaving;      /* one is on its way out already */
};

static void find_idle(void *ctx, const struct slots_who *who, int64_t position, int64_t since)
{
	struct rested *x = ctx;
	struct session *s = table_loaded(x->t, who->session);
	enum live_use use = s ? session_use(s) : LIVE_ABSENT;

	(void)since;
	if (who->kind != SLOTS_TEAMMATE || position > 0) {
		return;
	}
	x->is_leaving |= use == LIVE_LEAVING;
	if (use == LIVE_IDLE && !(x->idle && session_use(x->idle) == LIVE_IDLE)) {
		x->idle = s;
	} else if (use == LIVE_WATCHED && !x->idle) {
		x->idle = s;
	}
}

/* One with nothing to do does not keep another from its work: or, with no idle close, for ever. */
void table_teammate_idle(struct table *t)
{
	struct rested x = { .t = t };

	if (t->is_ending || slots_waiting(t->slots, SLOTS_TEAMMATE) == 0) {
		return;
	}
	slots_each(t->slots, find_idle, &x);
	if (x.idle && !x.is_leaving) {
		session_rest(x.idle, "idle");
	}
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

static void note_session(void *ctx, const struct slots_who *who, int64_t position, int64_t since)
{
	struct vy_json **of = ctx;
	VY_AUTO_BUF id = VY_BUF_INIT(4096);

	(void)position;
	(void)since;
	vy_buf_addstr(&id, who->session);
	vy_json_set_bool(of[who->kind], vy_buf_c(&id), true);
}

/* A subagent lives in its agent; a teammate that waits has none, but wants one. */
static bool is_there(struct table *t, enum slots_kind kind, const char *id)
{
	struct vy_err e = { 0 };
	struct session *s = kind == SLOTS_SUBAGENT ? table_loaded(t, vy_str_c(id))
						   : table_find(t, vy_str_c(id), &e);

	if (kind == SLOTS_SUBAGENT && elsewhere_of(t->elsewhere, vy_str_c(id))) {
		return true; /* of a claude in a terminal, which lives */
	}

	return s && (session_is_live(s) || (kind == SLOTS_TEAMMATE && session_wants(s)));
}

void table_slots_boot(struct table *t)
{
	VY_AUTO_JSON *subagents = vy_json_new_obj(), *teammates = vy_json_new_obj();
	struct vy_json *of[SLOTS_KINDS] = {
		[SLOTS_SUBAGENT] = subagents, [SLOTS_TEAMMATE] = teammates
	};

	slots_each(t->slots, note_session, of);
	for (unsigned k = 0; k < SLOTS_KINDS; k++) {
		struct vy_json *value;
		const char *id;

		VY_JSON_EACH (of[k], id, value) {
			if (!is_there(t, (enum slots_kind)k, id)) {
				table_slot_give_all(t, (enum slots_kind)k, id, false);
			}
		}
	}
	table_slots_look(t);
}

/* roster.c -- see roster.h. */
#include "tui/app/roster.h"

#include <stdio.h>
#include <stdlib.h>

#include "shared/base/mem.h"
#include "tui/app/look.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define MOST 2000 /* of one list */

/* ---- life ---- */

void roster_init(struct roster *r)
{
	*r = (struct roster){ 0 };
	vy_arena_init(&r->words);
}

void roster_fini(struct roster *r)
{
	free(r->rows);
	vy_arena_fini(&r->words);
}

/* ---- reading ---- */

static int by_need(const void *a, const void *b)
{
	const struct roster_row *x = a, *y = b;

	if (x->is_archived != y->is_archived) {
		return x->is_archived ? 1 : -1;
	}
	if (!x->asks != !y->asks) {
		return x->asks ? -1 : 1;
	}
	if (x->updated != y->updated) {
		return x->updated > y->updated ? -1 : 1;
	}
	return x->nth < y->nth ? -1 : x->nth > y->nth;
}

static struct vy_str word(struct roster *r, const struct vy_json *record, const char *key)
{
	return vy_arena_str(&r->words, vy_json_str(record, key));
}

static void read_row(struct roster *r, const struct vy_json *record, const struct seen *seen)
{
	enum vy_record state = VY_RECORD_IDLE;
	struct roster_row row = { .session = word(r, record, "session"),
		.title = word(r, record, "title"),
		.cwd = word(r, record, "cwd"),
		.provider = word(r, record, "provider"),
		.model = word(r, record, "model"),
		.is_archived = vy_json_bool(record, "archived", false),
		.asks = vy_json_int(record, "asks", 0),
		.queued = vy_json_int(record, "queued", 0),
		.viewers = vy_json_int(record, "viewers", 0),
		.updated = vy_json_int(record, "updated", 0),
		.nth = r->n };

	if (!row.session.n) {
		return;
	}
	vy_record_parse(vy_json_str(record, "state"), &state);
	row.state = row.asks > 0 ? VY_STATE_ASKING : vy_record_state(state);
	row.news = vy_json_int(record, "messages", 0) - seen_get(seen, row.session.p);
	row.news = row.news > 0 ? row.news : 0;
	r->rows = vy_grow(r->rows, &r->cap, r->n + 1, sizeof(*r->rows));
	r->rows[r->n++] = row;
}

void roster_read(struct roster *r, const struct vy_json *answer, const struct seen *seen)
{
	const struct vy_json *threads = vy_json_get(answer, "threads");

	r->n = 0;
	r->rev++;
	vy_arena_reset(&r->words);
	for (size_t i = 0; i < vy_json_len(threads) && i < MOST; i++) {
		read_row(r, vy_json_at(threads, i), seen);
	}
	if (r->n) {
		qsort(r->rows, r->n, sizeof(*r->rows), by_need);
	}
}

const struct roster_row *roster_find(const struct roster *r, struct vy_str session)
{
	for (size_t i = 0; i < r->n; i++) {
		if (vy_str_eq(r->rows[i].session, session)) {
			return &r->rows[i];
		}
	}
	return NULL;
}

/* ---- in words ---- */

struct vy_str roster_title(const struct roster_row *row)
{
	return row->title.n ? row->title : vy_str_c(_("new session"));
}

enum theme_role roster_aside(
	const struct roster_row *row, int64_t wall_ms, bool is_short, char *out, size_t room)
{
	struct look look = look_of(row->state, row->is_stopping);

	if (row->is_archived) {
		snprintf(out, room, "%s", _("archived"));
		return THEME_DIM;
	}
	if (row->asks > 0) {
		snprintf(out, room,
			row->asks > 1 && !is_short ? _("needs you · %lld") : _("needs you"),
			(long long)row->asks);
		return THEME_WARN;
	}
	if (row->state == VY_STATE_FAILED) {
		snprintf(out, room, "%s", look.word);
		return look.role;
	}
	if (row->news > 0) {
		snprintf(out, room, words_count("%lld new", "%lld new", row->news),
			(long long)row->news);
		return THEME_ACCENT;
	}
	if (look.counts || row->is_stopping) {
		snprintf(out, room, "%s", look.word);
		return look.role;
	}
	look_age(row->updated ? wall_ms - row->updated : 0, out, room);
	return THEME_DIM;
}

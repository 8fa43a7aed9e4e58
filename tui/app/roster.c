/* roster.c -- see roster.h. */
#include "tui/app/roster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "tui/app/look.h"
#include "tui/app/stand.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define MOST 2000 /* of one list */

/* ---- life ---- */

void roster_init(struct roster *r)
{
	*r = (struct roster){ 0 };
}

void roster_clear(struct roster *r)
{
	while (r->n) {
		free(r->rows[--r->n].words);
	}
	r->rev++;
}

void roster_fini(struct roster *r)
{
	roster_clear(r);
	free(r->rows);
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

static void sort(struct roster *r)
{
	if (r->n) {
		qsort(r->rows, r->n, sizeof(*r->rows), by_need);
	}
}

static void count_news(struct roster_row *row, const struct seen *seen)
{
	int64_t shown = seen_get(seen, row->session.p);

	row->news = row->messages > shown ? row->messages - shown : 0;
}

/* The strings of a record, each with an end, in one piece of memory. */
static void read_words(struct roster_row *row, const struct vy_json *record)
{
	const struct {
		const char *key;
		struct vy_str *to;
	} words[] = { { "session", &row->session }, { "title", &row->title }, { "cwd", &row->cwd },
		{ "provider", &row->provider }, { "model", &row->model },
		{ "forked_from.session", &row->from }, { "adopted.provider", &row->left_by } };
	size_t n = VY_COUNT(words);

	for (size_t i = 0; i < VY_COUNT(words); i++) {
		n += vy_json_strval(vy_json_path(record, words[i].key)).n;
	}
	char *at = row->words = vy_calloc(1, n);

	for (size_t i = 0; i < VY_COUNT(words); i++) {
		struct vy_str s = vy_json_strval(vy_json_path(record, words[i].key));

		if (s.n) {
			memcpy(at, s.p, s.n);
		}
		*words[i].to = vy_str_n(at, s.n);
		at += s.n + 1;
	}
}

static struct roster_row read_row(const struct vy_json *record)
{
	enum vy_record state = VY_RECORD_IDLE;
	struct roster_row row = {
		.is_archived = vy_json_bool(record, "archived", false),
		.asks = vy_json_int(record, "asks", 0),
		.queued = vy_json_int(record, "queued", 0),
		.viewers = vy_json_int(record, "viewers", -1),
		.updated = vy_json_int(record, "updated", 0),
		.messages = vy_json_int(record, "messages", 0),
	};

	read_words(&row, record);
	standing_read(record, &row.stand);
	vy_record_parse(vy_json_str(record, "state"), &state);
	row.state = row.asks > 0 ? VY_STATE_ASKING : vy_record_state(state);
	return row;
}

static size_t place_of(const struct roster *r, struct vy_str session)
{
	size_t i = 0;

	while (i < r->n && !vy_str_eq(r->rows[i].session, session)) {
		i++;
	}
	return i;
}

/* At the i-th place: of its session, or behind the last. */
static void put_at(
	struct roster *r, size_t i, const struct vy_json *record, const struct seen *seen)
{
	bool is_known = i < r->n;

	if (!vy_json_str(record, "session").n || (!is_known && r->n >= MOST)) {
		return;
	}
	struct roster_row row = read_row(record);

	row.nth = is_known ? r->rows[i].nth : r->n;
	if (row.viewers < 0) {
		row.viewers = is_known ? r->rows[i].viewers : 0;
	}
	count_news(&row, seen);
	if (is_known) {
		free(r->rows[i].words);
	} else {
		r->rows = vy_grow(r->rows, &r->cap, r->n + 1, sizeof(*r->rows));
		r->n++;
	}
	r->rows[i] = row;
}

void roster_read(struct roster *r, const struct vy_json *answer, const struct seen *seen)
{
	const struct vy_json *threads = vy_json_get(answer, "threads");

	roster_clear(r);
	for (size_t i = 0; i < vy_json_len(threads); i++) {
		put_at(r, r->n, vy_json_at(threads, i), seen);
	}
	sort(r);
}

void roster_put(struct roster *r, const struct vy_json *record, const struct seen *seen)
{
	put_at(r, place_of(r, vy_json_str(record, "session")), record, seen);
	sort(r);
	r->rev++;
}

void roster_drop(struct roster *r, struct vy_str session)
{
	size_t i = place_of(r, session);

	if (i < r->n) {
		free(r->rows[i].words);
		r->n--;
		memmove(&r->rows[i], &r->rows[i + 1], (r->n - i) * sizeof(*r->rows));
		r->rev++;
	}
}

void roster_see(struct roster *r, const struct seen *seen)
{
	for (size_t i = 0; i < r->n; i++) {
		count_news(&r->rows[i], seen);
	}
	r->rev++;
}

const struct roster_row *roster_find(const struct roster *r, struct vy_str session)
{
	size_t i = place_of(r, session);

	return i < r->n ? &r->rows[i] : NULL;
}

/* Open asks of a session that is not put away, and not `but`. */
static int64_t asks_of(const struct roster_row *row, const char *but)
{
	return row->is_archived || (but && vy_str_is(row->session, but)) ? 0 : row->asks;
}

int64_t roster_asks(const struct roster *r, const char *but)
{
	int64_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		n += asks_of(&r->rows[i], but);
	}
	return n;
}

int64_t roster_asking(const struct roster *r, const char *but)
{
	int64_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		n += asks_of(&r->rows[i], but) > 0;
	}
	return n;
}

/* ---- in words ---- */

struct vy_str roster_title(const struct roster_row *row)
{
	return row->title.n ? row->title : vy_str_c(_("new session"));
}

struct look roster_look(const struct roster_row *row)
{
	struct look look = look_of(row->state, row->is_stopping);

	if (!row->is_stopping && row->asks == 0) {
		stand_look_of(&row->stand, &look);
	}
	return look;
}

/* What it waits for, or that it may not spend more; that it rests, with how long. */
static enum theme_role say_stand(
	const struct roster_row *row, int64_t wall_ms, bool is_short, char *out, size_t room)
{
	VY_AUTO_BUF text = VY_BUF_INIT(1024);

	standing_words(&row->stand, wall_ms, is_short, &text);
	if (row->stand.kind == STANDING_RESTS || row->stand.kind == STANDING_FINISHED) {
		char age[40];

		look_age(row->updated ? wall_ms - row->updated : 0, age, sizeof(age));
		vy_buf_addf(&text, " · %s", age);
	}
	snprintf(out, room, "%s", vy_buf_c(&text));
	return roster_look(row).role;
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
	if (row->stand.kind != STANDING_PLAIN) {
		return say_stand(row, wall_ms, is_short, out, room);
	}
	look_age(row->updated ? wall_ms - row->updated : 0, out, room);
	return THEME_DIM;
}

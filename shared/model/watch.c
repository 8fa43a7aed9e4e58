/* watch.c -- see watch.h. */
#include "shared/model/watch.h"

#include <stdlib.h>
#include <uthash.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

struct vy_watch_session {
	char *id;
	struct vy_json *record; /* NULL: gone */
	int64_t seq;            /* of the event that said so; -1: the list did */
	UT_hash_handle hh;
};

struct vy_watch_once {
	char *id;
	int64_t revision;
	UT_hash_handle hh;
};

/* ---- what was seen once ---- */

static void forget(struct vy_watch_once **all, struct vy_watch_once *one)
{
	HASH_DEL(*all, one);
	free(one->id);
	free(one);
}

/* True: the id is new, or its revision higher than any before. */
static bool is_first(
	struct vy_watch_once **all, size_t *n, size_t most, struct vy_str id, int64_t revision)
{
	struct vy_watch_once *one = NULL;

	HASH_FIND(hh, *all, id.p, id.n, one);
	if (one) {
		bool is_higher = revision > one->revision;

		one->revision = is_higher ? revision : one->revision;
		return is_higher;
	}
	if (*n == most) {
		forget(all, *all);
		(*n)--;
	}
	one = VY_NEW(struct vy_watch_once);
	one->id = vy_memdup0(id.p, id.n);
	one->revision = revision;
	HASH_ADD_KEYPTR(hh, *all, one->id, id.n, one);
	(*n)++;
	return true;
}

/* ---- life ---- */

void vy_watch_init(struct vy_watch *w)
{
	*w = (struct vy_watch){ .since = -1, .listed = -1 };
}

static void drop(struct vy_watch *w, struct vy_watch_session *s)
{
	HASH_DEL(w->sessions, s);
	vy_json_free(s->record);
	free(s->id);
	free(s);
}

void vy_watch_fini(struct vy_watch *w)
{
	struct vy_watch_session *s, *next;
	struct vy_watch_once *one, *other;

	HASH_ITER (hh, w->sessions, s, next) {
		drop(w, s);
	}
	HASH_ITER (hh, w->ids, one, other) {
		forget(&w->ids, one);
	}
	HASH_ITER (hh, w->messages, one, other) {
		forget(&w->messages, one);
	}
	w->n_ids = w->n_messages = 0;
}

/* ---- sessions ---- */

static struct vy_watch_session *find(const struct vy_watch *w, struct vy_str id)
{
	struct vy_watch_session *s = NULL;

	HASH_FIND(hh, w->sessions, id.p, id.n, s);
	return s;
}

/* No record: it is gone. */
static void put(struct vy_watch *w, struct vy_str id, struct vy_json *own_record, int64_t seq)
{
	struct vy_watch_session *s = find(w, id);

	if (!s) {
		s = VY_NEW(struct vy_watch_session);
		s->id = vy_memdup0(id.p, id.n);
		HASH_ADD_KEYPTR(hh, w->sessions, s->id, id.n, s);
	}
	vy_json_free(s->record);
	s->record = own_record;
	s->seq = seq;
}

static enum vy_watch_news session_event(
	struct vy_watch *w, struct vy_str type, struct vy_str id, const struct vy_json *event)
{
	const struct vy_json *record = vy_json_get(vy_json_get(event, "data"), "record");
	int64_t seq = vy_json_int(event, "seq", -1);
	bool is_gone = vy_str_is(type, "session.deleted") || vy_str_is(type, "session.archived") ||
		       vy_json_bool(record, "archived", false);

	if (id.n == 0 || (!is_gone && vy_json_type(record) != VY_JSON_OBJ)) {
		return VY_WATCH_NOTHING;
	}
	put(w, id, is_gone ? NULL : vy_json_copy(record), seq);
	return is_gone ? VY_WATCH_GONE : VY_WATCH_RECORD;
}

static enum vy_watch_news message_event(struct vy_watch *w, const struct vy_json *event)
{
	const struct vy_json *m = vy_json_get(vy_json_get(event, "data"), "message");
	struct vy_str id = vy_json_str(m, "message");

	return id.n && is_first(&w->messages, &w->n_messages, VY_WATCH_MESSAGES, id,
			       vy_json_int(m, "messageRevision", 0))
		       ? VY_WATCH_MESSAGE
		       : VY_WATCH_NOTHING;
}

enum vy_watch_news vy_watch_event(struct vy_watch *w, const struct vy_json *event)
{
	struct vy_str type = vy_json_str(event, "type"), id = vy_json_str(event, "id");
	int64_t seq = vy_json_int(event, "seq", -1);

	if (vy_str_is(type, "control.reset")) {
		w->since = vy_json_int(vy_json_get(event, "data"), "head", seq);
		w->listed = -1;
		return VY_WATCH_RESET;
	}
	w->since = seq > w->since ? seq : w->since;
	if (type.n == 0 || (id.n && !is_first(&w->ids, &w->n_ids, VY_WATCH_IDS, id, 0))) {
		return VY_WATCH_NOTHING;
	}
	if (vy_str_is(type, "session.created") || vy_str_is(type, "session.updated") ||
		vy_str_is(type, "session.archived") || vy_str_is(type, "session.deleted")) {
		return session_event(w, type, vy_json_str(event, "session"), event);
	}
	return vy_str_starts(type, "session.message.") ? message_event(w, event) : VY_WATCH_OTHER;
}

bool vy_watch_head(struct vy_watch *w, int64_t head)
{
	bool is_first_time = w->since < 0;

	w->since = is_first_time ? head : w->since;
	return is_first_time;
}

void vy_watch_list(struct vy_watch *w, const struct vy_json *threads, int64_t asked)
{
	struct vy_watch old = *w;
	struct vy_watch_session *s, *next;

	if (asked < w->listed) {
		return; /* it took longer than a newer one */
	}
	w->listed = asked;
	w->sessions = NULL;
	for (size_t i = 0; i < vy_json_len(threads); i++) {
		const struct vy_json *record = vy_json_at(threads, i);
		struct vy_str id = vy_json_str(record, "session");
		const struct vy_watch_session *was = id.n ? find(&old, id) : NULL;

		if (was && was->seq > asked) {
			put(w, id, vy_json_ref(was->record), was->seq);
		} else if (id.n) {
			put(w, id, vy_json_copy(record), -1);
		}
	}
	HASH_ITER (hh, old.sessions, s, next) {
		if (s->seq > asked && !find(w, vy_str_c(s->id))) {
			put(w, vy_str_c(s->id), vy_json_ref(s->record), s->seq);
		}
		drop(&old, s);
	}
}

const struct vy_json *vy_watch_record(const struct vy_watch *w, struct vy_str session)
{
	const struct vy_watch_session *s = find(w, session);

	return s ? s->record : NULL;
}

void vy_watch_each(const struct vy_watch *w, vy_watch_fn *fn, void *ctx)
{
	for (const struct vy_watch_session *s = w->sessions; s; s = s->hh.next) {
		if (s->record) {
			fn(ctx, s->record);
		}
	}
}

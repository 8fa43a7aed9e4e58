/* store_runs.c -- see store_runs.h.
 *
 * A viewer reads a run in many small pages, so the last few runs and settlements stay open. */
#include "server/log/store_runs.h"

#include <stdlib.h>

#include "server/io/db.h"
#include "server/log/pack.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

enum { OPEN_RUNS = 4, OPEN_WORDS = 8 };

struct open_run {
	int64_t sid, first;
	struct pack *pack;
};

struct runs {
	struct db *db;
	struct open_run runs[OPEN_RUNS]; /* newest first */
	struct pieces *words[OPEN_WORDS];
};

struct runs *runs_new(struct db *d)
{
	struct runs *r = VY_NEW(struct runs);

	r->db = d;
	return r;
}

static void words_drop(struct pieces *w)
{
	if (w) {
		pieces_fini(w);
		free(w);
	}
}

void runs_forget(struct runs *r)
{
	for (int i = 0; i < OPEN_RUNS; i++) {
		pack_free(r->runs[i].pack);
		r->runs[i] = (struct open_run){ 0 };
	}
	for (int i = 0; i < OPEN_WORDS; i++) {
		words_drop(r->words[i]);
		r->words[i] = NULL;
	}
}

void runs_free(struct runs *r)
{
	if (r) {
		runs_forget(r);
		free(r);
	}
}

/* ---- settlements ---- */

static struct pieces *load_words(struct runs *r, int64_t seq, struct vy_err *e)
{
	struct db_stmt *s = db_prep(r->db, "SELECT data FROM journal WHERE seq = ?1", e);
	struct pieces *w;
	int rc;

	if (!s) {
		return NULL;
	}
	db_bind_int(s, 1, seq);
	rc = db_step(s, e);
	if (rc == 0) {
		rc = vy_fail(e, VY_CORRUPT, "the journal has no row %lld", (long long)seq);
	}
	w = VY_NEW(struct pieces);
	if (rc < 0 || pieces_read(w, seq, db_blob(s, 0), e) < 0) {
		free(w);
		w = NULL;
		if (e) {
			e->code = VY_CORRUPT;
		}
	}
	db_done(s);
	return w;
}

static struct pieces *find_words(void *ctx, int64_t seq, struct vy_err *e)
{
	struct runs *r = ctx;
	struct pieces *w = NULL;
	int i = 0;

	while (i < OPEN_WORDS - 1 && r->words[i] && r->words[i]->seq != seq) {
		i++;
	}
	if (r->words[i] && r->words[i]->seq == seq) {
		w = r->words[i];
	} else if (!(w = load_words(r, seq, e))) {
		return NULL;
	} else {
		words_drop(r->words[i]);
	}
	memmove(&r->words[1], &r->words[0], (size_t)i * sizeof(r->words[0]));
	r->words[0] = w;
	return w;
}

/* ---- runs ---- */

static struct pack *load_run(struct runs *r, int64_t sid, int64_t first, struct vy_err *e)
{
	struct db_stmt *s =
		db_prep(r->db, "SELECT bytes FROM run WHERE sid = ?1 AND first = ?2", e);
	struct pack *p = NULL;

	if (!s) {
		return NULL;
	}
	db_bind_int(s, 1, sid);
	db_bind_int(s, 2, first);
	if (db_step(s, e) > 0) {
		p = pack_open(db_blob(s, 0), first, e);
	}
	db_done(s);
	return p;
}

static struct pack *find_run(struct runs *r, int64_t sid, int64_t first, struct vy_err *e)
{
	struct open_run at;
	int i = 0;

	while (i < OPEN_RUNS - 1 && r->runs[i].pack &&
		(r->runs[i].sid != sid || r->runs[i].first != first)) {
		i++;
	}
	at = r->runs[i];
	if (!at.pack || at.sid != sid || at.first != first) {
		struct pack *p = load_run(r, sid, first, e);

		if (!p) {
			return NULL;
		}
		pack_free(at.pack);
		at = (struct open_run){ sid, first, p };
	}
	memmove(&r->runs[1], &r->runs[0], (size_t)i * sizeof(r->runs[0]));
	r->runs[0] = at;
	return at.pack;
}

/* The run that holds `from`, or the next one: 1, 0 none. */
static int next_run(struct runs *r, struct vy_str session, int64_t from, int64_t *sid,
	int64_t *first, int64_t *last, struct vy_err *e)
{
	struct db_stmt *s = db_prep(r->db,
		"SELECT r.sid, r.first, r.last FROM stream s JOIN run r ON r.sid = s.sid"
		" WHERE s.session = ?1 AND r.last >= ?2 AND r.first >= coalesce("
		"  (SELECT max(first) FROM run WHERE sid = s.sid AND first <= ?2), 0)"
		" ORDER BY r.first LIMIT 1",
		e);
	int rc;

	if (!s) {
		return -1;
	}
	db_bind_text(s, 1, session);
	db_bind_int(s, 2, from);
	rc = db_step(s, e);
	if (rc > 0) {
		*sid = db_int(s, 0);
		*first = db_int(s, 1);
		*last = db_int(s, 2);
	}
	db_done(s);
	return rc;
}

int runs_read(struct runs *r, struct vy_str session, int64_t *from, const struct store_reading *how,
	store_frame_fn *fn, void *ctx, struct vy_err *e)
{
	int64_t sid, first, last;
	struct vy_err why = { 0 };
	int rc;

	while ((rc = next_run(r, session, *from, &sid, &first, &last, &why)) > 0) {
		struct pack *p = find_run(r, sid, first, e);

		if (!p) {
			return -1;
		}
		if (pack_last(p) != last) {
			return vy_fail(e, VY_CORRUPT, "a packed run has another end");
		}
		rc = pack_read(p, *from, how, find_words, fn, ctx, r, e);
		if (rc != 0) {
			return rc;
		}
		*from = last + 1;
	}
	/* Which runs there are cannot be read: what is in none still can, and shows that some are missing. */
	if (rc < 0 && why.code != VY_CORRUPT) {
		return vy_fail(e, why.code, "%s", why.text);
	}
	return 0;
}

/* store_tidy.c -- see store_tidy.h.
 *
 * What the worker gets is its own: copies of the lines and of the settlements as they are stored. When it
 * is done the loop looks whether the rows it was made of are still there, as many and as long. */
#include "server/log/store_tidy.h"

#include <stdlib.h>
#include <string.h>

#include "server/io/db.h"
#include "server/io/work.h"
#include "server/log/compact.h"
#include "server/log/pack.h"
#include "server/log/store_frames.h"
#include "server/log/store_live.h"
#include "server/log/store_runs.h"
#include "server/log/zip.h"
#include "shared/base/arena.h"
#include "shared/base/crash.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define ROW_MAX      (4 * VY_MIB)
#define DATA_MAX     (64 * VY_MIB)
#define PACK_STEP    1024 /* frames: their rows are deleted in one transaction */
#define STEP_BYTES   (512 * VY_KIB)
#define JOIN_BYTES   (1536 * VY_KIB) /* of an idle session */
#define SETTLED_MOST 512             /* of one step */

/* Rows [first, last] of one table, as they were seen. */
struct range {
	int64_t sid, first, last, rows, bytes;
	int64_t first_end; /* of runs that are joined: the last frame of the first */
	bool is_runs;
};

struct settled {
	int64_t seq;
	struct vy_str data; /* as it is stored */
	struct vy_buf less; /* compact, when it is smaller so */
	struct pieces words;
	bool is_read;
};

struct job {
	struct tidying *of;
	char *session;
	struct range range;
	int64_t expire_before;
	int level;
	struct vy_arena mem;
	struct store_frame frames[PACK_FRAMES];
	size_t n, bytes;
	struct settled settled[SETTLED_MOST];
	size_t n_settled;
	struct vy_buf row;
	int64_t expires;
	void (*done)(void *ctx, int rc);
	void *ctx;
};

struct tidying {
	struct tidying_conf c;
	struct job *under_way;
};

/* ---- which ---- */

static int one_row(struct db *d, const char *sql, struct vy_str session, int64_t a, int64_t b,
	int64_t *out, int n, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d, sql, e);
	int rc;

	if (!s) {
		return -1;
	}
	db_bind_text(s, 1, session);
	db_bind_int(s, 2, a);
	db_bind_int(s, 3, b);
	rc = db_step(s, e);
	for (int i = 0; rc > 0 && i < n; i++) {
		out[i] = db_int(s, i);
	}
	db_done(s);
	return rc;
}

static int to_pack(struct db *d, const struct store_tidy *w, struct range *r, struct vy_err *e)
{
	int64_t v[2] = { 0 };
	int rc = one_row(d,
		"SELECT s.sid, (SELECT min(cur) FROM frame WHERE sid = s.sid AND cur >= s.floor"
		"  AND cur < " LIVE_CUR ")"
		" FROM stream s WHERE s.session = ?1 AND ?2 = ?2 AND ?3 = ?3",
		w->session, 0, 0, v, 2, e);

	if (rc <= 0 || v[1] == 0 || v[1] > w->upto || w->upto - v[1] + 1 < w->few) {
		return rc < 0 ? -1 : 0;
	}
	r->sid = v[0];
	r->first = v[1];
	r->last = w->upto < r->first + PACK_STEP - 1 ? w->upto : r->first + PACK_STEP - 1;
	return 1;
}

static int to_expire(struct db *d, const struct store_tidy *w, struct range *r, struct vy_err *e)
{
	int64_t v[3] = { 0 };
	int rc = one_row(d,
		"SELECT s.sid, r.first, r.last FROM stream s JOIN run r ON r.sid = s.sid"
		" WHERE s.session = ?1 AND r.expires > 0 AND r.expires < ?2 AND ?3 = ?3"
		" ORDER BY r.first LIMIT 1",
		w->session, w->expire_before, 0, v, 3, e);

	if (rc > 0) {
		*r = (struct range){
			.sid = v[0], .first = v[1], .last = v[2], .first_end = v[2], .is_runs = true
		};
	}
	return rc;
}

/* The oldest run that is not sealed, and those behind it, as far as they fit one. */
static int to_seal(struct db *d, const struct store_tidy *w, struct range *r, struct vy_err *e)
{
	int64_t v[3] = { 0 };
	int rc = one_row(d,
		"SELECT s.sid, r.first, r.last FROM stream s JOIN run r ON r.sid = s.sid"
		" WHERE s.session = ?1 AND r.level < ?2 AND ?3 = ?3 ORDER BY r.first LIMIT 1",
		w->session, ZIP_SMALL, 0, v, 3, e);

	if (rc <= 0) {
		return rc;
	}
	*r = (struct range){
		.sid = v[0], .first = v[1], .last = v[2], .first_end = v[2], .is_runs = true
	};
	while ((rc = one_row(d,
			"SELECT s.sid, r.first, r.last FROM stream s JOIN run r ON r.sid = s.sid"
			" WHERE s.session = ?1 AND r.first = ?2 AND r.level < ?3",
			w->session, r->last + 1, ZIP_SMALL, v, 3, e)) > 0 &&
		v[2] - r->first < PACK_FRAMES) {
		r->last = v[2];
	}
	return rc < 0 ? -1 : 1;
}

static int choose(struct job *j, const struct store_tidy *w, struct vy_err *e)
{
	struct db *d = j->of->c.db;
	int rc = to_pack(d, w, &j->range, e);

	j->level = ZIP_FAST;
	if (rc == 0 && w->is_idle && w->expire_before) {
		rc = to_expire(d, w, &j->range, e);
		j->level = ZIP_SMALL;
	}
	if (rc == 0 && w->is_idle) {
		rc = to_seal(d, w, &j->range, e);
		j->level = ZIP_SMALL;
	}
	return rc;
}

/* ---- what it is made of ---- */

static bool add_frame(void *ctx, const struct store_frame *f)
{
	struct job *j = ctx;

	bool must = j->n == 0 || f->cur <= j->range.first_end;
	size_t most = j->range.is_runs ? JOIN_BYTES : STEP_BYTES;

	if (f->cur > j->range.last || j->n == PACK_FRAMES ||
		(!must && j->bytes + f->bytes.n > most)) {
		return false;
	}
	vy_assert(f->cur == j->range.first + (int64_t)j->n);
	j->frames[j->n++] = (struct store_frame){ f->cur, vy_arena_str(&j->mem, f->bytes), 1 };
	j->bytes += f->bytes.n;
	return true;
}

struct vy_str tidying_message(struct vy_str line)
{
	static const char type[] = "\"type\":\"session.text-delta\"";
	static const char key[] = "\"data\":{\"message\":\"";
	const char *end = line.p + line.n, *at = memmem(line.p, line.n, type, sizeof(type) - 1);
	const char *quote;

	at = at ? memmem(at, (size_t)(end - at), key, sizeof(key) - 1) : NULL;
	at = at ? at + sizeof(key) - 1 : NULL;
	quote = at ? memchr(at, '"', (size_t)(end - at)) : NULL;
	return quote ? vy_str_n(at, (size_t)(quote - at)) : vy_str_n(NULL, 0);
}

static int add_settled(struct job *j, struct vy_str message, struct vy_err *e)
{
	struct db_stmt *s = db_prep(j->of->c.db,
		"SELECT seq, data FROM journal WHERE session = ?1 AND subject = ?2 AND"
		" type IN ('assistant.message', 'assistant.attempt') AND data IS NOT NULL",
		e);
	int rc;

	if (!s) {
		return -1;
	}
	db_bind_text(s, 1, vy_str_c(j->session));
	db_bind_text(s, 2, message);
	while ((rc = db_step(s, e)) > 0 && j->n_settled < SETTLED_MOST) {
		j->settled[j->n_settled++] = (struct settled){ .seq = db_int(s, 0),
			.data = vy_arena_str(&j->mem, db_blob(s, 1)),
			.less = VY_BUF_INIT(DATA_MAX) };
	}
	db_done(s);
	return rc < 0 ? -1 : 0;
}

/* Of every message whose words are here. */
static int gather_settled(struct job *j, struct vy_err *e)
{
	struct vy_str seen[SETTLED_MOST];
	size_t n = 0;

	for (size_t i = 0; i < j->n; i++) {
		struct vy_str m = tidying_message(j->frames[i].bytes);
		size_t k = n;

		while (m.n && k-- > 0 && !vy_str_eq(seen[k], m)) {
		}
		if (m.n && k == SIZE_MAX && n < SETTLED_MOST) {
			seen[n++] = m;
			if (add_settled(j, m, e) < 0) {
				return -1;
			}
		}
	}
	return 0;
}

/* The rows it is made of, to be found the same when it is put in their place. */
static int look(struct job *j, int64_t *rows, int64_t *bytes, struct vy_err *e)
{
	static const char *const sql[] = {
		"SELECT count(*), sum(length(f.bytes)), s.sid FROM stream s, frame f"
		" WHERE s.session = ?1 AND f.sid = s.sid AND f.cur BETWEEN ?2 AND ?3",
		"SELECT count(*), sum(length(r.bytes)), s.sid FROM stream s, run r"
		" WHERE s.session = ?1 AND r.sid = s.sid AND r.first BETWEEN ?2 AND ?3",
	};
	int64_t v[3] = { 0 };

	if (one_row(j->of->c.db, sql[j->range.is_runs], vy_str_c(j->session), j->range.first,
		    j->range.last, v, 3, e) < 0) {
		return -1;
	}
	*rows = v[0];
	*bytes = v[1];
	return v[2] == j->range.sid;
}

/* The last run that was read only in part, since it is too much, stays as it is. */
static int whole_runs(struct job *j, struct vy_err *e)
{
	int64_t v[1] = { 0 };
	int rc = one_row(j->of->c.db,
		"SELECT max(r.last) FROM stream s JOIN run r ON r.sid = s.sid"
		" WHERE s.session = ?1 AND r.first >= ?2 AND r.last <= ?3",
		vy_str_c(j->session), j->range.first, j->frames[j->n - 1].cur, v, 1, e);

	while (rc > 0 && j->n > 0 && j->frames[j->n - 1].cur > v[0]) {
		j->n--;
	}
	return rc < 0 ? -1 : 0;
}

static int gather(struct job *j, struct vy_err *e)
{
	const struct store_reading whole = { .is_whole = true };
	struct log_store *s = j->of->c.store;

	if (s->ops->read(s, vy_str_c(j->session), j->range.first, &whole, add_frame, j, e) < 0) {
		return -1;
	}
	if (j->n > 0 && j->range.is_runs && whole_runs(j, e) < 0) {
		return -1;
	}
	if (j->n == 0 || j->frames[j->n - 1].cur < j->range.first_end) {
		return vy_fail(e, VY_CORRUPT, "a run of %s is not whole", j->session);
	}
	j->range.last = j->frames[j->n - 1].cur;
	return look(j, &j->range.rows, &j->range.bytes, e) < 0 ? -1 : gather_settled(j, e);
}

/* ---- on the worker ---- */

static void make_less(struct settled *s, int level)
{
	VY_AUTO_BUF json = VY_BUF_INIT(DATA_MAX);
	struct vy_str as = s->data;

	if (compact_level(as) >= level) {
		return;
	}
	if (compact_level(as)) {
		if (compact_json(as, &json, NULL) < 0) {
			return;
		}
		as = vy_buf_str(&json);
	}
	if (!compact_make(as, level, &s->less) || s->less.len >= s->data.n) {
		vy_buf_fini(&s->less);
	}
}

static int run_job(void *ctx, struct vy_err *e)
{
	struct job *j = ctx;
	struct pieces *at[SETTLED_MOST];
	struct pack_source src = { j->frames, j->n, at, 0, j->expire_before };

	for (size_t i = 0; i < j->n_settled; i++) {
		struct settled *s = &j->settled[i];

		/* the compact form is read ten times sooner */
		make_less(s, j->level);
		s->is_read = pieces_read(&s->words, s->seq,
				     s->less.len ? vy_buf_str(&s->less) : s->data, NULL) == 0;
		if (s->is_read) {
			at[src.n_settled++] = &s->words;
		}
	}
	return pack_make(&src, j->level, &j->row, &j->expires)
		       ? 0
		       : vy_fail(e, VY_BUG, "frames %lld to %lld of %s cannot be packed",
				 (long long)j->range.first, (long long)j->range.last, j->session);
}

/* ---- in their place ---- */

static int drop_rows(struct job *j, struct vy_err *e)
{
	static const char *const sql[] = {
		"DELETE FROM frame WHERE sid = ?1 AND cur BETWEEN ?2 AND ?3",
		"DELETE FROM run WHERE sid = ?1 AND first BETWEEN ?2 AND ?3",
	};
	struct db_stmt *s = db_prep(j->of->c.db, sql[j->range.is_runs], e);

	if (!s) {
		return -1;
	}
	db_bind_int(s, 1, j->range.sid);
	db_bind_int(s, 2, j->range.first);
	db_bind_int(s, 3, j->range.last);
	return db_run(s, e) < 0 ? -1 : 0;
}

static int put_run(struct job *j, struct vy_err *e)
{
	struct db_stmt *s =
		db_prep(j->of->c.db, "INSERT INTO run VALUES (?1, ?2, ?3, ?4, ?5, ?6)", e);

	if (!s) {
		return -1;
	}
	db_bind_int(s, 1, j->range.sid);
	db_bind_int(s, 2, j->range.first);
	db_bind_int(s, 3, j->range.last);
	db_bind_int(s, 4, j->level);
	db_bind_int(s, 5, j->expires);
	db_bind_blob(s, 6, vy_buf_str(&j->row));
	if (db_run(s, e) < 0) {
		return -1;
	}
	s = db_prep(j->of->c.db, "UPDATE stream SET bytes = bytes + ?2 WHERE sid = ?1", e);
	if (!s) {
		return -1;
	}
	db_bind_int(s, 1, j->range.sid);
	db_bind_int(s, 2, (int64_t)j->row.len - j->range.bytes);
	return db_run(s, e) < 0 ? -1 : 0;
}

static int put_settled(struct job *j, struct vy_err *e)
{
	for (size_t i = 0; i < j->n_settled; i++) {
		const struct settled *g = &j->settled[i];
		struct db_stmt *s;

		if (g->less.len == 0) {
			continue;
		}
		s = db_prep(j->of->c.db,
			"UPDATE journal SET data = ?2 WHERE seq = ?1 AND data IS NOT NULL", e);
		if (!s) {
			return -1;
		}
		db_bind_int(s, 1, g->seq);
		db_bind_blob(s, 2, vy_buf_str(&g->less));
		if (db_run(s, e) < 0) {
			return -1;
		}
	}
	return 0;
}

/* 1: it is there; 0: the rows are others now. */
static int put_all(struct job *j, struct vy_err *e)
{
	struct log_store *s = j->of->c.store;
	int64_t rows = 0, bytes = 0;
	int rc;

	VY_CRASH(PACK_BEGIN);
	if (s->ops->begin(s, e) < 0) {
		return -1;
	}
	rc = look(j, &rows, &bytes, e);
	if (rc <= 0 || rows != j->range.rows || bytes != j->range.bytes) {
		s->ops->rollback(s);
		return rc < 0 ? -1 : 0;
	}
	if (store_frames_stock(j->of->c.db, vy_str_c(j->session), e) < 0 || drop_rows(j, e) < 0 ||
		put_run(j, e) < 0 || put_settled(j, e) < 0) {
		s->ops->rollback(s);
		return -1;
	}
	VY_CRASH(PACK_WRITTEN);
	rc = s->ops->commit(s, e);
	runs_forget(j->of->c.runs);
	VY_CRASH(PACK_DONE);
	return rc < 0 ? -1 : 1;
}

static void job_free(struct job *j)
{
	for (size_t i = 0; i < j->n_settled; i++) {
		vy_buf_fini(&j->settled[i].less);
		if (j->settled[i].is_read) {
			pieces_fini(&j->settled[i].words);
		}
	}
	vy_buf_fini(&j->row);
	vy_arena_fini(&j->mem);
	free(j->session);
	free(j);
}

static void job_done(void *ctx, int rc, const struct vy_err *failed)
{
	struct job *j = ctx;
	struct vy_err e = { 0 };

	if (failed && rc < 0) {
		e = *failed;
	} else {
		rc = put_all(j, &e);
	}
	if (rc < 0 && e.code != VY_RETRY) {
		vy_log(VY_LOG_WARN, "store.tidy", "session=%s from=%lld to=%lld err=%s", j->session,
			(long long)j->range.first, (long long)j->range.last, vy_log_q(e.text));
	} else if (rc > 0) {
		vy_log(VY_LOG_DEBUG, "store.tidy",
			"session=%s from=%lld to=%lld level=%d bytes=%lld packed=%zu", j->session,
			(long long)j->range.first, (long long)j->range.last, j->level,
			(long long)j->range.bytes, j->row.len);
	}
	if (rc < 0 && e.code == VY_FULL) { /* it was given for this, which can wait: back with it */
		(void)j->of->c.store->ops->has_room(j->of->c.store);
	}
	j->of->under_way = NULL;
	j->done(j->ctx, rc > 0 ? 0 : -1);
	job_free(j);
}

int tidying_step(struct tidying *t, const struct store_tidy *what, void (*done)(void *ctx, int rc),
	void *ctx, struct vy_err *e)
{
	struct job *j;
	int rc;

	vy_assert(!t->under_way);
	j = VY_NEW(struct job);
	j->of = t;
	j->session = vy_memdup0(what->session.p, what->session.n);
	j->expire_before = what->expire_before;
	j->row = VY_BUF_INIT(ROW_MAX);
	j->done = done;
	j->ctx = ctx;
	vy_arena_init(&j->mem);
	rc = choose(j, what, e);
	if (rc > 0 && gather(j, e) < 0) {
		rc = -1;
	}
	if (rc <= 0) {
		job_free(j);
		return rc;
	}
	t->under_way = j;
	if (t->c.work) {
		work_add(t->c.work, run_job, job_done, j);
	} else {
		struct vy_err why = { 0 };

		rc = run_job(j, &why);
		job_done(j, rc, &why);
	}
	return 1;
}

/* ---- life ---- */

struct tidying *tidying_new(const struct tidying_conf *c)
{
	struct tidying *t = VY_NEW(struct tidying);

	t->c = *c;
	return t;
}

static void nobody(void *ctx, int rc)
{
	(void)ctx;
	(void)rc;
}

bool tidying_is_busy(const struct tidying *t)
{
	return t && t->under_way;
}

void tidying_free(struct tidying *t)
{
	if (t && t->under_way) {
		t->under_way->done = nobody;
		work_drain(t->c.work);
	}
	free(t);
}

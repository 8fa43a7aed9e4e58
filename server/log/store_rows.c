/* store_rows.c -- see store_rows.h.
 *
 * One entry a kind: how to write, delete and list it, in SQL and in four small functions. The
 * parameters of `put` are the columns in the order of the table. */
#include "server/log/store_rows.h"

#include "server/io/db.h"
#include "server/log/compact.h"
#include "server/log/store_live.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define DATA_MAX (64 * VY_MIB) /* of an event */

/* A list has a narrow form, for when its key is given, and a wide one. */
struct row_sql {
	const char *put, *narrow, *wide;
	const char *del[12]; /* run in order; NULL ends */
	void (*bind_put)(struct db_stmt *s, const struct store_row *r);
	void (*bind_del)(struct db_stmt *s, const struct store_row *r);
	bool (*bind_like)(struct db_stmt *s, const struct store_row *like); /* NULL s: narrow? */
	void (*read)(struct db_stmt *s, struct store_row *r);
};

/* ---- session ---- */

static void session_put(struct db_stmt *s, const struct store_row *r)
{
	db_bind_text(s, 1, r->session.session);
	db_bind_text(s, 2, r->session.project);
	db_bind_text(s, 3, r->session.state);
	db_bind_int(s, 4, r->session.updated);
	db_bind_int(s, 5, r->session.is_archived);
	db_bind_text(s, 6, r->session.doc);
}

static void session_del(struct db_stmt *s, const struct store_row *r)
{
	db_bind_text(s, 1, r->session.session);
}

static bool session_like(struct db_stmt *s, const struct store_row *r)
{
	if (s && r->session.session.n) {
		db_bind_text(s, 1, r->session.session);
	} else if (s) {
		db_bind_text(s, 1, r->session.project);
		db_bind_text(s, 2, r->session.state);
	}
	return r->session.session.n > 0;
}

static void session_read(struct db_stmt *s, struct store_row *r)
{
	r->session.session = db_text(s, 0);
	r->session.project = db_text(s, 1);
	r->session.state = db_text(s, 2);
	r->session.updated = db_int(s, 3);
	r->session.is_archived = db_int(s, 4) != 0;
	r->session.doc = db_text(s, 5);
}

/* ---- live ---- */

static void live_put(struct db_stmt *s, const struct store_row *r)
{
	db_bind_text(s, 1, r->live.hid);
	db_bind_text(s, 2, r->live.session);
	db_bind_blob(s, 3, r->live.token);
	db_bind_int(s, 4, r->live.off);
	db_bind_text(s, 5, r->live.driver_state);
	db_bind_text(s, 6, r->live.turn_state);
	db_bind_text(s, 7, r->live.extra);
}

static void live_del(struct db_stmt *s, const struct store_row *r)
{
	db_bind_text(s, 1, r->live.hid);
}

static bool live_like(struct db_stmt *s, const struct store_row *r)
{
	if (s) {
		db_bind_text(s, 1, r->live.hid.n ? r->live.hid : r->live.session);
	}
	return r->live.hid.n > 0;
}

static void live_read(struct db_stmt *s, struct store_row *r)
{
	r->live.hid = db_text(s, 0);
	r->live.session = db_text(s, 1);
	r->live.token = db_blob(s, 2);
	r->live.off = db_int(s, 3);
	r->live.driver_state = db_text(s, 4);
	r->live.turn_state = db_text(s, 5);
	r->live.extra = db_text(s, 6);
}

/* ---- tell ---- */

static void tell_put(struct db_stmt *s, const struct store_row *r)
{
	db_bind_text(s, 1, r->tell.hid);
	db_bind_int(s, 2, r->tell.seq);
	db_bind_blob(s, 3, r->tell.bytes);
}

static void tell_del(struct db_stmt *s, const struct store_row *r)
{
	db_bind_text(s, 1, r->tell.hid);
	db_bind_int(s, 2, r->tell.seq);
}

static bool tell_like(struct db_stmt *s, const struct store_row *r)
{
	if (s && r->tell.hid.n) {
		tell_del(s, r);
	} else if (s) {
		db_bind_int(s, 1, r->tell.seq);
	}
	return r->tell.hid.n > 0;
}

static void tell_read(struct db_stmt *s, struct store_row *r)
{
	r->tell.hid = db_text(s, 0);
	r->tell.seq = db_int(s, 1);
	r->tell.bytes = db_blob(s, 2);
}

/* ---- ask ---- */

static void ask_put(struct db_stmt *s, const struct store_row *r)
{
	db_bind_text(s, 1, r->ask.ask);
	db_bind_text(s, 2, r->ask.session);
	db_bind_int(s, 3, r->ask.is_open);
	db_bind_int(s, 4, r->ask.raised);
	db_bind_text(s, 5, r->ask.doc);
}

static void ask_del(struct db_stmt *s, const struct store_row *r)
{
	db_bind_text(s, 1, r->ask.ask);
}

static bool ask_like(struct db_stmt *s, const struct store_row *r)
{
	if (s) {
		db_bind_text(s, 1, r->ask.ask.n ? r->ask.ask : r->ask.session);
		db_bind_int(s, 2, r->ask.is_open);
	}
	return r->ask.ask.n > 0;
}

static void ask_read(struct db_stmt *s, struct store_row *r)
{
	r->ask.ask = db_text(s, 0);
	r->ask.session = db_text(s, 1);
	r->ask.is_open = db_int(s, 2) != 0;
	r->ask.raised = db_int(s, 3);
	r->ask.doc = db_text(s, 4);
}

/* ---- queue ---- */

static void queue_put(struct db_stmt *s, const struct store_row *r)
{
	db_bind_text(s, 1, r->queue.session);
	db_bind_text(s, 2, r->queue.queued);
	db_bind_int(s, 3, r->queue.position);
	db_bind_text(s, 4, r->queue.doc);
}

static void queue_del(struct db_stmt *s, const struct store_row *r)
{
	db_bind_text(s, 1, r->queue.session);
	db_bind_text(s, 2, r->queue.queued);
}

static bool queue_like(struct db_stmt *s, const struct store_row *r)
{
	if (s) {
		queue_del(s, r);
	}
	return r->queue.session.n > 0;
}

static void queue_read(struct db_stmt *s, struct store_row *r)
{
	r->queue.session = db_text(s, 0);
	r->queue.queued = db_text(s, 1);
	r->queue.position = db_int(s, 2);
	r->queue.doc = db_text(s, 3);
}

/* ---- key ---- */

static void key_put(struct db_stmt *s, const struct store_row *r)
{
	db_bind_text(s, 1, r->key.scope);
	db_bind_text(s, 2, r->key.method);
	db_bind_text(s, 3, r->key.key);
	db_bind_blob(s, 4, r->key.input);
	db_bind_text(s, 5, r->key.result);
	db_bind_int(s, 6, r->key.expires);
}

static void key_del(struct db_stmt *s, const struct store_row *r)
{
	db_bind_int(s, 1, r->key.expires);
}

static bool key_like(struct db_stmt *s, const struct store_row *r)
{
	if (s) {
		db_bind_text(s, 1, r->key.scope);
		db_bind_text(s, 2, r->key.method);
		db_bind_text(s, 3, r->key.key);
	}
	return r->key.scope.n && r->key.method.n && r->key.key.n;
}

static void key_read(struct db_stmt *s, struct store_row *r)
{
	r->key.scope = db_text(s, 0);
	r->key.method = db_text(s, 1);
	r->key.key = db_text(s, 2);
	r->key.input = db_blob(s, 3);
	r->key.result = db_text(s, 4);
	r->key.expires = db_int(s, 5);
}

/* ---- output ---- */

static void output_put(struct db_stmt *s, const struct store_row *r)
{
	db_bind_text(s, 1, r->output.session);
	db_bind_text(s, 2, r->output.ref);
	db_bind_text(s, 3, r->output.mime);
	db_bind_blob(s, 4, r->output.bytes);
}

static void output_del(struct db_stmt *s, const struct store_row *r)
{
	db_bind_text(s, 1, r->output.session);
	db_bind_text(s, 2, r->output.ref);
}

static bool output_like(struct db_stmt *s, const struct store_row *r)
{
	if (s) {
		output_del(s, r);
	}
	return r->output.session.n > 0;
}

static void output_read(struct db_stmt *s, struct store_row *r)
{
	r->output.session = db_text(s, 0);
	r->output.ref = db_text(s, 1);
	r->output.mime = db_text(s, 2);
}

/* ---- kv ---- */

static void kv_del(struct db_stmt *s, const struct store_row *r)
{
	db_bind_text(s, 1, r->kv.space);
	db_bind_text(s, 2, r->kv.name);
}

static void kv_put(struct db_stmt *s, const struct store_row *r)
{
	kv_del(s, r);
	db_bind_blob(s, 3, r->kv.value);
}

static bool kv_like(struct db_stmt *s, const struct store_row *r)
{
	if (s) {
		kv_del(s, r);
	}
	return r->kv.space.n > 0;
}

static void kv_read(struct db_stmt *s, struct store_row *r)
{
	r->kv.space = db_text(s, 0);
	r->kv.name = db_text(s, 1);
	r->kv.value = db_blob(s, 2);
}

/* ---- journal ---- */

static void journal_put(struct db_stmt *s, const struct store_row *r)
{
	const struct row_journal *j = &r->journal;

	db_bind_int(s, 1, j->seq);
	db_bind_text(s, 2, j->session);
	db_bind_text(s, 3, j->id);
	db_bind_text(s, 4, j->type);
	db_bind_int(s, 5, j->time);
	db_bind_text(s, 6, j->actor);
	db_bind_text(s, 7, j->chain);
	db_bind_text(s, 8, j->subject);
	db_bind_text(s, 9, j->turn);
	db_bind_int(s, 10, j->step);
	db_bind_text(s, 11, j->data);
	db_bind_blob(s, 12, j->data_hash);
	db_bind_blob(s, 13, j->prev);
	db_bind_blob(s, 14, j->hash);
}

static void journal_del(struct db_stmt *s, const struct store_row *r)
{
	db_bind_int(s, 1, r->journal.seq);
}

static bool journal_like(struct db_stmt *s, const struct store_row *r)
{
	if (s) {
		db_bind_int(s, 1, r->journal.seq);
	}
	if (s && r->journal.session.n) {
		db_bind_text(s, 2, r->journal.session);
	}
	return r->journal.session.n > 0;
}

static void journal_read(struct db_stmt *s, struct store_row *r)
{
	struct row_journal *j = &r->journal;

	j->seq = db_int(s, 0);
	j->session = db_text(s, 1);
	j->id = db_text(s, 2);
	j->type = db_text(s, 3);
	j->time = db_int(s, 4);
	j->actor = db_text(s, 5);
	j->chain = db_text(s, 6);
	j->subject = db_text(s, 7);
	j->turn = db_text(s, 8);
	j->step = db_int(s, 9);
	j->data = db_blob(s, 10); /* JSON; or a settlement that is kept compact, see whole() */
	j->data_hash = db_blob(s, 11);
	j->prev = db_blob(s, 12);
	j->hash = db_blob(s, 13);
}

/* ---- message ---- */

static void message_del(struct db_stmt *s, const struct store_row *r)
{
	db_bind_text(s, 1, r->message.session);
	db_bind_text(s, 2, r->message.message);
}

static void message_put(struct db_stmt *s, const struct store_row *r)
{
	message_del(s, r);
	db_bind_int(s, 3, r->message.position);
	db_bind_text(s, 4, r->message.doc);
}

static bool message_like(struct db_stmt *s, const struct store_row *r)
{
	if (s && r->message.message.n) {
		message_del(s, r);
	} else if (s) {
		db_bind_text(s, 1, r->message.session);
		db_bind_int(s, 2, r->message.position ? r->message.position : INT64_MAX);
	}
	return r->message.message.n > 0;
}

static void message_read(struct db_stmt *s, struct store_row *r)
{
	r->message.session = db_text(s, 0);
	r->message.message = db_text(s, 1);
	r->message.position = db_int(s, 2);
	r->message.doc = db_text(s, 3);
}

/* ---- control ---- */

static void control_del(struct db_stmt *s, const struct store_row *r)
{
	db_bind_int(s, 1, r->control.seq);
}

static void control_put(struct db_stmt *s, const struct store_row *r)
{
	control_del(s, r);
	db_bind_text(s, 2, r->control.session);
	db_bind_text(s, 3, r->control.type);
	db_bind_text(s, 4, r->control.own);
	db_bind_text(s, 5, r->control.doc);
}

static bool control_like(struct db_stmt *s, const struct store_row *r)
{
	if (s) {
		db_bind_int(s, 1, r->control.seq);
	}
	return r->control.seq == -1;
}

static void control_read(struct db_stmt *s, struct store_row *r)
{
	r->control.seq = db_int(s, 0);
	r->control.session = db_text(s, 1);
	r->control.type = db_text(s, 2);
	r->control.own = db_text(s, 3);
	r->control.doc = db_text(s, 4);
}

/* ---- the table ---- */

static const char forget_kv[] =
	"DELETE FROM kv WHERE space IN ('" ROW_DERIVED "', '" ROW_SEEDED "') AND name = ?1";

static const char forget_control[] =
	"UPDATE control SET session = '', type = '', own = '', doc = '' WHERE session = ?1";

static const struct row_sql kinds[ROW_KINDS] = {
	[ROW_SESSION] = { "REPLACE INTO session VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
		"SELECT * FROM session WHERE session = ?1",
		"SELECT * FROM session WHERE (?1 = '' OR project = ?1) AND (?2 = '' OR state = ?2)"
		" ORDER BY updated DESC, session",
		{ "DELETE FROM tell WHERE hid IN (SELECT hid FROM live WHERE session = ?1)",
			"DELETE FROM live WHERE session = ?1", "DELETE FROM ask WHERE session = ?1",
			"DELETE FROM queue WHERE session = ?1",
			"DELETE FROM output WHERE session = ?1",
			"DELETE FROM message WHERE session = ?1", forget_kv,
			"UPDATE journal SET data = NULL WHERE session = ?1 AND data IS NOT NULL",
			forget_control, "DELETE FROM session WHERE session = ?1", NULL },
		session_put, session_del, session_like, session_read },
	[ROW_LIVE] = { "REPLACE INTO live VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
		LIVE_ALL " WHERE l.hid = ?1",
		LIVE_ALL " WHERE ?1 = '' OR l.session = ?1 ORDER BY l.hid",
		{ "DELETE FROM tell WHERE hid = ?1", LIVE_FORGET, "DELETE FROM live WHERE hid = ?1",
			NULL },
		live_put, live_del, live_like, live_read },
	[ROW_TELL] = { "REPLACE INTO tell VALUES (?1, ?2, ?3)",
		"SELECT * FROM tell WHERE hid = ?1 AND seq >= ?2 ORDER BY seq",
		"SELECT * FROM tell WHERE seq >= ?1 ORDER BY hid, seq",
		{ "DELETE FROM tell WHERE hid = ?1 AND seq <= ?2", NULL }, tell_put, tell_del,
		tell_like, tell_read },
	[ROW_ASK] = { "REPLACE INTO ask VALUES (?1, ?2, ?3, ?4, ?5)",
		"SELECT * FROM ask WHERE ask = ?1 AND open >= ?2",
		"SELECT * FROM ask WHERE (?1 = '' OR session = ?1) AND open >= ?2"
		" ORDER BY raised, ask",
		{ "DELETE FROM ask WHERE ask = ?1", NULL }, ask_put, ask_del, ask_like, ask_read },
	[ROW_QUEUE] = { "REPLACE INTO queue VALUES (?1, ?2, ?3, ?4)",
		"SELECT * FROM queue WHERE session = ?1 AND (?2 = '' OR queued = ?2)"
		" ORDER BY position, queued",
		"SELECT * FROM queue WHERE ?1 = '' AND (?2 = '' OR queued = ?2)"
		" ORDER BY session, position, queued",
		{ "DELETE FROM queue WHERE session = ?1 AND queued = ?2", NULL }, queue_put,
		queue_del, queue_like, queue_read },
	[ROW_KEY] = { "REPLACE INTO key VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
		"SELECT * FROM key WHERE scope = ?1 AND method = ?2 AND key = ?3",
		"SELECT * FROM key WHERE (?1 = '' OR scope = ?1) AND (?2 = '' OR method = ?2)"
		" AND (?3 = '' OR key = ?3) ORDER BY scope, method, key",
		{ "DELETE FROM key WHERE expires < ?1", NULL }, key_put, key_del, key_like,
		key_read },
	[ROW_OUTPUT] = { "REPLACE INTO output(session, ref, mime, bytes) VALUES (?1, ?2, ?3, ?4)",
		"SELECT session, ref, mime FROM output WHERE session = ?1 AND (?2 = '' OR ref = ?2)"
		" ORDER BY ref",
		"SELECT session, ref, mime FROM output WHERE ?1 = '' AND (?2 = '' OR ref = ?2)"
		" ORDER BY session, ref",
		{ "DELETE FROM output WHERE session = ?1 AND ref = ?2", NULL }, output_put,
		output_del, output_like, output_read },
	[ROW_KV] = { "REPLACE INTO kv VALUES (?1, ?2, ?3)",
		"SELECT * FROM kv WHERE space = ?1 AND (?2 = '' OR name = ?2) ORDER BY name",
		"SELECT * FROM kv WHERE ?1 = '' AND (?2 = '' OR name = ?2) ORDER BY space, name",
		{ "DELETE FROM kv WHERE space = ?1 AND name = ?2", NULL }, kv_put, kv_del, kv_like,
		kv_read },
	[ROW_JOURNAL] = { "INSERT INTO journal VALUES"
			  " (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
		"SELECT * FROM journal WHERE session = ?2 AND seq >= ?1 ORDER BY seq",
		"SELECT * FROM journal WHERE seq >="
		" CASE WHEN ?1 = -1 THEN (SELECT max(seq) FROM journal) ELSE ?1 END ORDER BY seq",
		{ "SELECT 1 WHERE ?1 < 0", NULL }, journal_put, journal_del, journal_like,
		journal_read },
	[ROW_MESSAGE] = { "REPLACE INTO message VALUES (?1, ?2, ?3, ?4)",
		"SELECT * FROM message WHERE session = ?1 AND message = ?2",
		"SELECT * FROM message WHERE session = ?1 AND position < ?2"
		" ORDER BY position DESC, message",
		{ "DELETE FROM message WHERE session = ?1 AND message = ?2", NULL }, message_put,
		message_del, message_like, message_read },
	[ROW_CONTROL] = { "INSERT INTO control VALUES (?1, ?2, ?3, ?4, ?5)",
		"SELECT * FROM control WHERE ?1 = -1 ORDER BY seq DESC LIMIT 1",
		"SELECT * FROM control WHERE seq >= ?1 ORDER BY seq",
		{ "DELETE FROM control WHERE seq <= ?1", NULL }, control_put, control_del,
		control_like, control_read },
};

/* ---- the verbs ---- */

int store_rows_put(struct db *d, const struct store_row *row, struct vy_err *e)
{
	const struct row_sql *k = &kinds[row->kind];
	struct db_stmt *s = db_prep(d, k->put, e);

	if (!s) {
		return -1;
	}
	k->bind_put(s, row);
	return db_run(s, e) < 0 ? -1 : 0;
}

int store_rows_del(struct db *d, const struct store_row *row, struct vy_err *e)
{
	const struct row_sql *k = &kinds[row->kind];

	for (const char *const *sql = k->del; *sql; sql++) {
		struct db_stmt *s = db_prep(d, *sql, e);

		if (!s) {
			return -1;
		}
		k->bind_del(s, row);
		if (db_run(s, e) < 0) {
			return -1;
		}
	}
	return 0;
}

/* An event's data is JSON to everybody, however it is kept; a state the newest, wherever it stands. */
static int whole(struct db_stmt *s, struct store_row *row, struct vy_buf *json, struct vy_err *e)
{
	if (row->kind == ROW_LIVE && !db_is_null(s, LIVE_BESIDE)) {
		return store_live_read(db_blob(s, LIVE_BESIDE), &row->live, e);
	}
	if (row->kind != ROW_JOURNAL || !compact_level(row->journal.data)) {
		return 0;
	}
	vy_buf_clear(json);
	if (compact_json(row->journal.data, json, e) < 0) {
		return vy_wrap(e, "event %lld", (long long)row->journal.seq);
	}
	row->journal.data = vy_buf_str(json);
	return 0;
}

/* 0 all, 1 enough, -1 failed; *n counts the rows given. */
static int each_of(struct db *d, const char *sql, const struct store_row *like, store_row_fn *fn,
	void *ctx, size_t *n, struct vy_err *e)
{
	const struct row_sql *k = &kinds[like->kind];
	VY_AUTO_BUF json = VY_BUF_INIT(DATA_MAX);
	struct db_stmt *s = db_prep(d, sql, e);
	int rc;

	if (!s) {
		return -1;
	}
	k->bind_like(s, like);
	while ((rc = db_step(s, e)) > 0) {
		struct store_row row = { .kind = like->kind };

		k->read(s, &row);
		if (whole(s, &row, &json, e) < 0) {
			rc = -1;
			break;
		}
		++*n;
		if (!fn(ctx, &row)) {
			break;
		}
	}
	db_done(s);
	return rc;
}

int store_rows_each(
	struct db *d, const struct store_row *like, store_row_fn *fn, void *ctx, struct vy_err *e)
{
	static const char *const as_read[] = {
		"SELECT * FROM session NOT INDEXED WHERE (?1 = '' OR project = ?1)"
		" AND (?2 = '' OR state = ?2)",
		"SELECT * FROM session NOT INDEXED WHERE session = ?1",
	};
	const struct row_sql *k = &kinds[like->kind];
	bool is_narrow = k->bind_like(NULL, like);
	struct vy_err why = { 0 };
	size_t n = 0;
	int rc = each_of(d, is_narrow ? k->narrow : k->wide, like, fn, ctx, &n, &why);

	/* An index that is broken does not take the sessions along. It stays an error. */
	if (rc < 0 && why.code == VY_CORRUPT && n == 0 && like->kind == ROW_SESSION) {
		(void)each_of(d, as_read[is_narrow], like, fn, ctx, &n, NULL);
	}
	if (rc < 0) {
		vy_fail(e, why.code, "%s", why.text);
	}
	return rc < 0 ? -1 : 0;
}

int64_t store_rows_output(struct db *d, struct vy_str session, struct vy_str ref, int64_t off,
	void *out, size_t n, int64_t *total, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d, "SELECT id FROM output WHERE session = ?1 AND ref = ?2", e);
	int64_t id = 0;
	int rc;

	if (!s) {
		return -1;
	}
	db_bind_text(s, 1, session);
	db_bind_text(s, 2, ref);
	rc = db_step(s, e);
	if (rc > 0) {
		id = db_int(s, 0);
	}
	db_done(s);
	if (rc < 0) {
		return -1;
	}
	if (rc == 0) {
		return vy_fail(e, VY_NOT_FOUND, "no output %.*s here", VY_STR_ARG(ref));
	}
	return db_blob_read(d, "output", "bytes", id, off, out, n, total, e);
}

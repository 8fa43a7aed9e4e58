/* verbs_store.c -- the database behind vyred's back: changed, and its chain reckoned from wire.md alone. */
#include <string.h>

#include "server/io/db.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "tests/play/play.h"
#include "shared/base/ban.h"

/* sql FILE STATEMENTS: while no vyred runs. */
static bool do_sql(struct play *p, const struct words *w)
{
	struct vy_err e = { 0 };
	struct db *db = db_open_side(w->v[1], &e);
	bool ok = db && db_exec(db, w->v[2], &e) == 0 && db_truncate_wal(db, &e) == 0;

	db_close(db);
	return ok || play_fail(p, "%s", e.text);
}

/* ---- the chain (wire.md, section 7) ---- */

static void add_number(struct vy_buf *to, int64_t n)
{
	for (int i = 56; i >= 0; i -= 8) {
		vy_buf_addc(to, (char)((uint64_t)n >> i));
	}
}

static void add_sized(struct vy_buf *to, struct vy_str s)
{
	add_number(to, (int64_t)s.n);
	vy_buf_addstr(to, s);
}

enum {
	SEQ,
	SESSION,
	ID,
	TYPE,
	TIME,
	ACTOR,
	CHAIN,
	SUBJECT,
	TURN,
	STEP,
	DATA,
	DATA_HASH,
	PREV,
	HASH,
	DATA_IS
};

static bool is_sha256(struct vy_str of, struct vy_str digest)
{
	uint8_t mine[VY_SHA256_LEN];

	vy_sha256(of.p, of.n, mine);
	return vy_str_eq(vy_str_n((const char *)mine, sizeof(mine)), digest);
}

static bool is_chained(struct db_stmt *s, struct vy_str prev)
{
	static const int texts[] = { SESSION, ID, TYPE, ACTOR, CHAIN, SUBJECT, TURN };
	VY_AUTO_BUF of = VY_BUF_INIT(VY_MIB);

	add_sized(&of, prev);
	add_number(&of, db_int(s, SEQ));
	add_number(&of, db_int(s, TIME));
	add_number(&of, db_int(s, STEP));
	for (size_t i = 0; i < VY_COUNT(texts); i++) {
		add_sized(&of, db_text(s, texts[i]));
	}
	add_sized(&of, db_blob(s, DATA_HASH));
	return vy_str_eq(db_blob(s, PREV), prev) && is_sha256(vy_buf_str(&of), db_blob(s, HASH));
}

/* Unless it was erased, or is a settlement that is packed: canonical JSON, of which that is the digest. */
static bool is_data(struct db_stmt *s)
{
	VY_AUTO_BUF again = VY_BUF_INIT(CONN_ANSWER_MAX);

	if (!vy_str_is(db_text(s, DATA_IS), "text")) {
		return true;
	}
	VY_AUTO_JSON *data = vy_json_parse(db_text(s, DATA), NULL);

	return data && vy_json_dump_canonical(data, &again) &&
	       vy_str_eq(vy_buf_str(&again), db_text(s, DATA)) &&
	       is_sha256(db_text(s, DATA), db_blob(s, DATA_HASH));
}

/* chain FILE: each row of the journal has its hash, over the one before; `it` is {rows, texts}. */
static bool do_chain(struct play *p, const struct words *w)
{
	struct vy_err e = { 0 };
	struct db *db = db_open_side(w->v[1], &e);
	struct db_stmt *s = db ? db_prep(db,
					 "SELECT seq, session, id, type, time, actor, chain, "
					 "subject, turn, step, data, data_hash, prev, hash, "
					 "typeof(data) FROM journal ORDER BY seq",
					 &e)
			       : NULL;
	char prev[VY_SHA256_LEN] = { 0 };
	int64_t rows = 0, texts = 0;
	int rc = -1;
	bool ok = true;

	while (ok && s && (rc = db_step(s, &e)) > 0) {
		ok = db_int(s, SEQ) == rows + 1 && is_chained(s, vy_str_n(prev, sizeof(prev))) &&
		     is_data(s) && db_blob(s, HASH).n == sizeof(prev);
		if (ok) {
			memcpy(prev, db_blob(s, HASH).p, sizeof(prev));
		}
		rows++;
		texts += vy_str_is(db_text(s, DATA_IS), "text");
	}
	db_done(s);
	db_close(db);
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_int(o, "rows", rows);
	vy_json_set_int(o, "texts", texts);
	play_it(p, o);
	return ok ? rc == 0 || play_fail(p, "%s", e.text)
		  : play_fail(p, "row %lld does not fit", (long long)rows);
}

const struct play_entry verbs_store[] = {
	{ "sql", 2, do_sql },
	{ "chain", 1, do_chain },
	{ 0 },
};

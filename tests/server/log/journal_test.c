/* journal_test.c -- what frames bring into the store: events in one chain, settlements, messages.
 *
 * The same frames must give the same rows whatever happens between them: a start before each, a
 * commit that fails at each call, a vyred that dies with frames it had not committed. And whoever
 * changes a byte of the journal is found, but for the data of a session that was deleted. */
#include "server/log/journal.h"

#include "server/io/db.h"
#include "server/log/log.h"
#include "shared/base/buf.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/frame/frame.h"
#include "tests/check.h"
#include "tests/server/tempdir.h"
#include "shared/base/ban.h"

#define S(lit)   VY_STR_LIT(lit)
#define FRAMES   120
#define SESSIONS 2

static const char *const sessions[SESSIONS] = { "one", "two" };

static struct {
	struct tempdir dir;
	struct log_store *store;
	struct log *log;
	bool is_sqlite;
} t;

/* ---- a log ---- */

static void open_log(void)
{
	struct vy_err e = { 0 };
	struct log_conf conf = { .store = t.store, .clock = &vy_clock_real, .boot_id = "boot" };

	t.log = log_new(&conf, &e);
	check_true(e.text, t.log != NULL);
}

static void open_store(bool is_sqlite)
{
	struct vy_err e = { 0 };

	t.is_sqlite = is_sqlite;
	if (is_sqlite) {
		t.dir = tempdir_make();
		t.store = store_sqlite_open(t.dir.path, NULL, NULL, &e);
		check_true(e.text, t.store != NULL);
	} else {
		t.store = store_mem_new();
	}
	open_log();
}

static void close_all(void)
{
	log_free(t.log);
	t.store->ops->close(t.store);
	if (t.is_sqlite) {
		tempdir_remove(t.dir.path);
	}
	memset(&t, 0, sizeof(t));
}

static void start_again(void)
{
	log_free(t.log);
	open_log();
}

/* ---- frames: the n-th of a seed is always the same ---- */

static unsigned dice_state;

static unsigned dice(unsigned n)
{
	dice_state = dice_state * 1103515245u + 12345u;
	return (dice_state >> 16) % n;
}

static void words(struct vy_frame *f)
{
	static const char *const texts[] = { "a", "\xF0\x9F\x99\x82", "word ", "\"" };
	static const char *const messages[] = { "m", "n", "o" };

	vy_frame_init(f, VY_KIND_TEXT_DELTA);
	vy_frame_set_c(f, VY_F_MESSAGE, messages[dice(3)]);
	vy_frame_set_int(f, VY_F_INDEX, dice(2));
	vy_frame_set_c(f, VY_F_TEXT, texts[dice(VY_COUNT(texts))]);
	if (dice(3) == 0) {
		vy_frame_set_c(f, VY_F_PARENT, dice(2) ? "t" : "u");
	}
}

static void call(struct vy_frame *f)
{
	bool is_start = dice(2);

	vy_frame_init(f, is_start ? VY_KIND_TOOL_STARTED : VY_KIND_TOOL_FINISHED);
	vy_frame_set_c(f, VY_F_TOOL_ID, dice(2) ? "t" : "u");
	if (is_start) {
		vy_frame_set_c(f, VY_F_TOOL, "Task");
		vy_frame_set_c(f, VY_F_KIND, dice(2) ? "agent" : "shell");
		vy_frame_set_c(f, VY_F_SUMMARY, "ls");
		vy_frame_set_c(f, VY_F_PARENT_TOOL, dice(2) ? "t" : NULL);
		return;
	}
	vy_frame_set_bool(f, VY_F_OK, true);
	vy_frame_set_c(f, VY_F_STATUS, dice(3) ? "completed" : "canceled");
	vy_frame_set_json(f, VY_F_RESULT, S("{\"type\":\"text\",\"text\":\"x\"}"));
}

static void status(struct vy_frame *f)
{
	static const char *const states[] = { "working", "waiting", "asking", "stopped", "starting",
		"failed" };
	const char *state = states[dice(VY_COUNT(states))];

	vy_frame_init(f, VY_KIND_STATUS);
	vy_frame_set_c(f, VY_F_STATE, state);
	if (strcmp(state, "failed") == 0) {
		vy_frame_set_c(f, VY_F_REASON, dice(2) ? "agent-lost" : "agent-error");
	} else if (strcmp(state, "waiting") == 0 && dice(2)) {
		vy_frame_set_c(f, VY_F_NOTE, "interrupted");
		vy_frame_set_json(f, VY_F_USAGE, S("{\"used\":1,\"input\":2}"));
	} else if (dice(4) == 0) {
		vy_frame_set_bool(f, VY_F_STOPPING, true);
	} else if (dice(8) == 0) {
		vy_frame_set_json(f, VY_F_REWOUND, S("{\"message\":\"p\",\"to\":20}"));
	}
}

static void person(struct vy_frame *f)
{
	static const char *const states[] = { "queued", "sent", "picked-up", "cancelled" };

	vy_frame_init(f, VY_KIND_USER_MESSAGE);
	f->author = S("person:p");
	vy_frame_set_c(f, VY_F_MESSAGE, dice(2) ? "p" : "q");
	vy_frame_set_c(f, VY_F_STATE, states[dice(VY_COUNT(states))]);
	vy_frame_set_c(f, VY_F_TEXT, dice(2) ? "do it" : "do that");
}

/* Of the session `*session`; id, time and turn follow from n. */
static void make(struct vy_frame *f, int n, char room[64], const char **session)
{
	unsigned what;

	dice_state = (unsigned)n * 7919u + 17u;
	*session = sessions[dice(SESSIONS)];
	what = dice(12);
	if (what < 7) {
		words(f);
	} else if (what < 9) {
		call(f);
	} else if (what < 11) {
		status(f);
	} else {
		person(f);
	}
	snprintf(room, 32, "f%d", n);
	snprintf(room + 32, 32, "S:%d", n / 40);
	f->id = vy_str_c(room);
	f->turn = vy_str_c(room + 32);
	f->time = 1000 + n * 3;
	f->author = f->author.n ? f->author : S("assistant:a");
	f->acts_for = dice(2) && f->kind == VY_KIND_TEXT_DELTA ? S("person:p") : S("");
}

static bool append(int n)
{
	struct vy_err e = { 0 };
	struct vy_frame f;
	const char *session;
	char room[64];

	make(&f, n, room, &session);
	return log_append(t.log, session, &f, &e) == 0;
}

/* ---- what is stored ---- */

static bool dump_row(void *ctx, const struct store_row *row)
{
	char hash[2 * VY_SHA256_LEN + 1] = "";

	if (row->kind == ROW_JOURNAL) {
		const struct row_journal *j = &row->journal;

		vy_hex(j->hash.p, j->hash.n, hash);
		vy_buf_addf(ctx, "%lld %.*s %.*s %.*s %lld %.*s %.*s %.*s %.*s/%lld %.*s %s\n",
			(long long)j->seq, VY_STR_ARG(j->session), VY_STR_ARG(j->id),
			VY_STR_ARG(j->type), (long long)j->time, VY_STR_ARG(j->actor),
			VY_STR_ARG(j->chain), VY_STR_ARG(j->subject), VY_STR_ARG(j->turn),
			(long long)j->step, VY_STR_ARG(j->data), hash);
	} else {
		vy_buf_addf(ctx, "%.*s %lld %.*s\n", VY_STR_ARG(row->message.session),
			(long long)row->message.position, VY_STR_ARG(row->message.doc));
	}
	return true;
}

static char *dump(void)
{
	struct store_row like = { .kind = ROW_JOURNAL };
	struct vy_buf out = VY_BUF_INIT(16 * VY_MIB);

	assert_int_equal(log_each(t.log, &like, dump_row, &out, NULL), 0);
	for (int i = 0; i < SESSIONS; i++) {
		like = (struct store_row){ .kind = ROW_MESSAGE,
			.message = { .session = vy_str_c(sessions[i]) } };
		assert_int_equal(log_each(t.log, &like, dump_row, &out, NULL), 0);
	}
	return vy_buf_take(&out, NULL);
}

/* The first line that differs is what a person needs to see. */
static void check_dump(const char *name, const char *got, const char *want)
{
	while (*got && *want) {
		size_t n = strcspn(got, "\n"), m = strcspn(want, "\n");

		check_vstr(name, vy_str_n(got, n), vy_str_n(want, m));
		got += n + (got[n] == '\n');
		want += m + (want[m] == '\n');
	}
	check_str(name, got, want);
}

static struct journal_walk walk(void)
{
	struct journal_walk w = { 0 };
	struct store_row like;

	do {
		journal_walk_run(&w, &like);
		assert_int_equal(t.store->ops->each(t.store, &like, journal_look, &w, NULL), 0);
	} while (w.is_full);
	return w;
}

static char *undisturbed(bool is_sqlite)
{
	char *rows;

	open_store(is_sqlite);
	for (int n = 0; n < FRAMES; n++) {
		assert_true(append(n));
	}
	log_flush(t.log);
	rows = dump();
	assert_int_equal(walk().bad, 0);
	assert_true(walk().rows > 30);
	close_all();
	return rows;
}

/* ---- tests ---- */

static void both_engines_hold_the_same(void **state)
{
	char *a = undisturbed(false), *b = undisturbed(true);

	(void)state;
	check_dump("sqlite", b, a);
	free(a);
	free(b);
}

static void a_start_before_each_frame(void **state)
{
	char *got;

	(void)state;
	open_store(false);
	for (int n = 0; n < FRAMES; n++) {
		start_again();
		assert_true(append(n));
		if (n % 3 == 0) {
			log_flush(t.log);
		}
	}
	log_flush(t.log);
	got = dump();
	assert_int_equal(walk().bad, 0);
	close_all();
	char *want = undisturbed(false);

	check_dump("a start before each", got, want);
	free(got);
	free(want);
}

static void a_commit_that_fails(void **state)
{
	(void)state;
	char *want = undisturbed(false);

	for (int kth = 1; kth < 14; kth++) {
		char *got;

		open_store(false);
		for (int n = 0; n < FRAMES; n++) {
			if (n % 10 == 0) {
				store_mem_fail(t.store, kth, 1 + kth % 3, VY_IO);
			}
			assert_true(append(n));
			if (n % 4 == 0) {
				log_flush(t.log);
			}
		}
		store_mem_fail(t.store, 1, 0, VY_IO);
		log_flush(t.log);
		got = dump();
		assert_int_equal(walk().bad, 0);
		check_dump("a commit that fails", got, want);
		free(got);
		close_all();
	}
	free(want);
}

/* It dies at frame `at` and knows nothing of the `lost` before it: they come again. */
static void dies_at(int at, int lost)
{
	for (int n = 0; n < at - lost; n++) {
		assert_true(append(n));
	}
	log_flush(t.log);
	store_mem_fail(t.store, 1, 1000000, VY_CORRUPT);
	for (int n = at - lost; n < at; n++) {
		assert_true(append(n));
	}
	log_free(t.log);
	store_mem_fail(t.store, 1, 0, VY_IO);
	open_log();
	assert_int_equal(walk().bad, 0);
	for (int n = at - lost; n < FRAMES; n++) {
		assert_true(append(n));
	}
	log_flush(t.log);
}

static void a_death_with_frames_not_committed(void **state)
{
	(void)state;
	char *want = undisturbed(false);

	for (int at = 5; at < FRAMES; at += 3) {
		char *got;

		open_store(false);
		dies_at(at, at % 5);
		got = dump();
		assert_int_equal(walk().bad, 0);
		check_dump("a death", got, want);
		free(got);
		close_all();
	}
	free(want);
}

/* A database from before there was a journal: its frames are derived at the next append. */
static void an_older_log(void **state)
{
	(void)state;
	char *want = undisturbed(false), *got;
	const char *const gone[] = { "DELETE FROM journal", "DELETE FROM message",
		"DELETE FROM kv WHERE space = 'derive'" };
	VY_AUTO_BUF path = VY_BUF_INIT(VY_KIB);

	open_store(true);
	for (int n = 0; n < FRAMES - 2; n++) {
		assert_true(append(n));
	}
	log_free(t.log);
	vy_buf_addf(&path, "%s/vyre.db", t.dir.path);
	struct db *side = db_open_side(path.data, NULL);

	for (size_t i = 0; i < VY_COUNT(gone); i++) {
		assert_int_equal(db_exec(side, gone[i], NULL), 0);
	}
	db_close(side);
	open_log();
	for (int n = FRAMES - 2; n < FRAMES; n++) {
		assert_true(append(n));
	}
	log_flush(t.log);
	assert_int_equal(walk().bad, 0);
	got = dump();
	/* sessions come one after the other now, so only what is of the messages is the same */
	check_int("as many events", walk().rows > 30, 1);
	assert_non_null(strstr(want, "\"state\":\"completed\""));
	assert_non_null(strstr(got, "\"state\":\"completed\""));
	free(got);
	free(want);
	close_all();
}

/* ---- altered ---- */

static void a_flipped_byte_is_found(void **state)
{
	(void)state;
	static const struct {
		const char *name, *sql, *why;
		int64_t bad;
	} rows[] = {
		{ "seq", "UPDATE journal SET seq = seq + 1000 WHERE seq = 10", "missing", 11 },
		{ "session", "UPDATE journal SET session = 'onf' WHERE seq = 10", "altered", 10 },
		{ "id", "UPDATE journal SET id = id || 'x' WHERE seq = 10", "altered", 10 },
		{ "type", "UPDATE journal SET type = type || 'x' WHERE seq = 10", "altered", 10 },
		{ "time", "UPDATE journal SET time = time + 1 WHERE seq = 10", "altered", 10 },
		{ "actor", "UPDATE journal SET actor = actor || 'x' WHERE seq = 10", "altered",
			10 },
		{ "chain", "UPDATE journal SET chain = chain || 'x' WHERE seq = 10", "altered",
			10 },
		{ "subject", "UPDATE journal SET subject = subject || 'x' WHERE seq = 10",
			"altered", 10 },
		{ "turn", "UPDATE journal SET turn = turn || 'x' WHERE seq = 10", "altered", 10 },
		{ "step", "UPDATE journal SET step = step + 1 WHERE seq = 10", "altered", 10 },
		{ "data", "UPDATE journal SET data = data || ' ' WHERE seq = 10",
			"data was altered", 10 },
		{ "data_hash", "UPDATE journal SET data_hash = zeroblob(32) WHERE seq = 10",
			"data was altered", 10 },
		{ "digest of erased data",
			"UPDATE journal SET data_hash = zeroblob(32), data = NULL WHERE seq = 10",
			"altered", 10 },
		{ "prev", "UPDATE journal SET prev = zeroblob(32) WHERE seq = 10", "follow", 10 },
		{ "hash", "UPDATE journal SET hash = zeroblob(32) WHERE seq = 10", "altered", 10 },
		{ "a column moved into the next",
			"UPDATE journal SET chain = subject, subject = '' WHERE seq ="
			" (SELECT min(seq) FROM journal WHERE subject <> '' AND chain = '')",
			"altered", 0 },
		{ "a row removed", "DELETE FROM journal WHERE seq = 10", "missing", 11 },
		{ "the first removed", "DELETE FROM journal WHERE seq = 1", "missing", 2 },
		{ "a row before the first", "UPDATE journal SET seq = -5 WHERE seq = 10", "missing",
			-5 },
	};

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF path = VY_BUF_INIT(VY_KIB);
		struct journal_walk r;
		struct db *side;

		open_store(true);
		for (int n = 0; n < FRAMES; n++) {
			assert_true(append(n));
		}
		log_flush(t.log);
		vy_buf_addf(&path, "%s/vyre.db", t.dir.path);
		side = db_open_side(path.data, NULL);
		assert_int_equal(db_exec(side, rows[i].sql, NULL), 0);
		db_close(side);
		r = walk();
		check_true(rows[i].name, r.bad != 0);
		if (rows[i].bad) {
			check_int(rows[i].name, r.bad, rows[i].bad);
		}
		if (!strstr(r.why, rows[i].why)) {
			check_str(rows[i].name, r.why, rows[i].why);
		}
		close_all();
	}
}

static void a_deleted_session(void **state)
{
	(void)state;
	for (int engine = 0; engine < 2; engine++) {
		struct journal_walk before, after;
		struct store_row like = { .kind = ROW_MESSAGE, .message = { .session = S("one") } };
		struct vy_buf left = VY_BUF_INIT(VY_MIB);

		open_store(engine == 1);
		for (int n = 0; n < FRAMES; n++) {
			assert_true(append(n));
		}
		log_flush(t.log);
		before = walk();
		assert_int_equal(before.erased, 0);
		LOG_DEL(t.log, ROW_SESSION, session, .session = S("one"));
		log_flush(t.log);
		after = walk();
		assert_int_equal(after.bad, 0);
		assert_int_equal(after.rows, before.rows);
		assert_true(after.erased > 10 && after.erased < after.rows);
		assert_int_equal(log_each(t.log, &like, dump_row, &left, NULL), 0);
		like = (struct store_row){ .kind = ROW_KV,
			.kv = { .space = S(ROW_DERIVED), .name = S("one") } };
		check_str("nothing is left", vy_buf_c(&left), "");
		assert_true(append(FRAMES)); /* and the others go on */
		log_flush(t.log);
		assert_int_equal(walk().bad, 0);
		vy_buf_fini(&left);
		close_all();
	}
}

/* ---- an attempt's words are in its settlement, and its message knows which ---- */

static bool keep_last(void *ctx, const struct store_row *row)
{
	vy_buf_clear(ctx);
	vy_buf_addstr(ctx, row->kind == ROW_JOURNAL ? row->journal.data : row->message.doc);
	return true;
}

static void say(enum vy_kind kind, const char *text)
{
	struct vy_err e = { 0 };
	struct vy_frame f;

	vy_frame_init(&f, kind);
	f.author = S("assistant:a");
	if (kind == VY_KIND_TEXT_DELTA) {
		vy_frame_set_c(&f, VY_F_MESSAGE, "m");
		vy_frame_set_int(&f, VY_F_INDEX, 0);
		vy_frame_set_c(&f, VY_F_TEXT, text);
	} else {
		vy_frame_set_c(&f, VY_F_STATE, text);
	}
	check_int(e.text, log_append(t.log, "one", &f, &e), 0);
}

static void words_stand_in_the_settlement_alone(void **state)
{
	(void)state;
	struct store_row like = { .kind = ROW_JOURNAL };
	VY_AUTO_BUF got = VY_BUF_INIT(VY_MIB);

	open_store(false);
	say(VY_KIND_STATUS, "working");
	say(VY_KIND_TEXT_DELTA, "zan");
	say(VY_KIND_TEXT_DELTA, "zibar");
	log_flush(t.log);
	assert_int_equal(walk().rows, 1); /* a turn; no word yet */
	say(VY_KIND_STATUS, "waiting");
	log_flush(t.log);
	assert_int_equal(walk().rows, 3);
	like.journal.seq = 2;
	assert_int_equal(log_each(t.log, &like, keep_last, &got, NULL), 0);
	assert_null(strstr(vy_buf_c(&got), "zan")); /* the last one is thread.finished */
	like = (struct store_row){ .kind = ROW_MESSAGE, .message = { .session = S("one") } };
	assert_int_equal(log_each(t.log, &like, keep_last, &got, NULL), 0);
	assert_non_null(strstr(vy_buf_c(&got), "\"settled\":[2]"));
	assert_null(strstr(vy_buf_c(&got), "zan"));
	close_all();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_engines_hold_the_same),
		cmocka_unit_test(a_start_before_each_frame),
		cmocka_unit_test(a_commit_that_fails),
		cmocka_unit_test(a_death_with_frames_not_committed),
		cmocka_unit_test(an_older_log),
		cmocka_unit_test(a_flipped_byte_is_found),
		cmocka_unit_test(a_deleted_session),
		cmocka_unit_test(words_stand_in_the_settlement_alone),
	};

	vy_log_set_level(VY_LOG_NONE);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

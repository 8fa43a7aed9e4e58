/* pack_test.c -- frames that were packed are the same frames: every byte, wherever a reader begins.
 *
 * Random sessions (deltas of several messages, blocks and subagents, with whatever a text may hold, among
 * calls, shell output, people) are packed step by step, in any size, sealed, and left by a vyred that
 * dies in between; each time all frames and the whole journal must read as before. Then the words that
 * expire, what a merged replay says, a session that is deleted, and how small it all is. */
#include "server/log/pack.h"

#include "server/io/db.h"
#include "server/log/compact.h"
#include "server/log/journal.h"
#include "server/log/log.h"
#include "server/log/store_tidy.h"
#include "shared/base/arena.h"
#include "shared/base/clock.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/frame/codec.h"
#include "shared/frame/frame.h"
#include "shared/frame/parts.h"
#include "shared/text/utf8.h"
#include "tests/check.h"
#include "tests/server/tempdir.h"
#include "shared/base/ban.h"

#define S(lit) VY_STR_LIT(lit)
#define WALL   1700000000000
#define ALL    INT64_MAX

static const char *const sessions[] = { "one", "two" };

static struct {
	struct tempdir dir;
	struct log_store *store;
	struct log *log;
	int64_t now; /* ms, of the clock */
	uint64_t dice;
	int offset; /* of the shell's output */
} t;

static int64_t fake_wall(void *ctx)
{
	(void)ctx;
	return WALL + t.now;
}

static int64_t fake_boot(void *ctx)
{
	(void)ctx;
	return t.now;
}

static const struct vy_clock clock_ = { fake_wall, fake_boot, NULL };

static unsigned dice(unsigned n)
{
	t.dice = t.dice * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(t.dice >> 33) % n;
}

/* ---- a log ---- */

static void open_log(void)
{
	struct vy_err e = { 0 };
	struct log_conf conf = { .clock = &clock_, .boot_id = "boot", .ring_frames = 1 };

	t.store = store_sqlite_open(t.dir.path, NULL, NULL, &e);
	check_true(e.text, t.store != NULL);
	conf.store = t.store;
	t.log = log_new(&conf, &e);
	check_true(e.text, t.log != NULL);
}

static void close_log(void)
{
	log_free(t.log);
	t.store->ops->close(t.store);
}

static int setup(void **state)
{
	(void)state;
	memset(&t, 0, sizeof(t));
	t.dir = tempdir_make();
	open_log();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	close_log();
	tempdir_remove(t.dir.path);
	return 0;
}

/* ---- frames ---- */

static const char *const texts[] = { "word", " and", " the next\n", "\"quoted\"", "back\\slash",
	"\ttab", "größer", "🙂🙃", "日本語", "\x01\x1f", "a", " ", "", "\n\n",
	",\"text\":\"x\"", "{\"v\":1,\"id\":\"", "}}" };

static void append(const char *session, struct vy_frame *f)
{
	struct vy_err e = { 0 };

	check_true(e.text, log_append(t.log, session, f, &e) == 0);
}

static void say(const char *session, const char *message, int index, const char *text)
{
	struct vy_frame f;

	vy_frame_init(&f, VY_KIND_TEXT_DELTA);
	f.author = S("model:demo");
	f.turn = S("turn:1");
	vy_frame_set_c(&f, VY_F_MESSAGE, message);
	vy_frame_set_int(&f, VY_F_INDEX, index);
	vy_frame_set_c(&f, VY_F_TEXT, text);
	append(session, &f);
}

static void status(const char *session, const char *state)
{
	struct vy_frame f;

	vy_frame_init(&f, VY_KIND_STATUS);
	vy_frame_set_c(&f, VY_F_STATE, state);
	append(session, &f);
}

static void random_words(const char *session)
{
	char message[32];
	struct vy_frame f;

	snprintf(message, sizeof(message), "m%lld", (long long)(t.now / 400 + dice(2)));
	for (unsigned n = dice(30); n > 0; n--) {
		vy_frame_init(&f, VY_KIND_TEXT_DELTA);
		f.author = dice(9) ? S("model:demo") : S("assistant:\"a\"");
		f.turn = S("turn:1");
		f.corr = dice(20) ? S("") : S("c");
		vy_frame_set_c(&f, VY_F_MESSAGE, dice(15) ? message : "m-x");
		vy_frame_set_int(&f, VY_F_INDEX, dice(10) ? 0 : dice(3));
		vy_frame_set_c(&f, VY_F_TEXT, texts[dice(VY_COUNT(texts))]);
		if (dice(10) == 0) {
			vy_frame_set_bool(&f, VY_F_REASONING, true);
		}
		vy_frame_set_c(&f, VY_F_PARENT, dice(10) ? NULL : "tool");
		append(session, &f);
		t.now += dice(4) == 0 ? dice(30) : 0;
	}
	t.now -= dice(8) == 0 && t.now > 50 ? 50 : 0; /* wall time may go back */
}

static void random_other(const char *session)
{
	struct vy_frame f;

	switch (dice(5)) {
	case 0: status(session, dice(2) ? "waiting" : "working"); break;
	case 3: /* looks like a delta within */
		vy_frame_init(&f, VY_KIND_USER_MESSAGE);
		f.author = S("person:p");
		vy_frame_set_c(&f, VY_F_MESSAGE, "p2");
		vy_frame_set_c(&f, VY_F_STATE, "sent");
		vy_frame_set_json(&f, VY_F_ENC,
			dice(2) ? S("{\"alg\":\"a\",\"kid\":\"k\",\"ct\":\"c\",\"x\":{\"type\":"
				    "\"session.text-delta\",\"time\":1,\"text\":\"y\"}}")
				: S("{\"alg\":\"a\",\"kid\":\"k\",\"ct\":\"c\",\"x\":{\"type\":"
				    "\"session.term-chunk\",\"time\":1}}"));
		append(session, &f);
		break;
	case 1:
		vy_frame_init(&f, VY_KIND_TOOL_FINISHED);
		vy_frame_set_c(&f, VY_F_TOOL_ID, dice(2) ? "tool" : "other");
		vy_frame_set_bool(&f, VY_F_OK, true);
		vy_frame_set_c(&f, VY_F_STATUS, "completed");
		vy_frame_set_json(&f, VY_F_RESULT, S("{\"type\":\"text\",\"text\":\"x\"}"));
		append(session, &f);
		break;
	case 2:
		vy_frame_init(&f, VY_KIND_TERM_CHUNK);
		vy_frame_set_c(&f, VY_F_TERM, "t");
		vy_frame_set_int(&f, VY_F_OFFSET, t.offset += 3);
		vy_frame_set_c(&f, VY_F_B64, "YWJj");
		append(session, &f);
		break;
	default:
		vy_frame_init(&f, VY_KIND_USER_MESSAGE);
		f.author = S("person:p");
		vy_frame_set_c(&f, VY_F_MESSAGE, "p1");
		vy_frame_set_c(&f, VY_F_STATE, "sent");
		vy_frame_set_c(&f, VY_F_TEXT, texts[dice(VY_COUNT(texts))]);
		append(session, &f);
		break;
	}
}

static void random_frames(int runs)
{
	for (int i = 0; i < runs; i++) {
		const char *session = sessions[dice(VY_COUNT(sessions))];

		if (dice(3)) {
			random_words(session);
		} else {
			random_other(session);
		}
		if (dice(4) == 0) {
			log_flush(t.log);
		}
		t.now++;
	}
	log_flush(t.log);
}

/* ---- what is stored ---- */

static bool add_line(void *ctx, const struct store_frame *f)
{
	vy_buf_addf(ctx, "%lld ", (long long)f->cur);
	vy_buf_addstr(ctx, f->bytes);
	return vy_buf_addc(ctx, '\n');
}

static void read_lines(const char *session, int64_t from, bool is_whole, struct vy_buf *out)
{
	const struct store_reading how = { .is_whole = is_whole };
	struct vy_err e = { 0 };

	vy_buf_clear(out);
	if (t.store->ops->read(t.store, vy_str_c(session), from, &how, add_line, out, &e) != 0) {
		fail_msg("%s from %lld: %s", session, (long long)from, e.text);
	}
}

static bool add_event(void *ctx, const struct store_row *row)
{
	vy_buf_addf(ctx, "%lld ", (long long)row->journal.seq);
	vy_buf_addstr(ctx, row->journal.data);
	return vy_buf_addc(ctx, '\n');
}

static void read_journal(struct vy_buf *out)
{
	struct store_row like = { .kind = ROW_JOURNAL };
	struct vy_err e = { 0 };

	vy_buf_clear(out);
	check_true(e.text, t.store->ops->each(t.store, &like, add_event, out, &e) == 0);
}

static void check_chain(int64_t erased)
{
	struct journal_walk w = { 0 };
	struct vy_err e = { 0 };

	do {
		struct store_row like;

		journal_walk_run(&w, &like);
		check_true(e.text, t.store->ops->each(t.store, &like, journal_look, &w, &e) == 0);
	} while (w.is_full);
	check_true(w.why, w.bad == 0);
	assert_int_equal(w.erased, erased);
}

struct all {
	struct vy_buf lines[VY_COUNT(sessions)], journal;
};

static void read_all(struct all *a)
{
	for (size_t i = 0; i < VY_COUNT(sessions); i++) {
		a->lines[i] = VY_BUF_INIT(64 * VY_MIB);
		read_lines(sessions[i], 1, false, &a->lines[i]);
	}
	a->journal = VY_BUF_INIT(64 * VY_MIB);
	read_journal(&a->journal);
}

static void all_fini(struct all *a)
{
	for (size_t i = 0; i < VY_COUNT(sessions); i++) {
		vy_buf_fini(&a->lines[i]);
	}
	vy_buf_fini(&a->journal);
}

static struct vy_str lines_from(const struct vy_buf *all, int64_t cur)
{
	struct vy_str s = vy_buf_str(all);

	for (; s.n && strtoll(s.p, NULL, 10) < cur;) {
		const char *end = memchr(s.p, '\n', s.n);

		s = vy_str_from(s, (size_t)(end - s.p) + 1);
	}
	return s;
}

static void check_all(const char *name, const struct all *a)
{
	VY_AUTO_BUF now = VY_BUF_INIT(64 * VY_MIB);

	for (size_t i = 0; i < VY_COUNT(sessions); i++) {
		int64_t from = 1 + dice((unsigned)log_head(t.log, sessions[i]) + 2);

		read_lines(sessions[i], 1, false, &now);
		check_vstr(name, vy_buf_str(&now), vy_buf_str(&a->lines[i]));
		read_lines(sessions[i], from, false, &now);
		check_vstr(name, vy_buf_str(&now), lines_from(&a->lines[i], from));
	}
	read_journal(&now);
	check_vstr(name, vy_buf_str(&now), vy_buf_str(&a->journal));
}

/* ---- packing ---- */

static void on_done(void *ctx, int rc)
{
	*(int *)ctx = rc;
}

static bool step(const char *session, int64_t upto, int64_t few, bool is_idle, int64_t expire)
{
	struct store_tidy what = { vy_str_c(session), upto, few, expire, is_idle };
	struct vy_err e = { 0 };
	int done = 7, rc = t.store->ops->tidy(t.store, &what, on_done, &done, &e);

	check_true(e.text, rc >= 0);
	assert_int_equal(done, rc ? 0 : 7);
	return rc > 0;
}

static void pack_whole(const char *session)
{
	while (step(session, log_head(t.log, session), 1, true, 0)) {
	}
}

static int64_t count(const char *sql)
{
	struct vy_err e = { 0 };
	struct db *d = db_open_side(tempdir_file(&t.dir, "vyre.db"), &e);
	struct db_stmt *s = d ? db_prep(d, sql, &e) : NULL;
	int64_t n = s && db_step(s, &e) > 0 ? db_int(s, 0) : -1;

	db_done(s);
	db_close(d);
	check_true(e.text, e.code == VY_OK);
	return n;
}

static void check_random(uint64_t seed)
{
	struct all a;
	char name[32];

	snprintf(name, sizeof(name), "seed %llu", (unsigned long long)seed);
	t.dice = seed;
	for (int round = 0; round < 3; round++) {
		random_frames(60);
		read_all(&a);
		for (int i = 0; i < 12; i++) {
			const char *session = sessions[dice(VY_COUNT(sessions))];
			int64_t head = log_head(t.log, session);

			step(session, head - dice(40), 1 + dice(300), dice(2), 0);
			check_all(name, &a);
			if (dice(8) == 0) {
				close_log();
				open_log();
			}
		}
		check_chain(0);
		all_fini(&a);
	}
	read_all(&a);
	pack_whole("one");
	pack_whole("two");
	check_all(name, &a);
	check_chain(0);
	assert_int_equal(count("SELECT count(*) FROM frame"), 0);
	assert_int_equal(count("SELECT count(*) FROM run WHERE level < 19"), 0);
	all_fini(&a);
	log_free(t.log); /* and the bounds are what they were */
	for (size_t i = 0; i < VY_COUNT(sessions); i++) {
		struct store_bounds b;

		assert_int_equal(t.store->ops->bounds(t.store, vy_str_c(sessions[i]), &b, NULL), 0);
		assert_int_equal(b.frames, b.head);
		assert_int_equal(b.floor, 1);
	}
	t.store->ops->close(t.store);
	open_log();
}

static void test_random(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 8; seed++) {
		check_random(seed);
		close_log();
		tempdir_remove(t.dir.path);
		t.dir = tempdir_make();
		t.now = 0;
		open_log();
	}
}

/* ---- merged ---- */

struct merged {
	struct vy_buf text, parts; /* of the frames one by one, and as they came merged */
	int64_t last, most;
};

static void add_parts(struct merged *m, const struct vy_frame *f)
{
	struct vy_parts p;
	size_t len;

	if (f->span == 1) {
		vy_buf_addf(&m->parts, "%zu,", vy_utf16_len(vy_frame_str(f, VY_F_TEXT)));
		return;
	}
	vy_parts_init(&p, vy_frame_str(f, VY_F_PARTS));
	while (vy_parts_next(&p, &len)) {
		vy_buf_addf(&m->parts, "%zu,", len);
	}
	assert_true(p.ok);
}

static bool add_merged(void *ctx, const struct store_frame *s)
{
	struct merged *m = ctx;
	struct vy_err e = { 0 };
	struct vy_arena mem;
	struct vy_frame f;

	vy_arena_init(&mem);
	if (vy_frame_decode(s->bytes, &mem, &f, &e) != 0) {
		fail_msg("%s: %.*s", e.text, VY_STR_ARG(s->bytes));
	}
	assert_int_equal(f.cur, s->cur);
	assert_int_equal(f.span, s->span > 1 ? s->span : 1);
	assert_int_equal(vy_frame_first(&f), m->last + 1);
	m->last = (int64_t)f.cur;
	m->most = s->span > m->most ? s->span : m->most;
	vy_buf_addstr(&m->text, vy_frame_str(&f, VY_F_TEXT));
	if (f.kind == VY_KIND_TEXT_DELTA) {
		add_parts(m, &f);
	}
	vy_arena_fini(&mem);
	return true;
}

static struct merged read_merged(int64_t from, int64_t merge_to)
{
	const struct store_reading how = { .merge_to = merge_to };
	struct merged m = { VY_BUF_INIT(64 * VY_MIB), VY_BUF_INIT(64 * VY_MIB), from - 1, 0 };

	assert_int_equal(
		t.store->ops->read(t.store, S("one"), from, &how, add_merged, &m, NULL), 0);
	assert_int_equal(m.last, log_head(t.log, "one"));
	return m;
}

static void merged_fini(struct merged *m)
{
	vy_buf_fini(&m->text);
	vy_buf_fini(&m->parts);
}

static void test_merged(void **state)
{
	(void)state;
	for (uint64_t seed = 100; seed < 110; seed++) {
		t.dice = seed;
		random_frames(80);
		for (int i = 0; i < 300; i++) {
			say("one", "long", 0, texts[dice(VY_COUNT(texts))]);
		}
		status("one", "waiting");
		log_flush(t.log);
		pack_whole("one");

		int64_t head = log_head(t.log, "one"), from = 1 + dice((unsigned)head);
		struct merged one = read_merged(from, 0), many = read_merged(from, ALL);
		struct merged some = read_merged(from, from + dice((unsigned)(head - from) + 1));

		check_vstr("text", vy_buf_str(&many.text), vy_buf_str(&one.text));
		check_vstr("parts", vy_buf_str(&many.parts), vy_buf_str(&one.parts));
		check_vstr("text up to", vy_buf_str(&some.text), vy_buf_str(&one.text));
		check_vstr("parts up to", vy_buf_str(&some.parts), vy_buf_str(&one.parts));
		assert_int_equal(one.most, 1);
		assert_true(from > head - 320 || many.most > 100);
		merged_fini(&one);
		merged_fini(&many);
		merged_fini(&some);
	}
}

/* Runs are joined while they are together not too much; each alone may be more. */
static void test_large(void **state)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_FRAME_TEXT_MAX), was = VY_BUF_INIT(64 * VY_MIB);
	VY_AUTO_BUF now = VY_BUF_INIT(64 * VY_MIB);
	int64_t few;

	(void)state;
	t.dice = 21;
	for (int i = 0; i < 60; i++) {
		struct vy_frame f;

		vy_buf_clear(&text);
		for (unsigned n = dice(4) ? 20000 + dice(40000) : 100; n > 0; n--) {
			vy_buf_addc(&text, (char)('a' + dice(26)));
		}
		vy_frame_init(&f, VY_KIND_USER_MESSAGE);
		f.author = S("person:p");
		vy_frame_set_c(&f, VY_F_MESSAGE, "p1");
		vy_frame_set_c(&f, VY_F_STATE, "sent");
		vy_frame_set_str(&f, VY_F_TEXT, vy_buf_str(&text));
		append("one", &f);
	}
	status("one", "waiting");
	log_flush(t.log);
	read_lines("one", 1, false, &was);
	for (int64_t upto = 5; upto <= 60; upto += 5) {
		step("one", upto, 1, false, 0);
	}
	few = count("SELECT count(*) FROM run");
	assert_true(few >= 12);
	pack_whole("one");
	assert_true(count("SELECT count(*) FROM run") < few);
	assert_int_equal(count("SELECT count(*) FROM run WHERE level < 19"), 0);
	read_lines("one", 1, false, &now);
	check_vstr("large", vy_buf_str(&now), vy_buf_str(&was));
}

/* ---- what expires ---- */

struct aging {
	struct vy_buf was; /* whole */
	int64_t before;
	size_t expired, words;
};

static bool check_aged(void *ctx, const struct store_frame *s)
{
	struct aging *a = ctx;
	struct vy_str was = lines_from(&a->was, s->cur);
	struct vy_arena mem;
	struct vy_frame f, g;

	was = vy_str_from(was, (size_t)((const char *)memchr(was.p, ' ', was.n) - was.p) + 1);
	was.n = (size_t)((const char *)memchr(was.p, '\n', was.n) - was.p);
	vy_arena_init(&mem);
	assert_int_equal(vy_frame_decode(s->bytes, &mem, &f, NULL), 0);
	assert_int_equal(vy_frame_decode(was, &mem, &g, NULL), 0);
	if (vy_frame_is_expired(&f)) {
		a->expired++;
		assert_true(f.kind == VY_KIND_TEXT_DELTA || f.kind == VY_KIND_TERM_CHUNK);
		assert_true(f.time < a->before);
		assert_false(vy_frame_has(&f, VY_F_TEXT) || vy_frame_has(&f, VY_F_B64));
		vy_frame_del(&g, VY_F_TEXT);
		vy_frame_del(&g, VY_F_B64);
		vy_frame_set_bool(&g, VY_F_EXPIRED, true);
	}
	assert_true(vy_frame_equal(&f, &g));
	vy_arena_fini(&mem);
	return true;
}

static void test_expires(void **state)
{
	struct aging a = { .was = VY_BUF_INIT(64 * VY_MIB), .before = WALL + 100000 };
	VY_AUTO_BUF now = VY_BUF_INIT(64 * VY_MIB), journal = VY_BUF_INIT(64 * VY_MIB);

	(void)state;
	t.dice = 5;
	random_frames(100);
	status("one", "stopped");
	t.now = 200000;
	random_frames(50);
	status("one", "stopped");
	log_flush(t.log);
	read_lines("one", 1, true, &a.was);
	read_journal(&journal);
	/* in runs of some frames: of those that are old as a whole only */
	for (int64_t upto = 20; upto < log_head(t.log, "one") + 20; upto += 20) {
		step("one", upto, 1, false, 0);
	}
	while (step("one", log_head(t.log, "one"), 1, true, a.before)) {
	}
	assert_int_equal(t.store->ops->read(t.store, S("one"), 1, NULL, check_aged, &a, NULL), 0);
	assert_true(a.expired > 100);

	/* whoever asks for the words has those that a settlement has */
	read_lines("one", 1, true, &now);
	assert_true(now.len > a.was.len / 2);
	read_journal(&now);
	check_vstr("the journal", vy_buf_str(&now), vy_buf_str(&journal));
	check_chain(0);

	size_t expired = a.expired;

	a.before = WALL + 1000000;
	a.expired = 0;
	while (step("one", log_head(t.log, "one"), 1, true, a.before)) {
	}
	assert_int_equal(t.store->ops->read(t.store, S("one"), 1, NULL, check_aged, &a, NULL), 0);
	assert_true(a.expired > expired);
	/* no byte of shell output is left anywhere */
	assert_int_equal(count("SELECT count(*) FROM frame"), log_head(t.log, "two"));
	vy_buf_fini(&a.was);
}

/* ---- deleted, trimmed ---- */

static void test_deleted(void **state)
{
	(void)state;
	t.dice = 9;
	random_frames(100);
	pack_whole("one");
	pack_whole("two");

	struct all a;
	int64_t rows = count("SELECT count(*) FROM journal WHERE session = 'one'");

	read_all(&a);
	LOG_DEL(t.log, ROW_SESSION, session, .session = S("one"));
	log_flush(t.log);
	assert_int_equal(count("SELECT count(*) FROM run r, stream s WHERE r.sid = s.sid"
			       " AND s.session = 'one'"),
		0);
	assert_int_equal(count("SELECT count(*) FROM stream"), 1);
	check_chain(rows);

	VY_AUTO_BUF now = VY_BUF_INIT(64 * VY_MIB);

	read_lines("one", 1, false, &now);
	assert_int_equal(now.len, 0);
	read_lines("two", 1, false, &now);
	check_vstr("the other", vy_buf_str(&now), vy_buf_str(&a.lines[1]));
	all_fini(&a);
}

static void test_trimmed(void **state)
{
	struct store_bounds b;
	VY_AUTO_BUF now = VY_BUF_INIT(64 * VY_MIB);
	struct all a;

	(void)state;
	t.dice = 11;
	random_frames(200);
	for (int64_t upto = 30; upto < log_head(t.log, "one") - 50; upto += 30) {
		step("one", upto, 1, false, 0);
	}
	read_all(&a);
	for (int64_t floor = 7; floor < log_head(t.log, "one") + 2; floor += 41) {
		assert_int_equal(t.store->ops->begin(t.store, NULL), 0);
		assert_int_equal(t.store->ops->trim(t.store, S("one"), floor, NULL), 0);
		assert_int_equal(t.store->ops->commit(t.store, NULL), 0);
		assert_int_equal(t.store->ops->bounds(t.store, S("one"), &b, NULL), 0);
		assert_int_equal(b.floor, floor);
		assert_int_equal(b.frames, b.head + 1 - floor);
		read_lines("one", floor, false, &now);
		check_vstr("the rest", vy_buf_str(&now), lines_from(&a.lines[0], floor));
	}
	assert_int_equal(count("SELECT bytes - (SELECT coalesce(sum(length(r.bytes)), 0) FROM run r"
			       " WHERE r.sid = s.sid) - (SELECT coalesce(sum(length(f.bytes)), 0)"
			       " FROM frame f WHERE f.sid = s.sid) FROM stream s"
			       " WHERE session = 'one'"),
		0);
	all_fini(&a);
}

/* A database from before there were runs: made so by taking them away again. */
static void test_older(void **state)
{
	struct vy_err e = { 0 };
	struct all a;

	(void)state;
	t.dice = 13;
	random_frames(60);
	read_all(&a);
	close_log();

	struct db *d = db_open_side(tempdir_file(&t.dir, "vyre.db"), &e);

	check_true(e.text, d != NULL);
	check_true(e.text, db_exec(d,
				   "DROP TABLE run; DROP INDEX journal_settled; DROP TABLE control;"
				   " PRAGMA user_version = 2",
				   &e) == 0);
	db_close(d);
	t.store = store_sqlite_open_read(t.dir.path, &e);
	check_true(e.text, t.store != NULL);
	VY_AUTO_BUF now = VY_BUF_INIT(64 * VY_MIB);

	read_lines("one", 1, false, &now);
	check_vstr("only read", vy_buf_str(&now), vy_buf_str(&a.lines[0]));
	t.store->ops->close(t.store);
	open_log();
	pack_whole("one");
	pack_whole("two");
	check_all("upgraded", &a);
	all_fini(&a);
}

/* ---- what stands beside frames ---- */

static bool same_state(void *ctx, const struct store_row *row)
{
	(*(int *)ctx)++;
	assert_int_equal(row->live.off, 2);
	assert_true(vy_str_is(row->live.driver_state, "{\"n\":2}"));
	return true;
}

/* Frames are packed, trimmed, expired; the state of an agent (store_live.h) is none. */
static void test_state_stays(void **state)
{
	const struct store_row like = { .kind = ROW_LIVE };
	int seen = 0;
	struct all a;

	(void)state;
	t.dice = 21;
	for (int i = 0; i <= 2; i++) {
		char doc[32];

		snprintf(doc, sizeof(doc), "{\"n\":%d}", i);
		random_frames(40);
		LOG_PUT(t.log, ROW_LIVE, live, .hid = S("h"), .session = S("one"), .off = i,
			.driver_state = vy_str_c(doc));
		log_flush(t.log);
	}
	read_all(&a);
	while (step("one", log_head(t.log, "one"), 1, true, 0)) {
		assert_int_equal(log_each(t.log, &like, same_state, &seen, NULL), 0);
	}
	assert_true(seen > 1);
	check_all("packed", &a);
	assert_int_equal(count("SELECT count(*) FROM frame WHERE sid ="
			       " (SELECT sid FROM stream WHERE session = 'one')"),
		1);
	close_log();
	open_log();
	check_all("opened anew", &a);
	seen = 0;
	assert_int_equal(log_each(t.log, &like, same_state, &seen, NULL), 0);
	assert_int_equal(seen, 1);
	all_fini(&a);
}

/* ---- settlements ---- */

static void test_compact(void **state)
{
	static const char *const rows[] = {
		/* what is not the JSON that we write stays as it is */
		"",
		"{}",
		"[1,2]",
		"{\"attempt\":\"a\",\"message\":\"m\"}",
		"{ "
		"\"attempt\":\"a\",\"blocks\":[],\"from\":1,\"message\":\"m\",\"started\":1,\"to\":"
		"2}",
		("{\"attempt\":\"a\",\"blocks\":[{\"index\":0,\"kind\":\"text\",\"more\":1,"
		 "\"stream\":[[0,0]],\"text\":\"x\"}],\"from\":1,\"message\":\"m\",\"started\":1,"
		 "\"to\":2}"),
	};
	VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		assert_false(compact_make(vy_str_c(rows[i]), 3, &out));
		assert_int_equal(out.len, 0);
	}

	struct vy_str json = S("{\"attempt\":\"a\",\"blocks\":[{\"index\":0,\"kind\":\"text\","
			       "\"stream\":[[0,0],[2,-5],[2,700]],\"text\":\"a 🙂\\n\"},"
			       "{\"index\":1,\"kind\":\"reasoning\",\"stream\":[[0,3]],"
			       "\"text\":\"\"}],\"from\":1,\"message\":\"m\","
			       "\"order\":[[0,1],[1,1],[0,2]],\"parent\":\"p\","
			       "\"reason\":\"stopped\",\"started\":1,\"to\":2,"
			       "\"usage\":{\"input\":1}}");
	VY_AUTO_BUF back = VY_BUF_INIT(VY_MIB);

	assert_true(compact_make(json, 3, &out));
	assert_int_equal(compact_level(vy_buf_str(&out)), 3);
	assert_int_equal(compact_json(vy_buf_str(&out), &back, NULL), 0);
	check_vstr("again", vy_buf_str(&back), json);
	/* nothing that was damaged is believed: it fails, or is something, but never a crash */
	for (size_t i = 0; i < out.len; i++) {
		char was = out.data[i];

		out.data[i] = (char)(was ^ (1 + i % 255));
		vy_buf_clear(&back);
		(void)!compact_json(vy_buf_str(&out), &back, NULL);
		out.data[i] = was;
		vy_buf_clear(&back);
		assert_int_equal(compact_json(vy_str_n(out.data, i), &back, NULL), -1);
	}
}

/* ---- how small ---- */

/* Words of some twenty stems: pack_bench has a text that somebody wrote. */
static void prose(struct vy_buf *out, int words)
{
	static const char *const stems[] = { "wind", "house", "stone", "light", "river", "hand",
		"word", "over", "under", "mark", "north", "ship", "table", "paper", "green",
		"build", "carry", "mend", "turn", "watch" };
	static const char *const ends[] = { "", "s", "ing", "er", "ed", "ly", "less", "ness" };

	for (int i = 0; i < words; i++) {
		vy_buf_addf(out, "%s%s%s%s", stems[dice(VY_COUNT(stems))],
			dice(3) ? "" : stems[dice(VY_COUNT(stems))], ends[dice(VY_COUNT(ends))],
			dice(12) ? " " : ".\n");
	}
}

static int64_t stored(void)
{
	return count("SELECT (SELECT coalesce(sum(length(bytes)), 0) FROM frame)"
		     " + (SELECT coalesce(sum(length(bytes)), 0) FROM run)"
		     " + (SELECT sum(length(data)) FROM journal)"
		     " + (SELECT sum(length(doc)) FROM message)");
}

static void test_small(void **state)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_MIB);

	(void)state;
	t.dice = 3;
	prose(&text, 20000);
	for (char *p = text.data, *end; *p; p = end) {
		char word[64];

		end = p + strcspn(p, " \n");
		end += *end != '\0';
		snprintf(word, sizeof(word), "%.*s", (int)(end - p), p);
		say("one", "m1", 0, word);
		t.now += 8 + dice(5);
		if (dice(50) == 0) {
			log_flush(t.log);
		}
	}
	status("one", "waiting");
	log_flush(t.log);

	int64_t raw = stored(), hot, sealed;

	while (step("one", log_head(t.log, "one"), 256, false, 0)) {
	}
	hot = stored();
	pack_whole("one");
	sealed = stored();
	print_message("text %zu, frames %lld, stored %.2f, hot %.2f, sealed %.2f\n", text.len,
		(long long)log_head(t.log, "one"), (double)raw / (double)text.len,
		(double)hot / (double)text.len, (double)sealed / (double)text.len);
	assert_true(raw > 20 * (int64_t)text.len);
	assert_true(hot * 10 <= 12 * (int64_t)text.len);
	assert_true(sealed * 2 <= (int64_t)text.len);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_random, setup, teardown),
		cmocka_unit_test_setup_teardown(test_merged, setup, teardown),
		cmocka_unit_test_setup_teardown(test_large, setup, teardown),
		cmocka_unit_test_setup_teardown(test_expires, setup, teardown),
		cmocka_unit_test_setup_teardown(test_deleted, setup, teardown),
		cmocka_unit_test_setup_teardown(test_trimmed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_older, setup, teardown),
		cmocka_unit_test_setup_teardown(test_state_stays, setup, teardown),
		cmocka_unit_test(test_compact),
		cmocka_unit_test_setup_teardown(test_small, setup, teardown),
	};

	vy_log_set_level(VY_LOG_NONE);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

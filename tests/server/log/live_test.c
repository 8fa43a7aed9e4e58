/* live_test.c -- the state of an agent, wherever the SQLite store keeps it (store_live.h): to everybody
 * the one that was put last. The store in memory, which has one place for it, is the measure. */
#include "server/log/store_live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "server/io/db.h"
#include "server/log/epoch.h"
#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "tests/server/tempdir.h"
#include "shared/base/ban.h"

#define S(lit) VY_STR_LIT(lit)

enum { SQLITE, MEM, STORES };
enum { SESSIONS = 3, HIDS = 5, PAGE = 4096, WAL_PAGE = PAGE + 24 };

static const char *const sessions[SESSIONS] = { "s1", "s2", "s3" };
/* Two sessions have two processes. */
static const struct {
	const char *hid, *session;
} hids[HIDS] = { { "h1", "s1" }, { "h2", "s2" }, { "h3", "s3" }, { "h4", "s1" }, { "h5", "s2" } };

static struct {
	struct tempdir dir;
	struct log_store *s[STORES];
	struct epoch epoch[STORES];
	int64_t head[SESSIONS];
	char text[4096]; /* of states */
} t;

static void open_sqlite(void)
{
	struct vy_err e = { 0 };

	t.s[SQLITE] = store_sqlite_open(t.dir.path, NULL, NULL, &e);
	if (!t.s[SQLITE]) {
		fail_msg("%s", e.text);
	}
}

static int setup(void **state)
{
	(void)state;
	memset(&t, 0, sizeof(t));
	memset(t.text, 'x', sizeof(t.text));
	t.dir = tempdir_make();
	open_sqlite();
	t.s[MEM] = store_mem_new();
	for (int i = 0; i < STORES; i++) {
		assert_int_equal(epoch_open(t.s[i], "boot", &t.epoch[i], NULL), 0);
	}
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	for (int i = 0; i < STORES; i++) {
		t.s[i]->ops->close(t.s[i]);
	}
	tempdir_remove(t.dir.path);
	return 0;
}

/* ---- what is done to both ---- */

static void begin(void)
{
	for (int i = 0; i < STORES; i++) {
		assert_int_equal(t.s[i]->ops->begin(t.s[i], NULL), 0);
	}
}

static void end(bool is_commit)
{
	for (int i = 0; i < STORES; i++) {
		if (is_commit) {
			assert_int_equal(t.s[i]->ops->commit(t.s[i], NULL), 0);
		} else {
			t.s[i]->ops->rollback(t.s[i]);
		}
	}
}

static void append(int session)
{
	struct store_frame f = { ++t.head[session],
		S("a frame as long as a word's is, or about as "
		  "long as one, to fill a page"),
		1 };

	for (int i = 0; i < STORES; i++) {
		struct vy_err e = { 0 };

		if (t.s[i]->ops->append(t.s[i], vy_str_c(sessions[session]), f.cur - 1,
			    t.epoch[i].epoch, &f, 1, &e) < 0) {
			fail_msg("%s", e.text);
		}
	}
}

static void put_as(int h, const char *session, int64_t off, size_t driver, size_t extra)
{
	struct store_row row = { .kind = ROW_LIVE,
		.live = { vy_str_c(hids[h].hid), vy_str_c(session), S("token"), off,
			vy_str_n(t.text, driver), S("{t}"), vy_str_n(t.text, extra) } };

	for (int i = 0; i < STORES; i++) {
		assert_int_equal(t.s[i]->ops->put(t.s[i], &row, NULL), 0);
	}
}

static void put(int h, int64_t off, size_t driver, size_t extra)
{
	put_as(h, hids[h].session, off, driver, extra);
}

static void del(const struct store_row *row)
{
	for (int i = 0; i < STORES; i++) {
		assert_int_equal(t.s[i]->ops->del(t.s[i], row, NULL), 0);
	}
}

static void forget(int h)
{
	del(&(struct store_row){ .kind = ROW_LIVE, .live = { .hid = vy_str_c(hids[h].hid) } });
}

static void delete_session(int i)
{
	del(&(struct store_row){
		.kind = ROW_SESSION, .session = { .session = vy_str_c(sessions[i]) } });
	t.head[i] = 0;
}

static void trim(int session, int64_t floor)
{
	for (int i = 0; i < STORES; i++) {
		assert_int_equal(
			t.s[i]->ops->trim(t.s[i], vy_str_c(sessions[session]), floor, NULL), 0);
	}
}

/* ---- what is seen ---- */

static bool add_row(void *ctx, const struct store_row *r)
{
	vy_buf_addf(ctx, "[%.*s %.*s %.*s %lld %zu %.*s %zu]", VY_STR_ARG(r->live.hid),
		VY_STR_ARG(r->live.session), VY_STR_ARG(r->live.token), (long long)r->live.off,
		r->live.driver_state.n, VY_STR_ARG(r->live.turn_state), r->live.extra.n);
	return true;
}

static bool add_frame(void *ctx, const struct store_frame *f)
{
	vy_buf_addf(ctx, "%lld ", (long long)f->cur);
	return true;
}

static void look(struct log_store *s, struct vy_buf *out)
{
	struct store_row like = { .kind = ROW_LIVE };

	assert_int_equal(s->ops->each(s, &like, add_row, out, NULL), 0);
	for (int i = 0; i < SESSIONS; i++) {
		struct store_bounds b;

		like.live = (struct row_live){ .session = vy_str_c(sessions[i]) };
		vy_buf_addf(out, "\n%.*s ", VY_STR_ARG(like.live.session));
		assert_int_equal(s->ops->each(s, &like, add_row, out, NULL), 0);
		assert_int_equal(s->ops->bounds(s, vy_str_c(sessions[i]), &b, NULL), 0);
		vy_buf_addf(out, "%lld %lld %lld %lld: ", (long long)b.head, (long long)b.floor,
			(long long)b.frames, (long long)b.bytes);
		assert_int_equal(
			s->ops->read(s, vy_str_c(sessions[i]), 1, NULL, add_frame, out, NULL), 0);
	}
	for (int i = 0; i < HIDS; i++) {
		like.live = (struct row_live){ .hid = vy_str_c(hids[i].hid) };
		vy_buf_addf(out, "\n%.*s ", VY_STR_ARG(like.live.hid));
		assert_int_equal(s->ops->each(s, &like, add_row, out, NULL), 0);
	}
}

static void check(const char *name, int at)
{
	VY_AUTO_BUF ours = VY_BUF_INIT(VY_MIB);
	VY_AUTO_BUF want = VY_BUF_INIT(VY_MIB);

	look(t.s[SQLITE], &ours);
	look(t.s[MEM], &want);
	if (!vy_str_eq(vy_buf_str(&ours), vy_buf_str(&want))) {
		fail_msg("%s, %d:\n got  %.*s\n want %.*s", name, at, VY_STR_ARG(vy_buf_str(&ours)),
			VY_STR_ARG(vy_buf_str(&want)));
	}
}

/* By another connection, while the store is closed. */
static int64_t ask(const char *sql)
{
	struct db *d;
	struct db_stmt *s;
	int64_t n = -1;

	t.s[SQLITE]->ops->close(t.s[SQLITE]);
	d = db_open_side(tempdir_file(&t.dir, "vyre.db"), NULL);
	assert_non_null(d);
	s = db_prep(d, sql, NULL);
	if (s && db_step(s, NULL) > 0) {
		n = db_int(s, 0);
	}
	db_done(s);
	db_close(d);
	open_sqlite();
	return n;
}

static int64_t how_many_beside(void)
{
	return ask("SELECT count(*) FROM frame WHERE cur = " LIVE_CUR);
}

/* ---- the tests ---- */

/* A step a letter, each a transaction of its own, in the first session. */
static void one_step(char what, int at)
{
	begin();
	switch (what) {
	case 'f': append(0); break;           /* a frame alone */
	case '1': put(0, at, 100, 30); break; /* a state of h1, of h4, a large one */
	case '4': put(3, at, 120, 20); break;
	case 'L': put(0, at, 3000, 30); break;
	case 'w': /* a word of h1: both */
	case 'R': /* and it is rolled back */
		append(0);
		put(0, at, 90 + (size_t)at, 30);
		break;
	case 'x': forget(0); break;
	case 'y': forget(3); break;
	case 'T': trim(0, t.head[0] + 1); break;
	case 'D': delete_session(0); break;
	case 'm': put_as(0, "s2", at, 40, 30); break; /* h1 is of another session now */
	default: break;
	}
	end(what != 'R');
	t.head[0] -= what == 'R';
	if (what == 'o') { /* opened anew */
		t.s[SQLITE]->ops->close(t.s[SQLITE]);
		open_sqlite();
	}
}

static void test_orders(void **state)
{
	static const struct {
		const char *name, *steps;
		int beside;
	} rows[] = {
		{ "before the first frame", "111", 0 },
		{ "the first is in its own table", "w", 0 },
		{ "the next beside the frame", "wwww", 1 },
		{ "and without one", "ww11", 1 },
		{ "opened anew it begins again", "wwwo", 1 },
		{ "its own table is the newer then", "wwwow", 0 },
		{ "and beside again", "wwwoww", 1 },
		{ "rolled back", "wwwRoww", 1 },
		{ "rolled back, seen at once", "wwR", 1 },
		{ "rolled back, the next state", "wwRw", 0 },
		{ "a large one", "wwL", 0 },
		{ "a large one, small again", "wwLww", 1 },
		{ "large, opened anew", "wwLo", 0 },
		{ "two processes, one place", "ww44w4", 1 },
		{ "the second came first", "f44w4w", 1 },
		{ "the first goes, the second has the place", "ww44xf44", 1 },
		{ "forgotten", "wwwx", 0 },
		{ "forgotten after it was opened anew", "wwwox", 0 },
		{ "the other one is forgotten", "ww4yw", 0 },
		{ "forgotten and told again", "wwx1w", 0 },
		{ "trimmed to nothing", "wwwT", 1 },
		{ "trimmed, and on", "wwwTwwT", 1 },
		{ "deleted", "wwwD", 0 },
		{ "deleted, and the same again", "wwwDwww", 1 },
		{ "it moves to another session", "wwmw", 0 },
		{ "it moves and comes back", "wwwmwwmww", 1 },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		setup(NULL);
		for (int at = 0; rows[i].steps[at]; at++) {
			one_step(rows[i].steps[at], at + 1);
			check(rows[i].name, at);
		}
		if (how_many_beside() != rows[i].beside) {
			fail_msg("%s: it stands elsewhere", rows[i].name);
		}
		check(rows[i].name, -1);
		teardown(NULL);
	}
}

static unsigned dice(unsigned n)
{
	static uint64_t seed = 5;

	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

static void test_at_random(void **state)
{
	static const size_t sizes[] = { 0, 20, 300, 620, 900, 2000 };
	int64_t before[SESSIONS];

	(void)state;
	for (int i = 0; i < 3000; i++) {
		memcpy(before, t.head, sizeof(before));
		begin();
		for (unsigned n = 1 + dice(3); n > 0; n--) {
			int h = (int)dice(HIDS), s = (int)dice(SESSIONS);

			switch (dice(24)) {
			case 0: forget(h); break;
			case 1: trim(s, t.head[s] + 1 - dice(3)); break;
			case 2:
				if (dice(4) == 0) { /* rows come behind frames: the last */
					delete_session(s);
					n = 1;
				}
				break;
			case 3: append(s); break;
			default:
				append(hids[h].session[1] - '1');
				put(h, i, sizes[dice(VY_COUNT(sizes))], 40);
				break;
			}
		}
		bool is_commit = dice(12) > 0;

		end(is_commit);
		if (!is_commit) {
			memcpy(t.head, before, sizeof(before));
		}
		if (dice(40) == 0) {
			t.s[SQLITE]->ops->close(t.s[SQLITE]);
			open_sqlite();
		}
		check("at random", i);
	}
}

/* What it is for: of words that do not begin a page, a commit is one page. */
static void test_one_page(void **state)
{
	struct stat before, after;
	int n = 0;

	(void)state;
	for (int i = 0; i < 200; i++) {
		assert_int_equal(stat(tempdir_file(&t.dir, "vyre.db-wal"), &before), 0);
		one_step('w', 10);
		assert_int_equal(stat(tempdir_file(&t.dir, "vyre.db-wal"), &after), 0);
		n += after.st_size - before.st_size == WAL_PAGE;
	}
	if (n < 120) {
		fail_msg("%d of 200 words were one page", n);
	}
}

/* A log that lost its frames is filled again; the place of the state is no frame. */
static void test_filled(void **state)
{
	struct store_frame f[2] = { { 2, S("two"), 1 }, { 3, S("three"), 1 } };

	(void)state;
	one_step('w', 1);
	one_step('w', 2);
	one_step('w', 3);
	one_step('T', 4);
	begin();
	for (int i = 0; i < STORES; i++) {
		assert_int_equal(t.s[i]->ops->fill(t.s[i], S("s1"), f, 2, NULL), 0);
	}
	end(true);
	check("filled", 0);
	one_step('w', 5);
	check("filled and on", 0);
}

/* Written by a vyred that knew only `live`: upgraded by opening, and a copy is kept. */
static void test_older(void **state)
{
	(void)state;
	one_step('w', 1);
	assert_int_equal(ask("PRAGMA user_version"), 5);
	assert_int_equal(ask("PRAGMA user_version = 4"), -1);
	assert_int_equal(ask("PRAGMA user_version"), 5);
	assert_int_equal(access(tempdir_file(&t.dir, "vyre.db.v4.bak"), F_OK), 0);
	check("upgraded", 0);
	one_step('w', 2);
	one_step('w', 3);
	check("and on", 0);
	assert_int_equal(how_many_beside(), 1);
}

/* Bytes of the disk: it fails, or is what it can be, and never reads what is not there. */
static void test_damaged(void **state)
{
	struct vy_str all = S("\2h1\12\3{d}\2{}{x}");

	(void)state;
	for (size_t n = 0; n <= all.n; n++) {
		struct row_live live = { .hid = S("h1"), .session = S("s1") };
		char *copy = malloc(n + 1); /* its end is the end of what may be read */

		assert_non_null(copy);
		memcpy(copy, all.p, n);

		int rc = store_live_read(vy_str_n(copy, n), &live, NULL);

		assert_int_equal(rc, n < all.n - 3 ? -1 : 0);
		if (n == all.n) {
			assert_int_equal(live.off, 5);
			assert_true(vy_str_is(live.driver_state, "{d}"));
			assert_true(vy_str_is(live.turn_state, "{}"));
			assert_true(vy_str_is(live.extra, "{x}"));
		}
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_at_random, setup, teardown),
		cmocka_unit_test_setup_teardown(test_one_page, setup, teardown),
		cmocka_unit_test_setup_teardown(test_filled, setup, teardown),
		cmocka_unit_test_setup_teardown(test_older, setup, teardown),
		cmocka_unit_test(test_orders),
		cmocka_unit_test(test_damaged),
	};

	vy_log_set_level(VY_LOG_NONE);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* log_test.c -- nothing is seen before it is stored, and nothing staged is lost by a failure. */
#include "server/log/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/clock.h"
#include "shared/base/log.h"
#include "shared/frame/codec.h"
#include "shared/frame/frame.h"
#include "shared/io/loop.h"
#include "tests/server/tempdir.h"
#include "shared/base/ban.h"

#define S(lit) VY_STR_LIT(lit)

static struct {
	struct log_store *store;
	struct log *log;
	struct vy_buf said; /* everything the log told, in order */
	int64_t now;
} t;

/* ---- a clock of our own ---- */

static int64_t fake_wall(void *ctx)
{
	(void)ctx;
	return 1700000000000 + t.now;
}

static int64_t fake_boot(void *ctx)
{
	(void)ctx;
	return t.now;
}

static const struct vy_clock clock_ = { fake_wall, fake_boot, NULL };

/* ---- what it says ---- */

static void on_committed(void *ctx, const char *session, int64_t head)
{
	(void)ctx;
	vy_buf_addf(&t.said, "%s:%lld ", session, (long long)head);
}

static void on_paused(void *ctx, bool is_paused, const struct vy_err *why)
{
	(void)ctx;
	vy_buf_addf(&t.said, is_paused ? "paused(%s) " : "resumed ",
		why ? vy_code_name(why->code) : "");
}

static void after(void *ctx, bool committed)
{
	vy_buf_addf(&t.said, "%s%s ", (const char *)ctx, committed ? "" : "=no");
}

static void check_said_at(int line, const char *want)
{
	if (strcmp(vy_buf_c(&t.said), want) != 0) {
		fail_msg("line %d:\n said %s\n want %s", line, vy_buf_c(&t.said), want);
	}
	vy_buf_clear(&t.said);
}
#define check_said(want) check_said_at(__LINE__, want)

/* ---- begin and end ---- */

static void open_log(struct log_conf conf)
{
	struct vy_err e = { 0 };

	conf.store = t.store;
	conf.clock = &clock_;
	conf.boot_id = conf.boot_id ? conf.boot_id : "boot";
	t.log = log_new(&conf, &e);
	if (!t.log) {
		fail_msg("%s", e.text);
	}
	log_on_committed(t.log, on_committed, NULL);
	log_on_paused(t.log, on_paused, NULL);
	log_flush(t.log); /* what it has to do for itself */
	vy_buf_clear(&t.said);
}

static int setup(void **state)
{
	(void)state;
	memset(&t, 0, sizeof(t));
	vy_buf_init(&t.said, 1 << 20);
	t.store = store_mem_new();
	open_log((struct log_conf){ 0 });
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	log_free(t.log);
	if (t.store) {
		t.store->ops->close(t.store);
	}
	vy_buf_fini(&t.said);
	return 0;
}

/* ---- frames ---- */

static int try_say(const char *session, const char *text, struct vy_err *e)
{
	struct vy_frame f;

	vy_frame_init(&f, VY_KIND_TEXT_DELTA);
	f.author = S("model:demo");
	vy_frame_set_str(&f, VY_F_MESSAGE, S("m1"));
	vy_frame_set_int(&f, VY_F_INDEX, 0);
	vy_frame_set_c(&f, VY_F_TEXT, text);
	return log_append(t.log, session, &f, e);
}

static void say(const char *session, const char *text)
{
	struct vy_err e = { 0 };

	if (try_say(session, text, &e) < 0) {
		fail_msg("append: %s", e.text);
	}
}

struct reader {
	struct vy_buf text;
	int most;
	bool is_bad;
	int64_t last;
	const char *session;
};

static bool read_one(void *ctx, struct frame_ref *f)
{
	struct reader *r = ctx;
	struct vy_arena a;
	struct vy_frame got;

	vy_arena_init(&a);
	if (vy_frame_decode(frame_ref_str(f), &a, &got, NULL) < 0 || (int64_t)got.cur != f->cur ||
		f->cur != r->last + 1 || !vy_str_is(got.session, r->session) || got.id.n == 0 ||
		got.time != 1700000000000 + t.now) {
		r->is_bad = true;
	} else {
		vy_buf_addf(&r->text, "%.*s ", VY_STR_ARG(vy_frame_str(&got, VY_F_TEXT)));
	}
	r->last = f->cur;
	vy_arena_fini(&a);
	return --r->most > 0;
}

static void check_read_at(int line, const char *session, int64_t from, int most, const char *want)
{
	struct reader r = { VY_BUF_INIT(1 << 20), most, false, from, session };
	struct vy_err e = { 0 };

	if (log_read(t.log, session, from, read_one, &r, &e) < 0) {
		fail_msg("line %d: %s", line, e.text);
	}
	if (r.is_bad || strcmp(vy_buf_c(&r.text), want) != 0) {
		fail_msg("line %d:\n read %s%s\n want %s", line, vy_buf_c(&r.text),
			r.is_bad ? " (bad)" : "", want);
	}
	vy_buf_fini(&r.text);
}
#define check_read(session, from, most, want) check_read_at(__LINE__, session, from, most, want)

static bool count_row(void *ctx, const struct store_row *row)
{
	(void)row;
	++*(int *)ctx;
	return true;
}

static int rows(const struct store_row *like)
{
	int n = 0;

	assert_int_equal(log_each(t.log, like, count_row, &n, NULL), 0);
	return n;
}
#define ROWS(KIND, member, ...) rows(&(struct store_row){ .kind = KIND, .member = { __VA_ARGS__ } })

static bool copy_kv(void *ctx, const struct store_row *row)
{
	vy_buf_addf(ctx, "%.*s=%.*s ", VY_STR_ARG(row->kv.name), VY_STR_ARG(row->kv.value));
	return true;
}

static void check_kv(const char *space, const char *want)
{
	struct store_row like = { .kind = ROW_KV, .kv = { .space = vy_str_c(space) } };
	VY_AUTO_BUF b = VY_BUF_INIT(65536);

	assert_int_equal(log_each(t.log, &like, copy_kv, &b, NULL), 0);
	assert_string_equal(vy_buf_c(&b), want);
}

/* ---- the turn ---- */

static void test_seen_only_after_the_commit(void **state)
{
	(void)state;
	say("a", "one");
	log_after(t.log, after, "reply");
	LOG_PUT(t.log, ROW_KV, kv, S("x"), S("k"), S("v"));
	say("b", "first");
	say("a", "two");
	assert_int_equal(log_staged(t.log, "a"), 2);
	assert_int_equal(log_head(t.log, "a"), 0);
	check_read("a", 0, 99, "");
	check_kv("x", "");
	check_said("");
	log_flush(t.log);
	check_said("a:2 b:1 reply ");
	assert_int_equal(log_head(t.log, "a"), 2);
	check_read("a", 0, 99, "one two ");
	check_read("a", 1, 99, "two ");
	check_read("a", 0, 1, "one ");
	check_read("a", 2, 99, "");
	check_read("b", 0, 99, "first ");
	check_kv("x", "k=v ");
	log_flush(t.log);
	check_said(""); /* once */
}

static void test_an_after_without_a_write(void **state)
{
	(void)state;
	log_after(t.log, after, "one");
	log_after_sync(t.log, after, "two");
	check_said("");
	log_flush(t.log);
	check_said("one two ");
}

static void stage_more(void *ctx, bool committed)
{
	(void)ctx;
	assert_true(committed);
	say("a", "told");
	log_after(t.log, after, "second");
}

static void test_what_is_staged_meanwhile_is_the_next_transaction(void **state)
{
	(void)state;
	say("a", "one");
	log_after(t.log, stage_more, NULL);
	log_after(t.log, after, "first");
	log_flush(t.log);
	check_said("a:1 first ");
	assert_int_equal(log_staged(t.log, "a"), 2);
	log_flush(t.log);
	check_said("a:2 second ");
}

static void test_a_frame_that_is_none_is_refused(void **state)
{
	struct vy_err e = { 0 };
	struct vy_frame f;
	static char big[VY_FRAME_FIELDS * 20 * 1024];

	(void)state;
	vy_frame_init(&f, VY_KIND_TEXT_DELTA); /* no message, no text */
	assert_int_equal(log_append(t.log, "a", &f, &e), -1);
	assert_int_equal(e.code, VY_BAD_INPUT);
	vy_frame_init(&f, VY_KIND_HEARTBEAT); /* never logged */
	assert_int_equal(log_append(t.log, "a", &f, &e), -1);
	memset(big, 'x', sizeof(big) - 1);
	assert_int_equal(try_say("a", big, &e), -1);
	assert_int_equal(e.code, VY_BAD_INPUT);
	assert_int_equal(log_staged(t.log, "a"), 0);
	say("a", "and on");
	log_flush(t.log);
	check_read("a", 0, 9, "and on ");
}

static void test_rows_are_written_as_they_were_last(void **state)
{
	(void)state;
	LOG_PUT(t.log, ROW_KV, kv, S("x"), S("a"), S("1"));
	LOG_PUT(t.log, ROW_KV, kv, S("x"), S("b"), S("1"));
	LOG_PUT(t.log, ROW_KV, kv, S("x"), S("a"), S("2"));
	LOG_DEL(t.log, ROW_KV, kv, .space = S("x"), .name = S("b"));
	LOG_PUT(t.log, ROW_KV, kv, S("x"), S("c"), S("1"));
	LOG_DEL(t.log, ROW_KV, kv, .space = S("x"), .name = S("c"));
	LOG_PUT(t.log, ROW_KV, kv, S("x"), S("c"), S("9"));
	log_flush(t.log);
	check_kv("x", "a=2 c=9 ");
}

static void test_a_deleted_session_begins_anew(void **state)
{
	(void)state;
	say("a", "one");
	LOG_PUT(t.log, ROW_SESSION, session, .session = S("a"), .doc = S("{}"));
	log_flush(t.log);
	vy_buf_clear(&t.said);
	LOG_DEL(t.log, ROW_SESSION, session, .session = S("a"));
	log_flush(t.log);
	check_said("a:0 ");
	assert_int_equal(log_head(t.log, "a"), 0);
	assert_int_equal(log_floor(t.log, "a"), 1);
	check_read("a", 0, 9, "");
	assert_int_equal(ROWS(ROW_SESSION, session, .session = S("a")), 0);
	say("a", "again");
	log_flush(t.log);
	check_read("a", 0, 9, "again ");
}

static void another(void *ctx, const char *session, int64_t head)
{
	vy_buf_addf(&t.said, "%s.%s:%lld ", (const char *)ctx, session, (long long)head);
}

static void test_each_who_listens_is_told(void **state)
{
	static char b[] = "b", c[] = "c";

	(void)state;
	log_on_committed(t.log, another, b);
	log_on_committed(t.log, another, c);
	say("a", "one");
	log_flush(t.log);
	check_said("a:1 b.a:1 c.a:1 ");
	log_on_committed(t.log, NULL, b);
	say("a", "two");
	log_flush(t.log);
	check_said("a:2 c.a:2 ");
	log_on_committed(t.log, NULL, c);
	log_on_committed(t.log, NULL, b);
	say("a", "three");
	log_flush(t.log);
	check_said("a:3 ");
}

/* ---- failures ---- */

static void stage_a_turn(void)
{
	say("a", "one");
	say("b", "first");
	LOG_PUT(t.log, ROW_KV, kv, S("x"), S("k"), S("v"));
	LOG_DEL(t.log, ROW_TELL, tell, .hid = S("h"), .seq = 3);
	log_after(t.log, after, "reply");
	say("a", "two");
}

static void check_the_turn(void)
{
	check_read("a", 0, 99, "one two ");
	check_read("b", 0, 99, "first ");
	check_kv("x", "k=v ");
}

/* Whichever call of the store fails, and however often: the same end. */
static void test_every_call_may_fail(void **state)
{
	static const enum vy_code codes[] = { VY_FULL, VY_IO, VY_RETRY };

	(void)state;
	for (size_t c = 0; c < VY_COUNT(codes); c++) {
		for (int kth = 1; kth <= 6; kth++) {
			for (int times = 1; times <= 3; times++) {
				teardown(NULL);
				setup(NULL);
				stage_a_turn();
				store_mem_fail(t.store, kth, times, codes[c]);
				for (int i = 0; i < times; i++) {
					log_flush(t.log);
					if (strstr(vy_buf_c(&t.said), "a:") ||
						strstr(vy_buf_c(&t.said), "reply") ||
						log_head(t.log, "a") != 0) {
						fail_msg("kth %d: seen before it was stored", kth);
					}
					if (i < times - 1) { /* later tries fail at once */
						store_mem_fail(t.store, 1, times - 1 - i, codes[c]);
					}
				}
				vy_buf_clear(&t.said);
				log_flush(t.log);
				assert_non_null(strstr(vy_buf_c(&t.said), "a:2 b:1 reply "));
				check_the_turn();
				assert_null(log_trouble(t.log));
			}
		}
	}
}

static void test_begin_and_end_of_a_pause_are_told(void **state)
{
	(void)state;
	say("a", "one");
	store_mem_fail(t.store, 1, 3, VY_FULL);
	log_flush(t.log);
	check_said("paused(FULL) ");
	assert_int_equal(log_trouble(t.log)->code, VY_FULL);
	say("a", "two"); /* what people do goes on */
	log_flush(t.log);
	log_flush(t.log);
	check_said("");
	log_flush(t.log);
	check_said("a:2 resumed ");
	assert_null(log_trouble(t.log));
	check_read("a", 0, 9, "one two ");
}

static void test_a_short_wait_is_no_pause(void **state)
{
	(void)state;
	say("a", "one");
	log_after_read(t.log, after, "read");
	store_mem_fail(t.store, 1, 4, VY_RETRY);
	log_flush(t.log);
	t.now += 500;
	log_flush(t.log);
	check_said(""); /* a read neither: it would see what is not stored */
	t.now += 600;
	log_flush(t.log);
	check_said("paused(RETRY) read ");
	assert_non_null(strstr(log_trouble(t.log)->text, "slow"));
	log_flush(t.log);
	log_flush(t.log);
	t.now -= 1100; /* as the frame was made */
	check_read("a", 0, 9, "one ");
	check_said("a:1 resumed ");
}

static void test_a_damaged_store_ends_it(void **state)
{
	struct vy_err e = { 0 };

	(void)state;
	say("a", "before");
	log_flush(t.log);
	vy_buf_clear(&t.said);
	say("a", "lost");
	log_after(t.log, after, "reply");
	store_mem_fail(t.store, 1, 1, VY_CORRUPT);
	log_flush(t.log);
	check_said("paused(CORRUPT) reply=no ");
	assert_int_equal(try_say("a", "more", &e), -1);
	assert_int_equal(e.code, VY_CORRUPT);
	log_after(t.log, after, "late");
	log_flush(t.log);
	check_said("late=no ");
	check_read("a", 0, 9, "before "); /* it is read only, not gone */
}

static void test_two_writers_cannot_both_go_on(void **state)
{
	struct log *first = t.log;

	(void)state;
	say("a", "one");
	log_flush(t.log);
	open_log((struct log_conf){ .boot_id = "other boot" }); /* a new history */
	log_free(t.log);
	t.log = first;
	vy_buf_clear(&t.said);
	say("a", "two");
	log_flush(t.log);
	check_said("paused(CONFLICT) ");
}

/* ---- what is kept ---- */

static void test_reading_from_anywhere(void **state)
{
	VY_AUTO_BUF want = VY_BUF_INIT(1 << 20);
	char word[16];

	(void)state;
	log_free(t.log);
	open_log((struct log_conf){ .ring_frames = 7, .ring_bytes = 1 << 20 });
	for (int i = 1; i <= 40; i++) {
		snprintf(word, sizeof(word), "w%d", i);
		say("a", word);
		if (i % 3 == 0) {
			log_flush(t.log);
		}
	}
	log_flush(t.log);
	for (int from = 0; from <= 40; from++) {
		vy_buf_clear(&want);
		for (int i = from + 1; i <= 40; i++) {
			vy_buf_addf(&want, "w%d ", i);
		}
		check_read("a", from, 99, vy_buf_c(&want));
	}
	check_read("a", 30, 5, "w31 w32 w33 w34 w35 "); /* over the border of ring and store */
	for (int cur = 0; cur <= 41; cur++) {
		struct frame_ref *f = log_frame(t.log, "a", cur);

		assert_int_equal(f ? f->cur : 0, cur == 41 ? 0 : cur);
		frame_unref(f);
	}
}

static void test_bounds_of_a_log(void **state)
{
	static const struct {
		const char *name;
		int64_t frames, bytes;
	} rows[] = { { "frames", 100, 0 }, { "bytes", 0, 20 * 1000 } };
	struct vy_err e = { 0 };

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		int64_t floor;

		teardown(NULL);
		setup(NULL);
		log_free(t.log);
		open_log((struct log_conf){ .retain_frames = rows[i].frames,
			.retain_bytes = rows[i].bytes,
			.ring_frames = 10 });
		for (int n = 0; n < 2000; n++) {
			say("a", "w");
			if (n % 50 == 49) {
				log_flush(t.log);
			}
		}
		floor = log_floor(t.log, "a");
		if (log_head(t.log, "a") != 2000 || floor < 1500 || floor > 1990) {
			fail_msg("%s: floor %lld", rows[i].name, (long long)floor);
		}
		assert_int_equal(log_read(t.log, "a", floor - 2, read_one, NULL, &e), -1);
		assert_int_equal(e.code, VY_GONE);
		assert_int_equal(log_read(t.log, "a", 2001, read_one, NULL, &e), -1);
		assert_int_equal(e.code, VY_GONE);
		check_read("a", floor - 1, 2, "w w ");
	}
}

static void test_starts_and_ends(void **state)
{
	char epoch[STORE_EPOCH_LEN + 1];

	(void)state;
	memcpy(epoch, log_epoch(t.log), sizeof(epoch));
	assert_int_equal(log_starts(t.log), 1);
	say("a", "one"); /* log_free commits what waits */
	log_after(t.log, after, "reply");
	vy_buf_clear(&t.said);
	log_free(t.log);
	check_said("a:1 reply ");
	open_log((struct log_conf){ .boot_id = "next boot" });
	assert_true(log_was_clean(t.log));
	assert_int_equal(log_starts(t.log), 2);
	assert_string_equal(log_epoch(t.log), epoch);
	check_read("a", 0, 9, "one ");

	say("a", "lost");
	log_after(t.log, after, "reply");
	store_mem_fail(t.store, 1, 99, VY_IO);
	log_free(t.log);
	check_said("paused(IO) reply=no ");
	store_mem_fail(t.store, 0, 0, VY_OK);
	open_log((struct log_conf){ .boot_id = "next boot" });
	assert_false(log_was_clean(t.log));
	assert_string_equal(log_epoch(t.log), epoch);
}

/* ---- on a loop ---- */

static struct vy_loop *loop;

static void stop_after(void *ctx, bool committed)
{
	after(ctx, committed);
	vy_loop_stop(loop);
}

static void chain(void *ctx, bool committed)
{
	after(ctx, committed);
	say("a", "three");
	log_after(t.log, stop_after, "end");
}

static void in_a_turn(void *ctx)
{
	(void)ctx;
	say("a", "one");
	log_after(t.log, chain, "begin");
	say("a", "two");
	vy_buf_adds(&t.said, "turn ");
}

static void test_the_turns_end_commits(void **state)
{
	(void)state;
	log_free(t.log);
	loop = vy_loop_new();
	open_log((struct log_conf){ .loop = loop });
	vy_loop_defer(loop, in_a_turn, NULL);
	vy_loop_run(loop); /* no timer is needed: the chain ends in the same turn */
	check_said("turn a:2 begin a:3 end ");
	log_free(t.log);
	t.log = NULL;
	vy_loop_free(loop);
}

static void test_a_failed_commit_is_tried_again(void **state)
{
	(void)state;
	log_free(t.log);
	loop = vy_loop_new();
	open_log((struct log_conf){ .loop = loop });
	say("a", "one");
	log_after(t.log, stop_after, "end");
	store_mem_fail(t.store, 1, 2, VY_IO);
	vy_loop_run(loop);
	check_said("paused(IO) a:1 end resumed ");
	log_free(t.log);
	t.log = NULL;
	vy_loop_free(loop);
}

static void second_half(void *ctx)
{
	(void)ctx;
	say("b", "second");
	log_after(t.log, stop_after, "end");
}

static void first_half(void *ctx)
{
	(void)ctx;
	say("a", "first");
	vy_loop_defer(loop, second_half, NULL);
}

/* A commit that is due in the middle of a turn waits for what the turn still brings. */
static void test_a_turn_is_never_split(void **state)
{
	const struct timespec until_both_are_due = { .tv_nsec = 60 * 1000 * 1000 };

	(void)state;
	log_free(t.log);
	loop = vy_loop_new();
	open_log((struct log_conf){ .loop = loop });
	say("a", "one");
	store_mem_fail(t.store, 1, 1, VY_IO);
	log_flush(t.log); /* fails: the retry's timer is set */
	struct vy_timer *turn = vy_loop_timer(loop, first_half, NULL);

	vy_timer_set(turn, 0); /* before it, in the same turn */
	nanosleep(&until_both_are_due, NULL);
	vy_loop_run(loop);
	check_said("paused(IO) a:2 b:1 end resumed ");
	vy_timer_del(turn);
	log_free(t.log);
	t.log = NULL;
	vy_loop_free(loop);
}

int main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(test_seen_only_after_the_commit),
		T(test_an_after_without_a_write),
		T(test_what_is_staged_meanwhile_is_the_next_transaction),
		T(test_a_frame_that_is_none_is_refused),
		T(test_rows_are_written_as_they_were_last),
		T(test_a_deleted_session_begins_anew),
		T(test_each_who_listens_is_told),
		T(test_every_call_may_fail),
		T(test_begin_and_end_of_a_pause_are_told),
		T(test_a_short_wait_is_no_pause),
		T(test_a_damaged_store_ends_it),
		T(test_two_writers_cannot_both_go_on),
		T(test_reading_from_anywhere),
		T(test_bounds_of_a_log),
		T(test_starts_and_ends),
		T(test_the_turns_end_commits),
		T(test_a_failed_commit_is_tried_again),
		T(test_a_turn_is_never_split),
	};

	vy_log_set_level(VY_LOG_NONE);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

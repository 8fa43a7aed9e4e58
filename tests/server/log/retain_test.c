/* retain_test.c -- a log with a loop is kept small by itself, and nobody who reads it can tell.
 *
 * What is packed and when, what expires after a day and what never does, that a clock that jumps stops
 * that, that the oldest session goes first when there is too much, and that room comes back. */
#include "server/log/retain.h"

#include <sys/stat.h>

#include "server/io/work.h"
#include "server/log/derive.h"
#include "shared/base/arena.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/frame/codec.h"
#include "shared/frame/frame.h"
#include "shared/io/loop.h"
#include "tests/check.h"
#include "tests/server/tempdir.h"
#include "shared/base/ban.h"

#define S(lit)  VY_STR_LIT(lit)
#define HOUR    3600000
#define WAIT_MS 10000
#define FRAMES  700

static struct {
	struct tempdir dir;
	struct vy_loop *loop;
	struct work *work;
	struct vy_timer *timer;
	struct log_store *store;
	struct log *log;
	struct retain *tidy;
	int64_t slept, jumped; /* ms: of both clocks; of the wall alone */
} t;

static int64_t wall(void *ctx)
{
	(void)ctx;
	return vy_wall_ms(&vy_clock_real) + t.slept + t.jumped;
}

static int64_t boot(void *ctx)
{
	(void)ctx;
	return vy_boot_ms(&vy_clock_real) + t.slept;
}

static const struct vy_clock clock_ = { wall, boot, NULL };

static void stop(void *ctx)
{
	vy_loop_stop(ctx);
}

static void open_log(struct retain_conf conf)
{
	struct vy_err e = { 0 };
	struct log_conf lc = { .clock = &clock_, .loop = t.loop, .boot_id = "boot" };

	lc.store = t.store = store_sqlite_open(t.dir.path, t.loop, t.work, &e);
	check_true(e.text, t.store != NULL);
	t.log = log_new(&lc, &e);
	check_true(e.text, t.log != NULL);
	conf.log = t.log;
	conf.loop = t.loop;
	conf.clock = &clock_;
	conf.soon_ms = 5;
	conf.idle_ms = conf.idle_ms ? conf.idle_ms : 30;
	conf.sweep_ms = 50;
	t.tidy = retain_new(&conf);
}

static void close_log(void)
{
	retain_free(t.tidy);
	log_free(t.log);
	t.store->ops->close(t.store);
}

static int setup(void **state)
{
	(void)state;
	memset(&t, 0, sizeof(t));
	t.dir = tempdir_make();
	t.loop = vy_loop_new();
	t.timer = vy_loop_timer(t.loop, stop, t.loop);
	t.work = work_new(t.loop, NULL);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	close_log();
	work_free(t.work);
	vy_timer_del(t.timer);
	vy_loop_free(t.loop);
	tempdir_remove(t.dir.path);
	return 0;
}

static void turn(int ms)
{
	vy_timer_set(t.timer, ms);
	vy_loop_run(t.loop);
}

/* ---- frames ---- */

static void append(const char *session, struct vy_frame *f)
{
	struct vy_err e = { 0 };

	check_true(e.text, log_append(t.log, session, f, &e) == 0);
}

static void status(const char *session, const char *state)
{
	struct vy_frame f;

	vy_frame_init(&f, VY_KIND_STATUS);
	vy_frame_set_c(&f, VY_F_STATE, state);
	append(session, &f);
}

static void words(const char *session, const char *message, int n)
{
	struct vy_frame f;

	for (int i = 0; i < n; i++) {
		vy_frame_init(&f, VY_KIND_TEXT_DELTA);
		f.author = S("model:demo");
		vy_frame_set_c(&f, VY_F_MESSAGE, message);
		vy_frame_set_int(&f, VY_F_INDEX, 0);
		vy_frame_set_c(&f, VY_F_TEXT, i % 7 ? " word" : " \"zanzibar\"\n");
		append(session, &f);
	}
}

static void say(const char *session, const char *text)
{
	struct vy_frame f;

	vy_frame_init(&f, VY_KIND_USER_MESSAGE);
	f.author = S("person:p");
	vy_frame_set_c(&f, VY_F_MESSAGE, "p1");
	vy_frame_set_c(&f, VY_F_STATE, "sent");
	vy_frame_set_c(&f, VY_F_TEXT, text);
	append(session, &f);
}

static void record(const char *session, int64_t updated)
{
	LOG_PUT(t.log, ROW_SESSION, session, .session = vy_str_c(session), .doc = S("{}"),
		.state = S("idle"), .updated = updated);
}

/* ---- what is there ---- */

struct seen {
	struct vy_buf text;
	int64_t frames, expired, last;
};

static bool see(void *ctx, struct frame_ref *ref)
{
	struct seen *s = ctx;
	struct vy_arena mem;
	struct vy_frame f;

	vy_arena_init(&mem);
	assert_int_equal(vy_frame_decode(frame_ref_str(ref), &mem, &f, NULL), 0);
	assert_int_equal(vy_frame_first(&f), s->last + 1);
	s->last = (int64_t)f.cur;
	s->frames++;
	s->expired += vy_frame_is_expired(&f);
	vy_buf_addstr(&s->text, vy_frame_str(&f, VY_F_TEXT));
	vy_arena_fini(&mem);
	return true;
}

static struct seen look_as(const char *session, const struct store_reading *how)
{
	struct seen s = { .text = VY_BUF_INIT(VY_MIB), .last = log_floor(t.log, session) - 1 };

	assert_int_equal(log_read_as(t.log, session, s.last, how, see, &s, NULL), 0);
	return s;
}

static struct seen look(const char *session, bool is_whole)
{
	return look_as(session, &(struct store_reading){ .is_whole = is_whole });
}

/* A viewer that comes now gets runs as one frame each, whether the ring has them or not. */
static void check_merged(const char *session, const struct seen *was)
{
	struct seen now = look_as(session, &(struct store_reading){ .merge_to = INT64_MAX });

	assert_int_equal(now.last, was->last);
	assert_true(now.frames < 10);
	check_vstr("merged", vy_buf_str(&now.text), vy_buf_str(&was->text));
	vy_buf_fini(&now.text);
}

static int64_t expired(const char *session)
{
	struct seen s = look(session, false);

	vy_buf_fini(&s.text);
	return s.expired;
}

static int64_t stored(const char *session)
{
	struct store_bounds held;

	assert_int_equal(log_held(t.log, session, &held, NULL), 0);
	return held.bytes;
}

/* Until the stored bytes of the session are at most so many. */
static void until_small(const char *session, int64_t most)
{
	int64_t end = vy_boot_ms(&vy_clock_real) + WAIT_MS;

	while (stored(session) > most && vy_boot_ms(&vy_clock_real) < end) {
		turn(5);
	}
	if (stored(session) > most) {
		fail_msg("%s still has %lld bytes", session, (long long)stored(session));
	}
}

/* ---- tests ---- */

static void test_packs(void **state)
{
	struct seen was, now;

	(void)state;
	open_log((struct retain_conf){ .idle_ms = HOUR });
	say("one", "and?");
	words("one", "m1", FRAMES);
	log_flush(t.log);
	was = look("one", false);
	turn(100);
	assert_true(stored("one") > FRAMES * 150); /* nothing is settled yet */
	status("one", "waiting");
	log_flush(t.log);
	until_small("one", 2000);
	vy_buf_fini(&was.text);
	was = look("one", false);
	check_merged("one", &was);
	words("one", "m2", 20); /* too few, and open */
	log_flush(t.log);
	turn(100);
	assert_true(stored("one") > 20 * 150);
	close_log();
	open_log((struct retain_conf){ .idle_ms = HOUR }); /* and with an empty ring */
	now = look("one", false);
	assert_int_equal(now.frames, was.frames + 20);
	now.text.len = was.text.len;
	check_vstr("text", vy_buf_str(&now.text), vy_buf_str(&was.text));
	vy_buf_fini(&was.text);
	vy_buf_fini(&now.text);
}

static void test_idle(void **state)
{
	(void)state;
	open_log((struct retain_conf){ .idle_ms = 30 });
	words("one", "m1", 40);
	status("one", "waiting");
	log_flush(t.log);
	until_small("one", 700); /* few as they are */
}

static int64_t file_bytes(void)
{
	struct stat st;

	return stat(tempdir_file(&t.dir, "vyre.db"), &st) == 0 ? st.st_size : -1;
}

static void test_room(void **state)
{
	int64_t most;

	(void)state;
	open_log((struct retain_conf){ .idle_ms = 30 });
	for (int i = 0; i < 20; i++) {
		words("one", "m1", FRAMES);
		log_flush(t.log);
		turn(5);
	}
	status("one", "waiting");
	log_flush(t.log);
	close_log();
	most = file_bytes();
	assert_true(most > 20 * FRAMES * 150);
	open_log((struct retain_conf){ .idle_ms = 30 });
	record("one", 1);
	log_flush(t.log);
	until_small("one", 20000);
	for (int i = 0; i < 200 && log_shrink(t.log, NULL) > 0; i++) {
		turn(10);
	}
	close_log();
	assert_true(file_bytes() < most / 10);
	open_log((struct retain_conf){ 0 });
}

static void until_expired(const char *session, int64_t n)
{
	int64_t end = vy_boot_ms(&vy_clock_real) + WAIT_MS;

	while (expired(session) < n && vy_boot_ms(&vy_clock_real) < end) {
		turn(5);
	}
	assert_int_equal(expired(session), n);
}

static void test_expires(void **state)
{
	struct seen whole;

	(void)state;
	open_log((struct retain_conf){ .retain_hours = 24 });
	record("one", 1);
	say("one", "what I said");
	words("one", "m1", FRAMES);
	status("one", "waiting");
	log_flush(t.log);
	until_small("one", 2000);
	turn(150);
	assert_int_equal(expired("one"), 0);
	t.slept = 23 * HOUR;
	turn(150);
	assert_int_equal(expired("one"), 0);
	t.slept = 25 * HOUR;
	until_expired("one", FRAMES);
	whole = look("one", true);
	assert_int_equal(whole.expired, 0);
	assert_true(vy_str_starts(vy_buf_str(&whole.text), "what I said \"zanzibar\"\n word"));
	vy_buf_fini(&whole.text);
	whole = look("one", false);
	check_vstr("what stays", vy_buf_str(&whole.text), S("what I said"));
	vy_buf_fini(&whole.text);
}

static void test_jump(void **state)
{
	(void)state;
	open_log((struct retain_conf){ .retain_hours = 24 });
	record("one", 1);
	words("one", "m1", 50);
	status("one", "waiting");
	log_flush(t.log);
	until_small("one", 1000);
	t.jumped = 48 * HOUR; /* the wall clock alone: who knows what time it is */
	turn(200);
	assert_int_equal(expired("one"), 0);
	t.jumped = 0;
	t.slept = 48 * HOUR; /* and from then on nobody does */
	turn(200);
	assert_int_equal(expired("one"), 0);
	close_log();
	open_log((struct retain_conf){ .retain_hours = 24 });
	until_expired("one", 50);
}

static void test_never(void **state)
{
	(void)state;
	open_log((struct retain_conf){ .retain_hours = 0 });
	record("one", 1);
	words("one", "m1", 50);
	status("one", "waiting");
	log_flush(t.log);
	until_small("one", 1000);
	t.slept = 1000 * (int64_t)HOUR;
	turn(200);
	assert_int_equal(expired("one"), 0);
}

static void test_bound(void **state)
{
	static const char *const names[] = { "old", "middle", "new" };

	(void)state;
	open_log((struct retain_conf){ 0 });
	for (size_t i = 0; i < VY_COUNT(names); i++) {
		record(names[i], 1 + (int64_t)i);
		words(names[i], "m1", FRAMES);
		status(names[i], "waiting");
		log_flush(t.log);
		until_small(names[i], 1000);
	}
	int64_t two = stored("new") + stored("middle");

	close_log();
	open_log((struct retain_conf){ .most_bytes = two + 10 });
	until_small("old", 0);
	turn(150);
	struct store_bounds held;

	assert_int_equal(log_held(t.log, "old", &held, NULL), 0);
	assert_int_equal(held.floor, held.head + 1);
	assert_int_equal(log_floor(t.log, "middle"), 1);
	assert_int_equal(log_floor(t.log, "new"), 1);
	words("old", "m2", 3); /* its cursors go on */
	log_flush(t.log);
	assert_int_equal(log_head(t.log, "old"), FRAMES + 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_packs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_idle, setup, teardown),
		cmocka_unit_test_setup_teardown(test_room, setup, teardown),
		cmocka_unit_test_setup_teardown(test_expires, setup, teardown),
		cmocka_unit_test_setup_teardown(test_jump, setup, teardown),
		cmocka_unit_test_setup_teardown(test_never, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bound, setup, teardown),
	};

	vy_log_set_level(VY_LOG_NONE);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

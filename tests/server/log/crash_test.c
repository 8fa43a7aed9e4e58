/* crash_test.c -- kill -9 of a writer at any moment: what it published is there, nothing is torn.
 *
 * A child appends to three sessions through a real log, store and worker, with a row that names the
 * head in the same transaction, and says on a pipe what the log called committed. It is killed,
 * and the next one goes on where the store is. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "server/io/work.h"
#include "server/log/log.h"
#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/clock.h"
#include "shared/base/hash.h"
#include "shared/base/log.h"
#include "shared/frame/codec.h"
#include "shared/frame/frame.h"
#include "shared/io/loop.h"
#include "tests/server/tempdir.h"
#include "shared/base/ban.h"

enum { SESSIONS = 3, KILLS = 12 };
static const char *const names[SESSIONS] = { "s0", "s1", "s2" };

/* What one frame says is a function of where it stands. */
static void text_of(int session, int64_t cur, char out[64])
{
	snprintf(out, 64, "s%d frame %lld", session, (long long)cur);
}

/* ---- the child ---- */

static struct {
	struct vy_loop *loop;
	struct log *log;
	int out;
} c;

struct said {
	int32_t session;
	int64_t head;
};

static void published(void *ctx, const char *session, int64_t head)
{
	struct said s = { session[1] - '0', head };

	(void)ctx;
	(void)!write(c.out, &s, sizeof(s));
}

static void say(int i)
{
	struct vy_frame f;
	char text[64], head[24];

	text_of(i, log_staged(c.log, names[i]) + 1, text);
	vy_frame_init(&f, VY_KIND_TEXT_DELTA);
	f.author = VY_STR_LIT("model:demo");
	vy_frame_set_c(&f, VY_F_MESSAGE, "m1");
	vy_frame_set_int(&f, VY_F_INDEX, 0);
	vy_frame_set_c(&f, VY_F_TEXT, text);
	if (log_append(c.log, names[i], &f, NULL) < 0) {
		_exit(3);
	}
	snprintf(head, sizeof(head), "%lld", (long long)f.cur);
	LOG_PUT(c.log, ROW_KV, kv, VY_STR_LIT("head"), vy_str_c(names[i]), vy_str_c(head));
	LOG_PUT(c.log, ROW_LIVE, live, .hid = vy_str_c(names[i]), .session = vy_str_c(names[i]),
		.off = (int64_t)f.cur, .driver_state = vy_str_c(text));
}

static void turn(void *ctx, bool committed)
{
	uint8_t dice[8];

	(void)ctx;
	(void)committed;
	vy_random(dice, sizeof(dice));
	for (int i = 0; i < SESSIONS; i++) {
		for (int n = dice[i] % 5; n > 0; n--) {
			say(i);
		}
	}
	say(dice[7] % SESSIONS);
	log_after(c.log, turn, NULL);
}

static void child(const char *dir, int out)
{
	struct log_conf conf = { .clock = &vy_clock_real, .boot_id = "boot" };
	struct work *work;

	c.out = out;
	c.loop = vy_loop_new();
	work = work_new(c.loop, NULL);
	conf.loop = c.loop;
	conf.store = work ? store_sqlite_open(dir, c.loop, work, NULL) : NULL;
	c.log = conf.store ? log_new(&conf, NULL) : NULL;
	if (!c.log) {
		_exit(2);
	}
	log_on_committed(c.log, published, NULL);
	turn(NULL, true);
	vy_loop_run(c.loop);
	_exit(4);
}

/* ---- the parent ---- */

/* Runs one child for `ms`, kills it, and gathers the newest heads that it published. */
static void run_and_kill(const char *dir, int ms, int64_t heads[SESSIONS])
{
	struct said s;
	int p[2], status;
	pid_t pid;

	assert_int_equal(pipe(p), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		close(p[0]);
		child(dir, p[1]);
	}
	close(p[1]);
	assert_int_equal(read(p[0], &s, sizeof(s)), sizeof(s)); /* it is at work */
	heads[s.session] = s.head;
	usleep((unsigned)ms * 1000);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	while (read(p[0], &s, sizeof(s)) == (ssize_t)sizeof(s)) {
		assert_true(s.head > heads[s.session]);
		heads[s.session] = s.head;
	}
	close(p[0]);
}

struct checker {
	int session;
	int64_t last;
};

static bool check_frame(void *ctx, struct frame_ref *f)
{
	struct checker *k = ctx;
	struct vy_arena a;
	struct vy_frame got;
	char want[64];

	vy_arena_init(&a);
	assert_int_equal(f->cur, k->last + 1);
	assert_int_equal(vy_frame_decode(frame_ref_str(f), &a, &got, NULL), 0);
	assert_int_equal(got.cur, f->cur);
	text_of(k->session, f->cur, want);
	assert_true(vy_str_is(vy_frame_str(&got, VY_F_TEXT), want));
	vy_arena_fini(&a);
	k->last = f->cur;
	return true;
}

static bool check_head_row(void *ctx, const struct store_row *row)
{
	long long head = 0;

	assert_true(vy_parse_i64(row->kv.value, &head));
	*(int64_t *)ctx = head;
	return false;
}

/* The state at the offset: of the same transaction as the newest frame, wherever the store has it. */
static bool check_live_row(void *ctx, const struct store_row *row)
{
	const struct checker *k = ctx;
	char want[64];

	text_of(k->session, k->last, want);
	assert_int_equal(row->live.off, k->last);
	assert_true(vy_str_is(row->live.driver_state, want));
	return false;
}

static void check(const char *dir, const int64_t heads[SESSIONS], char epoch[16])
{
	struct log_conf conf = { .clock = &vy_clock_real, .boot_id = "boot" };
	struct vy_err e = { 0 };
	struct log *l;

	conf.store = store_sqlite_open(dir, NULL, NULL, &e);
	assert_non_null(conf.store);
	l = log_new(&conf, &e);
	assert_non_null(l);
	if (epoch[0] == '\0') {
		memcpy(epoch, log_epoch(l), STORE_EPOCH_LEN + 1);
	}
	assert_string_equal(log_epoch(l), epoch);
	for (int i = 0; i < SESSIONS; i++) {
		struct checker k = { i, 0 };
		struct store_row like = { .kind = ROW_KV,
			.kv = { VY_STR_LIT("head"), vy_str_c(names[i]), { 0 } } };
		int64_t row = 0;

		assert_true(log_head(l, names[i]) >= heads[i]);
		assert_int_equal(log_read(l, names[i], 0, check_frame, &k, &e), 0);
		assert_int_equal(k.last, log_head(l, names[i]));
		assert_int_equal(log_each(l, &like, check_head_row, &row, &e), 0);
		assert_int_equal(row, k.last); /* the row of the same transaction */
		like = (struct store_row){ .kind = ROW_LIVE,
			.live = { .hid = vy_str_c(names[i]) } };
		assert_int_equal(log_each(l, &like, check_live_row, &k, &e), 0);
	}
	log_free(l);
	conf.store->ops->close(conf.store);
}

static void test_kill_at_any_moment(void **state)
{
	struct tempdir dir = tempdir_make();
	int64_t heads[SESSIONS] = { 0 };
	char epoch[16] = "";

	(void)state;
	for (int i = 0; i < KILLS; i++) {
		uint8_t dice;

		vy_random(&dice, 1);
		run_and_kill(dir.path, dice % 40, heads);
		check(dir.path, heads, epoch);
	}
	tempdir_remove(dir.path);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_kill_at_any_moment) };

	vy_log_set_level(VY_LOG_NONE);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

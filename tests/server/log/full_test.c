/* full_test.c -- a disk that is really full (a limit on the size of files), and full no more. */
#include <signal.h>
#include <sys/resource.h>

#include "server/log/log.h"
#include "shared/base/clock.h"
#include "shared/base/log.h"
#include "shared/frame/frame.h"
#include "tests/check.h"
#include "tests/server/tempdir.h"
#include "shared/base/ban.h"

enum { FRAMES = 400, LIMIT = 1024 * 1024 };

static struct {
	struct tempdir dir;
	struct log_store *store;
	struct log *log;
	int64_t published, answered;
	int pauses, resumes;
} t;

static void on_committed(void *ctx, const char *session, int64_t head)
{
	(void)ctx;
	(void)session;
	assert_true(head > t.published);
	t.published = head;
}

static void on_paused(void *ctx, bool is_paused, const struct vy_err *why)
{
	(void)ctx;
	if (is_paused) {
		assert_int_equal(why->code, VY_FULL);
		assert_non_null(strstr(why->text, "disk is full"));
		t.pauses++;
	} else {
		t.resumes++;
	}
}

static void on_answer(void *ctx, bool committed)
{
	assert_true(committed);
	assert_int_equal((intptr_t)ctx, t.answered + 1); /* in order, each once */
	assert_true(t.published >= (intptr_t)ctx);       /* never before its frame */
	t.answered++;
}

static void limit_files(rlim_t most)
{
	struct rlimit r;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &r), 0);
	r.rlim_cur = most;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &r), 0);
}

static void say(int i)
{
	static char text[8 * 1024];
	struct vy_frame f;

	memset(text, 'a' + i % 26, sizeof(text) - 1);
	vy_frame_init(&f, VY_KIND_TEXT_DELTA);
	f.author = VY_STR_LIT("model:demo");
	vy_frame_set_c(&f, VY_F_MESSAGE, "m");
	vy_frame_set_int(&f, VY_F_INDEX, 0);
	vy_frame_set_c(&f, VY_F_TEXT, text);
	assert_int_equal(log_append(t.log, "s", &f, NULL), 0);
	log_after(t.log, on_answer, (void *)(intptr_t)(i + 1));
	log_flush(t.log);
}

static bool count_frame(void *ctx, struct frame_ref *f)
{
	int64_t *last = ctx;

	assert_int_equal(f->cur, *last + 1);
	*last = f->cur;
	return true;
}

static void open_all(void)
{
	struct vy_err e = { 0 };
	struct log_conf conf = { .clock = &vy_clock_real, .boot_id = "boot" };

	t.store = conf.store = store_sqlite_open(t.dir.path, NULL, NULL, &e);
	assert_non_null(t.store);
	t.log = log_new(&conf, &e);
	assert_non_null(t.log);
	log_on_committed(t.log, on_committed, NULL);
	log_on_paused(t.log, on_paused, NULL);
}

static void full_and_full_no_more(void **state)
{
	int64_t last = 0, stuck;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	t.dir = tempdir_make();
	open_all();
	limit_files(LIMIT);
	for (int i = 0; i < FRAMES; i++) {
		say(i);
	}
	stuck = t.published;
	assert_true(stuck > 0 && stuck < FRAMES);
	assert_int_equal(t.answered, stuck);
	assert_int_equal(t.pauses, 1);
	assert_int_equal(t.resumes, 0);
	assert_non_null(log_trouble(t.log));
	assert_int_equal(log_read(t.log, "s", 0, count_frame, &last, NULL), 0);
	assert_int_equal(last, stuck); /* what was seen can still be read */

	limit_files(RLIM_INFINITY);
	log_flush(t.log);
	assert_int_equal(t.published, FRAMES);
	assert_int_equal(t.answered, FRAMES);
	assert_int_equal(t.resumes, 1);
	assert_null(log_trouble(t.log));
	last = 0;
	assert_int_equal(log_read(t.log, "s", 0, count_frame, &last, NULL), 0);
	assert_int_equal(last, FRAMES);
	log_free(t.log);
	t.store->ops->close(t.store);

	open_all();
	assert_true(log_was_clean(t.log));
	last = 0;
	assert_int_equal(log_read(t.log, "s", 0, count_frame, &last, NULL), 0);
	assert_int_equal(last, FRAMES);
	log_free(t.log);
	t.store->ops->close(t.store);
	tempdir_remove(t.dir.path);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(full_and_full_no_more) };

	vy_log_set_level(VY_LOG_NONE);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

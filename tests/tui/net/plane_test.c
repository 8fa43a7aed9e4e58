/* plane_test.c -- the control plane's line: a server that stands still without a word is given up, and found
 * again when it goes on; one that is only quiet is not. */
#include "tui/net/plane.h"

#include "tests/check.h"

#include <signal.h>

#include "shared/model/watch.h"
#include "tests/tui/net/box.h"
#include "shared/base/ban.h"

#define BEAT_MS 20
#define DEAD_MS 60

static struct {
	struct plane *plane;
	struct vy_watch watch;
	unsigned begins, ends, wanted;
} t;

static void on_begins(void *ctx, int64_t head)
{
	(void)ctx;
	(void)head;
	t.begins++;
}

static void on_event(void *ctx, const struct vy_json *event)
{
	(void)ctx;
	(void)event;
}

static void on_ends(void *ctx)
{
	(void)ctx;
	t.ends++;
}

static bool has_begun(struct box *b)
{
	(void)b;
	return t.begins >= t.wanted;
}

static bool has_ended(struct box *b)
{
	(void)b;
	return t.ends > 0;
}

static struct box *begin(int64_t beat_ms, int64_t dead_ms)
{
	static const struct plane_events events = { on_begins, on_event, on_ends };
	struct box *b = box_new(true);

	memset(&t, 0, sizeof(t));
	t.watch.since = -1;
	t.plane = plane_new(b->loop, b->dial, &t.watch, &events, NULL);
	plane_pace(t.plane, beat_ms, dead_ms);
	plane_want(t.plane, true);
	t.wanted = 1;
	assert_true(run(b, has_begun));
	return b;
}

static void end(struct box *b)
{
	plane_free(t.plane);
	box_free(b);
}

/* It stands for ten times as long as a dead one would: its pongs are bytes. */
static void t_quiet(void **state)
{
	struct box *b = begin(BEAT_MS, 1000);

	(void)state;
	rest(b, 2500);
	assert_int_equal(t.ends, 0);
	assert_int_equal(t.begins, 1);
	end(b);
}

static void t_half_open(void **state)
{
	struct box *b = begin(BEAT_MS, DEAD_MS);

	(void)state;
	assert_int_equal(kill(b->server, SIGSTOP), 0);
	assert_true(run(b, has_ended));
	assert_int_equal(kill(b->server, SIGCONT), 0);
	t.wanted = t.begins + 1;
	assert_true(run(b, has_begun));
	end(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(t_quiet),
		cmocka_unit_test(t_half_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

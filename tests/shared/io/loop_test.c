/* loop_test.c -- the order of a turn, timers, watches and signals; when the loop ends and when not. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/io/loop.h"
#include "tests/check.h"

/* What happened, a letter each, in order. */
static char said[64];

static void say(char c)
{
	size_t n = strlen(said);

	assert_true(n + 1 < sizeof(said));
	said[n] = c;
	said[n + 1] = '\0';
}

struct letter {
	struct vy_loop *loop;
	char c;
	int again; /* times that it sets its own timer once more, at once */
	struct vy_timer *timer, *other;
};

static void on_letter(void *ctx)
{
	struct letter *l = ctx;

	say(l->c);
	if (l->again > 0) {
		l->again--;
		vy_timer_set(l->timer, 0);
	}
	vy_timer_del(l->other);
	l->other = NULL;
}

static int setup(void **state)
{
	said[0] = '\0';
	*state = vy_loop_new();
	return 0;
}

static int teardown(void **state)
{
	vy_loop_free(*state);
	return 0;
}

static void timers_come_in_order(void **state)
{
	struct vy_loop *loop = *state;
	struct letter a = { .c = 'a' }, b = { .c = 'b' }, c = { .c = 'c' }, never = { .c = 'X' };
	struct vy_timer *ta = vy_loop_timer(loop, on_letter, &a);
	struct vy_timer *tb = vy_loop_timer(loop, on_letter, &b);
	struct vy_timer *tc = vy_loop_timer(loop, on_letter, &c);
	struct vy_timer *tx = vy_loop_timer(loop, on_letter, &never);

	vy_timer_set(tc, 30);
	vy_timer_set(ta, 1);
	vy_timer_set(tb, 15);
	vy_timer_set(tx, 5);
	vy_timer_set(tx, -1);
	assert_false(vy_timer_is_set(tx));
	vy_timer_set(ta, 5000); /* set again: the old time is forgotten */
	vy_timer_set(ta, 0);
	assert_true(vy_timer_is_set(ta));
	vy_loop_run(loop); /* ends by itself when nothing is left */
	check_str("order", said, "abc");
	assert_false(vy_timer_is_set(ta));
	vy_timer_del(ta);
	vy_timer_del(tb);
	vy_timer_del(tc);
	vy_timer_del(tx);
}

static void equal_times_keep_their_order(void **state)
{
	struct vy_loop *loop = *state;
	struct letter l[4];
	struct vy_timer *t[4];

	for (int i = 0; i < 4; i++) {
		l[i] = (struct letter){ .c = (char)('a' + i) };
		t[i] = vy_loop_timer(loop, on_letter, &l[i]);
		vy_timer_set(t[i], 0);
	}
	vy_loop_run(loop);
	check_str("order", said, "abcd");
	for (int i = 0; i < 4; i++) {
		vy_timer_del(t[i]);
	}
}

static void on_turn_end(void *ctx)
{
	(void)ctx;
	say('.');
}

/* A timer that sets itself to now comes once a turn, so nobody else starves. */
static void a_timer_set_by_itself_waits_a_turn(void **state)
{
	struct vy_loop *loop = *state;
	struct letter l = { .c = 't', .again = 2 };

	l.timer = vy_loop_timer(loop, on_letter, &l);
	vy_loop_at_end(loop, on_turn_end, NULL);
	vy_timer_set(l.timer, 0);
	vy_loop_run(loop);
	check_str("order", said, ".t.t.t");
	vy_timer_del(l.timer);
}

static void a_timer_may_delete_its_neighbour(void **state)
{
	struct vy_loop *loop = *state;
	struct letter killer = { .c = 'k' }, victim = { .c = 'X' };

	killer.other = vy_loop_timer(loop, on_letter, &victim);
	killer.timer = vy_loop_timer(loop, on_letter, &killer);
	vy_timer_set(killer.timer, 0);
	vy_timer_set(killer.other, 0);
	vy_loop_run(loop);
	check_str("order", said, "k");
	vy_timer_del(killer.timer);
}

struct pipe_reader {
	struct vy_loop *loop;
	struct vy_watch *watch;
	int left; /* bytes until it deletes itself */
};

static void deferred(void *ctx)
{
	(void)ctx;
	say('d');
}

static void on_byte(void *ctx, int fd, unsigned events)
{
	struct pipe_reader *r = ctx;
	char c;

	assert_int_equal(events, VY_READ);
	assert_int_equal(read(fd, &c, 1), 1);
	say(c);
	vy_loop_defer(r->loop, deferred, NULL);
	if (--r->left == 0) {
		vy_watch_del(r->watch);
	}
}

static void a_turn_is_fds_then_deferred_then_hooks(void **state)
{
	struct vy_loop *loop = *state;
	struct pipe_reader r = { .loop = loop, .left = 2 };
	int fd[2];

	assert_int_equal(pipe(fd), 0);
	assert_int_equal(write(fd[1], "12", 2), 2);
	vy_loop_at_end(loop, on_turn_end, NULL);
	r.watch = vy_loop_watch(loop, fd[0], VY_READ, on_byte, &r);
	vy_loop_run(loop);
	check_str("order", said, ".1d.2d.");
	close(fd[0]);
	close(fd[1]);
}

struct silence {
	struct vy_watch *watch;
	struct vy_timer *timer;
};

/* The first byte clears the timer, the second is the end. */
static void on_noise(void *ctx, int fd, unsigned events)
{
	struct silence *q = ctx;
	char c;

	(void)events;
	assert_int_equal(read(fd, &c, 1), 1);
	say(c);
	vy_timer_set(q->timer, -1);
	if (c == '2') {
		vy_watch_del(q->watch);
	}
}

/* A timer that was set in one turn and cleared in a later one is nothing to wake up for. */
static void a_cleared_timer_wakes_nobody(void **state)
{
	struct vy_loop *loop = *state;
	struct letter never = { .c = 'X' };
	struct silence q;
	int fd[2];

	assert_int_equal(pipe(fd), 0);
	q.timer = vy_loop_timer(loop, on_letter, &never);
	q.watch = vy_loop_watch(loop, fd[0], VY_READ, on_noise, &q);
	vy_loop_at_end(loop, on_turn_end, NULL);
	vy_timer_set(q.timer, 150);
	if (fork() == 0) {
		usleep(50 * 1000); /* the loop has gone to sleep by now, with the timer set */
		_exit(write(fd[1], "1", 1) == 1 && usleep(300 * 1000) == 0 &&
					write(fd[1], "2", 1) == 1
				? 0
				: 1);
	}
	vy_loop_run(loop);
	check_str("turns", said, ".1.2");
	vy_timer_del(q.timer);
	close(fd[0]);
	close(fd[1]);
	wait(NULL);
}

static void stop_in_a_turn(void *ctx)
{
	struct vy_loop *loop = ctx;

	say('s');
	vy_loop_stop(loop);
	vy_loop_defer(loop, deferred, NULL);
}

static void a_stop_ends_its_turn_first(void **state)
{
	struct vy_timer *t = vy_loop_timer(*state, stop_in_a_turn, *state);

	vy_timer_set(t, 0);
	vy_loop_at_end(*state, on_turn_end, NULL);
	vy_loop_run(*state);
	check_str("order", said, ".sd.");
	vy_timer_del(t);
}

static void hook_a(void *ctx);

static void hook_b(void *ctx)
{
	(void)ctx;
	say('b');
}

/* Takes away a hook behind it, a call that waits, and at last itself. */
static void hook_a(void *ctx)
{
	struct letter *l = ctx;

	say('a');
	vy_loop_forget(l->loop, hook_b, NULL);
	if (l->again-- == 0) {
		vy_loop_forget(l->loop, hook_a, l);
	}
	vy_loop_defer(l->loop, deferred, NULL);
	vy_loop_defer(l->loop, on_turn_end, NULL);
	vy_loop_forget(l->loop, deferred, NULL);
}

static void what_is_forgotten_does_not_come(void **state)
{
	struct letter l = { .loop = *state, .again = 1 };

	vy_loop_at_end(l.loop, hook_a, &l);
	vy_loop_at_end(l.loop, hook_b, NULL);
	vy_loop_at_end(l.loop, hook_b, &l); /* another one */
	vy_loop_run(l.loop);
	check_str("order", said, "ab.ab.b");
}

static void wake(void *ctx)
{
	struct pipe_reader *r = ctx;

	vy_watch_set(r->watch, VY_READ);
}

static void a_paused_watch_is_silent(void **state)
{
	struct vy_loop *loop = *state;
	struct pipe_reader r = { .loop = loop, .left = 1 };
	struct letter first = { .c = 'a' };
	int fd[2];

	assert_int_equal(pipe(fd), 0);
	assert_int_equal(write(fd[1], "1", 1), 1);
	r.watch = vy_loop_watch(loop, fd[0], 0, on_byte, &r);
	struct vy_timer *a = vy_loop_timer(loop, on_letter, &first);
	struct vy_timer *b = vy_loop_timer(loop, wake, &r);

	vy_timer_set(a, 1);
	vy_timer_set(b, 2);
	vy_loop_run(loop);
	check_str("order", said, "a1d");
	vy_timer_del(a);
	vy_timer_del(b);
	close(fd[0]);
	close(fd[1]);
}

struct napper {
	struct vy_loop *loop;
	struct vy_watch *watch;
	bool has_napped;
};

static void nap_once(void *ctx)
{
	struct napper *n = ctx;

	say('(');
	if (!n->has_napped) {
		n->has_napped = true;
		vy_loop_nap(n->loop, n->watch, 400); /* longer than all timers below */
	}
	say(')');
}

static void stop_now(void *ctx)
{
	say('s');
	vy_loop_stop(ctx);
}

/* A timer wakes from a nap: the second one, due before its end, comes in a turn of its own. */
static void a_timer_ends_a_nap(void **state)
{
	struct vy_loop *loop = *state;
	struct letter first = { .c = 'a' };
	struct vy_timer *a = vy_loop_timer(loop, on_letter, &first);
	struct vy_timer *b = vy_loop_timer(loop, stop_now, loop);
	struct napper n = { .loop = loop };
	int fd[2];

	assert_int_equal(pipe(fd), 0);
	n.watch = vy_loop_watch(loop, fd[0], VY_READ, on_byte, NULL);
	vy_loop_at_end(loop, nap_once, &n);
	vy_timer_set(a, 1);
	vy_timer_set(b, 200);
	vy_loop_run(loop);
	check_str("order", said, "()a()s()");
	vy_timer_del(a);
	vy_timer_del(b);
	vy_watch_del(n.watch);
	close(fd[0]);
	close(fd[1]);
}

/* What one naps for is taken at once; what others have meanwhile is taken in the same turn. */
static void a_byte_ends_a_nap(void **state)
{
	struct vy_loop *loop = *state;
	struct vy_timer *late = vy_loop_timer(loop, stop_now, loop);
	struct napper n = { .loop = loop };
	int fd[2];

	assert_int_equal(pipe(fd), 0);
	assert_int_equal(write(fd[1], "x", 1), 1);
	struct pipe_reader r = { .loop = loop, .left = 1 };

	r.watch = n.watch = vy_loop_watch(loop, fd[0], VY_READ, on_byte, &r);
	vy_loop_at_end(loop, nap_once, &n);
	vy_timer_set(late, 300); /* both at once, had it slept to the end */
	vy_loop_run(loop);
	check_str("order", said, "()xd()s()");
	vy_timer_del(late);
	close(fd[0]);
	close(fd[1]);
}

static void on_signal(void *ctx, int signo)
{
	say(signo == SIGUSR1 ? 's' : '?');
	vy_loop_stop(ctx);
}

static void raise_it(void *ctx)
{
	(void)ctx;
	raise(SIGUSR1);
}

static void a_signal_comes_in_the_loop(void **state)
{
	struct vy_loop *loop = *state;
	struct letter never = { .c = 'X' };
	struct vy_timer *soon = vy_loop_timer(loop, raise_it, NULL);
	struct vy_timer *late = vy_loop_timer(loop, on_letter, &never);

	vy_loop_on_signal(loop, SIGUSR1, on_signal, loop);
	vy_timer_set(soon, 0);
	vy_timer_set(late, 60000); /* stop ends the loop with this one still set */
	vy_loop_run(loop);
	check_str("order", said, "s");
	vy_timer_del(soon);
	vy_timer_del(late);
}

#define LOOP_TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LOOP_TEST(timers_come_in_order),
		LOOP_TEST(equal_times_keep_their_order),
		LOOP_TEST(a_timer_set_by_itself_waits_a_turn),
		LOOP_TEST(a_timer_may_delete_its_neighbour),
		LOOP_TEST(a_turn_is_fds_then_deferred_then_hooks),
		LOOP_TEST(a_cleared_timer_wakes_nobody),
		LOOP_TEST(a_stop_ends_its_turn_first),
		LOOP_TEST(what_is_forgotten_does_not_come),
		LOOP_TEST(a_paused_watch_is_silent),
		LOOP_TEST(a_timer_ends_a_nap),
		LOOP_TEST(a_byte_ends_a_nap),
		LOOP_TEST(a_signal_comes_in_the_loop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

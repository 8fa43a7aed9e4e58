/* access_test.c -- a pass is judged when something changed, before it is next used, and told once. */
#include "server/auth/access.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

struct world {
	struct vy_loop *loop;
	struct access *access;
	const char *denied; /* a session, or a caller's own */
	int judged, told;
	struct access_pass *next; /* freed when one is told */
};

static bool may(void *ctx, const struct caller *who, const char *session)
{
	struct world *w = ctx;

	w->judged++;
	return !w->denied ||
	       (strcmp(session, w->denied) != 0 && strcmp(who->session, w->denied) != 0);
}

static void over(void *ctx)
{
	struct world *w = ctx;

	w->told++;
	access_pass_free(w->next);
	w->next = NULL;
}

static void stop(void *ctx)
{
	vy_loop_stop(ctx);
}

/* The rest of this turn of the loop. */
static void turn(struct world *w)
{
	vy_loop_defer(w->loop, stop, w->loop);
	vy_loop_run(w->loop);
}

static struct world begin(void)
{
	return (struct world){ .loop = vy_loop_new() };
}

static void end(struct world *w)
{
	access_free(w->access);
	vy_loop_free(w->loop);
}

static const struct caller ann = { .kind = CALLER_PERSON, .person = "ann" };
static const struct caller agent = { .kind = CALLER_AGENT, .person = "ann", .session = "a" };

static void one_comparison_while_nothing_changes(void **state)
{
	struct world w = begin();
	struct access_pass *p;

	(void)state;
	w.access = access_new(w.loop, may, &w);
	p = access_pass_new(w.access, &ann, "s", over, &w);
	for (int i = 0; i < 100; i++) {
		assert_true(access_ok(p));
	}
	access_changed(w.access, "other");
	turn(&w);
	assert_int_equal(w.judged, 0);
	access_changed(w.access, "s");
	assert_int_equal(w.judged, 0); /* not in the middle of what changes */
	assert_true(access_ok(p) && access_ok(p));
	assert_int_equal(w.judged, 1);
	turn(&w);
	assert_int_equal(w.judged + w.told, 1);
	access_pass_free(p);
	end(&w);
}

static void before_the_next_and_told_once(void **state)
{
	struct world w = begin();
	struct access_pass *p;

	(void)state;
	w.access = access_new(w.loop, may, &w);
	p = access_pass_new(w.access, &ann, "s", over, &w);
	w.denied = "s";
	access_changed(w.access, "s");
	assert_false(access_ok(p));
	assert_int_equal(w.told, 0); /* not from inside a call of its holder */
	turn(&w);
	assert_int_equal(w.told, 1);
	w.denied = NULL;
	access_changed(w.access, NULL);
	turn(&w);
	assert_false(access_ok(p)); /* for good */
	assert_int_equal(w.told, 1);
	access_pass_free(p);
	end(&w);
}

/* An agent whose own session is gone sees no other any more; one that looks at none alone is judged too. */
static void where_it_comes_from_counts(void **state)
{
	struct world w = begin();
	struct access_pass *p, *q, *r;

	(void)state;
	w.access = access_new(w.loop, may, &w);
	p = access_pass_new(w.access, &agent, "s", over, &w);
	q = access_pass_new(w.access, &agent, NULL, over, &w);
	r = access_pass_new(w.access, &ann, "s", over, &w);
	w.denied = "a";
	access_changed(w.access, "a");
	turn(&w);
	assert_false(access_ok(p) || access_ok(q));
	assert_true(access_ok(r));
	access_pass_free(p);
	access_pass_free(q);
	access_pass_free(r);
	end(&w);
}

/* Whoever is told may end others, and an end comes whatever `may` says. */
static void ended_by_force(void **state)
{
	struct world w = begin();
	struct access_pass *p, *free_one;

	(void)state;
	w.access = access_new(w.loop, may, &w);
	p = access_pass_new(w.access, &ann, "s", over, &w);
	w.next = access_pass_new(w.access, &ann, "s", over, &w);
	access_end(p);
	access_end(w.next);
	assert_false(access_ok(p));
	turn(&w);
	assert_int_equal(w.told, 1); /* the other was freed before its turn */
	access_pass_free(p);
	free_one = access_pass_new(NULL, &ann, "s", over, &w);
	assert_true(access_ok(free_one));
	access_end(free_one);
	assert_false(access_ok(free_one));
	access_pass_free(free_one);
	end(&w);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_comparison_while_nothing_changes),
		cmocka_unit_test(before_the_next_and_told_once),
		cmocka_unit_test(where_it_comes_from_counts),
		cmocka_unit_test(ended_by_force),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* ui_test.c -- shows on a real log and hub: one fold for all who look, none when nobody does. */
#include "server/hub/ui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "server/hub/hub.h"
#include "server/hub/ui_stage.h"
#include "server/log/log.h"
#include "shared/base/clock.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/frame/frame.h"
#include "shared/io/loop.h"
#include "shared/model/ui.h"
#include "shared/base/ban.h"

static struct {
	struct vy_loop *loop;
	struct log_store *store;
	struct log *log;
	struct hub *hub;
	struct ui *ui;
} t;

static int setup(void **state)
{
	(void)state;
	t.loop = vy_loop_new();
	t.store = store_mem_new();
	t.log = log_new(
		&(struct log_conf){ .store = t.store, .clock = &vy_clock_real, .boot_id = "boot" },
		NULL);
	assert_non_null(t.log);
	t.hub = hub_new(t.log, t.loop);
	t.ui = ui_new(&(struct ui_conf){
		.log = t.log, .hub = t.hub, .loop = t.loop, .clock = &vy_clock_real });
	log_flush(t.log);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	ui_free(t.ui);
	hub_free(t.hub); /* asserts that nobody looks at frames any more */
	log_free(t.log);
	t.store->ops->close(t.store);
	vy_loop_free(t.loop);
	return 0;
}

static void stop(void *ctx)
{
	(void)ctx;
	vy_loop_stop(t.loop);
}

/* Lets the loop go for so long: what was deferred comes, and what has a time. */
static void rest(int64_t ms)
{
	struct vy_timer *end = vy_loop_timer(t.loop, stop, NULL);

	vy_timer_set(end, ms);
	vy_loop_run(t.loop);
	vy_timer_del(end);
}

static void put(struct vy_frame *f)
{
	struct vy_err e = { 0 };

	if (log_append(t.log, "s", f, &e) != 0) {
		fail_msg("%s", e.text);
	}
}

static void say(int n)
{
	for (int i = 0; i < n; i++) {
		struct vy_frame f;

		vy_frame_init(&f, VY_KIND_TEXT_DELTA);
		f.author = VY_STR_LIT("model:demo");
		vy_frame_set_c(&f, VY_F_MESSAGE, "m1");
		vy_frame_set_int(&f, VY_F_INDEX, 0);
		vy_frame_set_c(&f, VY_F_TEXT, "word ");
		put(&f);
	}
	log_flush(t.log);
}

static void status(const char *state, const char *note)
{
	struct vy_frame f;

	vy_frame_init(&f, VY_KIND_STATUS);
	vy_frame_set_c(&f, VY_F_STATE, state);
	vy_frame_set_c(&f, VY_F_NOTE, note);
	put(&f);
	log_flush(t.log);
}

/* ---- a viewer ---- */

struct viewer {
	struct ui_sub *sub;
	struct vy_ui *ui;
	int readies, resets, upserts;
	bool is_slow;
};

static void read_all(struct viewer *v)
{
	for (;;) {
		VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);
		struct vy_err e = { 0 };

		if (!ui_next(v->sub, &b)) {
			return;
		}
		VY_AUTO_JSON *ev = vy_json_parse(vy_buf_str(&b), &e);
		struct vy_str type = vy_json_str(ev, "type");

		if (vy_ui_apply(v->ui, type, ev, &e) != 0) {
			fail_msg("%s: %s", e.text, vy_buf_c(&b));
		}
		v->resets += vy_str_is(type, "ui.reset");
		v->upserts += vy_str_is(type, "ui.upsert");
	}
}

static void on_ready(void *ctx)
{
	struct viewer *v = ctx;

	v->readies++;
	if (!v->is_slow) {
		read_all(v);
	}
}

static void join(struct viewer *v)
{
	struct ui_open o = { .session = "s", .is_counted = true, .ready = on_ready, .ctx = v };
	struct vy_err e = { 0 };

	*v = (struct viewer){ .ui = vy_ui_new() };
	v->sub = ui_subscribe(t.ui, &o, &e);
	assert_non_null(v->sub);
}

static void leave(struct viewer *v)
{
	ui_unsubscribe(v->sub);
	vy_ui_free(v->ui);
}

static size_t words(const struct viewer *v)
{
	return vy_json_str(vy_ui_row(v->ui, 0), "text").n / strlen("word ");
}

/* ---- the tests ---- */

static void one_fold_for_all(void **state)
{
	struct viewer a, b;

	(void)state;
	say(3);
	join(&a);
	join(&b);
	assert_int_equal(a.readies, 0); /* never from inside */
	rest(0);
	assert_int_equal(words(&a), 3);
	assert_int_equal(words(&b), 3);
	assert_int_equal(hub_viewers(t.hub, "s"), 2);
	say(2);
	status("waiting", "done");
	rest(2 * UI_PAUSE_MS);
	assert_int_equal(words(&a), 5);
	assert_int_equal(vy_ui_len(b.ui), 2);
	assert_int_equal(a.resets, 1);
	leave(&a);
	assert_int_equal(hub_viewers(t.hub, "s"), 1);
	leave(&b);
	assert_int_equal(hub_viewers(t.hub, "s"), 0);
}

/* Words one by one: far fewer upserts; who does not read meanwhile has one, and delays nobody. */
static void paced(void **state)
{
	struct viewer fast, slow;

	(void)state;
	join(&fast);
	join(&slow);
	rest(0);
	slow.is_slow = true;
	for (int i = 0; i < 100; i++) {
		say(1);
		rest(1);
	}
	rest(2 * UI_PAUSE_MS);
	assert_int_equal(words(&fast), 100);
	assert_in_range(fast.upserts, 2, 40);
	assert_int_equal(slow.upserts, 0);
	slow.is_slow = false;
	read_all(&slow);
	assert_int_equal(words(&slow), 100);
	assert_int_equal(slow.upserts, 1);
	leave(&fast);
	leave(&slow);
}

static void it_ends(void **state)
{
	struct viewer a, b;

	(void)state;
	say(1);
	join(&a);
	rest(0);
	hub_close_session(t.hub, "s", NULL, HUB_ACCESS_ENDED);
	rest(0);
	assert_int_equal(ui_code(a.sub), HUB_ACCESS_ENDED);
	join(&b); /* another show: whether there is such a session is asked before */
	rest(0);
	assert_int_equal(ui_code(b.sub), 0);
	assert_int_equal(words(&b), 1);
	leave(&a);
	say(1);
	rest(2 * UI_PAUSE_MS);
	assert_int_equal(words(&b), 2);
	leave(&b);
}

/* A private message is in the rows of persons, and in no rows of an agent, new or read back. */
static void private_ones(void **state)
{
	struct viewer person, agent, late;
	struct ui_open o = { .session = "s", .is_agent = true, .ready = on_ready, .ctx = &agent };
	struct vy_err e = { 0 };

	(void)state;
	agent = (struct viewer){ .ui = vy_ui_new() };
	agent.sub = ui_subscribe(t.ui, &o, &e);
	join(&person);
	for (int i = 0; i < 2; i++) {
		struct vy_frame f;

		vy_frame_init(&f, VY_KIND_USER_MESSAGE);
		f.author = VY_STR_LIT("person:ann");
		vy_frame_set_c(&f, VY_F_MESSAGE, i ? "u2" : "u1");
		vy_frame_set_c(&f, VY_F_STATE, "sent");
		if (i) {
			vy_frame_set_c(&f, VY_F_TEXT, "for all");
		} else {
			vy_frame_set_json(&f, VY_F_ENC,
				VY_STR_LIT("{\"alg\":\"a\",\"kid\":\"k\",\"ct\":\"c\"}"));
		}
		put(&f);
	}
	log_flush(t.log);
	rest(0);
	assert_int_equal(vy_ui_len(person.ui), 2);
	assert_true(vy_json_bool(vy_ui_row(person.ui, 0), "private", false));
	assert_int_equal(vy_ui_len(agent.ui), 1);
	leave(&agent);
	late = (struct viewer){ .ui = vy_ui_new() };
	o.ctx = &late;
	late.sub = ui_subscribe(t.ui, &o, &e);
	rest(0);
	assert_int_equal(vy_ui_len(late.ui), 1);
	leave(&late);
	leave(&person);
}

/* A long session: its newest rows, from a border between turns on, and with more of them a reset. */
static void a_window(void **state)
{
	struct viewer v;
	int shown;

	(void)state;
	for (int i = 0; i < 5000; i++) {
		status("waiting", "one more");
	}
	join(&v);
	rest(0);
	shown = (int)vy_ui_len(v.ui);
	assert_in_range(shown, UI_ROWS, UI_ROWS_MAX / 2);
	assert_int_equal(vy_ui_before(v.ui), 5000 - shown);
	for (int i = 0; i < UI_ROWS_MAX; i++) {
		status("waiting", "one more");
	}
	rest(0);
	assert_int_equal(v.resets, 2);
	assert_in_range(vy_ui_len(v.ui), UI_ROWS, UI_ROWS_MAX);
	leave(&v);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_fold_for_all, setup, teardown),
		cmocka_unit_test_setup_teardown(paced, setup, teardown),
		cmocka_unit_test_setup_teardown(it_ends, setup, teardown),
		cmocka_unit_test_setup_teardown(private_ones, setup, teardown),
		cmocka_unit_test_setup_teardown(a_window, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* life_test.c -- sessions that share a few places: who rests, who waits, over crashes and what goes wrong. */
#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "tests/server/session/stand.h"
#include "tests/check.h"

#define HOUR 3600000

static char a[VY_UUID_LEN + 1], b[VY_UUID_LEN + 1];
static unsigned said;

static int setup(void **state)
{
	(void)state;
	stand_open();
	said = 0;
	snprintf(a, sizeof(a), "%s", session_id(stand_session()));
	snprintf(b, sizeof(b), "%s", session_id(stand_session()));
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	stand_close();
	return 0;
}

static char message[VY_UUID_LEN + 1]; /* the last one */

static void say(const char *id, const char *state)
{
	struct session_say w = { .text = VY_STR_LIT("words"), .author = VY_STR_LIT("person:ana") };
	struct vy_err e = { 0 };

	snprintf(message, sizeof(message), "00000000-0000-4000-8000-%012u", ++said);
	w.message = vy_str_c(message);
	VY_AUTO_JSON *out = session_say(stand_find(id), &w, &e);

	check_str("state", vy_json_cstr(out, "state"), state);
	stand_turn();
}

static void agent(const char *line)
{
	fake_hold_line(fake_hold_newest(), line);
	stand_turn();
}

/* Its agent works on the word just said. */
static void at_work(void)
{
	char line[64];

	stand_ready();
	agent("ready");
	snprintf(line, sizeof(line), "taken %s", message);
	agent(line);
}

static void exits(int status)
{
	fake_hold_exit(fake_hold_newest(), status);
	stand_turn();
}

static void check(const char *id, const char *process, const char *reason, int64_t position)
{
	VY_AUTO_JSON *r = session_json(stand_find(id));

	check_str("process", vy_json_cstr(r, "process"), process);
	check_str("reason", vy_json_cstr(r, "reason"), reason);
	assert_int_equal(vy_json_int(vy_json_get(r, "wait"), "position", 0), position);
}

static void stop(void *ctx)
{
	vy_loop_stop(ctx);
}

/* The timer is set anew, as it would stand had it waited for so long. */
static void time_passes(int64_t ms)
{
	stand.skipped_ms += ms;
	table_life_changed(stand.table);
	struct vy_timer *t = vy_loop_timer(stand.loop, stop, stand.loop);

	vy_timer_set(t, 1);
	vy_loop_run(stand.loop);
	vy_timer_del(t);
	stand_turn();
}

static void an_idle_agent_is_let_go(void **state)
{
	(void)state;
	stand.life.idle_ms = HOUR;
	say(a, "sent");
	at_work();
	time_passes(2 * HOUR);
	check(a, "live", NULL, 0);
	agent("end ok");
	time_passes(HOUR / 2);
	check(a, "live", NULL, 0);
	time_passes(HOUR / 2);
	check(a, "stopping", "idle", 0);
	exits(0);
	check(a, "absent", "idle", 0);
	char *frames = stand_frames(a);

	assert_non_null(strstr(frames, "status waiting idle\n"));
	free(frames);
	say(a, "sent");
	check(a, "starting", NULL, 0);
}

/* The time runs from the last of all that keeps it. */
static void who_is_looked_at_is_not_idle(void **state)
{
	(void)state;
	stand.life.idle_ms = HOUR;
	stand.viewers = 1;
	say(a, "sent");
	at_work();
	agent("end ok");
	time_passes(2 * HOUR);
	check(a, "live", NULL, 0);
	stand.viewers = 0;
	table_viewers(stand.table, a);
	time_passes(HOUR / 2);
	check(a, "live", NULL, 0);
	time_passes(HOUR / 2);
	check(a, "stopping", "idle", 0);
}

/* Killed in the middle of its hour: not an hour more. One that worked then has all of it. */
static void the_next_vyred_goes_on_counting(void **state)
{
	(void)state;
	stand.life.idle_ms = HOUR;
	say(a, "sent");
	at_work();
	agent("end ok");
	time_passes(HOUR / 2);
	int64_t skipped = stand.skipped_ms;

	stand_crash();
	stand.skipped_ms = skipped;
	fake_hold_hello(fake_hold_newest(), HOLD_RUNNING, fake_hold_in_next());
	stand_turn();
	check(a, "live", NULL, 0);
	time_passes(HOUR / 2);
	check(a, "stopping", "idle", 0);
}

static void a_word_waits_for_a_place(void **state)
{
	struct table_start st = {
		.provider = VY_STR_LIT("test"), .cwd = VY_STR_LIT("/"), .person = VY_STR_LIT("ana")
	};
	struct vy_err e = { 0 };

	(void)state;
	stand.life.max_live = 1;
	say(a, "sent");
	at_work();
	say(b, "queued");
	check(b, "absent", "live-cap", 1);
	assert_null(table_start(stand.table, &st, &e));
	assert_int_equal(e.code, VY_BUSY);
	assert_non_null(strstr(e.text, "1 of 1 agents"));
	stand_crash();
	fake_hold_hello(fake_hold_newest(), HOLD_RUNNING, fake_hold_in_next());
	stand_turn();
	check(a, "live", NULL, 0);
	check(b, "absent", "live-cap", 1);
	agent("end ok");
	check(a, "stopping", "idle", 0);
	check(b, "absent", "live-cap", 1); /* until it has left */
	exits(0);
	check(b, "starting", NULL, 0);
	char *frames = stand_frames(b);

	assert_non_null(strstr(frames, "status paused"));
	assert_null(strstr(strstr(frames, "status paused") + 1, "status paused"));
	free(frames);
}

static void whoever_is_lost_makes_room(void **state)
{
	(void)state;
	stand.life.max_live = 1;
	say(a, "sent");
	at_work();
	say(b, "queued");
	fake_hold_lost(fake_hold_newest(), VY_GONE, "it is gone");
	stand_turn();
	check(a, "absent", "agent-lost", 0);
	check(b, "starting", NULL, 0);
}

static void who_cannot_start_gives_its_place_back(void **state)
{
	(void)state;
	stand.life.max_live = 1;
	stand.missing = "It is not installed.";
	say(a, "queued");
	check(a, "absent", "agent-lost", 0);
	stand.missing = NULL;
	say(b, "sent");
	check(b, "starting", NULL, 0);
}

/* vyred died before the agent was there: it is asked for once more, in its own place. */
static void an_unborn_one_keeps_its_place(void **state)
{
	(void)state;
	stand.life.max_live = 1;
	say(a, "sent");
	say(b, "queued");
	stand_crash();
	check(b, "absent", "live-cap", 1);
	at_work();
	check(a, "live", NULL, 0);
	check(b, "absent", "live-cap", 1);
}

static void a_higher_limit_lets_it_go(void **state)
{
	(void)state;
	stand.life.max_live = 1;
	say(a, "sent");
	at_work();
	say(b, "queued");
	stand.life.max_live = 2;
	table_life_changed(stand.table);
	stand_turn();
	check(b, "starting", NULL, 0);
}

static void a_lower_one_lets_rest_who_can(void **state)
{
	(void)state;
	say(a, "sent");
	at_work();
	agent("end ok");
	say(b, "sent");
	at_work();
	stand.life.max_live = 1;
	table_life_changed(stand.table);
	stand_turn();
	check(a, "stopping", "idle", 0);
	check(b, "live", NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_idle_agent_is_let_go, setup, teardown),
		cmocka_unit_test_setup_teardown(who_is_looked_at_is_not_idle, setup, teardown),
		cmocka_unit_test_setup_teardown(the_next_vyred_goes_on_counting, setup, teardown),
		cmocka_unit_test_setup_teardown(a_word_waits_for_a_place, setup, teardown),
		cmocka_unit_test_setup_teardown(whoever_is_lost_makes_room, setup, teardown),
		cmocka_unit_test_setup_teardown(
			who_cannot_start_gives_its_place_back, setup, teardown),
		cmocka_unit_test_setup_teardown(an_unborn_one_keeps_its_place, setup, teardown),
		cmocka_unit_test_setup_teardown(a_higher_limit_lets_it_go, setup, teardown),
		cmocka_unit_test_setup_teardown(a_lower_one_lets_rest_who_can, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

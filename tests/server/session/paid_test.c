/* paid_test.c -- sessions over a store, at the limit of what pays: a vyred that dies at any step of the
 * change to another credential makes the same frames, and no word is told twice or lost. */
#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "tests/check.h"
#include "tests/server/session/stand.h"

#define M1 "00000000-0000-4000-8000-000000000001"
#define M2 "00000000-0000-4000-8000-000000000002"

#define HOUR ((int64_t)3600 * 1000)
/* As far as the frames are shown. */
#define ON "The subscription's limit is reached until 23:13 UTC; this se"

static char id[VY_UUID_LEN + 1];

static int setup(void **state)
{
	(void)state;
	setenv("TZ", "UTC", 1);
	stand_open();
	stand.fallback = "api-key";
	snprintf(id, sizeof(id), "%s", session_id(stand_session()));
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	stand_close();
	return 0;
}

static void say(const char *session, const char *message, enum agent_when when)
{
	struct session_say w = { .message = vy_str_c(message),
		.text = VY_STR_LIT("words"),
		.author = VY_STR_LIT("person:ana"),
		.when = when };
	struct vy_err e = { 0 };
	struct vy_json *out = session_say(stand_find(session), &w, &e);

	if (!out) {
		fail_msg("%s", e.text);
	}
	vy_json_free(out);
}

/* The name that the newest word was told with. */
static const char *newest_name(void)
{
	static char name[VY_UUID_LEN + 1];
	const char *at = vy_buf_c(&fake_hold_said), *last = NULL;

	while ((at = strstr(at, " say "))) {
		last = at += 5;
	}
	assert_non_null(last);
	snprintf(name, sizeof(name), "%.*s", VY_UUID_LEN, last);
	return name;
}

/* ">say ID" ">queue ID" ">release" are a person, "*" an agent that starts, "!N" its exit; "taken" takes the
 * newest word; the rest are its lines. */
static void does(const char *step)
{
	struct vy_err e = { 0 };
	char line[80];

	if (strcmp(step, ">release") == 0) {
		assert_int_equal(session_release(stand_find(id), &e), 0);
	} else if (step[0] == '>') {
		say(id, strchr(step, ' ') + 1, step[1] == 'q' ? AGENT_QUEUE : AGENT_STEER);
	} else if (step[0] == '*') {
		stand_ready();
	} else if (step[0] == '!') {
		fake_hold_exit(fake_hold_newest(), step[1] - '0');
	} else if (strcmp(step, "taken") == 0) {
		snprintf(line, sizeof(line), "taken %s", newest_name());
		fake_hold_line(fake_hold_newest(), line);
	} else {
		fake_hold_line(fake_hold_newest(), step);
	}
}

static void plays(const char *const *steps, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		does(steps[i]);
		stand_turn();
	}
}

/* ---- a crash anywhere ---- */

static const char *const scene[] = { (">say " M1), "*", "ready", "taken", "limit rejected",
	(">queue " M2), "end limit", "!1", "*", "taken", "text one", "end ok", "taken", "end ok" };

static void crash_at(size_t i, bool is_committed)
{
	bool is_next_a_start = i + 1 < VY_COUNT(scene) && scene[i + 1][0] == '*';

	if (is_committed) {
		stand_turn();
	}
	stand_crash();
	if (i > 0 && (!is_next_a_start || !is_committed)) {
		fake_hold_hello(fake_hold_newest(), HOLD_RUNNING, fake_hold_in_next());
		fake_hold_catch_up(fake_hold_newest());
		stand_turn();
	}
	if (!is_committed && strchr(">!", scene[i][0])) {
		does(scene[i]);
	}
}

static char *play(size_t crash, bool is_committed)
{
	setup(NULL);
	for (size_t i = 0; i < VY_COUNT(scene); i++) {
		does(scene[i]);
		if (i == crash) {
			crash_at(i, is_committed);
		}
		stand_turn();
	}
	VY_AUTO_JSON *record = session_json(stand_find(id));

	check_str("auth", vy_json_cstr(record, "auth"), "api-key");
	check_str("state", vy_json_cstr(record, "state"), "idle");
	assert_int_equal(vy_json_int(record, "queued", -1), 0);
	return stand_frames(id);
}

static size_t count(const char *in, const char *what)
{
	size_t n = 0;

	while ((in = strstr(in, what))) {
		in += strlen(what);
		n++;
	}
	return n;
}

static void a_crash_at_any_step_changes_nothing(void **state)
{
	char *whole = play(VY_COUNT(scene), true);
	size_t told = count(vy_buf_c(&fake_hold_said), " say ");

	(void)state;
	check_str("second agent", vy_buf_c(&fake_hold_argv), "agent resume api-key");
	assert_int_equal(count(whole, ON), 1);
	assert_int_equal(count(whole, "status failed"), 0);
	assert_int_equal(told, 3); /* M1, M1 again, M2 */
	stand_close();
	for (size_t i = 0; i < VY_COUNT(scene); i++) {
		for (int is_committed = 0; is_committed < 2; is_committed++) {
			char *cut = play(i, is_committed);
			VY_AUTO_BUF name = VY_BUF_INIT(256);

			vy_buf_addf(&name, "%zu %s, %s", i, scene[i],
				is_committed ? "committed" : "before the commit");
			check_str(vy_buf_c(&name), cut, whole);
			free(cut);
			stand_close();
		}
	}
	free(whole);
}

/* ---- who pays ---- */

static void check_auth(const char *name, const char *session, const char *auth)
{
	VY_AUTO_JSON *record = session_json(stand_find(session));

	check_str(name, vy_json_cstr(record, "auth"), auth);
}

/* The limit is known to all sessions of the provider, over a restart; behind it the first one pays again. */
static void others_are_paid_by_the_second_meanwhile(void **state)
{
	static const char *const reaches[] = { (">say " M1), "*", "ready", "taken",
		"limit rejected", "end limit", "!1", "*", "taken", "end ok", "!0" };
	static const char *const again[] = { (">say " M2), "*", "taken", "end ok" };
	char other[VY_UUID_LEN + 1];
	char *frames;

	(void)state;
	plays(reaches, VY_COUNT(reaches));
	stand_crash();
	stand_turn();
	snprintf(other, sizeof(other), "%s", session_id(stand_session()));
	check_auth("new", other, "api-key");
	say(other, M1, AGENT_STEER);
	stand_ready();
	check_str("its agent", vy_buf_c(&fake_hold_argv), "agent fresh api-key");
	frames = stand_frames(other);
	assert_int_equal(count(frames, ON), 1);
	free(frames);
	fake_hold_exit(fake_hold_newest(), 0);
	stand_turn();
	stand.now += HOUR;
	plays(again, VY_COUNT(again));
	check_str("back", vy_buf_c(&fake_hold_argv), "agent resume");
	check_auth("back", id, "login");
	frames = stand_frames(id);
	assert_int_equal(count(frames, ON), 1);
	assert_int_equal(count(frames, "The subscription pays for this session again."), 1);
	free(frames);
}

/* ---- nobody else ---- */

static const char *const waits[] = { (">say " M1), "*", "ready", "taken", "limit rejected",
	"end limit" };

static void check_waits(const char *says)
{
	VY_AUTO_JSON *record = session_json(stand_find(id));
	char *frames = stand_frames(id);

	if (!strstr(frames, says) || !strstr(frames, "status paused limit")) {
		fail_msg("%s", frames);
	}
	free(frames);
	check_str("reason", vy_json_cstr(record, "reason"), "limit");
	assert_int_equal(vy_json_int(record, "until", 0), stand.now + HOUR);
	assert_int_equal(vy_json_int(record, "queued", -1), 1);
	check_str("limits", vy_json_cstr(vy_json_get(record, "limits"), "status"), "rejected");
}

static void without_a_second_the_word_waits_until_it_is_released(void **state)
{
	static const char *const goes[] = { ">release", "taken", "end ok" };
	char first[VY_UUID_LEN + 1];

	(void)state;
	stand.fallback = NULL;
	plays(waits, VY_COUNT(waits));
	check_waits("The subscription's limit is reached until 23:13 UTC. What wa");
	snprintf(first, sizeof(first), "%s", newest_name());
	plays(goes, VY_COUNT(goes));
	assert_string_not_equal(newest_name(), first); /* that name is spent */
	VY_AUTO_JSON *record = session_json(stand_find(id));

	assert_int_equal(vy_json_type(vy_json_get(record, "until")), VY_JSON_NULL);
	assert_int_equal(vy_json_int(record, "queued", -1), 0);
}

static void one_that_is_not_set_pays_nothing(void **state)
{
	(void)state;
	stand.is_unset = true;
	plays(waits, VY_COUNT(waits));
	check_waits("The subscription's limit is reached");
	check_auth("still", id, "login");
}

static void stop(void *ctx)
{
	vy_loop_stop(ctx);
}

/* Those that are due; a turn of the stand ends before it looks at them. */
static void let_timers_run(void)
{
	struct vy_timer *t = vy_loop_timer(stand.loop, stop, stand.loop);

	vy_timer_set(t, 1);
	vy_loop_run(stand.loop);
	vy_timer_del(t);
	stand_turn();
}

/* By itself, also when vyred was not there when it reset; not when a person ended it. */
static void it_goes_on_by_itself_if_that_is_wanted(void **state)
{
	struct vy_err e = { 0 };

	(void)state;
	for (int is_stopped = 0; is_stopped < 2; is_stopped++) {
		stand.fallback = NULL;
		stand.goes_on_after_limit = true;
		plays(waits, VY_COUNT(waits));
		if (is_stopped) {
			assert_int_equal(session_stop(stand_find(id), 0, &e), 0);
		}
		fake_hold_exit(fake_hold_newest(), 0);
		stand_turn();
		stand.now += HOUR + 2000;
		stand_crash();
		let_timers_run();
		VY_AUTO_JSON *record = session_json(stand_find(id));

		assert_int_equal(vy_json_bool(record, "held", false), is_stopped);
		check_str("state", vy_json_cstr(record, "state"),
			is_stopped ? "stopped" : "starting");
		stand_close();
		setup(NULL);
	}
}

#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_crash_at_any_step_changes_nothing),
		T(others_are_paid_by_the_second_meanwhile),
		T(without_a_second_the_word_waits_until_it_is_released),
		T(one_that_is_not_set_pays_nothing),
		T(it_goes_on_by_itself_if_that_is_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

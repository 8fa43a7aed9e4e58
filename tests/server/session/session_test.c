/* session_test.c -- sessions over a store: what is committed together, crashes, launches, answers. */
#include <stdlib.h>

#include "server/session/turn.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/server/session/stand.h"
#include "tests/check.h"

#define M1 "00000000-0000-4000-8000-000000000001"
#define M2 "00000000-0000-4000-8000-000000000002"
#define M3 "00000000-0000-4000-8000-000000000003"

static char id[VY_UUID_LEN + 1];

static int setup(void **state)
{
	(void)state;
	stand_open();
	snprintf(id, sizeof(id), "%s", session_id(stand_session()));
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	stand_close();
	return 0;
}

static struct vy_json *say(const char *message, const char *text, enum agent_when when)
{
	struct session_say w = { .message = vy_str_c(message),
		.text = vy_str_c(text),
		.author = VY_STR_LIT("person:ana"),
		.when = when };
	struct vy_err e = { 0 };
	struct vy_json *out = session_say(stand_find(id), &w, &e);

	if (!out) {
		fail_msg("%s", e.text);
	}
	return out;
}

static void check_say(const char *message, const char *text, const char *state, const char *reason)
{
	VY_AUTO_JSON *out = say(message, text, AGENT_STEER);

	check_str(text, vy_json_cstr(out, "state"), state);
	check_str(text, vy_json_cstr(out, "reason"), reason);
	assert_true((vy_json_get(out, "queued") != NULL) == (strcmp(state, "queued") == 0));
	assert_true((vy_json_get(out, "turn") != NULL) == (strcmp(state, "sent") == 0));
	stand_turn();
}

static void agent(const char *line)
{
	fake_hold_line(fake_hold_newest(), line);
	stand_turn();
}

static void live(void)
{
	check_say(M1, "hi", "sent", NULL);
	stand_ready();
	agent("taken " M1);
	vy_buf_clear(&fake_hold_said);
}

static void exit_with(int status)
{
	fake_hold_exit(fake_hold_newest(), status);
	stand_turn();
}

/* ---- a crash anywhere ---- */

static const char *const scene[] = { ">say " M1, "*start", "ready", "taken " M1, "text one",
	">say " M2, "tool t1", "done t1", "taken " M2, "ask r1", ">answer", "text two",
	">queue " M3, "tool t2", ">esc", "end canceled", ">release", "taken " M3, "text three",
	"end ok" };

static bool first_ask(void *ctx, const struct store_row *row)
{
	vy_buf_addstr(ctx, row->ask.ask);
	return false;
}

static void answer_the_ask(struct session *s)
{
	struct store_row like = { .kind = ROW_ASK, .ask = { .is_open = true } };
	struct turn_answer a = { .decision = VY_STR_LIT("yes"), .by = VY_STR_LIT("person:ana") };
	struct vy_err e = { 0 };
	VY_AUTO_BUF ask = VY_BUF_INIT(64);

	assert_int_equal(log_each(stand.log, &like, first_ask, &ask, &e), 0);
	a.ask = vy_buf_str(&ask);
	VY_AUTO_JSON *out = session_answer(s, &a, &e);

	if (!out) {
		fail_msg("%s", e.text);
	}
}

static void person_does(const char *what)
{
	struct session *s = stand_find(id);
	struct vy_err e = { 0 };
	bool was_busy;

	if (strncmp(what, "say ", 4) == 0) {
		vy_json_free(say(what + 4, "words", AGENT_STEER));
	} else if (strncmp(what, "queue ", 6) == 0) {
		vy_json_free(say(what + 6, "words", AGENT_QUEUE));
	} else if (strcmp(what, "answer") == 0) {
		answer_the_ask(s);
	} else if (strcmp(what, "esc") == 0) {
		assert_int_equal(session_interrupt(s, &was_busy, &e), 0);
	} else {
		assert_int_equal(session_release(s, &e), 0);
	}
}

static void does(const char *step)
{
	if (step[0] == '>') {
		person_does(step + 1);
	} else if (step[0] == '*') {
		stand_ready();
	} else {
		fake_hold_line(fake_hold_newest(), step);
	}
}

/* vyred dies at this step and the next one goes on; who had no answer asks again. */
static void crash_at(size_t i, bool is_committed)
{
	if (is_committed) {
		stand_turn();
	}
	stand_crash();
	if (i > 0) {
		fake_hold_hello(fake_hold_newest(), HOLD_RUNNING, fake_hold_in_next());
		fake_hold_catch_up(fake_hold_newest());
		stand_turn();
	}
	if (!is_committed && scene[i][0] == '>') {
		does(scene[i]);
	}
}

static char *play(size_t crash, bool is_committed)
{
	char *frames;

	setup(NULL);
	for (size_t i = 0; i < VY_COUNT(scene); i++) {
		does(scene[i]);
		if (i == crash) {
			crash_at(i, is_committed);
		}
		stand_turn();
	}
	VY_AUTO_JSON *record = session_json(stand_find(id));

	check_str("state", vy_json_cstr(record, "state"), "idle");
	assert_int_equal(vy_json_int(record, "queued", -1), 0);
	frames = stand_frames(id);
	return frames;
}

/* The same frames, and the agent was told each thing once. */
static void a_crash_at_any_step_changes_nothing(void **state)
{
	char *told, *whole = play(VY_COUNT(scene), true);

	(void)state;
	told = vy_strdup(strstr(vy_buf_c(&fake_hold_said), "in 1 "));
	stand_close();
	for (size_t i = 0; i < VY_COUNT(scene); i++) {
		for (int is_committed = 0; is_committed < 2; is_committed++) {
			char *cut = play(i, is_committed);
			VY_AUTO_BUF name = VY_BUF_INIT(256);
			VY_AUTO_BUF heard = VY_BUF_INIT(1 << 20);

			vy_buf_addf(&name, "%s, %s", scene[i],
				is_committed ? "committed" : "before the commit");
			check_str(vy_buf_c(&name), cut, whole);
			for (char *line, *rest = strstr(fake_hold_said.data, "in 1 ");
				(line = strsep(&rest, "\n"));) {
				if (*line && strncmp(line, "attach", 6) != 0) {
					vy_buf_addf(&heard, "%s\n", line);
				}
			}
			check_str(vy_buf_c(&name), vy_buf_c(&heard), told);
			free(cut);
			stand_close();
		}
	}
	free(whole);
	free(told);
}

/* ---- launches ---- */

static void a_session_is_resumed_once_a_turn_was_taken(void **state)
{
	(void)state;
	live();
	check_str("first", vy_buf_c(&fake_hold_argv), "agent fresh");
	agent("end ok");
	exit_with(0);
	check_say(M2, "more", "sent", NULL);
	stand_ready();
	check_str("second", vy_buf_c(&fake_hold_argv), "agent resume");
}

static void launched_the_other_way_round_once_and_then_right(void **state)
{
	(void)state;
	check_say(M1, "hi", "sent", NULL);
	stand_ready();
	check_str("first", vy_buf_c(&fake_hold_argv), "agent fresh");
	exit_with(3);
	stand_ready();
	check_str("turned round", vy_buf_c(&fake_hold_argv), "agent resume");
	agent("taken " M1);
	agent("end ok");
	exit_with(0);
	check_say(M2, "more", "sent", NULL);
	stand_ready();
	check_str("later", vy_buf_c(&fake_hold_argv), "agent resume");
	agent("taken " M2);
}

static void wrong_both_ways_is_said_with_its_words(void **state)
{
	char *frames;

	(void)state;
	check_say(M1, "hi", "sent", NULL);
	stand_ready();
	exit_with(3);
	stand_ready();
	exit_with(3);
	frames = stand_frames(id);
	assert_non_null(strstr(frames, "failed that session is in use agent-lost"));
	free(frames);
	assert_false(session_is_live(stand_find(id)));
	assert_int_equal(stand.sockets, 0);
}

static void an_agent_that_cannot_start_keeps_the_word(void **state)
{
	(void)state;
	stand.missing = "It is not installed.";
	check_say(M1, "hi", "queued", "the queue is held: release it to go on");
	char *frames = stand_frames(id);

	check_str("frames", frames,
		"1 user-message sent hi\n2 status starting\n3 user-message queued hi steer\n"
		"4 status failed It is not installed. agent-lost\n5 status waiting\n");
	free(frames);
}

static void stopping_by_force_before_the_holder_is_there(void **state)
{
	struct vy_err e = { 0 };

	(void)state;
	vy_json_free(say(M1, "hi", AGENT_STEER));
	assert_int_equal(session_stop(stand_find(id), 0, &e), 0);
	stand_turn();
	fake_hold_hello(fake_hold_newest(), HOLD_EMPTY, 1);
	stand_turn();
	VY_AUTO_JSON *record = session_json(stand_find(id));

	check_str("state", vy_json_cstr(record, "state"), "stopped");
	assert_int_equal(vy_json_int(record, "queued", -1), 1);
	assert_null(strstr(vy_buf_c(&fake_hold_said), "start agent"));
}

/* ---- answers ---- */

static void what_becomes_of_a_message_is_said(void **state)
{
	struct vy_err e = { 0 };

	(void)state;
	live();
	check_say(M2, "steer", "queued", NULL);
	agent("end ok"); /* idle now, but M2 is the agent's to take */
	check_say(M3, "behind it", "queued", NULL);
	agent("taken " M2);
	agent("end ok");
	agent("taken " M3);
	agent("end ok");
	assert_int_equal(session_stop(stand_find(id), 5000, &e), 0);
	check_say("00000000-0000-4000-8000-000000000004", "while it ends", "queued",
		"the agent is just being ended");
}

static void a_message_that_waits_is_known_without_its_key(void **state)
{
	(void)state;
	live();
	vy_json_free(say(M2, "later", AGENT_QUEUE));
	VY_AUTO_JSON *again = say(M2, "later", AGENT_QUEUE);

	assert_true(vy_json_bool(again, "replayed", false));
	check_str("state", vy_json_cstr(again, "state"), "queued");
	struct session_say other = { .message = VY_STR_LIT(M2),
		.text = VY_STR_LIT("other words"),
		.author = VY_STR_LIT("person:ana") };
	struct vy_err e = { 0 };

	assert_null(session_say(stand_find(id), &other, &e));
	assert_int_equal(e.code, VY_CONFLICT);
}

static void an_edit_changes_the_whole_text_too(void **state)
{
	VY_AUTO_BUF text = VY_BUF_INIT(1 << 20);
	struct vy_err e = { 0 };
	char first;
	int64_t total;

	(void)state;
	live();
	while (text.len < 100000) {
		vy_buf_addc(&text, 'a');
	}
	vy_json_free(say(M2, vy_buf_c(&text), AGENT_QUEUE));
	memset(text.data, 'b', text.len);
	assert_int_equal(session_edit(stand_find(id), VY_STR_LIT(M2), vy_buf_str(&text), &e), 0);
	stand_turn();
	assert_int_equal(
		log_output(stand.log, vy_str_c(id), VY_STR_LIT(M2), 0, &first, 1, &total, &e), 1);
	assert_int_equal(first, 'b');
	assert_int_equal(session_edit(stand_find(id), VY_STR_LIT(M2), VY_STR_LIT(""), &e), -1);
	assert_int_equal(e.code, VY_BAD_INPUT);
}

static void what_waits_has_a_bound(void **state)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_SEND_TEXT_MAX);
	struct vy_err e = { 0 };
	struct session_say w = { .author = VY_STR_LIT("person:ana"), .when = AGENT_QUEUE };
	int n = 0;

	(void)state;
	live();
	vy_buf_reserve(&text, VY_SEND_TEXT_MAX);
	memset(text.data, 'x', VY_SEND_TEXT_MAX);
	w.text = vy_str_n(text.data, VY_SEND_TEXT_MAX);
	for (;; n++) {
		VY_AUTO_JSON *out = session_say(stand_find(id), &w, &e);

		if (!out) {
			break;
		}
	}
	assert_int_equal(n, VY_QUEUE_BYTES_MAX / VY_SEND_TEXT_MAX);
	assert_int_equal(e.code, VY_FULL);
}

/* ---- frames ---- */

static void a_result_too_large_for_a_frame_still_ends_the_call(void **state)
{
	(void)state;
	live();
	agent("tool t1");
	agent("huge t1");
	char *frames = stand_frames(id);

	assert_non_null(strstr(frames, "tool-finished t1 completed {\"type\":\"text\",\"text\":"
				       "\"too large to be shown\"}"));
	free(frames);
}

static bool keep_doc(void *ctx, const struct store_row *row)
{
	assert_false(row->ask.is_open);
	*(struct vy_json **)ctx = vy_json_parse(row->ask.doc, NULL);
	return false;
}

static void the_row_of_an_ask_tells_its_whole_life(void **state)
{
	struct store_row like = { .kind = ROW_ASK };
	struct vy_json *doc = NULL;

	(void)state;
	live();
	agent("ask r1");
	stand.now += 500;
	answer_the_ask(stand_find(id));
	stand_turn();
	assert_int_equal(log_each(stand.log, &like, keep_doc, &doc, NULL), 0);
	check_str("summary", vy_json_cstr(doc, "summary"), "rm x");
	check_str("decision", vy_json_cstr(doc, "decision"), "yes");
	check_str("by", vy_json_cstr(doc, "by"), "person:ana");
	assert_int_equal(vy_json_int(doc, "closed", 0) - vy_json_int(doc, "raised", 0), 500);
	vy_json_free(doc);
}

static bool last_updated(void *ctx, const struct store_row *row)
{
	*(int64_t *)ctx = row->session.updated;
	return false;
}

static void text_alone_does_not_write_the_record(void **state)
{
	struct store_row like = { .kind = ROW_SESSION };
	int64_t before = 0, after = 0;

	(void)state;
	live();
	agent("text one");
	assert_int_equal(log_each(stand.log, &like, last_updated, &before, NULL), 0);
	stand.now += 1000;
	agent("text two");
	assert_int_equal(log_each(stand.log, &like, last_updated, &after, NULL), 0);
	assert_int_equal(before, after);
	agent("usage xx");
	assert_int_equal(log_each(stand.log, &like, last_updated, &after, NULL), 0);
	assert_int_equal(after, before + 1000);
}

/* Its agent says in the middle of a turn what it cost: the turn is cut, and the session waits for
 * more, also over a crash. */
static void a_spent_budget_pauses(void **state)
{
	static const char why[] =
		"budget: what this session may cost is spent; it goes on with a larger budget";
	struct session *s;

	(void)state;
	live();
	session_set_budget(stand_find(id), 5);
	agent("usage xxxx");
	assert_null(strstr(vy_buf_c(&fake_hold_said), "interrupt"));
	agent("usage xxxxx");
	assert_non_null(strstr(vy_buf_c(&fake_hold_said), "interrupt"));
	agent("end canceled");
	s = stand_find(id);
	VY_AUTO_JSON *now = session_json(s);

	check_str("it says why", vy_json_cstr(now, "reason"), "budget");
	check_str("it is at rest", vy_json_cstr(now, "state"), "idle");
	vy_buf_clear(&fake_hold_said);
	check_say(M2, "more", "queued", why);
	stand_crash();
	fake_hold_hello(fake_hold_newest(), HOLD_RUNNING, fake_hold_in_next());
	stand_turn();
	check_say(M3, "and more", "queued", why);
	assert_null(strstr(vy_buf_c(&fake_hold_said), "more"));
	session_set_budget(stand_find(id), 4); /* less than it was: nothing changes */
	stand_turn();
	assert_true(session_is_spent(stand_find(id)));
	session_set_budget(stand_find(id), 9);
	assert_false(session_is_spent(stand_find(id)));
	stand_turn();
	exit_with(0); /* it was let go, for it was told the other budget */
	stand_ready();
	assert_non_null(strstr(vy_buf_c(&fake_hold_said), "more"));
}

/* What was told of the cost may be less behind a resume: what is spent stays spent. */
static void what_is_spent_stays_spent(void **state)
{
	(void)state;
	live();
	agent("usage xxxxxx");
	agent("usage x");
	session_set_budget(stand_find(id), 5);
	assert_true(session_is_spent(stand_find(id)));
	session_set_budget(stand_find(id), 0);
	assert_false(session_is_spent(stand_find(id)));
}

static void tools_are_the_providers_to_keep(void **state)
{
	VY_AUTO_JSON *tools = vy_json_parse(VY_STR_LIT("[\"Read\"]"), NULL);
	VY_AUTO_JSON *rule = vy_json_parse(VY_STR_LIT("[\"Bash(ls)\"]"), NULL);
	struct table_start st = {
		.provider = VY_STR_LIT("test"), .cwd = VY_STR_LIT("/"), .person = VY_STR_LIT("ana")
	};
	struct vy_err e = { 0 };

	(void)state;
	st.tools = rule;
	assert_null(table_start(stand.table, &st, &e));
	assert_int_equal(e.code, VY_BAD_INPUT);
	st.tools = tools;
	assert_null(table_start(stand.table, &st, &e));
	assert_int_equal(e.code, VY_UNSUPPORTED);
}

static bool ask_doc(void *ctx, const struct store_row *row)
{
	vy_buf_addstr(ctx, row->ask.doc);
	return false;
}

/* Its row, as often as the agent and vyred end: the answer is kept, and that nobody had it. */
static void an_answer_says_whether_it_arrived(void **state)
{
	static const struct {
		const char *name;
		bool is_inacked, is_crash, is_lost;
	} rows[] = {
		{ "it arrived", true, false, false },
		{ "it did not", false, false, true },
		{ "it arrived, and vyred died", true, true, false },
		{ "it did not, and vyred died", false, true, true },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF ask = VY_BUF_INIT(64), doc = VY_BUF_INIT(4096);
		struct store_row like = { .kind = ROW_ASK, .ask = { .is_open = true } };
		struct vy_err e = { 0 };
		struct hold *h;

		teardown(NULL);
		setup(NULL);
		live();
		agent("ask r1");
		assert_int_equal(log_each(stand.log, &like, first_ask, &ask, &e), 0);
		answer_the_ask(stand_find(id));
		stand_turn();
		h = fake_hold_newest();

		uint64_t next = fake_hold_in_next();

		if (rows[i].is_crash) {
			stand_crash();
			h = fake_hold_newest();
			fake_hold_hello(h, HOLD_RUNNING, rows[i].is_inacked ? next : next - 1);
		} else if (rows[i].is_inacked) {
			fake_hold_inack(h, next - 1);
		}
		exit_with(1);
		like.ask.is_open = false;
		like.ask.ask = vy_buf_str(&ask);
		assert_int_equal(log_each(stand.log, &like, ask_doc, &doc, &e), 0);
		VY_AUTO_JSON *row = vy_json_parse(vy_buf_str(&doc), &e);

		check_str(rows[i].name, vy_json_cstr(row, "decision"), "yes");
		check_int(rows[i].name, vy_json_get(row, "delivered") != NULL, rows[i].is_lost);
		check_int(rows[i].name, vy_json_bool(row, "delivered", true), !rows[i].is_lost);

		struct turn_answer a = { .ask = vy_buf_str(&ask), .decision = VY_STR_LIT("deny") };
		VY_AUTO_JSON *again = session_answer(stand_find(id), &a, &e);

		check_str(rows[i].name, vy_json_cstr(again, "decision"), "yes");
		check_int(rows[i].name, vy_json_bool(again, "delivered", true), !rows[i].is_lost);
	}
}

/* ---- the table ---- */

static void a_purpose_not_said_is_what_it_is_for(void **state)
{
	static const struct {
		const char *name, *started_by, *project, *said;
		bool is_once;
		const char *purpose, *model;
	} rows[] = {
		{ "a chat", NULL, NULL, NULL, false, "chat", "large" },
		{ "a job", NULL, NULL, NULL, true, "job", "small" },
		{ "an agent's", "x", NULL, NULL, false, "agent", "large" },
		{ "a project's", NULL, "p", NULL, false, "project", "large" },
		{ "said", NULL, "p", "memory", false, "memory", "large" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct table_start st = { .provider = VY_STR_LIT("test"),
			.cwd = VY_STR_LIT("/"),
			.started_by = vy_str_c(rows[i].started_by),
			.project = vy_str_c(rows[i].project),
			.purpose = vy_str_c(rows[i].said),
			.is_once = rows[i].is_once };
		struct vy_err e = { 0 };
		struct session *s = table_start(stand.table, &st, &e);

		assert_non_null(s);
		check_str(rows[i].name, session_record(s)->purpose, rows[i].purpose);
		check_str(rows[i].name, session_record(s)->model, rows[i].model);
	}
}

static void a_folder_that_is_not_there_is_the_callers_mistake(void **state)
{
	struct table_start st = { .provider = VY_STR_LIT("test"),
		.cwd = VY_STR_LIT("/nonexistent") };
	struct vy_err e = { 0 };

	(void)state;
	assert_null(table_start(stand.table, &st, &e));
	assert_int_equal(e.code, VY_BAD_INPUT);
	check_str("why", e.text, "params.cwd: /nonexistent: No such file or directory");
}

static bool count_item(void *ctx, const struct table_item *item)
{
	(void)item;
	++*(size_t *)ctx;
	return true;
}

static void what_failed_to_start_never_was(void **state)
{
	struct table_start st = {
		.provider = VY_STR_LIT("test"), .cwd = VY_STR_LIT("/"), .mode = VY_STR_LIT("bypass")
	};
	struct vy_err e = { 0 };
	size_t before = 0, after = 0;

	(void)state;
	assert_int_equal(table_each(stand.table, count_item, &before, &e), 0);
	assert_null(table_start(stand.table, &st, &e));
	assert_int_equal(e.code, VY_BAD_INPUT);
	stand_turn();
	assert_int_equal(table_each(stand.table, count_item, &after, &e), 0);
	check_int("sessions", (long long)after, (long long)before);
}

static void stop_all_ends_agents_and_leaves_the_rest(void **state)
{
	struct session *other = stand_session();

	(void)state;
	live();
	table_stop_all(stand.table, 0);
	stand_turn();
	exit_with(1);
	assert_true(table_is_still(stand.table));
	VY_AUTO_JSON *rested = session_json(other), *ended = session_json(stand_find(id));

	check_str("rests", vy_json_cstr(rested, "state"), "idle");
	check_str("ended", vy_json_cstr(ended, "state"), "stopped");
}

static bool count_row(void *ctx, const struct store_row *row)
{
	(void)row;
	++*(size_t *)ctx;
	return true;
}

static void an_agent_whose_session_is_damaged_is_ended(void **state)
{
	struct store_row like = { .kind = ROW_LIVE };
	size_t n = 0;

	(void)state;
	live();
	LOG_PUT(stand.log, ROW_KV, kv, .space = VY_STR_LIT("turn"), .name = vy_str_c(id),
		.value = VY_STR_LIT("{\"v\":1}"));
	stand_turn();
	stand_crash();
	stand_turn();
	assert_int_equal(log_each(stand.log, &like, count_row, &n, NULL), 0);
	assert_int_equal(n, 0);
	struct vy_err e = { 0 };

	assert_null(table_find(stand.table, vy_str_c(id), &e));
	assert_int_equal(e.code, VY_CORRUPT);
}

int main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_crash_at_any_step_changes_nothing),
		T(a_session_is_resumed_once_a_turn_was_taken),
		T(launched_the_other_way_round_once_and_then_right),
		T(wrong_both_ways_is_said_with_its_words),
		T(an_agent_that_cannot_start_keeps_the_word),
		T(stopping_by_force_before_the_holder_is_there),
		T(what_becomes_of_a_message_is_said),
		T(a_message_that_waits_is_known_without_its_key),
		T(an_edit_changes_the_whole_text_too),
		T(what_waits_has_a_bound),
		T(a_result_too_large_for_a_frame_still_ends_the_call),
		T(the_row_of_an_ask_tells_its_whole_life),
		T(text_alone_does_not_write_the_record),
		T(a_spent_budget_pauses),
		T(what_is_spent_stays_spent),
		T(tools_are_the_providers_to_keep),
		T(an_answer_says_whether_it_arrived),
		T(a_purpose_not_said_is_what_it_is_for),
		T(a_folder_that_is_not_there_is_the_callers_mistake),
		T(what_failed_to_start_never_was),
		T(stop_all_ends_agents_and_leaves_the_rest),
		T(an_agent_whose_session_is_damaged_is_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

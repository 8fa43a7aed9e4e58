/* kept_test.c -- what a request keeps of a session, and shows of it (house.h). */
#include "tests/server/rpc/house.h"

#include <stdlib.h>

#include "shared/frame/codec.h"
#include "shared/model/fold.h"

/* ---- the snapshot ---- */

static bool fold_one(void *ctx, struct frame_ref *ref)
{
	struct vy_arena a;
	struct vy_frame f;

	vy_arena_init(&a);
	assert_int_equal(vy_frame_decode(frame_ref_str(ref), &a, &f, NULL), 0);
	vy_fold_apply(ctx, &f, NULL);
	vy_arena_fini(&a);
	return true;
}

static void a_snapshot_is_the_log_folded(void **state)
{
	VY_AUTO_BUF out = VY_BUF_INIT(1 << 20);
	struct caller ana = house_person("ana"), bob = house_person("bob");
	struct vy_fold *held = vy_fold_new(), *given = vy_fold_new();
	struct rpc_snapshot_ask ask_all = { .session = house_id };
	struct vy_err e = { 0 };

	(void)state;
	house_begin();
	fake_hold_line(fake_hold_newest(), "text hello there");
	stand_turn();
	assert_int_equal(rpc_snapshot(house.rpc, &bob, &ask_all, &out, &e), -1);
	assert_int_equal(e.code, VY_NOT_FOUND);
	assert_int_equal(rpc_snapshot(house.rpc, &ana, &ask_all, &out, &e), 0);
	VY_AUTO_JSON *snapshot = vy_json_parse(vy_buf_str(&out), &e);

	assert_int_equal(vy_fold_load(given, snapshot, &e), 0);
	assert_int_equal(log_read(stand.log, house_id, 0, fold_one, held, &e), 0);
	assert_int_equal(vy_fold_len(given), vy_fold_len(held));
	assert_int_equal(vy_json_int(snapshot, "cur", 0), log_head(stand.log, house_id));
	check_str("epoch", vy_json_cstr(snapshot, "epoch"), log_epoch(stand.log));
	check_str("record", vy_json_cstr(vy_json_get(snapshot, "record"), "session"), house_id);
	assert_null(vy_json_path(snapshot, "record.own"));
	vy_fold_free(held);
	vy_fold_free(given);
}

/* ---- drafts, files, settings ---- */

#define PNG "iVBORw0KGgoAAAANSUhEUg=="

static void bad_files_and_images_are_refused(void **state)
{
	static const struct {
		const char *name, *method, *params, *kind;
	} rows[] = {
		{ "another user's file", "files.read", "{\"session\":\"%s\",\"path\":\"../x\"}",
			"denied" },
		{ "a folder", "files.read", "{\"session\":\"%s\",\"path\":\".\"}", "bad_input" },
		{ "one that is not there", "files.read",
			"{\"session\":\"%s\",\"path\":\"no-such-file\"}", "not_found" },
		{ "no path", "files.read", "{\"session\":\"%s\",\"path\":\"\"}", "bad_input" },
		{ "no base64", "files.put",
			"{\"session\":\"%s\",\"mime\":\"image/png\",\"b64\":\"%%%\"}",
			"bad_input" },
		{ "nothing", "files.put",
			"{\"session\":\"%s\",\"mime\":\"image/png\",\"b64\":\"\"}", "bad_input" },
		{ "a picture of another kind", "files.put",
			"{\"session\":\"%s\",\"mime\":\"image/jpeg\",\"b64\":\"" PNG "\"}",
			"bad_input" },
		{ "no picture", "files.put",
			"{\"session\":\"%s\",\"mime\":\"text/html\",\"b64\":\"" PNG "\"}",
			"unsupported" },
		{ "a message with one that is not there", "threads.send",
			"{\"session\":\"%s\",\"text\":\"x\",\"images\":[{\"ref\":\"img-0\"}]}",
			"not_found" },
		{ "a task that is not there", "threads.kill_task",
			"{\"session\":\"%s\",\"task\":\"t\"}", "not_found" },
		{ "no words for how to think", "threads.thinking",
			"{\"session\":\"%s\",\"thinking\":\"hard\"}", "bad_input" },
	};
	struct caller ana = house_person("ana"), own = house_agent(house_id),
		      bob = house_person("bob");

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		house_check_kind(rows[i].name, &ana, rows[i].method, rows[i].params, rows[i].kind);
	}
	house_check_kind("an agent", &own, "files.list", "{\"session\":\"%s\"}", "person_only");
	house_check_kind("an agent's draft", &own, "threads.draft.get", "{\"session\":\"%s\"}",
		"person_only");
	house_check_kind("its own commands", &own, "threads.commands", "{\"session\":\"%s\"}", "");
	house_check_kind("its own task", &own, "threads.kill_task",
		"{\"session\":\"%s\",\"task\":\"t\"}", "person_only");
	house_check_kind("another person", &bob, "files.list", "{\"session\":\"%s\"}", "not_found");
	house_check_kind("another's draft", &bob, "threads.draft.set",
		"{\"session\":\"%s\",\"draft\":{}}", "not_found");
}

static void an_image_is_named_by_what_it_holds(void **state)
{
	static const char put[] = "{\"session\":\"%s\",\"mime\":\"image/png\",\"b64\":\"" PNG "\"}";
	struct caller ana = house_person("ana");
	VY_AUTO_JSON *one = house_get(&ana, "files.put", put),
		     *two = house_get(&ana, "files.put", put);
	VY_AUTO_BUF text = VY_BUF_INIT(4096);

	(void)state;
	check_str("twice", vy_json_cstr(two, "ref"), vy_json_cstr(one, "ref"));
	assert_int_equal(vy_json_int(one, "bytes", 0), 16);
	vy_buf_addf(&text, "{\"session\":\"%s\",\"text\":\"look\",\"images\":[{\"ref\":\"%s\"}]}",
		house_id, vy_json_cstr(one, "ref"));
	VY_AUTO_JSON *sent = house_get(&ana, "threads.send", vy_buf_c(&text));

	check_str("sent", vy_json_cstr(sent, "state"), "sent");
	vy_buf_clear(&text);
	vy_buf_addf(
		&text, "{\"session\":\"%s\",\"ref\":\"%s\"}", house_id, vy_json_cstr(one, "ref"));
	VY_AUTO_JSON *back = house_get(&ana, "threads.output", vy_buf_c(&text));

	check_str("read back", vy_json_cstr(back, "b64"), PNG);
}

static void a_draft_is_a_persons_own_and_not_written_over(void **state)
{
	struct caller ana = house_person("ana");
	VY_AUTO_JSON *none = house_get(&ana, "threads.draft.get", "{\"session\":\"%s\"}");

	(void)state;
	assert_int_equal(vy_json_int(none, "rev", -1), 0);
	assert_null(vy_json_get(none, "draft"));
	vy_json_free(house_get(&ana, "threads.draft.set",
		"{\"session\":\"%s\",\"draft\":{\"at\":3},\"if_rev\":0}"));
	house_check_kind("another screen", &ana, "threads.draft.set",
		"{\"session\":\"%s\",\"draft\":{\"at\":4},\"if_rev\":0}", "conflict");
	VY_AUTO_JSON *kept = house_get(&ana, "threads.draft.get", "{\"session\":\"%s\"}");

	assert_int_equal(vy_json_int(vy_json_get(kept, "draft"), "at", 0), 3);
	assert_int_equal(vy_json_int(kept, "rev", 0), 1);
	vy_json_free(house_get(&ana, "threads.draft.set", "{\"session\":\"%s\"}"));
	VY_AUTO_JSON *gone = house_get(&ana, "threads.draft.get", "{\"session\":\"%s\"}");

	assert_null(vy_json_get(gone, "draft"));
	assert_int_equal(vy_json_int(gone, "rev", 0), 2);
}

static void an_archived_session_is_out_of_the_list_until_it_is_used(void **state)
{
	struct caller ana = house_person("ana");

	(void)state;
	house_begin();
	house_check_kind(
		"while a turn runs", &ana, "threads.archive", "{\"session\":\"%s\"}", "conflict");
	fake_hold_line(fake_hold_newest(), "end ok");
	stand_turn();
	vy_json_free(house_get(&ana, "threads.archive", "{\"session\":\"%s\"}"));
	VY_AUTO_JSON *list = house_get(&ana, "threads.list", "{}");

	assert_int_equal(vy_json_len(vy_json_get(list, "threads")), 0);
	vy_json_free(house_get(&ana, "threads.send", "{\"session\":\"%s\",\"text\":\"again\"}"));
	VY_AUTO_JSON *used = house_get(&ana, "threads.list", "{}");

	assert_int_equal(vy_json_len(vy_json_get(used, "threads")), 1);
}

static void thinking_and_tasks_reach_the_agent_and_the_record(void **state)
{
	struct caller ana = house_person("ana");

	(void)state;
	vy_json_free(house_get(&ana, "threads.thinking",
		"{\"session\":\"%s\",\"thinking\":\"on\",\"tokens\":4096}"));
	house_begin();
	fake_hold_line(fake_hold_newest(), "ready");
	stand_turn();
	assert_non_null(strstr(vy_buf_c(&fake_hold_said), "thinking"));
	fake_hold_line(fake_hold_newest(), "tasks b7");
	stand_turn();
	vy_json_free(house_get(&ana, "threads.kill_task", "{\"session\":\"%s\",\"task\":\"b7\"}"));
	assert_non_null(strstr(vy_buf_c(&fake_hold_said), "kill-task b7"));
	VY_AUTO_JSON *r = house_get(&ana, "threads.get", "{\"session\":\"%s\"}");

	check_str("thinking", vy_json_cstr(r, "thinking"), "4096");
	assert_int_equal(vy_json_len(vy_json_get(r, "tasks")), 1);
	fake_hold_exit(fake_hold_newest(), 1);
	stand_turn();
	VY_AUTO_JSON *after = house_get(&ana, "threads.tasks", "{\"session\":\"%s\"}");

	assert_int_equal(vy_json_len(vy_json_get(after, "tasks")), 0);
}

/* What it prints is shown, what it was is told with the next message, once. */
static void a_command_is_shown_and_told(void **state)
{
	struct caller ana = house_person("ana"), own = house_agent(house_id);

	(void)state;
	house_check_kind("an agent", &own, "threads.shell",
		"{\"session\":\"%s\",\"command\":\"ls\"}", "person_only");
	house_check_kind("nothing", &ana, "threads.shell", "{\"session\":\"%s\",\"command\":\"\"}",
		"bad_input");
	vy_json_free(house_get(
		&ana, "threads.shell", "{\"session\":\"%s\",\"command\":\"ls API_KEY=abcdefg7\"}"));
	struct hold *h = fake_hold_newest();

	fake_hold_hello(h, HOLD_EMPTY, 0);
	fake_hold_started(h);
	fake_hold_line(h, "file.c");
	stand_turn();
	fake_hold_exit(h, 3);
	stand_turn();
	char *frames = stand_frames(house_id);

	assert_non_null(strstr(frames, "term-command"));
	assert_non_null(strstr(frames, "term-chunk"));
	free(frames);
	house_begin();
	const char *said = strstr(vy_buf_c(&fake_hold_said), "say " M1);

	assert_non_null(said);
	assert_non_null(strstr(said, "$ ls API_KEY=[redacted: secret]"));
	assert_non_null(strstr(said, "file.c"));
	fake_hold_line(fake_hold_newest(), "end ok");
	vy_json_free(house_ask(&ana, "threads.send", "{\"session\":\"%s\",\"text\":\"two\"}", M2));
	stand_turn();
	said = strstr(vy_buf_c(&fake_hold_said), "say " M2);
	assert_non_null(said);
	assert_null(strstr(said, "file.c"));
}

int main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, house_open, house_close)
	const struct CMUnitTest tests[] = {
		T(a_snapshot_is_the_log_folded),
		T(bad_files_and_images_are_refused),
		T(an_image_is_named_by_what_it_holds),
		T(a_draft_is_a_persons_own_and_not_written_over),
		T(an_archived_session_is_out_of_the_list_until_it_is_used),
		T(thinking_and_tasks_reach_the_agent_and_the_record),
		T(a_command_is_shown_and_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

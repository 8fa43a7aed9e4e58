/* generation_test.c -- one message while it is written, over a store in memory: a snapshot of one
 * commit and what follows it, wherever a reader comes in, leaves off or is too slow. */
#include "server/hub/generation.h"

#include "tests/check.h"

#include "server/hub/control.h"
#include "server/log/log.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/frame/frame.h"
#include "shared/io/loop.h"
#include "tests/server/loop_turn.h"
#include "shared/base/ban.h"

static struct {
	struct vy_loop *loop;
	struct log_store *store;
	struct log *log;
	struct hub *hub;
	struct control *control;
} t;

static const struct caller ann = { .kind = CALLER_PERSON, .person = "ann" };

static void begin(void)
{
	struct log_conf conf = { .store = t.store, .clock = &vy_clock_real, .boot_id = "boot" };

	t.log = log_new(&conf, NULL);
	assert_non_null(t.log);
	t.hub = hub_new(t.log, t.loop);
	t.control = control_new(t.log, t.loop, &vy_clock_real);
	log_flush(t.log);
}

static void end(void)
{
	control_free(t.control);
	hub_free(t.hub);
	log_free(t.log);
}

static int setup(void **state)
{
	(void)state;
	t.loop = vy_loop_new();
	t.store = store_mem_new();
	begin();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	end();
	t.store->ops->close(t.store);
	vy_loop_free(t.loop);
	return 0;
}

static void turn(void)
{
	loop_turn(t.loop);
}

/* ---- what happens ---- */

static void append(const char *session, struct vy_frame *f)
{
	struct vy_err e = { 0 };

	f->turn = VY_STR_LIT("S:1");
	if (log_append(t.log, session, f, &e) < 0) {
		fail_msg("%s", e.text);
	}
}

struct said {
	const char *message, *text, *parent;
	int block;
	bool reasoning;
};

static void words(const char *session, struct said s)
{
	struct vy_frame f;

	vy_frame_init(&f, VY_KIND_TEXT_DELTA);
	f.author = VY_STR_LIT("assistant:a");
	vy_frame_set_c(&f, VY_F_MESSAGE, s.message ? s.message : "m1");
	vy_frame_set_int(&f, VY_F_INDEX, s.block);
	vy_frame_set_c(&f, VY_F_TEXT, s.text);
	vy_frame_set_c(&f, VY_F_PARENT, s.parent);
	if (s.reasoning) {
		vy_frame_set_bool(&f, VY_F_REASONING, true);
	}
	append(session, &f);
}
#define say(...) words("S", (struct said){ __VA_ARGS__ })

static void status(const char *state, const char *note)
{
	struct vy_frame f;

	vy_frame_init(&f, VY_KIND_STATUS);
	vy_frame_set_c(&f, VY_F_STATE, state);
	vy_frame_set_c(&f, VY_F_NOTE, note);
	append("S", &f);
}

static void person(const char *message, const char *state)
{
	struct vy_frame f;

	vy_frame_init(&f, VY_KIND_USER_MESSAGE);
	f.author = VY_STR_LIT("person:ann");
	vy_frame_set_c(&f, VY_F_MESSAGE, message);
	vy_frame_set_c(&f, VY_F_STATE, state);
	vy_frame_set_c(&f, VY_F_TEXT, "please");
	append("S", &f);
}

static void commit(void)
{
	log_flush(t.log);
	turn();
}

/* ---- a reader: what it knows is what it was told ---- */

struct reader {
	struct view view;
	bool is_open;
	int readies, snapshots, deltas;
	int64_t next[2];
	struct vy_buf text[2];
	char id[VIEW_ID_MAX + 1], end[64], whole[65536], state[32];
};

static void on_ready(void *ctx)
{
	((struct reader *)ctx)->readies++;
}

static int try_open(struct reader *r, const char *session, const char *message, const char *after,
	struct vy_err *e)
{
	struct generation_open o = { .log = t.log,
		.hub = t.hub,
		.session = session,
		.message = vy_str_c(message),
		.after = vy_str_c(after),
		.ready = on_ready,
		.ctx = r };
	int rc = generation_open(&o, &r->view, e);

	r->is_open = rc == 0;
	return rc;
}

static void reader_init(struct reader *r)
{
	*r = (struct reader){ 0 };
	vy_buf_init(&r->text[0], 8 * VY_MIB);
	vy_buf_init(&r->text[1], 8 * VY_MIB);
}

static void join(struct reader *r, const char *after)
{
	struct vy_err e = { 0 };

	if (try_open(r, "S", "m1", after, &e) < 0) {
		fail_msg("%s", e.text);
	}
}

static void leave(struct reader *r)
{
	if (r->is_open) {
		r->view.ops->close(r->view.sub);
		r->is_open = false;
	}
}

static void reader_fini(struct reader *r)
{
	leave(r);
	vy_buf_fini(&r->text[0]);
	vy_buf_fini(&r->text[1]);
}

static void take_snapshot(struct reader *r, const struct vy_json *v)
{
	r->snapshots++;
	vy_buf_clear(&r->text[0]);
	vy_buf_clear(&r->text[1]);
	vy_buf_addstr(&r->text[0], vy_json_str(v, "text"));
	vy_buf_addstr(&r->text[1], vy_json_str(v, "reasoning"));
	r->next[0] = vy_json_intval(vy_json_path(v, "index.text"), -1);
	r->next[1] = vy_json_intval(vy_json_path(v, "index.reasoning"), -1);
	snprintf(r->state, sizeof(r->state), "%s", vy_json_cstr(v, "state"));
	assert_string_equal(vy_json_cstr(v, "transcriptTargetId"), "S");
}

static void take_delta(struct reader *r, const struct vy_json *v)
{
	int c = vy_str_is(vy_json_str(v, "channel"), "reasoning");

	r->deltas++;
	assert_int_equal(vy_json_int(v, "index", -1), r->next[c]);
	r->next[c]++;
	vy_buf_addstr(&r->text[c], vy_json_str(v, "text"));
}

static void take_end(struct reader *r, const struct vy_json *v)
{
	const struct vy_json *m = vy_json_path(v, "data.message");

	assert_string_equal(r->end, "");
	snprintf(r->end, sizeof(r->end), "%s", vy_json_cstr(v, "type"));
	snprintf(r->whole, sizeof(r->whole), "%s", vy_json_cstr(m, "text"));
	assert_non_null(vy_json_path(v, "data.transcriptTargetId"));
}

/* One more; false: there is none. */
static bool take(struct reader *r)
{
	VY_AUTO_BUF one = VY_BUF_INIT(40 * VY_MIB);
	struct view_tag tag = { 0 };

	if (r->view.ops->next(r->view.sub, &one) != VIEW_ITEM) {
		return false;
	}
	VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&one), NULL);

	r->view.ops->tag(r->view.sub, &tag);
	assert_string_equal(tag.event, vy_json_cstr(v, "type"));
	assert_string_equal(tag.id, vy_json_cstr(v, "id"));
	snprintf(r->id, sizeof(r->id), "%s", tag.id);
	if (strcmp(tag.event, "snapshot") == 0) {
		take_snapshot(r, v);
	} else if (strcmp(tag.event, "session.message.delta.appended") == 0) {
		take_delta(r, v);
	} else {
		take_end(r, v);
	}
	return true;
}

static void take_all(struct reader *r)
{
	while (take(r)) {
	}
}

/* Closed, and why. */
static int how_closed(struct reader *r)
{
	VY_AUTO_BUF none = VY_BUF_INIT(VY_MIB);

	assert_int_equal(r->view.ops->next(r->view.sub, &none), VIEW_CLOSED);
	return r->view.ops->code(r->view.sub);
}

/* ---- the tests ---- */

static void as_it_is_written(void **state)
{
	struct reader r;

	(void)state;
	reader_init(&r);
	status("working", NULL);
	say(.text = "Hel");
	commit();
	join(&r, NULL);
	take_all(&r);
	assert_int_equal(r.snapshots, 1);
	check_str("a snapshot", vy_buf_c(&r.text[0]), "Hel");
	check_str("its state", r.state, "streaming");
	turn();
	r.readies = 0;
	say(.text = "lo");
	assert_false(take(&r)); /* staged is not said */
	commit();
	assert_int_equal(r.readies, 1);
	take_all(&r);
	check_str("a delta", vy_buf_c(&r.text[0]), "Hello");
	say(.text = "hm", .reasoning = true, .block = 1);
	say(.text = "!", .block = 2);
	say(.text = "!", .block = 2);
	commit();
	take_all(&r);
	assert_int_equal(r.deltas, 4);
	check_str("blocks apart", vy_buf_c(&r.text[0]), "Hello\n\n!!");
	check_str("its own channel", vy_buf_c(&r.text[1]), "hm");
	status("waiting", NULL);
	commit();
	take_all(&r);
	check_str("the end", r.end, "session.message.completed");
	check_str("its name", r.id, "evt_S.m1.2");
	check_str("the same words", r.whole, vy_buf_c(&r.text[0]));
	assert_int_equal(how_closed(&r), HUB_DONE);
	assert_int_equal(r.snapshots, 1);
	reader_fini(&r);
}

static void keep_id(struct vy_buf *ids, const struct vy_json *v)
{
	if (strncmp(vy_json_cstr(v, "type"), "session.message.", 16) == 0) {
		vy_buf_addf(ids, "%s %s\n", vy_json_cstr(v, "type"), vy_json_cstr(v, "id"));
	}
}

/* The end has one name on both planes, and the same data. */
static void as_on_the_control_plane(void **state)
{
	static const struct {
		const char *name, *note, *type;
	} rows[] = {
		{ "whole", NULL, "session.message.completed" },
		{ "cut short", "interrupted", "session.message.failed" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct control_open o = { .who = &ann, .ready = on_ready };
		VY_AUTO_BUF one = VY_BUF_INIT(VY_MIB), ids = VY_BUF_INIT(VY_MIB);
		VY_AUTO_BUF want = VY_BUF_INIT(VY_MIB);
		struct reader r, other;
		struct control_sub *sub;

		reader_init(&other);
		o.ctx = &other;
		LOG_PUT(t.log, ROW_SESSION, session, .session = VY_STR_LIT("S"),
			.doc = VY_STR_LIT("{\"session\":\"S\",\"own\":{\"person\":\"ann\"}}"));
		sub = control_subscribe(t.control, &o, NULL);
		say(.text = "Hello", .message = i ? "m2" : "m1");
		status("waiting", rows[i].note);
		commit();
		while (vy_buf_clear(&one), control_next(sub, &one)) {
			VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&one), NULL);

			keep_id(&ids, v);
		}
		reader_init(&r);
		assert_int_equal(try_open(&r, "S", i ? "m2" : "m1", NULL, NULL), 0);
		take_all(&r);
		vy_buf_addf(&want, "%s %s\n", rows[i].type, r.id);
		check_str(rows[i].name, r.end, rows[i].type);
		if (!strstr(vy_buf_c(&ids), vy_buf_c(&want))) {
			fail_msg("%s: not in %s", r.id, vy_buf_c(&ids));
		}
		reader_fini(&r);
		reader_fini(&other);
		control_unsubscribe(sub);
	}
}

static void settled_already(void **state)
{
	struct reader r;

	(void)state;
	reader_init(&r);
	say(.text = "Hel");
	say(.text = "lo");
	status("waiting", NULL);
	commit();
	join(&r, NULL);
	take_all(&r);
	assert_int_equal(r.snapshots, 1);
	assert_int_equal(r.deltas, 0);
	assert_int_equal(r.next[0], 2);
	check_str("in the snapshot", vy_buf_c(&r.text[0]), "Hello");
	check_str("its state", r.state, "completed");
	check_str("and the end", r.end, "session.message.completed");
	assert_int_equal(how_closed(&r), HUB_DONE);
	leave(&r);
	r.end[0] = '\0';
	join(&r, r.id); /* who has the end gets it again, and nothing else */
	take_all(&r);
	assert_int_equal(r.snapshots, 1);
	check_str("once more", r.end, "session.message.completed");
	reader_fini(&r);
}

/* What waits for a commit is in no snapshot before it, and is not lost between that and what follows. */
static void a_snapshot_is_of_one_commit(void **state)
{
	struct reader r;

	(void)state;
	reader_init(&r);
	say(.text = "a");
	commit();
	say(.text = "b");
	join(&r, NULL);
	turn();
	assert_false(take(&r));
	r.readies = 0;
	say(.text = "c");
	commit();
	assert_true(r.readies > 0);
	say(.text = "d"); /* the loop goes on before the socket has room */
	take_all(&r);
	check_str("all of the commit", vy_buf_c(&r.text[0]), "abc");
	commit();
	take_all(&r);
	check_str("and on", vy_buf_c(&r.text[0]), "abcd");
	assert_int_equal(r.snapshots, 1);
	reader_fini(&r);
}

static void script(int upto)
{
	static const struct said all[] = {
		{ .text = "thinking ", .reasoning = true },
		{ .text = "hard", .reasoning = true },
		{ .text = "One", .block = 1 },
		{ .text = " two", .block = 1 },
		{ .text = "else", .message = "sub", .parent = "t9" },
		{ .text = "three", .block = 2 },
		{ .text = "again", .reasoning = true, .block = 3 },
		{ .text = " four", .block = 2 },
		{ .text = "more", .message = "sub", .parent = "t9" },
		{ .text = "five", .block = 4 },
	};

	for (int i = 0; i < (int)VY_COUNT(all) && i < upto; i++) {
		words("S", all[i]);
	}
}

#define SCRIPT 10

/* At every item, from every id: the reader leaves, perhaps vyred starts anew, and nothing is lost. */
static void from_every_place(void **state)
{
	(void)state;
	for (int restart = 0; restart < 2; restart++) {
		for (int leaves = 1; leaves < SCRIPT; leaves++) {
			struct reader r;
			char id[VIEW_ID_MAX + 1];

			teardown(NULL);
			setup(NULL);
			reader_init(&r);
			words("S", (struct said){ .text = "first ", .block = 0 });
			commit();
			join(&r, NULL);
			script(SCRIPT);
			take(&r); /* the snapshot */
			commit();
			for (int i = 1; i < leaves; i++) {
				take(&r);
			}
			snprintf(id, sizeof(id), "%s", r.id);
			leave(&r);
			if (restart) {
				end();
				begin();
			}
			join(&r, id);
			take_all(&r);
			check_str("all so far", vy_buf_c(&r.text[0]),
				"first \n\nOne two\n\nthree four\n\nfive");
			check_str("reasoning", vy_buf_c(&r.text[1]), "thinking hard\n\nagain");
			status("waiting", NULL);
			commit();
			take_all(&r);
			assert_int_equal(r.snapshots, 1);
			check_str("the same words", r.whole, vy_buf_c(&r.text[0]));
			reader_fini(&r);
		}
	}
}

/* It was written to its end while nobody looked. */
static void settled_meanwhile(void **state)
{
	struct reader r;

	(void)state;
	reader_init(&r);
	say(.text = "a");
	commit();
	join(&r, NULL);
	take_all(&r);
	leave(&r);
	say(.text = "b");
	say(.text = "c");
	status("waiting", NULL);
	say(.text = "next", .message = "m2");
	commit();
	join(&r, r.id);
	take_all(&r);
	assert_int_equal(r.snapshots, 1);
	assert_int_equal(r.deltas, 2);
	check_str("all of it", vy_buf_c(&r.text[0]), "abc");
	check_str("the end", r.end, "session.message.completed");
	reader_fini(&r);
}

static void what_ends_it(void **state)
{
	static const char *const how[] = { "another message", "a call's end", "the turn",
		"an interrupt" };

	(void)state;
	for (size_t i = 0; i < VY_COUNT(how); i++) {
		struct reader r;
		struct vy_frame f;

		teardown(NULL);
		setup(NULL);
		reader_init(&r);
		say(.text = "sub", .message = "s1", .parent = "t1");
		say(.text = "a");
		commit();
		join(&r, NULL);
		take_all(&r);
		say(.text = "sub", .message = "s1", .parent = "t1"); /* is none of ours */
		say(.text = "b");
		commit();
		take_all(&r);
		check_str(how[i], r.end, "");
		switch (i) {
		case 0: say(.text = "x", .message = "m2"); break;
		case 1:
			vy_frame_init(&f, VY_KIND_TOOL_STARTED);
			vy_frame_set_c(&f, VY_F_TOOL_ID, "t5");
			vy_frame_set_c(&f, VY_F_TOOL, "Bash");
			vy_frame_set_c(&f, VY_F_KIND, "shell");
			vy_frame_set_c(&f, VY_F_SUMMARY, "ls");
			append("S", &f);
			vy_frame_init(&f, VY_KIND_TOOL_FINISHED);
			vy_frame_set_c(&f, VY_F_TOOL_ID, "t5");
			vy_frame_set_bool(&f, VY_F_OK, true);
			vy_frame_set_c(&f, VY_F_STATUS, "completed");
			vy_frame_set_json(
				&f, VY_F_RESULT, VY_STR_LIT("{\"kind\":\"text\",\"text\":\"\"}"));
			append("S", &f);
			break;
		case 2: status("waiting", NULL); break;
		default: status("waiting", "interrupted"); break;
		}
		commit();
		take_all(&r);
		check_str(how[i], r.end,
			i == 3 ? "session.message.failed" : "session.message.completed");
		check_str(how[i], r.whole, "ab");
		assert_int_equal(how_closed(&r), HUB_DONE);
		reader_fini(&r);
	}
}

static void places_nobody_has(void **state)
{
	static const struct {
		const char *name, *after; /* %s is the epoch */
		bool is_junk;
	} rows[] = {
		{ "another epoch", "evt_other-epoch.1.1.0", false },
		{ "ahead of the log", "evt_%s.999.1.0", false },
		{ "before the message", "evt_%s.0.0.0", false },
		{ "more than was said", "evt_%s.3.77.0", false },
		{ "an event of anything", "evt_x", false },
		{ "another message's end", "evt_S.m2.2", false },
		{ "a number", "17", true },
		{ "a blank", "evt_ x", true },
		{ "a prefix", "evt_", true },
	};

	(void)state;
	person("u1", "sent");
	say(.text = "a");
	say(.text = "b");
	commit();
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		char after[128];
		struct reader r;
		struct vy_err e = { 0 };

		reader_init(&r);
		snprintf(after, sizeof(after), "%s", rows[i].after);
		if (strstr(after, "%s")) {
			snprintf(after, sizeof(after), "evt_%s%s", log_epoch(t.log),
				strstr(rows[i].after, "%s") + 2);
		}
		int rc = try_open(&r, "S", "m1", after, &e);

		if (rows[i].is_junk) {
			if (rc == 0 || e.code != VY_BAD_INPUT) {
				fail_msg("%s: %s", rows[i].name, e.text);
			}
		} else {
			assert_int_equal(rc, 0);
			take_all(&r);
			if (r.snapshots != 1 || r.deltas != 0) {
				fail_msg("%s: %d snapshots", rows[i].name, r.snapshots);
			}
			check_str(rows[i].name, vy_buf_c(&r.text[0]), "ab");
		}
		reader_fini(&r);
	}
}

static void whose_it_is(void **state)
{
	static const struct {
		const char *session, *message;
		bool ok;
	} rows[] = {
		{ "S", "m1", true },
		{ "T", "m1", false },
		{ "T", "n1", true },
		{ "S", "n1", false },
		{ "S", "m9", false },
		{ "U", "m1", false },
	};

	(void)state;
	say(.text = "a");
	words("T", (struct said){ .message = "n1", .text = "b" });
	commit();
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct reader r;
		struct vy_err e = { 0 };

		reader_init(&r);
		int rc = try_open(&r, rows[i].session, rows[i].message, NULL, &e);

		if ((rc == 0) != rows[i].ok || (rc < 0 && e.code != VY_NOT_FOUND)) {
			fail_msg("%s of %s: %s", rows[i].message, rows[i].session, e.text);
		}
		reader_fini(&r);
	}
}

/* Too far behind to be told delta by delta, at the start and later: it holds one snapshot, no more. */
static void far_behind(void **state)
{
	struct reader r;

	(void)state;
	reader_init(&r);
	say(.text = "a");
	commit();
	join(&r, NULL);
	take_all(&r);
	for (int i = 0; i < GENERATION_BEHIND + 10; i++) {
		say(.text = "x");
	}
	commit();
	take_all(&r);
	assert_int_equal(r.snapshots, 2);
	assert_int_equal(r.deltas, 0);
	assert_int_equal(r.text[0].len, GENERATION_BEHIND + 11);
	say(.text = "y");
	commit();
	take_all(&r);
	assert_int_equal(r.deltas, 1);
	leave(&r);
	for (int i = 0; i < GENERATION_BEHIND + 10; i++) {
		say(.text = "z");
	}
	commit();
	join(&r, r.id);
	take_all(&r);
	assert_int_equal(r.snapshots, 3);
	assert_int_equal(r.text[0].len, 2 * GENERATION_BEHIND + 22);
	reader_fini(&r);
}

static void a_person_waits(void **state)
{
	struct reader r;

	(void)state;
	reader_init(&r);
	person("u1", "queued");
	commit();
	assert_int_equal(try_open(&r, "S", "u1", NULL, NULL), 0);
	take_all(&r);
	check_str("pending", r.state, "pending");
	check_str("its words", vy_buf_c(&r.text[0]), "please");
	person("u1", "picked-up");
	commit();
	take_all(&r);
	check_str("the end", r.end, "session.message.completed");
	check_str("its name", r.id, "evt_S.u1.2");
	reader_fini(&r);
	reader_init(&r);
	person("u2", "queued");
	commit();
	assert_int_equal(try_open(&r, "S", "u2", NULL, NULL), 0);
	take_all(&r);
	person("u2", "cancelled");
	commit();
	take_all(&r);
	check_str("taken back", r.end, "");
	assert_int_equal(how_closed(&r), HUB_DONE);
	leave(&r);
	assert_int_equal(try_open(&r, "S", "u2", NULL, NULL), -1);
	reader_fini(&r);
}

static void access_ends(void **state)
{
	struct reader r;

	(void)state;
	reader_init(&r);
	say(.text = "a");
	commit();
	join(&r, NULL);
	take_all(&r);
	say(.text = "b");
	commit();
	hub_close_session(t.hub, "S", NULL, HUB_ACCESS_ENDED);
	assert_false(take(&r));
	assert_int_equal(how_closed(&r), HUB_ACCESS_ENDED);
	check_str("nothing more", vy_buf_c(&r.text[0]), "a");
	reader_fini(&r);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(as_it_is_written),
		T(as_on_the_control_plane),
		T(settled_already),
		T(a_snapshot_is_of_one_commit),
		T(from_every_place),
		T(settled_meanwhile),
		T(what_ends_it),
		T(places_nobody_has),
		T(whose_it_is),
		T(far_behind),
		T(a_person_waits),
		T(access_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* control_test.c -- the control plane over a store in memory: behind the commit, in order, for whom
 * it is, and honest about what it has no more. */
#include "server/hub/control.h"

#include "tests/check.h"

#include "server/hub/control_event.h"
#include "server/log/epoch.h"
#include "server/log/log.h"
#include "shared/base/clock.h"
#include "shared/base/mem.h"
#include "shared/frame/frame.h"
#include "shared/io/loop.h"
#include "tests/server/loop_turn.h"
#include "shared/base/ban.h"

static struct {
	struct vy_loop *loop;
	struct log_store *store;
	struct log *log;
	struct control *control;
} t;

static const struct caller ann = { .kind = CALLER_PERSON, .person = "ann" };

static void begin(void)
{
	struct log_conf conf = { .store = t.store, .clock = &vy_clock_real, .boot_id = "boot" };

	t.log = log_new(&conf, NULL);
	assert_non_null(t.log);
	t.control = control_new(t.log, t.loop, &vy_clock_real);
	log_flush(t.log);
}

static void end(void)
{
	control_free(t.control);
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

static void record(const char *session, const char *more)
{
	char doc[512];

	snprintf(doc, sizeof(doc),
		"{\"session\":\"%s\",\"created\":9000000000000,\"viewers\":0,\"epoch\":null%s,"
		"\"own\":{\"person\":\"ann\",\"env\":{\"TOKEN\":\"secret\"}}}",
		session, more);
	LOG_PUT(t.log, ROW_SESSION, session, .session = vy_str_c(session), .doc = vy_str_c(doc));
}

static void append(const char *session, struct vy_frame *f)
{
	struct vy_err e = { 0 };

	if (log_append(t.log, session, f, &e) < 0) {
		fail_msg("%s", e.text);
	}
}

static void ask(const char *session, const char *id)
{
	struct vy_frame f;

	vy_frame_init(&f, VY_KIND_ASK);
	vy_frame_set_c(&f, VY_F_ASK_ID, id);
	vy_frame_set_c(&f, VY_F_KIND, "permission");
	vy_frame_set_c(&f, VY_F_SUMMARY, "ls");
	vy_frame_set_json(&f, VY_F_OPTIONS, VY_STR_LIT("[]"));
	append(session, &f);
}

static void word(const char *session, const char *text)
{
	struct vy_frame f;

	vy_frame_init(&f, VY_KIND_TEXT_DELTA);
	f.author = VY_STR_LIT("assistant:a");
	vy_frame_set_c(&f, VY_F_MESSAGE, "m1");
	vy_frame_set_int(&f, VY_F_INDEX, 0);
	vy_frame_set_c(&f, VY_F_TEXT, text);
	append(session, &f);
}

static void status(const char *session, const char *state)
{
	struct vy_frame f;

	vy_frame_init(&f, VY_KIND_STATUS);
	f.turn = VY_STR_LIT("S:1");
	vy_frame_set_c(&f, VY_F_STATE, state);
	append(session, &f);
}

/* ---- a reader ---- */

struct reader {
	struct control_sub *sub;
	struct vy_buf all;
	int readies;
	int64_t seq; /* of the last one */
};

static void on_ready(void *ctx)
{
	((struct reader *)ctx)->readies++;
}

static void join(struct reader *r, const struct caller *who, int64_t since, const char *filter)
{
	VY_AUTO_JSON *f = filter ? vy_json_parse(vy_str_c(filter), NULL) : NULL;
	struct control_open o = { .who = who,
		.has_since = since >= 0,
		.since = since,
		.filter = f,
		.ready = on_ready,
		.ctx = r };
	struct vy_err e = { 0 };

	*r = (struct reader){ 0 };
	vy_buf_init(&r->all, 64 << 20);
	r->sub = control_subscribe(t.control, &o, &e);
	assert_non_null(r->sub);
}

static void leave(struct reader *r)
{
	control_unsubscribe(r->sub);
	vy_buf_fini(&r->all);
}

/* The names of what waits, "a b c ", each seq higher than the last. */
static const char *names(struct reader *r)
{
	static char out[4096];
	VY_AUTO_BUF one = VY_BUF_INIT(32 << 20);

	out[0] = '\0';
	while (vy_buf_clear(&one), control_next(r->sub, &one)) {
		VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&one), NULL);
		size_t n = strlen(out);

		assert_non_null(v);
		assert_true(vy_json_int(v, "seq", -1) >= r->seq);
		r->seq = vy_json_int(v, "seq", -1);
		if (n < sizeof(out) - 64) {
			snprintf(out + n, sizeof(out) - n, "%s ", vy_json_cstr(v, "type"));
		}
		vy_buf_addstr(&r->all, vy_buf_str(&one));
	}
	return out;
}

/* ---- the tests ---- */

static void behind_the_commit(void **state)
{
	struct reader r;

	(void)state;
	join(&r, &ann, -1, NULL);
	turn();
	check_str("nothing yet", names(&r), "");
	record("S", "");
	ask("S", "q");
	turn();
	check_str("staged is not said", names(&r), "");
	log_flush(t.log);
	turn();
	assert_true(r.readies >= 2);
	check_str("committed", names(&r), "session.created ask.raised ");
	assert_null(strstr(vy_buf_c(&r.all), "secret"));
	leave(&r);
}

static void a_message(void **state)
{
	struct reader r;

	(void)state;
	join(&r, &ann, -1, "{\"types\":[\"session.message.\"]}");
	record("S", "");
	status("S", "working");
	for (int i = 0; i < 10000; i++) {
		word("S", i % 100 ? "x" : "hello ");
	}
	log_flush(t.log);
	check_str("while it streams", names(&r), "session.message.created ");
	assert_null(strstr(vy_buf_c(&r.all), "hello"));
	status("S", "waiting");
	log_flush(t.log);
	check_str("whole", names(&r), "session.message.completed ");
	assert_non_null(strstr(vy_buf_c(&r.all), "\"text\":\"hello xx"));
	assert_non_null(strstr(vy_buf_c(&r.all), "\"id\":\"evt_S.m1.2\""));
	leave(&r);
}

/* That there is one is told, nothing of it, to nobody. */
static void a_private_message(void **state)
{
	struct reader r;
	struct vy_frame f;

	(void)state;
	join(&r, &ann, -1, "{\"types\":[\"session.message.\"]}");
	record("S", "");
	vy_frame_init(&f, VY_KIND_USER_MESSAGE);
	f.author = VY_STR_LIT("person:ann");
	vy_frame_set_c(&f, VY_F_MESSAGE, "p");
	vy_frame_set_c(&f, VY_F_STATE, "sent");
	vy_frame_set_json(&f, VY_F_ENC, VY_STR_LIT("{\"kid\":\"planted\",\"ct\":\"planted\"}"));
	append("S", &f);
	log_flush(t.log);
	check_str("it came", names(&r), "session.message.created ");
	assert_non_null(strstr(vy_buf_c(&r.all), "\"enc\":true"));
	assert_null(strstr(vy_buf_c(&r.all), "planted"));
	assert_null(strstr(vy_buf_c(&r.all), "\"text\""));
	leave(&r);
}

static void since(void **state)
{
	struct reader r;
	int64_t first, head;

	(void)state;
	record("S", "");
	log_flush(t.log);
	first = control_head(t.control);
	ask("S", "q1");
	ask("S", "q2");
	log_flush(t.log);
	join(&r, &ann, first, NULL);
	check_str("what came since", names(&r), "ask.raised ask.raised ");
	head = r.seq;
	leave(&r);
	assert_int_equal(head, control_head(t.control));
	join(&r, &ann, head, NULL);
	check_str("nothing since", names(&r), "");
	leave(&r);
	join(&r, &ann, head + 1, NULL);
	check_str("ahead", names(&r), "control.reset ");
	assert_int_equal(r.seq, head);
	ask("S", "q3");
	log_flush(t.log);
	check_str("and on from the head", names(&r), "ask.raised ");
	leave(&r);
	join(&r, &ann, 0, NULL);
	check_str("long ago", names(&r), "control.reset ");
	leave(&r);
}

/* Everything behind `first` as it is sent, a line an event. */
static char *all_since(int64_t first)
{
	struct reader r;
	char *out;

	join(&r, &ann, first, NULL);
	names(&r);
	out = vy_buf_take(&r.all, NULL);
	leave(&r);
	return out;
}

static void another_start(void **state)
{
	int64_t first, head;
	char *before, *after;
	struct reader r;

	(void)state;
	first = control_head(t.control);
	record("S", ",\"tasks\":[{\"task\":\"t1\",\"kind\":\"shell\",\"text\":\"x\"}]");
	ask("S", "q1");
	status("S", "working");
	word("S", "hello ");
	word("S", "there");
	log_flush(t.log);
	status("S", "waiting");
	record("S", ",\"title\":\"a\"");
	log_flush(t.log);
	before = all_since(first);
	assert_non_null(strstr(before, "\"text\":\"hello there\""));
	head = control_head(t.control);
	for (int i = 0; i < 3; i++) {
		end();
		begin();
		after = all_since(first);
		assert_string_equal(before, after);
		assert_int_equal(control_head(t.control), head);
		free(after);
	}
	free(before);
	join(&r, &ann, head, NULL);
	check_str("nothing since", names(&r), "");
	record("S", ",\"title\":\"a\""); /* as it was: no news, and its tasks are not new */
	ask("S", "q4");
	log_flush(t.log);
	check_str("and on", names(&r), "ask.raised ");
	assert_true(r.seq == head + 1);
	leave(&r);
	join(&r, &ann, head + 2, NULL);
	check_str("ahead", names(&r), "control.reset ");
	leave(&r);
	join(&r, &ann, first - 1, NULL);
	check_str("before it began", names(&r), "control.reset ");
	leave(&r);
}

/* What is not committed was never there; its numbers are given to what comes instead, which nobody saw. */
static void a_commit_that_fails(void **state)
{
	struct reader r;
	int64_t first = control_head(t.control);
	char *before, *after;

	(void)state;
	join(&r, &ann, -1, NULL);
	for (int k = 1; k < 12; k++) {
		record("S", k % 2 ? ",\"title\":\"a\"" : ",\"title\":\"b\"");
		ask("S", "q");
		store_mem_fail(t.store, k, 2, VY_RETRY);
		log_flush(t.log);
		log_flush(t.log);
		log_flush(t.log);
	}
	store_mem_fail(t.store, 1, 0, VY_RETRY);
	ask("S", "q");
	log_flush(t.log);
	names(&r);
	before = all_since(first);
	assert_string_equal(vy_buf_c(&r.all), before);
	leave(&r);
	end();
	begin();
	after = all_since(first);
	assert_string_equal(before, after);
	free(before);
	free(after);
}

/* A new epoch (a restore, a machine that went down) may have lost events that somebody saw: nobody goes on. */
static void a_new_history(void **state)
{
	struct reader r;
	int64_t head;

	(void)state;
	record("S", "");
	ask("S", "q1");
	log_flush(t.log);
	head = control_head(t.control);
	end();
	assert_int_equal(epoch_renew(t.store, NULL), 0);
	begin();
	assert_true(control_head(t.control) >= head);
	join(&r, &ann, head - 1, NULL);
	check_str("not from before", names(&r), "control.reset ");
	ask("S", "q2");
	log_flush(t.log);
	check_str("and on", names(&r), "ask.raised ");
	assert_true(r.seq > head);
	head = r.seq;
	leave(&r);
	end();
	begin();
	join(&r, &ann, head - 1, NULL);
	check_str("kept again", names(&r), "ask.raised ");
	leave(&r);
}

/* Of a session that is gone nothing is told but its end, before and after a start. */
static void gone(void **state)
{
	static const struct caller bob = { .kind = CALLER_PERSON, .person = "bob" };
	struct reader r;
	int64_t first = control_head(t.control);

	(void)state;
	record("S", "");
	record("T", "");
	ask("S", "q1");
	log_flush(t.log);
	record("S", ",\"title\":\"secret words\"");
	log_flush(t.log);
	join(&r, &ann, first, NULL);
	LOG_DEL(t.log, ROW_SESSION, session, .session = VY_STR_LIT("S"));
	log_flush(t.log);
	check_str("from the ring", names(&r), "session.created session.deleted ");
	leave(&r);
	for (int i = 0; i < 2; i++) {
		end();
		begin();
		join(&r, &ann, first, NULL);
		check_str("from the store", names(&r), "session.created session.deleted ");
		assert_null(strstr(vy_buf_c(&r.all), "secret words"));
		leave(&r);
		join(&r, &bob, first, NULL);
		check_str("not for others", names(&r), "");
		leave(&r);
	}
}

static void for_whom(void **state)
{
	static const struct caller bob = { .kind = CALLER_PERSON, .person = "bob" };
	static const struct caller nobody = { .kind = CALLER_UNKNOWN };
	static const struct {
		const char *name;
		const struct caller *who;
		const char *filter, *want;
	} rows[] = {
		{ "the owner", &ann, NULL, "ask.raised ask.raised " },
		{ "another person", &bob, NULL, "" },
		{ "nobody", &nobody, NULL, "" },
		{ "one session", &ann, "{\"session\":\"S\"}", "ask.raised " },
		{ "one project", &ann, "{\"project\":\"p\"}", "ask.raised " },
		{ "another project", &ann, "{\"project\":\"x\"}", "" },
		{ "one type", &ann, "{\"types\":[\"ask.answered\"]}", "" },
		{ "a group", &ann, "{\"types\":[\"ask.\"]}", "ask.raised ask.raised " },
	};
	struct vy_err e = { 0 };
	VY_AUTO_JSON *wrong = vy_json_parse(VY_STR_LIT("{\"types\":[\"ask.no\"]}"), NULL);
	struct reader r;
	int64_t from;

	(void)state;
	record("S", "");
	record("T", ",\"project\":\"p\"");
	log_flush(t.log);
	from = control_head(t.control);
	ask("S", "q");
	ask("T", "q");
	log_flush(t.log);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		join(&r, rows[i].who, from, rows[i].filter);
		check_str(rows[i].name, names(&r), rows[i].want);
		leave(&r);
	}
	struct control_open o = { .who = &ann, .filter = wrong, .ready = on_ready };

	assert_null(control_subscribe(t.control, &o, &e));
	assert_int_equal(e.code, VY_BAD_INPUT);
}

/* Who does not read falls off the end of what is kept, and is told so once; memory stays what it is. */
static void slow(void **state)
{
	struct reader r;
	int64_t n = 0;

	(void)state;
	record("S", "");
	log_flush(t.log);
	join(&r, &ann, -1, NULL);
	for (int i = 0; i < CONTROL_EVENTS + 2048; i++) {
		ask("S", "q");
		if (i % 512 == 0) {
			log_flush(t.log);
		}
	}
	log_flush(t.log);
	check_str("told", names(&r), "control.reset ");
	assert_int_equal(r.seq, control_head(t.control));
	ask("S", "q");
	log_flush(t.log);
	check_str("goes on", names(&r), "ask.raised ");
	leave(&r);
	for (int i = 0; i < 2; i++) {
		char *all = all_since(control_head(t.control) - 10000);

		n = 0;
		for (const char *p = all; (p = strstr(p, "\"type\":\"ask.raised\"")); p++) {
			n++;
		}
		free(all);
		assert_int_equal(n, 10000); /* most of them from the store */
		end();
		begin();
	}
}

static void records(void **state)
{
	struct reader r;

	(void)state;
	join(&r, &ann, -1, NULL);
	record("S", "");
	log_flush(t.log);
	record("S", ",\"title\":\"a\"");
	record("S", ",\"title\":\"a\",\"updated\":5");
	record("S", ",\"title\":\"a\",\"archived\":true");
	log_flush(t.log);
	check_str("a life", names(&r), "session.created session.updated session.archived ");
	LOG_DEL(t.log, ROW_SESSION, session, .session = VY_STR_LIT("S"));
	log_flush(t.log);
	LOG_DEL(t.log, ROW_SESSION, session, .session = VY_STR_LIT("S"));
	log_flush(t.log);
	check_str("its end", names(&r), "session.deleted ");
	assert_null(strstr(vy_buf_c(&r.all), "\"time\":0,")); /* each says when */
	leave(&r);
}

/* Of no session: everybody's who reads the plane whole, with a seq and an id of its own, over a start too. */
static void providers(void **state)
{
	static const struct caller agent = {
		.kind = CALLER_AGENT, .person = "ben", .session = "T"
	};
	int64_t first = control_head(t.control);
	struct reader r, other, one;
	char *before, *after;

	(void)state;
	join(&r, &ann, -1, NULL);
	join(&other, &agent, -1, "{\"types\":[\"provider.\"]}");
	join(&one, &ann, -1, "{\"session\":\"S\"}");
	control_provider(t.control, "mine", NULL);
	turn();
	check_str("staged is not said", names(&r), "");
	control_provider(t.control, "lost", "no program \"lost\"");
	log_flush(t.log);
	check_str("told", names(&r), "provider.changed provider.changed ");
	check_str("to an agent", names(&other), "provider.changed provider.changed ");
	check_str("of a session", names(&one), "");
	assert_null(strstr(vy_buf_c(&r.all), "\"session\""));
	assert_non_null(
		strstr(vy_buf_c(&r.all), "\"data\":{\"provider\":\"mine\",\"available\":true}"));
	assert_non_null(strstr(vy_buf_c(&r.all),
		"{\"provider\":\"lost\",\"available\":false,\"why\":\"no program \\\"lost\\\"\"}"));
	assert_non_null(strstr(vy_buf_c(&r.all), "\"id\":\"evt_"));
	assert_null(strstr(vy_buf_c(&r.all), "\"time\":0,"));
	leave(&r);
	leave(&other);
	leave(&one);
	before = all_since(first);
	end();
	begin();
	after = all_since(first);
	assert_string_equal(before, after);
	free(before);
	free(after);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		T(behind_the_commit),
		T(a_message),
		T(a_private_message),
		T(since),
		T(another_start),
		T(a_commit_that_fails),
		T(a_new_history),
		T(gone),
		T(for_whom),
		T(slow),
		T(records),
		T(providers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

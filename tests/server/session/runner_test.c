/* runner_test.c -- a runner between a driver that only counts and a holder that is played.
 *
 * Each test is a list of what happens; a loop turn, and with it a commit, is run by turn(). What
 * the runner said to the holder and to its owner is one text, compared whole. */
#include <stdlib.h>

#include "server/hub/observe.h"
#include "server/log/log.h"
#include "server/session/runner.h"
#include "shared/base/clock.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "tests/server/session/fake_hold.h"
#include "tests/check.h"

#define SESSION "00000000-0000-4000-8000-000000000001"

static struct {
	struct vy_loop *loop;
	struct log_store *store;
	struct log *log;
	struct runner *runner;
	struct observe *observe; /* NULL: what is said is not shown */
	bool is_freed_when_gone;
	const char *secret; /* NULL: it is not set */
} t;

/* ---- a driver: each line is an event, each command is told as a word ---- */

struct agent {
	int64_t lines;
};

static void driver_line(
	struct agent *a, enum agent_stream stream, struct vy_str line, struct agent_out *out)
{
	(void)stream;
	a->lines++;
	if (vy_str_is(line, "answer me")) {
		vy_buf_adds(&out->tell, "answer\n");
	} else {
		agent_out_add(out, AE_TEXT)->text = vy_arena_str(out->arena, line);
	}
}

static void driver_too_long(
	struct agent *a, int64_t bytes, struct vy_str head, struct agent_out *out)
{
	(void)a;
	(void)bytes;
	(void)head;
	(void)out;
}

static void driver_command(struct agent *a, const struct agent_command *c, struct agent_out *out)
{
	static const char *const words[] = { "hello", "say", "take-back", "interrupt", "answer",
		"checked", "mode", "model", "thinking", "effort", "kill-task", "files", "aside",
		"task-output", "forget", "end" };

	(void)a;
	vy_buf_addf(&out->tell, "%s\n", words[c->kind]);
}

static void driver_exited(struct agent *a, int status, int signo, struct agent_out *out)
{
	(void)a;
	(void)signo;
	if (status == 3) {
		agent_out_add(out, AE_OTHER_WAY)->text = VY_STR_LIT("that session is in use");
	} else if (status) {
		agent_out_add(out, AE_BROKEN)->text = VY_STR_LIT("it crashed");
	}
}

static void driver_encode(const struct agent *a, struct vy_jw *w)
{
	vy_jw_obj(w);
	vy_jw_kint(w, "lines", a->lines);
	vy_jw_end_obj(w);
}

static struct agent *driver_decode(const struct vy_json *v, struct vy_err *e)
{
	struct agent *a = VY_NEW(struct agent);

	(void)e;
	a->lines = vy_json_int(v, "lines", 0);
	return a;
}

static void driver_free(struct agent *a)
{
	free(a);
}

static const struct provider_ops driver = {
	.kind = "test",
	.free = driver_free,
	.line = driver_line,
	.line_too_long = driver_too_long,
	.command = driver_command,
	.exited = driver_exited,
	.encode = driver_encode,
	.decode = driver_decode,
};

/* ---- the owner ---- */

static int on_secret(void *ctx, const char *name, struct vy_buf *out, struct vy_err *e)
{
	(void)ctx;
	vy_buf_addf(&fake_hold_said, "secret %s?\n", name);
	if (!t.secret) {
		return vy_fail(e, VY_NOT_FOUND, "the secret is not set");
	}
	vy_buf_adds(out, t.secret);
	return 0;
}

static void on_started(void *ctx)
{
	(void)ctx;
	vy_buf_adds(&fake_hold_said, "| started\n");
}

static void on_heard(void *ctx, const struct agent_event *ev)
{
	(void)ctx;
	if (ev->kind == AE_OTHER_WAY) {
		vy_buf_adds(&fake_hold_said, "| other way\n");
	} else {
		vy_buf_addf(&fake_hold_said, "| heard %.*s\n", VY_STR_ARG(ev->text));
	}
}

static void on_gone(void *ctx, const char *why)
{
	(void)ctx;
	vy_buf_addf(&fake_hold_said, "| gone \"%s\"\n", why);
	if (t.is_freed_when_gone) {
		runner_free(t.runner);
		t.runner = NULL;
	}
}

static void on_unborn(void *ctx)
{
	(void)ctx;
	vy_buf_adds(&fake_hold_said, "| unborn\n");
}

static const struct runner_ops ops = { .secret = on_secret,
	.started = on_started,
	.heard = on_heard,
	.gone = on_gone,
	.unborn = on_unborn };

static struct runner_conf conf(void)
{
	return (struct runner_conf){ .loop = t.loop,
		.log = t.log,
		.state_dir = "/nonexistent",
		.session = SESSION,
		.observe = t.observe,
		.driver = &driver,
		.ops = &ops };
}

/* ---- moves ---- */

static void stop_loop(void *ctx)
{
	vy_loop_stop(ctx);
}

/* One loop turn: what was deferred runs, what was staged is committed. */
static void turn(void)
{
	vy_loop_defer(t.loop, stop_loop, t.loop);
	vy_loop_run(t.loop);
}

/* Two: what the first commit let go stages once more. */
static void turns(void)
{
	turn();
	turn();
}

static void start(const char *secret_name)
{
	static const char *const argv[] = { "agent", NULL }, *const env[] = { "A=b", NULL };
	struct runner_conf rc = conf();
	struct runner_start rs = { .argv = argv,
		.env = env,
		.cwd = "/",
		.secret_name = secret_name,
		.own_agent = VY_NEW(struct agent) };

	t.runner = runner_new(&rc, &rs);
}

/* To an agent that was greeted: its first tell has arrived. */
static void start_live(void)
{
	start(NULL);
	turns();
	fake_hold_hello(fake_hold_newest(), HOLD_EMPTY, 1);
	fake_hold_started(fake_hold_newest());
	turns();
	fake_hold_inack(fake_hold_newest(), 1);
	turns();
	vy_buf_clear(&fake_hold_said);
}

struct row_copy {
	struct store_row row;
	struct vy_buf hid, token, state, extra;
	size_t n;
};

static struct vy_str keep(struct vy_buf *b, struct vy_str s)
{
	vy_buf_init(b, 1 << 20);
	vy_buf_addstr(b, s);
	return vy_buf_str(b);
}

static bool copy_live(void *ctx, const struct store_row *row)
{
	struct row_copy *c = ctx;

	c->n++;
	c->row = *row;
	c->row.live.session = VY_STR_LIT(SESSION);
	c->row.live.hid = keep(&c->hid, row->live.hid);
	c->row.live.token = keep(&c->token, row->live.token);
	c->row.live.driver_state = keep(&c->state, row->live.driver_state);
	c->row.live.extra = keep(&c->extra, row->live.extra);
	return false;
}

static void copy_free(struct row_copy *c)
{
	if (c->n) {
		vy_buf_fini(&c->hid);
		vy_buf_fini(&c->token);
		vy_buf_fini(&c->state);
		vy_buf_fini(&c->extra);
	}
}

static size_t read_live(struct row_copy *c)
{
	struct store_row like = { .kind = ROW_LIVE };
	struct vy_err e = { 0 };

	*c = (struct row_copy){ 0 };
	assert_int_equal(log_each(t.log, &like, copy_live, c, &e), 0);
	return c->n;
}

static bool count_row(void *ctx, const struct store_row *row)
{
	(void)row;
	++*(size_t *)ctx;
	return true;
}

static size_t tells_stored(void)
{
	struct store_row like = { .kind = ROW_TELL,
		.tell = { .hid = VY_STR_LIT("0000000000000001") } };
	size_t n = 0;

	assert_int_equal(log_each(t.log, &like, count_row, &n, NULL), 0);
	return n;
}

/* vyred dies and another one finds what was committed. */
static void die_and_resume(void)
{
	struct row_copy c;
	struct runner_conf rc = conf();
	struct vy_err e = { 0 };

	runner_free(t.runner);
	assert_int_equal(read_live(&c), 1);
	t.runner = runner_resume(&rc, &c.row.live, &e);
	if (!t.runner) {
		fail_msg("%s", e.text);
	}
	copy_free(&c);
}

static void check_said(const char *want)
{
	check_str("said", vy_buf_c(&fake_hold_said), want);
	vy_buf_clear(&fake_hold_said);
}

static int setup(void **state)
{
	struct vy_err e = { 0 };

	(void)state;
	memset(&t, 0, sizeof(t));
	fake_hold_begin();
	t.loop = vy_loop_new();
	t.store = store_mem_new();
	t.log = log_new(&(struct log_conf){ .loop = t.loop,
				.store = t.store,
				.clock = &vy_clock_real,
				.boot_id = "boot" },
		&e);
	assert_non_null(t.log);
	turns();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	runner_free(t.runner);
	log_free(t.log);
	t.store->ops->close(t.store);
	vy_loop_free(t.loop);
	fake_hold_end();
	return 0;
}

/* ---- tests ---- */

static void a_start_is_committed_first_and_greeted(void **state)
{
	struct row_copy c;

	(void)state;
	start(NULL);
	check_said(""); /* nothing before the row is stored */
	turn();
	assert_int_equal(read_live(&c), 1);
	copy_free(&c);
	fake_hold_hello(fake_hold_newest(), HOLD_EMPTY, 1);
	fake_hold_started(fake_hold_newest());
	check_said("spawn\nstart agent secret=\n| started\n");
	turn();
	check_said("in 1 hello\n");
	fake_hold_line(fake_hold_newest(), "one");
	fake_hold_line(fake_hold_newest(), "answer me");
	check_said("| heard one\n");
	turn();
	check_said("in 2 answer\n");
}

static void nothing_leaves_before_its_commit(void **state)
{
	(void)state;
	start_live();
	store_mem_fail(t.store, 1, 1, VY_IO);
	runner_command(t.runner, &(struct agent_command){ .kind = AC_SAY });
	turn();
	check_said("");
	assert_int_equal(tells_stored(), 0);
	store_mem_fail(t.store, 0, 0, VY_OK);
	log_flush(t.log);
	check_said("in 2 say\n");
}

static void a_secret_is_asked_for_when_it_is_needed(void **state)
{
	(void)state;
	t.secret = "sk";
	start("key");
	turns();
	check_said("spawn\n");
	fake_hold_hello(fake_hold_newest(), HOLD_EMPTY, 1);
	check_said("secret key?\nstart agent secret=sk\n");
}

static void what_an_earlier_vyred_did_not_start_is_asked_for_again(void **state)
{
	(void)state;
	start("key");
	turns();
	die_and_resume();
	fake_hold_hello(fake_hold_newest(), HOLD_EMPTY, 1);
	turn();
	check_said("spawn\nattach 0\n| unborn\nbye\n");
}

static void nor_did_its_holder_ever_come(void **state)
{
	(void)state;
	start(NULL);
	turns();
	die_and_resume();
	fake_hold_lost(fake_hold_newest(), VY_GONE, "nobody is there");
	check_said("spawn\nattach 0\n| unborn\n");
}

static void a_secret_that_is_not_set_is_the_reason(void **state)
{
	(void)state;
	start("key");
	turns();
	fake_hold_hello(fake_hold_newest(), HOLD_EMPTY, 1);
	turn();
	check_said("spawn\nsecret key?\n| gone \"the secret is not set\"\nbye\n");
}

static void what_was_started_is_not_kept_for_a_start(void **state)
{
	struct row_copy c;

	(void)state;
	start_live();
	assert_int_equal(read_live(&c), 1);
	VY_AUTO_JSON *extra = vy_json_parse(c.row.live.extra, NULL);

	assert_null(vy_json_get(extra, "start"));
	assert_true(vy_json_bool(extra, "started", false));
	copy_free(&c);
	die_and_resume();
	fake_hold_hello(fake_hold_newest(), HOLD_EMPTY, 2);
	turn();
	check_said("attach 0\n| gone \"The process that held the agent has lost it.\"\nsignal 9 "
		   "tree\nbye\n");
}

static void ended_before_it_began(void **state)
{
	(void)state;
	start(NULL);
	runner_end(t.runner, 0);
	turns();
	fake_hold_hello(fake_hold_newest(), HOLD_EMPTY, 1);
	turn();
	check_said("spawn\n| gone \"\"\nbye\n");
}

static void an_end_is_said_once(void **state)
{
	(void)state;
	start_live();
	runner_end(t.runner, 60000);
	runner_end(t.runner, 60000);
	turn();
	check_said("in 2 end\nin 3 end of input\n");
	fake_hold_exit(fake_hold_newest(), 1);
	turn();
	/* it was wanted: no reason; what it left running goes with it */
	check_said("| gone \"\"\nsignal 9 tree\nbye\n");
}

static void what_rests_leaves_what_it_left_running(void **state)
{
	(void)state;
	start_live();
	runner_rest(t.runner, 60000);
	turn();
	check_said("in 2 end\nin 3 end of input\n");
	fake_hold_exit(fake_hold_newest(), 0);
	turn();
	check_said("| gone \"\"\nbye\n");
}

static void what_the_holder_has_is_not_sent_again(void **state)
{
	(void)state;
	start_live();
	runner_command(t.runner, &(struct agent_command){ .kind = AC_SAY });
	runner_command(t.runner, &(struct agent_command){ .kind = AC_MODE });
	turn();
	check_said("in 2 say\nin 3 mode\n");
	assert_int_equal(tells_stored(), 2);
	assert_int_equal(runner_next_tell(t.runner), 4);
	assert_int_equal(runner_first_untold(t.runner), 2);
	die_and_resume();
	fake_hold_hello(fake_hold_newest(), HOLD_RUNNING, 3);
	assert_int_equal(runner_first_untold(t.runner), 3);
	check_said("attach 0\nin 3 mode\n");
	turn();
	assert_int_equal(tells_stored(), 1);
	fake_hold_inack(fake_hold_newest(), 3);
	assert_int_equal(runner_first_untold(t.runner), 4);
	turn();
	assert_int_equal(tells_stored(), 0);
}

static void a_crash_between_started_and_its_commit(void **state)
{
	(void)state;
	start(NULL);
	turns();
	die_and_resume();
	fake_hold_hello(fake_hold_newest(), HOLD_RUNNING, 1);
	turn();
	check_said("spawn\nattach 0\n| started\nin 1 hello\n");
}

static void lines_go_on_where_they_were_committed(void **state)
{
	(void)state;
	start_live();
	fake_hold_line(fake_hold_newest(), "one");
	turn();
	check_said("| heard one\n");
	die_and_resume();
	check_said("attach 4\n");
	fake_hold_hello(fake_hold_newest(), HOLD_RUNNING, 2);
	fake_hold_line(fake_hold_newest(), "two");
	check_said("| heard two\n");
}

static void a_holder_that_cannot_be_started_says_why(void **state)
{
	(void)state;
	start(NULL);
	turns();
	fake_hold_lost(fake_hold_newest(), VY_NOT_FOUND, "vyre-holder is not installed");
	check_said("spawn\n| gone \"vyre-holder is not installed\"\n");
}

static void a_holder_that_dies_later_is_lost(void **state)
{
	struct row_copy c;

	(void)state;
	start_live();
	fake_hold_lost(fake_hold_newest(), VY_GONE, "the holder is gone");
	check_said("| gone \"The process that held the agent is gone; what it had not told yet is "
		   "lost.\"\n");
	turn();
	assert_int_equal(read_live(&c), 0);
}

static void the_last_words_are_the_reason(void **state)
{
	(void)state;
	start_live();
	fake_hold_exit(fake_hold_newest(), 1);
	check_said("| gone \"it crashed\"\n");
}

static void the_wrong_way_round_has_words_too(void **state)
{
	(void)state;
	start_live();
	fake_hold_exit(fake_hold_newest(), 3);
	check_said("| other way\n| gone \"that session is in use\"\n");
}

static void nobody_listens_after_the_end(void **state)
{
	(void)state;
	start_live();
	t.is_freed_when_gone = true;
	struct hold *h = fake_hold_newest();

	fake_hold_refused(h, "no");
	check_said("| gone \"no\"\n");
	fake_hold_hello(h, HOLD_RUNNING, 1);
	fake_hold_started(h);
	fake_hold_line(h, "late");
	fake_hold_inack(h, 1);
	fake_hold_exit(h, 0);
	check_said("");
	turn();
	check_said("signal 9 tree\nbye\n");
}

static void a_pause_outlives_the_wait_for_the_holder(void **state)
{
	(void)state;
	start(NULL);
	runner_pause(t.runner, true);
	turns();
	check_said("spawn\npause\n");
}

static void a_row_that_cannot_be_read_is_abandoned(void **state)
{
	struct row_copy c;
	struct runner_conf rc = conf();
	struct vy_err e = { 0 };

	(void)state;
	start_live();
	runner_free(t.runner);
	t.runner = NULL;
	assert_int_equal(read_live(&c), 1);
	c.row.live.extra = VY_STR_LIT("{\"mark\":\"?\"}");
	assert_null(runner_resume(&rc, &c.row.live, &e));
	assert_int_equal(e.code, VY_CORRUPT);
	runner_abandon(t.log, "/nonexistent", &c.row.live);
	copy_free(&c);
	turn();
	assert_int_equal(read_live(&c), 0);
}

static void is_ready(void *ctx)
{
	(void)ctx;
}

/* Both ways, each line once it is on the wire, and another epoch for another vyred's attachment. */
static void what_is_said_can_be_observed(void **state)
{
	struct observe_sub *sub;
	VY_AUTO_BUF got = VY_BUF_INIT(1 << 20);

	(void)state;
	t.observe = observe_new(
		&(struct observe_conf){ .loop = t.loop, .clock = &vy_clock_real, .starts = 1 });
	start_live();
	sub = observe_subscribe(
		t.observe, &(struct observe_open){ .session = SESSION, .ready = is_ready });
	assert_true(observe_next(sub, &got) && !observe_next(sub, &got));
	assert_non_null(strstr(vy_buf_c(&got), "\"dir\":\"out\",\"line\":\"hello\""));
	vy_buf_clear(&got);
	fake_hold_line(fake_hold_newest(), "one");
	runner_command(t.runner, &(struct agent_command){ .kind = AC_SAY });
	assert_true(observe_next(sub, &got) && !observe_next(sub, &got)); /* it has not left yet */
	turns();
	assert_true(observe_next(sub, &got) && !observe_next(sub, &got));
	assert_non_null(strstr(vy_buf_c(&got), "\"dir\":\"in\",\"line\":\"one\""));
	assert_non_null(strstr(vy_buf_c(&got), "\"dir\":\"out\",\"line\":\"say\""));
	assert_null(strstr(vy_buf_c(&got), "\"epoch\":\"1.2\""));
	die_and_resume();
	fake_hold_hello(fake_hold_newest(), HOLD_RUNNING, 3);
	fake_hold_line(fake_hold_newest(), "two");
	assert_true(observe_next(sub, &got) && !observe_next(sub, &got));
	assert_non_null(strstr(vy_buf_c(&got), "\"epoch\":\"1.2\""));
	runner_free(t.runner);
	t.runner = NULL;
	observe_unsubscribe(sub);
	turns();
	observe_free(t.observe);
}

int main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(a_start_is_committed_first_and_greeted),
		T(nothing_leaves_before_its_commit),
		T(what_is_said_can_be_observed),
		T(a_secret_is_asked_for_when_it_is_needed),
		T(a_secret_that_is_not_set_is_the_reason),
		T(what_an_earlier_vyred_did_not_start_is_asked_for_again),
		T(nor_did_its_holder_ever_come),
		T(what_was_started_is_not_kept_for_a_start),
		T(ended_before_it_began),
		T(an_end_is_said_once),
		T(what_rests_leaves_what_it_left_running),
		T(what_the_holder_has_is_not_sent_again),
		T(a_crash_between_started_and_its_commit),
		T(lines_go_on_where_they_were_committed),
		T(a_holder_that_cannot_be_started_says_why),
		T(a_holder_that_dies_later_is_lost),
		T(the_last_words_are_the_reason),
		T(the_wrong_way_round_has_words_too),
		T(nobody_listens_after_the_end),
		T(a_pause_outlives_the_wait_for_the_holder),
		T(a_row_that_cannot_be_read_is_abandoned),
	};

	vy_log_set_level(VY_LOG_NONE);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* link_test.c -- one session's frames, whole and in order, over servers that come and go. */
#include "tui/net/link.h"

#include "tests/check.h"

#include <signal.h>
#include <stdio.h>

#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/frame/frame.h"
#include "tests/tui/net/box.h"
#include "shared/base/ban.h"

struct seen {
	struct vy_buf curs; /* "1 2 3 " */
	struct vy_buf states;
	unsigned snapshots, no_server;
	int64_t snapshot_cur;
	int64_t asked_rows; /* as the server heard it */
	int64_t page_to;    /* of the last older page */
	unsigned pages, no_pages;
	enum link_state state;
	struct vy_err why;
};

static struct seen seen;
static struct link *the_link;

static void on_frame(void *ctx, const struct vy_frame *f)
{
	(void)ctx;
	vy_buf_addf(&seen.curs, "%llu ", (unsigned long long)f->cur);
}

static void on_snapshot(void *ctx, const struct vy_json *snapshot)
{
	(void)ctx;
	seen.snapshots++;
	seen.snapshot_cur = vy_json_int(snapshot, "cur", -1);
	seen.asked_rows = vy_json_int(snapshot, "asked_rows", -1);
}

static void on_older(void *ctx, const struct vy_json *page)
{
	(void)ctx;
	seen.pages += page != NULL;
	seen.no_pages += page == NULL;
	seen.page_to = vy_json_int(page, "asked_to", -1);
}

static void on_state(void *ctx, enum link_state s, const struct vy_err *why)
{
	static const char letters[] = "drlxe"; /* down, replay, live, refused, ended */

	(void)ctx;
	vy_buf_addc(&seen.states,
		s == LINK_DOWN && the_link && link_was_ended(the_link) ? 'E' : letters[s]);
	seen.state = s;
	seen.why = why ? *why : (struct vy_err){ .code = VY_OK };
}

static void on_no_server(void *ctx)
{
	(void)ctx;
	seen.no_server++;
}

static struct link *link_to(struct box *b, const char *session, int64_t from, const char *epoch)
{
	static const struct link_events events = { on_frame, on_snapshot, on_state, on_no_server };
	struct link_conf conf = { .loop = b->loop,
		.dial = b->dial,
		.rpc = b->rpc,
		.clock = &vy_clock_real,
		.session = session,
		.from = from,
		.epoch = epoch,
		.is_from_start = from < 0 };

	vy_buf_fini(&seen.curs);
	vy_buf_fini(&seen.states);
	seen = (struct seen){ .curs = VY_BUF_INIT(VY_MIB), .states = VY_BUF_INIT(VY_KIB) };
	the_link = link_new(&conf, &events, b);
	return the_link;
}

static void end(struct box *b)
{
	link_free(the_link);
	vy_buf_fini(&seen.curs);
	vy_buf_fini(&seen.states);
	box_free(b);
}

static void frame_of(char out[400], int cur)
{
	snprintf(out, 400,
		"{\"v\":1,\"id\":\"f%d\",\"cur\":%d,\"session\":\"s\",\"turn\":null,"
		"\"type\":\"session.text-delta\",\"time\":1,\"corr\":\"c\","
		"\"data\":{\"message\":\"m\",\"index\":0,\"text\":\"%d\"}}",
		cur, cur, cur);
}

static void push_frames(struct box *b, int from, int to)
{
	char frame[400];

	for (int cur = from; cur <= to; cur++) {
		frame_of(frame, cur);
		push(b, frame);
	}
}

static bool is_live(struct box *b)
{
	(void)b;
	return seen.state == LINK_LIVE;
}

static bool is_over(struct box *b)
{
	(void)b;
	return seen.state == LINK_REFUSED || seen.state == LINK_ENDED;
}

static const char *wanted;

static bool has_curs(struct box *b)
{
	(void)b;
	return strcmp(vy_buf_c(&seen.curs), wanted) == 0;
}

static void expect(struct box *b, const char *curs)
{
	wanted = curs;
	if (!run(b, has_curs)) {
		fail_msg("got %s, want %s", vy_buf_c(&seen.curs), curs);
	}
}

static void replay_then_live(void **state)
{
	struct box *b = box_new(true);

	(void)state;
	push_frames(b, 1, 3);
	link_to(b, "s", -1, NULL);
	assert_int_equal(link_state(the_link), LINK_DOWN); /* nothing from inside */
	assert_int_equal(seen.states.len, 0);
	assert_true(run(b, is_live));
	assert_string_equal(vy_buf_c(&seen.curs), "1 2 3 ");
	assert_string_equal(vy_buf_c(&seen.states), "rl");
	push_frames(b, 4, 5);
	expect(b, "1 2 3 4 5 ");
	assert_int_equal(link_last(the_link), 5);
	assert_int_equal(link_down_since_ms(the_link), -1);
	assert_int_equal(seen.snapshots, 0);
	end(b);
}

static void from_a_cursor(void **state)
{
	struct box *b = box_new(true);

	(void)state;
	push_frames(b, 1, 5);
	link_to(b, "s", 3, "epoch-000001");
	expect(b, "4 5 ");
	end(b);
}

/* Killed, and another comes up in its place that holds one more. */
static void a_server_comes_back(void **state)
{
	struct box *b = box_new(true);

	(void)state;
	push_frames(b, 1, 3);
	link_to(b, "s", -1, NULL);
	assert_true(run(b, is_live));
	slay(b);
	rest(b, 100);
	assert_int_equal(link_state(the_link), LINK_DOWN);
	assert_true(link_down_since_ms(the_link) >= 0);
	assert_true(seen.no_server > 0);
	assert_string_equal(vy_buf_c(&seen.curs), "1 2 3 ");
	b->frames = 4; /* the same log, and more */
	serve(b);
	expect(b, "1 2 3 4 ");
	assert_true(is_live(b) || run(b, is_live));
	end(b);
}

static void restarts_are_quiet(void **state)
{
	struct box *b = box_new(true);

	(void)state;
	push_frames(b, 1, 2);
	link_to(b, "s", -1, NULL);
	assert_true(run(b, is_live));
	for (int i = 0; i < 3; i++) {
		struct vy_json *params = vy_json_new_obj();

		vy_json_set_int(params, "code", 1012);
		vy_buf_clear(&seen.states);
		call(b, "close", params, NULL);
		assert_true(is_live(b) || run(b, is_live));
	}
	push_frames(b, 3, 3);
	expect(b, "1 2 3 ");
	end(b);
}

/* A server that said it was ending is not a viewer's to bring back; one that died is. */
static void ended_or_dead(void **state)
{
	struct box *b = box_new(true);
	struct vy_json *params = vy_json_new_obj();

	(void)state;
	push_frames(b, 1, 2);
	link_to(b, "s", -1, NULL);
	assert_true(run(b, is_live));
	assert_false(link_was_ended(the_link));
	vy_json_set_int(params, "code", 1012);
	vy_buf_clear(&seen.states);
	call(b, "close", params, NULL);
	assert_true(is_live(b) || run(b, is_live));
	assert_string_equal(vy_buf_c(&seen.states), "Erl");
	assert_false(link_was_ended(the_link)); /* it is back */
	vy_buf_clear(&seen.states);
	slay(b);
	rest(b, 20);
	assert_null(strchr(vy_buf_c(&seen.states), 'E'));
	end(b);
}

/* Another history: what was held is void, and the snapshot comes first. */
static void another_epoch(void **state)
{
	struct box *b = box_new(true);

	(void)state;
	push_frames(b, 1, 5);
	link_to(b, "s", -1, NULL);
	assert_true(run(b, is_live));
	slay(b);
	rest(b, 20);
	b->epoch = "epoch-000002";
	b->frames = 2;
	serve(b);
	assert_true(is_live(b) || run(b, is_live));
	rest(b, 50);
	assert_true(seen.snapshots > 0);
	assert_int_equal(seen.snapshot_cur, link_last(the_link));
	vy_buf_clear(&seen.curs);
	push_frames(b, 3, 3);
	expect(b, "3 ");
	end(b);
}

static void words_that_expired(void **state)
{
	static const struct link_events events = { on_frame, on_snapshot, on_state, NULL };
	struct box *b = box_new(true);
	struct link_conf conf = { .loop = b->loop,
		.dial = b->dial,
		.rpc = b->rpc,
		.clock = &vy_clock_real,
		.session = "s",
		.from = -1,
		.is_from_start = true,
		.wants_words = true };

	(void)state;
	push_frames(b, 1, 2);
	push(b, "{\"v\":1,\"id\":\"f3\",\"cur\":3,\"session\":\"s\",\"turn\":null,"
		"\"type\":\"session.text-delta\",\"time\":1,\"corr\":null,"
		"\"data\":{\"message\":\"m\",\"index\":0,\"expired\":true}}");
	seen = (struct seen){ .curs = VY_BUF_INIT(VY_MIB), .states = VY_BUF_INIT(VY_KIB) };
	the_link = link_new(&conf, &events, b);
	assert_true(run(b, is_live));
	assert_int_equal(seen.snapshots, 1); /* which has them */
	assert_int_equal(seen.snapshot_cur, 3);
	push_frames(b, 4, 5);
	expect(b, "1 2 4 5 ");
	end(b);
}

static void snapshot_first(void **state)
{
	static const struct link_events events = { on_frame, on_snapshot, on_state, NULL };
	struct box *b = box_new(true);
	struct link_conf conf = { .loop = b->loop,
		.dial = b->dial,
		.rpc = b->rpc,
		.clock = &vy_clock_real,
		.session = "s",
		.from = -1 };

	(void)state;
	push_frames(b, 1, 4);
	seen = (struct seen){ .curs = VY_BUF_INIT(VY_MIB), .states = VY_BUF_INIT(VY_KIB) };
	the_link = link_new(&conf, &events, b);
	assert_true(run(b, is_live));
	assert_int_equal(seen.snapshots, 1);
	assert_int_equal(seen.snapshot_cur, 4);
	assert_string_equal(vy_buf_c(&seen.curs), "");
	push_frames(b, 5, 5);
	expect(b, "5 ");
	end(b);
}

static bool has_page(struct box *b)
{
	(void)b;
	return seen.pages + seen.no_pages > 0;
}

/* Rows are asked for a page at a time, one page at once; who is gone hears of none. */
static void pages(void **state)
{
	static const struct link_events events = { on_frame, on_snapshot, on_state, NULL,
		on_older };
	struct box *b = box_new(true);
	struct link_conf conf = { .loop = b->loop,
		.dial = b->dial,
		.rpc = b->rpc,
		.clock = &vy_clock_real,
		.session = "s",
		.from = -1,
		.rows = 400 };

	(void)state;
	push_frames(b, 1, 4);
	seen = (struct seen){ .curs = VY_BUF_INIT(VY_MIB), .states = VY_BUF_INIT(VY_KIB) };
	the_link = link_new(&conf, &events, b);
	assert_true(run(b, is_live));
	assert_int_equal(seen.asked_rows, 400);
	link_older(the_link, 17);
	link_older(the_link, 99); /* one is on its way */
	assert_true(run(b, has_page));
	assert_int_equal(seen.pages, 1);
	assert_int_equal(seen.page_to, 17);
	link_older(the_link, 5);
	end(b);
	assert_int_equal(seen.pages + seen.no_pages, 1);
}

static void no_for_good(void **state)
{
	struct box *b = box_new(true);

	(void)state;
	link_to(b, "nosuch", -1, NULL);
	assert_true(run(b, is_over));
	assert_int_equal(seen.state, LINK_REFUSED);
	assert_int_equal(seen.why.code, VY_NOT_FOUND);
	assert_string_equal(seen.why.text, "no, and that is final");
	rest(b, 50); /* and is not asked again */
	assert_string_equal(vy_buf_c(&seen.states), "x");
	link_free(the_link);
	link_to(b, "s", -1, NULL);
	assert_true(run(b, is_live));
	struct vy_json *params = vy_json_new_obj();

	vy_json_set_int(params, "code", 4403);
	call(b, "close", params, NULL);
	assert_true(is_over(b) || run(b, is_over));
	assert_int_equal(seen.state, LINK_ENDED);
	end(b);
}

/* What is no frame is never shown; it is asked for again, without a rush. */
static void nonsense(void **state)
{
	struct box *b = box_new(true);
	uint64_t turns;

	(void)state;
	push_frames(b, 1, 1);
	push(b, "{\"v\":1,\"type\":5}");
	link_to(b, "s", -1, NULL);
	expect(b, "1 ");
	rest(b, 100);
	turns = b->turns;
	rest(b, 300);
	assert_true(b->turns - turns < 200);
	assert_string_equal(vy_buf_c(&seen.curs), "1 ");
	assert_int_not_equal(link_state(the_link), LINK_LIVE);
	end(b);
}

static void nobody_there_at_first(void **state)
{
	struct box *b = box_new(false);

	(void)state;
	link_to(b, "s", -1, NULL);
	rest(b, 100);
	assert_true(seen.no_server > 0);
	serve(b);
	assert_true(is_live(b) || run(b, is_live));
	end(b);
}

/* While nothing happens, nobody wakes up; while nobody is there, hardly. */
static void idle(void **state)
{
	struct box *b = box_new(true);
	uint64_t turns;

	(void)state;
	link_to(b, "s", -1, NULL);
	assert_true(run(b, is_live));
	rest(b, 30);
	turns = b->turns;
	rest(b, 200);
	assert_true(b->turns - turns < 10);
	end(b);
}

static void freed_at_any_time(void **state)
{
	struct box *b = box_new(true);

	(void)state;
	push_frames(b, 1, 3);
	for (int ms = 0; ms < 8; ms++) {
		link_to(b, "s", -1, NULL);
		rest(b, ms);
		link_free(the_link);
	}
	the_link = NULL;
	end(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(replay_then_live),
		cmocka_unit_test(from_a_cursor),
		cmocka_unit_test(a_server_comes_back),
		cmocka_unit_test(restarts_are_quiet),
		cmocka_unit_test(ended_or_dead),
		cmocka_unit_test(another_epoch),
		cmocka_unit_test(words_that_expired),
		cmocka_unit_test(snapshot_first),
		cmocka_unit_test(pages),
		cmocka_unit_test(no_for_good),
		cmocka_unit_test(nonsense),
		cmocka_unit_test(nobody_there_at_first),
		cmocka_unit_test(idle),
		cmocka_unit_test(freed_at_any_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

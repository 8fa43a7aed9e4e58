/* snapshot_test.c -- a session in pages: put together again they are the whole, whatever went over
 * the borders. Histories are made at random: turns, tools that end turns later, asks, rewinds,
 * messages that wait. */
#include "server/rpc/rpc.h"

#include <stdlib.h>

#include "server/rpc/handler.h"
#include "server/session/session.h"
#include "shared/base/arena.h"
#include "shared/frame/codec.h"
#include "shared/model/fold.h"
#include "tests/server/session/stand.h"
#include "tests/check.h"

#define OPEN_MAX 8

static struct {
	char id[VY_UUID_LEN + 1];
	uint64_t seed;
	int turn, tool, open[OPEN_MAX], n_open; /* background tools */
	int64_t starts[2000];                   /* of turns: where a rewind may go */
	int n_starts;
} t;

static uint32_t chance(uint32_t below)
{
	t.seed = t.seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(t.seed >> 33) % below;
}

/* ---- frames ---- */

static void put(struct vy_frame *f)
{
	struct vy_err e = { 0 };

	if (log_append(stand.log, t.id, f, &e) != 0) {
		fail_msg("%s", e.text);
	}
}

static struct vy_frame begin(enum vy_kind kind)
{
	struct vy_frame f;

	vy_frame_init(&f, kind);
	return f;
}

static void status(const char *state, int64_t rewound_to)
{
	struct vy_frame f = begin(VY_KIND_STATUS);
	char text[80];

	vy_frame_set_c(&f, VY_F_STATE, state);
	if (rewound_to >= 0) {
		snprintf(text, sizeof(text), "{\"message\":\"m\",\"to\":%lld}",
			(long long)rewound_to);
		vy_frame_set_json(&f, VY_F_REWOUND, vy_str_c(text));
	}
	put(&f);
}

static void said(const char *state)
{
	struct vy_frame f = begin(VY_KIND_USER_MESSAGE);
	char id[40];

	snprintf(id, sizeof(id), "u%d", t.turn);
	vy_frame_set_c(&f, VY_F_MESSAGE, id);
	vy_frame_set_c(&f, VY_F_STATE, state);
	vy_frame_set_c(&f, VY_F_TEXT, "do it");
	put(&f);
}

static void speak(int pieces)
{
	char id[40];

	snprintf(id, sizeof(id), "a%d", t.turn);
	for (int i = 0; i < pieces; i++) {
		struct vy_frame f = begin(VY_KIND_TEXT_DELTA);

		vy_frame_set_c(&f, VY_F_MESSAGE, id);
		vy_frame_set_int(&f, VY_F_INDEX, 0);
		vy_frame_set_c(&f, VY_F_TEXT, "some words ");
		put(&f);
	}
	struct vy_frame f = begin(VY_KIND_TEXT_DONE);

	vy_frame_set_c(&f, VY_F_MESSAGE, id);
	vy_frame_set_int(&f, VY_F_INDEX, 0);
	put(&f);
}

static void tool_start(int n, int parent)
{
	struct vy_frame f = begin(VY_KIND_TOOL_STARTED);
	char id[40], under[40];

	snprintf(id, sizeof(id), "t%d", n);
	snprintf(under, sizeof(under), "t%d", parent);
	vy_frame_set_c(&f, VY_F_TOOL_ID, id);
	vy_frame_set_c(&f, VY_F_TOOL, "Bash");
	vy_frame_set_c(&f, VY_F_KIND, "shell");
	vy_frame_set_c(&f, VY_F_SUMMARY, "ls");
	if (parent >= 0) {
		vy_frame_set_c(&f, VY_F_PARENT_TOOL, under);
	}
	put(&f);
}

static void tool_end(int n)
{
	struct vy_frame f = begin(VY_KIND_TOOL_FINISHED);
	char id[40];

	snprintf(id, sizeof(id), "t%d", n);
	vy_frame_set_c(&f, VY_F_TOOL_ID, id);
	vy_frame_set_bool(&f, VY_F_OK, true);
	vy_frame_set_c(&f, VY_F_STATUS, "completed");
	vy_frame_set_json(&f, VY_F_RESULT, VY_STR_LIT("{\"type\":\"text\",\"text\":\"done\"}"));
	put(&f);
}

/* A tool that stays behind its turn; or one that ends now, perhaps turns later. */
static void behind(void)
{
	if (t.n_open < OPEN_MAX && chance(12) == 0) {
		t.open[t.n_open++] = t.tool;
		tool_start(t.tool++, -1);
	}
	if (t.n_open && chance(12) == 0) {
		if (chance(2)) {
			tool_start(t.tool, t.open[0]);
			tool_end(t.tool++);
		}
		tool_end(t.open[0]);
		t.open[0] = t.open[--t.n_open];
	}
}

static void a_turn(void)
{
	bool waited = chance(6) == 0;

	t.turn++;
	t.starts[t.n_starts++] = log_staged(stand.log, t.id);
	if (waited) {
		said("queued");
		t.turn++;
		said("sent");
		status("working", -1);
		speak(1);
		status("waiting", -1);
		t.turn--;
	}
	said(waited ? "picked-up" : "sent");
	status("working", -1);
	behind();
	speak(1 + (int)chance(4));
	if (chance(3) == 0) {
		tool_start(t.tool, -1);
		tool_end(t.tool++);
	}
	t.turn += waited;
	status("waiting", -1);
	if (chance(40) == 0) {
		status("waiting", t.starts[t.n_starts - 1 - (int)chance(t.n_starts > 9 ? 9 : 1)]);
	}
}

static void write_history(int turns)
{
	for (int i = 0; i < turns; i++) {
		a_turn();
		if (i % 50 == 0) {
			stand_turn();
		}
	}
	while (t.n_open) { /* what the session knows to be open is nothing */
		tool_end(t.open[--t.n_open]);
	}
	status("waiting", -1);
	log_flush(stand.log);
}

/* ---- snapshots ---- */

static struct vy_json *take(int64_t rows, int64_t to)
{
	struct rpc_conf house = { .log = stand.log, .table = stand.table };
	struct caller ana = { .kind = CALLER_PERSON, .person = "ana", .device = "local" };
	VY_AUTO_BUF out = VY_BUF_INIT(64 << 20);
	struct vy_err e = { 0 };
	struct rpc_snapshot_ask ask = { t.id, rows, to };

	if (rpc_snapshot_of(&house, &ana, &ask, &out, &e) != 0) {
		fail_msg("%s", e.text);
	}
	struct vy_json *v = vy_json_parse(vy_buf_str(&out), &e);

	assert_non_null(v);
	return v;
}

static struct vy_fold *load(int64_t rows)
{
	VY_AUTO_JSON *v = take(rows, 0);
	struct vy_fold *f = vy_fold_new();
	struct vy_err e = { 0 };

	if (vy_fold_load(f, v, &e) != 0) {
		fail_msg("%s", e.text);
	}
	return f;
}

static char *row_text(const struct vy_row *row)
{
	VY_AUTO_BUF b = VY_BUF_INIT(1 << 20);
	struct vy_jw w = VY_JW(&b);
	struct vy_row plain = *row;

	if (row->kind == VY_ROW_MESSAGE && row->message.is_user) {
		plain.first = 0; /* a page may begin between its queueing and its being taken */
		plain.time = plain.message.queued_at = 0;
	}
	vy_row_encode(&plain, &w);
	return vy_buf_take(&b, NULL);
}

/* The last rows of `whole` are the rows of `part`. */
static void check_end(const struct vy_fold *whole, const struct vy_fold *part)
{
	size_t n = vy_fold_len(part), from = vy_fold_len(whole) - n;

	assert_true(n <= vy_fold_len(whole));
	for (size_t i = 0; i < n; i++) {
		char *want = row_text(vy_fold_row(whole, from + i));
		char *have = row_text(vy_fold_row(part, i));

		check_str("row", have, want);
		free(want);
		free(have);
	}
}

static void check_pages(int64_t rows)
{
	struct vy_fold *whole = load(0), *paged = load(rows);
	struct vy_err e = { 0 };
	int pages = 1;

	assert_int_equal(vy_fold_older(whole), 0);
	check_end(whole, paged);
	while (vy_fold_older(paged)) {
		VY_AUTO_JSON *page = take(rows, (int64_t)vy_fold_older(paged));

		if (vy_fold_load_older(paged, page, &e) != 0) {
			fail_msg("%s", e.text);
		}
		check_end(whole, paged);
		pages++;
	}
	assert_int_equal(vy_fold_len(paged), vy_fold_len(whole));
	assert_int_equal(vy_fold_state(paged)->running, vy_fold_state(whole)->running);
	assert_true(pages > 3);
	vy_fold_free(whole);
	vy_fold_free(paged);
}

static void pages_make_the_whole(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		memset(&t, 0, sizeof(t));
		t.seed = seed;
		snprintf(t.id, sizeof(t.id), "%s", session_id(stand_session()));
		write_history(1200);
		check_pages(100);
		check_pages(600);
	}
}

/* A short session comes whole, however few rows were asked for. */
static void a_short_session_has_no_pages(void **state)
{
	(void)state;
	memset(&t, 0, sizeof(t));
	snprintf(t.id, sizeof(t.id), "%s", session_id(stand_session()));
	write_history(3);
	struct vy_fold *whole = load(0), *paged = load(1000);

	assert_int_equal(vy_fold_older(paged), 0);
	assert_int_equal(vy_fold_len(paged), vy_fold_len(whole));
	check_end(whole, paged);
	vy_fold_free(whole);
	vy_fold_free(paged);
}

/* What goes on over every border near the end: then the page is as long as it must be. */
static void what_is_open_is_there(void **state)
{
	(void)state;
	memset(&t, 0, sizeof(t));
	snprintf(t.id, sizeof(t.id), "%s", session_id(stand_session()));
	tool_start(9999, -1);
	write_history(1200);
	tool_end(9999);
	status("waiting", -1);
	log_flush(stand.log);
	struct vy_fold *whole = load(0), *paged = load(100);

	check_end(whole, paged);
	assert_int_equal(vy_fold_state(paged)->running, 0);
	while (vy_fold_older(paged)) {
		VY_AUTO_JSON *page = take(100, (int64_t)vy_fold_older(paged));
		struct vy_err e = { 0 };

		assert_int_equal(vy_fold_load_older(paged, page, &e), 0);
	}
	check_end(whole, paged);
	assert_int_equal(vy_fold_len(paged), vy_fold_len(whole));
	vy_fold_free(whole);
	vy_fold_free(paged);
}

static int setup(void **state)
{
	(void)state;
	stand_open();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	log_settle(stand.log);
	stand_close();
	return 0;
}

int main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = { T(pages_make_the_whole),
		T(a_short_session_has_no_pages), T(what_is_open_is_there) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

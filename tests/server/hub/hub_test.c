/* hub_test.c -- fast, slow, late and leaving viewers: each sees every frame once, or a reset. */
#include "server/hub/hub.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "server/hub/page.h"
#include "server/log/log.h"
#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/clock.h"
#include "shared/base/hash.h"
#include "shared/base/log.h"
#include "shared/frame/check.h"
#include "shared/frame/codec.h"
#include "shared/frame/frame.h"
#include "shared/io/loop.h"
#include "tests/server/loop_turn.h"
#include "shared/base/ban.h"

#define S(lit)  VY_STR_LIT(lit)
#define NO_ROOM SIZE_MAX

static struct {
	struct vy_loop *loop;
	struct log_store *store;
	struct log *log;
	struct hub *hub;
	struct vy_buf said;
	int seals;
} t;

static void open_with(struct log_conf conf)
{
	memset(&t, 0, sizeof(t));
	vy_buf_init(&t.said, 1 << 20);
	t.loop = vy_loop_new();
	t.store = store_mem_new();
	conf.store = t.store;
	conf.clock = &vy_clock_real;
	conf.boot_id = "boot";
	t.log = log_new(&conf, NULL);
	assert_non_null(t.log);
	t.hub = hub_new(t.log, t.loop);
	log_flush(t.log);
}

static int setup(void **state)
{
	(void)state;
	open_with((struct log_conf){ 0 });
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	hub_free(t.hub);
	log_free(t.log);
	t.store->ops->close(t.store);
	vy_loop_free(t.loop);
	vy_buf_fini(&t.said);
	return 0;
}

/* One turn of the loop: what was deferred comes. */
static void turn(void)
{
	loop_turn(t.loop);
}

static void say(const char *session, const char *text)
{
	struct vy_err e = { 0 };
	struct vy_frame f;

	vy_frame_init(&f, VY_KIND_TEXT_DELTA);
	f.author = S("model:demo");
	vy_frame_set_c(&f, VY_F_MESSAGE, "m1");
	vy_frame_set_int(&f, VY_F_INDEX, 0);
	vy_frame_set_c(&f, VY_F_TEXT, text);
	if (log_append(t.log, session, &f, &e) < 0) {
		fail_msg("%s", e.text);
	}
}

static void say_n(const char *session, int n)
{
	char text[16];

	for (int i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "%d.", (int)log_staged(t.log, session) + 1);
		say(session, text);
	}
	log_flush(t.log);
}

/* ---- a viewer ---- */

struct viewer {
	struct hub_sub *sub;
	int readies;
};

static void on_ready(void *ctx)
{
	((struct viewer *)ctx)->readies++;
}

static void join_as(
	struct viewer *v, const char *session, int64_t from, bool is_merged, const char *name)
{
	v->readies = 0;
	v->sub = hub_subscribe(t.hub, &(struct hub_open){ .session = session,
					      .viewer = name,
					      .from = from,
					      .is_merged = is_merged,
					      .is_counted = true,
					      .ready = on_ready,
					      .ctx = v });
}

static void join(struct viewer *v, int64_t from)
{
	join_as(v, "s", from, false, "person:ann");
}

/* What one item says, in a word: "3" "1-5" "beat3" "reset:behind" "typing". */
static void describe(const struct hub_item *it, struct vy_buf *out)
{
	struct vy_arena a;
	struct vy_frame f;
	struct vy_err e = { 0 };

	vy_arena_init(&a);
	if (vy_frame_decode(frame_ref_str(it->frame), &a, &f, &e) < 0 ||
		vy_frame_check(&f, &e) < 0) {
		fail_msg("%s", e.text);
	}
	assert_int_equal(f.cur, it->frame->cur);
	assert_int_equal(f.span, it->frame->span);
	switch (it->kind) {
	case HUB_FRAME:
		if (f.span > 1) {
			vy_buf_addf(out, "%d-%d ", (int)vy_frame_first(&f), (int)f.cur);
		} else {
			vy_buf_addf(out, "%d ", (int)f.cur);
		}
		break;
	case HUB_HEARTBEAT:
		vy_buf_addf(out, "beat%d ", (int)vy_frame_int(&f, VY_F_HEAD, -1));
		break;
	case HUB_RESET:
		vy_buf_addf(out, "reset:%.*s(%d,%d) ", VY_STR_ARG(vy_frame_str(&f, VY_F_REASON)),
			(int)vy_frame_int(&f, VY_F_FLOOR, -1),
			(int)vy_frame_int(&f, VY_F_HEAD, -1));
		break;
	case HUB_EPHEMERAL:
		vy_buf_addf(out, "%.*s ", VY_STR_ARG(vy_frame_str(&f, VY_F_STATE)));
		break;
	}
	vy_arena_fini(&a);
}

/* Takes up to `most` items and checks what they were; ends with what hub_next said last. */
static void check_at(int line, struct viewer *v, int most, const char *want)
{
	VY_AUTO_BUF got = VY_BUF_INIT(1 << 20);
	struct hub_item it;
	enum hub_got rc = HUB_EMPTY;

	while (most-- > 0 && (rc = hub_next(v->sub, NO_ROOM, &it)) == HUB_ITEM) {
		describe(&it, &got);
		hub_item_done(&it);
	}
	if (rc == HUB_EMPTY) {
		vy_buf_adds(&got, "-");
	} else if (rc == HUB_CLOSED) {
		vy_buf_addf(&got, "closed%d", hub_code(v->sub));
	}
	if (strcmp(vy_buf_c(&got), want) != 0) {
		fail_msg("line %d:\n got  %s\n want %s", line, vy_buf_c(&got), want);
	}
}
#define check(v, most, want) check_at(__LINE__, v, most, want)

/* ---- replay and live ---- */

static void test_replay_then_live(void **state)
{
	struct viewer v;

	(void)state;
	say_n("s", 3);
	join(&v, 1);
	assert_int_equal(v.readies, 0); /* never from inside the call */
	turn();
	assert_int_equal(v.readies, 1);
	check(&v, 99, "2 3 beat3 -");
	say_n("s", 2);
	assert_int_equal(v.readies, 2);
	check(&v, 99, "4 5 -");
	assert_int_equal(hub_cursor(v.sub), 5);
	hub_unsubscribe(v.sub);
}

static void test_the_join_has_no_gap(void **state)
{
	struct viewer v;

	(void)state;
	say_n("s", 3);
	say("s", "staged"); /* not committed when the viewer comes */
	join(&v, 0);
	turn();
	check(&v, 2, "1 2 ");
	log_flush(t.log);
	assert_int_equal(v.readies, 1); /* it is not dry: it asks by itself */
	check(&v, 99, "3 4 beat4 -");
	hub_unsubscribe(v.sub);
}

static void test_where_one_may_begin(void **state)
{
	static const struct {
		const char *name;
		int64_t from;
		const char *epoch; /* "": the right one */
		const char *want;
	} rows[] = {
		{ "nothing held yet", HUB_NO_CURSOR, NULL,
			"41 42 43 44 45 46 47 48 49 50 beat50 -" },
		{ "just before the floor", 40, NULL, "41 42 43 44 45 46 47 48 49 50 beat50 -" },
		{ "one too old", 39, NULL, "reset:behind(41,50) closed1000" },
		{ "from the start", 0, NULL, "reset:behind(41,50) closed1000" },
		{ "in the middle", 47, "", "48 49 50 beat50 -" },
		{ "at the head", 50, "", "beat50 -" },
		{ "past the head", 51, "", "reset:ahead(41,50) closed1000" },
		{ "another history", 47, "notthisepoch", "reset:epoch(41,50) closed1000" },
		{ "nothing held, another history", HUB_NO_CURSOR, "notthisepoch",
			"41 42 43 44 45 46 47 48 49 50 beat50 -" },
	};

	(void)state;
	say_n("s", 50);
	assert_int_equal(t.store->ops->begin(t.store, NULL), 0);
	assert_int_equal(t.store->ops->trim(t.store, S("s"), 41, NULL), 0);
	assert_int_equal(t.store->ops->commit(t.store, NULL), 0);
	hub_free(t.hub);
	log_free(t.log);
	t.log = log_new(
		&(struct log_conf){ .store = t.store, .clock = &vy_clock_real, .boot_id = "boot" },
		NULL);
	t.hub = hub_new(t.log, t.loop);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct viewer v = { 0 };
		const char *epoch = rows[i].epoch;

		v.sub = hub_subscribe(
			t.hub, &(struct hub_open){ .session = "s",
				       .viewer = "v",
				       .from = rows[i].from,
				       .epoch = epoch && !*epoch ? log_epoch(t.log) : epoch,
				       .ready = on_ready,
				       .ctx = &v });
		turn();
		print_message("%s\n", rows[i].name);
		assert_int_equal(v.readies, 1);
		check(&v, 99, rows[i].want);
		hub_unsubscribe(v.sub);
	}
}

static void test_an_empty_session(void **state)
{
	struct viewer a, b;

	(void)state;
	join(&a, HUB_NO_CURSOR);
	join(&b, 0);
	turn();
	check(&a, 9, "beat0 -");
	check(&b, 9, "beat0 -");
	say_n("s", 1);
	check(&a, 9, "1 -");
	check(&b, 9, "1 -");
	hub_unsubscribe(a.sub);
	hub_unsubscribe(b.sub);
}

static void test_sessions_do_not_mix(void **state)
{
	struct viewer a, b;

	(void)state;
	join_as(&a, "s", 0, false, "v");
	join_as(&b, "other", 0, false, "v");
	turn();
	check(&a, 9, "beat0 -");
	check(&b, 9, "beat0 -");
	say_n("s", 1);
	assert_int_equal(a.readies, 2);
	assert_int_equal(b.readies, 1);
	check(&b, 9, "-");
	hub_unsubscribe(a.sub);
	hub_unsubscribe(b.sub);
}

static void test_ready_comes_once_until_dry(void **state)
{
	struct viewer v;

	(void)state;
	join(&v, 0);
	turn();
	check(&v, 9, "beat0 -");
	say_n("s", 1);
	say_n("s", 1);
	say_n("s", 1);
	assert_int_equal(v.readies, 2); /* the second: one for all three */
	check(&v, 9, "1 2 3 -");
	say_n("s", 1);
	assert_int_equal(v.readies, 3);
	hub_unsubscribe(v.sub);
}

static void test_room(void **state)
{
	struct viewer v;
	struct hub_item it;
	size_t len;

	(void)state;
	say_n("s", 2);
	join(&v, 0);
	turn();
	assert_int_equal(hub_next(v.sub, 10, &it), HUB_LARGE);
	assert_int_equal(hub_cursor(v.sub), 0);
	assert_int_equal(hub_next(v.sub, NO_ROOM, &it), HUB_ITEM);
	len = it.frame->len;
	hub_item_done(&it);
	assert_int_equal(hub_next(v.sub, len - 1, &it), HUB_LARGE);
	assert_int_equal(hub_next(v.sub, len, &it), HUB_ITEM);
	assert_int_equal(it.frame->cur, 2);
	hub_item_done(&it);
	hub_unsubscribe(v.sub);
}

/* ---- merging ---- */

static void test_replay_may_merge_live_never(void **state)
{
	struct viewer v, plain;

	(void)state;
	say_n("s", 5);
	join_as(&v, "s", 0, true, "v");
	join(&plain, 0);
	say_n("s", 2); /* after they joined: live */
	turn();
	check(&v, 99, "1-5 6 7 beat7 -");
	check(&plain, 99, "1 2 3 4 5 6 7 beat7 -");
	say_n("s", 2);
	check(&v, 99, "8 9 -");
	hub_unsubscribe(v.sub);
	join_as(&v, "s", 8, true, "v");
	turn();
	check(&v, 99, "9 beat9 -"); /* a run of one is the frame itself */
	hub_unsubscribe(v.sub);
	hub_unsubscribe(plain.sub);
}

/* ---- slow ones ---- */

static void test_a_slow_viewer_costs_nothing_and_is_caught_up(void **state)
{
	struct viewer slow, merged;
	int64_t last = 0;
	struct hub_item it;
	size_t items = 0;

	(void)state;
	join(&slow, 0);
	join_as(&merged, "s", 0, true, "v");
	turn();
	check(&slow, 99, "beat0 -");
	check(&merged, 99, "beat0 -");
	for (int i = 0; i < 100; i++) {
		say_n("s", 10);
	}
	assert_int_equal(slow.readies, 2);
	while (hub_next(slow.sub, NO_ROOM, &it) == HUB_ITEM) {
		assert_int_equal(it.frame->cur, last + 1);
		last = it.frame->cur;
		hub_item_done(&it);
	}
	assert_int_equal(last, 1000);
	for (last = 0; hub_next(merged.sub, NO_ROOM, &it) == HUB_ITEM; items++) {
		assert_int_equal(it.frame->cur - it.frame->span, last);
		last = it.frame->cur;
		hub_item_done(&it);
	}
	assert_int_equal(last, 1000);
	assert_true(items < 20); /* so far behind is replay */
	hub_unsubscribe(slow.sub);
	hub_unsubscribe(merged.sub);
}

static void test_one_too_slow_is_reset(void **state)
{
	struct viewer v;

	(void)state;
	teardown(NULL);
	open_with((struct log_conf){ .retain_frames = 100, .ring_frames = 50 });
	join(&v, 0);
	turn();
	check(&v, 99, "beat0 -");
	say_n("s", 3);
	check(&v, 1, "1 "); /* holds a page of three */
	for (int i = 0; i < 100; i++) {
		say_n("s", 10);
	}
	assert_true(log_floor(t.log, "s") > 100);
	check(&v, 2, "2 3 ");
	{
		char want[64];

		snprintf(want, sizeof(want), "reset:behind(%d,1003) closed1000",
			(int)log_floor(t.log, "s"));
		check(&v, 99, want);
	}
	hub_unsubscribe(v.sub);
}

/* ---- what is not logged ---- */

static void typing(const char *who, const char *what, const char *only)
{
	VY_AUTO_BUF line = VY_BUF_INIT(4096);
	struct vy_frame f;

	vy_frame_init(&f, VY_KIND_PRESENCE);
	f.session = S("s");
	vy_frame_set_c(&f, VY_F_WHO, who);
	vy_frame_set_c(&f, VY_F_STATE, what);
	assert_true(vy_frame_encode(&f, &line));
	hub_ephemeral(t.hub, "s", who, vy_buf_str(&line), only);
}

static void test_ephemeral_frames(void **state)
{
	struct viewer a, b;

	(void)state;
	join_as(&a, "s", 0, false, "person:ann");
	join_as(&b, "s", 0, false, "person:bob");
	turn();
	check(&a, 9, "beat0 -");
	check(&b, 9, "beat0 -");
	typing("person:bob", "typing", NULL);
	typing("person:cyd", "typing", "person:ann");
	typing("person:bob", "idle", NULL); /* replaces his first */
	assert_int_equal(a.readies, 1);
	turn();
	assert_int_equal(a.readies, 2);
	check(&a, 9, "typing idle -");
	check(&b, 9, "idle -");
	assert_int_equal(hub_cursor(a.sub), 0);
	for (int i = 0; i < 1000; i++) { /* bounded, whoever sleeps */
		char who[32];

		snprintf(who, sizeof(who), "person:%d", i);
		typing(who, "typing", "person:ann");
	}
	for (int i = 0; i < HUB_LIVE_MAX; i++) {
		check(&a, 1, "typing ");
	}
	check(&a, 9, "-");
	hub_ephemeral(t.hub, "nobody looks", "k", S("{}"), NULL);
	hub_unsubscribe(a.sub);
	hub_unsubscribe(b.sub);
}

/* ---- the door out ---- */

static struct frame_ref *seal(void *ctx, const char *viewer, struct frame_ref *f)
{
	struct vy_frame hidden;
	VY_AUTO_BUF line = VY_BUF_INIT(4096);

	(void)ctx;
	t.seals++;
	if (strcmp(viewer, "person:bob") != 0 || f->cur != 2) {
		return frame_ref(f);
	}
	vy_frame_init(&hidden, VY_KIND_HIDDEN);
	hidden.cur = (uint64_t)f->cur;
	hidden.id = S("h");
	hidden.session = S("s");
	hidden.time = 1;
	assert_true(vy_frame_encode(&hidden, &line));
	return frame_ref_new(f->cur, 1, vy_buf_str(&line));
}

static void test_every_frame_passes_the_seal(void **state)
{
	struct viewer a, b;
	struct hub_item it;

	(void)state;
	hub_on_seal(t.hub, seal, NULL);
	say_n("s", 3);
	join_as(&a, "s", 0, false, "person:ann");
	join_as(&b, "s", 0, false, "person:bob");
	turn();
	assert_int_equal(hub_next(b.sub, 10, &it), HUB_LARGE);
	assert_int_equal(hub_next(b.sub, 10, &it), HUB_LARGE);
	assert_int_equal(t.seals, 1); /* drawn once */
	check(&b, 1, "1 ");
	assert_int_equal(hub_next(b.sub, NO_ROOM, &it), HUB_ITEM);
	assert_non_null(strstr(it.frame->bytes, "session.hidden"));
	hub_item_done(&it);
	check(&b, 9, "3 beat3 -");
	check(&a, 9, "1 2 3 beat3 -");
	assert_int_equal(t.seals, 6);
	hub_unsubscribe(a.sub);
	hub_unsubscribe(b.sub);
}

/* ---- a log that was made again ---- */

static void forget_all(void)
{
	struct store_bounds b;

	hub_free(t.hub);
	log_free(t.log);
	assert_int_equal(t.store->ops->bounds(t.store, S("s"), &b, NULL), 0);
	assert_int_equal(t.store->ops->begin(t.store, NULL), 0);
	assert_int_equal(t.store->ops->trim(t.store, S("s"), b.head + 1, NULL), 0);
	assert_int_equal(t.store->ops->commit(t.store, NULL), 0);
	struct log_conf conf = { .store = t.store, .clock = &vy_clock_real, .boot_id = "boot" };

	t.log = log_new(&conf, NULL);
	t.hub = hub_new(t.log, t.loop);
	log_flush(t.log);
}

static void status(const char *state)
{
	struct vy_frame f;

	vy_frame_init(&f, VY_KIND_STATUS);
	vy_frame_set_c(&f, VY_F_STATE, state);
	assert_int_equal(log_append(t.log, "s", &f, NULL), 0);
	log_flush(t.log);
}

/* Who holds all goes on, who holds nothing gets all there is; in between cursors may stand beside their old
 * places, so who holds one of those begins anew. */
static void test_a_log_made_again(void **state)
{
	static const struct {
		const char *name;
		int64_t from;
		const char *want;
	} rows[] = {
		{ "nothing held", HUB_NO_CURSOR, "1 2 3 4 5 beat5 -" },
		{ "from the start", 0, "1 2 3 4 5 beat5 -" },
		{ "one of those", 2, "reset:behind(1,5) closed1000" },
		{ "the last but one", 4, "reset:behind(1,5) closed1000" },
		{ "the last", 5, "beat5 -" },
		{ "ahead", 6, "reset:ahead(1,5) closed1000" },
	};

	(void)state;
	for (int i = 0; i < 5; i++) {
		status(i % 2 ? "waiting" : "working");
	}
	forget_all();
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct viewer v;

		join_as(&v, "s", rows[i].from, false, "person:ann");
		check(&v, 9, rows[i].want);
		hub_unsubscribe(v.sub);
	}
	struct viewer v;

	join_as(&v, "s", 0, false, "person:ann");
	check(&v, 9, "1 2 3 4 5 beat5 -");
	status("working"); /* and what is live comes behind */
	turn();
	check(&v, 9, "6 -");
	hub_unsubscribe(v.sub);
}

/* ---- ends ---- */

static void test_closing(void **state)
{
	struct viewer a, b, other;

	(void)state;
	say_n("s", 3);
	say_n("other", 1);
	join_as(&a, "s", 0, false, "person:ann");
	join_as(&b, "s", 0, false, "person:bob");
	join_as(&other, "other", 0, false, "person:ann");
	turn();
	check(&a, 1, "1 ");
	check(&b, 9, "1 2 3 beat3 -");
	hub_close_session(t.hub, "s", "person:ann", HUB_ACCESS_ENDED);
	check(&a, 9, "closed4403"); /* before the next frame leaves */
	say_n("s", 1);
	check(&b, 9, "4 -");
	check(&other, 9, "1 beat1 -");
	assert_int_equal(b.readies, 2);
	hub_close_all(t.hub, HUB_RESTARTING);
	turn();
	assert_int_equal(b.readies, 3);
	check(&a, 9, "closed4403"); /* the first reason stays */
	check(&b, 9, "closed1012");
	check(&other, 9, "closed1012");
	say_n("s", 1);
	hub_unsubscribe(a.sub);
	hub_unsubscribe(b.sub);
	hub_unsubscribe(other.sub);
	hub_unsubscribe(NULL);
}

/* A ready that ends all others, itself too: nobody is called after that. */
static struct viewer chorus[5];

static void end_all(void *ctx)
{
	(void)ctx;
	t.seals++;
	for (size_t i = 0; i < VY_COUNT(chorus); i++) {
		hub_unsubscribe(chorus[i].sub);
		chorus[i].sub = NULL;
	}
}

static void test_ready_may_end_anybody(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(chorus); i++) {
		chorus[i].sub =
			hub_subscribe(t.hub, &(struct hub_open){ .session = i % 2 ? "s" : "other",
						     .viewer = "v",
						     .ready = end_all });
	}
	turn();
	assert_int_equal(t.seals, 1);
	for (size_t i = 0; i < VY_COUNT(chorus); i++) {
		chorus[i].sub = hub_subscribe(t.hub, &(struct hub_open){ .session = "s",
							     .viewer = "v",
							     .ready = on_ready,
							     .ctx = &chorus[i] });
	}
	turn();
	for (size_t i = 0; i < VY_COUNT(chorus); i++) {
		check(&chorus[i], 9, "beat0 -");
	}
	end_all(NULL);
	say_n("s", 1);
	turn();
}

static void on_viewers(void *ctx, const char *session, int viewers)
{
	(void)ctx;
	vy_buf_addf(&t.said, "%s=%d ", session, viewers);
}

static void test_viewers_are_counted(void **state)
{
	struct viewer a, b;
	struct hub_sub *tool;

	(void)state;
	hub_on_viewers(t.hub, on_viewers, NULL);
	join(&a, 0);
	join(&b, 0);
	tool = hub_subscribe(
		t.hub, &(struct hub_open){ .session = "s", .ready = on_ready, .ctx = &a });
	assert_int_equal(hub_viewers(t.hub, "s"), 2);
	assert_int_equal(hub_viewers(t.hub, "other"), 0);
	hub_unsubscribe(a.sub);
	hub_unsubscribe(tool);
	hub_unsubscribe(b.sub);
	assert_int_equal(hub_viewers(t.hub, "s"), 0);
	assert_string_equal(vy_buf_c(&t.said), "s=1 s=2 s=1 s=0 ");
}

/* ---- any order of everything ---- */

/* An agent's stream has no gap where something private stands, and nothing of it. */
static void test_private(void **state)
{
	struct viewer v = { 0 };
	struct hub_item it;
	struct vy_frame f;
	struct vy_err e = { 0 };

	(void)state;
	say_n("s", 1);
	vy_frame_init(&f, VY_KIND_USER_MESSAGE);
	f.author = S("person:ann");
	vy_frame_set_c(&f, VY_F_MESSAGE, "p");
	vy_frame_set_c(&f, VY_F_STATE, "sent");
	vy_frame_set_json(&f, VY_F_ENC, S("{\"ct\":\"planted\"}"));
	assert_int_equal(log_append(t.log, "s", &f, &e), 0);
	log_flush(t.log);
	v.sub = hub_subscribe(t.hub, &(struct hub_open){ .session = "s",
					     .from = 1,
					     .is_agent = true,
					     .ready = on_ready,
					     .ctx = &v });
	assert_int_equal(hub_next(v.sub, NO_ROOM, &it), HUB_ITEM);
	assert_int_equal(it.frame->cur, 2);
	assert_non_null(memmem(it.frame->bytes, it.frame->len, "session.hidden", 14));
	assert_null(memmem(it.frame->bytes, it.frame->len, "planted", 7));
	hub_item_done(&it);
	check(&v, 99, "beat2 -");
	hub_unsubscribe(v.sub);
	join(&v, 1);
	assert_int_equal(hub_next(v.sub, NO_ROOM, &it), HUB_ITEM);
	assert_non_null(memmem(it.frame->bytes, it.frame->len, "planted", 7));
	hub_item_done(&it);
	hub_unsubscribe(v.sub);
}

enum { CROWD = 8, STEPS = 3000 };

/* The same throws in every run, so that what fails once fails again. */
static void throw_dice(uint8_t d[4])
{
	static uint64_t x = 88172645463325252u;

	for (int i = 0; i < 4; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		d[i] = (uint8_t)(x >> 32);
	}
}

static int64_t head_of(const struct frame_ref *heartbeat)
{
	struct vy_arena a;
	struct vy_frame f;
	int64_t head;

	vy_arena_init(&a);
	assert_int_equal(vy_frame_decode(frame_ref_str(heartbeat), &a, &f, NULL), 0);
	head = vy_frame_int(&f, VY_F_HEAD, -1);
	vy_arena_fini(&a);
	return head;
}

static void test_random(void **state)
{
	struct viewer crowd[CROWD] = { 0 };
	int64_t last[CROWD] = { 0 };
	long seen = 0, resets = 0;

	(void)state;
	teardown(NULL);
	open_with((struct log_conf){ .retain_frames = 300, .ring_frames = 40 });
	for (int step = 0; step < STEPS; step++) {
		uint8_t d[4];
		int i;

		throw_dice(d);
		i = d[0] % CROWD;
		if (d[1] < 60) {
			say_n("s", 1 + d[2] % (d[3] < 10 ? 60 : 4));
		} else if (!crowd[i].sub) {
			int64_t floor = log_floor(t.log, "s"), head = log_head(t.log, "s");
			int64_t from =
				d[2] % 3 ? head : floor - 1 + (head - floor + 1) * d[3] / 255;

			join_as(&crowd[i], "s", from, d[2] % 2, "v");
			last[i] = from;
		} else if (d[1] < 66) {
			hub_unsubscribe(crowd[i].sub);
			crowd[i].sub = NULL;
		} else if (d[1] < 200) { /* viewer i asks for some; the low ones are slow */
			struct hub_item it;
			enum hub_got rc = HUB_EMPTY;

			for (int n = d[2] % (1 + 8 * i); n >= 0; n--) {
				rc = hub_next(crowd[i].sub, d[3] < 30 ? 50 : NO_ROOM, &it);
				if (rc != HUB_ITEM) {
					break;
				}
				if (it.kind == HUB_FRAME) {
					assert_int_equal(it.frame->cur - it.frame->span, last[i]);
					last[i] = it.frame->cur;
					seen++;
				} else if (it.kind == HUB_RESET) {
					assert_true(last[i] < log_floor(t.log, "s") - 1);
					resets++;
				} else {
					assert_int_equal(it.kind, HUB_HEARTBEAT);
					assert_int_equal(head_of(it.frame), last[i]);
				}
				hub_item_done(&it);
			}
			if (rc == HUB_EMPTY) {
				assert_int_equal(last[i], log_head(t.log, "s"));
			}
			if (rc == HUB_CLOSED) {
				hub_unsubscribe(crowd[i].sub);
				crowd[i].sub = NULL;
			}
		} else {
			turn();
		}
	}
	for (int i = 0; i < CROWD; i++) {
		hub_unsubscribe(crowd[i].sub);
	}
	assert_true(seen > STEPS / 10);
	assert_true(resets > 0);
}

int main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(test_replay_then_live),
		T(test_the_join_has_no_gap),
		T(test_where_one_may_begin),
		T(test_an_empty_session),
		T(test_sessions_do_not_mix),
		T(test_ready_comes_once_until_dry),
		T(test_room),
		T(test_replay_may_merge_live_never),
		T(test_a_slow_viewer_costs_nothing_and_is_caught_up),
		T(test_one_too_slow_is_reset),
		T(test_ephemeral_frames),
		T(test_a_log_made_again),
		T(test_every_frame_passes_the_seal),
		T(test_closing),
		T(test_ready_may_end_anybody),
		T(test_viewers_are_counted),
		T(test_private),
		T(test_random),
	};

	vy_log_set_level(VY_LOG_NONE);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* follow_test.c -- the follow view over a store in memory: events and frames of attempts in one order,
 * the baseline's cut, a reader who is slow, another vyred. */
#include "tests/server/hub/follow_world.h"

#include "shared/base/ban.h"

static void happen(const char *script)
{
	happen_to("S", script);
}

/* ---- a follower ---- */

struct reader {
	struct follow_sub *sub;
	int readies;
	struct vy_buf all;
};

static void on_ready(void *ctx)
{
	((struct reader *)ctx)->readies++;
}

static void join_at(struct reader *r, int64_t from, const char *epoch, bool attempts)
{
	struct follow_open o = { .session = "S",
		.from = from,
		.epoch = epoch,
		.attempts = attempts,
		.ready = on_ready,
		.ctx = r };
	struct vy_err e = { 0 };

	*r = (struct reader){ 0 };
	vy_buf_init(&r->all, 64 << 20);
	r->sub = follow_subscribe(t.follow, &o, &e);
	check_str("joins", e.text, "");
}

static void join(struct reader *r, int64_t from)
{
	join_at(r, from, NULL, true);
}

static void leave(struct reader *r)
{
	follow_unsubscribe(r->sub);
	vy_buf_fini(&r->all);
}

static void brief_baseline(const struct vy_json *v, struct vy_buf *out)
{
	const struct vy_json *blocks = vy_json_get(v, "blocks");

	for (size_t i = 0; i < vy_json_len(blocks); i++) {
		const struct vy_json *b = vy_json_at(blocks, i);

		vy_buf_addf(out, "%s%s:%s", i ? "," : "[", vy_json_cstr(b, "kind"),
			vy_json_cstr(b, "text"));
	}
	vy_buf_addf(out, "]%lld", (long long)vy_json_int(v, "chunks", -1));
}

/* An item in brief: "open", "live/1", "3:thread.turn", "start1>2" (revision, started after), "c2.0=text",
 * "end3.1=4" (revision, index, settlement), "start3>2[text:ab]2". */
static void brief(const struct vy_json *v, struct vy_buf *out)
{
	const char *type = vy_json_cstr(v, "type");
	long long rev = vy_json_int(v, "revision", -1), index = vy_json_int(v, "index", -1);

	if (strcmp(type, "attempt.start") == 0) {
		vy_buf_addf(out, "start%lld>%lld", rev,
			(long long)vy_json_int(v, "started_after_seq", -1));
		if (vy_json_get(v, "baseline")) {
			brief_baseline(vy_json_get(v, "baseline"), out);
		}
	} else if (strcmp(type, "attempt.chunk") == 0) {
		vy_buf_addf(out, "c%lld.%lld=%s", rev, index,
			vy_json_cstr(vy_json_get(v, "delta"), "text"));
	} else if (strcmp(type, "attempt.end") == 0) {
		const struct vy_json *s = vy_json_get(v, "settlement");

		vy_buf_addf(
			out, "end%lld.%lld=%lld", rev, index, (long long)vy_json_int(s, "seq", -1));
		assert_string_equal(vy_json_cstr(v, "outcome"), s ? "committed" : "abandoned");
	} else if (strcmp(type, "follow.live") == 0) {
		vy_buf_addf(out, "live%lld/%lld", (long long)vy_json_int(v, "seq", -1),
			(long long)vy_json_int(v, "attempts", -1));
	} else if (strcmp(type, "follow.reset") == 0) {
		vy_buf_addf(out, "reset:%s", vy_json_cstr(v, "reason"));
	} else if (vy_json_get(v, "seq")) {
		vy_buf_addf(out, "%lld:%s", (long long)vy_json_int(v, "seq", -1), type);
	} else {
		vy_buf_adds(out, type + 7);
	}
	vy_buf_addc(out, ' ');
}

static bool take(struct reader *r, struct vy_buf *out)
{
	VY_AUTO_BUF one = VY_BUF_INIT(64 << 20);
	enum view_got got = follow_next(r->sub, &one);

	if (got == VIEW_CLOSED) {
		vy_buf_addf(out, "closed:%d ", follow_code(r->sub));
	}
	if (got == VIEW_ITEM) {
		VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&one), NULL);

		assert_non_null(v);
		brief(v, out);
		vy_buf_addstr(&r->all, vy_buf_str(&one));
	}
	return got == VIEW_ITEM;
}

static const char *items(struct reader *r)
{
	static struct vy_buf out;

	if (out.max == 0) {
		vy_buf_init(&out, 1 << 20);
	}
	vy_buf_clear(&out);
	while (take(r, &out)) {
	}
	if (out.len) {
		vy_buf_truncate(&out, out.len - 1);
	}
	return vy_buf_c(&out);
}

/* ---- the tests ---- */

/* What a follower sees who was there from the start, and one who came in between. */
static const struct row {
	const char *name, *before, *after, *live, *late;
} rows[] = {
	{ "a turn", "working|d m 0 a|d m 0 b|", "d m 0 c|waiting|",
		"open live0/0 1:thread.turn start1>1 c2.0=a c3.1=b | c4.2=c "
		"2:assistant.message end5.3=2 3:thread.finished",
		"open 1:thread.turn start3>1[text:ab]2 live1/1 | c4.2=c "
		"2:assistant.message end5.3=2 3:thread.finished" },
	{ "all in one commit", "working|", "d m 0 a;d m 0 b;waiting;working|",
		"open live0/0 1:thread.turn | start1>1 c2.0=a c3.1=b 2:assistant.message "
		"end4.2=2 3:thread.finished 4:thread.turn",
		"open 1:thread.turn live1/0 | start1>1 c2.0=a c3.1=b 2:assistant.message "
		"end4.2=2 3:thread.finished 4:thread.turn" },
	{ "interrupted", "working;d m 0 a|", "interrupted|",
		"open live0/0 1:thread.turn start1>1 c2.0=a | 2:assistant.attempt end3.1=2 "
		"3:thread.finished",
		"open 1:thread.turn start2>1[text:a]1 live1/1 | 2:assistant.attempt "
		"end3.1=2 3:thread.finished" },
	{ "tried again in one step", "working;d m 0 a;cut m|d m 0 b|", "d m 0 c;waiting|",
		"open live0/0 1:thread.turn start1>1 c2.0=a 2:assistant.attempt end3.1=2 "
		"start4>2 c5.0=b | c6.1=c 3:assistant.message end7.2=3 4:thread.finished",
		"open 1:thread.turn 2:assistant.attempt start5>2[text:b]1 live2/1 | c6.1=c "
		"3:assistant.message end7.2=3 4:thread.finished" },
	{ "a subagent beside", "working;d m 0 a;call t;dt s 0 x|d m 0 b|",
		"dt s 0 y;done t;waiting|",
		"open live0/0 1:thread.turn start1>1 c2.0=a 2:thread.tool start3>2 c4.0=x "
		"c5.1=b | c6.1=y 3:assistant.message end7.2=3 4:assistant.message end8.2=4 "
		"5:thread.tool 6:thread.finished",
		"open 1:thread.turn 2:thread.tool start5>1[text:ab]2 start5>2[text:x]1 "
		"live2/2 | c6.1=y 3:assistant.message end7.2=3 4:assistant.message "
		"end8.2=4 5:thread.tool 6:thread.finished" },
	{ "thoughts and words", "working;d m 0r a|", "d m 1 b|waiting|",
		"open live0/0 1:thread.turn start1>1 c2.0=a | c3.1=b 2:assistant.message "
		"end4.2=2 3:thread.finished",
		"open 1:thread.turn start2>1[reasoning:a]1 live1/1 | c3.1=b "
		"2:assistant.message end4.2=2 3:thread.finished" },
	{ "another agent", "working;d m 0 a|", "starting;working;d n 0 b|waiting|",
		"open live0/0 1:thread.turn start1>1 c2.0=a | 2:assistant.attempt end3.1=2 "
		"3:thread.started 4:thread.state start1>4 c2.0=b 5:assistant.message "
		"end3.1=5 6:thread.finished",
		"open 1:thread.turn start2>1[text:a]1 live1/1 | 2:assistant.attempt "
		"end3.1=2 3:thread.started 4:thread.state start1>4 c2.0=b "
		"5:assistant.message end3.1=5 6:thread.finished" },
	{ "only calls", "working;call t;done t|", "waiting|",
		"open live0/0 1:thread.turn 2:thread.tool 3:thread.tool | 4:thread.finished",
		"open 1:thread.turn 2:thread.tool 3:thread.tool live3/0 | 4:thread.finished" },
};

static void both_in_one_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF live = VY_BUF_INIT(1 << 16), late = VY_BUF_INIT(1 << 16);
		struct reader a, b;

		teardown(NULL);
		setup(NULL);
		join(&a, 0);
		vy_buf_addf(&live, "%s ", items(&a));
		happen(rows[i].before);
		vy_buf_addf(&live, "%s | ", items(&a));
		join(&b, 0);
		vy_buf_addf(&late, "%s | ", items(&b));
		happen(rows[i].after);
		vy_buf_adds(&live, items(&a));
		vy_buf_adds(&late, items(&b));
		leave(&a);
		leave(&b);
		check_str(rows[i].name, vy_buf_c(&live), rows[i].live);
		check_str(rows[i].name, vy_buf_c(&late), rows[i].late);
	}
}

/* Without what a machine that is new counts anew: revisions, and where a baseline began. */
static void plain(const char *in, struct vy_buf *out)
{
	for (const char *p = in; *p; p++) {
		bool is_word = p == in || p[-1] == ' ';
		size_t n = is_word && strncmp(p, "start", 5) == 0 ? 5
			   : is_word && strncmp(p, "end", 3) == 0 ? 3
			   : is_word && *p == 'c'                 ? 1
								  : 0;

		vy_buf_add(out, p, n ? n : 1);
		p += n;
		p += n ? strspn(p, "0123456789>") : 0;
		p -= n ? 1 : 0;
	}
}

/* In the middle of an attempt: the next vyred goes on with it, whole and by the same name. */
static void another_vyred(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF got = VY_BUF_INIT(1 << 16), want = VY_BUF_INIT(1 << 16);
		VY_AUTO_BUF all = VY_BUF_INIT(1 << 16);
		struct reader a;

		teardown(NULL);
		setup(NULL);
		happen(rows[i].before);
		end();
		begin();
		join(&a, 0);
		vy_buf_addf(&all, "%s | ", items(&a));
		happen(rows[i].after);
		vy_buf_adds(&all, items(&a));
		leave(&a);
		plain(vy_buf_c(&all), &got);
		plain(rows[i].late, &want);
		check_str(rows[i].name, vy_buf_c(&got), vy_buf_c(&want));
	}
}

static void its_name_and_times(void **state)
{
	VY_AUTO_BUF before = VY_BUF_INIT(64);
	struct reader a;
	const char *at;

	(void)state;
	join(&a, 0);
	happen("working;d m 0 a;d m 0 b|");
	items(&a);
	at = strstr(vy_buf_c(&a.all), "att_");
	vy_buf_add(&before, at, strcspn(at, "\""));
	leave(&a);
	end();
	begin();
	join(&a, 0);
	items(&a);
	assert_non_null(strstr(vy_buf_c(&a.all), vy_buf_c(&before)));
	assert_non_null(strstr(vy_buf_c(&a.all), "\"revision\":1,\"turn\""));
	assert_non_null(strstr(vy_buf_c(&a.all), "\"times\":[[0,0],[1,7]]"));
	assert_non_null(strstr(vy_buf_c(&a.all), "\"time\":1014,"));
	happen("d m 0 c;waiting|");
	items(&a);
	assert_non_null(strstr(vy_buf_c(&a.all), "\"index\":2,\"time\":1028,"));
	assert_non_null(
		strstr(vy_buf_c(&a.all), "\"stream\":[[0,0],[1,7],[2,7]],\"text\":\"abc\""));
	leave(&a);
}

static void events_alone(void **state)
{
	struct follow_counts n;
	struct reader a, b;

	(void)state;
	happen("working;d m 0 a;waiting|");
	join_at(&a, 0, NULL, false);
	check_str("all", items(&a),
		"open 1:thread.turn 2:assistant.message 3:thread.finished live3/-1");
	happen_to("T", "working|waiting|");
	happen("working;d m 0 a|");
	check_str("on", items(&a), "6:thread.turn");
	happen("d m 0 b|");
	check_str("no words", items(&a), "");
	join_at(&b, 3, NULL, false);
	check_str("from there", items(&b), "open 6:thread.turn live6/-1");
	leave(&b);
	happen("waiting|");
	check_str("settled", items(&a), "7:assistant.message 8:thread.finished");
	assert_non_null(strstr(vy_buf_c(&a.all), "\"seq\":6,\"after\":3,"));
	assert_non_null(strstr(vy_buf_c(&a.all), "\"seq\":8,\"after\":7,"));
	follow_counts(t.follow, &n);
	assert_int_equal(n.frames, 0); /* nobody wanted them */
	leave(&a);
	follow_counts(t.follow, &n);
	assert_int_equal(n.sessions, 0);
}

/* What another session brings is nobody's gap here. */
static void beside_others(void **state)
{
	struct reader a;

	(void)state;
	happen_to("T", "working|waiting|working|");
	join(&a, 0);
	check_str("nothing yet", items(&a), "open live0/0");
	happen("working|");
	happen_to("T", "waiting|");
	happen("waiting|");
	check_str("its own", items(&a), "4:thread.turn 6:thread.finished");
	assert_non_null(strstr(vy_buf_c(&a.all), "\"seq\":4,\"after\":0,"));
	assert_non_null(strstr(vy_buf_c(&a.all), "\"seq\":6,\"after\":4,"));
	leave(&a);
}

static void many(int n)
{
	for (int i = 0; i < n; i++) {
		char line[32];

		snprintf(line, sizeof(line), "d m 0 x%s", i % 10 ? "" : "|");
		happen(line);
	}
}

static void a_slow_one(void **state)
{
	VY_AUTO_BUF one = VY_BUF_INIT(1 << 16);
	struct reader slow, quick;
	const char *got;

	(void)state;
	join(&slow, 0);
	join(&quick, 0);
	happen("working;d m 0 a|");
	items(&quick);
	take(&slow, &one);
	check_str("one item", vy_buf_c(&one), "open ");
	many(FOLLOW_ITEMS + 100);
	check_str("opened late, at once at the end", strchr(items(&slow), 'l'), "live1/1");
	leave(&slow);

	join(&slow, 0);
	items(&slow);
	happen("d m 0 y|");
	vy_buf_clear(&one);
	take(&slow, &one);
	many(FOLLOW_ITEMS + 100);
	happen("waiting;working;d n 0 b|");
	got = items(&slow);
	assert_int_equal(
		strncmp(got, "open 2:assistant.message 3:thread.finished 4:thread.turn start", 62),
		0);
	check_str("a new baseline", strchr(got, '['), "[text:b]1 live4/1");
	happen("d n 0 c|");
	assert_non_null(strstr(items(&slow), ".1=c"));
	items(&quick);
	leave(&slow);
	leave(&quick);
}

/* Between two items of its opening things go on; what was drawn is not told again. */
static void the_cut(void **state)
{
	VY_AUTO_BUF one = VY_BUF_INIT(1 << 16);
	struct reader a;

	(void)state;
	happen("working;d m 0 a;call t;dt s 0 x|");
	join(&a, 0);
	for (int i = 0; i < 4; i++) {
		take(&a, &one);
		happen("d m 0 b|");
	}
	check_str("opening", vy_buf_c(&one),
		"open 1:thread.turn 2:thread.tool start4>2[text:abbb]4 ");
	check_str("the rest", items(&a), "start4>2[text:x]1 live2/2 c5.4=b");
	leave(&a);
}

static void of_another_history(void **state)
{
	struct reader a;

	(void)state;
	happen("working|waiting|");
	join(&a, 99);
	check_str("ahead", items(&a), "reset:ahead closed:1000");
	leave(&a);
	join_at(&a, 1, "another12345", true);
	check_str("another epoch", items(&a), "reset:epoch closed:1000");
	leave(&a);
	join_at(&a, 1, log_epoch(t.log), true);
	check_str("the same", items(&a), "open 2:thread.finished live2/0");
	leave(&a);
}

static void the_end_of_a_session(void **state)
{
	struct reader a, b;

	(void)state;
	LOG_PUT(t.log, ROW_SESSION, session, .session = VY_STR_LIT("S"), .doc = VY_STR_LIT("{}"));
	happen("working;d m 0 a|");
	join(&a, 0);
	join_at(&b, 0, NULL, false);
	items(&a);
	items(&b);
	happen("d m 0 b|");
	LOG_DEL(t.log, ROW_SESSION, session, .session = VY_STR_LIT("S"));
	log_flush(t.log);
	check_str("nothing more leaves", items(&a), "closed:4403");
	check_str("of any", items(&b), "closed:4403");
	leave(&a);
	leave(&b);
}

int main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(both_in_one_order),
		T(another_vyred),
		T(its_name_and_times),
		T(events_alone),
		T(beside_others),
		T(a_slow_one),
		T(the_cut),
		T(of_another_history),
		T(the_end_of_a_session),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

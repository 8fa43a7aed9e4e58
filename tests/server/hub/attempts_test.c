/* attempts_test.c -- the core of the follow view alone: what frames, and the events that came with them, say;
 * also where the two do not agree. */
#include "server/hub/attempts.h"

#include "tests/server/hub/follow_world.h"

#include "shared/base/json.h"
#include "shared/base/ban.h"

/* ---- what it says ---- */

static void say_event(void *ctx, int64_t seq)
{
	vy_buf_addf(ctx, "%lld ", (long long)seq);
}

static void say_frame(void *ctx, struct vy_str json)
{
	VY_AUTO_JSON *v = vy_json_parse(json, NULL);
	struct vy_str type = vy_str_from(vy_json_str(v, "type"), strlen("attempt."));
	struct vy_str id = vy_json_str(v, "attempt");

	assert_non_null(v);
	vy_buf_addf(ctx, "%.*s:%.*s/%lld", VY_STR_ARG(type), VY_STR_ARG(vy_str_from(id, 4)),
		(long long)vy_json_int(v, "revision", -1));
	if (vy_str_is(type, "start")) {
		vy_buf_addf(ctx, ">%lld", (long long)vy_json_int(v, "started_after_seq", -1));
	}
	if (vy_str_is(type, "end")) {
		vy_buf_addf(ctx, "=%lld%s",
			(long long)vy_json_int(vy_json_get(v, "settlement"), "seq", -1),
			vy_str_is(vy_json_str(v, "outcome"), "abandoned") ? "!" : "");
	}
	vy_buf_addc(ctx, ' ');
}

/* ---- what happens ---- */

static void feed_row(struct attempts *a, char *line)
{
	char *save = NULL, id[32];
	const char *seq = strtok_r(line + 2, " ", &save), *of = strtok_r(NULL, " ", &save);

	snprintf(id, sizeof(id), "evt_%s", of);
	attempts_event(a, &(struct attempts_event){ strtoll(seq, NULL, 10), vy_str_c(id),
				  VY_STR_LIT("assistant.message") });
}

/* "r SEQ FRAME": an event of that frame; "." is the commit's end; else a frame (follow_world.h), which are
 * named f1, f2 … */
static void run(struct attempts *a, const char *script, struct vy_buf *out)
{
	const struct attempts_out to = { say_event, say_frame, out };
	int cur = 0;

	while (*script) {
		size_t n = strcspn(script, ";");
		char line[128], id[16];
		struct vy_frame f;

		snprintf(line, sizeof(line), "%.*s", (int)n, script);
		script += n + (script[n] == ';');
		script += strspn(script, " ");
		if (line[0] == 'r' && line[1] == ' ') {
			feed_row(a, line);
		} else if (line[0] == '.') {
			attempts_rest(a, &to);
		} else {
			make(line, &f);
			snprintf(id, sizeof(id), "f%d", ++cur);
			f.id = vy_str_c(id);
			f.cur = (uint64_t)cur;
			attempts_frame(a, &f, &to);
		}
	}
}

/* ---- the tests ---- */

static const struct {
	const char *name, *script, *want;
} rows[] = {
	{ "a turn", "r 1 f1;working;.;d m 0 a;d m 0 b;.;r 2 f2;r 3 f4;waiting;.",
		"1 start:f2/1>1 chunk:f2/2 chunk:f2/3 2 end:f2/4=2 3 " },
	{ "all at once", "r 1 f1;r 2 f2;r 3 f3;working;d m 0 a;waiting;.",
		"1 start:f2/1>1 chunk:f2/2 2 end:f2/3=2 3 " },
	{ "the journal has no settlement", "r 1 f1;working;d m 0 a;waiting;.",
		"1 start:f2/1>1 chunk:f2/2 end:f2/3=-1! " },
	{ "an event of no frame", "r 1 x;r 2 f1;r 3 y;working;d m 0 a;.",
		"1 2 start:f2/1>2 chunk:f2/2 3 " },
	{ "only events", "r 4 x;r 5 y;.", "4 5 " },
	{ "what came before it is said before it", "d m 0 a;r 7 x;r 8 f1;r 9 f2;waiting;.",
		"start:f1/1>0 chunk:f1/2 7 8 end:f1/3=8 9 " },
	{ "the next message of the same parent", "d m 0 a;r 1 f1;d n 0 b;.;r 2 f2;r 3 f3;waiting;.",
		"start:f1/1>0 chunk:f1/2 1 end:f1/3=1 start:f2/4>1 chunk:f2/5 2 end:f2/6=2 3 " },
	{ "a subagent's", "call t;d m 0 a;dt s 0 x;.;r 1 f3;r 2 f2;r 3 f4;done t;.",
		"start:f2/1>0 chunk:f2/2 start:f3/3>0 chunk:f3/4 1 end:f3/5=1 2 end:f2/6=2 3 " },
	{ "another agent counts anew", "d m 0 a;r 1 f1;starting;.;d n 0 b;.",
		"start:f1/1>0 chunk:f1/2 1 end:f1/3=1 start:f3/1>1 chunk:f3/2 " },
};

static void what_it_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF out = VY_BUF_INIT(1 << 16);
		struct attempts *a = attempts_new(0);

		t.time = 1000;
		run(a, rows[i].script, &out);
		attempts_free(a);
		check_str(rows[i].name, vy_buf_c(&out), rows[i].want);
	}
}

/* Who looks changes nothing; the oldest is told first. */
static void baselines(void **state)
{
	VY_AUTO_BUF out = VY_BUF_INIT(1 << 16), looked = VY_BUF_INIT(1 << 16);
	const struct attempts_out to = { say_event, say_frame, &looked };
	struct attempts *a = attempts_new(5);

	(void)state;
	assert_int_equal(attempts_revision(a), 0);
	run(a, "d m 0 a;call t;dt s 0 x;d m 0 b;.", &out);
	assert_int_equal(attempts_revision(a), 5);
	assert_int_equal(attempts_baselines(a, &to), 2);
	assert_int_equal(attempts_baselines(a, &to), 2);
	check_str("twice the same", vy_buf_c(&looked),
		"start:f1/5>5 start:f3/5>5 start:f1/5>5 start:f3/5>5 ");
	assert_int_equal(attempts_revision(a), 5);
	attempts_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_it_says),
		cmocka_unit_test(baselines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

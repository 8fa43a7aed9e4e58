/* follow_test.c -- the client's machine of a session that is followed: what it says of each sequence of
 * items, whole and disturbed. A real server in front of it: tests/server/hub/follow_test.c. */
#include "shared/model/follow.h"

#include "tests/check.h"

#include "shared/base/buf.h"
#include "shared/base/jw.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

/* ---- items, in brief ---- */

static struct vy_jw begin(struct vy_buf *b, const char *type)
{
	struct vy_jw w = VY_JW(b);

	vy_buf_clear(b);
	vy_jw_obj(&w);
	vy_jw_kstr(&w, "type", vy_str_c(type));
	return w;
}

static int64_t num(const char *w)
{
	return w ? strtoll(w, NULL, 10) : 0;
}

static void event(struct vy_buf *b, char **w)
{
	struct vy_jw j = begin(b, w[0][0] == 'm'   ? "assistant.message"
				  : w[0][0] == 'a' ? "assistant.attempt"
						   : "thread.tool");

	vy_jw_kint(&j, "seq", num(w[1]));
	vy_jw_kint(&j, "after", num(w[2]));
	vy_jw_kstr(&j, "turn", vy_str_c(w[3] && w[4] && w[5] ? w[5] : "T"));
	vy_jw_kint(&j, "step", w[3] ? num(w[4]) : 0);
	vy_jw_key(&j, "data");
	vy_jw_obj(&j);
	if (w[3] && strcmp(w[3], "?") != 0) {
		vy_jw_kstr(&j, "attempt", vy_str_c(w[3]));
	}
	vy_jw_end_obj(&j);
	vy_jw_end_obj(&j);
}

static void start(struct vy_buf *b, char **w)
{
	struct vy_jw j = begin(b, "attempt.start");

	vy_jw_kstr(&j, "attempt", vy_str_c(w[1]));
	vy_jw_kint(&j, "revision", num(w[2]));
	vy_jw_kstr(&j, "turn", VY_STR_LIT("T"));
	vy_jw_kint(&j, "step", num(w[3]));
	vy_jw_kint(&j, "started_after_seq", num(w[4]));
	vy_jw_kint(&j, "time", 1000);
	if (w[0][0] == 'b') { /* a chunk a letter */
		vy_jw_key(&j, "baseline");
		vy_jw_raw(
			&j, VY_STR_LIT("{\"blocks\":[{\"index\":0,\"kind\":\"text\",\"times\":["));
		for (size_t i = 0; i < strlen(w[5]); i++) {
			vy_buf_addf(b, "%s[%zu,%d]", i ? "," : "", i, i ? 5 : 0);
		}
		vy_buf_addf(b, "],\"text\":\"%s\"}],\"chunks\":%zu}", w[5], strlen(w[5]));
	}
	vy_jw_end_obj(&j);
}

static void chunk(struct vy_buf *b, char **w)
{
	struct vy_jw j = begin(b, "attempt.chunk");

	vy_jw_kstr(&j, "attempt", vy_str_c(w[1]));
	vy_jw_kint(&j, "revision", num(w[2]));
	vy_jw_kint(&j, "index", num(w[3]));
	vy_jw_kint(&j, "time", 1000 + 5 * num(w[3]));
	vy_jw_key(&j, "delta");
	vy_jw_raw(&j, VY_STR_LIT("{\"block\":0,\"kind\":\"text\",\"text\":"));
	vy_buf_addf(b, "\"%s\"}", w[4]);
	vy_jw_end_obj(&j);
}

static void end(struct vy_buf *b, char **w)
{
	struct vy_jw j = begin(b, "attempt.end");

	vy_jw_kstr(&j, "attempt", vy_str_c(w[1]));
	vy_jw_kint(&j, "revision", num(w[2]));
	vy_jw_kint(&j, "index", num(w[3]));
	vy_jw_kstr(&j, "outcome", vy_str_c(w[4] ? "committed" : "abandoned"));
	if (w[4]) {
		vy_jw_key(&j, "settlement");
		vy_jw_obj(&j);
		vy_jw_kstr(&j, "type", vy_str_c(w[5] ? w[5] : "assistant.message"));
		vy_jw_kint(&j, "seq", num(w[4]));
		vy_jw_end_obj(&j);
	}
	vy_jw_end_obj(&j);
}

static void opening(struct vy_buf *b, char **w)
{
	struct vy_jw j = begin(b, w[0][0] == 'O'   ? "follow.open"
				  : w[0][0] == 'L' ? "follow.live"
						   : "follow.reset");

	vy_jw_kstr(&j, "epoch", w[0][1] ? VY_STR_LIT("F") : VY_STR_LIT("E"));
	vy_jw_kint(&j, "seq", num(w[1]));
	if (w[1] && w[2]) {
		vy_jw_kint(&j, "revision", num(w[2]));
		vy_jw_kint(&j, "attempts", num(w[3]));
	}
	vy_jw_end_obj(&j);
}

/* "O" ("O2": another epoch), "L SEQ REVISION ATTEMPTS", "R"; "e SEQ AFTER"; "m|a SEQ AFTER ATTEMPT|? STEP [TURN]" (whole, cut short);
 * "s ID REVISION STEP AFTER", "b … TEXT" (with a baseline), "c ID REVISION INDEX TEXT", "E ID REVISION INDEX
 * [SEQ [TYPE]]"; "lost"; what begins with "{" goes as it is. */
static void make(char *line, struct vy_buf *b)
{
	char *w[8] = { NULL }, *save = NULL;
	int n = 0;

	if (line[0] == '{') {
		vy_buf_clear(b);
		vy_buf_adds(b, line);
		return;
	}
	for (char *p = strtok_r(line, " ", &save); p && n < 7; p = strtok_r(NULL, " ", &save)) {
		w[n++] = p;
	}
	switch (w[0][0]) {
	case 'O':
	case 'L':
	case 'R': opening(b, w); break;
	case 's':
	case 'b': start(b, w); break;
	case 'c': chunk(b, w); break;
	case 'E': end(b, w); break;
	default: event(b, w); break;
	}
}

/* ---- what it says, in brief ---- */

static void say(void *ctx, const struct vy_follow_said *s)
{
	static const char *const marks[] = { [VY_FOLLOW_BEGUN] = "+",
		[VY_FOLLOW_GROWN] = "",
		[VY_FOLLOW_ENDED] = "=",
		[VY_FOLLOW_VOID] = "~" };
	struct vy_buf *out = ctx;

	if (s->what == VY_FOLLOW_EVENT) {
		vy_buf_addf(out, "%lld ", (long long)s->seq);
	} else if (s->what == VY_FOLLOW_LIVE) {
		vy_buf_adds(out, "live ");
	} else {
		const struct vy_settlement *a = s->attempt;

		vy_buf_addf(out, "%s%.*s:%.*s ", marks[s->what], VY_STR_ARG(a->attempt),
			a->n_blocks ? (int)a->blocks[0].text.n : 0,
			a->n_blocks ? a->blocks[0].text.p : "");
	}
}

static void feed(struct vy_follow *f, const char *script, struct vy_buf *out)
{
	VY_AUTO_BUF item = VY_BUF_INIT(4096);

	while (*script) {
		size_t n = strcspn(script, ";");
		char line[512];

		snprintf(line, sizeof(line), "%.*s", (int)n, script);
		script += n + (script[n] == ';');
		script += strspn(script, " ");
		if (strcmp(line, "lost") == 0) {
			vy_follow_lost(f, say, out);
			continue;
		}
		make(line, &item);
		switch (vy_follow_take(f, vy_buf_str(&item), say, out)) {
		case VY_FOLLOW_OK: break;
		case VY_FOLLOW_AGAIN:
			vy_buf_addf(out, "AGAIN%lld ", (long long)vy_follow_last(f));
			break;
		case VY_FOLLOW_RESET: vy_buf_adds(out, "RESET "); break;
		}
	}
}

/* ---- the tests ---- */

#define LIVE "O;e 1 0;L 1 0 0;"

static const struct {
	const char *name, *items, *want;
} rows[] = {
	{ "the past", "O;e 1 0;e 4 1;L 4", "1 4 live " },
	{ "an attempt", LIVE "s x 1 0 1;c x 2 0 a;c x 3 1 b;m 2 1 x 0;E x 4 2 2;e 3 2",
		"1 live +x: x:a x:ab =x:ab 2 3 " },
	{ "a baseline", "O;e 1 0;b x 7 0 1 ab;L 1 7 1;c x 8 2 c;m 2 1 x 0;E x 9 3 2",
		"1 +x:ab live x:abc =x:abc 2 " },
	{ "a baseline waits for the page", "O;b x 7 0 2 ab;e 1 0;e 2 1;L 2 7 1",
		"1 2 +x:ab live " },
	{ "what is behind a settlement waits for its end",
		LIVE "s x 1 0 1;c x 2 0 a;m 2 1 x 0;e 3 2;E x 3 1 2;e 4 3",
		"1 live +x: x:a =x:a 2 3 4 " },
	{ "two at once, settled crosswise",
		LIVE "s x 1 0 1;s y 2 0 1;m 2 1 y 0;m 3 2 x 0;E x 3 0 3;E y 4 0 2;e 4 3",
		"1 live +x: +y: =x: =y: 2 3 4 " },
	{ "an earlier one of the same step stays",
		LIVE "a 2 1 w 0;s x 1 0 2;c x 2 0 a;m 3 2 x 0;E x 3 1 3",
		"1 live 2 +x: x:a =x:a 3 " },
	{ "one of the same step, told late", "O;b x 7 0 2 a;a 2 0 ? 0;L 2 7 1;m 3 2 ? 0;E x 8 1 3",
		"2 +x:a live =x:a 3 " },
	{ "not its own: another step", LIVE "s x 1 0 1;m 2 1 ? 1;m 3 2 ? 0;E x 2 0 3",
		"1 live +x: 2 =x: 3 " },
	{ "not its own: of before its start", LIVE "s x 1 0 2;m 2 1 x 0;c x 2 0 a",
		"1 live +x: 2 x:a " },
	{ "not its own: another turn", LIVE "s x 1 0 1;m 2 1 x 0 U;c x 2 0 a",
		"1 live +x: 2 x:a " },
	{ "not its own: another name", LIVE "s x 1 0 1;m 2 1 y 0", "1 live +x: 2 " },
	{ "an unknown one falls back", "O;L 0;c z 5 3 q;m 2 0 z 0;E z 6 4 2;e 3 2", "live 2 3 " },
	{ "abandoned", LIVE "s x 1 0 1;c x 2 0 a;E x 3 1;e 2 1", "1 live +x: x:a =x:a 2 " },
	{ "twice",
		"O;e 1 0;e 1 0;L 1 0 0;L 1 0 0;s x 1 0 1;s x 1 0 1;c x 2 0 a;c x 2 0 a;m 2 "
		"1 x "
		"0;m 2 1 x 0;E x 3 1 2;E x 3 1 2",
		"1 live +x: x:a =x:a 2 " },
	{ "a baseline twice", "O;b x 7 0 0 a;b x 7 0 0 a;L 0 7 1;b x 7 0 0 a;c x 8 1 b",
		"+x:a live x:ab " },
	{ "another agent counts anew",
		LIVE "s x 1 0 1;a 2 1 x 0;E x 2 0 2 assistant.attempt;s y 1 0 2;c y 2 0 a",
		"1 live +x: =x: 2 +y: y:a " },
	{ "a start of before, again",
		LIVE "s x 1 0 1;a 2 1 x 0;E x 2 0 2 assistant.attempt;s x 1 0 1",
		"1 live +x: =x: 2 " },
	{ "opened anew by the server", LIVE "s x 1 0 1;c x 2 0 a;O;m 2 1 x 0;L 2 9 0;s y 10 0 2",
		"1 live +x: x:a ~x:a 2 live +y: " },
	{ "opened anew behind a settlement", LIVE "s x 1 0 1;m 2 1 x 0;e 3 2;O;L 3 9 0",
		"1 live +x: ~x: 2 3 live " },
	{ "a newer server", LIVE "{\"type\":\"follow.new\"};s x 1 0 1", "1 live +x: " },
	/* what is missing */
	{ "no opening: an event", "e 1 0", "AGAIN0 " },
	{ "no opening: live", "L 1 0 0", "AGAIN0 " },
	{ "no opening: a frame", "c x 1 0 a", "AGAIN0 " },
	{ "an event", LIVE "e 3 2", "1 live AGAIN1 " },
	{ "the last of the past", "O;e 1 0;L 2", "1 AGAIN1 " },
	{ "a baseline", "O;b x 7 0 1 a;L 0 7 2", "+x:a ~x:a AGAIN0 " },
	{ "the end of the opening", "O;e 1 0;s x 1 0 1", "1 AGAIN1 " },
	{ "a chunk", LIVE "s x 1 0 1;c x 3 1 b", "1 live +x: ~x: AGAIN1 " },
	{ "a chunk, by its index", LIVE "s x 1 0 1;c x 2 1 b", "1 live +x: ~x: AGAIN1 " },
	{ "a start", LIVE "c x 2 0 a", "1 live AGAIN1 " },
	{ "a start beside another", LIVE "s x 1 0 1;c y 3 0 a", "1 live +x: ~x: AGAIN1 " },
	{ "the last chunk", LIVE "s x 1 0 1;m 2 1 x 0;E x 2 1 2", "1 live +x: ~x: 2 AGAIN2 " },
	{ "the settlement", LIVE "s x 1 0 1;E x 2 0 2", "1 live +x: ~x: AGAIN1 " },
	{ "another settlement", LIVE "s x 1 0 1;m 3 1 x 0;E x 2 0 2", "1 live +x: ~x: 3 AGAIN3 " },
	{ "its type", LIVE "s x 1 0 1;m 2 1 x 0;E x 2 0 2 assistant.attempt",
		"1 live +x: ~x: 2 AGAIN2 " },
	{ "an end, and a new agent", LIVE "s x 1 0 1;c x 2 0 a;s y 1 0 1;c y 4 0 a",
		"1 live +x: x:a ~x:a AGAIN1 " },
	{ "the line", LIVE "s x 1 0 1;m 2 1 x 0;e 3 2;lost;O;L 3 4 0;e 4 3",
		"1 live +x: ~x: 2 3 live 4 " },
	/* what is none */
	{ "no JSON", LIVE "{", "1 live AGAIN1 " },
	{ "no type", LIVE "{}", "1 live AGAIN1 " },
	{ "no event", LIVE "{\"type\":\"x\"}", "1 live AGAIN1 " },
	{ "no frame", LIVE "{\"type\":\"attempt.chunk\"}", "1 live AGAIN1 " },
	{ "no baseline",
		"O;{\"type\":\"attempt.start\",\"attempt\":\"x\",\"revision\":1,"
		"\"baseline\":{\"chunks\":"
		"1}};L 0 1 1",
		"~x: AGAIN0 " },
	{ "another epoch", LIVE "s x 1 0 1;O2;O2;e 1 0;L 1", "1 live +x: ~x: RESET 1 live " },
	{ "another history", LIVE "s x 1 0 1;R;O;e 1 0;L 1", "1 live +x: ~x: RESET 1 live " },
};

static void what_it_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF out = VY_BUF_INIT(1 << 16);
		struct vy_follow *f = vy_follow_new();

		feed(f, rows[i].items, &out);
		vy_follow_free(f);
		check_str(rows[i].name, vy_buf_c(&out), rows[i].want);
	}
}

static void asked(void **state)
{
	VY_AUTO_BUF out = VY_BUF_INIT(1 << 16);
	struct vy_follow *f = vy_follow_new();
	struct vy_settlement a;
	struct vy_arena mem;

	(void)state;
	vy_arena_init(&mem);
	assert_string_equal(vy_follow_epoch(f), "");
	feed(f, "O;e 9 0;b x 3 0 9 ab;L 9 3 1;c x 4 2 c", &out);
	assert_string_equal(vy_follow_epoch(f), "E");
	assert_int_equal(vy_follow_last(f), 9);
	assert_true(vy_follow_is_live(f));
	assert_true(vy_follow_attempt(f, 0, &mem, &a));
	assert_false(vy_follow_attempt(f, 1, &mem, &a));
	check_vstr("its words", a.blocks[0].text, VY_STR_LIT("abc"));
	assert_int_equal(a.blocks[0].n, 3);
	assert_int_equal(a.blocks[0].pieces[1].dt, 5);
	assert_int_equal(a.blocks[0].pieces[2].dt, 5);
	feed(f, "c x 9 9 z", &out);
	assert_false(vy_follow_is_live(f));
	assert_string_equal(vy_follow_why(f), "a frame is missing");
	vy_arena_fini(&mem);
	vy_follow_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_it_says),
		cmocka_unit_test(asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

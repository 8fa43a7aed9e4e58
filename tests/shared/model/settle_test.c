/* settle_test.c -- when an attempt is settled and as what; and that nothing of its deltas is lost. */
#include "tests/shared/model/settle_check.h"

#include "shared/text/utf8.h"
#include "shared/base/ban.h"

/* Frames in one line: "d M I TEXT" (a delta of message M, block I; "dP M I TEXT" under call P; an I
 * with an r is reasoning), "cut M I", "end M I" (text-done), "call T [P]", "done T", "gone T" (canceled), and states:
 * "working", "waiting", "interrupted", "failed WHY", "stopping", "stopped", "starting". */
static void put(struct settle_check *c, char *line, int64_t cur, int64_t time)
{
	char *w[4] = { NULL }, *save = NULL;
	struct vy_frame f;
	int n = 0;

	for (char *p = strtok_r(line, " ", &save); p && n < 4; p = strtok_r(NULL, " ", &save)) {
		w[n++] = p;
	}
	if (strcmp(w[0], "end") == 0) {
		vy_frame_init(&f, VY_KIND_TEXT_DONE);
		vy_frame_set_c(&f, VY_F_MESSAGE, w[1]);
		vy_frame_set_int(&f, VY_F_INDEX, strtol(w[2], NULL, 10));
	} else if (w[0][0] == 'd' && strcmp(w[0], "done") != 0) {
		vy_frame_init(&f, VY_KIND_TEXT_DELTA);
		vy_frame_set_c(&f, VY_F_MESSAGE, w[1]);
		vy_frame_set_int(&f, VY_F_INDEX, strtol(w[2], NULL, 10));
		vy_frame_set_c(&f, VY_F_TEXT, w[3]);
		if (strchr(w[2], 'r')) {
			vy_frame_set_bool(&f, VY_F_REASONING, true);
		}
		if (w[0][1]) {
			vy_frame_set_c(&f, VY_F_PARENT, w[0] + 1);
		}
	} else if (strcmp(w[0], "cut") == 0) {
		vy_frame_init(&f, VY_KIND_TEXT_CUT);
		vy_frame_set_c(&f, VY_F_MESSAGE, w[1]);
		vy_frame_set_int(&f, VY_F_INDEX, strtol(w[2], NULL, 10));
	} else if (strcmp(w[0], "call") == 0) {
		vy_frame_init(&f, VY_KIND_TOOL_STARTED);
		vy_frame_set_c(&f, VY_F_TOOL_ID, w[1]);
		vy_frame_set_c(&f, VY_F_PARENT_TOOL, w[2]);
	} else if (strcmp(w[0], "done") == 0 || strcmp(w[0], "gone") == 0) {
		vy_frame_init(&f, VY_KIND_TOOL_FINISHED);
		vy_frame_set_c(&f, VY_F_TOOL_ID, w[1]);
		vy_frame_set_c(&f, VY_F_STATUS, w[0][0] == 'd' ? "completed" : "canceled");
	} else {
		bool is_cut = strcmp(w[0], "interrupted") == 0;

		vy_frame_init(&f, VY_KIND_STATUS);
		vy_frame_set_c(&f, VY_F_STATE, is_cut ? "waiting" : w[0]);
		vy_frame_set_c(&f, VY_F_REASON, w[1]);
		if (is_cut) {
			vy_frame_set_c(&f, VY_F_NOTE, "interrupted");
		}
		if (strcmp(w[0], "stopping") == 0) {
			vy_frame_set_c(&f, VY_F_STATE, "working");
			vy_frame_set_bool(&f, VY_F_STOPPING, true);
		}
	}
	f.id = VY_STR_LIT("f");
	f.cur = (uint64_t)cur;
	f.time = time;
	f.turn = VY_STR_LIT("S:1");
	f.author = VY_STR_LIT("assistant:a");
	settle_check_frame(c, &f);
}

static void run(struct settle_check *c, const char *script, int64_t cur)
{
	while (*script) {
		size_t n = strcspn(script, ";");
		char line[128];

		snprintf(line, sizeof(line), "%.*s", (int)n, script);
		put(c, line, cur, 1000 + cur * 7);
		cur++;
		script += n + (script[n] == ';');
		script += *script == ' ';
	}
}

static void when_and_as_what(void **state)
{
	(void)state;
	static const struct {
		const char *name, *frames, *want;
	} rows[] = {
		{ "a turn", "working; d m 0 a; d m 0 b; waiting", "m<> 0:ab\n" },
		{ "thoughts before words", "d m 0r a; d m 1 b; d m 1 c; waiting",
			"m<> 0r:a 1:bc\n" },
		{ "the next message", "d m 0 a; d n 0 b; waiting", "m<> 0:a\nn<> 0:b\n" },
		{ "a call that ran", "d m 0 a; call t; done t; d n 0 b; waiting",
			"m<> 0:a\nn<> 0:b\n" },
		{ "the same message behind a call", "d m 0 a; call t; done t; d m 1 b; waiting",
			"m<> 0:a\nm<> 1:b\n" },
		{ "only calls", "call t; done t; waiting", "" },
		{ "interrupted", "d m 0 a; interrupted", "m<>interrupted 0:a\n" },
		{ "interrupted in a call", "d m 0 a; call t; gone t; interrupted",
			"m<>interrupted 0:a\n" },
		{ "stopped", "d m 0 a; stopping; interrupted; stopped", "m<>stopped 0:a\n" },
		{ "asked again", "d m 0 a; cut m 0; d m 0 b; waiting",
			"m<>retried 0:a\nm<> 0:b\n" },
		{ "the agent is lost", "d m 0 a; failed agent-lost; waiting",
			"m<>agent-lost 0:a\n" },
		{ "the agent erred", "d m 0 a; failed agent-error; waiting",
			"m<>agent-error 0:a\n" },
		{ "gone without a word", "d m 0 a; starting; d n 0 b; waiting",
			"m<>agent-lost 0:a\nn<> 0:b\n" },
		{ "a fact at rest", "d m 0 a; waiting; waiting; working", "m<> 0:a\n" },
		{ "a subagent beside",
			"call t; d m 0 a; dt s 0 x; d m 0 b; dt s 0 y; done t; waiting",
			"s<t> 0:xy\nm<> 0:ab\n" },
		{ "a subagent's call",
			"call t; dt s 0 x; call u t; d m 0 a; done u; dt r 0 y; done t",
			"s<t> 0:x\nr<t> 0:y\nm<> 0:a\n" },
		{ "one in the background outlives the turn",
			"d m 0 a; dt s 0 x; waiting; dt s 0 y; done t", "m<> 0:a\ns<t> 0:xy\n" },
		{ "an interrupt ends it too", "dt s 0 x; d m 0 a; interrupted",
			"s<t>interrupted 0:x\nm<>interrupted 0:a\n" },
		{ "killed alone", "d m 0 a; dt s 0 x; gone t; d m 0 b; waiting",
			"s<t>interrupted 0:x\nm<> 0:ab\n" },
		{ "sent to the background",
			"call t; done t; dt s 0 x; dt s 1 y; end s 0; d m 0 a; end m 0;"
			"end s 1; dt r 0 z; end r 0; waiting",
			"s<t> 0:x 1:y\nr<t> 0:z\nm<> 0:a\n" },
		{ "in the foreground its end is its call's",
			"call t; dt s 0 x; end s 0; dt s 1 y; done t", "s<t> 0:x 1:y\n" },
		{ "blocks in turns", "d m 0 a; d m 1 b; d m 0 c; d m 1 d; waiting",
			"m<> 0:ac 1:bd\n" },
		{ "characters of two units",
			"d m 0 a\xF0\x9F\x99\x82; d m 0 \xF0\x9F\x99\x82"
			"b; waiting",
			"m<> 0:a\xF0\x9F\x99\x82\xF0\x9F\x99\x82"
			"b\n" },
	};

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct settle_check c;

		settle_check_init(&c, rows[i].name);
		run(&c, rows[i].frames, 1);
		check_str(rows[i].name, vy_buf_c(&c.said), rows[i].want);
		settle_check_end(&c);
		settle_check_fini(&c);
	}
}

/* ---- whatever comes ---- */

static unsigned seed;

static unsigned dice(unsigned n)
{
	seed = seed * 1103515245u + 12345u;
	return (seed >> 16) % n;
}

static void random_line(char *out, size_t room)
{
	static const char *const texts[] = { "a", "\xC3\xA9", "\xF0\x9F\x99\x82", "word", "\"\\",
		"x\ty" };
	static const char *const states[] = { "working", "waiting", "interrupted",
		"failed agent-lost", "failed agent-error", "stopping", "stopped", "starting" };
	const char *parent = dice(3) ? "" : dice(2) ? "t" : "u";

	if (dice(20) > 0) {
		snprintf(out, room, "d%s %s%u %u%s %s", parent, dice(2) ? "m" : "n", dice(2),
			dice(3), dice(4) ? "" : "r", texts[dice(VY_COUNT(texts))]);
	} else if (dice(2)) {
		snprintf(out, room, "%s", states[dice(VY_COUNT(states))]);
	} else {
		static const char *const calls[] = { "call", "done", "gone", "cut" };
		const char *what = calls[dice(4)];

		if (strcmp(what, "cut") == 0) {
			snprintf(out, room, "cut m%u 0", dice(2));
		} else {
			snprintf(out, room, "%s %s%s", what, dice(2) ? "t" : "u",
				strcmp(what, "call") == 0 && dice(2) ? " t" : "");
		}
	}
}

static void whatever_comes(void **state)
{
	(void)state;
	for (unsigned run_no = 1; run_no <= 300; run_no++) {
		struct settle_check c;
		char name[32], line[64];
		int64_t time = 0;

		seed = run_no;
		snprintf(name, sizeof(name), "run %u", run_no);
		settle_check_init(&c, name);
		for (int64_t cur = 1; cur < 200; cur++) {
			time += (int64_t)dice(1000) - 20; /* the clock may go back */
			random_line(line, sizeof(line));
			put(&c, line, cur, time);
		}
		snprintf(line, sizeof(line), "stopped");
		put(&c, line, 200, time);
		settle_check_end(&c);
		settle_check_fini(&c);
	}
}

/* ---- bounds ---- */

static void is_bounded(void **state)
{
	(void)state;
	struct settle_check c;
	char line[64];
	int64_t cur = 1;

	settle_check_init(&c, "many parents");
	for (int i = 0; i < VY_ATTEMPTS_MAX + 3; i++) {
		snprintf(line, sizeof(line), "dp%d m 0 a", i);
		put(&c, line, cur, cur);
		cur++;
	}
	check_int("the oldest made room", (long long)c.settled, 3);
	snprintf(line, sizeof(line), "stopped");
	put(&c, line, cur, cur);
	settle_check_end(&c);
	settle_check_fini(&c);
}

static void bad_ones_are_refused(void **state)
{
	(void)state;
	static const char *const bad[] = {
		"{",
		"{}",
		"{\"attempt\":\"a\",\"message\":\"m\",\"blocks\":[{}]}",
		"{\"attempt\":\"a\",\"message\":\"m\",\"blocks\":[{\"index\":0,\"stream\":[],"
		"\"text\":\"x\"}]}",
		"{\"attempt\":\"a\",\"message\":\"m\",\"blocks\":[{\"index\":0,"
		"\"stream\":[[1,0]],\"text\":\"xy\"}]}",
		"{\"attempt\":\"a\",\"message\":\"m\",\"blocks\":[{\"index\":0,"
		"\"stream\":[[0,0],[3,0]],\"text\":\"xy\"}]}",
		"{\"attempt\":\"a\",\"message\":\"m\",\"blocks\":[{\"index\":0,"
		"\"stream\":[[0,0],[1]],\"text\":\"xy\"}]}",
		"{\"attempt\":\"a\",\"message\":\"m\",\"blocks\":[{\"index\":0,"
		"\"stream\":[[0,0]],\"text\":\"xy\"}],\"order\":[[0,2]]}",
		"{\"attempt\":\"a\",\"message\":\"m\",\"blocks\":[{\"index\":0,"
		"\"stream\":[[0,0]],\"text\":\"xy\"}],\"order\":[]}",
		"{\"attempt\":\"a\",\"message\":\"m\",\"blocks\":[{\"index\":0,"
		"\"stream\":[[0,0]],\"text\":\"xy\"}],\"order\":[[1,1]]}",
	};

	for (size_t i = 0; i < VY_COUNT(bad); i++) {
		struct vy_arena mem;
		struct vy_settlement s;
		struct vy_err e = { 0 };

		vy_arena_init(&mem);
		check_int(bad[i], vy_settlement_decode(vy_str_c(bad[i]), &mem, &s, &e), -1);
		vy_arena_fini(&mem);
	}
}

CHECK_MAIN(CHECK_TEST(when_and_as_what), CHECK_TEST(whatever_comes), CHECK_TEST(is_bounded),
	CHECK_TEST(bad_ones_are_refused))

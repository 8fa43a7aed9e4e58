/* render_test.c -- frames as lines for a person: each kind, in its order, with nothing to obey. */
#include "tests/check.h"

#include "shared/base/arena.h"
#include "shared/base/limits.h"
#include "shared/frame/codec.h"
#include "tui/cmd/render.h"
#include "shared/base/ban.h"

/* `frames`: "kind data" a line, data without its braces. */
static void rendered(const char *frames, bool is_ascii, struct vy_buf *out)
{
	struct render r;
	struct vy_arena a;

	render_init(&r, is_ascii);
	vy_arena_init(&a);
	while (*frames) {
		size_t n = strcspn(frames, "\n"), word = strcspn(frames, " \n");
		VY_AUTO_BUF line = VY_BUF_INIT(VY_FRAME_MAX);
		struct vy_err e = { 0 };
		struct vy_frame f;

		vy_buf_addf(&line,
			"{\"v\":1,\"id\":\"x\",\"cur\":1,\"session\":\"s\",\"turn\":\"s:1\","
			"\"type\":\"session.%.*s\",\"time\":1,\"corr\":null,\"data\":{%.*s}}",
			(int)word, frames, (int)(n - word), frames + word);
		if (vy_frame_decode(vy_buf_str(&line), &a, &f, &e) != 0) {
			fail_msg("%s: %s", vy_buf_c(&line), e.text);
		}
		render_frame(&r, &f, out);
		frames += n + (frames[n] == '\n');
	}
	render_fini(&r);
	vy_arena_fini(&a);
}

#define DELTA(m, i, text) "text-delta \"message\":\"" m "\",\"index\":" i ",\"text\":\"" text "\"\n"
#define START(id, tool, summary)                                                                   \
	"tool-started \"tool_id\":\"" id "\",\"tool\":\"" tool "\",\"kind\":\"shell\","            \
	"\"summary\":\"" summary "\"\n"
#define DONE(id, ok, status, result)                                                               \
	"tool-finished \"tool_id\":\"" id "\",\"ok\":" ok ",\"status\":\"" status                  \
	"\",\"result\":{" result "}\n"

static const struct {
	const char *name, *frames, *want;
} rows[] = {
	{ "said", "user-message \"message\":\"m\",\"state\":\"sent\",\"text\":\"fix it\\nplease\"",
		"› fix it\n  please\n" },
	{ "queued, then taken",
		"user-message \"message\":\"m\",\"state\":\"queued\",\"text\":\"later\"\n"
		"user-message \"message\":\"m\",\"state\":\"picked-up\",\"text\":\"later\"",
		"… waits: later\n› later\n" },
	{ "taken back", "user-message \"message\":\"m\",\"state\":\"cancelled\",\"text\":\"no\"",
		"✗ taken back: no\n" },
	{ "said with pictures",
		"user-message \"message\":\"m\",\"state\":\"sent\",\"text\":\"look\","
		"\"images\":[{\"ref\":\"a\"},{\"ref\":\"b\"}]",
		"› look\n  [2 pictures]\n" },
	{ "a picture that a tool brought",
		START("t", "Read", "a.png") DONE("t", "true", "completed",
			"\"type\":\"screen\",\"ref\":\"r\",\"alt\":\"a.png\""),
		"● Read a.png\n    picture: a.png\n" },
	{ "text runs on",
		DELTA("a", "0", "hello ") DELTA("a", "0", "world\\n")
			DELTA("a", "0", "!") "text-done \"message\":\"a\",\"index\":0",
		"hello world\n!\n" },
	{ "blocks are lines",
		DELTA("a", "0", "one") DELTA("a", "1", "two")
			DELTA("b", "0", "three") "text-done \"message\":\"b\",\"index\":0",
		"one\ntwo\nthree\n" },
	{ "thought",
		"text-delta "
		"\"message\":\"a\",\"index\":0,\"text\":\"hm\",\"reasoning\":true\n" DELTA(
			"a", "1", "so.") "text-done \"message\":\"a\",\"index\":1",
		"✻ hm\nso.\n" },
	{ "broken off",
		DELTA("a", "0",
			"half") "text-cut \"message\":\"a\",\"index\":0,\"note\":\"broken off\"",
		"half\n· broken off\n" },
	{ "a tool",
		START("t", "Bash", "make") DONE("t", "true", "completed",
			"\"type\":\"terminal\",\"command\":\"make\",\"output\":\"ok\\ndone\","
			"\"exit\":0"),
		"● Bash make\n    ok\n    done\n" },
	{ "one that fails",
		START("t", "Bash", "make") DONE("t", "false", "failed",
			"\"type\":\"terminal\",\"command\":\"make\",\"output\":\"no\",\"exit\":2"),
		"● Bash make\n  ✗ failed\n    no\n    exit 2\n" },
	{ "canceled",
		START("t", "Bash", "make")
			DONE("t", "false", "canceled", "\"type\":\"text\",\"text\":\"\""),
		"● Bash make\n  ✗ canceled\n" },
	{ "two at once say whose result it is",
		START("t", "Bash", "one") START("u", "Read", "two")
			DONE("t", "true", "completed", "\"type\":\"text\",\"text\":\"1\"")
				DONE("u", "true", "completed", "\"type\":\"text\",\"text\":\"2\""),
		"● Bash one\n● Read two\n● Bash one\n    1\n● Read two\n    2\n" },
	{ "a tool in the middle of text", DELTA("a", "0", "look:") START("t", "Bash", "ls"),
		"look:\n● Bash ls\n" },
	{ "a diff",
		DONE("t", "true", "completed",
			"\"type\":\"diff\",\"path\":\"a.c\",\"added\":1,\"removed\":1,\"hunks\":[{"
			"\"old_start\":3,\"new_start\":3,\"lines\":[\" x\",\"-y\",\"+z\"]}]"),
		"    a.c +1 -1\n    line 3:\n     x\n    -y\n    +z\n" },
	{ "files",
		DONE("t", "true", "completed",
			"\"type\":\"files\",\"files\":[{\"path\":\"a.c\",\"line\":4,\"text\":"
			"\"int\"},{"
			"\"path\":\"b\"}]"),
		"    a.c:4: int\n    b\n" },
	{ "tasks",
		DONE("t", "true", "completed",
			"\"type\":\"task\",\"items\":[{\"text\":\"a\",\"status\":\"done\"},{"
			"\"text\":"
			"\"b\",\"status\":\"running\"},{\"text\":\"c\",\"status\":\"pending\"}]"),
		"    [x] a\n    [>] b\n    [ ] c\n" },
	{ "a sealed field",
		DONE("t", "true", "completed",
			"\"type\":\"record\",\"title\":\"Card\",\"fields\":[{\"label\":\"No\","
			"\"sealed\":true,\"present\":true,\"value\":\"4111\"},{\"label\":\"For\","
			"\"value\":\"me\"}]"),
		"    Card\n    No: (hidden)\n    For: me\n" },
	{ "an ask and its answer",
		"ask \"ask_id\":\"A1\",\"kind\":\"permission\",\"tool\":\"Bash\",\"summary\":\"git "
		"push\","
		"\"options\":[{\"id\":\"allow\"},{\"id\":\"deny\"}]\n"
		"ask-answered \"ask_id\":\"A1\",\"decision\":\"deny\",\"by\":\"person:ann\"",
		"? Bash git push\n  (vyre-tui answer A1 allow|deny)\n· deny, person:ann\n" },
	{ "an answer nobody had",
		"ask-answered \"ask_id\":\"A1\",\"decision\":\"deny\",\"delivered\":false",
		"· answered, but the agent was gone\n" },
	{ "the usual is quiet",
		"status \"state\":\"starting\"\nstatus \"state\":\"working\"\nstatus "
		"\"state\":\"asking\"\nstatus \"state\":\"waiting\"",
		"" },
	{ "the end of a bad turn",
		"status \"state\":\"failed\",\"reason\":\"agent-lost\",\"note\":\"It "
		"ended.\"\nstatus "
		"\"state\":\"waiting\",\"held\":true",
		"✗ failed: agent-lost\n· It ended.\n· the queue is held\n" },
	{ "interrupted", "status \"state\":\"waiting\",\"note\":\"interrupted\"",
		"· interrupted\n" },
	{ "mode", "status \"state\":\"waiting\",\"mode\":\"plan\"", "· mode: plan\n" },
	{ "stop", "status \"state\":\"waiting\",\"stopping\":true\nstatus \"state\":\"stopped\"",
		"· stopping\n· stopped\n" },
	{ "a file", "file-changed \"path\":\"a.c\",\"op\":\"edit\",\"added\":3,\"removed\":1",
		"± edit a.c +3 -1\n" },
	{ "a command", "term-command \"term\":\"t\",\"command\":\"ls -l\"", "● ! ls -l\n" },
	{ "from a newer server", "wormhole \"to\":\"mars\"", "· (wormhole)\n" },
	{ "expired", "user-message \"message\":\"m\",\"state\":\"sent\",\"expired\":true",
		"· (user-message: its words were removed)\n" },
	{ "nothing to obey",
		"user-message "
		"\"message\":\"m\",\"state\":\"sent\",\"text\":\"\\u001b[2Jx\"\n" DELTA(
			"a", "0", "\\u202ey\\u0007") START("t", "Ba\\u001bsh", "\\u009bz\\nw"),
		"› ␛[2Jx\n⟨U+202E⟩y␇\n● Ba␛sh ⟨U+009B⟩z\n  w\n" },
};

static void each_kind(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);

		rendered(rows[i].frames, false, &out);
		check_str(rows[i].name, vy_buf_c(&out), rows[i].want);
	}
}

static void in_ascii(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);

		if (strcmp(rows[i].name, "nothing to obey") == 0) {
			continue; /* marks for what was there */
		}
		rendered(rows[i].frames, true, &out);
		for (size_t k = 0; k < out.len; k++) {
			check_true(rows[i].name, (unsigned char)out.data[k] < 0x80);
		}
	}
}

static void long_output(void **unused)
{
	VY_AUTO_BUF frames = VY_BUF_INIT(VY_MIB), out = VY_BUF_INIT(VY_MIB);

	(void)unused;
	vy_buf_adds(&frames, "tool-finished \"tool_id\":\"t\",\"ok\":true,\"status\":\"completed\","
			     "\"result\":{\"type\":\"terminal\",\"command\":\"x\",\"output\":\"");
	for (int i = 1; i <= 100; i++) {
		vy_buf_addf(&frames, "line %d\\n", i);
	}
	vy_buf_adds(&frames, "\"}");
	rendered(vy_buf_c(&frames), false, &out);
	assert_non_null(strstr(out.data, "    line 12\n    (82 lines)\n    line 95\n"));
	assert_non_null(strstr(out.data, "    line 1\n"));
	assert_non_null(strstr(out.data, "    line 100\n"));
}

CHECK_MAIN(CHECK_TEST(each_kind), CHECK_TEST(in_ascii), CHECK_TEST(long_output))

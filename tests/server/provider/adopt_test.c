/* The readers of other programs' transcripts: bytes in, what was said and done out, a line each. */
#include "tests/check.h"

#include "server/provider/adopt.h"
#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

/* ---- what a reader tells, as text ---- */

static void on_said(void *ctx, const struct adopt_said *s)
{
	vy_buf_addf(ctx, "%s %.*s: %.*s", s->is_steer ? "steer" : "said", VY_STR_ARG(s->message),
		VY_STR_ARG(s->text));
	vy_buf_addf(ctx, s->images ? " +%d\n" : "\n", s->images);
}

static void on_event(void *ctx, const struct agent_event *ev, int64_t time)
{
	VY_AUTO_BUF json = VY_BUF_INIT(65536);

	(void)time;
	switch ((int)ev->kind) {
	case AE_TEXT:
		vy_buf_addf(ctx, "%s %.*s %d: %.*s\n", ev->is_reasoning ? "thought" : "text",
			VY_STR_ARG(ev->message), (int)ev->index, VY_STR_ARG(ev->text));
		break;
	case AE_TOOL_START:
		vy_buf_addf(ctx, "call %.*s %.*s %s: %.*s\n", VY_STR_ARG(ev->tool),
			VY_STR_ARG(ev->name), ev->tool_kind, VY_STR_ARG(ev->text));
		break;
	case AE_TOOL_DONE:
		vy_json_dump(ev->json, &json);
		vy_buf_addf(ctx, "gave %.*s %d %s\n", VY_STR_ARG(ev->tool), (int)ev->outcome,
			vy_buf_c(&json));
		break;
	case AE_FILE_CHANGED:
		vy_buf_addf(ctx, "file %.*s %.*s +%d -%d\n", VY_STR_ARG(ev->name),
			VY_STR_ARG(ev->text), (int)ev->added, (int)ev->removed);
		break;
	case AE_COMPACTED: vy_buf_adds(ctx, "summarised\n"); break;
	case AE_MARK:
		if (ev->mark.n) {
			vy_buf_addf(ctx, "mark %.*s\n", VY_STR_ARG(ev->mark));
		}
		break;
	default: break;
	}
}

static void on_over(void *ctx, int64_t time)
{
	(void)time;
	vy_buf_adds(ctx, "over\n");
}

static void told(
	const struct adopt_kind *kind, struct vy_str text, bool is_rest, struct vy_buf *out)
{
	const struct adopt_sink sink = { on_said, on_event, on_over, out };
	struct adopt_reading r = {
		.text = text, .cwd = VY_STR_LIT("/w"), .is_rest = is_rest, .sink = &sink
	};

	kind->read(&r);
	if (r.skipped) {
		vy_buf_addf(out, "skipped %d\n", (int)r.skipped);
	}
}

struct row {
	const char *name, *in, *out;
	bool is_rest;
};

static void check_rows(const struct adopt_kind *kind, const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		VY_AUTO_BUF out = VY_BUF_INIT(1024 * 1024);

		told(kind, vy_str_c(rows[i].in), rows[i].is_rest, &out);
		check_vstr(rows[i].name, vy_buf_str(&out), vy_str_c(rows[i].out));
	}
}

/* ---- Claude Code ---- */

#define USER(uuid, up, text)                                                                       \
	"{\"type\":\"user\",\"uuid\":\"" uuid "\",\"parentUuid\":" up                              \
	",\"message\":{\"content\":\"" text "\"}}\n"
#define SAYS(uuid, up, id, text)                                                                   \
	"{\"type\":\"assistant\",\"uuid\":\"" uuid "\",\"parentUuid\":" up                         \
	",\"message\":{\"id\":\"" id "\",\"content\":[{\"type\":\"text\",\"text\":\"" text         \
	"\"}]}}\n"
#define CALLS(uuid, up, id, tool, cmd)                                                             \
	"{\"type\":\"assistant\",\"uuid\":\"" uuid "\",\"parentUuid\":" up                         \
	",\"message\":{\"id\":\"" id "\",\"content\":[{\"type\":\"tool_use\",\"id\":\"" tool       \
	"\",\"name\":\"Bash\",\"input\":{\"command\":\"" cmd "\"}}]}}\n"
#define GAVE(uuid, up, of, tool, text)                                                             \
	"{\"type\":\"user\",\"uuid\":\"" uuid "\",\"parentUuid\":" up                              \
	",\"sourceToolAssistantUUID\":\"" of                                                       \
	"\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"" tool           \
	"\",\"content\":\"" text "\"}]}}\n"

static const struct row claude_rows[] = {
	{ "nothing", "", "", false },
	{ "a word and an answer", USER("u", "null", "hi") SAYS("a", "\"u\"", "m", "ho"),
		"said u: hi\ntext m 0: ho\nmark a\n", false },
	{ "a branch that was gone back from drops out",
		USER("u", "null", "hi") SAYS("a", "\"u\"", "m", "no") USER("v", "null", "again")
			SAYS("b", "\"v\"", "n", "yes"),
		"said v: again\ntext n 0: yes\nmark b\n", false },
	{ "parallel calls hang on their own line",
		USER("u", "null", "go") CALLS("a", "\"u\"", "m", "t1", "one") CALLS(
			"b", "\"a\"", "m", "t2", "two") GAVE("r1", "\"a\"", "a", "t1", "1")
			GAVE("r2", "\"b\"", "b", "t2", "2") SAYS("c", "\"r2\"", "n", "done"),
		"said u: go\ncall t1 Bash shell: one\ncall t2 Bash shell: two\n"
		"gave t1 0 "
		"{\"type\":\"terminal\",\"command\":\"one\",\"output\":\"1\",\"exit\":0}\n"
		"gave t2 0 "
		"{\"type\":\"terminal\",\"command\":\"two\",\"output\":\"2\",\"exit\":0}\n"
		"text n 0: done\nmark c\n",
		false },
	{ "links in a circle", USER("u", "\"a\"", "hi") SAYS("a", "\"u\"", "m", "ho"),
		"said u: hi\ntext m 0: ho\nmark a\n", false },
	{ "a line that points at itself", USER("u", "\"u\"", "hi"), "said u: hi\nmark u\n", false },
	{ "a parent that is not there", USER("u", "\"x\"", "hi"), "said u: hi\nmark u\n", false },
	{ "the same name twice: the first of them counts",
		USER("u", "null", "hi") USER("u", "null", "hi") SAYS("a", "\"u\"", "m", "ho"),
		"said u: hi\ntext m 0: ho\nmark a\n", false },
	{ "a torn last line", USER("u", "null", "hi") "{\"type\":\"assistant\",\"uu",
		"said u: hi\nmark u\nskipped 1\n", false },
	{ "no line of it can be read", "\x01\x02\x03\nxyz\n[]\n", "skipped 3\n", false },
	{ "older lines have no links",
		"{\"type\":\"user\",\"uuid\":\"u\",\"message\":{\"content\":\"hi\"}}\n"
		"{\"type\":\"assistant\",\"uuid\":\"a\",\"message\":{\"content\":\"ho\"}}"
		"\n",
		"said u: hi\ntext a 0: ho\nmark a\n", false },
	{ "what was not typed is not a word",
		USER("u", "null", "<command-name>/clear</command-name>") "{\"type\":\"user\","
									 "\"uuid\":\"v\","
									 "\"parentUuid\":\"u\","
									 "\"isMeta\":true,"
									 "\"message\":{\"content\":"
									 "\"x\"}}\n" USER("w",
										 "\"v\"", "hi"),
		"said w: hi\nmark w\n", false },
	{ "an interrupt ends the turn, and its call",
		USER("u", "null", "go") CALLS("a", "\"u\"", "m", "t1", "sleep 9")
			USER("v", "\"a\"", "[Request interrupted by user]"),
		"said u: go\ncall t1 Bash shell: sleep 9\n"
		"gave t1 2 {\"type\":\"text\",\"text\":\"Interrupted.\"}\nover\nmark v\n",
		false },
	{ "a word while the turn ran",
		USER("u", "null", "go") "{\"type\":\"attachment\",\"uuid\":\"x\","
					"\"parentUuid\":\"u\","
					"\"attachment\":{\"type\":\"queued_command\","
					"\"prompt\":\"blue\","
					"\"source_uuid\":\"s\"}}\n" SAYS("a", "\"x\"", "m", "ok"),
		"said u: go\nsteer s: blue\ntext m 0: ok\nmark a\n", false },
	{ "before a summary, and behind it",
		USER("u", "null", "hi") SAYS("a", "\"u\"", "m",
			"ho") "{\"type\":\"system\",\"subtype\":\"compact_boundary\","
			      "\"uuid\":\"c\","
			      "\"parentUuid\":null,\"logicalParentUuid\":\"a\"}\n"
			      "{\"type\":\"user\",\"uuid\":\"s\",\"parentUuid\":\"c\","
			      "\"isCompactSummary\":true,\"message\":{\"content\":\"long\"}"
			      "}\n" USER("v", "\"s\"", "on"),
		"said u: hi\ntext m 0: ho\nsummarised\nsaid v: on\nmark v\n", false },
	{ "a subagent's lines are not ours",
		USER("u", "null",
			"hi") "{\"type\":\"assistant\",\"uuid\":\"x\",\"parentUuid\":\"u\","
			      "\"isSidechain\":true,\"message\":{\"id\":\"q\",\"content\":["
			      "{\"type\":"
			      "\"text\",\"text\":\"inner\"}]}}\n",
		"said u: hi\nmark u\n", false },
	{ "a picture is counted",
		"{\"type\":\"user\",\"uuid\":\"u\",\"parentUuid\":null,\"message\":{"
		"\"content\":["
		"{\"type\":\"image\",\"source\":{}},{\"type\":\"text\",\"text\":\"this?\"}]"
		"}}\n",
		"said u: this? +1\nmark u\n", false },
	{ "what was added, from the middle on",
		SAYS("a", "\"x\"", "m", "ho") USER("u", "\"a\"", "more"),
		"text m 0: ho\nsaid u: more\nmark u\n", true },
	{ "not UTF-8", USER("u", "null", "h\xFFi"), "said u: h\xEF\xBF\xBDi\nmark u\n", false },
};

static void claude_lines(void **state)
{
	(void)state;
	check_rows(&adopt_claude, claude_rows, VY_COUNT(claude_rows));
}

/* ---- Codex ---- */

#define ITEM(json)                                                                                 \
	"{\"timestamp\":\"2026-01-02T03:04:05.000Z\",\"type\":\"event_msg\",\"payload\":{"         \
	"\"type\":"                                                                                \
	"\"item_completed\",\"item\":" json "}}\n"
#define EVENT(json)    "{\"type\":\"event_msg\",\"payload\":" json "}\n"
#define RESPONSE(json) "{\"type\":\"response_item\",\"payload\":" json "}\n"

static void codex_lines(void **state)
{
	static const struct row rows[] = {
		{ "words, thoughts, a command",
			ITEM("{\"type\":\"UserMessage\",\"id\":\"u\",\"content\":[{\"type\":"
			     "\"text\","
			     "\"text\":\"hi\"}]}") ITEM("{\"type\":\"Reasoning\",\"id\":\"r\","
							"\"summary_text\":[\"hm\"],"
							"\"raw_content\":[]}")
				ITEM("{\"type\":\"CommandExecution\",\"id\":\"c\",\"command\":["
				     "\"/bin/sh\",\"-lc\",\"ls -l\"],\"status\":\"failed\","
				     "\"aggregated_output\":\"no\\n\",\"exit_code\":2}")
					ITEM("{\"type\":\"AgentMessage\",\"id\":\"m\","
					     "\"content\":[{\"type\":\"Text\",\"text\":\"ho\"}]}")
						EVENT("{\"type\":\"task_complete\",\"turn_id\":"
						      "\"t1\"}"),
			"said u: hi\nthought r 0: hm\ncall c shell shell: ls -l\n"
			"gave c 1 {\"type\":\"terminal\",\"command\":\"ls "
			"-l\",\"output\":\"no\\n\","
			"\"exit\":2}\ntext m 0: ho\nmark t1\nover\n",
			false },
		{ "a change of a file",
			ITEM("{\"type\":\"FileChange\",\"id\":\"f\",\"status\":\"completed\","
			     "\"changes\":{\"/w/a\":{\"type\":\"add\",\"content\":\"one\\n\"}}}"),
			"call f apply_patch edit: a\n"
			"gave f 0 {\"type\":\"diff\",\"path\":\"a\",\"hunks\":[{\"old_start\":0,"
			"\"new_start\":1,\"lines\":[\"+one\"]}],\"created\":true,\"added\":1,"
			"\"removed\":0}\n"
			"file a create +1 -0\n",
			false },
		{ "an older file has events and calls",
			EVENT("{\"type\":\"user_message\",\"message\":\"hi\"}") RESPONSE(
				"{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":"
				"\"input_text\",\"text\":\"<environment_context>\"}]}")
				RESPONSE("{\"type\":\"function_call\",\"name\":\"shell\","
					 "\"call_id\":\"c1\",\"arguments\":\"{\\\"command\\\":["
					 "\\\"bash\\\",\\\"-lc\\\",\\\"ls\\\"]}\"}")
					RESPONSE("{\"type\":\"function_call_output\","
						 "\"call_id\":\"c1\",\"output\":\"{\\\"output\\\":"
						 "\\\"a b\\\"}\"}")
						EVENT("{\"type\":\"agent_message\",\"message\":"
						      "\"ho\"}"),
			"said past-0-1: hi\ncall c1 shell shell: ls\n"
			"gave c1 0 {\"type\":\"terminal\",\"command\":\"ls\",\"output\":\"a b\"}\n"
			"text past-0-2 0: ho\n",
			false },
		{ "what codex told itself is no word",
			EVENT("{\"type\":\"user_message\",\"message\":\"<environment_context> "
			      "x\"}"),
			"", false },
		{ "torn",
			ITEM("{\"type\":\"UserMessage\",\"id\":\"u\",\"content\":[{\"text\":\"hi\"}"
			     "]}") "{\"timestamp\":\"2026",
			"said u: hi\nskipped 1\n", false },
	};

	(void)state;
	check_rows(&adopt_codex, rows, VY_COUNT(rows));
}

/* ---- Gemini CLI ---- */

static void gemini_lines(void **state)
{
	static const struct row rows[] = {
		{ "a message that grew is one",
			"{\"sessionId\":\"s\",\"kind\":\"main\"}\n"
			"{\"id\":\"u\",\"type\":\"user\",\"content\":[{\"text\":\"hi\"}]}\n"
			"{\"id\":\"g\",\"type\":\"gemini\",\"content\":\"h\"}\n"
			"{\"$set\":{\"lastUpdated\":\"x\"}}\n"
			"{\"id\":\"g\",\"type\":\"gemini\",\"content\":\"ho\",\"thoughts\":[{"
			"\"subject\":"
			"\"S\",\"description\":\"D\"}],\"toolCalls\":[{\"id\":\"c\",\"name\":"
			"\"run_shell_command\",\"args\":{\"command\":\"ls\"},\"status\":\"error\","
			"\"resultDisplay\":\"bad\"}]}\n",
			"said u: hi\nthought g 0: S\nD\ntext g 1: ho\ncall c run_shell_command "
			"shell: ls\n"
			"gave c 1 {\"type\":\"terminal\",\"command\":\"ls\",\"output\":\"bad\"}\n",
			false },
		{ "all of it anew",
			"{\"id\":\"u\",\"type\":\"user\",\"content\":\"hi\"}\n"
			"{\"$set\":{\"messages\":[{\"id\":\"v\",\"type\":\"user\",\"content\":"
			"\"ho\"}]}}\n",
			"said v: ho\n", false },
		{ "gone back",
			"{\"id\":\"u\",\"type\":\"user\",\"content\":\"a\"}\n"
			"{\"id\":\"v\",\"type\":\"user\",\"content\":\"b\"}\n"
			"{\"id\":\"w\",\"type\":\"user\",\"content\":\"c\"}\n{\"$rewindTo\":\"v\"}"
			"\n",
			"said u: a\n", false },
		{ "one document, as it was before",
			"{\n  \"sessionId\": \"s\",\n  \"messages\": [\n    "
			"{\"id\":\"u\",\"type\":\"user\","
			"\"content\":\"hi\"},\n    "
			"{\"id\":\"g\",\"type\":\"gemini\",\"content\":\"ho\"}\n  ]\n}\n",
			"said u: hi\ntext g 1: ho\n", false },
		{ "torn", "{\"id\":\"u\",\"type\":\"user\",\"content\":\"hi\"}\n{\"id\":\"g\",\"ty",
			"said u: hi\nskipped 1\n", false },
		{ "what gemini says of the place is no word",
			"{\"id\":\"u\",\"type\":\"user\",\"content\":\"<session_context>\\nx\"}\n",
			"", false },
	};

	(void)state;
	check_rows(&adopt_gemini, rows, VY_COUNT(rows));
}

/* ---- opencode ---- */

static void opencode_lines(void **state)
{
	static const struct row rows[] = {
		{ "words, a call",
			"{\"id\":\"m1\",\"data\":\"{\\\"role\\\":\\\"user\\\",\\\"time\\\":{"
			"\\\"created\\\":5}}\",\"parts\":[{\"id\":\"p1\",\"data\":\"{\\\"type\\\":"
			"\\\"text\\\",\\\"text\\\":\\\"hi\\\"}\"},{\"id\":\"p2\",\"data\":{"
			"\"type\":\"text\","
			"\"text\":\"made up\",\"synthetic\":true}}]}\n"
			"{\"id\":\"m2\",\"data\":{\"role\":\"assistant\"},\"parts\":[{\"id\":"
			"\"p3\",\"data\":{"
			"\"type\":\"step-start\"}},{\"id\":\"p4\",\"data\":{\"type\":\"tool\","
			"\"tool\":\"bash\","
			"\"callID\":\"c\",\"state\":{\"status\":\"completed\",\"input\":{"
			"\"command\":\"ls\"},"
			"\"output\":\"a\",\"metadata\":{\"exit\":0}}}},{\"id\":\"p5\",\"data\":{"
			"\"type\":"
			"\"text\",\"text\":\"ho\"}}]}\n",
			"said m1: hi\ncall c bash shell: ls\n"
			"gave c 0 "
			"{\"type\":\"terminal\",\"command\":\"ls\",\"output\":\"a\",\"exit\":0}\n"
			"text m2 2: ho\n",
			false },
		{ "rows that cannot be read", "{\"id\":\"m1\",\"data\":\"{\"}\n{\n", "skipped 2\n",
			false },
	};

	(void)state;
	check_rows(&adopt_opencode, rows, VY_COUNT(rows));
}

/* ---- a long line ---- */

static void long_lines(void **state)
{
	size_t n = 30u << 20;
	VY_AUTO_BUF text = VY_BUF_INIT(n * 2), out = VY_BUF_INIT(1024 * 1024);
	char *fill = vy_alloc(n);

	(void)state;
	memset(fill, 'x', n);
	vy_buf_adds(&text, USER("u", "null", "hi"));
	vy_buf_adds(&text, "{\"type\":\"user\",\"uuid\":\"v\",\"parentUuid\":\"u\",\"message\":{"
			   "\"content\":\"");
	vy_buf_add(&text, fill, n);
	vy_buf_adds(&text, "\"}}\n" SAYS("a", "\"u\"", "m", "ho"));
	told(&adopt_claude, vy_buf_str(&text), false, &out);
	check_vstr("a line of 30 MB", vy_buf_str(&out),
		VY_STR_LIT("said u: hi\ntext m 0: ho\nmark a\nskipped 1\n"));
	free(fill);
}

/* ---- glances ---- */

static void glances(void **state)
{
#define ID "11111111-2222-4333-8444-555555555501"
	static const struct {
		const char *name;
		const struct adopt_kind *kind;
		const char *file, *head, *tail, *id, *cwd, *title;
		bool is_none;
	} rows[] = {
		{ "the first word", &adopt_claude, ID ".jsonl",
			"{\"type\":\"user\",\"cwd\":\"/w\",\"message\":{\"content\":\"hi\"}}\n", "",
			ID, "/w", "hi", false },
		{ "a name that was given beats all", &adopt_claude, ID ".jsonl",
			"{\"type\":\"user\",\"cwd\":\"/w\",\"message\":{\"content\":\"hi\"}}\n",
			"half a "
			"line\n{\"type\":\"ai-title\",\"aiTitle\":\"B\"}\n{\"type\":\"custom-"
			"title\",\"customTitle\":\"A\"}\n{\"type\":\"last-prompt\",\"lastPrompt\":"
			"\"C\"}\n",
			ID, "/w", "A", false },
		{ "then one it made", &adopt_claude, ID ".jsonl",
			"{\"type\":\"user\",\"cwd\":\"/w\",\"message\":{\"content\":\"hi\"}}\n"
			"{\"type\":\"ai-title\",\"aiTitle\":\"B\"}\n{\"type\":\"last-prompt\","
			"\"lastPrompt\":\"C\"}\n",
			"", ID, "/w", "B", false },
		{ "the folder in a line that is torn", &adopt_claude, ID ".jsonl",
			"{\"type\":\"user\",\"cwd\":\"/w/\\u00fc\",\"message\":{\"content\":\"lo",
			"rest", ID, "/w/ü", "", false },
		{ "a subagent's file", &adopt_claude, "agent-abc.jsonl", "{}\n", "", "agent-abc",
			"", "", true },
		{ "a summary alone", &adopt_claude, ID ".jsonl",
			"{\"type\":\"summary\",\"summary\":\"x\"}\n", "", ID, "", "x", true },
		{ "a side chain alone", &adopt_claude, ID ".jsonl",
			"{\"type\":\"user\",\"isSidechain\":true,\"message\":{\"content\":\"x\"}}"
			"\n",
			"", ID, "", "", true },
		{ "a thread", &adopt_codex, "rollout-2026-01-02T03-04-05-" ID ".jsonl",
			"{\"type\":\"session_meta\",\"payload\":{\"cwd\":\"/"
			"w\",\"source\":\"cli\"}}\n"
			"{\"type\":\"event_msg\",\"payload\":{\"type\":\"user_message\","
			"\"message\":"
			"\"hi\"}}\n",
			"", ID, "/w", "hi", false },
		{ "a thread of a thread", &adopt_codex, "rollout-2026-01-02T03-04-05-" ID ".jsonl",
			"{\"type\":\"session_meta\",\"payload\":{\"cwd\":\"/"
			"w\",\"source\":{\"subagent\":"
			"\"x\"}}}\n{\"type\":\"event_msg\",\"payload\":{\"type\":\"user_message\","
			"\"message\":\"hi\"}}\n",
			"", ID, "/w", "hi", true },
		{ "a file of no such name", &adopt_codex, "notes.jsonl", "{}\n", "", "", "", "",
			true },
		{ "of gemini", &adopt_gemini, "session-2026-abc.jsonl",
			"{\"sessionId\":\"" ID
			"\",\"kind\":\"main\"}\n{\"id\":\"u\",\"type\":\"user\","
			"\"content\":[{\"text\":\"hi\"}]}\n",
			"", ID, "", "hi", false },
		{ "of gemini, where nobody said anything", &adopt_gemini, "session-2026-abc.jsonl",
			"{\"sessionId\":\"" ID
			"\",\"kind\":\"main\"}\n{\"id\":\"u\",\"type\":\"user\","
			"\"content\":[{\"text\":\"<session_context> x\"}]}\n",
			"", ID, "", "", true },
		{ "of gemini, a subagent's", &adopt_gemini, "session-2026-abc.jsonl",
			"{\"sessionId\":\"" ID "\",\"kind\":\"subagent\"}\n{\"id\":\"u\",\"type\":"
			"\"user\",\"content\":\"hi\"}\n",
			"", ID, "", "hi", true },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct adopt_piece p = { vy_str_c(rows[i].file), vy_str_c(rows[i].head),
			vy_str_c(rows[i].tail) };
		struct adopt_glance g = { 0 };
		struct vy_arena a;

		vy_arena_init(&a);
		rows[i].kind->glance(&p, &a, &g);
		check_vstr(rows[i].name, g.id, vy_str_c(rows[i].id));
		check_vstr(rows[i].name, g.cwd, vy_str_c(rows[i].cwd));
		check_vstr(rows[i].name, g.title, vy_str_c(rows[i].title));
		check_vstr(rows[i].name, vy_str_c(g.is_none ? "none" : "one"),
			vy_str_c(rows[i].is_none ? "none" : "one"));
		vy_arena_fini(&a);
	}
}

static void times(void **state)
{
	static const struct {
		const char *iso;
		int64_t ms;
	} rows[] = { { "1970-01-01T00:00:00.001Z", 1 },
		{ "2026-11-30T20:34:29.422Z", 1796070869422 },
		{ "2024-02-29T23:59:59Z", 1709251199000 }, { "2024-13-01T00:00:00Z", 0 },
		{ "yesterday", 0 }, { "", 0 } };

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		assert_int_equal(adopt_time(vy_str_c(rows[i].iso)), rows[i].ms);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(claude_lines),
		cmocka_unit_test(codex_lines),
		cmocka_unit_test(gemini_lines),
		cmocka_unit_test(opencode_lines),
		cmocka_unit_test(long_lines),
		cmocka_unit_test(glances),
		cmocka_unit_test(times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

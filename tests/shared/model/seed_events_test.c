/* seed_events_test.c -- the table of events that the source text agreed, walked (seed 003, section 1).
 *
 * For every event of it but thread.text (words never enter the journal, wire 7), and for every field it
 * names: a frame that makes it, and what then stands in the journal. A field that is called otherwise
 * here, or stands in a column, has its line below with the reason. */
#include "tests/check.h"

#include "shared/base/limits.h"
#include "shared/frame/check.h"
#include "shared/frame/codec.h"
#include "shared/model/lift.h"
#include "shared/base/ban.h"

static struct vy_arena mem;

/* As the source text has it; the state of an event is said by its name where wire 3 gives it a frame. */
static const struct {
	const char *event, *fields;
} seed[] = {
	{ "thread.started", "thread turn provider model auth purpose cwd resumed" },
	{ "thread.turn", "thread turn uuid text steered" },
	{ "thread.tool", "thread turn id call name phase status summary block" },
	{ "ask.raised", "thread turn ask kind tool summary options questions" },
	{ "ask.answered", "thread turn ask decision by" },
	{ "thread.sent", "thread turn text surface uuid via queued" },
	{ "thread.steered", "thread turn uuid" },
	{ "thread.queued", "thread queued uuid text surface edited" },
	{ "thread.unqueued", "thread queued uuid reason" },
	{ "thread.rewound", "thread turn uuid at" },
	{ "mode.changed", "thread turn mode" },
	{ "thread.state", "thread turn state error" },
	{ "thread.usage", "thread turn tokens cost_usd total_cost_usd context" },
	{ "thread.limit", "thread turn status kind used resets_at" },
	{ "thread.finished",
		"thread turn ok cost_usd total_cost_usd tokens error canceled reason" },
	{ "thread.stopped", "thread turn reason" },
};

/* What is called otherwise. `*`: of every event. ours NULL: a column of the journal's row. */
static const struct {
	const char *event, *field, *ours, *why;
} renamed[] = {
	{ "*", "thread", NULL, "wire 7: journal(seq, session, …)" },
	{ "*", "turn", NULL, "wire 7: journal(…, turn, step, …); <session>:<n>" },
	{ "*", "uuid", "message",
		"wire 3: user-message {message}; wire 5: its uuid, while it can" },
	{ "thread.turn", "text", NULL, "that of its message, whose thread.sent came before" },
	{ "*", "text", "bytes", "wire 7: ids, summaries and counts; the words are the message's" },
	{ "thread.tool", "id", NULL, "the text's own `call` under its old name: the subject" },
	{ "thread.rewound", "at", "to", "wire 3: rewound {message, to}" },
};

#define USER   "user-message {\"message\":\"m\",\"text\":\"hi\","
#define STATUS "status {\"state\":"
#define USAGE                                                                                      \
	"\"usage\":{\"used\":5,\"max\":9,\"input\":40,\"output\":4,\"cost_usd\":2.5,"              \
	"\"turn\":{\"input\":30,\"output\":3,\"cost_usd\":0.5}}"
#define SUMS                                                                                       \
	"\"tokens\":{\"input\":30,\"output\":3},\"total_cost_usd\":2.5,"                           \
	"\"usage\":{\"cost_usd\":2.5,\"input\":40,\"max\":9,\"output\":4,"                         \
	"\"turn\":{\"cost_usd\":0.5,\"input\":30,\"output\":3},\"used\":5}"
#define COST "\"context\":{\"max\":9,\"used\":5},\"cost_usd\":0.5,"

/* Frames, one a line; the event of the last. */
static const struct {
	const char *name, *frames, *event, *data;
} rows[] = {
	{ "a start",
		STATUS "\"starting\",\"launch\":{\"provider\":\"claude\",\"model\":\"opus\","
		       "\"auth\":\"login\",\"purpose\":\"chat\",\"cwd\":\"/w\",\"resumed\":true}}",
		"thread.started",
		"{\"auth\":\"login\",\"cwd\":\"/w\",\"model\":\"opus\",\"provider\":\"claude\","
		"\"purpose\":\"chat\",\"resumed\":true}" },
	{ "a turn", STATUS "\"working\",\"message\":\"m\"}", "thread.turn", "{\"message\":\"m\"}" },
	{ "a turn of words that were to steer another",
		STATUS "\"working\",\"message\":\"m\",\"steered\":true}", "thread.turn",
		"{\"message\":\"m\",\"steered\":true}" },
	{ "a turn that the agent began", STATUS "\"working\",\"origin\":\"task\"}", "thread.turn",
		"{\"origin\":\"task\"}" },
	{ "a call",
		"tool-started {\"tool_id\":\"t\",\"tool\":\"Bash\",\"kind\":\"shell\","
		"\"summary\":\"ls\",\"message\":\"a\",\"index\":2}",
		"thread.tool",
		"{\"block\":2,\"call\":\"t\",\"kind\":\"shell\",\"message\":\"a\","
		"\"name\":\"Bash\",\"phase\":\"started\",\"status\":\"running\","
		"\"summary\":\"ls\"}" },
	{ "its end",
		"tool-finished {\"tool_id\":\"t\",\"ok\":true,\"status\":\"completed\","
		"\"result\":{\"type\":\"text\",\"text\":\"\"}}",
		"thread.tool",
		"{\"bytes\":25,\"call\":\"t\",\"ok\":true,\"phase\":\"done\","
		"\"result\":\"text\",\"status\":\"completed\"}" },
	{ "its end, failed",
		"tool-finished {\"tool_id\":\"t\",\"ok\":false,\"status\":\"failed\","
		"\"result\":{\"type\":\"text\"}}",
		"thread.tool",
		"{\"bytes\":15,\"call\":\"t\",\"ok\":false,\"phase\":\"done\","
		"\"result\":\"text\",\"status\":\"failed\"}" },
	{ "its end with an interrupted turn",
		"tool-finished {\"tool_id\":\"t\",\"ok\":false,\"status\":\"canceled\","
		"\"result\":{\"type\":\"text\"}}",
		"thread.tool",
		"{\"bytes\":15,\"call\":\"t\",\"ok\":false,\"phase\":\"done\","
		"\"result\":\"text\",\"status\":\"canceled\"}" },
	{ "an ask",
		"ask {\"ask_id\":\"q\",\"kind\":\"question\",\"tool\":\"Ask\",\"summary\":\"s\","
		"\"options\":[],\"questions\":[{}]}",
		"ask.raised",
		"{\"ask\":\"q\",\"kind\":\"question\",\"options\":0,\"questions\":1,"
		"\"summary\":\"s\",\"tool\":\"Ask\"}" },
	{ "an answer", "ask-answered {\"ask_id\":\"q\",\"decision\":\"allow\",\"by\":\"person:p\"}",
		"ask.answered", "{\"ask\":\"q\",\"by\":\"person:p\",\"decision\":\"allow\"}" },
	{ "an answer nobody had",
		"ask-answered {\"ask_id\":\"q\",\"decision\":\"allow\",\"delivered\":false}",
		"ask.answered", "{\"ask\":\"q\",\"decision\":\"allow\",\"delivered\":false}" },
	{ "a withdrawn question", "ask-answered {\"ask_id\":\"q\",\"decision\":\"cancelled\"}",
		"ask.answered", "{\"ask\":\"q\",\"decision\":\"cancelled\"}" },
	{ "said while idle", USER "\"state\":\"sent\",\"surface\":\"vyre-tui\"}", "thread.sent",
		"{\"bytes\":2,\"message\":\"m\",\"state\":\"sent\",\"surface\":\"vyre-tui\"}" },
	{ "handed over at a turn's end", USER "\"state\":\"picked-up\",\"via\":\"turn\"}",
		"thread.sent",
		"{\"bytes\":2,\"message\":\"m\",\"queued\":\"m\",\"state\":\"picked-up\","
		"\"via\":\"turn\"}" },
	{ "sent at once from the queue", USER "\"state\":\"picked-up\",\"via\":\"now\"}",
		"thread.sent",
		"{\"bytes\":2,\"message\":\"m\",\"queued\":\"m\",\"state\":\"picked-up\","
		"\"via\":\"now\"}" },
	{ "to steer, as a turn of its own", USER "\"state\":\"picked-up\",\"via\":\"steer\"}",
		"thread.sent",
		"{\"bytes\":2,\"message\":\"m\",\"queued\":\"m\",\"state\":\"picked-up\","
		"\"via\":\"steer\"}" },
	{ "taken in at a step", USER "\"state\":\"picked-up\",\"via\":\"steer\",\"step\":1}",
		"thread.steered",
		"{\"message\":\"m\",\"queued\":\"m\",\"state\":\"picked-up\",\"step\":1,"
		"\"via\":\"steer\"}" },
	{ "queued", USER "\"state\":\"queued\",\"surface\":\"phone\",\"mode\":\"queue\"}",
		"thread.queued",
		"{\"bytes\":2,\"message\":\"m\",\"mode\":\"queue\",\"queued\":\"m\","
		"\"state\":\"queued\",\"surface\":\"phone\"}" },
	{ "queued, with other words now",
		USER "\"state\":\"queued\",\"edited\":true,\"mode\":\"queue\"}", "thread.queued",
		"{\"bytes\":2,\"edited\":true,\"message\":\"m\",\"mode\":\"queue\","
		"\"queued\":\"m\",\"state\":\"queued\"}" },
	{ "taken back", USER "\"state\":\"cancelled\",\"reason\":\"taken\"}", "thread.unqueued",
		"{\"message\":\"m\",\"queued\":\"m\",\"reason\":\"taken\","
		"\"state\":\"cancelled\"}" },
	{ "rewound", STATUS "\"waiting\",\"rewound\":{\"message\":\"m\",\"to\":7}}",
		"thread.rewound", "{\"message\":\"m\",\"to\":7}" },
	{ "another mode", STATUS "\"waiting\",\"mode\":\"acceptEdits\"}", "mode.changed",
		"{\"mode\":\"acceptEdits\"}" },
	{ "an ask is open", STATUS "\"working\"}\n" STATUS "\"asking\"}", "thread.state",
		"{\"state\":\"asking\"}" },
	{ "failed",
		STATUS "\"working\"}\n" STATUS
		       "\"failed\",\"reason\":\"agent-error\",\"note\":\"It broke.\"}",
		"thread.state",
		"{\"error\":\"It broke.\",\"reason\":\"agent-error\",\"state\":\"failed\"}" },
	{ "what it took", STATUS "\"working\"}\n" STATUS "\"working\"," USAGE "}", "thread.usage",
		"{" COST SUMS "}" },
	{ "a limit",
		STATUS "\"working\",\"note\":\"80 % used.\",\"limit\":{\"status\":"
		       "\"allowed_warning\",\"kind\":\"five_hour\",\"used\":0.5,"
		       "\"resets_at\":99}}",
		"thread.limit",
		"{\"kind\":\"five_hour\",\"note\":\"80 % used.\",\"resets_at\":99,"
		"\"status\":\"allowed_warning\",\"used\":0.5}" },
	{ "done", STATUS "\"working\"}\n" STATUS "\"waiting\"," USAGE "}", "thread.finished",
		"{" COST "\"ok\":true," SUMS "}" },
	{ "done, badly",
		STATUS "\"working\"}\n" STATUS
		       "\"failed\",\"reason\":\"agent-error\",\"note\":\"It broke.\"}\n" STATUS
		       "\"waiting\"}",
		"thread.finished", "{\"error\":\"It broke.\",\"ok\":false}" },
	{ "interrupted", STATUS "\"working\"}\n" STATUS "\"waiting\",\"note\":\"interrupted\"}",
		"thread.finished", "{\"canceled\":true,\"ok\":false,\"reason\":\"interrupt\"}" },
	{ "stopped", STATUS "\"stopped\"}", "thread.stopped", "{\"reason\":\"stopped\"}" },
	{ "stopped for idleness", STATUS "\"stopped\",\"reason\":\"idle\"}", "thread.stopped",
		"{\"reason\":\"idle\"}" },
	{ "a job is done", STATUS "\"finished\"}", "thread.stopped", "{\"reason\":\"done\"}" },
};

static struct vy_frame frame(const char *name, struct vy_str line)
{
	struct vy_frame f;
	struct vy_err e = { 0 };
	const char *blank = memchr(line.p, ' ', line.n);
	struct vy_str data = vy_str_from(line, (size_t)(blank + 1 - line.p));
	const char *text = vy_arena_printf(&mem,
		"{\"v\":1,\"id\":\"f\",\"cur\":5,\"session\":\"S\",\"turn\":\"S:2\","
		"\"type\":\"session.%.*s\",\"time\":9,\"data\":%.*s,\"author\":\"assistant:a\"}",
		(int)(blank - line.p), line.p, VY_STR_ARG(data));

	if (vy_frame_decode(vy_str_c(text), &mem, &f, &e) < 0 || vy_frame_check(&f, &e) < 0) {
		fail_msg("%s: %s", name, e.text);
	}
	f.cur = 0; /* where it stood is lift_test's */
	return f;
}

/* Its last frame's event. */
static struct vy_event made(const char *name, const char *frames)
{
	struct vy_lift l = { 0 };
	struct vy_event ev = { 0 };

	while (*frames) {
		size_t n = strcspn(frames, "\n");
		struct vy_frame f = frame(name, vy_str_n(frames, n));

		assert_true(vy_lift(&l, &f, &mem, &ev));
		frames += n + (frames[n] == '\n');
	}
	return ev;
}

/* Some row of that event has this member. */
static bool is_said(const char *event, const char *member)
{
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_JSON *data = vy_json_parse(vy_str_c(rows[i].data), NULL);

		if (strcmp(rows[i].event, event) == 0 && vy_json_get(data, member)) {
			return true;
		}
	}
	return false;
}

static void look_for(const char *event, const char *field)
{
	const char *name = vy_arena_printf(&mem, "%s %s", event, field);

	for (size_t i = 0; i < VY_COUNT(renamed); i++) {
		bool is_its =
			strcmp(renamed[i].event, event) == 0 || strcmp(renamed[i].event, "*") == 0;

		if (is_its && strcmp(renamed[i].field, field) == 0) {
			check_true(name, !renamed[i].ours || is_said(event, renamed[i].ours));
			check_true(name, !is_said(event, field) || strcmp(field, "text") != 0);
			return;
		}
	}
	check_true(name, is_said(event, field));
}

static void a_frame_makes_each(void **state)
{
	(void)state;
	vy_arena_init(&mem);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_event ev = made(rows[i].name, rows[i].frames);

		check_str(rows[i].name, ev.type, rows[i].event);
		check_vstr(rows[i].name, ev.data, vy_str_c(rows[i].data));
		check_vstr(rows[i].name, ev.turn, VY_STR_LIT("S:2"));
	}
	vy_arena_fini(&mem);
}

static void every_field_is_said(void **state)
{
	(void)state;
	vy_arena_init(&mem);
	for (size_t i = 0; i < VY_COUNT(seed); i++) {
		const char *at = seed[i].fields;

		while (*at) {
			size_t n = strcspn(at, " ");

			look_for(seed[i].event, vy_arena_dup(&mem, at, n));
			at += n + (at[n] == ' ');
		}
	}
	vy_arena_fini(&mem);
}

CHECK_MAIN(CHECK_TEST(a_frame_makes_each), CHECK_TEST(every_field_is_said))

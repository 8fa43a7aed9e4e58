/* lift_test.c -- what every kind of frame becomes in the journal, and that no words get there. */
#include "tests/check.h"

#include "shared/base/limits.h"
#include "shared/frame/check.h"
#include "shared/frame/codec.h"
#include "shared/model/lift.h"
#include "shared/model/lower.h"
#include "shared/base/ban.h"

#define SECRET "zanzibar" /* stands for all that the journal must not have */

static struct vy_arena mem;

static struct vy_frame frame(const char *kind, const char *data, const char *turn)
{
	struct vy_frame f;
	struct vy_err e = { 0 };
	const char *line = vy_arena_printf(&mem,
		"{\"v\":1,\"id\":\"f\",\"cur\":5,\"session\":\"S\",\"turn\":\"%s\","
		"\"type\":\"session.%s\",\"time\":9,\"data\":%s,\"author\":\"assistant:a\","
		"\"acts_for\":\"person:p\"}",
		turn, kind, data);

	if (vy_frame_decode(vy_str_c(line), &mem, &f, &e) < 0) {
		fail_msg("%s: %s", line, e.text);
	}
	return f;
}

#define NOTHING                                                                                    \
	{                                                                                          \
		NULL, NULL, NULL                                                                   \
	}

static const struct row {
	const char *name, *kind, *data;
	struct {
		const char *type, *subject, *data;
	} want;
} rows[] = {
	{ "sent", "user-message", "{\"message\":\"m\",\"state\":\"sent\",\"text\":\"zanzibar\"}",
		{ "thread.sent", "m", "{\"bytes\":8,\"message\":\"m\",\"state\":\"sent\"}" } },
	{ "sent, long, with pictures", "user-message",
		"{\"message\":\"m\",\"state\":\"sent\",\"text\":\"zanzibar\",\"bytes\":99,"
		"\"more\":true,\"images\":[{\"ref\":\"a\"},{\"ref\":\"b\"}]}",
		{ "thread.sent", "m",
			"{\"bytes\":99,\"images\":2,\"message\":\"m\",\"state\":\"sent\"}" } },
	{ "queued", "user-message",
		"{\"message\":\"m\",\"state\":\"queued\",\"text\":\"zanzibar\",\"mode\":\"queue\","
		"\"position\":3,\"edited\":true}",
		{ "thread.queued", "m",
			"{\"bytes\":8,\"edited\":true,\"message\":\"m\",\"mode\":\"queue\","
			"\"position\":3,\"queued\":\"m\",\"state\":\"queued\"}" } },
	{ "handed over", "user-message",
		"{\"message\":\"m\",\"state\":\"picked-up\",\"text\":\"zanzibar\"}",
		{ "thread.sent", "m",
			"{\"bytes\":8,\"message\":\"m\",\"queued\":\"m\","
			"\"state\":\"picked-up\"}" } },
	{ "taken in at a step", "user-message",
		"{\"message\":\"m\",\"state\":\"picked-up\",\"text\":\"zanzibar\",\"step\":2}",
		{ "thread.steered", "m",
			"{\"message\":\"m\",\"queued\":\"m\",\"state\":\"picked-up\","
			"\"step\":2}" } },
	{ "taken back", "user-message",
		"{\"message\":\"m\",\"state\":\"cancelled\",\"text\":\"zanzibar\"}",
		{ "thread.unqueued", "m",
			"{\"message\":\"m\",\"queued\":\"m\",\"state\":\"cancelled\"}" } },
	{ "private", "user-message",
		"{\"message\":\"m\",\"state\":\"queued\",\"enc\":{\"ct\":\"zanzibar\"},"
		"\"mode\":\"queue\",\"position\":3,\"bytes\":77,\"images\":[1]}",
		{ "thread.queued", "m", "{\"enc\":true,\"message\":\"m\",\"state\":\"queued\"}" } },
	{ "expired", "user-message", "{\"message\":\"m\",\"state\":\"sent\",\"expired\":true}",
		NOTHING },
	{ "a word", "text-delta", "{\"message\":\"m\",\"index\":0,\"text\":\"zanzibar\"}",
		NOTHING },
	{ "the end of a text", "text-done", "{\"message\":\"m\",\"index\":0}", NOTHING },
	{ "a text cut", "text-cut", "{\"message\":\"m\",\"index\":0,\"note\":\"zanzibar\"}",
		NOTHING },
	{ "a call", "tool-started",
		"{\"tool_id\":\"t\",\"tool\":\"Bash\",\"kind\":\"shell\",\"summary\":\"ls\","
		"\"parent_tool\":\"p\",\"background\":true}",
		{ "thread.tool", "t",
			"{\"background\":true,\"call\":\"t\",\"kind\":\"shell\",\"name\":\"Bash\","
			"\"parent\":\"p\",\"phase\":\"started\",\"status\":\"running\","
			"\"summary\":\"ls\"}" } },
	{ "on its way", "tool-progress", "{\"tool_id\":\"t\",\"text\":\"zanzibar\"}", NOTHING },
	{ "its end", "tool-finished",
		"{\"tool_id\":\"t\",\"ok\":false,\"status\":\"failed\","
		"\"result\":{\"type\":\"text\",\"text\":\"zanzibar\"}}",
		{ "thread.tool", "t",
			"{\"bytes\":33,\"call\":\"t\",\"ok\":false,\"phase\":\"done\","
			"\"result\":\"text\",\"status\":\"failed\"}" } },
	{ "output of a command", "term-chunk", "{\"term\":\"x\",\"offset\":0,\"b64\":\"emFu\"}",
		NOTHING },
	{ "a command", "term-command",
		"{\"term\":\"x\",\"command\":\"zanzibar\",\"via\":\"!\",\"exit\":-1}",
		{ "thread.command", "x",
			"{\"bytes\":8,\"exit\":-1,\"term\":\"x\",\"via\":\"!\"}" } },
	{ "a file", "file-changed", "{\"path\":\"a/b\",\"op\":\"edit\",\"added\":1,\"removed\":0}",
		{ "thread.file", "",
			"{\"added\":1,\"op\":\"edit\",\"path\":\"a/b\",\"removed\":0}" } },
	{ "an ask", "ask",
		"{\"ask_id\":\"q\",\"kind\":\"permission\",\"tool\":\"Bash\",\"tool_id\":\"t\","
		"\"title\":\"zanzibar\",\"summary\":\"ls\",\"detail\":\"zanzibar\","
		"\"blocked_path\":\"/zanzibar\",\"options\":[{\"id\":\"zanzibar\"},{}],"
		"\"questions\":[{}]}",
		{ "ask.raised", "q",
			"{\"ask\":\"q\",\"call\":\"t\",\"kind\":\"permission\",\"options\":2,"
			"\"questions\":1,\"summary\":\"ls\",\"tool\":\"Bash\"}" } },
	{ "an answer", "ask-answered",
		"{\"ask_id\":\"q\",\"decision\":\"allow\",\"by\":\"person:p\"}",
		{ "ask.answered", "q",
			"{\"ask\":\"q\",\"by\":\"person:p\",\"decision\":\"allow\"}" } },
	{ "an answer nobody had", "ask-answered",
		"{\"ask_id\":\"q\",\"decision\":\"allow\",\"delivered\":false}",
		{ "ask.answered", "q",
			"{\"ask\":\"q\",\"decision\":\"allow\",\"delivered\":false}" } },
	{ "joined", "participant-joined", "{\"who\":\"person:o\",\"role\":\"guest\"}",
		{ "thread.joined", "person:o", "{\"role\":\"guest\",\"who\":\"person:o\"}" } },
	{ "left", "participant-left", "{\"who\":\"person:o\"}",
		{ "thread.left", "person:o", "{\"who\":\"person:o\"}" } },
	{ "reaction", "reaction", "{\"message\":\"m\",\"emoji\":\"+\",\"on\":false}",
		{ "thread.reaction", "m", "{\"emoji\":\"+\",\"message\":\"m\",\"on\":false}" } },
	{ "pin", "pin", "{\"message\":\"m\",\"on\":true}",
		{ "thread.pin", "m", "{\"message\":\"m\",\"on\":true}" } },
	{ "mention", "mention", "{\"message\":\"m\",\"who\":[\"person:o\"]}",
		{ "thread.mention", "m", "{\"message\":\"m\",\"who\":[\"person:o\"]}" } },
	{ "fanout", "fanout", "{\"group\":\"g\",\"message\":\"m\",\"members\":[{},{}]}",
		{ "thread.fanout", "m", "{\"group\":\"g\",\"members\":2,\"message\":\"m\"}" } },
	{ "kept", "fanout-keep", "{\"group\":\"g\",\"keep\":\"m\"}",
		{ "thread.fanout.kept", "", "{\"group\":\"g\",\"keep\":\"m\"}" } },
	{ "hidden", "hidden", "{}", NOTHING },
	{ "presence", "presence", "{\"who\":\"person:p\",\"state\":\"typing\"}", NOTHING },
	{ "read marker", "read-marker", "{\"upto\":3}", NOTHING },
	{ "reset", "reset", "{\"reason\":\"behind\",\"head\":1,\"floor\":1,\"epoch\":\"e\"}",
		NOTHING },
	{ "heartbeat", "heartbeat", "{\"head\":1,\"epoch\":\"e\"}", NOTHING },
	{ "of a newer peer", "zanzibar", "{\"text\":\"zanzibar\"}", NOTHING },
	/* a status at rest */
	{ "starting", "status", "{\"state\":\"starting\"}", { "thread.started", "", "{}" } },
	{ "working", "status", "{\"state\":\"working\",\"origin\":\"cron\"}",
		{ "thread.turn", "", "{\"origin\":\"cron\"}" } },
	{ "waiting at rest", "status", "{\"state\":\"waiting\"}",
		{ "thread.state", "", "{\"state\":\"waiting\"}" } },
	{ "stopped", "status", "{\"state\":\"stopped\",\"reason\":\"idle\"}",
		{ "thread.stopped", "", "{\"reason\":\"idle\"}" } },
	{ "failed", "status",
		"{\"state\":\"failed\",\"reason\":\"agent-lost\",\"note\":\"It ended.\"}",
		{ "thread.state", "",
			"{\"error\":\"It ended.\",\"reason\":\"agent-lost\","
			"\"state\":\"failed\"}" } },
	{ "paused", "status", "{\"state\":\"paused\"}",
		{ "thread.state", "", "{\"state\":\"paused\"}" } },
	{ "stopping", "status", "{\"state\":\"working\",\"stopping\":true}",
		{ "thread.stopping", "", "{}" } },
	{ "held", "status", "{\"state\":\"waiting\",\"held\":true}",
		{ "thread.held", "", "{\"held\":true}" } },
	{ "note", "status", "{\"state\":\"working\",\"note\":\"n\"}",
		{ "thread.note", "", "{\"note\":\"n\"}" } },
	{ "rewound", "status", "{\"state\":\"waiting\",\"rewound\":{\"to\":3,\"message\":\"m\"}}",
		{ "thread.rewound", "", "{\"message\":\"m\",\"to\":3}" } },
	{ "compacted", "status",
		"{\"state\":\"working\",\"compacted\":{\"trigger\":\"auto\",\"before\":9,"
		"\"after\":1}}",
		{ "thread.compacted", "", "{\"after\":1,\"before\":9,\"trigger\":\"auto\"}" } },
	{ "renamed", "status", "{\"state\":\"waiting\",\"title\":\"T\"}",
		{ "thread.renamed", "", "{\"title\":\"T\"}" } },
	{ "mode", "status", "{\"state\":\"waiting\",\"mode\":\"plan\"}",
		{ "mode.changed", "", "{\"mode\":\"plan\"}" } },
	{ "model", "status", "{\"state\":\"waiting\",\"model\":\"opus\"}",
		{ "model.changed", "", "{\"model\":\"opus\"}" } },
	{ "thinking", "status", "{\"state\":\"waiting\",\"thinking\":\"on\"}",
		{ "thinking.changed", "", "{\"thinking\":\"on\"}" } },
	{ "effort", "status", "{\"state\":\"waiting\",\"effort\":\"high\"}",
		{ "effort.changed", "", "{\"effort\":\"high\"}" } },
	{ "tasks", "status",
		"{\"state\":\"waiting\",\"tasks\":[{\"task\":\"t\",\"text\":\"zanzibar\"}]}",
		{ "thread.tasks", "", "{\"tasks\":1}" } },
};

/* The event's frame again, with nothing beside it: at its place, by whom and when it was, valid, and never
 * more than the event says. (What comes back with all there is beside it: server/log/seed_test.) */
static void and_back(const char *name, const struct vy_frame *f)
{
	static const struct vy_lower_beside nothing = { NULL, NULL };
	struct vy_lift l = { 0 };
	struct vy_lower b = { "" };
	struct vy_frame back;
	struct vy_event ev;
	struct vy_err e = { 0 };
	bool is_private = vy_frame_has(f, VY_F_ENC);

	check_true(name, vy_lift(&l, f, &mem, &ev));
	check_int(name, vy_lower_cur(ev.data), is_private ? 0 : 5);
	check_true(name, vy_lower(&b, &ev, &nothing, &mem, &back));
	check_int(name, back.kind, f->kind);
	check_int(name, (int64_t)back.cur, is_private ? 0 : 5);
	check_int(name, back.time, 9);
	check_vstr(name, back.author, f->author);
	check_vstr(name, back.acts_for, f->acts_for);
	check_vstr(name, back.turn, f->turn);
	back.cur = 5;
	back.id = back.session = VY_STR_LIT("x");
	if (vy_frame_check(&back, &e) < 0) {
		fail_msg("%s: %s", name, e.text);
	}
	for (size_t i = 0; i < back.n; i++) {
		enum vy_fid id = back.f[i].id;

		if (id == VY_F_EXPIRED || id == VY_F_TURN || id == VY_F_STATE) {
			continue;
		}
		check_true(name, vy_frame_has(f, id));
		if (vy_field_type(id) == VY_TYPE_STR) {
			check_vstr(name, vy_frame_str(&back, id), vy_frame_str(f, id));
		} else {
			check_int(name, vy_frame_int(&back, id, -1), vy_frame_int(f, id, -1));
		}
	}
}

static void every_kind(void **state)
{
	(void)state;
	bool seen[VY_KIND_COUNT] = { false };

	vy_arena_init(&mem);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		const struct row *r = &rows[i];
		struct vy_frame f = frame(r->kind, r->data, "S:1");
		struct vy_lift l = { 0 };
		struct vy_event ev;
		bool is_event;

		f.cur = 0; /* where it stood is looked at below */
		is_event = vy_lift(&l, &f, &mem, &ev);
		seen[f.kind] = true;
		check_str(r->name, is_event ? ev.type : "nothing",
			r->want.type ? r->want.type : "nothing");
		if (!is_event) {
			continue;
		}
		check_vstr(r->name, ev.subject, vy_str_c(r->want.subject));
		check_vstr(r->name, ev.data, vy_str_c(r->want.data));
		check_vstr(r->name, ev.actor, VY_STR_LIT("assistant:a"));
		check_vstr(r->name, ev.chain, VY_STR_LIT("[\"person:p\"]"));
		check_vstr(r->name, ev.turn, VY_STR_LIT("S:1"));
		check_int(r->name, ev.time, 9);
		check_true(r->name, memmem(ev.data.p, ev.data.n, SECRET, strlen(SECRET)) == NULL);
		f.cur = 5;
		and_back(r->name, &f);
	}
	for (size_t k = 0; k < VY_KIND_COUNT; k++) {
		check_true(vy_kind_word((enum vy_kind)k), seen[k]);
	}
	vy_arena_fini(&mem);
}

/* Statuses of one life, a word each, and calls: what the machine makes of them. */
static const struct {
	const char *name, *frames, *want;
} lives[] = {
	{ "a turn", "starting working waiting",
		"thread.started/0 thread.turn/0 thread.finished+ok/0" },
	{ "an ask in it", "working asking working waiting",
		"thread.turn/0 thread.state/0 thread.state/0 thread.finished+ok/0" },
	{ "calls count its steps", "working call done call done waiting",
		"thread.turn/0 thread.tool/0 thread.tool/0 thread.tool/1 thread.tool/1 "
		"thread.finished+ok/2" },
	{ "the next one counts anew", "working call done waiting next working call",
		"thread.turn/0 thread.tool/0 thread.tool/0 thread.finished+ok/1 "
		"thread.turn/0 thread.tool/0" },
	{ "interrupted", "working interrupted", "thread.turn/0 thread.finished+cut/0" },
	{ "failed", "working failed waiting next working waiting",
		"thread.turn/0 thread.state/0 thread.finished/0 thread.turn/0 "
		"thread.finished+ok/0" },
	{ "a fact at rest ends nothing", "working waiting held mode",
		"thread.turn/0 thread.finished+ok/0 thread.held/0 mode.changed/0" },
	{ "interrupted before it began", "starting interrupted",
		"thread.started/0 thread.finished+cut/0" },
	{ "stopped", "working interrupted stopped",
		"thread.turn/0 thread.finished+cut/0 thread.stopped/0" },
};

static struct vy_frame word_frame(struct vy_str word, const char *turn)
{
	static const struct {
		const char *word, *kind, *data;
	} words[] = {
		{ "call", "tool-started",
			"{\"tool_id\":\"t\",\"tool\":\"B\",\"kind\":\"shell\",\"summary\":\"\"}" },
		{ "done", "tool-finished",
			"{\"tool_id\":\"t\",\"ok\":true,\"status\":\"completed\",\"result\":{}}" },
		{ "interrupted", "status", "{\"state\":\"waiting\",\"note\":\"interrupted\"}" },
		{ "held", "status", "{\"state\":\"waiting\",\"held\":true}" },
		{ "mode", "status", "{\"state\":\"waiting\",\"mode\":\"plan\"}" },
	};

	for (size_t k = 0; k < VY_COUNT(words); k++) {
		if (vy_str_is(word, words[k].word)) {
			return frame(words[k].kind, words[k].data, turn);
		}
	}
	return frame(
		"status", vy_arena_printf(&mem, "{\"state\":\"%.*s\"}", VY_STR_ARG(word)), turn);
}

/* Stored and read again. */
static void restart(struct vy_lift *l)
{
	VY_AUTO_BUF text = VY_BUF_INIT(4096);
	struct vy_jw w = VY_JW(&text);

	vy_jw_obj(&w);
	vy_lift_encode(l, &w);
	vy_jw_end_obj(&w);
	VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&text), NULL);

	memset(l, 0x55, sizeof(*l));
	vy_lift_decode(v, l);
}

static bool has(struct vy_str data, const char *what)
{
	return memmem(data.p, data.n, what, strlen(what)) != NULL;
}

static void live(const char *frames, bool restarts, struct vy_buf *got)
{
	struct vy_lift l = { 0 };
	int turn = 1;

	for (const char *at = frames; *at;) {
		size_t n = strcspn(at, " ");
		struct vy_str word = vy_str_n(at, n);
		struct vy_event ev;
		char id[16];

		at += n + (at[n] == ' ');
		if (vy_str_is(word, "next")) {
			turn++;
			continue;
		}
		snprintf(id, sizeof(id), "S:%d", turn);
		struct vy_frame f = word_frame(word, id);

		if (restarts) {
			restart(&l);
		}
		assert_true(vy_lift(&l, &f, &mem, &ev));
		bool is_end = strcmp(ev.type, "thread.finished") == 0;

		vy_buf_addf(got, "%s%s%s%s/%lld", got->len ? " " : "", ev.type,
			is_end && has(ev.data, "\"ok\":true") ? "+ok" : "",
			has(ev.data, "canceled") ? "+cut" : "", (long long)ev.step);
	}
}

static void turns(void **state)
{
	(void)state;
	vy_arena_init(&mem);
	for (size_t i = 0; i < VY_COUNT(lives) * 2; i++) {
		VY_AUTO_BUF got = VY_BUF_INIT(VY_FRAME_MAX);

		live(lives[i / 2].frames, i % 2, &got);
		check_str(lives[i / 2].name, vy_buf_c(&got), lives[i / 2].want);
	}
	vy_arena_fini(&mem);
}

CHECK_MAIN(CHECK_TEST(every_kind), CHECK_TEST(turns))

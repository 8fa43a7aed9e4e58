/* transcripts_test.c -- every recording of the real claude, played to the driver.
 *
 * The recordings are not part of the project: they are looked for in $VYRE_TRANSCRIPTS/claude, else
 * beside the source; without them the test is skipped. Each is played twice, once as it is and once
 * cut at every line (encode, decode), which must give the same events and the same bytes told. And
 * whatever the agent did, the events make sense: calls end once, texts are whole, turns balance,
 * asks close. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "server/provider/claude.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/server/provider/recordings.h"
#include "tests/server/provider/replay.h"
#include "shared/base/ban.h"

/* ---- what makes sense ---- */

struct text {
	char *message;
	struct vy_buf words;
	int64_t index;
	bool is_done;
};

struct sense {
	const char *file;
	size_t at;                                          /* line of the recording */
	struct vy_json *open_calls, *all_calls, *open_asks; /* objects used as sets */
	struct vy_json *behind; /* calls whose subagent works in the background */
	struct text texts[4096];
	size_t n_texts;
	struct vy_buf done; /* "message: words" of every text that is whole, in order */
	size_t begins, ends;
	bool in_turn, is_ending;
};

static void nonsense(const struct sense *s, const char *what, struct vy_str of)
{
	fail_msg("%s:%zu: %s (%.*s)", s->file, s->at + 1, what, VY_STR_ARG(of));
}

static void add(const struct sense *s, struct vy_json *set, struct vy_str key, const char *twice)
{
	char *k = vy_memdup0(key.p, key.n);

	if (vy_json_get(set, k)) {
		nonsense(s, twice, key);
	}
	vy_json_set_bool(set, k, true);
	free(k);
}

static void del(const struct sense *s, struct vy_json *set, struct vy_str key, const char *missing)
{
	char *k = vy_memdup0(key.p, key.n);

	if (missing && !vy_json_get(set, k)) {
		nonsense(s, missing, key);
	}
	vy_json_del(set, k);
	free(k);
}

static struct text *text_of(struct sense *s, const struct agent_event *ev)
{
	for (size_t i = s->n_texts; i > 0; i--) {
		struct text *t = &s->texts[i - 1];

		if (t->index == ev->index && vy_str_is(ev->message, t->message)) {
			return t;
		}
	}
	assert_true(s->n_texts < VY_COUNT(s->texts));
	struct text *t = &s->texts[s->n_texts++];

	t->message = vy_memdup0(ev->message.p, ev->message.n);
	t->index = ev->index;
	vy_buf_init(&t->words, RECORDING_MAX);
	return t;
}

static void on_text(struct sense *s, const struct agent_event *ev)
{
	struct text *t = text_of(s, ev);

	if (t->is_done) {
		nonsense(s, "a block goes on after its end", ev->message);
	}
	if (ev->kind == AE_TEXT) {
		if (!ev->text.n || ev->text.n > VY_FRAME_TEXT_MAX) {
			nonsense(s, "a delta of a bad length", ev->message);
		}
		vy_buf_addstr(&t->words, ev->text);
		return;
	}
	t->is_done = true;
	if (ev->kind == AE_TEXT_DONE && !ev->is_reasoning && !s->is_ending) {
		struct vy_str words = ev->json ? vy_json_strval(ev->json) : vy_buf_str(&t->words);

		vy_buf_addf(&s->done, "%.*s: %.*s\n", VY_STR_ARG(ev->message), VY_STR_ARG(words));
	}
}

static void on_turn(struct sense *s, const struct agent_event *ev)
{
	bool is_begin = ev->kind == AE_TURN_BEGIN;

	if (s->in_turn == is_begin) {
		nonsense(s, "turns do not balance", ev->text);
	}
	s->in_turn = is_begin;
	s->begins += is_begin;
	s->ends += !is_begin;
	if (!is_begin && ev->outcome == AGENT_FAILED && !ev->text.n) {
		nonsense(s, "a failed turn does not say why", ev->text);
	}
}

static void forget(struct vy_json *set, struct vy_str key)
{
	char *k = vy_memdup0(key.p, key.n);

	vy_json_del(set, k);
	free(k);
}

static void on_event(void *ctx, const struct agent_event *ev)
{
	struct sense *s = ctx;

	switch (ev->kind) {
	case AE_TEXT:
	case AE_TEXT_DONE:
	case AE_TEXT_VOID: on_text(s, ev); break;
	case AE_TURN_BEGIN:
	case AE_TURN_END: on_turn(s, ev); break;
	case AE_TOOL_START:
		add(s, s->all_calls, ev->tool, "a call begins twice");
		add(s, s->open_calls, ev->tool, "a call begins twice");
		assert_true(ev->text.n > 0 && ev->name.n > 0);
		break;
	case AE_TOOL_DONE:
		del(s, s->open_calls, ev->tool, "a call ends that is not open");
		if (ev->is_background) {
			add(s, s->behind, ev->tool, "sent behind twice");
		}
		assert_non_null(vy_json_cstr(ev->json, "type"));
		break;
	case AE_SUB_GONE: forget(s->behind, ev->tool); break; /* perhaps twice */
	case AE_ASK:
	case AE_CHECK: add(s, s->open_asks, ev->request, "an ask is asked twice"); break;
	case AE_ASK_GONE:
	case AE_CHECK_GONE: del(s, s->open_asks, ev->request, "an ask that is not open"); break;
	default: break;
	}
}

static void sense_init(struct sense *s, const char *file)
{
	memset(s, 0, sizeof(*s));
	s->file = file;
	s->open_calls = vy_json_new_obj();
	s->all_calls = vy_json_new_obj();
	s->behind = vy_json_new_obj();
	s->open_asks = vy_json_new_obj();
	vy_buf_init(&s->done, RECORDING_MAX);
}

static void sense_fini(struct sense *s)
{
	for (size_t i = 0; i < s->n_texts; i++) {
		free(s->texts[i].message);
		vy_buf_fini(&s->texts[i].words);
	}
	vy_json_free(s->open_calls);
	vy_json_free(s->all_calls);
	vy_json_free(s->behind);
	vy_json_free(s->open_asks);
	vy_buf_fini(&s->done);
}

/* The agent ended: nothing is open any more. */
static void sense_end(struct sense *s)
{
	if (vy_json_len(s->open_calls) || vy_json_len(s->open_asks) || s->in_turn) {
		nonsense(s, "something is still open at the agent's end", VY_STR_LIT(""));
	}
}

/* ---- a recording ---- */

struct play {
	struct replay r;
	struct sense sense;
	struct vy_json *ids;    /* the recording's request id → ours */
	struct vy_buf expected; /* the texts of the recording, as in sense.done */
	bool is_truncated; /* long strings were cut when it was recorded: texts do not compare */
};

static void expect_texts(struct play *p, const struct vy_json *msg)
{
	const struct vy_json *m = vy_json_get(msg, "message"), *content = vy_json_get(m, "content");

	if (vy_json_bool(msg, "is_api_error_message", false)) {
		return;
	}
	for (size_t i = 0; i < vy_json_len(content); i++) {
		const struct vy_json *b = vy_json_at(content, i);
		struct vy_str text = vy_json_str(b, "text");

		if (vy_str_is(vy_json_str(b, "type"), "text") && text.n) {
			vy_buf_addf(&p->expected, "%.*s: %.*s\n", VY_STR_ARG(vy_json_str(m, "id")),
				VY_STR_ARG(text));
		}
	}
}

static void remember_id(struct play *p, const char *theirs)
{
	VY_AUTO_JSON *told = NULL;
	struct vy_str tell = vy_buf_str(&p->r.last_tell);
	size_t from = tell.n ? tell.n - 1 : 0;

	while (from > 0 && tell.p[from - 1] != '\n') {
		from--;
	}
	told = vy_json_parse(vy_str_from(tell, from), NULL);
	vy_json_set_str(p->ids, theirs, vy_json_str(told, "request_id"));
}

static void answer(struct play *p, const struct vy_json *response)
{
	const struct vy_json *r = vy_json_get(response, "response");
	struct vy_str id = vy_json_str(response, "request_id");
	struct agent_command cmd = { .kind = AC_ANSWER, .request = id };
	VY_AUTO_JSON *json = vy_json_new_obj();

	if (vy_json_get(r, "behavior")) {
		cmd.decision = vy_json_str(r, "behavior");
		cmd.text = vy_json_str(r, "message");
		vy_json_set(json, "answers", vy_json_path(r, "updatedInput.answers"));
		vy_json_set_bool(json, "stop", vy_json_bool(r, "interrupt", false));
	} else {
		cmd.kind = AC_CHECKED;
		cmd.decision =
			vy_json_str(vy_json_get(r, "hookSpecificOutput"), "permissionDecision");
		cmd.text = VY_STR_LIT("a rule");
	}
	cmd.json = json;
	replay_command(&p->r, &cmd);
	if (cmd.kind == AC_ANSWER && p->r.last_tell.len == 0) {
		cmd.kind = AC_CHECKED; /* an answer that is no answer: see 86d */
		replay_command(&p->r, &cmd);
	}
	if (p->r.last_tell.len) {
		del(&p->sense, p->sense.open_asks, id, "an answer to what is not open");
	}
}

static void say(struct play *p, const struct vy_json *msg)
{
	struct vy_str uuid = vy_json_str(msg, "uuid");
	struct vy_str priority = vy_json_str(msg, "priority");
	struct agent_command cmd = {
		.kind = AC_SAY,
		.message = uuid,
		.text = VY_STR_LIT("words"),
		.when = vy_str_is(priority, "now")     ? AGENT_NOW
			: vy_str_is(priority, "later") ? AGENT_QUEUE
						       : AGENT_STEER,
	};

	if (uuid.n) {
		replay_command(&p->r, &cmd);
	}
}

static void request(struct play *p, const struct vy_json *msg)
{
	static const struct {
		const char *subtype;
		enum agent_command_kind kind;
	} kinds[] = { { "initialize", AC_HELLO }, { "interrupt", AC_INTERRUPT },
		{ "set_permission_mode", AC_MODE }, { "set_model", AC_MODEL },
		{ "cancel_async_message", AC_TAKE_BACK } };
	const struct vy_json *req = vy_json_get(msg, "request");

	for (size_t i = 0; i < VY_COUNT(kinds); i++) {
		struct vy_str mode = vy_json_str(req, "mode"), model = vy_json_str(req, "model");
		struct agent_command cmd = {
			.kind = kinds[i].kind,
			.text = mode.n ? mode : model,
			.message = vy_json_str(req, "message_uuid"),
		};

		if (vy_str_is(vy_json_str(req, "subtype"), kinds[i].subtype)) {
			replay_command(&p->r, &cmd);
			remember_id(p, vy_json_cstr(msg, "request_id"));
		}
	}
}

static void in_line(struct play *p, const struct vy_json *msg)
{
	struct vy_str type = vy_json_str(msg, "type");

	if (vy_str_is(type, "user")) {
		say(p, msg);
	} else if (vy_str_is(type, "control_request")) {
		request(p, msg);
	} else if (vy_str_is(type, "control_response")) {
		answer(p, vy_json_get(msg, "response"));
	}
}

/* A result ends one turn; nothing else does, but the news that an old message was known. */
static void check_ends(struct play *p, const struct vy_json *msg, size_t before)
{
	bool is_result = vy_str_is(vy_json_str(msg, "type"), "result");
	bool is_old = vy_str_is(vy_json_str(msg, "state"), "completed");
	struct vy_str error = vy_json_strval(vy_json_at(vy_json_get(msg, "errors"), 0));
	size_t want = is_result && !vy_str_starts(error, "No conversation found");

	if (p->sense.ends - before != want && !is_old) {
		nonsense(&p->sense, "a result and the end of a turn do not go together",
			vy_json_str(msg, "type"));
	}
}

/* A line of claude; answers carry the id that this run gave the request. */
static void out_line(struct play *p, const struct vy_json *msg)
{
	VY_AUTO_JSON *line = vy_json_copy(msg);
	VY_AUTO_BUF b = VY_BUF_INIT(RECORDING_MAX);
	struct vy_json *response = vy_json_get(line, "response");
	const char *id = vy_json_cstr(response, "request_id");
	size_t ends = p->sense.ends;

	if (id && vy_json_cstr(p->ids, id)) {
		vy_json_set_str(response, "request_id", vy_json_str(p->ids, id));
	}
	if (vy_str_is(vy_json_str(msg, "type"), "assistant")) {
		expect_texts(p, msg);
	}
	vy_json_dump(line, &b);
	replay_line(&p->r, AGENT_STDOUT, vy_buf_str(&b));
	check_ends(p, msg, ends);
}

static void err_lines(struct play *p, struct vy_str text)
{
	while (text.n) {
		const char *nl = memchr(text.p, '\n', text.n);
		size_t n = nl ? (size_t)(nl - text.p) : text.n;

		replay_line(&p->r, AGENT_STDERR, vy_str_n(text.p, n));
		text = vy_str_from(text, n + 1);
	}
}

static void note(struct play *p, const struct vy_json *o)
{
	struct vy_str text = vy_json_str(o, "text");
	bool is_killed = vy_json_str(o, "sig").n > 0;

	if (vy_str_is(text, "spawn")) {
		if (p->r.agent) {
			replay_exit(&p->r, 0, 0);
		}
		replay_launch(&p->r, "00000000-0000-4000-8000-000000000000", "/home/dev/work");
	} else if (vy_str_is(text, "exit") && p->r.agent) {
		/* one that leaves by itself has told how its subagents ended */
		if (!is_killed && vy_json_int(o, "code", 0) == 0 && vy_json_len(p->sense.behind)) {
			nonsense(&p->sense, "a subagent has no end", text);
		}
		p->sense.is_ending = true; /* what was half said stays; no line completes it */
		replay_exit(&p->r, (int)vy_json_int(o, "code", 0), is_killed ? 9 : 0);
		p->sense.is_ending = false;
		sense_end(&p->sense);
	}
}

static void play_line(struct play *p, struct vy_str text)
{
	VY_AUTO_JSON *o = vy_json_parse_lenient(text, NULL);
	struct vy_str dir = vy_json_str(o, "dir");
	const struct vy_json *msg = vy_json_get(o, "msg");

	p->is_truncated |= vy_json_bool(o, "truncated", false);
	if (vy_str_is(dir, "note")) {
		note(p, o);
	} else if (!p->r.agent) {
		return;
	} else if (vy_str_is(dir, "in") && msg) {
		in_line(p, msg);
	} else if (vy_str_is(dir, "out") && msg) {
		out_line(p, msg);
	} else if (vy_str_is(dir, "err")) {
		err_lines(p, vy_json_str(o, "text"));
	}
}

/* The log of a run, owned by the caller. */
static char *play(const char *name, struct vy_str file, bool is_cut)
{
	struct play *p = VY_NEW(struct play);
	struct sense *s = &p->sense;

	sense_init(s, name);
	replay_init(&p->r, &claude_ops, is_cut);
	p->r.on_event = on_event;
	p->r.ctx = s;
	p->ids = vy_json_new_obj();
	vy_buf_init(&p->expected, RECORDING_MAX);
	for (s->at = 0; file.n; s->at++) {
		const char *nl = memchr(file.p, '\n', file.n);
		size_t n = nl ? (size_t)(nl - file.p) : file.n;

		play_line(p, vy_str_n(file.p, n));
		file = vy_str_from(file, n + 1);
	}
	if (p->r.agent) {
		replay_exit(&p->r, 0, 0);
		sense_end(s);
	}
	if (!p->is_truncated) {
		assert_string_equal(vy_buf_c(&s->done), vy_buf_c(&p->expected));
	}
	char *log = vy_buf_take(&p->r.log, NULL);

	vy_json_free(p->ids);
	vy_buf_fini(&p->expected);
	replay_fini(&p->r);
	sense_fini(s);
	free(p);
	return log;
}

/* ---- all of them ---- */

static void play_twice(const char *name, struct vy_str file)
{
	char *whole = play(name, file, false);
	char *cut = play(name, file, true);

	if (strcmp(whole, cut) != 0) {
		fail_msg("%s: cut at every line it tells something else", name);
	}
	if (getenv("VYRE_TRANSCRIPT_PRINT")) {
		printf("%s", whole);
	}
	free(whole);
	free(cut);
}

static void test_all(void **state)
{
	(void)state;
	if (recordings_each("claude", play_twice) == 0) {
		skip();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_all) };

	return cmocka_run_group_tests_name("claude transcripts", tests, NULL, NULL);
}

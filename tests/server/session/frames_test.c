/* frames_test.c -- every recording of the real claude, codex and agents of ACP, through driver and turn, to
 * frames.
 *
 * What wire 12 asks of the state at the offset: each recording is played twice, once as one run and
 * once cut at every line (driver and turn are encoded, printed, parsed and decoded), and both must
 * make the same frames. The frames are good ones, every tool call is finished once, every ask is
 * closed, the last status of the run is not "working", and every delta comes back out of exactly one
 * settlement (settle_check.h), and to who follows live (follow_check.h); packed in a store they are the
 * same frames (pack_check.h), and a log that is made again from the journal holds what its table says
 * (seed_check.h); and with the log gone, the history and an export say all of it (kept_check.h). */
#include "tests/server/session/frames_play.h"

#include "server/provider/acp.h"
#include "server/provider/claude.h"
#include "server/provider/codex.h"
#include "shared/base/mem.h"
#include "shared/frame/check.h"
#include "shared/frame/codec.h"
#include "tests/check.h"
#include "tests/server/log/kept_check.h"
#include "tests/server/log/pack_check.h"
#include "tests/server/log/seed_check.h"
#include "tests/server/provider/recordings.h"

static void remember_told(struct play *p, struct vy_str told);

/* ---- frames ---- */

static void count_tool(struct play *p, const struct vy_frame *f)
{
	struct vy_str id = vy_frame_str(f, VY_F_TOOL_ID);
	char *key = vy_memdup0(id.p, id.n);
	bool is_open = vy_json_get(p->open, key) != NULL;

	if (f->kind == VY_KIND_TOOL_STARTED) {
		if (is_open) {
			fail_msg("%s:%zu: %s is started twice", p->file, p->line, key);
		}
		vy_json_set_bool(p->open, key, true);
	} else {
		if (!is_open) {
			fail_msg("%s:%zu: %s is finished and was not open", p->file, p->line, key);
		}
		vy_json_del(p->open, key);
	}
	free(key);
}

static void keep_frame(struct play *p, struct vy_frame *f)
{
	struct vy_err e = { 0 };

	f->session = VY_STR_LIT(SESSION);
	f->id = VY_STR_LIT("f");
	if (vy_frame_check_new(f, &e) != 0) {
		fail_msg("%s:%zu: %s", p->file, p->line, e.text);
	}
	if (f->kind == VY_KIND_TOOL_STARTED || f->kind == VY_KIND_TOOL_FINISHED) {
		count_tool(p, f);
	}
	if (f->kind == VY_KIND_STATUS) {
		snprintf(p->state, sizeof(p->state), "%.*s",
			VY_STR_ARG(vy_frame_str(f, VY_F_STATE)));
	}
	assert_true(vy_frame_encode(f, &p->frames));
	vy_buf_addc(&p->frames, '\n');
	f->cur = (uint64_t)++p->cur;
	f->time = (int64_t)p->line * 13 + 1;
	assert_true(vy_frame_encode(f, &p->timed));
	vy_buf_addc(&p->timed, '\n');
	settle_check_frame(&p->settle, f);
	if (!p->is_cut) {
		follow_check_frame(&p->follow, f);
	}
}

/* ---- the driver ---- */

static void hear(struct play *p, struct agent_out *out)
{
	VY_AUTO_JSON *told =
		out->tell.len
			? vy_json_parse(
				  vy_str_n(out->tell.data, strcspn(out->tell.data, "\n")), NULL)
			: NULL;

	remember_told(p, vy_buf_str(&out->tell));
	if (vy_json_cstr(told, "request_id")) {
		snprintf(p->our_id, sizeof(p->our_id), "%s", vy_json_cstr(told, "request_id"));
	}
	for (size_t i = 0; i < out->n; i++) {
		turn_heard(p->turn, &out->events[i], &p->fx);
	}
	frames_run(p);
}

static void command(struct play *p, const struct agent_command *c)
{
	struct agent_out out;

	if (p->agent) {
		agent_out_init(&out, &p->arena);
		p->ops->command(p->agent, c, &out);
		hear(p, &out);
		agent_out_fini(&out);
	}
}

void frames_launch(struct play *p)
{
	struct provider_conf conf = { .name = p->ops->kind, .kind = p->ops->kind };
	struct provider_launch l = {
		.conf = &conf, .session = VY_STR_LIT(SESSION), .cwd = VY_STR_LIT("/home/dev/work")
	};
	struct agent_command hello = { .kind = AC_HELLO };

	p->agent = p->ops->new (&l);
	command(p, &hello);
}

static void do_effect(struct play *p, struct effect *e)
{
	struct agent_command checked = { .kind = AC_CHECKED, .request = e->command.request };

	switch (e->kind) {
	case FX_FRAME: keep_frame(p, &e->frame); break;
	case FX_COMMAND: command(p, &e->command); break;
	case FX_WANT: turn_go(p->turn, &p->fx); break;
	case FX_START: turn_started(p->turn, &p->fx); break;
	case FX_CHECK: command(p, &checked); break;
	case FX_UNWANT:
	case FX_END:
	case FX_ASK_OPEN:
	case FX_ASK_CLOSED:
	case FX_ASK_LOST:
	case FX_MARK:
	case FX_FILES:
	case FX_UNDO_OVER: break;
	}
}

void frames_run(struct play *p)
{
	if (p->is_running) {
		return;
	}
	p->is_running = true;
	while (p->at < p->fx.n) {
		struct effect e = p->fx.v[p->at++];

		do_effect(p, &e);
	}
	p->is_running = false;
	p->at = 0;
	effects_fini(&p->fx);
}

/* ---- lines of the recording ---- */

static void say(struct play *p, const struct vy_json *msg)
{
	struct vy_str uuid = vy_json_str(msg, "uuid"), priority = vy_json_str(msg, "priority");
	struct turn_say s = { .message = uuid,
		.text = VY_STR_LIT("words"),
		.author = VY_STR_LIT("person:ana"),
		.when = vy_str_is(priority, "now")     ? AGENT_NOW
			: vy_str_is(priority, "later") ? AGENT_QUEUE
						       : AGENT_STEER };

	if (uuid.n) {
		turn_say(p->turn, &s, &p->fx, NULL);
		frames_run(p);
	}
}

static void request(struct play *p, const struct vy_json *msg)
{
	const struct vy_json *req = vy_json_get(msg, "request");
	struct vy_str kind = vy_json_str(req, "subtype"), mode = vy_json_str(req, "mode");
	struct vy_err e = { 0 };

	if (vy_str_is(kind, "interrupt")) {
		turn_interrupt(p->turn, &p->fx, &e);
	} else if (vy_str_is(kind, "set_permission_mode")) {
		turn_mode(p->turn, mode, &p->fx, &e);
	} else if (!vy_str_is(kind, "initialize")) {
		return;
	}
	frames_run(p);
	vy_json_set_c(p->ids, vy_json_cstr(msg, "request_id"), p->our_id);
}

/* An answer of the recording goes to the oldest ask: its id is in the turn's own list. */
static void answer(struct play *p, const struct vy_json *response)
{
	struct vy_str behavior = vy_json_str(vy_json_get(response, "response"), "behavior");
	VY_AUTO_JSON *state = turn_encode(p->turn);
	const struct vy_json *asks = vy_json_get(state, "asks");

	for (size_t i = 0; i < vy_json_len(asks) && behavior.n; i++) {
		const struct vy_json *a = vy_json_at(asks, i);

		if (vy_str_eq(vy_json_str(a, "request"), vy_json_str(response, "request_id"))) {
			struct turn_outcome was;
			struct turn_answer ta = { .ask = vy_json_str(a, "ask"),
				.decision = behavior,
				.by = VY_STR_LIT("person:ana") };

			turn_answer(p->turn, &ta, &was, &p->fx, NULL);
			frames_run(p);
			return;
		}
	}
}

static void out_line(struct play *p, const struct vy_json *msg)
{
	VY_AUTO_JSON *line = vy_json_copy(msg);
	VY_AUTO_BUF text = VY_BUF_INIT(RECORDING_MAX);
	struct vy_json *response = vy_json_get(line, "response");
	const char *id = vy_json_cstr(response, "request_id");
	struct agent_out out;

	if (id && vy_json_cstr(p->ids, id)) {
		vy_json_set_str(response, "request_id", vy_json_str(p->ids, id));
	}
	vy_json_dump(line, &text);
	agent_out_init(&out, &p->arena);
	p->ops->line(p->agent, AGENT_STDOUT, vy_buf_str(&text), &out);
	hear(p, &out);
	agent_out_fini(&out);
}

void frames_end_agent(struct play *p)
{
	struct agent_out out;

	if (!p->agent) {
		return;
	}
	agent_out_init(&out, &p->arena);
	p->ops->exited(p->agent, 0, 0, &out);
	for (size_t i = 0; i < out.n; i++) {
		if (out.events[i].kind != AE_TURN_END && out.events[i].kind != AE_BROKEN) {
			turn_heard(p->turn, &out.events[i], &p->fx);
		}
	}
	turn_gone(p->turn, VY_STR_LIT("it ended"), &p->fx);
	p->ops->free(p->agent);
	p->agent = NULL;
	frames_run(p);
	agent_out_fini(&out);
}

/* Printed, parsed and decoded: what a crash and a boot do to the two values. */
static void cut(struct play *p)
{
	VY_AUTO_BUF text = VY_BUF_INIT(RECORDING_MAX);
	struct vy_err e = { 0 };

	for (int which = p->agent ? 0 : 1; which < 2; which++) {
		struct vy_jw w = VY_JW(&text);
		struct vy_json *v;

		vy_buf_clear(&text);
		if (which) {
			v = turn_encode(p->turn);
			vy_json_dump(v, &text);
			vy_json_free(v);
		} else {
			p->ops->encode(p->agent, &w);
		}
		v = vy_json_parse(vy_buf_str(&text), &e);
		if (which) {
			turn_free(p->turn);
			p->turn = turn_decode(v, &e);
			assert_non_null(p->turn);
		} else {
			p->ops->free(p->agent);
			p->agent = p->ops->decode(v, &e);
			assert_non_null(p->agent);
		}
		vy_json_free(v);
	}
}

/* ---- lines of a recording of codex ---- */

/* What we told of requests: {method: our id}; of two with one name the newer. */
static void remember_told(struct play *p, struct vy_str told)
{
	while (told.n) {
		const char *nl = memchr(told.p, '\n', told.n);
		size_t n = nl ? (size_t)(nl - told.p) : told.n;
		VY_AUTO_JSON *v = vy_json_parse(vy_str_n(told.p, n), NULL);
		const char *method = vy_json_cstr(v, "method");

		if (method && vy_json_get(v, "id")) {
			vy_json_set(p->ids, method, vy_json_get(v, "id"));
		}
		told = vy_str_from(told, n + 1);
	}
}

/* Ours for theirs: we begin a thread where they went on with one, and tell by one request. */
static const char *our_method(struct vy_str method)
{
	static const struct {
		const char *theirs, *ours;
	} rows[] = { { "thread/resume", "thread/start" }, { "thread/fork", "" },
		{ "turn/steer", "turn/start" }, { "thread/settings/update", "" } };

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		if (vy_str_is(method, rows[i].theirs)) {
			return rows[i].ours;
		}
	}
	return NULL;
}

void frames_rpc_prints(struct play *p, const struct vy_json *msg)
{
	VY_AUTO_BUF text = VY_BUF_INIT(RECORDING_MAX);
	struct agent_out out;

	vy_json_dump(msg, &text);
	agent_out_init(&out, &p->arena);
	p->ops->line(p->agent, AGENT_STDOUT, vy_buf_str(&text), &out);
	hear(p, &out);
	agent_out_fini(&out);
}

/* The recordings do not ask for these: codex has no account and says nothing of models. */
static void codex_answers_beside(struct play *p)
{
	static const char *const methods[] = { "account/read", "model/list" };

	for (size_t i = 0; i < VY_COUNT(methods); i++) {
		VY_AUTO_JSON *answer = vy_json_new_obj();

		if (vy_json_get(p->ids, methods[i])) {
			vy_json_set(answer, "id", vy_json_get(p->ids, methods[i]));
			vy_json_take(answer, "result", vy_json_new_obj());
			frames_rpc_prints(p, answer);
		}
	}
}

static void codex_request(struct play *p, const struct vy_json *msg)
{
	struct vy_str method = vy_json_str(msg, "method");
	struct vy_str thread = vy_json_str(vy_json_get(msg, "params"), "threadId");
	const char *ours = our_method(method);
	char key[64], words[32];
	struct vy_err e = { 0 };

	snprintf(key, sizeof(key), "%.*s", VY_STR_ARG(method));
	snprintf(words, sizeof(words), "m-%zu", p->line);
	if (vy_str_is(method, "initialize")) {
		frames_end_agent(p);
		p->thread[0] = '\0';
		frames_launch(p);
	} else if (!p->agent || (p->thread[0] && thread.n && !vy_str_is(thread, p->thread))) {
		return;
	} else if (vy_str_is(method, "turn/start") || vy_str_is(method, "turn/steer")) {
		struct turn_say s = { .message = vy_str_c(words),
			.text = VY_STR_LIT("words"),
			.author = VY_STR_LIT("person:ana") };

		turn_say(p->turn, &s, &p->fx, NULL);
		frames_run(p);
	} else if (vy_str_is(method, "turn/interrupt")) {
		turn_interrupt(p->turn, &p->fx, &e);
		frames_run(p);
	}
	struct vy_json *our_id = vy_json_get(p->ids, ours ? ours : key);

	if (our_id && vy_json_type(vy_json_get(msg, "id")) == VY_JSON_INT) {
		snprintf(words, sizeof(words), "#%lld", (long long)vy_json_int(msg, "id", 0));
		vy_json_set(p->ids, words, our_id);
		vy_json_del(p->ids, ours ? ours : key);
	}
}

static void codex_response(struct play *p, const struct vy_json *msg)
{
	VY_AUTO_JSON *line = vy_json_copy(msg);
	char key[32];

	snprintf(key, sizeof(key), "#%lld", (long long)vy_json_int(msg, "id", -1));
	if (!vy_json_get(p->ids, key)) {
		return;
	}
	vy_json_set(line, "id", vy_json_get(p->ids, key));
	vy_json_del(p->ids, key);
	if (!p->thread[0]) {
		snprintf(p->thread, sizeof(p->thread), "%.*s",
			VY_STR_ARG(vy_json_str(vy_json_path(msg, "result.thread"), "id")));
	}
	frames_rpc_prints(p, line);
	codex_answers_beside(p);
}

static void codex_answer(struct play *p, const struct vy_json *msg)
{
	struct vy_str said = vy_json_str(vy_json_get(msg, "result"), "decision");
	VY_AUTO_JSON *state = turn_encode(p->turn);
	const struct vy_json *asks = vy_json_get(state, "asks");
	char head[32];

	snprintf(head, sizeof(head), "%lld:", (long long)vy_json_int(msg, "id", -1));
	for (size_t i = 0; i < vy_json_len(asks) && !vy_json_get(msg, "error"); i++) {
		const struct vy_json *a = vy_json_at(asks, i);
		struct turn_outcome was;
		struct turn_answer ta = { .ask = vy_json_str(a, "ask"),
			.decision = vy_str_is(said, "decline")            ? VY_STR_LIT("deny")
				    : vy_str_is(said, "cancel")           ? VY_STR_LIT("stop")
				    : vy_str_is(said, "acceptForSession") ? VY_STR_LIT("session")
									  : VY_STR_LIT("allow"),
			.by = VY_STR_LIT("person:ana") };

		if (vy_str_starts(vy_json_str(a, "request"), head)) {
			turn_answer(p->turn, &ta, &was, &p->fx, NULL);
			frames_run(p);
			return;
		}
	}
}

static void play_rpc_line(struct play *p, struct vy_str text)
{
	bool is_acp = p->ops == &acp_ops;
	VY_AUTO_JSON *o = vy_json_parse_lenient(text, NULL);
	const struct vy_json *msg = vy_json_get(o, "msg");
	struct vy_str dir = vy_json_str(o, "dir"), method = vy_json_str(msg, "method");

	if (vy_str_is(dir, "#") && vy_str_starts(vy_json_str(o, "msg"), "exit")) {
		frames_end_agent(p);
	} else if (vy_str_is(dir, ">") && method.n) {
		(is_acp ? frames_acp_request : codex_request)(p, msg);
	} else if (p->agent && vy_str_is(dir, ">") && vy_json_get(msg, "id")) {
		(is_acp ? frames_acp_answer : codex_answer)(p, msg);
	} else if (p->agent && vy_str_is(dir, "<") && !method.n) {
		(is_acp ? frames_acp_response : codex_response)(p, msg);
	} else if (p->agent && vy_str_is(dir, "<")) {
		frames_rpc_prints(p, msg);
	}
}

static void play_line(struct play *p, struct vy_str text)
{
	VY_AUTO_JSON *o = vy_json_parse_lenient(text, NULL);
	struct vy_str dir = vy_json_str(o, "dir"), what = vy_json_str(o, "text");
	const struct vy_json *msg = vy_json_get(o, "msg");
	struct vy_str type = vy_json_str(msg, "type");

	if (vy_str_is(dir, "note") && vy_str_is(what, "spawn")) {
		frames_end_agent(p);
		frames_launch(p);
	} else if (vy_str_is(dir, "note") && vy_str_is(what, "exit")) {
		frames_end_agent(p);
	} else if (p->agent && vy_str_is(dir, "in") && vy_str_is(type, "user")) {
		say(p, msg);
	} else if (p->agent && vy_str_is(dir, "in") && vy_str_is(type, "control_request")) {
		request(p, msg);
	} else if (p->agent && vy_str_is(dir, "in") && vy_str_is(type, "control_response")) {
		answer(p, vy_json_get(msg, "response"));
	} else if (p->agent && vy_str_is(dir, "out") && msg) {
		out_line(p, msg);
	}
}

static struct seed_stats seeded;
static size_t kept; /* words and calls that were looked for */

static char *play(const struct provider_ops *ops, const char *name, struct vy_str file, bool is_cut)
{
	struct play p = { .ops = ops, .file = name, .is_cut = is_cut };

	vy_arena_init(&p.arena);
	effects_init(&p.fx, &p.arena);
	vy_buf_init(&p.frames, RECORDING_MAX);
	vy_buf_init(&p.timed, RECORDING_MAX);
	settle_check_init(&p.settle, name);
	if (!is_cut) {
		follow_check_init(&p.follow, name);
	}
	p.turn = turn_new(VY_STR_LIT(SESSION), VY_STR_LIT("salt"), VY_STR_LIT("assistant:claude"));
	p.ids = vy_json_new_obj();
	p.open = vy_json_new_obj();
	for (; file.n; p.line++) {
		const char *nl = memchr(file.p, '\n', file.n);
		size_t n = nl ? (size_t)(nl - file.p) : file.n;

		if (ops != &claude_ops) {
			play_rpc_line(&p, vy_str_n(file.p, n));
		} else {
			play_line(&p, vy_str_n(file.p, n));
		}
		if (is_cut) {
			cut(&p);
		}
		vy_arena_reset(&p.arena);
		file = vy_str_from(file, n + 1);
	}
	frames_end_agent(&p);
	if (!is_cut) {
		follow_check_end(&p.follow);
	}
	settle_check_end(&p.settle);
	settle_check_fini(&p.settle);
	if (vy_json_len(p.open) || turn_asks(p.turn) || strcmp(p.state, "working") == 0 ||
		strcmp(p.state, "asking") == 0) {
		fail_msg("%s: %zu calls and %zu asks are open at the end, state %s", name,
			vy_json_len(p.open), turn_asks(p.turn), p.state);
	}
	turn_free(p.turn);
	vy_json_free(p.ids);
	vy_json_free(p.open);
	vy_arena_fini(&p.arena);
	if (!is_cut && p.timed.len) {
		seed_check(name, vy_buf_str(&p.timed), &seeded);
		kept += kept_check(name, vy_buf_str(&p.timed));
	}
	vy_buf_fini(&p.timed);
	return vy_buf_take(&p.frames, NULL);
}

static const struct provider_ops *played;

static void play_twice(const char *name, struct vy_str file)
{
	char *whole = play(played, name, file, false), *parts = play(played, name, file, true);

	check_str(name, parts, whole);
	pack_check(name, vy_str_c(whole));
	if (getenv("VYRE_TRANSCRIPT_PRINT")) {
		printf("%s", whole);
	}
	free(whole);
	free(parts);
}

static void cut_at_every_line_makes_the_same_frames(void **state)
{
	played = *state;
	if (recordings_each(played->kind, play_twice) == 0) {
		skip();
	}
	print_message("seeded %zu frames: %zu of %zu deltas where they stood, %zu hidden\n",
		seeded.frames, seeded.exact, seeded.deltas, seeded.hidden);
	assert_true(kept > 100);
	assert_true(seeded.exact * 100 >= seeded.deltas * 95);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(
			cut_at_every_line_makes_the_same_frames, (void *)(uintptr_t)&claude_ops),
		cmocka_unit_test_prestate(
			cut_at_every_line_makes_the_same_frames, (void *)(uintptr_t)&codex_ops),
		cmocka_unit_test_prestate(
			cut_at_every_line_makes_the_same_frames, (void *)(uintptr_t)&acp_ops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

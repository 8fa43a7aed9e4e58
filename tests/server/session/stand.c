/* stand.c -- see stand.h. */
#include "tests/server/session/stand.h"

#include <stdlib.h>

#include "server/provider/provider.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/frame/codec.h"
#include "shared/io/loop.h"
#include "tests/check.h"

struct stand stand;

/* ---- the driver ---- */

struct agent {
	int64_t lines;
};

static struct vy_json *huge_block(void)
{
	VY_AUTO_BUF words = VY_BUF_INIT(1 << 20);
	struct vy_json *o = vy_json_new_obj();

	while (words.len < 300000) {
		vy_buf_adds(&words, "many words ");
	}
	vy_json_set_c(o, "type", "text");
	vy_json_set_str(o, "text", vy_buf_str(&words));
	return o;
}

static struct vy_json *ask_json(void)
{
	return vy_json_parse(
		VY_STR_LIT("{\"kind\":\"permission\",\"tool\":\"Bash\",\"summary\":\"rm x\","
			   "\"options\":[{\"id\":\"yes\",\"label\":\"Yes\"}]}"),
		NULL);
}

/* STATUS, which resets in an hour. */
static struct vy_json *limit_json(struct vy_str status)
{
	struct vy_json *v = vy_json_new_obj(), *limit = vy_json_new_obj();

	vy_json_set_str(limit, "status", status);
	vy_json_set_c(limit, "kind", "five_hour");
	vy_json_take(limit, "used", vy_json_new_real(1));
	vy_json_set_int(limit, "resets_at", stand.now + 3600000);
	vy_json_take(v, "limit", limit);
	return v;
}

static enum agent_outcome outcome_of(struct vy_str s)
{
	return vy_str_is(s, "ok")       ? AGENT_OK
	       : vy_str_is(s, "failed") ? AGENT_FAILED
					: AGENT_CANCELED;
}

static void fill(struct agent_event *ev, struct vy_str word, struct vy_str rest)
{
	switch ((int)ev->kind) {
	case AE_TAKEN:
	case AE_CAME_BACK: ev->message = rest; break;
	case AE_TEXT:
		ev->message = VY_STR_LIT("msg");
		ev->text = rest;
		break;
	case AE_TOOL_START:
		ev->tool = rest;
		ev->name = VY_STR_LIT("Bash");
		ev->text = VY_STR_LIT("ls");
		break;
	case AE_TOOL_DONE:
		ev->tool = rest;
		ev->json = vy_str_is(word, "huge") ? huge_block() : NULL;
		break;
	case AE_ASK:
		ev->request = rest;
		ev->json = ask_json();
		break;
	case AE_ASK_GONE: ev->request = rest; break;
	case AE_TURN_END:
		ev->is_limit = vy_str_is(rest, "limit");
		ev->outcome = ev->is_limit ? AGENT_FAILED : outcome_of(rest);
		break;
	case AE_NOTE: ev->json = limit_json(rest); break;
	case AE_TASKS:
		ev->json = vy_json_new_arr();
		if (rest.n) {
			struct vy_json *task = vy_json_new_obj();

			vy_json_set_str(task, "task", rest);
			vy_json_set_c(task, "kind", "shell");
			vy_json_set_c(task, "text", "make");
			vy_json_set_c(task, "status", "running");
			vy_json_add_take(ev->json, task);
		}
		break;
	case AE_USAGE:
		ev->json = vy_json_new_obj();
		vy_json_set_int(ev->json, "used", (int64_t)rest.n);
		vy_json_take(ev->json, "cost_usd", vy_json_new_real((double)rest.n));
		break;
	default: ev->text = rest; break;
	}
}

static void on_line(
	struct agent *a, enum agent_stream stream, struct vy_str line, struct agent_out *out)
{
	static const struct {
		const char *word;
		enum agent_event_kind kind;
	} words[] = { { "ready", AE_READY }, { "begin", AE_TURN_BEGIN }, { "taken", AE_TAKEN },
		{ "back", AE_CAME_BACK }, { "text", AE_TEXT }, { "tool", AE_TOOL_START },
		{ "done", AE_TOOL_DONE }, { "huge", AE_TOOL_DONE }, { "ask", AE_ASK },
		{ "gone", AE_ASK_GONE }, { "end", AE_TURN_END }, { "mode", AE_MODE },
		{ "usage", AE_USAGE }, { "limit", AE_NOTE }, { "tasks", AE_TASKS } };
	size_t n = 0;

	(void)stream;
	a->lines++;
	while (n < line.n && line.p[n] != ' ') {
		n++;
	}
	struct vy_str word = vy_str_n(line.p, n);
	struct vy_str rest = vy_arena_str(out->arena, vy_str_from(line, n + 1));

	for (size_t i = 0; i < VY_COUNT(words); i++) {
		if (vy_str_is(word, words[i].word)) {
			fill(agent_out_add(out, words[i].kind), word, rest);
			return;
		}
	}
	fail_msg("no such line: %.*s", VY_STR_ARG(line));
}

static void on_too_long(struct agent *a, int64_t bytes, struct vy_str head, struct agent_out *out)
{
	(void)a;
	(void)bytes;
	(void)head;
	(void)out;
}

static void on_command(struct agent *a, const struct agent_command *c, struct agent_out *out)
{
	static const char *const words[] = { "hello", "say", "take-back", "interrupt", "answer",
		"checked", "mode", "model", "thinking", "effort", "kill-task", "files", "aside",
		"task-output", "forget", "end" };
	const struct vy_str parts[] = { c->message, c->request, c->decision, c->context, c->text };

	(void)a;
	vy_buf_adds(&out->tell, words[c->kind]);
	for (size_t i = 0; i < VY_COUNT(parts); i++) {
		if (parts[i].n) {
			vy_buf_addf(&out->tell, " %.*s", VY_STR_ARG(parts[i]));
		}
	}
	vy_buf_addc(&out->tell, '\n');
}

static void on_exited(struct agent *a, int status, int signo, struct agent_out *out)
{
	(void)a;
	(void)signo;
	if (status == 3) {
		agent_out_add(out, AE_OTHER_WAY)->text = VY_STR_LIT("that session is in use");
	} else if (status) {
		agent_out_add(out, AE_BROKEN)->text = VY_STR_LIT("it crashed");
	}
}

static void encode(const struct agent *a, struct vy_jw *w)
{
	vy_jw_obj(w);
	vy_jw_kint(w, "lines", a->lines);
	vy_jw_end_obj(w);
}

static struct agent *make(const struct provider_launch *l)
{
	(void)l;
	return VY_NEW(struct agent);
}

static struct agent *decode(const struct vy_json *v, struct vy_err *e)
{
	struct agent *a = VY_NEW(struct agent);

	(void)e;
	a->lines = vy_json_int(v, "lines", 0);
	return a;
}

static void release(struct agent *a)
{
	free(a);
}

static const char *missing(const struct provider_conf *conf, const char *path, struct vy_arena *a)
{
	(void)conf;
	(void)path;
	(void)a;
	return stand.missing;
}

static int launch(const struct provider_launch *l, struct provider_spawn *out, struct vy_arena *a,
	struct vy_err *e)
{
	const char **argv = vy_arena_calloc(a, 4, sizeof(*argv));

	(void)e;
	argv[0] = "agent";
	argv[1] = l->is_resume ? "resume" : "fresh";
	argv[2] = l->is_trusted                              ? "trusted"
		  : l->auth && strcmp(l->auth, "login") != 0 ? l->auth
							     : NULL;
	out->argv = argv;
	return 0;
}

static const struct provider_ops driver = {
	.kind = "test",
	.knows_built_in = true,
	.tested = "1",
	.caps = { .can_steer = true,
		.can_interrupt = true,
		.can_take_back = true,
		.has_thinking = true },
	.missing = missing,
	.launch = launch,
	.new = make,
	.free = release,
	.line = on_line,
	.command = on_command,
	.line_too_long = on_too_long,
	.exited = on_exited,
	.encode = encode,
	.decode = decode,
};

/* In place of registry.c. */
const struct provider_ops *provider_find(const char *kind)
{
	return strcmp(kind, "test") == 0 ? &driver : NULL;
}

const struct provider_ops *const *provider_all(void)
{
	static const struct provider_ops *const all[] = { &driver, NULL };

	return all;
}

/* ---- what the table asks of the house ---- */

static struct provider_conf the_provider = { .name = "test", .kind = "test" };

static const struct provider_conf *provider(void *ctx, const char *name)
{
	(void)ctx;
	the_provider.fallback = stand.fallback;
	return strcmp(name, "test") == 0 ? &the_provider : NULL;
}

static const struct provider_conf *provider_at(void *ctx, size_t i)
{
	(void)ctx;
	return i == 0 ? &the_provider : NULL;
}

static bool model(void *ctx, const char *project, const char *purpose, const char **model)
{
	(void)ctx;
	*model = project ? NULL : strcmp(purpose, "job") == 0 ? "small" : "large";
	return project == NULL;
}

static bool goes_on(void *ctx)
{
	(void)ctx;
	return stand.goes_on;
}

static uint32_t orphan_s(void *ctx)
{
	(void)ctx;
	return 3600;
}

static const char *socket_open(void *ctx, const char *session, const char *person)
{
	(void)ctx;
	(void)session;
	(void)person;
	stand.sockets++;
	return "/run/agent.sock";
}

static void socket_close(void *ctx, const char *session)
{
	(void)ctx;
	(void)session;
	stand.sockets--;
}

static int secret(void *ctx, const char *name, struct vy_buf *out, struct vy_err *e)
{
	(void)ctx;
	(void)out;
	return vy_fail(e, VY_NOT_FOUND, "the secret %s is not set", name);
}

static bool has_secret(void *ctx, const char *name)
{
	(void)ctx;
	return strcmp(name, "test-api-key") == 0 && !stand.is_unset;
}

static bool goes_on_after_limit(void *ctx)
{
	(void)ctx;
	return stand.goes_on_after_limit;
}

static int viewers(void *ctx, const char *session)
{
	(void)ctx;
	(void)session;
	return stand.viewers;
}

static void life(void *ctx, struct table_life *out)
{
	(void)ctx;
	*out = stand.life;
}

static int64_t wall_ms(void *ctx)
{
	(void)ctx;
	return stand.now;
}

static int64_t boot_ms(void *ctx)
{
	(void)ctx;
	return vy_boot_ms(&vy_clock_real) + stand.skipped_ms;
}

/* ---- life ---- */

static void defaults_changed(
	void *ctx, const char *what, const char *project, const char *purpose, int64_t rev)
{
	(void)ctx;
	(void)what;
	(void)project;
	(void)purpose;
	(void)rev;
}

static int64_t slot_limit(void *ctx, const char *kind, const char *project)
{
	(void)ctx;
	(void)kind;
	return project ? 0 : stand.slots;
}

static void slot_changed(void *ctx, const struct slots_item *it)
{
	(void)ctx;
	(void)it;
}

static void boot(void)
{
	struct vy_err e = { 0 };

	stand.loop = vy_loop_new();
	stand.log = log_new(&(struct log_conf){ .loop = stand.loop,
				    .store = stand.store,
				    .clock = &stand.clock,
				    .boot_id = "boot" },
		&e);
	assert_non_null(stand.log);
	stand.table = table_new(&(struct table_conf){ .loop = stand.loop,
		.log = stand.log,
		.clock = &stand.clock,
		.state_dir = "/nonexistent",
		.config_file = "/nonexistent/vyred.conf",
		.self = "/usr/bin/vyred",
		.home = "/root",
		.user = "ana",
		.path = "/usr/bin",
		.orphan_s = orphan_s,
		.life = life,
		.provider = provider,
		.provider_at = provider_at,
		.model = model,
		.defaults = defaults_changed,
		.slot_limit = slot_limit,
		.slot = slot_changed,
		.goes_on = goes_on,
		.socket_open = socket_open,
		.socket_close = socket_close,
		.secret = secret,
		.has_secret = has_secret,
		.goes_on_after_limit = goes_on_after_limit,
		.viewers = viewers });
	table_boot(stand.table);
}

void stand_open(void)
{
	vy_log_set_level(VY_LOG_NONE);
	fake_hold_begin();
	stand = (struct stand){
		.now = 1700000000000, .clock = { wall_ms, boot_ms, NULL }, .store = store_mem_new()
	};
	boot();
	stand_turn();
}

static void take_down(void)
{
	table_free(stand.table);
	log_free(stand.log);
	vy_loop_free(stand.loop);
}

void stand_close(void)
{
	log_settle(stand.log);
	take_down();
	stand.store->ops->close(stand.store);
	fake_hold_end();
}

static void stop(void *ctx)
{
	vy_loop_stop(ctx);
}

/* Time passes between two turns, so that the log never gathers several into one commit (pace.h):
 * a turn that has run is committed, however fast the machine is. */
void stand_turn(void)
{
	for (int i = 0; i < 2; i++) {
		stand.skipped_ms += 1000;
		vy_loop_defer(stand.loop, stop, stand.loop);
		vy_loop_run(stand.loop);
		log_flush(stand.log); /* it may wait for more, when turns come this fast */
	}
}

void stand_crash(void)
{
	store_mem_fail(stand.store, 1, 1000000, VY_IO);
	take_down();
	store_mem_fail(stand.store, 0, 0, VY_OK);
	stand.sockets = 0;
	boot();
}

struct session *stand_session(void)
{
	struct table_start st = {
		.provider = VY_STR_LIT("test"), .cwd = VY_STR_LIT("/"), .person = VY_STR_LIT("ana")
	};
	struct vy_err e = { 0 };
	struct session *s = table_start(stand.table, &st, &e);

	if (!s) {
		fail_msg("%s", e.text);
	}
	stand_turn();
	return s;
}

struct session *stand_find(const char *id)
{
	struct vy_err e = { 0 };
	struct session *s = table_find(stand.table, vy_str_c(id), &e);

	if (!s) {
		fail_msg("%s", e.text);
	}
	return s;
}

void stand_ready(void)
{
	stand_turn();
	struct hold *h = fake_hold_newest();

	fake_hold_hello(h, HOLD_EMPTY, 1);
	stand_turn();
	if (fake_hold_newest() != h) { /* an earlier vyred's: another one was asked for */
		h = fake_hold_newest();
		fake_hold_hello(h, HOLD_EMPTY, 1);
	}
	fake_hold_started(h);
	stand_turn();
	fake_hold_inack(h, 1);
	stand_turn();
}

/* ---- the log as text ---- */

static void add(struct vy_buf *out, const struct vy_frame *f, enum vy_fid id)
{
	struct vy_str s = vy_frame_str(f, id);

	if (vy_frame_has(f, id)) {
		vy_buf_addf(out, " %.*s", s.n > 60 ? 60 : (int)s.n, s.n ? s.p : "");
	}
}

static bool show(void *ctx, struct frame_ref *ref)
{
	struct vy_buf *out = ctx;
	struct vy_arena a;
	struct vy_frame f;
	struct vy_err e = { 0 };

	vy_arena_init(&a);
	if (vy_frame_decode(frame_ref_str(ref), &a, &f, &e) != 0) {
		fail_msg("%s", e.text);
	}
	vy_buf_addf(out, "%d %s", (int)f.cur, vy_kind_word(f.kind));
	static const enum vy_fid shown[] = { VY_F_STATE, VY_F_TOOL_ID, VY_F_STATUS, VY_F_DECISION,
		VY_F_TEXT, VY_F_NOTE, VY_F_REASON, VY_F_MODE, VY_F_RESULT };

	for (size_t i = 0; i < VY_COUNT(shown); i++) {
		add(out, &f, shown[i]);
	}
	vy_buf_addc(out, '\n');
	vy_arena_fini(&a);
	return true;
}

char *stand_frames(const char *session)
{
	VY_AUTO_BUF out = VY_BUF_INIT(1 << 20);
	struct vy_err e = { 0 };

	if (log_read(stand.log, session, 0, show, &out, &e) != 0) {
		fail_msg("%s", e.text);
	}
	return vy_buf_take(&out, NULL);
}

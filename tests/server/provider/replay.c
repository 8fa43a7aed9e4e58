/* replay.c -- see replay.h. */
#include "tests/server/provider/replay.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define LOG_MAX ((size_t)1024 * VY_MIB)

/* ---- events as text ---- */

static const char *const kinds[] = {
	[AE_READY] = "READY",
	[AE_TURN_BEGIN] = "TURN_BEGIN",
	[AE_TAKEN] = "TAKEN",
	[AE_CAME_BACK] = "CAME_BACK",
	[AE_TEXT] = "TEXT",
	[AE_TEXT_DONE] = "TEXT_DONE",
	[AE_TEXT_VOID] = "TEXT_VOID",
	[AE_TOOL_START] = "TOOL_START",
	[AE_TOOL_PROGRESS] = "TOOL_PROGRESS",
	[AE_TOOL_DONE] = "TOOL_DONE",
	[AE_FILE_CHANGED] = "FILE_CHANGED",
	[AE_TODO] = "TODO",
	[AE_SUB_GONE] = "SUB_GONE",
	[AE_ASK] = "ASK",
	[AE_ASK_GONE] = "ASK_GONE",
	[AE_CHECK] = "CHECK",
	[AE_CHECK_GONE] = "CHECK_GONE",
	[AE_MODE] = "MODE",
	[AE_MODEL] = "MODEL",
	[AE_USAGE] = "USAGE",
	[AE_TASKS] = "TASKS",
	[AE_COMMANDS] = "COMMANDS",
	[AE_COMPACTED] = "COMPACTED",
	[AE_NOTE] = "NOTE",
	[AE_SESSION] = "SESSION",
	[AE_MARK] = "MARK",
	[AE_FILES] = "FILES",
	[AE_REPLY] = "REPLY",
	[AE_TURN_END] = "TURN_END",
	[AE_OTHER_WAY] = "OTHER_WAY",
	[AE_BROKEN] = "BROKEN",
};

const char *replay_kind(enum agent_event_kind k)
{
	return kinds[k];
}

static void print_str(struct vy_buf *out, const char *key, struct vy_str s)
{
	if (!s.n) {
		return;
	}
	struct vy_json *j = vy_json_new_str(s);

	vy_buf_addf(out, " %s=", key);
	vy_json_dump(j, out);
	vy_json_free(j);
}

void replay_print(const struct agent_event *ev, struct vy_buf *out)
{
	static const char *const outcomes[] = { "ok", "failed", "canceled" };

	vy_buf_adds(out, kinds[ev->kind]);
	print_str(out, "message", ev->message);
	if (ev->kind == AE_TEXT || ev->kind == AE_TEXT_DONE || ev->kind == AE_TEXT_VOID) {
		vy_buf_addf(out, " index=%" PRId64, ev->index);
	}
	print_str(out, "request", ev->request);
	print_str(out, "tool", ev->tool);
	print_str(out, "name", ev->name);
	print_str(out, "parent", ev->parent);
	print_str(out, "text", ev->text);
	print_str(out, "mark", ev->mark);
	if (ev->tool_kind) {
		vy_buf_addf(out, " kind=%s", ev->tool_kind);
	}
	if (ev->kind == AE_FILE_CHANGED) {
		vy_buf_addf(out, " +%" PRId64 " -%" PRId64, ev->added, ev->removed);
	}
	if (ev->kind == AE_TOOL_DONE || ev->kind == AE_TURN_END) {
		vy_buf_addf(out, " %s", outcomes[ev->outcome]);
	}
	vy_buf_adds(out, ev->is_reasoning ? " reasoning" : "");
	vy_buf_adds(out, ev->is_background ? " background" : "");
	vy_buf_adds(out, ev->is_spawn ? " spawn" : "");
	vy_buf_adds(out, ev->is_limit ? " limit" : "");
	if (ev->json) {
		vy_buf_addc(out, ' ');
		vy_json_dump_canonical(ev->json, out);
	}
	vy_buf_addc(out, '\n');
}

/* ---- a run ---- */

void replay_init(struct replay *r, const struct provider_ops *ops, bool is_cut)
{
	memset(r, 0, sizeof(*r));
	r->ops = ops;
	r->is_cut = is_cut;
	vy_buf_init(&r->log, LOG_MAX);
	vy_buf_init(&r->last_tell, VY_LINE_MAX);
	vy_arena_init(&r->arena);
}

void replay_fini(struct replay *r)
{
	if (r->agent) {
		r->ops->free(r->agent);
	}
	vy_buf_fini(&r->log);
	vy_buf_fini(&r->last_tell);
	vy_arena_fini(&r->arena);
}

void replay_launch(struct replay *r, const char *session, const char *cwd)
{
	static const struct provider_conf conf = { .name = "claude", .kind = "claude" };
	struct provider_launch l = {
		.conf = &conf,
		.session = vy_str_c(session),
		.cwd = vy_str_c(cwd),
	};

	if (r->agent) {
		r->ops->free(r->agent);
	}
	r->agent = r->ops->new (&l);
}

static void print_state(const struct replay *r, struct vy_buf *out)
{
	struct vy_jw w = VY_JW(out);

	r->ops->encode(r->agent, &w);
}

static void cut(struct replay *r)
{
	VY_AUTO_BUF first = VY_BUF_INIT(LOG_MAX), second = VY_BUF_INIT(LOG_MAX);
	struct vy_err e = { 0 };

	print_state(r, &first);
	VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&first), &e);

	assert_non_null(v);
	r->ops->free(r->agent);
	r->agent = r->ops->decode(v, &e);
	if (!r->agent) {
		fail_msg("the state does not decode: %s", e.text);
	}
	print_state(r, &second);
	assert_string_equal(vy_buf_c(&first), vy_buf_c(&second));
}

static struct agent_out begin(struct replay *r)
{
	struct agent_out out;

	vy_arena_reset(&r->arena);
	agent_out_init(&out, &r->arena);
	return out;
}

static void end(struct replay *r, struct agent_out *out)
{
	for (size_t i = 0; i < out->n; i++) {
		replay_print(&out->events[i], &r->log);
		if (r->on_event) {
			r->on_event(r->ctx, &out->events[i]);
		}
	}
	vy_buf_clear(&r->last_tell);
	vy_buf_addstr(&r->last_tell, vy_buf_str(&out->tell));
	for (struct vy_str rest = vy_buf_str(&out->tell); rest.n;) {
		const char *nl = memchr(rest.p, '\n', rest.n);

		assert_non_null(nl); /* only whole lines are told */
		vy_buf_addf(&r->log, "tell %.*s\n", (int)(nl - rest.p), rest.p);
		rest = vy_str_from(rest, (size_t)(nl - rest.p) + 1);
	}
	agent_out_fini(out);
	if (r->is_cut && r->agent) {
		cut(r);
	}
}

void replay_line(struct replay *r, enum agent_stream stream, struct vy_str line)
{
	struct agent_out out = begin(r);

	r->ops->line(r->agent, stream, line, &out);
	end(r, &out);
}

void replay_command(struct replay *r, const struct agent_command *cmd)
{
	struct agent_out out = begin(r);

	r->ops->command(r->agent, cmd, &out);
	end(r, &out);
}

void replay_too_long(struct replay *r, int64_t bytes, struct vy_str head)
{
	struct agent_out out = begin(r);

	r->ops->line_too_long(r->agent, bytes, head, &out);
	end(r, &out);
}

void replay_exit(struct replay *r, int status, int signo)
{
	struct agent_out out = begin(r);

	r->ops->exited(r->agent, status, signo, &out);
	r->ops->free(r->agent);
	r->agent = NULL;
	end(r, &out);
}

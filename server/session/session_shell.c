/* session_shell.c -- a person's `!` commands in a session's folder: run by a holder, shown as rows.
 *
 * Each is a runner of its own (provider/shell.h is its driver), beside the agent's: it outlives a
 * vyred that dies, and is read on from the byte where that one was. What it prints in one loop turn
 * is one frame. When it is over the turn keeps what the agent is to hear of it. */
#include "server/session/session_in.h"

#include <stdlib.h>

#include "server/guard/redact.h"
#include "server/log/log.h"
#include "server/provider/shell.h"
#include "server/session/env.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/frame/check.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

#define GRACE_MS 2000 /* between a ctrl-c and the kill */

struct session_shell {
	struct session *s;
	struct runner *runner;
	char *term, *command, *author; /* command: as it is shown */
	struct vy_buf out;             /* printed in this loop turn */
	int64_t at;                    /* offset of its first byte */
	bool is_ended, is_flushing;
	LIST_ENTRY(session_shell) link;
};

/* ---- frames ---- */

static struct vy_frame *frame(struct session_shell *sh, enum vy_kind kind)
{
	struct effect *e = effects_add(&sh->s->fx, FX_FRAME);

	vy_frame_init(&e->frame, kind);
	e->frame.author = vy_arena_str(&sh->s->arena, vy_str_c(sh->author));
	vy_frame_set_str(&e->frame, VY_F_TERM, vy_arena_str(&sh->s->arena, vy_str_c(sh->term)));
	return &e->frame;
}

static struct vy_frame *command_frame(struct session_shell *sh)
{
	struct vy_frame *f = frame(sh, VY_KIND_TERM_COMMAND);
	struct vy_str command = vy_str_c(sh->command);

	command.n = vy_frame_text_fit(command);
	vy_frame_set_str(f, VY_F_COMMAND, vy_arena_str(&sh->s->arena, command));
	vy_frame_set_c(f, VY_F_VIA, "!");
	return f;
}

static void chunk(struct session_shell *sh, struct vy_str bytes)
{
	VY_AUTO_BUF b64 = VY_BUF_INIT(VY_FRAME_B64_MAX + 16);
	struct vy_frame *f = frame(sh, VY_KIND_TERM_CHUNK);

	vy_buf_reserve(&b64, bytes.n * 4 / 3 + 8);
	b64.len = vy_base64(bytes.p, bytes.n, b64.data);
	vy_frame_set_int(f, VY_F_OFFSET, sh->at);
	vy_frame_set_str(f, VY_F_B64, vy_arena_str(&sh->s->arena, vy_buf_str(&b64)));
	sh->at += (int64_t)bytes.n;
}

static void flush(void *ctx)
{
	struct session_shell *sh = ctx;
	struct vy_str rest = vy_buf_str(&sh->out);

	sh->is_flushing = false;
	while (rest.n) {
		size_t n = rest.n < VY_FRAME_TEXT_MAX ? rest.n : VY_FRAME_TEXT_MAX;

		chunk(sh, vy_str_n(rest.p, n));
		rest = vy_str_from(rest, n);
	}
	vy_buf_clear(&sh->out);
	session_run(sh->s);
}

/* ---- life ---- */

static struct session_shell *make(struct session *s, const struct shell_facts *f)
{
	struct session_shell *sh = VY_NEW(struct session_shell);

	sh->s = s;
	sh->term = vy_memdup0(f->term.p, f->term.n);
	sh->command = vy_memdup0(f->command.p, f->command.n);
	sh->author = vy_memdup0(f->author.p, f->author.n);
	vy_buf_init(&sh->out, SHELL_SHOWN_MAX * 2);
	LIST_INSERT_HEAD(&s->shells, sh, link);
	return sh;
}

static void release(struct session_shell *sh)
{
	LIST_REMOVE(sh, link);
	vy_loop_forget(sh->s->conf->loop, flush, sh);
	runner_free(sh->runner);
	vy_buf_fini(&sh->out);
	free(sh->term);
	free(sh->command);
	free(sh->author);
	free(sh);
}

/* Said once, also of one that was never run. */
static void end(struct session_shell *sh, const struct vy_json *how)
{
	VY_AUTO_BUF told = VY_BUF_INIT(VY_FRAME_MAX);

	if (sh->is_ended) {
		return;
	}
	sh->is_ended = true;
	vy_loop_forget(sh->s->conf->loop, flush, sh);
	flush(sh);
	vy_frame_set_int(command_frame(sh), VY_F_EXIT, vy_json_int(how, "exit", 127));
	shell_tell(vy_str_c(sh->command), how, &told);
	turn_add_context(sh->s->turn, vy_buf_str(&told));
	session_run(sh->s);
}

static void end_unrun(struct session_shell *sh, int status, const char *why)
{
	VY_AUTO_JSON *how = vy_json_new_obj();
	VY_AUTO_BUF line = VY_BUF_INIT(4096);
	struct session *s = sh->s;

	if (!sh->is_ended) {
		vy_buf_addf(&line, "%s\n", why);
		vy_buf_addstr(&sh->out, vy_buf_str(&line));
		vy_json_set_int(how, "exit", status);
		vy_json_set_str(how, "head", vy_buf_str(&line));
		end(sh, how);
	}
	release(sh);
	table_life_is(s->table, s);
	(void)session_is_over(s);
}

/* ---- what its runner says ---- */

static int no_secret(void *ctx, const char *name, struct vy_buf *out, struct vy_err *e)
{
	(void)ctx;
	(void)out;
	return vy_fail(e, VY_BUG, "a command has no secret %s", name);
}

static void on_started(void *ctx)
{
	(void)ctx;
}

static void on_heard(void *ctx, const struct agent_event *ev)
{
	struct session_shell *sh = ctx;

	if (ev->kind == AE_TEXT) {
		if (sh->out.len == 0) {
			sh->at = ev->index;
		}
		vy_buf_addstr(&sh->out, ev->text);
		if (!sh->is_flushing) {
			sh->is_flushing = true;
			vy_loop_defer(sh->s->conf->loop, flush, sh);
		}
	} else if (ev->kind == AE_TOOL_DONE) {
		end(sh, ev->json);
	}
}

static void on_gone(void *ctx, const char *why)
{
	end_unrun(ctx, *why ? 127 : 130, *why ? why : "It was ended before it began.");
}

static void on_unborn(void *ctx)
{
	end_unrun(ctx, 127, "It was not run: the server was started anew just then.");
}

static const struct runner_ops shell_callbacks = {
	.secret = no_secret,
	.started = on_started,
	.heard = on_heard,
	.gone = on_gone,
	.unborn = on_unborn,
};

static struct runner_conf conf_of(struct session_shell *sh)
{
	struct session *s = sh->s;

	return (struct runner_conf){
		.loop = s->conf->loop,
		.log = s->conf->log,
		.state_dir = s->conf->state_dir,
		.session = s->record->session,
		.orphan_s = s->conf->orphan_s(s->conf->ctx),
		.line_max = SHELL_LINE_MAX,
		.driver = &shell_ops,
		.ops = &shell_callbacks,
		.ctx = sh,
	};
}

/* ---- a person's act ---- */

static size_t count(const struct session *s)
{
	const struct session_shell *sh;
	size_t n = 0;

	LIST_FOREACH (sh, &s->shells, link) {
		n++;
	}
	return n;
}

static void run(struct session_shell *sh, const struct shell_facts *f, struct vy_str command)
{
	struct session *s = sh->s;
	struct env_source src = {
		.home = s->conf->home,
		.user = s->conf->user,
		.path = s->conf->path,
		.session = s->record->session,
		.person = s->record->env,
	};
	struct runner_conf rc = conf_of(sh);
	struct vy_arena a;

	vy_arena_init(&a);
	VY_AUTO_JSON *hello = vy_json_new_obj();
	struct runner_start start = {
		.argv = shell_argv(s->conf->shell ? s->conf->shell : "/bin/sh", command, &a),
		.env = env_make(&src, &a),
		.cwd = s->record->cwd,
		.own_agent = shell_new(f),
		.hello = hello,
		.is_private = true,
	};

	sh->runner = runner_new(&rc, &start);
	runner_pause(sh->runner, log_trouble(s->conf->log) != NULL);
	vy_arena_fini(&a);
}

int session_shell(struct session *s, struct vy_str command, struct vy_str author, char term[],
	struct vy_err *e)
{
	VY_AUTO_BUF shown = VY_BUF_INIT(VY_FRAME_TEXT_MAX * 2);

	if (command.n == 0 || memchr(command.p, '\0', command.n)) {
		return vy_fail(e, VY_BAD_INPUT, "params.command: expected a command, got none");
	}
	if (count(s) >= SESSION_SHELLS) {
		return vy_fail(e, VY_BUSY,
			"%d commands run in this session already: wait for one, or end one",
			SESSION_SHELLS);
	}
	vy_uuid(term);
	guard_redact(command, &shown);
	struct shell_facts f = { vy_str_c(term), vy_buf_str(&shown), author };
	struct session_shell *sh = make(s, &f);

	command_frame(sh);
	session_run(s);
	run(sh, &f, command);
	vy_log(VY_LOG_INFO, "shell", "session=%s term=%s", s->record->session, term);
	return 0;
}

bool session_shell_kill(struct session *s, struct vy_str term)
{
	struct session_shell *sh;

	LIST_FOREACH (sh, &s->shells, link) {
		if (vy_str_is(term, sh->term)) {
			runner_interrupt(sh->runner, GRACE_MS);
			return true;
		}
	}
	return false;
}

size_t session_shells_end(struct session *s, int64_t grace_ms)
{
	struct session_shell *sh;
	size_t n = 0;

	LIST_FOREACH (sh, &s->shells, link) {
		runner_interrupt(sh->runner, grace_ms < 0 ? GRACE_MS : grace_ms);
		n++;
	}
	return n;
}

bool session_has_shell(const struct session *s)
{
	return !LIST_EMPTY(&s->shells);
}

void session_shell_tasks(const struct session *s, struct vy_json *list)
{
	const struct session_shell *sh;

	LIST_FOREACH (sh, &s->shells, link) {
		struct vy_json *o = vy_json_new_obj();

		vy_json_set_c(o, "task", sh->term);
		vy_json_set_c(o, "kind", "command");
		vy_json_set_c(o, "text", sh->command);
		vy_json_set_c(o, "status", "running");
		vy_json_add_take(list, o);
	}
}

void session_shell_pids(const struct session *s, session_pids_fn *fn, void *ctx)
{
	const struct session_shell *sh;

	LIST_FOREACH (sh, &s->shells, link) {
		struct runner_pids p;

		runner_pids(sh->runner, &p);
		fn(ctx, s, &p);
	}
}

void session_shells_pause(struct session *s, bool is_paused)
{
	struct session_shell *sh;

	LIST_FOREACH (sh, &s->shells, link) {
		runner_pause(sh->runner, is_paused);
	}
}

/* ---- over a restart ---- */

void session_shell_go_on(struct session *s, const struct row_live *live)
{
	struct vy_err e = { 0 };
	VY_AUTO_JSON *state = vy_json_parse(live->driver_state, &e);
	struct agent *a = state ? shell_ops.decode(state, &e) : NULL;

	if (!a) {
		vy_log(VY_LOG_ERROR, "shell.go_on", "session=%s why=%s", s->record->session,
			vy_log_q(e.text));
		runner_abandon(s->conf->log, s->conf->state_dir, live);
		return;
	}
	struct shell_facts f = shell_facts(a);
	struct session_shell *sh = make(s, &f);
	struct runner_conf rc = conf_of(sh);

	shell_ops.free(a);
	sh->at = vy_json_int(state, "shown", 0);
	sh->runner = runner_resume(&rc, live, &e);
	if (!sh->runner) {
		runner_abandon(s->conf->log, s->conf->state_dir, live);
		end_unrun(sh, 127, "What it did is not known: the server was started anew.");
		return;
	}
	runner_pause(sh->runner, log_trouble(s->conf->log) != NULL);
}

void session_shells_free(struct session *s)
{
	struct session_shell *sh;

	while ((sh = LIST_FIRST(&s->shells))) {
		release(sh);
	}
}

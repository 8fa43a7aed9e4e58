/* session_term.c -- a person's shell in a session's folder: what it is started with (server/term runs it),
 * and what becomes of the commands it tells.
 *
 * A full login shell of the account: the folder is where it starts, nothing keeps it there. Its
 * environment is made from nothing, as an agent's (env.h): no secret of vyred's. */
#include "server/session/session_in.h"

#include <string.h>

#include "server/guard/redact.h"
#include "server/session/env.h"
#include "server/term/rc.h"
#include "server/term/terms.h"
#include "shared/base/arena.h"
#include "shared/base/log.h"
#include "shared/frame/check.h"
#include "shared/base/ban.h"

#define SHELL   "/bin/sh"
#define OWN_MAX 12

static struct env_source source_of(struct session *s, const char *const *own)
{
	return (struct env_source){
		.home = s->conf->home,
		.user = s->conf->user,
		.path = s->conf->path,
		.session = s->record->session,
		.person = s->record->env,
		.driver = own,
	};
}

int session_term(struct session *s, unsigned cols, unsigned rows, struct vy_str asked,
	terms_opened_fn *fn, void *ctx, struct vy_err *e)
{
	const char *shell = s->conf->shell ? s->conf->shell : SHELL;
	struct vy_arena a;
	struct vy_err why = { 0 };
	struct rc rc;
	size_t n = 3;
	int done;

	vy_arena_init(&a);
	const char *own[OWN_MAX] = { "TERM=xterm-256color", "COLORTERM=truecolor",
		vy_arena_printf(&a, "SHELL=%s", shell) };
	struct env_source src = source_of(s, own);

	if (rc_prepare(s->conf->state_dir, shell, env_make(&src, &a), &a, &rc, &why) != 0) {
		vy_log(VY_LOG_WARN, "term.rc", "session=%s why=%s", s->record->session,
			vy_log_q(why.text));
	}
	for (size_t i = 0; rc.env[i] && n < OWN_MAX - 1; i++) {
		own[n++] = rc.env[i];
	}
	struct terms_open o = {
		.session = s->record->session,
		.person = s->record->person,
		.argv = rc.argv,
		.env = env_make(&src, &a),
		.cwd = s->record->cwd,
		.cols = cols,
		.rows = rows,
		.key = rc.key,
		.asked = asked,
	};

	done = terms_open(s->conf->terms, &o, fn, ctx, e);
	vy_wipe(rc.key, sizeof(rc.key));
	vy_arena_fini(&a);
	return done;
}

/* ---- commands ---- */

static struct vy_str kept(struct session *s, struct vy_str t)
{
	return vy_arena_str(&s->arena, t);
}

static void command_frame(struct session *s, const struct term_facts *f,
	const struct marks_event *ev, struct vy_str command)
{
	struct vy_frame *frame = &effects_add(&s->fx, FX_FRAME)->frame;

	vy_frame_init(frame, VY_KIND_TERM_COMMAND);
	frame->author = kept(s, vy_str_c(vy_arena_printf(&s->arena, "person:%s", f->person)));
	command.n = vy_frame_text_fit(command);
	vy_frame_set_str(frame, VY_F_TERM, kept(s, vy_str_c(f->id)));
	vy_frame_set_str(frame, VY_F_COMMAND, kept(s, command));
	vy_frame_set_c(frame, VY_F_VIA, strcmp(ev->via, "typed") == 0 ? "typed" : "shell");
	vy_frame_set_c(frame, VY_F_SURFACE, "terminal");
	if (ev->kind == MARKS_ENDED && ev->has_exit) {
		vy_frame_set_int(frame, VY_F_EXIT, ev->exit);
	}
}

static void tell_agent(struct session *s, const struct marks_event *ev, struct vy_str command)
{
	VY_AUTO_BUF told = VY_BUF_INIT(2 * MARKS_COMMAND_MAX + 256);

	vy_buf_addf(&told, "The user ran this command in a terminal themselves:\n$ %.*s\n",
		VY_STR_ARG(command));
	if (ev->has_exit) {
		vy_buf_addf(&told, "It ended with status %d.", ev->exit);
	}
	turn_add_context(s->turn, vy_buf_str(&told));
}

void session_term_marked(
	struct session *s, const struct term_facts *f, const struct marks_event *ev)
{
	VY_AUTO_BUF shown = VY_BUF_INIT(2 * MARKS_COMMAND_MAX);

	if (ev->kind == MARKS_AT) {
		return;
	}
	guard_redact(ev->command, &shown);
	if (ev->kind == MARKS_BEGAN || ev->has_exit) {
		command_frame(s, f, ev, vy_buf_str(&shown));
	}
	/* Of one that was typed nobody says how it ends. */
	if (ev->kind == MARKS_ENDED || strcmp(ev->via, "typed") == 0) {
		tell_agent(s, ev, vy_buf_str(&shown));
	}
	session_run(s);
}

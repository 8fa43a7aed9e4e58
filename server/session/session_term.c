/* session_term.c -- a person's shell in a session's folder: what it is started with (server/term runs it).
 *
 * A full login shell of the account: the folder is where it starts, nothing keeps it there. Its
 * environment is made from nothing, as an agent's (env.h): no secret of vyred's. */
#include "server/session/session_in.h"

#include <string.h>

#include "server/session/env.h"
#include "server/term/terms.h"
#include "shared/base/arena.h"
#include "shared/base/ban.h"

#define SHELL "/bin/sh"

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

int session_term(struct session *s, unsigned cols, unsigned rows, terms_opened_fn *fn, void *ctx,
	struct vy_err *e)
{
	const char *shell = s->conf->shell ? s->conf->shell : SHELL;
	struct vy_arena a;
	int rc;

	vy_arena_init(&a);
	const char *own[] = { "TERM=xterm-256color", "COLORTERM=truecolor",
		vy_arena_printf(&a, "SHELL=%s", shell), NULL };
	/* What every login shell takes for one; dash, too. */
	const char *argv[] = { shell, strcmp(last_part(shell), "csh") == 0 ? NULL : "-l", NULL };
	struct env_source src = {
		.home = s->conf->home,
		.user = s->conf->user,
		.path = s->conf->path,
		.session = s->record->session,
		.person = s->record->env,
		.driver = own,
	};
	struct terms_open o = {
		.session = s->record->session,
		.person = s->record->person,
		.argv = argv,
		.env = env_make(&src, &a),
		.cwd = s->record->cwd,
		.cols = cols,
		.rows = rows,
	};

	rc = terms_open(s->conf->terms, &o, fn, ctx, e);
	vy_arena_fini(&a);
	return rc;
}

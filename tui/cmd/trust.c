/* trust.c -- whether the agents of a folder may use the settings that lie in it. */
#include "tui/cmd/verb.h"

#include <stdlib.h>

#include "tui/net/session.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

static int set_trust(struct cmd *c, bool is_trusted, struct vy_err *e)
{
	char *cwd = session_folder(c->o->n_words ? c->o->words[0] : c->o->cwd, e);

	if (!cwd) {
		return -1;
	}
	struct vy_json *params = vy_json_new_obj();

	vy_json_set_c(params, "cwd", cwd);
	vy_json_set_bool(params, "trusted", is_trusted);
	free(cwd);
	VY_AUTO_JSON *result = cmd_write(c, "threads.trust", params, e);

	if (result && c->o->is_json) {
		out_json(&c->out, result);
	} else if (result) {
		out_progress(&c->out,
			is_trusted ? _("%s is trusted: its agents use its own settings from their "
				       "next start on.")
				   : _("%s is not trusted: its agents leave its own settings out "
				       "from their next start on."),
			vy_json_cstr(result, "cwd"));
	}
	return result ? EXIT_OK : -1;
}

int verb_trust(struct cmd *c, struct vy_err *e)
{
	return set_trust(c, true, e);
}

int verb_distrust(struct cmd *c, struct vy_err *e)
{
	return set_trust(c, false, e);
}

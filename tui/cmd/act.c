/* act.c -- interrupt and stop. */
#include "tui/cmd/verb.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

static struct vy_json *act(struct cmd *c, const char *method, struct vy_err *e)
{
	char id[VY_UUID_LEN + 1];

	if (cmd_session(c, c->o->n_words ? c->o->words[0] : NULL, id, e) != 0) {
		return NULL;
	}
	struct vy_json *result = cmd_write(c, method, cmd_params(id), e);

	if (result && c->o->is_json) {
		vy_json_set_c(result, "session", id);
		out_json(&c->out, result);
	}
	return result;
}

int verb_interrupt(struct cmd *c, struct vy_err *e)
{
	VY_AUTO_JSON *result = act(c, "threads.interrupt", e);

	if (result && !vy_json_bool(result, "interrupted", false)) {
		out_progress(&c->out, "%s", _("Nothing was running."));
	}
	return result ? EXIT_OK : -1;
}

int verb_stop(struct cmd *c, struct vy_err *e)
{
	VY_AUTO_JSON *result = act(c, "threads.stop", e);

	return result ? EXIT_OK : -1;
}

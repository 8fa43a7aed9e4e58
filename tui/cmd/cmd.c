/* cmd.c -- see cmd.h: the table of verbs, and what is the same for all. */
#include "tui/cmd/cmd.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "tui/cmd/verb.h"
#include "tui/net/session.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define STATUS_MS 2000   /* a prompt waits for it */
#define ASIDE_MS  600000 /* an agent may think about it */

struct cmd_verb {
	const char *name, *synopsis, *help;
	size_t min, max; /* words */
	unsigned takes;
	bool may_start; /* a server, when none runs */
	int64_t timeout_ms;
	int (*run)(struct cmd *c, struct vy_err *e); /* NULL: main does it */
};

static const struct cmd_verb verbs[] = {
	{ "open", "SESSION", N_("opens that session on the screen"), 1, 16, CMD_START, true, 0,
		NULL },
	{ "term", "[SESSION]", N_("its terminal, on the whole screen"), 0, 16, CMD_NEW | CMD_START,
		true, 0, NULL },
	{ "ls", "", N_("the sessions, the newest first"), 0, 0, 0, false, 0, verb_ls },
	{ "new", "[--budget USD] [--purpose PURPOSE] [--tools LIST] [--once] [TEXT] [-]",
		N_("starts a session, prints its id"), 0, 2,
		CMD_START | CMD_WAIT | CMD_PROJECT | CMD_BOUNDS, true, 0, verb_new },
	{ "send", "[--new] [SESSION] TEXT [-]", N_("says something; - reads the standard input"), 1,
		3, CMD_NEW | CMD_START | CMD_WAIT, true, 0, verb_send },
	{ "tail", "[--plane PLANE] [SESSION]", N_("prints what happens, from the start on"), 0, 1,
		CMD_PLANE, false, 0, verb_tail },
	{ "export", "md|jsonl|html [SESSION]", N_("prints all that was said, as a document"), 1, 2,
		0, false, 0, verb_export },
	{ "search", "QUERY [SESSION]", N_("where all these words were said, the newest first"), 1,
		2, 0, false, 0, verb_search },
	{ "asks", "[SESSION]", N_("what waits for a person"), 0, 1, 0, false, 0, verb_asks },
	{ "answer", "ASK DECISION [--message TEXT]",
		N_("answers: allow, deny, skip, or an option's id"), 2, 16, CMD_MESSAGE, false, 0,
		verb_answer },
	{ "interrupt", "[SESSION]", N_("ends the turn, keeps the session"), 0, 1, 0, false, 0,
		verb_interrupt },
	{ "stop", "[SESSION]", N_("ends the agent; a message brings it back"), 0, 1, 0, false, 0,
		verb_stop },
	{ "rewind", "[--to MESSAGE] [--files] [--dry-run] [--redo] [SESSION]",
		N_("goes back to a message of yours; without --to it lists them"), 0, 1,
		CMD_TO | CMD_BACK, false, 0, verb_rewind },
	{ "retry", "[--to MESSAGE] [--message TEXT] [SESSION]",
		N_("says your last message again, or another one, or with other words"), 0, 1,
		CMD_TO | CMD_MESSAGE, false, 0, verb_retry },
	{ "fork", "[SESSION]", N_("a copy of the session; prints its id"), 0, 1, 0, false, 0,
		verb_fork },
	{ "branch", "[--to MESSAGE] [SESSION]",
		N_("a new session with what came before a message of yours; prints its id"), 0, 1,
		CMD_TO, false, 0, verb_branch },
	{ "aside", "[SESSION] QUESTION", N_("a side question; its answer is in no history"), 1, 2,
		0, false, ASIDE_MS, verb_aside },
	{ "compact", "[--message HINT] [SESSION]",
		N_("lets the agent sum up what was said; HINT: what to keep"), 0, 1, CMD_MESSAGE,
		false, 0, verb_compact },
	{ "usage", "[SESSION]", N_("what pays for it, limits, context and cost"), 0, 1, 0, false, 0,
		verb_usage },
	{ "budget", "AMOUNT|none [SESSION]", N_("what a session may cost, in dollars"), 1, 2, 0,
		false, 0, verb_budget },
	{ "slots", "[--project PROJECT] [KIND N|none|default]",
		N_("how many subagents and teammates may work, who waits"), 0, 2, CMD_PROJECT,
		false, 0, verb_slots },
	{ "models", "[--project PROJECT] [PURPOSE MODEL|default]",
		N_("which model a new session begins with"), 0, 2, CMD_PROJECT, false, 0,
		verb_models },
	{ "prompt", "[--project PROJECT] [revisions|set|revert TEXT]",
		N_("what every agent is told first; TEXT: - reads the standard input, or a "
		   "revision"),
		0, 2, CMD_PROJECT, false, 0, verb_prompt },
	{ "trust", "[FOLDER]", N_("lets the agents of a folder use the settings in it"), 0, 1, 0,
		true, 0, verb_trust },
	{ "distrust", "[FOLDER]", N_("takes that back"), 0, 1, 0, true, 0, verb_distrust },
	{ "adopt", "[FILTER]",
		N_("what claude, codex, opencode and gemini left; the one that FILTER means is "
		   "opened"),
		0, 1, 0, true, 120000, verb_adopt },
	{ "resume", "[SESSION]",
		N_("prints the command that goes on with it in a terminal, and lets go of it"), 0,
		1, 0, false, 0, verb_resume },
	{ "status", "", N_("one line for a prompt: who works, who needs you"), 0, 0, 0, false,
		STATUS_MS, verb_status },
	{ "completion", "bash|zsh|fish", N_("prints what completes these words in that shell"), 1,
		1, 0, false, 0, NULL },
};

/* ---- the table, for others ---- */

const struct cmd_verb *cmd_at(size_t i)
{
	return i < VY_COUNT(verbs) ? &verbs[i] : NULL;
}

const struct cmd_verb *cmd_find(const char *word)
{
	for (size_t i = 0; i < VY_COUNT(verbs); i++) {
		if (strcmp(verbs[i].name, word) == 0) {
			return &verbs[i];
		}
	}
	return NULL;
}

const char *cmd_name(const struct cmd_verb *v)
{
	return v->name;
}

const char *cmd_synopsis(const struct cmd_verb *v)
{
	return v->synopsis;
}

const char *cmd_help(const struct cmd_verb *v)
{
	return _(v->help);
}

unsigned cmd_takes(const struct cmd_verb *v)
{
	return v->takes;
}

bool cmd_is_mains(const struct cmd_verb *v)
{
	return v->run == NULL;
}

/* ---- what verbs share ---- */

int cmd_session(struct cmd *c, const char *name, char id[VY_UUID_LEN + 1], struct vy_err *e)
{
	char *cwd;
	int found;

	if (name) {
		return session_named(&c->net, name, id, e);
	}
	cwd = session_folder(c->o->cwd, e);
	if (!cwd) {
		return -1;
	}
	found = session_newest(&c->net, cwd, id, e);
	if (found == 0) {
		vy_fail(e, VY_NOT_FOUND, _("there is no session of %s (vyre-tui ls lists them)"),
			cwd);
	}
	free(cwd);
	return found > 0 ? 0 : -1;
}

struct vy_json *cmd_params(const char *session)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_c(o, "session", session);
	return o;
}

struct vy_json *cmd_read(
	struct cmd *c, const char *method, struct vy_json *own_params, struct vy_err *e)
{
	return contact_ask(&c->net, method, own_params, NULL, e);
}

struct vy_json *cmd_write(
	struct cmd *c, const char *method, struct vy_json *own_params, struct vy_err *e)
{
	char key[VY_UUID_LEN + 1];

	vy_uuid(key);
	return contact_ask(&c->net, method, own_params, key, e);
}

/* ---- running one ---- */

static int count_words(const struct cmd_verb *v, size_t n, struct vy_err *e)
{
	if (n >= v->min && n <= v->max) {
		return 0;
	}
	return vy_fail(e, VY_BAD_INPUT, _("usage: vyre-tui %s %s"), v->name, v->synopsis);
}

int cmd_run(const struct cmd_verb *v, const struct cmd_options *o)
{
	struct cmd c = { .o = o };
	struct contact_conf conf = { .connect = o->connect,
		.socket = o->socket,
		.state_dir = o->state_dir,
		.may_start = v->may_start,
		.timeout_ms = v->timeout_ms };
	struct vy_err e = { .code = VY_OK };
	int code = -1;

	out_init(&c.out);
	if (count_words(v, o->n_words, &e) == 0) {
		if (contact_open(&c.net, &conf, &e) == 0) {
			code = v->run(&c, &e);
		}
		contact_close(&c.net);
	}
	if (code < 0) {
		out_say(&c.out, "vyre-tui: %s", e.text);
		code = contact_exit(e.code);
	} else if (out_flush(&c.out) != 0 && code == EXIT_OK) {
		code = EXIT_FAILED;
	}
	out_fini(&c.out);
	return code;
}

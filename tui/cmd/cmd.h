/* cmd.h -- vyre-tui without a screen: ls, new, send, tail …, for people in a hurry and for scripts.
 *
 * One verb is one entry of a table and one function. It talks to the server, prints to stdout, and
 * its answer is the program's exit code (contact.h). With --json it prints one object a line, as
 * the wire has it; else text, which on a terminal holds no byte that a terminal would obey. */
#ifndef CMD_H
#define CMD_H

#include <stdbool.h>
#include <stddef.h>

/* Options that only some verbs take; the others are for all. */
enum {
	CMD_NEW = 1,       /* --new */
	CMD_START = 2,     /* --provider, --model: of a session that is started */
	CMD_WAIT = 4,      /* --wait */
	CMD_MESSAGE = 8,   /* --message */
	CMD_PLANE = 16,    /* --plane */
	CMD_TO = 32,       /* --to */
	CMD_BACK = 64,     /* --files, --dry-run, --redo */
	CMD_PROJECT = 128, /* --project */
	CMD_BOUNDS = 256,  /* --budget, --purpose, --tools, --once: of a session that is started */
};

/* What the command line said; every string may be NULL. Borrowed for the whole run. */
struct cmd_options {
	const char *connect, *socket, *state_dir, *cwd;
	const char *provider, *model, *message, *plane, *to;
	const char *project, *budget, *purpose, *tools;
	bool is_new, is_json, is_waiting, with_files, is_dry, is_redo, is_once;
	const char *const *words; /* behind the verb */
	size_t n_words;
};

struct cmd_verb;

const struct cmd_verb *cmd_find(const char *word); /* NULL: no verb of ours */
const struct cmd_verb *cmd_at(size_t i);           /* all of them; NULL past the end */
const char *cmd_name(const struct cmd_verb *v);
const char *cmd_synopsis(const struct cmd_verb *v); /* "[SESSION] TEXT" */
const char *cmd_help(const struct cmd_verb *v);     /* a line, in the person's language */
unsigned cmd_takes(const struct cmd_verb *v);       /* CMD_… */

bool cmd_is_mains(const struct cmd_verb *v); /* open, completion: never run from here */

/* Checks the number of words, runs it. The exit code. */
int cmd_run(const struct cmd_verb *v, const struct cmd_options *o);

#endif

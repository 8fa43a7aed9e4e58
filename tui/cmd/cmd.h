/* cmd.h -- vyre-tui without a screen: one word, its arguments, and out (ls, send, tail …).
 *
 * What was asked for goes to stdout, in a person's words or, with --json, one object a line; what
 * happens meanwhile goes to stderr, and only when that is a terminal. Bytes of sessions reach a
 * terminal only through shared/text/utf8. */
#ifndef CMD_H
#define CMD_H

#include <stdbool.h>

enum cmd_exit { CMD_OK, CMD_FAILED, CMD_USAGE, CMD_NOT_FOUND, CMD_DENIED, CMD_NO_SERVER };

/* Borrowed for the whole run; strings may be NULL. */
struct cmd_options {
	const char *word;
	const char *const *args; /* behind the word */
	int n_args;
	bool is_new, is_json, is_wait;
	const char *provider, *model, *cwd, *socket, *state_dir;
};

bool cmd_is_word(const char *s);
int cmd_run(const struct cmd_options *o); /* the exit code */

#endif

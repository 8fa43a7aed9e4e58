/* rc.h -- how a person's shell is started so that it says what it does, and its own files stay as they are.
 *
 * bash, zsh and fish get a wrapper from a folder of ours: it lets them read what a login shell of theirs
 * reads, then adds hooks beside the person's own (PROMPT_COMMAND and PS0, precmd and preexec, events)
 * that print a report (marks.h) with the terminal's key. The key comes in a file for its owner only,
 * which the wrapper reads and removes before anything of the person's runs; then it is in a variable
 * of the shell that is not exported: neither in the environment nor in the arguments of any child.
 * Whoever can read the shell's memory, or have it run code, can have the key; a program's output cannot.
 *
 * A command that begins with a blank, where the shell is told to forget those, is not reported; nor what
 * its history leaves out for another reason. Any other shell is a plain login shell. */
#ifndef TERM_RC_H
#define TERM_RC_H

#include "shared/base/arena.h"
#include "shared/base/err.h"
#include "server/term/marks.h"

enum rc_kind { RC_PLAIN, RC_BASH, RC_ZSH, RC_FISH };

enum rc_kind rc_kind(const char *shell); /* by the name of the program */
const char *rc_text(enum rc_kind kind);  /* of the wrapper; NULL: there is none */

struct rc {
	const char *argv[8]; /* NULL at the end */
	const char *env[6];  /* NAME=value, NULL at the end: over what there is */
	char key[MARKS_KEY_LEN + 1];
};

/* Writes what the shell needs below `state_dir` (absolute) and says how to start it; strings live in the
 * arena. `env` is its environment so far (ZDOTDIR counts). When that fails the shell is a plain one, and
 * why not is in *e. */
int rc_prepare(const char *state_dir, const char *shell, const char *const *env, struct vy_arena *a,
	struct rc *rc, struct vy_err *e);
/* At boot: keys nobody fetched. */
void rc_sweep(const char *state_dir);

#endif

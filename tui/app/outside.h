/* outside.h -- a program that has the terminal for a while: an editor, a pager.
 *
 * Through a shell, as its name may come with options. As with system(): a key's signal goes to the
 * whole terminal, and is the program's alone. Blocks until it ends; who calls has given the screen
 * back before (screen_suspend()) and takes it again after. */
#ifndef APP_OUTSIDE_H
#define APP_OUTSIDE_H

#include "shared/base/err.h"

/* Writes what the program reads to `fd`; it may go away before it has read all. */
typedef void outside_feed_fn(void *ctx, int fd);

/* `line` is the shell's, `arg` its "$1" (or NULL). With `feed` that is the program's standard input.
 * The shell's exit code, 128 and the signal's number when one ended it; -1: it could not start. */
VY_MUST_USE int outside_run(
	const char *line, const char *arg, outside_feed_fn *feed, void *ctx, struct vy_err *e);

#endif

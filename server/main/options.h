/* options.h -- vyred's command line as a value. Pure but for options_paths, which asks HOME. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>

#include "shared/base/err.h"

struct options {
	const char *command; /* "serve" when none was given */
	const char *config, *state_dir, *socket, *listen, *log_level; /* NULL: not given */
	bool is_foreground, is_all, is_help, is_version;
	const char *const *rest; /* words behind the command */
	int n_rest;
};

/* Options may stand anywhere; "--" ends them. `argv` is permuted and must outlive the value. */
VY_MUST_USE int options_parse(struct options *o, int argc, char **argv, struct vy_err *e);

/* Absolute paths: $XDG_STATE_HOME/vyre and $XDG_CONFIG_HOME/vyre/vyred.conf, or what was given.
 * Both are owned by the caller. Fails without HOME. */
VY_MUST_USE int options_paths(
	const struct options *o, char **state_dir, char **config, struct vy_err *e);

void options_usage(void); /* prints the synopsis on stdout */

#endif

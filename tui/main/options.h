/* options.h -- vyre-tui's command line as a value. Pure. */
#ifndef TUI_OPTIONS_H
#define TUI_OPTIONS_H

#include "shared/base/err.h"
#include "tui/app/app.h"
#include "tui/cmd/cmd.h"

struct options {
	struct app_options app;
	struct cmd_options cmd; /* word NULL: the screen */
	bool is_help, is_version;
};

/* Options may stand anywhere; "--" ends them. `argv` is permuted and must outlive the value.
 * VY_BAD_INPUT with a sentence for a wrong command line. */
VY_MUST_USE int options_parse(struct options *o, int argc, char **argv, struct vy_err *e);

void options_usage(void); /* prints the synopsis on stdout */

#endif

/* options.h -- vyre-tui's command line as a value. Pure. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>

#include "shared/base/err.h"
#include "tui/app/app.h"
#include "tui/cmd/cmd.h"

struct options {
	const struct cmd_verb *verb; /* NULL: the screen */
	struct app_options app;      /* of the screen */
	struct cmd_options cmd;      /* of the verb */
	char joined[1024];           /* the session's words as one, when there are several */
	const char *shell;           /* whose completion is printed; NULL: nobody's */
	bool is_help, is_version, is_reset;
	bool is_reader; /* the chat as words: the session is app's, the rest cmd's */
};

struct option;

/* All there are, as getopt_long() wants them, and which of cmd.h's bits one is: 0: it goes with all. */
const struct option *options_all(void);
unsigned options_bit(const struct option *o);

/* Options may stand anywhere; "--" ends them, and a first word behind it is a session, never a
 * verb. `argv` is permuted and must outlive the value. -1 with what is wrong. */
VY_MUST_USE int options_parse(struct options *o, int argc, char **argv, struct vy_err *e);

#endif

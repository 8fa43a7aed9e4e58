/* wait.h -- says something and stays until its turn is over, with the answer on stdout.
 *
 * The answer's text as it comes, and nothing else; or with --json every frame from then on. What
 * the agent does beside goes to stderr when that is a terminal; what it waits for goes there in any
 * case, since nothing goes on before a person has answered. */
#ifndef CMD_WAIT_H
#define CMD_WAIT_H

#include "shared/base/err.h"
#include "shared/base/str.h"

struct cmd;

/* EXIT_OK, or -1: the turn failed, was interrupted or stopped, or the message could not be sent. */
VY_MUST_USE int wait_for_answer(
	struct cmd *c, const char *session, struct vy_str text, struct vy_err *e);

#endif

/* shell.h -- a `!` command of a person as a driver: its lines become text without secrets, its end
 * an exit status.
 *
 * It speaks the contract of provider.h, so that a runner carries it over a crash of vyred like an
 * agent, but it is no provider: it is told nothing and has no turns. Events: AE_TEXT (index: offset
 * in what is shown, text: whole lines), and at the end AE_TOOL_DONE with json {exit?, signal?,
 * head, tail, bytes}: what the agent is told of it. Pure. */
#ifndef PROVIDER_SHELL_H
#define PROVIDER_SHELL_H

#include "server/provider/provider.h"
#include "shared/base/limits.h"

#define SHELL_SHOWN_MAX VY_MIB        /* of the output people see */
#define SHELL_LINE_MAX  (64 * VY_KIB) /* of one line; more is cut */
#define SHELL_HEAD_MAX  (12 * VY_KIB) /* of the output's begin that an agent is told */
#define SHELL_TAIL_MAX  (12 * VY_KIB) /* and of its end */

struct shell_facts {
	struct vy_str term;    /* its id on the wire */
	struct vy_str command; /* as it is shown */
	struct vy_str author;
};

extern const struct provider_ops shell_ops;

struct agent *shell_new(const struct shell_facts *facts); /* copies them */
struct shell_facts shell_facts(const struct agent *a);

/* Is this a driver's state of ours? */
bool shell_is_state(const struct vy_json *driver_state);

/* What is run: "exec SHELL -c COMMAND", nothing on its stdin, both outputs one; NULL at the end. */
const char **shell_argv(const char *shell, struct vy_str command, struct vy_arena *a);

/* What the agent is told of a command that has ended; appended. */
void shell_tell(struct vy_str command, const struct vy_json *end, struct vy_buf *out);

#endif

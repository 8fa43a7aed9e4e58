/* command.h -- "/name words": vyre's own commands, and what is known of the agent's.
 *
 * Ours are run here (commands.def), every other one goes to the agent as it was typed: it knows its
 * own, also those it did not tell. What it tells is asked for when the menu opens. Pure. */
#ifndef APP_COMMAND_H
#define APP_COMMAND_H

#include <stdbool.h>

#include "tui/app/state.h"

struct command {
	const char *name, *words, *help; /* without the slash; words "" when it takes none */
	bool is_ours;
};

/* All of them, ours first; false: there are no more. Borrowed until the agent's are told anew. */
bool command_at(const struct app_state *s, size_t i, struct command *out);

/* Does what the composer's text says, if it is a command of ours, and takes it out of the composer;
 * false: it is the agent's, or a message. */
bool command_say(struct app_state *s, struct app_effects *fx);
/* Asks the agent's of this session; the answer. */
void command_ask(struct app_state *s, struct app_effects *fx);
void command_told(struct app_state *s, const struct vy_json *result);

#endif

/* thinking.h -- how much the agent may think: as it stands, in words, and the list to set it.
 *
 * The record says whether the agent has such a setting (capabilities.thinking) and how it stands:
 * "on", "off" or a number of tokens; nobody said anything: as the agent likes. Pure. */
#ifndef APP_THINKING_H
#define APP_THINKING_H

#include <stddef.h>

#include "shared/base/str.h"

struct app_state;
struct app_effects;

void thinking_open(struct app_state *s, struct app_effects *fx); /* the list */
/* "on", "off", "16000" or "16k"; anything else is answered by what there is. */
void thinking_set(struct app_state *s, struct vy_str how, struct app_effects *fx);
/* "at most 16k tokens"; `how` NULL: nobody said. */
void thinking_say(const char *how, char *out, size_t room);

#endif

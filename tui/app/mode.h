/* mode.h -- what the agent may do without asking: the list to choose from, and a mode by its name.
 *
 * The record says how it stands (s->mode). No mode of ours lets everything through. Pure. */
#ifndef APP_MODE_H
#define APP_MODE_H

#include "shared/base/str.h"

struct app_state;
struct app_effects;

void mode_open(struct app_state *s, struct app_effects *fx); /* the list */
/* "default", "accept", "acceptEdits" or "plan"; anything else is answered by what there is. */
void mode_set(struct app_state *s, struct vy_str name, struct app_effects *fx);

#endif

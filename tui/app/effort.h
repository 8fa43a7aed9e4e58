/* effort.h -- how hard the agent tries: a word of its model's own, or as it likes. Pure. */
#ifndef APP_EFFORT_H
#define APP_EFFORT_H

#include <stdbool.h>

#include "shared/base/str.h"

struct app_state;
struct app_effects;

/* A word as the model names it, or "auto": as it likes. What it is not the server says. */
void effort_set(struct app_state *s, struct vy_str how, struct app_effects *fx);
void effort_open(
	struct app_state *s, struct app_effects *fx); /* the list; said where there is none */

#endif

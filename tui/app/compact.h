/* compact.h -- the agent sums up what was said, and goes on with that: room in its context. Pure. */
#ifndef APP_COMPACT_H
#define APP_COMPACT_H

#include "shared/base/err.h"
#include "shared/base/json.h"

struct app_state;
struct app_effects;

/* Now; `hint`, what it should keep, may be empty. */
void compact_now(struct app_state *s, struct vy_str hint, struct app_effects *fx);
/* A key asks first: there is no way back. */
void compact_open(struct app_state *s, struct app_effects *fx);
void compact_reply(struct app_state *s, const struct vy_json *result, const struct vy_err *e);

#endif

/* ledger.h -- who may run and what it costs, in lines of words: what the verbs print and what a person
 * who listens hears. One line each, appended. Pure. */
#ifndef CMD_LEDGER_H
#define CMD_LEDGER_H

#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/json.h"

/* Answers of threads.get (`now`: wall ms), sessions.slots, sessions.models.get. */
void ledger_say_usage(const struct vy_json *record, int64_t now, struct vy_buf *out);
void ledger_say_slots(const struct vy_json *result, struct vy_buf *out);
void ledger_say_models(const struct vy_json *result, struct vy_buf *out);
/* An amount of dollars, or "none": 0. */
VY_MUST_USE int ledger_amount(const char *text, double *usd, struct vy_err *e);

#endif

/* ledger.h -- who may run and what it costs: the lists behind /usage, /slots, /models and /prompt, and
 * what /budget does. Each is a menu (menu.h); what is changed by others meanwhile is shown as it
 * comes. Pure. */
#ifndef APP_LEDGER_H
#define APP_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

struct app_state;
struct app_effects;
struct menu_kind;

extern const struct menu_kind menu_usage, menu_slots, menu_models, menu_prompt;

/* The credential that pays, in words: "subscription", "API key (paid by use)"; NULL: not known. */
const char *ledger_auth(const char *auth);

/* "5", "$2.50", "none": what the session may cost. */
void ledger_budget(struct app_state *s, struct vy_str words, struct app_effects *fx);
void ledger_budget_told(struct app_state *s, const struct vy_json *result, const struct vy_err *e);

/* What was asked for to be read, or to be edited; what was saved in $EDITOR. */
void ledger_prompt_told(struct app_state *s, uint32_t what, const struct vy_json *result,
	const struct vy_err *e, struct app_effects *fx);
void ledger_prompt_edited(
	struct app_state *s, uint32_t what, struct vy_str text, struct app_effects *fx);

/* The control plane: slots and defaults that are on the screen are asked for anew. */
void ledger_event(struct app_state *s, const struct vy_json *event, struct app_effects *fx);

/* The project whose models, slots and prompt are shown; NULL: everybody's. */
const char *ledger_project(const struct app_state *s);

/* A list drops its details there: what counts stands at the edge then. */
bool ledger_is_narrow(const struct app_state *s);

/* Gives `p` the project of what is shown, if it is one's. */
void ledger_put_project(const struct app_state *s, struct vy_json *p);

#endif

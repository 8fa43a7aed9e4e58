/* ledger.c -- see ledger.h: what its lists share, and the budget. */
#include "tui/app/ledger.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app/menu.h"
#include "tui/app/say.h"
#include "tui/app/state.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define BUDGET_MOST 1e9

const char *ledger_auth(const char *auth)
{
	if (!auth) {
		return NULL;
	}
	return strcmp(auth, "login") == 0         ? _("subscription")
	       : strcmp(auth, "setup-token") == 0 ? _("subscription (stored token)")
	       : strcmp(auth, "api-key") == 0     ? _("API key (paid by use)")
						  : auth;
}

bool ledger_is_narrow(const struct app_state *s)
{
	return s->chat_cols > 0 && s->chat_cols < 60;
}

const char *ledger_project(const struct app_state *s)
{
	return s->menu.is_wide ? NULL : s->stand.project;
}

void ledger_put_project(const struct app_state *s, struct vy_json *p)
{
	if (ledger_project(s)) {
		vy_json_set_c(p, "project", ledger_project(s));
	}
}

void ledger_event(struct app_state *s, const struct vy_json *event, struct app_effects *fx)
{
	struct vy_str type = vy_json_str(event, "type");
	const struct menu_kind *kind = s->menu.kind;
	bool is_slots = kind == &menu_slots && vy_str_starts(type, "slot.");
	bool is_ours = (kind == &menu_models || kind == &menu_prompt || kind == &menu_slots) &&
		       vy_str_is(type, "defaults.changed");

	if ((is_slots || is_ours) && !s->menu.picker.is_waiting) {
		menu_fill(s, fx);
	}
}

/* ---- the budget ---- */

/* "$2.50", "2,5" and "none" as well; -1: no amount. */
static double amount_of(struct vy_str words)
{
	char text[32], *end = NULL;
	double usd;

	if (vy_str_is(words, "none")) {
		return 0;
	}
	if (words.n && words.p[0] == '$') {
		words = vy_str_from(words, 1);
	}
	if (words.n == 0 || words.n >= sizeof(text) || words.p[0] < '0' || words.p[0] > '9') {
		return -1;
	}
	snprintf(text, sizeof(text), "%.*s", VY_STR_ARG(words));
	for (char *c = text; *c; c++) {
		*c = *c == ',' ? '.' : *c;
	}
	usd = strtod(text, &end);
	return *end == '\0' && isfinite(usd) && usd <= BUDGET_MOST ? usd : -1;
}

void ledger_budget(struct app_state *s, struct vy_str words, struct app_effects *fx)
{
	double usd = amount_of(words);

	if (words.n == 0) {
		menu_open(s, &menu_usage, fx);
		picker_choose(&s->menu.picker, "budget");
		return;
	}
	if (usd < 0) {
		app_flash(s, _("a budget is an amount of dollars, 5 or 2.50, or none"));
		return;
	}
	struct vy_json *p =
		app_query(fx, "threads.budget", (struct app_tag){ APP_FOR_BUDGET, s->n_opened });

	vy_json_set_c(p, "session", s->session);
	if (usd > 0) {
		vy_json_take(p, "budget_usd", vy_json_new_real(usd));
	}
}

void ledger_budget_told(struct app_state *s, const struct vy_json *result, const struct vy_err *e)
{
	char line[200];

	if (!result) {
		app_failed(s, e->text);
		return;
	}
	double usd = vy_json_num(result, "budget_usd", 0);

	s->stand.how.budget_usd = usd;
	if (usd <= 0) {
		snprintf(line, sizeof(line), _("no budget; $%.2f is spent"),
			vy_json_num(result, "spent_usd", 0));
	} else {
		snprintf(line, sizeof(line), _("the budget is $%.2f; $%.2f is spent"), usd,
			vy_json_num(result, "spent_usd", 0));
	}
	app_flash(s, line);
}

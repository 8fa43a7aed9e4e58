/* menu_usage.c -- what pays for the session, what is left of its limits, its context, its cost: and the
 * way to what bounds it (ledger.h). */
#include "tui/app/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "tui/app/menu.h"
#include "tui/app/say.h"
#include "tui/app/state.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define PAYS    "pays"
#define BUDGET  "budget"
#define CONTEXT "context" /* its part says enough */
#define NEAR    0.8

static const struct {
	const char *id, *label, *preview;
	const struct menu_kind *opens;
} ways[] = {
	{ "slots", N_("Subagents and teammates"), N_("who holds one, who waits"), &menu_slots },
	{ "models", N_("Models for each purpose"), N_("what a new session begins with"),
		&menu_models },
	{ "prompt", N_("System prompt"), N_("what every agent is told first"), &menu_prompt },
};

static bool is_way(const char *id)
{
	for (size_t i = 0; i < VY_COUNT(ways); i++) {
		if (strcmp(id, ways[i].id) == 0) {
			return true;
		}
	}
	return false;
}

static void add(struct app_state *s, struct picker_item it)
{
	it.mark = it.mark ? it.mark : " ";
	it.mark_role = it.mark_role ? it.mark_role : THEME_DIM;
	it.aside_role = it.aside_role ? it.aside_role : THEME_DIM;
	if (ledger_is_narrow(s) && it.detail && !is_way(it.id) && strcmp(it.id, CONTEXT) != 0) {
		it.aside = it.detail;
	}
	picker_add(&s->menu.picker, &it);
}

static void add_payer(struct app_state *s)
{
	VY_AUTO_BUF what = VY_BUF_INIT(1024);
	const char *auth = ledger_auth(s->auth);

	if (!s->provider) {
		return;
	}
	vy_buf_addf(&what, "%s%s%s", s->provider, s->model ? " " : "", s->model ? s->model : "");
	add(s, (struct picker_item){ .id = PAYS,
		       .mark = "●",
		       .mark_role = THEME_OK,
		       .label = vy_buf_c(&what),
		       .detail = auth ? auth : _("what pays is known once it has started"),
		       .preview =
			       _("the credential that pays; a change of it is said in the chat") });
}

/* "at its limit until 19:00", "its secret is not stored": why another does not pay, else when it would. */
static void say_other(const struct app_state *s, const struct vy_json *c, struct vy_buf *out)
{
	int64_t until = vy_json_int(c, "until", 0);

	if (!vy_json_bool(c, "is_set", true)) {
		vy_buf_addf(out, _("its secret is not stored: vyred secret set %.*s"),
			VY_STR_ARG(vy_json_str(c, "secret")));
	} else if (until > s->wall_ms) {
		VY_AUTO_BUF at = VY_BUF_INIT(64);

		standing_time(until, s->wall_ms, &at);
		vy_buf_addf(out, _("at its limit until %s"), vy_buf_c(&at));
	} else {
		vy_buf_adds(out, _("pays while the other is at its limit"));
	}
}

/* The credentials that do not pay now, as providers.list told them: `about` keeps its words. */
static void add_others(struct app_state *s)
{
	VY_AUTO_JSON *all = s->menu.about ? vy_json_parse(vy_str_c(s->menu.about), NULL) : NULL;

	for (size_t i = 0; i < vy_json_len(all); i++) {
		const struct vy_json *c = vy_json_at(all, i);
		const char *auth = vy_json_cstr(c, "auth");
		VY_AUTO_BUF what = VY_BUF_INIT(1024);

		if (!auth || (s->auth && strcmp(auth, s->auth) == 0)) {
			continue;
		}
		say_other(s, c, &what);
		add(s, (struct picker_item){ .id = auth,
			       .mark = "○",
			       .label = ledger_auth(auth),
			       .detail = vy_buf_c(&what) });
	}
}

static void add_limit(struct app_state *s)
{
	VY_AUTO_BUF used = VY_BUF_INIT(256), resets = VY_BUF_INIT(256), at = VY_BUF_INIT(64);
	const struct stand *st = &s->stand;

	if (!st->limit) {
		return;
	}
	vy_buf_addf(&used, _("%d%% used"), (int)(st->used * 100 + 0.5));
	if (st->resets > 0) {
		standing_time(st->resets, s->wall_ms, &at);
		vy_buf_addf(&resets, _("resets %s"), vy_buf_c(&at));
	}
	add(s, (struct picker_item){ .id = "limit",
		       .mark = "◔",
		       .mark_role = st->used >= NEAR ? THEME_WARN : THEME_DIM,
		       .label = stand_limit_name(st->limit),
		       .detail = vy_buf_c(&used),
		       .aside = vy_buf_c(&resets) });
}

static void add_context(struct app_state *s)
{
	VY_AUTO_BUF text = VY_BUF_INIT(256), part = VY_BUF_INIT(64);

	if (s->max <= 0) {
		return;
	}
	vy_buf_addf(&text, _("%lldk of %lldk tokens"), (long long)(s->used + 500) / 1000,
		(long long)(s->max + 500) / 1000);
	vy_buf_addf(&part, "%d%%", (int)(s->used * 100 / s->max));
	add(s, (struct picker_item){ .id = CONTEXT,
		       .mark = "▤",
		       .label = _("Context"),
		       .detail = vy_buf_c(&text),
		       .aside = vy_buf_c(&part) });
}

static void add_money(struct app_state *s)
{
	VY_AUTO_BUF cost = VY_BUF_INIT(256), budget = VY_BUF_INIT(64);
	double usd = s->stand.how.budget_usd;

	if (s->is_cost_unknown) {
		vy_buf_adds(&cost, _("not known: this agent tells no prices"));
	} else {
		vy_buf_addf(&cost, "$%.2f", s->cost);
	}
	vy_buf_addf(&budget, "$%.2f", usd);
	add(s, (struct picker_item){ .id = "cost",
		       .mark = "$",
		       .label = _("Cost so far"),
		       .detail = vy_buf_c(&cost) });
	add(s, (struct picker_item){ .id = BUDGET,
		       .mark = "‖",
		       .mark_role = stand_kind(s) == STANDING_BUDGET ? THEME_WARN : THEME_DIM,
		       .label = _("Budget"),
		       .detail = usd > 0 ? vy_buf_c(&budget) : _("none"),
		       .aside = "…",
		       .preview = _("enter changes it; when it is spent, the session pauses") });
}

static void list(struct app_state *s)
{
	picker_clear(&s->menu.picker);
	add_payer(s);
	add_others(s);
	add_limit(s);
	add_context(s);
	add_money(s);
	for (size_t i = 0; i < VY_COUNT(ways); i++) {
		add(s, (struct picker_item){ .id = ways[i].id,
			       .mark = "›",
			       .label = _(ways[i].label),
			       .detail = _(ways[i].preview),
			       .aside = "…" });
	}
}

static void fill(struct app_state *s, struct app_effects *fx)
{
	list(s);
	vy_json_set_c(menu_ask(s, "threads.get", fx), "session", s->session);
	menu_ask(s, "providers.list", fx);
}

static void keep_others(struct app_state *s, const struct vy_json *providers)
{
	VY_AUTO_BUF text = VY_BUF_INIT(65536);

	for (size_t i = 0; i < vy_json_len(providers); i++) {
		const struct vy_json *p = vy_json_at(providers, i);

		if (s->provider && vy_str_is(vy_json_str(p, "name"), s->provider) &&
			vy_json_get(p, "credentials")) {
			vy_json_dump(vy_json_get(p, "credentials"), &text);
			free(s->menu.about);
			s->menu.about = vy_strdup(vy_buf_c(&text));
			list(s);
		}
	}
}

static void reply(struct app_state *s, const struct vy_json *result, struct app_effects *fx)
{
	(void)fx;
	if (s->session && vy_str_is(vy_json_str(result, "session"), s->session)) {
		app_record(s, result); /* which lists it anew */
	}
	keep_others(s, vy_json_get(result, "providers"));
}

static void choose(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	if (strcmp(it->id, BUDGET) == 0) {
		composer_drop(&s->composer); /* a draft is in the history */
		composer_put(&s->composer, VY_STR_LIT("/budget "));
		return;
	}
	if (strcmp(it->id, PAYS) == 0) {
		menu_open(s, &menu_model, fx);
		return;
	}
	for (size_t i = 0; i < VY_COUNT(ways); i++) {
		if (strcmp(it->id, ways[i].id) == 0) {
			menu_open(s, ways[i].opens, fx);
		}
	}
}

const struct menu_kind menu_usage = {
	.title = N_("Use and limits"),
	.empty = N_("nothing is known yet"),
	.fill = fill,
	.reply = reply,
	.changed = list,
	.choose = choose,
};

/* ledger.c -- who may run and what it costs: slots, models, prompt, budget, usage. */
#include "tui/cmd/ledger.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tui/cmd/verb.h"
#include "tui/words/standing.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define BUDGET_MOST 1e9

/* ---- shared ---- */

static struct vy_json *of_project(struct cmd *c)
{
	struct vy_json *p = vy_json_new_obj();

	if (c->o->project) {
		vy_json_set_c(p, "project", c->o->project);
	}
	return p;
}

int ledger_amount(const char *text, double *usd, struct vy_err *e)
{
	char *end = NULL;

	if (strcmp(text, "none") == 0) {
		*usd = 0;
		return 0;
	}
	*usd = text[0] >= '0' && text[0] <= '9' ? strtod(text, &end) : -1;
	if (!end || *end || !isfinite(*usd) || *usd > BUDGET_MOST) {
		return vy_fail(
			e, VY_BAD_INPUT, _("a budget is an amount of dollars, 5 or 2.50, or none"));
	}
	return 0;
}

static int number_of(const char *text, long long *n, struct vy_err *e)
{
	if (strcmp(text, "none") == 0) {
		*n = 0;
		return 0;
	}
	return vy_parse_i64(vy_str_c(text), n) && *n >= 0
		       ? 0
		       : vy_fail(e, VY_BAD_INPUT, _("%s is no number, and not none"), text);
}

/* ---- slots ---- */

static void print_limit(struct vy_buf *out, const struct vy_json *o)
{
	struct vy_str kind = vy_json_str(o, "kind"), project = vy_json_str(o, "project");
	long long limit = vy_json_int(o, "limit", 0), used = vy_json_int(o, "used", 0);
	long long waiting = vy_json_int(o, "waiting", 0);

	vy_buf_addf(
		out, "%.*s%s%.*s  ", VY_STR_ARG(kind), project.n ? " " : "", VY_STR_ARG(project));
	if (limit > 0) {
		vy_buf_addf(out, _("%lld of %lld at work"), used, limit);
	} else {
		vy_buf_addf(out, _("%lld at work, no limit"), used);
	}
	if (waiting) {
		vy_buf_addf(out, ", ");
		vy_buf_addf(out, words_count("%lld waits", "%lld wait", (unsigned long)waiting),
			waiting);
	}
	vy_buf_addf(out, "\n");
}

static void print_place(struct vy_buf *out, const struct vy_json *o)
{
	struct standing st = { .kind = STANDING_PLACE, .position = vy_json_int(o, "position", 0) };
	VY_AUTO_BUF line = VY_BUF_INIT(256);

	if (st.position) {
		standing_words(&st, 0, true, &line);
	} else {
		vy_buf_adds(&line, _("at work"));
	}
	vy_buf_addf(out, "  %.*s  %.*s  %s\n", VY_STR_ARG(vy_json_str(o, "kind")),
		VY_STR_ARG(vy_json_str(o, "session")), vy_buf_c(&line));
}

void ledger_say_slots(const struct vy_json *result, struct vy_buf *out)
{
	static const char *const places[] = { "holders", "waiting" };
	const struct vy_json *slots = vy_json_get(result, "slots");

	for (size_t i = 0; i < vy_json_len(slots); i++) {
		print_limit(out, vy_json_at(slots, i));
	}
	for (size_t k = 0; k < VY_COUNT(places); k++) {
		const struct vy_json *list = vy_json_get(result, places[k]);

		for (size_t i = 0; i < vy_json_len(list); i++) {
			print_place(out, vy_json_at(list, i));
		}
	}
}

static int set_slots(struct cmd *c, struct vy_err *e)
{
	struct vy_json *p = of_project(c);
	long long limit = 0;

	if (c->o->n_words == 1) {
		vy_json_free(p);
		return vy_fail(e, VY_BAD_INPUT, _("usage: vyre-tui %s %s"), "slots",
			"[--project PROJECT] [subagent|teammate N|none|default]");
	}
	vy_json_set_c(p, "kind", c->o->words[0]);
	if (strcmp(c->o->words[1], "default") != 0) {
		if (number_of(c->o->words[1], &limit, e) != 0) {
			vy_json_free(p);
			return -1;
		}
		vy_json_set_int(p, "limit", limit);
	}
	VY_AUTO_JSON *result = cmd_write(c, "sessions.slots.set", p, e);

	if (result && c->o->is_json) {
		out_json(&c->out, result);
	}
	return result ? EXIT_OK : -1;
}

int verb_slots(struct cmd *c, struct vy_err *e)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_LINE_MAX);

	if (c->o->n_words) {
		return set_slots(c, e);
	}
	VY_AUTO_JSON *result = cmd_read(c, "sessions.slots", of_project(c), e);

	if (!result) {
		return -1;
	}
	if (c->o->is_json) {
		out_json(&c->out, result);
		return EXIT_OK;
	}
	ledger_say_slots(result, &text);
	out_add(&c->out, vy_buf_str(&text));
	return EXIT_OK;
}

/* ---- models ---- */

static void print_model(struct vy_buf *out, const struct vy_json *o)
{
	const char *model = vy_json_cstr(o, "model");

	vy_buf_addf(out, "%-8s  %s  (%.*s)\n", vy_json_cstr(o, "purpose"),
		model ? model : _("the agent's own"), VY_STR_ARG(vy_json_str(o, "from")));
}

void ledger_say_models(const struct vy_json *result, struct vy_buf *out)
{
	const struct vy_json *models = vy_json_get(result, "models");

	if (vy_json_get(result, "purpose")) { /* of one that was set */
		print_model(out, result);
	}
	for (size_t i = 0; i < vy_json_len(models); i++) {
		print_model(out, vy_json_at(models, i));
	}
}

int verb_models(struct cmd *c, struct vy_err *e)
{
	struct vy_json *p = of_project(c);
	bool is_set = c->o->n_words > 0;

	if (is_set) {
		vy_json_set_c(p, "purpose", c->o->words[0]);
	}
	if (c->o->n_words > 1 && strcmp(c->o->words[1], "default") != 0) {
		vy_json_set_c(p, "model", c->o->words[1]);
	}
	if (c->o->n_words == 1) {
		vy_json_free(p);
		return vy_fail(e, VY_BAD_INPUT, _("usage: vyre-tui %s %s"), "models",
			"[--project PROJECT] [PURPOSE MODEL|default]");
	}
	VY_AUTO_JSON *result = is_set ? cmd_write(c, "sessions.models.set", p, e)
				      : cmd_read(c, "sessions.models.get", p, e);

	if (!result) {
		return -1;
	}
	if (c->o->is_json) {
		out_json(&c->out, result);
		return EXIT_OK;
	}
	VY_AUTO_BUF text = VY_BUF_INIT(65536);

	ledger_say_models(result, &text);
	out_add(&c->out, vy_buf_str(&text));
	return EXIT_OK;
}

/* ---- prompt ---- */

static int print_rev(struct cmd *c, const struct vy_json *result)
{
	if (result && c->o->is_json) {
		out_json(&c->out, result);
	} else if (result) {
		out_progress(&c->out, _("revision %lld; it counts from an agent's next start on"),
			(long long)vy_json_int(result, "rev", 0));
	}
	return result ? EXIT_OK : -1;
}

/* set TEXT, or - for the standard input. */
static int set_prompt(struct cmd *c, struct vy_err *e)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_SEND_TEXT_MAX);
	const char *word = c->o->words[1];

	if (strcmp(word, "-") == 0) {
		if (cmd_input(&text, e) != 0) {
			return -1;
		}
	} else {
		vy_buf_adds(&text, word);
	}
	struct vy_json *p = of_project(c);

	vy_json_set_str(p, "text", vy_buf_str(&text));
	VY_AUTO_JSON *result = cmd_write(c, "sessions.prompt.set", p, e);

	return print_rev(c, result);
}

static int revert_prompt(struct cmd *c, struct vy_err *e)
{
	struct vy_json *p;
	long long rev;

	if (number_of(c->o->words[1], &rev, e) != 0) {
		return -1;
	}
	p = of_project(c);
	vy_json_set_int(p, "rev", rev);
	VY_AUTO_JSON *result = cmd_write(c, "sessions.prompt.revert", p, e);

	return print_rev(c, result);
}

static int show_prompt(struct cmd *c, bool wants_revs, struct vy_err *e)
{
	VY_AUTO_JSON *result = cmd_read(c, "sessions.prompt.get", of_project(c), e);
	const struct vy_json *revs = vy_json_get(result, "revs");
	int64_t now = vy_wall_ms(&vy_clock_real);

	if (!result) {
		return -1;
	}
	if (c->o->is_json) {
		out_json(&c->out, result);
		return EXIT_OK;
	}
	for (size_t i = 0; wants_revs && i < vy_json_len(revs); i++) {
		const struct vy_json *o = vy_json_at(revs, i);
		VY_AUTO_BUF at = VY_BUF_INIT(64);

		standing_time(vy_json_int(o, "time", 0), now, &at);
		out_addf(&c->out, "%lld  %s  %.*s  %lld\n", (long long)vy_json_int(o, "rev", 0),
			vy_buf_c(&at), VY_STR_ARG(vy_json_str(o, "by")),
			(long long)vy_json_int(o, "bytes", 0));
	}
	if (!wants_revs && vy_json_str(result, "text").n) {
		out_add(&c->out, vy_json_str(result, "text"));
		out_addf(&c->out, "\n");
	}
	return EXIT_OK;
}

int verb_prompt(struct cmd *c, struct vy_err *e)
{
	const char *const *words = c->o->words;
	size_t n = c->o->n_words;

	if (n == 0) {
		return show_prompt(c, false, e);
	}
	if (n == 1 && strcmp(words[0], "revisions") == 0) {
		return show_prompt(c, true, e);
	}
	if (n == 2 && strcmp(words[0], "set") == 0) {
		return set_prompt(c, e);
	}
	if (n == 2 && strcmp(words[0], "revert") == 0) {
		return revert_prompt(c, e);
	}
	return vy_fail(e, VY_BAD_INPUT, _("usage: vyre-tui %s %s"), "prompt",
		"[--project PROJECT] [revisions | set TEXT|- | revert REVISION]");
}

/* ---- budget, usage ---- */

int verb_budget(struct cmd *c, struct vy_err *e)
{
	char id[VY_UUID_LEN + 1];
	double usd;

	if (ledger_amount(c->o->words[0], &usd, e) != 0 ||
		cmd_session(c, c->o->n_words > 1 ? c->o->words[1] : NULL, id, e) != 0) {
		return -1;
	}
	struct vy_json *p = cmd_params(id);

	if (usd > 0) {
		vy_json_take(p, "budget_usd", vy_json_new_real(usd));
	}
	VY_AUTO_JSON *result = cmd_write(c, "threads.budget", p, e);

	if (result && c->o->is_json) {
		vy_json_set_c(result, "session", id);
		out_json(&c->out, result);
	}
	return result ? EXIT_OK : -1;
}

void ledger_say_usage(const struct vy_json *r, int64_t now, struct vy_buf *out)
{
	const struct vy_json *usage = vy_json_get(r, "usage"), *limits = vy_json_get(r, "limits");
	int64_t resets = vy_json_int(limits, "resets_at", 0);
	long long used = vy_json_int(usage, "used", 0), max = vy_json_int(usage, "max", 0);
	double budget = vy_json_num(r, "budget_usd", 0);
	VY_AUTO_BUF at = VY_BUF_INIT(64);

	vy_buf_addf(out, "%.*s %.*s  %.*s\n", VY_STR_ARG(vy_json_str(r, "provider")),
		VY_STR_ARG(vy_json_str(r, "model")), VY_STR_ARG(vy_json_str(r, "auth")));
	if (limits && vy_json_str(limits, "kind").n) {
		standing_time(resets, now, &at);
		vy_buf_addf(out, "%.*s  ", VY_STR_ARG(vy_json_str(limits, "kind")));
		vy_buf_addf(out, _("%d%% used"), (int)(vy_json_num(limits, "used", 0) * 100 + 0.5));
		if (resets > 0) {
			vy_buf_addf(out, "  ");
			vy_buf_addf(out, _("resets %s"), vy_buf_c(&at));
		}
		vy_buf_addf(out, "\n");
	}
	if (max > 0) {
		vy_buf_addf(out, _("%lld of %lld tokens"), used, max);
		vy_buf_addf(out, "\n");
	}
	if (used > 0 && !vy_json_get(usage, "cost_usd")) {
		vy_buf_adds(out, _("cost not known: this agent tells no prices"));
	} else {
		vy_buf_addf(out, "$%.2f", vy_json_num(usage, "cost_usd", 0));
	}
	if (budget > 0) {
		vy_buf_addf(out, _(" of $%.2f"), budget);
	}
	vy_buf_addf(out, "\n");
}

int verb_usage(struct cmd *c, struct vy_err *e)
{
	static const char *const told[] = { "session", "provider", "model", "auth", "limits",
		"context", "usage", "budget_usd", "until" };
	char id[VY_UUID_LEN + 1];

	if (cmd_session(c, c->o->n_words ? c->o->words[0] : NULL, id, e) != 0) {
		return -1;
	}
	VY_AUTO_JSON *record = cmd_read(c, "threads.get", cmd_params(id), e);

	if (!record) {
		return -1;
	}
	if (!c->o->is_json) {
		VY_AUTO_BUF text = VY_BUF_INIT(65536);

		ledger_say_usage(record, vy_wall_ms(&vy_clock_real), &text);
		out_add(&c->out, vy_buf_str(&text));
		return EXIT_OK;
	}
	VY_AUTO_JSON *o = vy_json_new_obj();

	for (size_t i = 0; i < VY_COUNT(told); i++) {
		vy_json_set(o, told[i], vy_json_get(record, told[i]));
	}
	out_json(&c->out, o);
	return EXIT_OK;
}

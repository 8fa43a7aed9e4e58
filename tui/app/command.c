/* command.c -- see command.h. */
#include "tui/app/command.h"

#include <stdio.h>
#include <stdlib.h>

#include "shared/base/mem.h"
#include "tui/app/aside.h"
#include "tui/app/back.h"
#include "tui/app/compact.h"
#include "tui/app/effort.h"
#include "tui/app/help.h"
#include "tui/app/ledger.h"
#include "tui/app/left.h"
#include "tui/app/menu.h"
#include "tui/app/mode.h"
#include "tui/app/probe.h"
#include "tui/app/say.h"
#include "tui/app/sessions.h"
#include "tui/app/thinking.h"
#include "tui/app/vi.h"
#include "tui/app/whole.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

enum ours {
#define COMMAND(id, name, words, help) OURS_##id,
#include "tui/app/commands.def"
#undef COMMAND
	OURS_COUNT
};

static const struct command ours[] = {
#define COMMAND(id, name, words, help) { name, words, help, true },
#include "tui/app/commands.def"
#undef COMMAND
};

/* ---- the list ---- */

static enum ours our(struct vy_str name)
{
	enum ours i = 0;

	while (i < OURS_COUNT && !vy_str_is(name, ours[i].name)) {
		i++;
	}
	return i;
}

static const struct vy_json *agents(const struct app_state *s)
{
	return vy_json_get(s->commands, "commands");
}

static bool agent_has(const struct app_state *s, const char *name)
{
	for (size_t i = 0; i < vy_json_len(agents(s)); i++) {
		if (vy_str_is(vy_json_str(vy_json_at(agents(s), i), "name"), name)) {
			return true;
		}
	}
	return false;
}

bool command_at(const struct app_state *s, size_t i, struct command *out)
{
	const char *text, *hint;

	if (i < OURS_COUNT) {
		*out = ours[i];
		return true;
	}
	for (size_t k = 0, n = OURS_COUNT; k < vy_json_len(agents(s)); k++) {
		const struct vy_json *o = vy_json_at(agents(s), k);

		if (!vy_json_cstr(o, "name") || our(vy_json_str(o, "name")) < OURS_COUNT ||
			n++ != i) {
			continue;
		}
		text = vy_json_cstr(o, "text");
		hint = vy_json_cstr(o, "hint");
		*out = (struct command){ vy_json_cstr(o, "name"), hint ? hint : "",
			text ? text : "", false };
		return true;
	}
	return false;
}

void command_ask(struct app_state *s, struct app_effects *fx)
{
	struct app_tag tag = { APP_FOR_COMMANDS, s->n_opened };

	vy_json_set_c(app_query(fx, "threads.commands", tag), "session", s->session);
}

void command_told(struct app_state *s, const struct vy_json *result)
{
	vy_json_free(s->commands);
	s->commands = vy_json_copy(result);
}

/* ---- running ---- */

static void rename_to(struct app_state *s, struct vy_str words, struct app_effects *fx)
{
	VY_AUTO_BUF text = VY_BUF_INIT(8192);

	if (words.n) {
		vy_json_set_str(app_call(s, fx, "threads.rename"), "title", words);
		return;
	}
	vy_buf_addf(&text, "/rename %s", s->title ? s->title : ""); /* to be changed */
	composer_put(&s->composer, vy_buf_str(&text));
}

static void archive(struct app_state *s, struct app_effects *fx)
{
	app_call(s, fx, "threads.archive");
	app_flash(s, _("archived; the list of sessions can show it again"));
}

/* What lies in the folder may run commands unasked from the agent's next start on. */
static void trust(struct app_state *s, struct app_effects *fx)
{
	if (!s->cwd) {
		return; /* the record is not here yet */
	}
	struct vy_json *p = app_call(s, fx, "threads.trust");

	vy_json_del(p, "session");
	vy_json_set_c(p, "cwd", s->cwd);
	app_flash(s, _("trusted; it counts from the agent's next start on"));
}

static void run(struct app_state *s, enum ours which, struct vy_str words, struct app_effects *fx)
{
	switch (which) {
	case OURS_CLEAR:
	case OURS_NEW: sessions_new(s, fx); break;
	case OURS_SESSIONS: menu_opener(s, ACTION_SWITCHER, fx); break;
	case OURS_REWIND: back_open(s, fx); break;
	case OURS_REDO: back_redo(s, fx); break;
	case OURS_RETRY: back_retry(s, fx); break;
	case OURS_FORK: back_fork(s, fx); break;
	case OURS_RESUME: left_resume(s, fx); break;
	case OURS_BRANCH: menu_branch_open(s, fx); break;
	case OURS_BTW: aside_open(s, words, fx); break;
	case OURS_COMPACT: compact_now(s, words, fx); break;
	case OURS_EFFORT: words.n ? effort_set(s, words, fx) : effort_open(s, fx); break;
	case OURS_MODEL:
		if (words.n) {
			vy_json_set_str(app_call(s, fx, "threads.model"), "model", words);
		} else if (!menu_opener(s, ACTION_MODEL, fx)) {
			app_flash(s, _("which model? its name belongs behind /model"));
		}
		break;
	case OURS_THINKING: words.n ? thinking_set(s, words, fx) : thinking_open(s, fx); break;
	case OURS_USAGE: menu_open(s, &menu_usage, fx); break;
	case OURS_BUDGET: ledger_budget(s, words, fx); break;
	case OURS_SLOTS: menu_open(s, &menu_slots, fx); break;
	case OURS_MODELS: menu_open(s, &menu_models, fx); break;
	case OURS_PROMPT: menu_open(s, &menu_prompt, fx); break;
	case OURS_TASKS: menu_open(s, &menu_tasks, fx); break;
	case OURS_MODE: words.n ? mode_set(s, words, fx) : mode_open(s, fx); break;
	case OURS_TRUST: trust(s, fx); break;
	case OURS_RENAME: rename_to(s, words, fx); break;
	case OURS_ARCHIVE: archive(s, fx); break;
	case OURS_HISTORY: menu_opener(s, ACTION_HISTORY, fx); break;
	case OURS_EDITOR: app_effect(fx, APP_EDITOR); break;
	case OURS_KEYS: probe_begin(s); break;
	case OURS_PAGER: whole_begin(s, APP_PAGE, fx); break;
	case OURS_LINES: browse_flip_lines(s); break;
	case OURS_VIM: vi_toggle(s); break;
	case OURS_TERMINAL: term_command(s, words); break;
	case OURS_HELP: help_open(s); break;
	case OURS_QUIT: app_effect(fx, APP_QUIT); break;
	case OURS_COUNT:
	default: break;
	}
}

/* Cut at the first blank; the rest without blanks round it. */
static struct vy_str split(struct vy_str *text)
{
	size_t i = 0;
	struct vy_str words;

	while (i < text->n && text->p[i] != ' ' && text->p[i] != '\n') {
		i++;
	}
	words = vy_str_from(*text, i);
	text->n = i;
	while (words.n && (words.p[0] == ' ' || words.p[0] == '\n')) {
		words = vy_str_from(words, 1);
	}
	while (words.n && (words.p[words.n - 1] == ' ' || words.p[words.n - 1] == '\n')) {
		words.n--;
	}
	return words;
}

bool command_say(struct app_state *s, struct app_effects *fx)
{
	VY_AUTO_BUF whole = VY_BUF_INIT(EDIT_MAX);
	struct vy_str name, words;
	enum ours which;

	if (composer_kind(&s->composer) != COMPOSER_COMMAND ||
		!edit_whole(&s->composer.edit, &whole)) {
		return false;
	}
	name = vy_str_from(vy_buf_str(&whole), 1);
	words = split(&name);
	which = our(name);
	/* the agent's own way of beginning anew keeps what is set up: better, where it is there */
	if (which == OURS_COUNT || (which == OURS_CLEAR && agent_has(s, "clear")) ||
		(words.n && !ours[which].words[0])) {
		return false; /* words behind one that takes none: somebody writes a sentence */
	}
	composer_drop(&s->composer);
	run(s, which, words, fx);
	return true;
}

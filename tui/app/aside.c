/* aside.c -- see aside.h. */
#include "tui/app/aside.h"

#include <stdio.h>
#include <stdlib.h>

#include "shared/base/mem.h"
#include "tui/app/hint.h"
#include "tui/app/menu.h"
#include "tui/app/say.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define ASIDE_SECONDS 600 /* an agent may think about it */

static void ask(struct app_state *s, struct vy_str words, struct app_effects *fx)
{
	struct app_tag tag = { APP_FOR_ASIDE, aside_panel_ask(&s->aside, words) };
	struct vy_json *p = app_query(fx, "threads.aside", tag);

	vy_json_set_c(p, "session", s->session);
	vy_json_set_str(p, "question", words);
	fx->v[fx->n - 1].number = ASIDE_SECONDS;
}

void aside_open(struct app_state *s, struct vy_str words, struct app_effects *fx)
{
	if (s->cannot_aside) {
		app_flash(s, _("this agent takes no side questions: send it as a message"));
		return;
	}
	menu_close(s);
	s->panel.is_focused = false;
	s->focus = APP_ASIDE;
	if (words.n) {
		ask(s, words, fx);
	}
}

static void close(struct app_state *s)
{
	s->focus = APP_COMPOSER;
}

static void ask_line(struct app_state *s, struct app_effects *fx)
{
	struct vy_str words = vy_str_trim(edit_text(&s->aside.line));
	char *kept = vy_memdup0(words.p ? words.p : "", words.n);

	if (words.n) {
		edit_clear(&s->aside.line);
		ask(s, vy_str_n(kept, words.n), fx);
	}
	free(kept);
}

static void copy(struct app_state *s, struct app_effects *fx)
{
	const char *answer = aside_panel_answer(&s->aside);

	if (answer) {
		app_effect(fx, APP_COPY)->text = vy_strdup(answer);
	} else {
		app_flash(s, _("nothing to copy here"));
	}
}

/* The agent need not think about them any more. */
static void give_up(struct app_state *s, struct app_effects *fx)
{
	struct app_tag tag = { APP_FOR_NOBODY, 0 };
	struct vy_json *p = app_query(fx, "threads.aside", tag);

	vy_json_set_c(p, "session", s->session);
	vy_json_set_bool(p, "cancel", true);
}

bool aside_key(struct app_state *s, enum keymap_action a, struct app_effects *fx)
{
	switch ((int)a) {
	case ACTION_ASIDE_ASK: ask_line(s, fx); return true;
	case ACTION_ASIDE_COPY: copy(s, fx); return true;
	case ACTION_ASIDE_CLOSE:
		if (aside_panel_give_up(&s->aside)) {
			give_up(s, fx);
		} else {
			close(s);
		}
		return true;
	case ACTION_ASIDE: close(s); return true;
	default: return aside_panel_key(&s->aside, a);
	}
}

void aside_reply(
	struct app_state *s, uint32_t serial, const struct vy_json *result, const struct vy_err *e)
{
	char key[KEY_NAME_MAX], line[200];

	if (!aside_panel_told(
		    &s->aside, serial, vy_json_str(result, "answer"), result ? NULL : e->text)) {
		return; /* given up, or of another session */
	}
	if (s->focus != APP_ASIDE) {
		snprintf(line, sizeof(line), _("your side question is answered; %s shows it"),
			keymap_hint(&s->keymap, ACTION_ASIDE, key));
		app_flash(s, line);
	}
}

void aside_hint(const struct app_state *s, struct vy_buf *out)
{
	const struct keymap *m = &s->keymap;

	hint_add(m, out, ACTION_ASIDE_CLOSE,
		aside_panel_waits(&s->aside) ? _("cancel") : _("close"));
	hint_add(m, out, ACTION_ASIDE_ASK, _("ask"));
	if (s->aside.n) {
		hint_two(m, out, ACTION_ASIDE_UP, ACTION_ASIDE_DOWN, _("scroll"));
	}
	if (aside_panel_answer(&s->aside)) {
		hint_add(m, out, ACTION_ASIDE_COPY, _("copy"));
	}
}

/* answer.c -- see answer.h. */
#include "tui/app/answer.h"

#include "tui/app/help.h"
#include "tui/app/say.h"
#include "shared/base/ban.h"

void answer_begin(struct app_state *s)
{
	s->panel.is_folded = false;
	s->panel.is_focused = true;
	s->focus = APP_ASK;
	s->is_saying = false; /* what was typed stays, and goes to nobody */
}

/* A frame holds the beginning of what is asked; nobody should have to approve an end they did not
 * see, so the rest is fetched. */
void answer_ask_whole(struct app_state *s, struct app_effects *fx)
{
	if (!ask_panel_is_cut(&s->panel) || s->panel.is_fetched) {
		return;
	}
	struct vy_json *p =
		app_query(fx, "threads.asks", (struct app_tag){ APP_FOR_ASK, s->n_opened });

	vy_json_set_c(p, "session", s->session);
	s->panel.is_fetched = true;
}

void answer_told(struct app_state *s, const struct vy_json *result)
{
	const struct vy_json *asks = vy_json_get(result, "asks");

	for (size_t i = 0; s->panel.ask && i < vy_json_len(asks); i++) {
		const struct vy_json *a = vy_json_at(asks, i);

		if (vy_str_is(vy_json_str(a, "ask"), s->panel.ask)) {
			ask_panel_whole(&s->panel, vy_json_str(a, "detail"));
		}
	}
}

static void next_ask(struct app_state *s, int by, struct app_effects *fx)
{
	size_t n = vy_fold_state(s->fold)->asks;

	s->ask_at = n ? (s->ask_at + n + (size_t)(by + (int)n)) % n : 0;
	ask_panel_sync(&s->panel, vy_fold_ask(s->fold, s->ask_at), s->ask_at, n, s->now_ms);
	answer_ask_whole(s, fx);
	s->panel.is_focused = true;
}

bool answer_key(struct app_state *s, enum keymap_action a, struct key k, struct app_effects *fx)
{
	struct ask_answer answer;

	if (a == ACTION_HELP_ASK) {
		help_open(s);
		return true;
	}
	switch (ask_panel_action(&s->panel, a, k, &answer)) {
	case ASK_PANEL_NOTHING: return false;
	case ASK_PANEL_DONE: return true;
	case ASK_PANEL_ANSWER: app_answer(s, &answer, vy_str_n(NULL, 0), fx); return true;
	case ASK_PANEL_SAY:
		s->is_saying = true;
		s->focus = APP_COMPOSER;
		s->panel.is_focused = false;
		if (!edit_is_empty(&s->composer.edit)) {
			app_say_to_ask(s, fx); /* what stands there is the answer */
		}
		return true;
	case ASK_PANEL_LEAVE: s->focus = APP_COMPOSER; return true;
	case ASK_PANEL_NEXT: next_ask(s, 1, fx); return true;
	case ASK_PANEL_PREV: next_ask(s, -1, fx); return true;
	}
	return false;
}

/* A digit that answers the ask in sight without the focus (tui.md 4). */
bool answer_quick(
	struct app_state *s, const struct key_event *ev, bool was_safe, struct app_effects *fx)
{
	if (s->focus != APP_COMPOSER || !was_safe || ev->key.mods || s->is_saying ||
		ev->key.code < '1' || ev->key.code > '9' ||
		(int)ev->key.code - '0' > s->panel.n_choices) {
		return false;
	}
	return answer_key(s, ACTION_ASK_NUMBER, ev->key, fx);
}

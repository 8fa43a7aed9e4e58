/* escape.c -- see escape.h. */
#include "tui/app/escape.h"

#include "tui/app/back.h"
#include "tui/app/browse.h"
#include "tui/app/queue.h"
#include "tui/app/say.h"
#include "tui/app/vi.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define TWICE_MS 1500

static bool is_working(const struct app_state *s)
{
	enum vy_state st = vy_fold_state(s->fold)->state;

	return st == VY_STATE_WORKING || st == VY_STATE_ASKING || st == VY_STATE_STARTING;
}

enum escape escape_now(const struct app_state *s)
{
	if (menu_is_open(s) || s->focus == APP_SEEK || s->focus == APP_ASIDE) {
		return ESCAPE_MENU;
	}
	if (s->focus == APP_TERM) {
		return ESCAPE_NOTHING; /* it is the program's */
	}
	if (s->focus == APP_HELP || s->focus == APP_PAGER) {
		return ESCAPE_HELP;
	}
	if (s->focus == APP_BROWSE) {
		return ESCAPE_BROWSE;
	}
	if (vi_is_busy(s)) {
		return ESCAPE_PART;
	}
	if (vi_inserts(s)) {
		return ESCAPE_INSERT;
	}
	if (s->is_saying) {
		return ESCAPE_SAYING;
	}
	if (s->editing) {
		return ESCAPE_EDITING;
	}
	if (s->back.again) {
		return ESCAPE_AGAIN;
	}
	if (ask_panel_is_open(&s->panel)) {
		return ESCAPE_ASK;
	}
	if (is_working(s)) {
		return ESCAPE_TURN;
	}
	return edit_is_empty(&s->composer.edit) && back_is_there(s) ? ESCAPE_BACK : ESCAPE_NOTHING;
}

int64_t escape_again_ms(const struct app_state *s)
{
	int64_t left = s->esc_ms ? TWICE_MS - (s->now_ms - s->esc_ms) : 0;

	return left > 0 ? left : -1;
}

/* It was pressed a moment ago: this is the second time. */
static bool is_second(const struct app_state *s)
{
	return escape_again_ms(s) >= 0;
}

bool escape_is_offer(const struct app_state *s)
{
	return escape_now(s) == ESCAPE_BACK && !is_second(s);
}

static void press_back(struct app_state *s, struct app_effects *fx)
{
	if (is_second(s)) {
		s->esc_ms = 0;
		back_open(s, fx);
	} else {
		s->esc_ms = s->now_ms;
	}
}

void escape_words(const struct app_state *s, struct vy_buf *out)
{
	static const struct {
		const char *does;
		enum keymap_action action; /* whose key it is in that place */
	} words[] = {
		[ESCAPE_NOTHING] = { NULL, ACTION_NONE },
		[ESCAPE_MENU] = { N_("close"), ACTION_MENU_CLOSE },
		[ESCAPE_HELP] = { N_("close"), ACTION_VIEW_CLOSE },
		[ESCAPE_BROWSE] = { NULL, ACTION_BROWSE_LEAVE },
		[ESCAPE_PART] = { N_("drop"), ACTION_NONE },
		[ESCAPE_INSERT] = { N_("normal mode"), ACTION_NONE },
		[ESCAPE_SAYING] = { N_("give up"), ACTION_CANCEL },
		[ESCAPE_EDITING] = { N_("give up"), ACTION_CANCEL },
		[ESCAPE_AGAIN] = { N_("give up"), ACTION_CANCEL },
		[ESCAPE_ASK] = { N_("fold"), ACTION_CANCEL },
		[ESCAPE_TURN] = { N_("interrupt"), ACTION_CANCEL },
		[ESCAPE_BACK] = { N_("go back"), ACTION_CANCEL },
	};
	enum escape now = escape_now(s);
	char key[KEY_NAME_MAX];

	const char *does = now == ESCAPE_BROWSE ? browse_esc_does(s)
			   : words[now].does    ? _(words[now].does)
						: NULL;

	if (does) {
		if (words[now].action != ACTION_NONE) {
			keymap_hint(&s->keymap, words[now].action, key);
		} else {
			key_format((struct key){ KEY_ESC, 0 }, true, key);
		}
		if (escape_is_offer(s)) {
			vy_buf_addf(out, "%s ", key);
		}
		vy_buf_addf(out, "%s %s", key, does);
	}
}

void escape_do(struct app_state *s, struct app_effects *fx)
{
	switch (escape_now(s)) {
	case ESCAPE_PART:
	case ESCAPE_INSERT: vi_escape(s); break; /* by another key than Esc */
	case ESCAPE_SAYING: s->is_saying = false; break;
	case ESCAPE_EDITING: queue_give_up(s); break;
	case ESCAPE_AGAIN: back_give_up(s); break;
	case ESCAPE_ASK:
		s->panel.is_folded = true;
		s->panel.is_focused = false;
		break;
	case ESCAPE_TURN:
		app_call(s, fx, "threads.interrupt");
		s->has_interrupted = true;
		break;
	case ESCAPE_BACK: press_back(s, fx); break;
	case ESCAPE_NOTHING:
	case ESCAPE_MENU: /* these places have the key themselves */
	case ESCAPE_HELP:
	case ESCAPE_BROWSE: break;
	}
}

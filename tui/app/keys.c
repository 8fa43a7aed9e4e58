/* keys.c -- which place a key falls in; what each does with it is the place's own file. */
#include "tui/app/state.h"

#include "tui/app/answer.h"
#include "tui/app/aside.h"
#include "tui/app/back.h"
#include "tui/app/browse.h"
#include "tui/app/compact.h"
#include "tui/app/effort.h"
#include "tui/app/help.h"
#include "tui/app/menu.h"
#include "tui/app/probe.h"
#include "tui/app/say.h"
#include "tui/app/sessions.h"
#include "tui/app/suggest.h"
#include "tui/app/vi.h"
#include "tui/app/whole.h"
#include "tui/app/write.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

/* ---- anywhere ---- */

/* In the keymap already, in this client later. */
static const enum keymap_action not_yet[] = { ACTION_EXPORT };

bool app_does(enum keymap_action a)
{
	for (size_t i = 0; i < VY_COUNT(not_yet); i++) {
		if (not_yet[i] == a) {
			return false;
		}
	}
	return true;
}

static bool on_global(
	struct app_state *s, enum keymap_action a, struct key k, struct app_effects *fx)
{
	switch ((int)a) {
	case ACTION_HELP: help_open(s); return true;
	case ACTION_MODE: app_next_mode(s, fx); return true;
	case ACTION_DETAILS: s->with_details = !s->with_details; return true;
	case ACTION_SEARCH:
		browse_begin(s);
		seek_begin(s);
		return true;
	case ACTION_ASIDE: aside_open(s, vy_str_n(NULL, 0), fx); return true;
	case ACTION_EFFORT: effort_open(s, fx); return true;
	case ACTION_COMPACT: compact_open(s, fx); return true;
	case ACTION_REWIND_REDO: back_redo(s, fx); return true;
	case ACTION_TERMINAL: term_toggle(s); return true;
	case ACTION_LAYOUT: term_next_layout(s); return true;
	case ACTION_FOCUS_NEXT: term_next_focus(s); return true;
	case ACTION_REDRAW: app_effect(fx, APP_REDRAW); return true;
	case ACTION_SUSPEND: app_effect(fx, APP_SUSPEND); return true;
	case ACTION_MOUSE:
		s->is_mouse_ours = !s->is_mouse_ours;
		app_effect(fx, APP_MOUSE);
		app_flash(s, s->is_mouse_ours ? _("the mouse scrolls and selects here")
					      : _("the mouse is the terminal's"));
		return true;
	case ACTION_SESSION_LIST: column_toggle(s); return true;
	case ACTION_SESSION_NEW: sessions_new(s, fx); return true;
	case ACTION_SESSION_NUMBER: sessions_number(s, k.code - '0', fx); return true;
	default: return menu_opener(s, a, fx);
	}
}

/* ---- the places ---- */

static enum keymap_mode mode_of(const struct app_state *s)
{
	static const enum keymap_mode modes[] = { [APP_COMPOSER] = KEYMAP_COMPOSER,
		[APP_ASK] = KEYMAP_ASK,
		[APP_BROWSE] = KEYMAP_BROWSE,
		[APP_HELP] = KEYMAP_VIEW,
		[APP_MENU] = KEYMAP_MENU,
		[APP_PAGER] = KEYMAP_VIEW,
		[APP_SEEK] = KEYMAP_MENU,
		[APP_ASIDE] = KEYMAP_ASIDE,
		[APP_TERM] = KEYMAP_PANE };

	return modes[s->focus];
}

/* An inline menu takes what moves in it; the rest writes in the composer, which it follows. */
static bool in_menu(struct app_state *s, enum keymap_action a, struct app_effects *fx)
{
	if (menu_key(s, a, fx)) {
		return true;
	}
	if (!s->menu.kind->is_inline || !write_key(s, a, fx)) {
		return false;
	}
	menu_follow(s, fx);
	return true;
}

static bool act(struct app_state *s, enum keymap_action a, struct key k, struct app_effects *fx)
{
	bool done;

	switch (s->focus) {
	case APP_ASK: done = answer_key(s, a, k, fx); break;
	case APP_BROWSE: done = browse_key(s, a, k, fx); break;
	case APP_PAGER: done = page_key(s, a, fx); break;
	case APP_SEEK: done = seek_key(s, a); break;
	case APP_ASIDE: done = aside_key(s, a, fx); break;
	case APP_HELP: done = help_key(s, a); break;
	case APP_MENU: done = in_menu(s, a, fx); break;
	case APP_COMPOSER:
	default:
		done = write_key(s, a, fx);
		a == ACTION_DELETE_BACK ? suggest(s, fx) : suggest_forget(s);
		break;
	}
	if (!done && !on_global(s, a, k, fx)) {
		if (!app_does(a)) {
			app_flash(s, _("this key has nothing to do yet"));
			return true;
		}
		return false;
	}
	return true;
}

/* ---- events ---- */

static enum keymap_action action_of(const struct app_state *s, struct key k)
{
	enum keymap_action a = keymap_find(&s->keymap, mode_of(s), k);

	if (a == ACTION_NONE && menu_is_open(s) && s->menu.kind->is_inline) {
		a = keymap_find(&s->keymap, KEYMAP_COMPOSER, k);
	}
	return a;
}

static void type(struct app_state *s, struct vy_str text, bool is_paste, struct app_effects *fx)
{
	if (s->focus == APP_SEEK) {
		seek_type(s, text);
		return;
	}
	if (s->focus == APP_ASIDE) {
		aside_panel_type(&s->aside, text);
		return;
	}
	if (s->focus == APP_BROWSE || s->focus == APP_HELP || s->focus == APP_PAGER) {
		browse_leave(s);
	}
	if (s->focus == APP_ASK) {
		return; /* letters there are answers, or nothing */
	}
	if (menu_is_open(s) && menu_type(s, text)) {
		return;
	}
	(is_paste ? app_paste : app_type)(s, text, fx);
	if (menu_is_open(s)) {
		menu_follow(s, fx);
	} else if (!is_paste) {
		suggest(s, fx);
	}
	if (edit_is_full(&s->composer.edit)) {
		app_flash(s, _("too long for one message (8 MiB): nothing was added"));
	}
}

static void on_key(
	struct app_state *s, const struct key_event *ev, bool safe, struct app_effects *fx)
{
	enum keymap_action a;

	if (answer_quick(s, ev, safe, fx) || vi_key(s, ev, fx)) {
		return;
	}
	a = action_of(s, ev->key);
	if (a == ACTION_NONE && vi_hasty_key(s, ev->key, fx)) {
		return;
	}
	if ((a == ACTION_NONE || !act(s, a, ev->key, fx)) && ev->text.n) {
		type(s, ev->text, false, fx);
	}
	vi_after(s);
}

void app_key(struct app_state *s, const struct key_event *ev, struct app_effects *fx)
{
	bool safe = ask_panel_takes_digit(&s->panel, edit_is_empty(&s->composer.edit), s->now_ms);

	if (ev->kind == KEY_EV_KEY || ev->kind == KEY_EV_TEXT || ev->kind == KEY_EV_PASTE) {
		app_flash_seen(s);
		whole_stop(s);
	}
	if (s->focus == APP_TERM &&
		(ev->kind == KEY_EV_KEY || ev->kind == KEY_EV_TEXT || ev->kind == KEY_EV_PASTE)) {
		term_event(s, ev, fx);
		return;
	}
	switch (ev->kind) {
	case KEY_EV_KEY:
		if (ev->key.code != KEY_ESC) {
			s->esc_ms = 0;
		}
		ask_panel_touched(&s->panel, s->now_ms);
		if (probe_key(s, ev)) {
			return;
		}
		on_key(s, ev, safe, fx);
		break;
	case KEY_EV_TEXT:
		ask_panel_touched(&s->panel, s->now_ms);
		if (!vi_key(s, ev, fx)) {
			type(s, ev->text, false, fx);
			vi_after(s);
		}
		break;
	case KEY_EV_PASTE:
		ask_panel_touched(&s->panel, s->now_ms);
		if (s->focus == APP_ASK) {
			s->focus = APP_COMPOSER;
			s->panel.is_focused = false;
		}
		type(s, ev->text, true, fx);
		vi_after(s);
		break;
	case KEY_EV_FOCUS:
		s->is_away = ev->value == 0;
		term_focus(s, ev->value != 0);
		column_stale(s);
		break;
	case KEY_EV_COLOR: term_color(s, ev->value, ev->text); break;
	case KEY_EV_MOUSE:
		if (!term_mouse(s, &ev->mouse, fx)) {
			point_mouse(s, &ev->mouse, fx);
		}
		break;
	default: break;
	}
}

/* keys.c -- what a key does where (tui.md 3, 4, 6). Esc has one order, written in on_cancel(). */
#include "tui/app/state.h"

#include <stdio.h>
#include <stdlib.h>

#include "shared/base/mem.h"
#include "tui/app/say.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define CTRL_C_MS 1500
#define ESC_MS    600
#define WHEEL     3

/* ---- the queue ---- */

static const struct vy_row *newest_queued(struct app_state *s)
{
	size_t n = vy_fold_state(s->fold)->queued;

	return n ? vy_fold_queued(s->fold, n - 1) : NULL;
}

static void edit_queued(struct app_state *s)
{
	const struct vy_row *r = newest_queued(s);

	composer_put(&s->composer, r->message.text);
	free(s->editing);
	s->editing = vy_memdup0(r->message.message.p, r->message.message.n);
}

static void drop_queued(struct app_state *s, struct app_effects *fx)
{
	const struct vy_row *r = newest_queued(s);

	if (!r) {
		return;
	}
	vy_json_set_str(app_call(s, fx, "threads.unqueue"), "queued", r->message.message);
	if (edit_is_empty(&s->composer.edit)) { /* the words are not thrown away */
		composer_put(&s->composer, r->message.text);
	}
}

static void queue_now(struct app_state *s, struct app_effects *fx)
{
	const struct vy_row *r = newest_queued(s);

	if (r) {
		vy_json_set_str(app_call(s, fx, "threads.send_now"), "queued", r->message.message);
	}
}

static void move_queued(struct app_state *s, bool up, struct app_effects *fx)
{
	size_t n = vy_fold_state(s->fold)->queued;
	const struct vy_row *last = n > 1 ? vy_fold_queued(s->fold, n - 1) : NULL;

	if (!last) {
		return;
	}
	/* Up: the newest goes before the one above it. Down: the first goes to the end. */
	const struct vy_row *first = vy_fold_queued(s->fold, 0);
	const struct vy_row *above = vy_fold_queued(s->fold, n - 2);
	struct vy_json *p = app_call(s, fx, "threads.move");

	vy_json_set_str(p, "queued", up ? last->message.message : first->message.message);
	if (up) {
		vy_json_set_str(p, "before", above->message.message);
	}
}

/* ---- Esc, ctrl-c, modes ---- */

static bool is_working(const struct app_state *s)
{
	enum vy_state st = vy_fold_state(s->fold)->state;

	return st == VY_STATE_WORKING || st == VY_STATE_ASKING || st == VY_STATE_STARTING;
}

static void on_cancel(struct app_state *s, struct app_effects *fx)
{
	if (s->is_saying) {
		s->is_saying = false;
	} else if (s->editing) {
		free(s->editing);
		s->editing = NULL;
		edit_undo(&s->composer.edit);
	} else if (ask_panel_is_open(&s->panel)) {
		s->panel.is_folded = true;
		s->panel.is_focused = false;
	} else if (is_working(s)) {
		app_call(s, fx, "threads.interrupt");
	}
}

static void on_ctrl_c(struct app_state *s, struct app_effects *fx)
{
	if (!edit_is_empty(&s->composer.edit)) {
		composer_drop(&s->composer);
		app_flash(s, _("cleared; ctrl-_ brings it back"));
		s->ctrl_c_ms = 0;
	} else if (s->ctrl_c_ms && s->now_ms - s->ctrl_c_ms < CTRL_C_MS) {
		app_effect(fx, APP_QUIT);
	} else {
		s->ctrl_c_ms = s->now_ms;
		app_flash(s, _("ctrl-c again to leave; the session goes on"));
	}
}

static void next_mode(struct app_state *s, struct app_effects *fx)
{
	static const char *const modes[] = { "default", "acceptEdits", "plan" };
	size_t i = 0;

	while (i < VY_COUNT(modes) && (!s->mode || strcmp(s->mode, modes[i]) != 0)) {
		i++;
	}
	vy_json_set_c(app_call(s, fx, "threads.mode"), "mode", modes[(i + 1) % VY_COUNT(modes)]);
}

/* ---- moving the focus ---- */

static void browse(struct app_state *s)
{
	s->focus = APP_BROWSE;
}

static void to_composer(struct app_state *s)
{
	transcript_unselect(s->transcript);
	s->focus = APP_COMPOSER;
}

static void to_ask(struct app_state *s)
{
	s->panel.is_folded = false;
	s->panel.is_focused = true;
	s->focus = APP_ASK;
}

static void on_complete(struct app_state *s)
{
	if (edit_open_chip(&s->composer.edit)) {
		return;
	}
	if (s->panel.ask) {
		to_ask(s);
	} else if (edit_is_empty(&s->composer.edit)) {
		browse(s);
		transcript_select(s->transcript, s->fold, TRANSCRIPT_ROW, -1);
	}
}

/* ---- actions ---- */

/* In the keymap already, in this client later. */
static const enum keymap_action not_yet[] = { ACTION_TERMINAL, ACTION_LAYOUT, ACTION_FOCUS_NEXT,
	ACTION_SWITCHER, ACTION_SESSION_LIST, ACTION_SESSION_NUMBER, ACTION_SESSION_NEW,
	ACTION_SEARCH, ACTION_MODEL, ACTION_TODOS, ACTION_TASKS, ACTION_EXPORT, ACTION_HISTORY,
	ACTION_PASTE_IMAGE, ACTION_SELECT, ACTION_COPY_SOURCE, ACTION_COPY_CODE, ACTION_OPEN_PATH,
	ACTION_LINK, ACTION_REVEAL, ACTION_FIND, ACTION_FIND_NEXT, ACTION_FIND_PREV, ACTION_PRINT,
	ACTION_VIEW_LEFT, ACTION_VIEW_RIGHT, ACTION_VIEW_FIND, ACTION_VIEW_FIND_NEXT,
	ACTION_VIEW_FIND_PREV, ACTION_VIEW_COPY, ACTION_VIEW_BOTTOM };

bool app_does(enum keymap_action a)
{
	for (size_t i = 0; i < VY_COUNT(not_yet); i++) {
		if (not_yet[i] == a) {
			return false;
		}
	}
	return true;
}

static void open_help(struct app_state *s)
{
	s->help_mode = s->focus == APP_BROWSE ? KEYMAP_BROWSE
		       : s->focus == APP_ASK  ? KEYMAP_ASK
					      : KEYMAP_COMPOSER;
	s->focus = APP_HELP;
	s->help_top = 0;
}

static bool on_edit(struct app_state *s, enum keymap_action a)
{
	static void (*const verbs[ACTION_COUNT])(struct edit *) = {
		[ACTION_LEFT] = edit_left,
		[ACTION_RIGHT] = edit_right,
		[ACTION_WORD_LEFT] = edit_word_left,
		[ACTION_WORD_RIGHT] = edit_word_right,
		[ACTION_LINE_START] = edit_line_start,
		[ACTION_LINE_END] = edit_line_end,
		[ACTION_TEXT_START] = edit_text_start,
		[ACTION_TEXT_END] = edit_text_end,
		[ACTION_DELETE_BACK] = edit_delete_back,
		[ACTION_DELETE] = edit_delete,
		[ACTION_KILL_WORD_BACK] = edit_kill_word_back,
		[ACTION_KILL_WORD] = edit_kill_word,
		[ACTION_KILL_LINE] = edit_kill_line,
		[ACTION_KILL_START] = edit_kill_start,
		[ACTION_YANK] = edit_yank,
		[ACTION_YANK_POP] = edit_yank_pop,
	};

	if (a == ACTION_UNDO || a == ACTION_REDO) {
		(a == ACTION_UNDO ? edit_undo : edit_redo)(&s->composer.edit);
		return true;
	}
	if (!verbs[a]) {
		return false;
	}
	verbs[a](&s->composer.edit);
	return true;
}

static bool on_global(struct app_state *s, enum keymap_action a, struct app_effects *fx)
{
	switch ((int)a) {
	case ACTION_HELP: open_help(s); return true;
	case ACTION_MODE: next_mode(s, fx); return true;
	case ACTION_DETAILS: s->with_details = !s->with_details; return true;
	case ACTION_REDRAW: app_effect(fx, APP_REDRAW); return true;
	case ACTION_SUSPEND: app_effect(fx, APP_SUSPEND); return true;
	case ACTION_MOUSE:
		s->is_mouse_ours = !s->is_mouse_ours;
		app_effect(fx, APP_MOUSE);
		return true;
	default: return false;
	}
}

static bool on_composer(struct app_state *s, enum keymap_action a, struct app_effects *fx)
{
	struct vy_width width = cell_pool_width(s->pool);

	switch ((int)a) {
	case ACTION_SEND: app_say(s, fx); return true;
	case ACTION_QUEUE: app_say_as(s, "queue", fx); return true;
	case ACTION_NEWLINE: edit_insert(&s->composer.edit, VY_STR_LIT("\n")); return true;
	case ACTION_CANCEL: on_cancel(s, fx); return true;
	case ACTION_CLEAR: on_ctrl_c(s, fx); return true;
	case ACTION_UP:
		if (edit_is_empty(&s->composer.edit) && newest_queued(s)) {
			edit_queued(s);
		} else {
			composer_up(&s->composer, s->cols, width);
		}
		return true;
	case ACTION_DOWN: composer_down(&s->composer, s->cols, width); return true;
	case ACTION_COMPLETE: on_complete(s); return true;
	case ACTION_EDITOR: app_effect(fx, APP_EDITOR); return true;
	case ACTION_QUEUE_DROP: drop_queued(s, fx); return true;
	case ACTION_QUEUE_UP: move_queued(s, true, fx); return true;
	case ACTION_QUEUE_DOWN: move_queued(s, false, fx); return true;
	case ACTION_QUEUE_NOW: queue_now(s, fx); return true;
	case ACTION_BROWSE:
		browse(s);
		transcript_page(s->transcript, s->fold, -1);
		return true;
	case ACTION_BROWSE_MESSAGE:
		browse(s);
		transcript_select(s->transcript, s->fold, TRANSCRIPT_MESSAGE, -1);
		return true;
	case ACTION_HELP_EMPTY:
		if (!edit_is_empty(&s->composer.edit)) {
			return false;
		}
		open_help(s);
		return true;
	default: return on_edit(s, a);
	}
}

static bool on_browse(struct app_state *s, enum keymap_action a)
{
	struct transcript *t = s->transcript;

	switch ((int)a) {
	case ACTION_ROW_UP: transcript_select(t, s->fold, TRANSCRIPT_ROW, -1); return true;
	case ACTION_ROW_DOWN: transcript_select(t, s->fold, TRANSCRIPT_ROW, 1); return true;
	case ACTION_MESSAGE_UP: transcript_select(t, s->fold, TRANSCRIPT_MESSAGE, -1); return true;
	case ACTION_MESSAGE_DOWN: transcript_select(t, s->fold, TRANSCRIPT_MESSAGE, 1); return true;
	case ACTION_MINE_UP: transcript_select(t, s->fold, TRANSCRIPT_MINE, -1); return true;
	case ACTION_MINE_DOWN: transcript_select(t, s->fold, TRANSCRIPT_MINE, 1); return true;
	case ACTION_PAGE_UP: transcript_page(t, s->fold, -1); return true;
	case ACTION_PAGE_DOWN: transcript_page(t, s->fold, 1); return true;
	case ACTION_TOP: transcript_top(t, s->fold); return true;
	case ACTION_BOTTOM: transcript_follow(t); return true;
	case ACTION_ROW_OPEN: transcript_toggle(t, s->fold); return true;
	case ACTION_HELP_BROWSE: open_help(s); return true;
	case ACTION_BROWSE_LEAVE: to_composer(s); return true;
	default: return false;
	}
}

static bool on_help(struct app_state *s, enum keymap_action a)
{
	int page = s->rows > 4 ? s->rows - 4 : 1;

	switch ((int)a) {
	case ACTION_VIEW_UP: s->help_top--; break;
	case ACTION_VIEW_DOWN: s->help_top++; break;
	case ACTION_VIEW_PAGE_UP: s->help_top -= page; break;
	case ACTION_VIEW_PAGE_DOWN: s->help_top += page; break;
	case ACTION_VIEW_TOP: s->help_top = 0; break;
	case ACTION_VIEW_CLOSE:
	case ACTION_HELP: s->focus = APP_COMPOSER; break;
	default: return false;
	}
	s->help_top = s->help_top < 0 ? 0 : s->help_top;
	return true;
}

static void next_ask(struct app_state *s, int by)
{
	size_t n = vy_fold_state(s->fold)->asks;

	s->ask_at = n ? (s->ask_at + n + (size_t)(by + (int)n)) % n : 0;
	ask_panel_sync(&s->panel, vy_fold_ask(s->fold, s->ask_at), s->ask_at, n, s->now_ms);
	s->panel.is_focused = true;
}

static bool on_ask(struct app_state *s, enum keymap_action a, struct key k, struct app_effects *fx)
{
	struct ask_answer answer;

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
	case ASK_PANEL_NEXT: next_ask(s, 1); return true;
	case ASK_PANEL_PREV: next_ask(s, -1); return true;
	}
	return false;
}

/* ---- keys ---- */

static enum keymap_mode mode_of(const struct app_state *s)
{
	static const enum keymap_mode modes[] = { [APP_COMPOSER] = KEYMAP_COMPOSER,
		[APP_ASK] = KEYMAP_ASK,
		[APP_BROWSE] = KEYMAP_BROWSE,
		[APP_HELP] = KEYMAP_VIEW };

	return modes[s->focus];
}

static bool act(struct app_state *s, enum keymap_action a, struct key k, struct app_effects *fx)
{
	bool done;

	switch (s->focus) {
	case APP_ASK: done = on_ask(s, a, k, fx); break;
	case APP_BROWSE: done = on_browse(s, a); break;
	case APP_HELP: done = on_help(s, a); break;
	case APP_COMPOSER:
	default: done = on_composer(s, a, fx); break;
	}
	if (!done && !on_global(s, a, fx)) {
		if (!app_does(a)) {
			app_flash(s, _("this key has nothing to do yet"));
			return true;
		}
		return false;
	}
	return true;
}

/* A digit that answers the ask in sight without the focus (tui.md 4). */
static bool quick_answer(
	struct app_state *s, const struct key_event *ev, bool was_safe, struct app_effects *fx)
{
	if (s->focus != APP_COMPOSER || !was_safe || ev->key.mods || s->is_saying ||
		ev->key.code < '1' || ev->key.code > '9' ||
		(int)ev->key.code - '0' > s->panel.n_choices) {
		return false;
	}
	return on_ask(s, ACTION_ASK_NUMBER, ev->key, fx);
}

static void type(struct app_state *s, struct vy_str text, bool is_paste)
{
	if (s->focus == APP_BROWSE || s->focus == APP_HELP) {
		to_composer(s);
	}
	if (s->focus == APP_ASK) {
		return; /* letters there are answers, or nothing */
	}
	(is_paste ? edit_paste : edit_insert)(&s->composer.edit, text);
	if (edit_is_full(&s->composer.edit)) {
		app_flash(s, _("too long for one message (8 MiB): nothing was added"));
	}
}

static void on_mouse(struct app_state *s, const struct key_mouse *m)
{
	if (m->kind == KEY_MOUSE_WHEEL_UP) {
		transcript_scroll(s->transcript, s->fold, -WHEEL);
	} else if (m->kind == KEY_MOUSE_WHEEL_DOWN) {
		transcript_scroll(s->transcript, s->fold, WHEEL);
	}
}

void app_key(struct app_state *s, const struct key_event *ev, struct app_effects *fx)
{
	bool safe = ask_panel_takes_digit(&s->panel, edit_is_empty(&s->composer.edit), s->now_ms);
	enum keymap_action a;

	switch (ev->kind) {
	case KEY_EV_KEY:
		ask_panel_touched(&s->panel, s->now_ms);
		if (quick_answer(s, ev, safe, fx)) {
			return;
		}
		a = keymap_find(&s->keymap, mode_of(s), ev->key);
		if ((a == ACTION_NONE || !act(s, a, ev->key, fx)) && ev->text.n) {
			type(s, ev->text, false);
		}
		break;
	case KEY_EV_TEXT:
		ask_panel_touched(&s->panel, s->now_ms);
		type(s, ev->text, false);
		break;
	case KEY_EV_PASTE:
		ask_panel_touched(&s->panel, s->now_ms);
		if (s->focus == APP_ASK) {
			s->focus = APP_COMPOSER;
			s->panel.is_focused = false;
		}
		type(s, ev->text, true);
		break;
	case KEY_EV_MOUSE: on_mouse(s, &ev->mouse); break;
	default: break;
	}
}

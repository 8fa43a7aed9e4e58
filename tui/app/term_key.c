/* term_key.c -- keys and mouse while the pane has them (term.h). */
#include <stdio.h>
#include <string.h>

#include "shared/base/mem.h"
#include "tui/app/browse.h"
#include "tui/app/help.h"
#include "tui/app/say.h"
#include "tui/app/state.h"
#include "tui/app/term.h"
#include "tui/view/edit_key.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define CLOSE_MS   3000
#define WHEEL      3
#define SIZE_STEP  5 /* hundredths */
#define SIZE_LEAST 10
#define SIZE_MOST  90
#define LEFT       1

/* ---- the prefix ---- */

static void next_tab(struct terms *t, int by)
{
	if (t->n) {
		t->at = (t->at + t->n + (size_t)(by < 0 ? (int)t->n - 1 : 1)) % t->n;
		t->tabs[t->at]->has_news = false;
	}
}

static void go_to_tab(struct terms *t, size_t i)
{
	if (i < t->n) {
		t->at = i;
		t->tabs[i]->has_news = false;
	}
}

static int hundredths(int n)
{
	return n < SIZE_LEAST ? SIZE_LEAST : n > SIZE_MOST ? SIZE_MOST : n;
}

static void grow(struct terms *t, int by)
{
	int *size = t->layout == TERM_BESIDE ? &t->beside : &t->below;

	*size = hundredths(*size + by);
	t->rev++;
}

/* Whatever runs there ends with it: only the second time. */
static void press_close(struct app_state *s)
{
	struct terms *t = &s->terms;
	struct term_tab *tab = terms_now(t);
	char key[KEY_NAME_MAX], prefix[KEY_NAME_MAX], line[200];

	if (!tab) {
		return;
	}
	bool runs = tab->line != TERM_LINK_OVER && tab->line != TERM_LINK_GONE;

	if (runs && (!t->close_ms || s->now_ms - t->close_ms > CLOSE_MS)) {
		t->close_ms = s->now_ms;
		snprintf(line, sizeof(line),
			_("%s %s once more ends the shell and what runs in it"),
			keymap_hint(&s->keymap, ACTION_PANE_LITERAL, prefix),
			keymap_hint(&s->keymap, ACTION_PREFIX_CLOSE, key));
		app_flash(s, line);
		return;
	}
	t->close_ms = 0;
	term_close(s, tab);
}

static void begin_search(struct app_state *s)
{
	edit_clear(&s->terms.query);
	s->terms.is_seeking = true;
}

static bool prefixed(struct app_state *s, enum keymap_action a, struct key k)
{
	struct terms *t = &s->terms;
	struct term_tab *tab = terms_now(t);

	switch ((int)a) {
	case ACTION_PREFIX_NEW: term_new(s); return true;
	case ACTION_PREFIX_NEXT: next_tab(t, 1); return true;
	case ACTION_PREFIX_PREV: next_tab(t, -1); return true;
	case ACTION_PREFIX_NUMBER: go_to_tab(t, (size_t)(k.code - '1')); return true;
	case ACTION_PREFIX_CLOSE: press_close(s); return true;
	case ACTION_PREFIX_LARGER: grow(t, SIZE_STEP); return true;
	case ACTION_PREFIX_SMALLER: grow(t, -SIZE_STEP); return true;
	case ACTION_PREFIX_LEAVE: term_toggle(s); return true;
	case ACTION_PREFIX_HELP: help_open(s); return true;
	case ACTION_PREFIX_LOOK:
	case ACTION_PREFIX_FIND:
		if (tab) {
			pane_look(tab->pane);
			if (a == ACTION_PREFIX_FIND) {
				begin_search(s);
			}
		}
		return true;
	case ACTION_PREFIX_TAKE:
		if (tab) {
			tab->wants_take = true;
		}
		return true;
	default: return false;
	}
}

/* ---- looking back ---- */

static void copy(struct app_state *s, struct term_tab *tab, struct app_effects *fx)
{
	VY_AUTO_BUF text = VY_BUF_INIT(64 * 1024 * 1024);
	size_t n;

	pane_copy(tab->pane, &text);
	if (text.len == 0) {
		app_flash(s, _("nothing to copy"));
		return;
	}
	app_effect(fx, APP_COPY)->text = vy_buf_take(&text, &n);
	pane_follow(tab->pane);
}

static void find_step(struct app_state *s, struct term_tab *tab, int direction)
{
	if (!pane_find_step(tab->pane, direction)) {
		app_flash(
			s, s->terms.query.text.len ? _("not found") : _("nothing is searched for"));
	}
}

/* Esc drops what is nearest: the selection, the search, then looking back itself. */
static void leave_look(struct term_tab *tab)
{
	size_t at;

	if (pane_is_selecting(tab->pane)) {
		pane_unselect(tab->pane);
	} else if (pane_found(tab->pane, &at)) {
		pane_find(tab->pane, vy_str_n(NULL, 0));
	} else {
		pane_follow(tab->pane);
	}
}

static int move_of(enum keymap_action a)
{
	static const struct {
		enum keymap_action action;
		enum pane_move move;
	} moves[] = {
		{ ACTION_LOOK_UP, PANE_UP },
		{ ACTION_LOOK_DOWN, PANE_DOWN },
		{ ACTION_LOOK_LEFT, PANE_LEFT },
		{ ACTION_LOOK_RIGHT, PANE_RIGHT },
		{ ACTION_LOOK_PAGE_UP, PANE_PAGE_UP },
		{ ACTION_LOOK_PAGE_DOWN, PANE_PAGE_DOWN },
		{ ACTION_LOOK_TOP, PANE_TOP },
		{ ACTION_LOOK_BOTTOM, PANE_BOTTOM },
		{ ACTION_LOOK_WORD_LEFT, PANE_WORD_LEFT },
		{ ACTION_LOOK_WORD_RIGHT, PANE_WORD_RIGHT },
		{ ACTION_LOOK_LINE_START, PANE_LINE_START },
		{ ACTION_LOOK_LINE_END, PANE_LINE_END },
	};

	for (size_t i = 0; i < VY_COUNT(moves); i++) {
		if (moves[i].action == a) {
			return (int)moves[i].move;
		}
	}
	return -1;
}

static bool look(
	struct app_state *s, struct term_tab *tab, enum keymap_action a, struct app_effects *fx)
{
	int move = move_of(a);

	if (move >= 0) {
		pane_go(tab->pane, (enum pane_move)move);
		return true;
	}
	switch ((int)a) {
	case ACTION_LOOK_SELECT: pane_select(tab->pane, false); return true;
	case ACTION_LOOK_SELECT_LINES: pane_select(tab->pane, true); return true;
	case ACTION_LOOK_COPY: copy(s, tab, fx); return true;
	case ACTION_LOOK_FIND: begin_search(s); return true;
	case ACTION_LOOK_FIND_NEXT: find_step(s, tab, -1); return true;
	case ACTION_LOOK_FIND_PREV: find_step(s, tab, 1); return true;
	case ACTION_LOOK_LEAVE: leave_look(tab); return true;
	default: return false;
	}
}

static void type_query(struct app_state *s, struct term_tab *tab, struct vy_str text)
{
	const char *nl = text.n ? memchr(text.p, '\n', text.n) : NULL;
	struct edit *e = &s->terms.query;

	text.n = nl ? (size_t)(nl - text.p) : text.n;
	if (text.n && text.n + edit_text(e).n < FIND_QUERY_MAX) {
		edit_insert(e, text);
		pane_find(tab->pane, edit_text(e));
	}
}

static void seek(struct app_state *s, struct term_tab *tab, const struct key_event *ev)
{
	enum keymap_action a = ev->kind == KEY_EV_KEY
				       ? keymap_find(&s->keymap, KEYMAP_MENU, ev->key)
				       : ACTION_NONE;
	struct edit *e = &s->terms.query;
	uint64_t rev = e->rev;

	switch ((int)a) {
	case ACTION_MENU_UP: pane_find_step(tab->pane, -1); return;
	case ACTION_MENU_DOWN: pane_find_step(tab->pane, 1); return;
	case ACTION_MENU_ACCEPT:
	case ACTION_MENU_COMPLETE: s->terms.is_seeking = false; return;
	case ACTION_MENU_CLOSE:
		pane_find(tab->pane, vy_str_n(NULL, 0));
		s->terms.is_seeking = false;
		return;
	default: break;
	}
	if (a == ACTION_DELETE_BACK && edit_is_empty(e)) {
		s->terms.is_seeking = false;
	} else if (edit_key(e, a)) {
		if (e->rev != rev) {
			pane_find(tab->pane, edit_text(e));
		}
	} else if (ev->text.n) {
		type_query(s, tab, ev->text);
	}
}

/* ---- to the program ---- */

static void say_not_ours(struct app_state *s)
{
	char prefix[KEY_NAME_MAX], key[KEY_NAME_MAX], line[200];

	snprintf(line, sizeof(line), _("another viewer holds the keyboard: %s %s takes it"),
		keymap_hint(&s->keymap, ACTION_PANE_LITERAL, prefix),
		keymap_hint(&s->keymap, ACTION_PREFIX_TAKE, key));
	app_flash(s, line);
}

/* Where a shell was, enter makes another. */
static void on_ended(struct app_state *s, struct term_tab *tab, const struct key_event *ev)
{
	if (ev->kind == KEY_EV_KEY && ev->key.code == KEY_ENTER) {
		term_close(s, tab);
		term_new(s);
		s->focus = APP_TERM;
	}
}

static void to_program(struct app_state *s, const struct key_event *ev, struct app_effects *fx)
{
	struct term_tab *tab = terms_now(&s->terms);

	if (!tab) {
		return;
	}
	if (tab->line == TERM_LINK_OVER || tab->line == TERM_LINK_GONE) {
		on_ended(s, tab, ev);
	} else if (tab->viewer.is_open && !tab->viewer.has_keys) {
		say_not_ours(s);
	} else {
		if (s->line == APP_ENDED) { /* somebody ended the server: a person wants it again */
			app_effect(fx, APP_RETRY);
		}
		pane_key(tab->pane, ev);
	}
}

static bool act(struct app_state *s, struct term_tab *tab, enum keymap_action a)
{
	bool is_kept = !s->terms.is_alone || a == ACTION_PANE_LITERAL ||
		       a == ACTION_PANE_SCROLL_UP || a == ACTION_PANE_SCROLL_DOWN;

	if (!is_kept) {
		return false;
	}
	switch ((int)a) {
	case ACTION_PANE_LEAVE: term_toggle(s); return true;
	case ACTION_PANE_LAYOUT: term_next_layout(s); return true;
	case ACTION_PANE_FOCUS: term_next_focus(s); return true;
	case ACTION_PANE_LITERAL: s->terms.is_prefixed = true; return true;
	case ACTION_PANE_SCROLL_UP:
	case ACTION_PANE_SCROLL_DOWN:
		if (tab) {
			pane_page(tab->pane, a == ACTION_PANE_SCROLL_UP ? -1 : 1);
		}
		return true;
	default: return false;
	}
}

void term_event(struct app_state *s, const struct key_event *ev, struct app_effects *fx)
{
	struct terms *t = &s->terms;
	struct term_tab *tab = terms_now(t);
	enum keymap_action a;

	if (t->is_seeking && tab) {
		seek(s, tab, ev);
		return;
	}
	if (ev->kind != KEY_EV_KEY) {
		t->is_prefixed = false;
		to_program(s, ev, fx);
		return;
	}
	if (t->is_prefixed) {
		t->is_prefixed = false;
		a = keymap_find(&s->keymap, KEYMAP_PREFIX, ev->key);
		if (!prefixed(s, a, ev->key)) {
			to_program(s, ev, fx);
		}
		return;
	}
	a = keymap_find(
		&s->keymap, tab && pane_is_looking(tab->pane) ? KEYMAP_LOOK : KEYMAP_PANE, ev->key);
	if (!act(s, tab, a) && !(tab && look(s, tab, a, fx))) {
		to_program(s, ev, fx);
	}
}

void term_focus(struct app_state *s, bool is_focused)
{
	struct term_tab *tab = terms_now(&s->terms);

	if (tab && s->terms.is_shown && s->focus == APP_TERM && tab->viewer.has_keys) {
		pane_focus(tab->pane, is_focused);
	}
}

/* "rgb:RRRR/GGGG/BBBB", of one to four digits each; false: another form. */
static bool read_rgb(struct vy_str answer, uint32_t *rgb)
{
	unsigned c[3];
	int n[4] = { 0 };
	char text[40];

	if (answer.n >= sizeof(text)) {
		return false;
	}
	snprintf(text, sizeof(text), "%.*s", VY_STR_ARG(answer));
	if (sscanf(text, "rgb:%n%x%n/%x%n/%x%n", &n[0], &c[0], &n[1], &c[1], &n[2], &c[2], &n[3]) !=
		3) {
		return false;
	}
	*rgb = 0;
	for (int i = 0; i < 3; i++) {
		int digits = n[i + 1] - n[i] - (i > 0);
		unsigned most = digits >= 1 && digits <= 4 ? (1u << 4 * digits) - 1 : 0;

		if (!most || c[i] > most) {
			return false;
		}
		*rgb = *rgb << 8 | (c[i] * 255 + most / 2) / most;
	}
	return true;
}

void term_color(struct app_state *s, int which, struct vy_str answer)
{
	struct terms *t = &s->terms;
	uint32_t rgb;

	if (which != 11 || !read_rgb(answer, &rgb)) {
		return; /* the ground is what we ask for; words on it are dark or light by it */
	}
	unsigned light = (rgb >> 16 & 0xff) * 2 + (rgb >> 8 & 0xff) * 5 + (rgb & 0xff);

	t->has_colors = true;
	t->bg = rgb;
	t->fg = light > 1020 ? 0x1f2328 : 0xd8dee4;
	for (size_t i = 0; i < t->n; i++) {
		pane_set_colors(t->tabs[i]->pane, t->fg, t->bg);
	}
}

/* ---- the mouse ---- */

static bool is_in(struct cell_rect r, int x, int y)
{
	return x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h;
}

/* The edge between the chat and the pane is dragged. */
static void resize(struct app_state *s, int x, int y)
{
	struct terms *t = &s->terms;

	if (t->layout == TERM_BESIDE && t->whole_w > 0) {
		int end = t->pane.x + t->pane.w;

		t->beside = hundredths((end - x) * 100 / t->whole_w);
	} else if (t->layout == TERM_BELOW && t->whole_h > 0) {
		int end = t->pane.y + t->pane.h;

		t->below = hundredths((end - y) * 100 / t->whole_h);
	}
	t->rev++;
}

static void press_title(struct terms *t, int x)
{
	for (size_t i = 0; i < t->n; i++) {
		if (x >= t->tab_x[i] && x < t->tab_x[i + 1]) {
			go_to_tab(t, i);
			return;
		}
	}
	t->is_sizing = true;
}

static void press(struct app_state *s, const struct key_mouse *m)
{
	struct terms *t = &s->terms;

	s->focus = APP_TERM;
	t->is_pressed = m->button == LEFT;
	t->is_drag = false;
	t->press_x = m->x - t->body.x;
	t->press_y = m->y - t->body.y;
	if (!is_in(t->body, m->x, m->y)) {
		press_title(t, m->x);
	}
}

static void wheel(struct term_tab *tab, bool is_up)
{
	pane_scroll(tab->pane, is_up ? -WHEEL : WHEEL);
}

static void drag(struct terms *t, struct term_tab *tab, int x, int y)
{
	if (t->is_drag || x != t->press_x || y != t->press_y) {
		if (!t->is_drag) {
			pane_unselect(tab->pane);
		}
		t->is_drag = true;
		pane_drag(tab->pane, t->press_x, t->press_y, x, y);
	}
}

static void release(struct app_state *s, struct term_tab *tab, struct app_effects *fx)
{
	struct terms *t = &s->terms;
	struct vy_str url = pane_link_at(tab->pane, t->press_x, t->press_y);

	if (!t->is_drag && url.n &&
		is_in(t->body, t->body.x + t->press_x, t->body.y + t->press_y)) {
		app_effect(fx, APP_LINK)->text = vy_memdup0(url.p, url.n);
	} else if (!t->is_drag && pane_is_selecting(tab->pane)) {
		pane_follow(tab->pane);
	}
}

static bool to_programs_mouse(struct app_state *s, struct term_tab *tab, const struct key_mouse *m)
{
	struct terms *t = &s->terms;
	int x = m->x - t->body.x, y = m->y - t->body.y;

	if (!t->is_programs && !is_in(t->body, m->x, m->y)) {
		return false;
	}
	if (s->focus != APP_TERM && m->kind != KEY_MOUSE_PRESS) {
		return false; /* it goes by */
	}
	x = x < 0 ? 0 : x >= t->body.w ? t->body.w - 1 : x;
	y = y < 0 ? 0 : y >= t->body.h ? t->body.h - 1 : y;
	if (!tab->viewer.has_keys || tab->line != TERM_LINK_LIVE ||
		!pane_mouse(tab->pane, m, x, y)) {
		return false;
	}
	if (m->kind == KEY_MOUSE_PRESS) {
		s->focus = APP_TERM;
		t->is_programs = true;
	} else if (m->kind == KEY_MOUSE_RELEASE) {
		t->is_programs = false;
	}
	return true;
}

bool term_mouse(struct app_state *s, const struct key_mouse *m, struct app_effects *fx)
{
	struct terms *t = &s->terms;
	struct term_tab *tab = terms_now(t);
	bool is_other = s->focus == APP_HELP || pager_is_open(&s->browse.pager);
	bool is_here = t->is_shown && t->pane.w > 0 && !is_other && is_in(t->pane, m->x, m->y);

	if (!t->is_pressed && !t->is_sizing && !t->is_programs && !is_here) {
		if (m->kind == KEY_MOUSE_PRESS && s->focus == APP_TERM && !is_other) {
			term_next_focus(s);
		}
		return false;
	}
	if (tab && !t->is_pressed && !t->is_sizing && to_programs_mouse(s, tab, m)) {
		return true;
	}
	switch (m->kind) {
	case KEY_MOUSE_PRESS: press(s, m); break;
	case KEY_MOUSE_DRAG:
		if (t->is_sizing) {
			resize(s, m->x, m->y);
		} else if (t->is_pressed && tab) {
			drag(t, tab, m->x - t->body.x, m->y - t->body.y);
		}
		break;
	case KEY_MOUSE_RELEASE:
		if (t->is_pressed && !t->is_sizing && tab) {
			release(s, tab, fx);
		}
		t->is_pressed = t->is_sizing = t->is_drag = t->is_programs = false;
		break;
	case KEY_MOUSE_WHEEL_UP:
	case KEY_MOUSE_WHEEL_DOWN:
		if (tab) {
			wheel(tab, m->kind == KEY_MOUSE_WHEEL_UP);
		}
		break;
	case KEY_MOUSE_WHEEL_LEFT:
	case KEY_MOUSE_WHEEL_RIGHT:
	case KEY_MOUSE_MOVE: break;
	}
	return true;
}

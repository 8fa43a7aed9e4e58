/* browse.c -- see browse.h. */
#include "tui/app/browse.h"

#include <stdio.h>
#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/model/points.h"
#include "tui/app/back.h"
#include "tui/app/help.h"
#include "tui/app/hint.h"
#include "tui/app/say.h"
#include "tui/app/state.h"
#include "tui/app/whole.h"
#include "tui/view/place.h"
#include "tui/view/source.h"
#include "tui/view/transcript_text.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

/* ---- life ---- */

void browse_init(struct browse *b)
{
	*b = (struct browse){ 0 };
	edit_init(&b->query);
	pager_init(&b->pager);
}

void browse_fini(struct browse *b)
{
	edit_fini(&b->query);
	pager_fini(&b->pager);
	free(b->row);
}

void browse_clear(struct browse *b)
{
	browse_fini(b);
	browse_init(b);
}

void browse_begin(struct app_state *s)
{
	s->focus = APP_BROWSE;
}

void browse_leave(struct app_state *s)
{
	transcript_unselect(s->transcript);
	transcript_find(s->transcript, s->fold, vy_str_n(NULL, 0));
	browse_clear(&s->browse);
	s->focus = APP_COMPOSER;
}

/* ---- the row at hand ---- */

/* What is counted in a row begins anew in another. */
static const struct vy_row *row_at_hand(struct app_state *s)
{
	const struct vy_row *row = transcript_selected(s->transcript, s->fold);
	struct browse *b = &s->browse;

	if (!row) {
		transcript_select(s->transcript, s->fold, TRANSCRIPT_ROW, -1);
		row = transcript_selected(s->transcript, s->fold);
	}
	if (row && (!b->row || !vy_str_is(row->key, b->row))) {
		free(b->row);
		b->row = vy_memdup0(row->key.p, row->key.n);
		b->code = 0;
		b->has_link = false;
	}
	return row;
}

static size_t newlines(struct vy_str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		n += s.p[i] == '\n';
	}
	return n;
}

void browse_open(struct app_state *s)
{
	const struct vy_row *row = row_at_hand(s);
	VY_AUTO_BUF text = VY_BUF_INIT(SOURCE_MAX);

	if (!row) {
		return;
	}
	if (row->kind == VY_ROW_TOOL || row->kind == VY_ROW_TASK ||
		row->kind == VY_ROW_TERM_COMMAND) {
		source_row(row, &text);
		if ((int)newlines(vy_buf_str(&text)) > s->browse.view_h) {
			page_open(s, false);
			return;
		}
	}
	if (!transcript_toggle(s->transcript, s->fold)) {
		app_flash(s, _("all of it is shown"));
	}
}

/* ---- copying ---- */

static void copy(struct app_state *s, struct vy_str text, struct app_effects *fx)
{
	if (text.n == 0) {
		app_flash(s, _("nothing to copy here"));
		return;
	}
	app_effect(fx, APP_COPY)->text = vy_memdup0(text.p, text.n);
}

static void copy_source(struct app_state *s, struct app_effects *fx)
{
	VY_AUTO_BUF text = VY_BUF_INIT(SOURCE_MAX);

	if (s->browse.has_link) {
		copy(s, transcript_link(s->transcript, s->fold, s->browse.link), fx);
		return;
	}
	row_at_hand(s);
	transcript_copy(s->transcript, s->fold, &text);
	copy(s, vy_buf_str(&text), fx);
	transcript_unmark(s->transcript);
}

/* The first piece of code in the row; pressed again the next one. */
static void copy_code(struct app_state *s, struct app_effects *fx)
{
	const struct vy_row *row = row_at_hand(s);
	VY_AUTO_BUF text = VY_BUF_INIT(SOURCE_MAX);
	bool is_there = row && source_code(row, s->browse.code, &text);

	if (row && !is_there && s->browse.code > 0) {
		s->browse.code = 0;
		is_there = source_code(row, 0, &text);
	}
	if (!is_there) {
		app_flash(s, _("no code in this row"));
		return;
	}
	s->browse.code++;
	copy(s, vy_buf_str(&text), fx);
}

/* ---- paths and links ---- */

/* All that it may be: the first that is there is opened. */
static void open_path(struct app_state *s, struct app_effects *fx)
{
	const struct vy_row *row = row_at_hand(s);
	VY_AUTO_BUF words = VY_BUF_INIT(SOURCE_MAX);
	struct places_named named = { 0 };
	struct vy_arena a;

	vy_arena_init(&a);
	if (transcript_marked(s->transcript) != TRANSCRIPT_NONE) {
		transcript_copy(s->transcript, s->fold, &words);
		place_in_words(vy_buf_str(&words), &a, &named);
	} else if (row) {
		place_in_row(row, &a, &named);
	}
	if (named.n) {
		struct app_effect *e = app_effect(fx, APP_EDIT_FILE);

		e->params = vy_json_new_arr();
		for (size_t i = 0; i < named.n; i++) {
			struct vy_json *one = vy_json_new_obj();

			vy_json_set_str(one, "path", named.v[i].path);
			vy_json_set_int(one, "line", named.v[i].line);
			vy_json_add_take(e->params, one);
		}
	} else {
		app_flash(s, _("no path in this row"));
	}
	vy_arena_fini(&a);
}

/* The first link of the row; pressed again the next one. */
static void next_link(struct app_state *s)
{
	struct browse *b = &s->browse;

	row_at_hand(s);
	b->link = b->has_link ? b->link + 1 : 0;
	if (transcript_link(s->transcript, s->fold, b->link).n == 0) {
		b->link = 0;
	}
	b->has_link = transcript_link(s->transcript, s->fold, b->link).n > 0;
	if (!b->has_link) {
		app_flash(s, _("no link in this row"));
	}
}

static void open_link(struct app_state *s, struct app_effects *fx)
{
	struct vy_str url = transcript_link(s->transcript, s->fold, s->browse.link);

	if (url.n) {
		app_effect(fx, APP_LINK)->text = vy_memdup0(url.p, url.n);
	}
	s->browse.has_link = false;
}

/* ---- selecting and moving ---- */

static void select_more(struct app_state *s)
{
	struct transcript *t = s->transcript;

	switch (transcript_marked(t)) {
	case TRANSCRIPT_NONE: transcript_mark(t, s->fold, TRANSCRIPT_ROWS); break;
	case TRANSCRIPT_ROWS: transcript_mark(t, s->fold, TRANSCRIPT_CHARS); break;
	case TRANSCRIPT_CHARS: transcript_unmark(t); break;
	}
}

/* Sideways a selection of characters begins by itself. */
static void move(struct app_state *s, enum transcript_move m)
{
	if (transcript_marked(s->transcript) != TRANSCRIPT_CHARS) {
		transcript_mark(s->transcript, s->fold, TRANSCRIPT_CHARS);
	}
	transcript_move(s->transcript, s->fold, m);
}

/* Code that is cut slides; else a selection of characters begins by itself. */
static void sideways(struct app_state *s, int direction)
{
	row_at_hand(s);
	if (transcript_marked(s->transcript) == TRANSCRIPT_CHARS ||
		!transcript_slide(s->transcript, s->fold, direction)) {
		move(s, direction < 0 ? TRANSCRIPT_LEFT : TRANSCRIPT_RIGHT);
	}
}

void browse_flip_lines(struct app_state *s)
{
	s->is_unwrapped = !s->is_unwrapped;
	app_flash(s, s->is_unwrapped ? _("long lines of code are cut; ← → slide them")
				     : _("long lines of code are wrapped"));
}

static void row_up_down(struct app_state *s, int direction)
{
	if (transcript_marked(s->transcript) == TRANSCRIPT_CHARS) {
		move(s, direction < 0 ? TRANSCRIPT_UP : TRANSCRIPT_DOWN);
	} else {
		transcript_select(s->transcript, s->fold, TRANSCRIPT_ROW, direction);
	}
}

static void find_step(struct app_state *s, int direction)
{
	if (transcript_query(s->transcript).n == 0) {
		seek_begin(s);
	} else if (!transcript_find_step(s->transcript, s->fold, direction)) {
		app_flash(s, _("not found"));
	}
}

/* Esc and ctrl-c drop what is nearest; other keys leave at once. */
static void leave_step(struct app_state *s, struct key k, struct app_effects *fx)
{
	bool is_ctrl_c = k.code == 'c' && k.mods == KEY_CTRL;
	bool is_step = is_ctrl_c || k.code == KEY_ESC;

	if (is_step && s->browse.has_link) {
		s->browse.has_link = false;
	} else if (is_ctrl_c && transcript_marked(s->transcript) != TRANSCRIPT_NONE) {
		copy_source(s, fx); /* as everywhere else */
	} else if (is_step && transcript_marked(s->transcript) != TRANSCRIPT_NONE) {
		transcript_unmark(s->transcript);
	} else if (is_step && transcript_query(s->transcript).n) {
		transcript_find(s->transcript, s->fold, vy_str_n(NULL, 0));
	} else {
		browse_leave(s);
	}
}

/* ---- keys ---- */

static bool move_key(struct app_state *s, enum keymap_action a)
{
	struct transcript *t = s->transcript;

	switch ((int)a) {
	case ACTION_ROW_UP: row_up_down(s, -1); return true;
	case ACTION_ROW_DOWN: row_up_down(s, 1); return true;
	case ACTION_MARK_LEFT: sideways(s, -1); return true;
	case ACTION_MARK_RIGHT: sideways(s, 1); return true;
	case ACTION_MARK_WORD_LEFT: move(s, TRANSCRIPT_WORD_LEFT); return true;
	case ACTION_MARK_WORD_RIGHT: move(s, TRANSCRIPT_WORD_RIGHT); return true;
	case ACTION_MARK_LINE_START: move(s, TRANSCRIPT_LINE_START); return true;
	case ACTION_MARK_LINE_END: move(s, TRANSCRIPT_LINE_END); return true;
	case ACTION_MESSAGE_UP: transcript_select(t, s->fold, TRANSCRIPT_MESSAGE, -1); return true;
	case ACTION_MESSAGE_DOWN: transcript_select(t, s->fold, TRANSCRIPT_MESSAGE, 1); return true;
	case ACTION_MINE_UP: transcript_select(t, s->fold, TRANSCRIPT_MINE, -1); return true;
	case ACTION_MINE_DOWN: transcript_select(t, s->fold, TRANSCRIPT_MINE, 1); return true;
	case ACTION_PAGE_UP: transcript_page(t, s->fold, -1); return true;
	case ACTION_PAGE_DOWN: transcript_page(t, s->fold, 1); return true;
	case ACTION_TOP: transcript_top(t, s->fold); return true;
	case ACTION_BOTTOM: transcript_follow(t); return true;
	default: return false;
	}
}

static void enter(struct app_state *s, struct app_effects *fx)
{
	if (s->browse.has_link) {
		open_link(s, fx);
	} else if (transcript_marked(s->transcript) != TRANSCRIPT_NONE) {
		copy_source(s, fx);
	} else {
		browse_open(s);
	}
}

/* The row at hand, if it is a message of the person that can be gone back to; else that is said. */
static const struct vy_row *point_at_hand(struct app_state *s)
{
	const struct vy_row *row = row_at_hand(s);
	char up[KEY_NAME_MAX], down[KEY_NAME_MAX], line[200];

	if (row && vy_points_is_one(row)) {
		return row;
	}
	snprintf(line, sizeof(line), _("this is none of your messages; %s and %s go to them"),
		keymap_hint(&s->keymap, ACTION_MINE_UP, up),
		keymap_hint(&s->keymap, ACTION_MINE_DOWN, down));
	app_flash(s, line);
	return NULL;
}

/* Going back, and on another way. */
static bool back_key(struct app_state *s, enum keymap_action a, struct app_effects *fx)
{
	bool wants_point = a == ACTION_BACK_HERE || a == ACTION_EDIT_RETRY || a == ACTION_BRANCH;
	const struct vy_row *row = wants_point ? point_at_hand(s) : NULL;

	if (wants_point && !row) {
		return true;
	}
	switch ((int)a) {
	case ACTION_BACK_HERE: menu_back_to(s, row, fx); return true;
	case ACTION_EDIT_RETRY: back_again(s, row->message.message); return true;
	case ACTION_BRANCH: back_branch(s, row->message.message, fx); return true;
	case ACTION_FORK: back_fork(s, fx); return true;
	case ACTION_RETRY: menu_again_open(s, fx); return true;
	default: return false;
	}
}

bool browse_key(struct app_state *s, enum keymap_action a, struct key k, struct app_effects *fx)
{
	if (move_key(s, a)) {
		s->browse.has_link = false;
		return true;
	}
	if (back_key(s, a, fx)) {
		return true;
	}
	switch ((int)a) {
	case ACTION_ROW_OPEN: enter(s, fx); return true;
	case ACTION_SELECT: select_more(s); return true;
	case ACTION_COPY_SOURCE: copy_source(s, fx); return true;
	case ACTION_COPY_CODE: copy_code(s, fx); return true;
	case ACTION_OPEN_PATH: open_path(s, fx); return true;
	case ACTION_LINK: next_link(s); return true;
	case ACTION_REVEAL: page_open(s, true); return true;
	case ACTION_FIND: seek_begin(s); return true;
	case ACTION_FIND_NEXT: find_step(s, 1); return true;
	case ACTION_FIND_PREV: find_step(s, -1); return true;
	case ACTION_CODE_LINES: browse_flip_lines(s); return true;
	case ACTION_PRINT: whole_begin(s, APP_PRINT, fx); return true;
	case ACTION_PAGER: whole_begin(s, APP_PAGE, fx); return true;
	case ACTION_HELP_BROWSE: help_open(s); return true;
	case ACTION_BROWSE_LEAVE: leave_step(s, k, fx); return true;
	default: return false;
	}
}

/* ---- what they do now ---- */

/* In the order of leave_step(). */
const char *browse_esc_does(const struct app_state *s)
{
	return s->browse.has_link || transcript_marked(s->transcript) != TRANSCRIPT_NONE ? _("drop")
	       : transcript_query(s->transcript).n                                       ? _("end")
						   : _("back");
}

static bool is_at_point(const struct app_state *s)
{
	const struct vy_row *row = transcript_selected(s->transcript, s->fold);

	return row && vy_points_is_one(row);
}

static void add_keys(const struct app_state *s, struct vy_buf *out)
{
	const struct keymap *m = &s->keymap;

	hint_two(m, out, ACTION_ROW_UP, ACTION_ROW_DOWN, _("rows"));
	hint_two(m, out, ACTION_MINE_UP, ACTION_MINE_DOWN, _("mine"));
	if (transcript_slide(s->transcript, s->fold, 0)) {
		hint_two(m, out, ACTION_MARK_LEFT, ACTION_MARK_RIGHT, _("sideways"));
	}
	if (is_at_point(s) && !s->cannot_rewind) {
		hint_add(m, out, ACTION_BACK_HERE, _("go back"));
		hint_add(m, out, ACTION_EDIT_RETRY, _("edit"));
	}
	if (is_at_point(s) && !s->cannot_fork) {
		hint_add(m, out, ACTION_BRANCH, _("fork"));
	}
	hint_add(m, out, ACTION_ROW_OPEN, _("open"));
	hint_add(m, out, ACTION_SELECT, _("select"));
	hint_add(m, out, ACTION_COPY_SOURCE, _("copy"));
	hint_add(m, out, ACTION_FIND, _("search"));
	hint_add(m, out, ACTION_HELP_BROWSE, _("keys"));
}

static void add_link_keys(const struct app_state *s, struct vy_buf *out)
{
	struct vy_str url = transcript_link(s->transcript, s->fold, s->browse.link);

	hint_add(&s->keymap, out, ACTION_ROW_OPEN, _("open"));
	hint_add(&s->keymap, out, ACTION_COPY_SOURCE, _("copy"));
	hint_add(&s->keymap, out, ACTION_LINK, _("next"));
	vy_buf_addf(out, "   %.*s", VY_STR_ARG(url));
}

static void add_title(struct app_state *s, struct vy_buf *out)
{
	size_t at, total, n = s->browse.link + 1;

	if (s->browse.has_link) {
		while (transcript_link(s->transcript, s->fold, n).n) {
			n++;
		}
		/* TRANSLATORS: which link of a row, of how many; keys follow, as behind the next ones */
		vy_buf_addf(out, _("link %zu of %zu: "), s->browse.link + 1, n);
	} else if (transcript_marked(s->transcript) == TRANSCRIPT_ROWS) {
		vy_buf_adds(out, _("selecting rows: "));
	} else if (transcript_marked(s->transcript) == TRANSCRIPT_CHARS) {
		vy_buf_adds(out, _("selecting: "));
	} else if (transcript_query(s->transcript).n) {
		total = transcript_found(s->transcript, s->fold, &at);
		vy_buf_addf(out, _("match %zu of %zu: "), at, total);
	} else {
		vy_buf_adds(out, _("browse: "));
	}
}

/* What Esc does stands first: a narrow window leaves out the last. */
void browse_hint(struct app_state *s, struct vy_buf *out)
{
	const struct keymap *m = &s->keymap;
	VY_AUTO_BUF keys = VY_BUF_INIT(4096);

	hint_add(m, &keys, ACTION_BROWSE_LEAVE, browse_esc_does(s));
	if (s->browse.has_link) {
		add_link_keys(s, &keys);
	} else if (transcript_marked(s->transcript) == TRANSCRIPT_ROWS) {
		hint_two(m, &keys, ACTION_ROW_UP, ACTION_ROW_DOWN, _("more"));
		hint_add(m, &keys, ACTION_SELECT, _("characters"));
		hint_add(m, &keys, ACTION_COPY_SOURCE, _("copy"));
	} else if (transcript_marked(s->transcript) == TRANSCRIPT_CHARS) {
		hint_two(m, &keys, ACTION_MARK_LEFT, ACTION_MARK_RIGHT, _("more"));
		hint_add(m, &keys, ACTION_COPY_SOURCE, _("copy"));
	} else if (transcript_query(s->transcript).n) {
		hint_add(m, &keys, ACTION_FIND_NEXT, _("next"));
		hint_add(m, &keys, ACTION_FIND_PREV, _("before"));
	} else {
		add_keys(s, &keys);
	}
	add_title(s, out);
	vy_buf_addstr(out, vy_buf_str(&keys));
}

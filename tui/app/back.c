/* back.c -- see back.h. An act's answer is known by its serial: which act, in which session. */
#include "tui/app/back.h"

#include <stdio.h>
#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/model/points.h"
#include "shared/text/utf8.h"
#include "tui/app/hint.h"
#include "tui/app/look.h"
#include "tui/app/menu.h"
#include "tui/app/say.h"
#include "tui/app/sessions.h"
#include "tui/app/state.h"
#include "tui/words/changed.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define THEN_MS 5000 /* a choice does not act late */

enum act { ACT_DRY, ACT_REWIND, ACT_FILES, ACT_REDO, ACT_RETRY, ACT_AGAIN, ACT_FORK, ACT_COUNT };

static void put(char **at, struct vy_str value)
{
	char *fresh = value.n ? vy_memdup0(value.p, value.n) : NULL;

	free(*at);
	*at = fresh;
}

static void drop(char **at)
{
	put(at, vy_str_n(NULL, 0));
}

void back_clear(struct back *b)
{
	drop(&b->again);
	drop(&b->said);
	drop(&b->put);
	drop(&b->from);
	drop(&b->then);
	b->is_asking = false;
	b->since = 0;
}

void back_fini(struct back *b)
{
	back_clear(b);
	drop(&b->of);
	drop(&b->of_title);
}

/* ---- acts ---- */

static struct vy_json *ask(
	struct app_state *s, enum act act, const char *method, struct app_effects *fx)
{
	struct app_tag tag = { APP_FOR_BACK, s->n_opened * ACT_COUNT + act };
	struct vy_json *p = app_query(fx, method, tag);

	vy_json_set_c(p, "session", s->session);
	return p;
}

const struct vy_row *back_newest(const struct app_state *s)
{
	for (size_t i = vy_fold_len(s->fold); i-- > 0;) {
		const struct vy_row *row = vy_fold_row(s->fold, i);

		if (vy_points_is_one(row)) {
			return row;
		}
	}
	return NULL;
}

bool back_may(struct app_state *s)
{
	if (s->cannot_rewind) {
		app_flash(s, _("this agent cannot go back in a conversation"));
	}
	return !s->cannot_rewind;
}

bool back_is_there(const struct app_state *s)
{
	return !s->cannot_rewind && back_newest(s) != NULL;
}

bool back_open(struct app_state *s, struct app_effects *fx)
{
	if (!back_may(s)) {
		return false;
	}
	if (!back_is_there(s)) {
		app_flash(s, _("nothing was said here yet"));
		return false;
	}
	menu_open(s, &menu_back, fx);
	return true;
}

void back_dry(struct app_state *s, struct vy_str message, struct app_effects *fx)
{
	struct vy_json *p = ask(s, ACT_DRY, "threads.rewind", fx);

	vy_json_set_str(p, "message", message);
	vy_json_set_c(p, "files", "dry");
	s->back.is_asking = true;
	drop(&s->back.then);
}

void back_rewind(
	struct app_state *s, struct vy_str message, bool with_files, struct app_effects *fx)
{
	if (s->back.is_asking) {
		put(&s->back.then, message);
		s->back.then_files = with_files;
		s->back.then_ms = s->now_ms;
		app_flash(s, _("in a moment: the agent looks which files would change"));
		return;
	}
	struct vy_json *p = ask(s, with_files ? ACT_FILES : ACT_REWIND, "threads.rewind", fx);

	vy_json_set_str(p, "message", message);
	vy_json_set_c(p, "files", with_files ? "restore" : "no");
}

static void asked(struct app_state *s, const struct vy_json *result, const struct vy_err *e,
	struct app_effects *fx)
{
	char *then = s->back.then;

	s->back.is_asking = false;
	s->back.then = NULL;
	menu_back_told(s, result, e);
	if (then && s->now_ms - s->back.then_ms > THEN_MS) {
		app_failed(s, _("the agent took too long to answer; nothing was gone back to"));
	} else if (then) {
		back_rewind(s, vy_str_c(then), s->back.then_files, fx);
	}
	free(then);
}

void back_redo(struct app_state *s, struct app_effects *fx)
{
	struct vy_fold_back back;

	if (!vy_fold_back(s->fold, &back)) {
		app_flash(s, _("nothing is folded away here"));
		return;
	}
	vy_json_set_bool(ask(s, ACT_REDO, "threads.rewind", fx), "redo", true);
}

void back_retry(struct app_state *s, struct app_effects *fx)
{
	if (!back_may(s)) {
		return;
	}
	ask(s, ACT_RETRY, "threads.retry", fx);
	transcript_follow(s->transcript);
}

static bool can_copy(struct app_state *s)
{
	if (s->cannot_fork) {
		app_flash(s, _("this agent cannot copy a conversation"));
	}
	return !s->cannot_fork;
}

void back_branch(struct app_state *s, struct vy_str message, struct app_effects *fx)
{
	if (!can_copy(s)) {
		return;
	}
	vy_json_set_str(ask(s, ACT_FORK, "threads.branch", fx), "message", message);
}

void back_fork(struct app_state *s, struct app_effects *fx)
{
	if (!can_copy(s)) {
		return;
	}
	ask(s, ACT_FORK, "threads.fork", fx);
}

/* ---- said otherwise ---- */

const struct vy_row *back_find(const struct app_state *s, struct vy_str message)
{
	for (size_t i = vy_fold_len(s->fold); i-- > 0;) {
		const struct vy_row *row = vy_fold_row(s->fold, i);

		if (vy_points_is_one(row) && vy_str_eq(row->message.message, message)) {
			return row;
		}
	}
	return NULL;
}

/* What stood in the composer is in the history. */
static void put_words(struct app_state *s, struct vy_str text)
{
	composer_drop(&s->composer);
	composer_put(&s->composer, text);
}

void back_again(struct app_state *s, struct vy_str message)
{
	const struct vy_row *row = back_find(s, message);

	if (!row || !back_may(s)) {
		return;
	}
	put(&s->back.again, message);
	put_words(s, row->message.text);
	browse_leave(s);
}

void back_give_up(struct app_state *s)
{
	drop(&s->back.again);
	composer_drop(&s->composer);
}

void back_say(struct app_state *s, struct app_effects *fx)
{
	char *text = composer_take(&s->composer, NULL);

	if (!text) {
		return;
	}
	struct vy_json *p = ask(s, ACT_AGAIN, "threads.edit-retry", fx);

	vy_json_set_c(p, "message", s->back.again);
	vy_json_set_c(p, "text", text);
	free(s->back.said);
	s->back.said = text;
	transcript_follow(s->transcript);
}

/* ---- answers ---- */

static void say_files(struct app_state *s, const struct vy_json *files)
{
	VY_AUTO_BUF line = VY_BUF_INIT(4096);
	size_t n = vy_json_len(vy_json_get(files, "changed"));

	vy_buf_addf(&line,
		words_count("%lld file is as it was", "%lld files are as they were", (long long)n),
		(long long)n);
	words_lines(vy_json_int(files, "added", 0), vy_json_int(files, "removed", 0), &line);
	app_flash(s, vy_buf_c(&line));
}

static void rewound(struct app_state *s, const struct vy_json *result, bool with_files)
{
	struct vy_str text = vy_json_str(result, "text");

	drop(&s->back.again);
	put_words(s, text);
	put(&s->back.put, text);
	if (vy_json_len(vy_json_get(result, "images"))) {
		app_flash(s, _("its pictures are not here: put them in again"));
	}
	if (with_files) {
		say_files(s, vy_json_get(result, "files"));
	}
	transcript_follow(s->transcript);
}

/* The words that came with the rewind go with it, if nobody changed them. */
static void redone(struct app_state *s, const struct vy_json *result)
{
	VY_AUTO_BUF now = VY_BUF_INIT(EDIT_MAX);

	edit_whole(&s->composer.edit, &now);
	if (s->back.put && vy_str_is(vy_buf_str(&now), s->back.put)) {
		edit_set(&s->composer.edit, vy_str_n(NULL, 0));
	}
	drop(&s->back.put);
	if (vy_json_len(vy_json_path(result, "files.changed"))) {
		say_files(s, vy_json_get(result, "files"));
	}
	transcript_follow(s->transcript);
}

static void forked(struct app_state *s, const struct vy_json *result, struct app_effects *fx)
{
	struct vy_str text = vy_json_str(result, "text");

	menu_close(s);
	put(&s->back.of, vy_str_c(s->session));
	put(&s->back.of_title, vy_str_c(s->title ? s->title : ""));
	sessions_go(s, vy_json_str(result, "session"), fx);
	if (text.n) {
		app_effect(fx, APP_PUT)->text = vy_memdup0(text.p, text.n);
	}
}

/* What was to be said otherwise was not: the words are there again. */
static void refused(struct app_state *s)
{
	if (s->back.said && edit_is_empty(&s->composer.edit)) {
		composer_put(&s->composer, vy_str_c(s->back.said));
	} else {
		drop(&s->back.again);
	}
	drop(&s->back.said);
}

void back_reply(struct app_state *s, uint32_t serial, const struct vy_json *result,
	const struct vy_err *e, struct app_effects *fx)
{
	enum act act = serial % ACT_COUNT;
	bool is_here = serial / ACT_COUNT == s->n_opened;

	if (act == ACT_DRY) {
		if (is_here) {
			asked(s, result, e, fx);
		}
		return;
	}
	if (!result) {
		app_failed(s, e->text);
		if (is_here && act == ACT_AGAIN) {
			refused(s);
		}
		return;
	}
	if (!is_here) {
		return; /* the person went elsewhere meanwhile */
	}
	switch (act) {
	case ACT_REWIND:
	case ACT_FILES: rewound(s, result, act == ACT_FILES); break;
	case ACT_REDO: redone(s, result); break;
	case ACT_AGAIN:
		drop(&s->back.again);
		drop(&s->back.said);
		break;
	case ACT_FORK: forked(s, result, fx); break;
	case ACT_DRY:
	case ACT_RETRY:
	case ACT_COUNT:
	default: break;
	}
}

/* ---- what is known ---- */

void back_record(struct app_state *s, const struct vy_json *record)
{
	put(&s->back.from, vy_json_str(vy_json_get(record, "forked_from"), "session"));
	s->back.since = vy_json_int(record, "created", 0);
}

void back_word(struct app_state *s)
{
	drop(&s->back.put);
}

/* ---- the lines ---- */

/* A copy in which nothing was said yet: what it holds is older than it. */
static bool is_copy(const struct app_state *s)
{
	size_t i = s->back.from ? vy_fold_len(s->fold) : 0;

	while (i > 0 && !vy_points_is_one(vy_fold_row(s->fold, i - 1))) {
		i--;
	}
	return s->back.from && (i == 0 || vy_fold_row(s->fold, i - 1)->time <= s->back.since);
}

static void say_folded(const struct vy_fold_back *back, struct vy_buf *out)
{
	if (back->messages) {
		vy_buf_addf(out,
			words_count("%lld message is folded away", "%lld messages are folded away",
				(long long)back->messages),
			(long long)back->messages);
	} else {
		vy_buf_adds(out, _("what came after is folded away"));
	}
}

void back_say_origin(const struct app_state *s, struct vy_str from, struct vy_buf *out)
{
	const struct roster_row *row = roster_find(&s->column.roster, from);
	bool is_ours = s->back.of && s->back.of_title && vy_str_is(from, s->back.of);
	VY_AUTO_BUF title = VY_BUF_INIT(8192);

	if (row || is_ours) {
		vy_utf8_visible(
			row ? roster_title(row) : vy_str_c(s->back.of_title), VY_UTF8_LINE, &title);
		/* TRANSLATORS: the title of the session this one is a copy of */
		vy_buf_addf(out, _("forked from %s"), vy_buf_c(&title));
	} else {
		vy_buf_adds(out, _("forked from another session"));
	}
}

int back_rows(const struct app_state *s)
{
	struct vy_fold_back back;

	return (vy_fold_back(s->fold, &back) ? 1 : 0) + (is_copy(s) ? 1 : 0);
}

static void draw_one(
	struct cell_win w, int y, const char *mark, struct vy_buf *text, const char *key)
{
	int keys = key[0] ? cell_width(w.grid->pool, vy_str_c(key)) + 3 : 0;
	int x = 4;

	cell_puts(w, 2, y, mark, theme_ink(THEME_DIM));
	x += look_line(w, x, y, vy_buf_str(text), w.w - x - 1 - keys, theme_ink(THEME_DIM));
	look_line(w, x + 3, y, vy_str_c(key), w.w - x - 4, theme_ink(THEME_ASK_KEY));
}

void back_draw(const struct app_state *s, struct cell_win w)
{
	struct vy_fold_back back;
	int y = 0;

	if (is_copy(s) && y < w.h) {
		VY_AUTO_BUF text = VY_BUF_INIT(8192);

		back_say_origin(s, vy_str_c(s->back.from), &text);
		draw_one(w, y++, "⎇", &text, "");
	}
	if (vy_fold_back(s->fold, &back) && y < w.h) {
		VY_AUTO_BUF text = VY_BUF_INIT(8192), key = VY_BUF_INIT(512);

		say_folded(&back, &text);
		hint_add(&s->keymap, &key, ACTION_REWIND_REDO, _("bring back"));
		draw_one(w, y, "↺", &text, vy_buf_c(&key));
	}
}

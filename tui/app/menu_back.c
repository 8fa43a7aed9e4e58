/* menu_back.c -- where to go back to, and then how: the conversation alone, its files too, another
 * session from there. Which files would change is asked of the server before it is offered. */
#include "tui/app/menu.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/model/points.h"
#include "shared/text/utf8.h"
#include "tui/app/back.h"
#include "tui/app/hint.h"
#include "tui/app/look.h"
#include "tui/app/say.h"
#include "tui/app/state.h"
#include "tui/words/changed.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define TITLE_MOST 48 /* cells of a title */

static const struct menu_kind menu_branch;

/* ---- the points ---- */

/* The first line that says something. */
static void say_line(const struct vy_point *at, struct vy_buf *out)
{
	struct vy_str t = at->text;

	while (t.n && strchr(" \t\n", t.p[0])) {
		t = vy_str_from(t, 1);
	}
	const char *nl = t.n ? memchr(t.p, '\n', t.n) : NULL;

	t.n = nl ? (size_t)(nl - t.p) : t.n;
	if (t.n) {
		vy_utf8_visible(t, VY_UTF8_LINE, out);
		vy_buf_adds(out, nl ? " …" : "");
	} else {
		vy_buf_addf(out,
			words_count("%lld picture", "%lld pictures", (long long)at->images),
			(long long)at->images);
	}
}

static void add_point(struct app_state *s, const struct vy_points *all, const struct vy_point *at)
{
	VY_AUTO_BUF label = VY_BUF_INIT(PICKER_TEXT), files = VY_BUF_INIT(PICKER_TEXT);
	VY_AUTO_BUF each = VY_BUF_INIT(PICKER_TEXT);
	char *id = vy_memdup0(at->message.p, at->message.n), age[40];

	say_line(at, &label);
	words_files(at->files, at->files ? all->files[at->file].path : vy_str_n(NULL, 0), at->added,
		at->removed, &files);
	for (size_t i = 0; i < at->files; i++) {
		const struct vy_point_file *f = &all->files[at->file + i];

		vy_buf_adds(&each, i ? ", " : "");
		words_files(1, f->path, f->added, f->removed, &each);
	}
	look_age(s->wall_ms - at->time, age, sizeof(age));
	picker_add(&s->menu.picker,
		&(struct picker_item){ .id = id,
			.mark = "›",
			.mark_role = THEME_DIM,
			.label = vy_buf_c(&label),
			.detail =
				files.len && s->menu.kind != &menu_branch ? vy_buf_c(&files) : NULL,
			.aside = age,
			.aside_role = THEME_DIM,
			.preview = s->menu.kind == &menu_branch ? NULL
				   : each.len                   ? vy_buf_c(&each)
								: _("no file was changed") });
	free(id);
}

static void list(struct app_state *s)
{
	struct vy_points all;

	vy_points_init(&all);
	vy_points_read(&all, s->fold);
	picker_clear(&s->menu.picker);
	for (size_t i = 0; i < all.n; i++) {
		add_point(s, &all, &all.v[i]);
	}
	vy_points_fini(&all);
}

/* Another when the list would be: rows came or went, a tool ended. */
static int64_t mark_of(const struct app_state *s)
{
	return (int64_t)(vy_fold_len(s->fold) * 64 + vy_fold_state(s->fold)->running % 64);
}

static void fill(struct app_state *s, struct app_effects *fx)
{
	(void)fx;
	list(s);
	s->menu.asked = mark_of(s);
}

/* Words that stream change nothing here. */
static void changed(struct app_state *s)
{
	if (s->menu.asked != mark_of(s)) {
		s->menu.asked = mark_of(s);
		list(s);
	}
}

static void choose(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	const struct vy_row *row = back_find(s, vy_str_c(it->id));

	if (row) {
		menu_back_to(s, row, fx);
	}
}

const struct menu_kind menu_back = {
	.title = N_("Go back to"),
	.empty = N_("nothing was said here yet"),
	.fill = fill,
	.changed = changed,
	.choose = choose,
};

static void choose_branch(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	back_branch(s, vy_str_c(it->id), fx);
}

static const struct menu_kind menu_branch = {
	.title = N_("Branch before"),
	.empty = N_("nothing was said here yet"),
	.fill = fill,
	.changed = changed,
	.choose = choose_branch,
};

void menu_branch_open(struct app_state *s, struct app_effects *fx)
{
	menu_open(s, &menu_branch, fx);
}

/* Whoever comes near the end of the list, or seeks, wants what is not here yet. */
bool menu_back_wants_older(const struct app_state *s)
{
	const struct picker *p = &s->menu.picker;
	bool is_list = s->menu.kind == &menu_back || s->menu.kind == &menu_branch;

	return is_list && p->sel + (size_t)p->page >= p->n_shown;
}

/* ---- how ---- */

#define TALK   "talk"
#define FILES  "files"
#define AGAIN  "again"
#define BRANCH "branch"

static void add(struct app_state *s, const char *what, const char *label, const char *detail,
	const char *preview, bool is_off)
{
	VY_AUTO_BUF id = VY_BUF_INIT(2 * VY_ID_MAX);

	vy_buf_addf(&id, "%s %s", what, s->menu.about);
	picker_add(&s->menu.picker, &(struct picker_item){ .id = vy_buf_c(&id),
					    .mark = strcmp(what, BRANCH) == 0 ? "⎇" : "↺",
					    .mark_role = THEME_DIM,
					    .label = label,
					    .detail = detail,
					    .preview = preview,
					    .is_off = is_off });
}

/* A path in the session's folder, without that. */
static struct vy_str here(const struct app_state *s, struct vy_str path)
{
	size_t n = s->cwd ? strlen(s->cwd) : 0;

	return n && path.n > n && vy_str_starts(path, s->cwd) && path.p[n] == '/'
		       ? vy_str_from(path, n + 1)
		       : path;
}

/* `files` is what the server said of them; NULL: not yet. */
static void offer(struct app_state *s, const struct vy_json *files, const char *trouble)
{
	VY_AUTO_BUF detail = VY_BUF_INIT(PICKER_TEXT), each = VY_BUF_INIT(PICKER_TEXT);
	const struct vy_json *changed = vy_json_get(files, "changed");
	long long n = (long long)vy_json_len(changed);
	bool can = vy_json_bool(files, "can", false) && n > 0;

	if (can) {
		vy_buf_addf(&detail, words_count("%lld file", "%lld files", n), n);
		words_lines(
			vy_json_int(files, "added", 0), vy_json_int(files, "removed", 0), &detail);
	} else {
		vy_buf_adds(&detail, trouble                      ? trouble
				     : !files                     ? _("asking which …")
				     : vy_json_cstr(files, "why") ? vy_json_cstr(files, "why")
				     : vy_json_bool(files, "can", false)
					     ? _("none would change")
					     : _("they cannot be put back here"));
	}
	for (size_t i = 0; i < vy_json_len(changed); i++) {
		vy_buf_adds(&each, i ? ", " : "");
		vy_buf_addstr(&each, here(s, vy_json_strval(vy_json_at(changed, i))));
	}
	picker_clear(&s->menu.picker);
	add(s, TALK, _("The conversation alone"), _("what came after is folded away"),
		_("its words come into the composer"), false);
	add(s, FILES, _("The conversation and the files"), vy_buf_c(&detail),
		each.len ? vy_buf_c(&each) : vy_buf_c(&detail), !can);
	add(s, AGAIN, _("Edit and send again"), _("it goes back when the new words are sent"),
		_("nothing goes back before that"), false);
	add(s, BRANCH, _("Fork from here"), _("a new session with what came before"),
		_("this one stays as it is"), false);
}

/* "talk 0192…": which of the offers, and for which message. */
static void take_offer(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	const char *blank = strchr(it->id, ' ');
	struct vy_str what = vy_str_n(it->id, (size_t)(blank - it->id));
	struct vy_str message = vy_str_c(blank + 1);

	if (vy_str_is(what, AGAIN)) {
		back_again(s, message);
	} else if (vy_str_is(what, BRANCH)) {
		back_branch(s, message, fx);
	} else {
		back_rewind(s, message, vy_str_is(what, FILES), fx);
	}
}

static void fill_nothing(struct app_state *s, struct app_effects *fx)
{
	(void)s, (void)fx;
}

static const struct menu_kind menu_how = {
	.title = N_("Go back to"),
	.fill = fill_nothing,
	.choose = take_offer,
};

/* "Go back to: please fix the login …" */
static void say_title(struct app_state *s, const struct vy_row *row)
{
	VY_AUTO_BUF whole = VY_BUF_INIT(PICKER_TEXT), words = VY_BUF_INIT(PICKER_TEXT);
	struct vy_buf title = VY_BUF_INIT(PICKER_TEXT);
	struct vy_point at = { .text = row->message.text };
	size_t most = s->chat_cols > 12 ? (size_t)s->chat_cols - 8 : 4;

	say_line(&at, &words);
	vy_buf_addf(&whole, "%s: %s", _(s->menu.kind->title), vy_buf_c(&words));
	vy_width_ellipsis(vy_buf_str(&whole), most < TITLE_MOST ? most : TITLE_MOST,
		cell_pool_width(s->pool), &title);
	free(s->menu.picker.title);
	s->menu.picker.title = vy_buf_take(&title, NULL);
}

/* ---- said again ---- */

#define ASIS "asis"

/* A key asks before an answer goes: there is no way back to it. */
static void fill_again(struct app_state *s, struct app_effects *fx)
{
	(void)fx;
	picker_add(&s->menu.picker, &(struct picker_item){ .id = ASIS,
					    .mark = "↺",
					    .mark_role = THEME_DIM,
					    .label = _("Say it again as it is"),
					    .detail = _("its answer goes, another comes") });
	picker_add(
		&s->menu.picker, &(struct picker_item){ .id = AGAIN,
					 .mark = "↺",
					 .mark_role = THEME_DIM,
					 .label = _("Edit and send again"),
					 .detail = _("it goes back when the new words are sent") });
}

static void choose_again(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	const struct vy_row *row = back_newest(s);

	if (strcmp(it->id, ASIS) == 0) {
		back_retry(s, fx);
	} else if (row) {
		back_again(s, row->message.message);
	}
}

static const struct menu_kind menu_again = {
	.title = N_("Say again"),
	.fill = fill_again,
	.choose = choose_again,
};

void menu_again_open(struct app_state *s, struct app_effects *fx)
{
	const struct vy_row *row = back_newest(s);

	if (!row) {
		app_flash(s, _("nothing was said here yet"));
		return;
	}
	menu_open(s, &menu_again, fx);
	say_title(s, row);
}

void menu_back_told(struct app_state *s, const struct vy_json *result, const struct vy_err *e)
{
	if (s->menu.kind == &menu_how) {
		offer(s, vy_json_get(result, "files"), result ? NULL : e->text);
	}
}

void menu_back_to(struct app_state *s, const struct vy_row *row, struct app_effects *fx)
{
	if (!back_may(s)) {
		return;
	}
	char *about = vy_memdup0(row->message.message.p, row->message.message.n);

	menu_open(s, &menu_how, fx);
	s->menu.about = about;
	say_title(s, row);
	offer(s, NULL, NULL);
	back_dry(s, vy_str_c(s->menu.about), fx);
}

/* state.c -- see state.h: the value, and what the server tells. Keys are in keys.c. */
#include "tui/app/state.h"

#include <stdio.h>
#include <stdlib.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "tui/app/answer.h"
#include "tui/app/aside.h"
#include "tui/app/back.h"
#include "tui/app/command.h"
#include "tui/app/compact.h"
#include "tui/app/escape.h"
#include "tui/app/ledger.h"
#include "tui/app/pause.h"
#include "tui/app/queue.h"
#include "tui/app/say.h"
#include "tui/app/sessions.h"
#include "tui/words/said.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define FLASH_MS       4000
#define FLASH_LEAST_MS 1000 /* a key does not take it away before it could be read */
#define SPIN_MS        100
#define PAGE_AGAIN_MS  2000  /* an older page did not come */
#define QUIET_MS       2000  /* a blip shows nothing */
#define SINCE_MS       60000 /* then since when */
#define CTRL_C_MS      1500

void app_effects_fini(struct app_effects *fx)
{
	for (size_t i = 0; i < fx->n; i++) {
		free(fx->v[i].text);
		vy_json_free(fx->v[i].params);
	}
	fx->n = 0;
}

void app_state_init(struct app_state *s, struct vy_width width)
{
	*s = (struct app_state){ .down_since_ms = -1,
		.is_mouse_ours = true,
		.closed_word = SIZE_MAX,
		.completed_at = SIZE_MAX };
	s->pool = cell_pool_new(width);
	s->fold = vy_fold_new();
	s->transcript = transcript_new(s->pool);
	s->album = album_new();
	composer_init(&s->composer);
	ask_panel_init(&s->panel, &s->keymap);
	aside_panel_init(&s->aside, s->pool);
	keymap_init(&s->keymap);
	menu_init(&s->menu);
	browse_init(&s->browse);
	terms_init(&s->terms);
	seen_init(&s->seen);
	column_init(&s->column);
}

static void free_unsent(struct app_state *s)
{
	for (size_t i = 0; i < s->n_unsent; i++) {
		free(s->unsent[i].id);
		free(s->unsent[i].text);
		free(s->unsent[i].why);
	}
	free(s->unsent);
	s->unsent = NULL;
	s->n_unsent = 0;
}

static void set(char **at, struct vy_str value)
{
	char *fresh = value.n ? vy_memdup0(value.p, value.n) : NULL;

	free(*at);
	*at = fresh;
}

static void forget_words(struct app_state *s)
{
	char **const all[] = { &s->session, &s->title, &s->provider, &s->model, &s->mode,
		&s->thinking, &s->cwd, &s->branch, &s->auth, &s->trouble, &s->note, &s->flash,
		&s->editing, &s->answered, &s->paused, &s->paused_note };

	for (size_t i = 0; i < VY_COUNT(all); i++) {
		set(all[i], vy_str_n(NULL, 0));
	}
}

/* A word of the server for one line of the screen. */
static void set_shown(char **at, struct vy_str value)
{
	VY_AUTO_BUF b = VY_BUF_INIT(8192);

	vy_utf8_visible(value, VY_UTF8_LINE, &b);
	set(at, vy_buf_str(&b));
}

void app_state_fini(struct app_state *s)
{
	stand_fini(&s->stand);
	forget_words(s);
	vy_json_free(s->tasks);
	free_unsent(s);
	menu_fini(&s->menu);
	terms_fini(&s->terms);
	browse_fini(&s->browse);
	back_fini(&s->back);
	column_fini(&s->column);
	left_fini(&s->left);
	seen_fini(&s->seen);
	vy_json_free(s->commands);
	keymap_fini(&s->keymap);
	ask_panel_fini(&s->panel);
	aside_panel_fini(&s->aside);
	composer_fini(&s->composer);
	places_fini(&s->places);
	transcript_free(s->transcript);
	album_free(s->album);
	vy_fold_free(s->fold);
	cell_pool_free(s->pool);
}

/* What the list of sessions tells of it, until its record is here: nothing flickers. */
static void know_from_list(struct app_state *s)
{
	const struct roster_row *row = roster_find(&s->column.roster, vy_str_c(s->session));

	if (row) {
		set_shown(&s->title, row->title);
		set_shown(&s->provider, row->provider);
		set_shown(&s->model, row->model);
		set_shown(&s->cwd, row->cwd);
		s->stand.how = row->stand;
	}
}

static void keep_place(struct app_state *s)
{
	struct transcript_place at;

	if (s->session) {
		transcript_place_get(s->transcript, s->fold, &at);
		places_keep(&s->places, s->session, &at);
	}
}

static void find_place(struct app_state *s)
{
	const struct transcript_place *at = places_find(&s->places, s->session);

	if (at) {
		transcript_place_set(s->transcript, at);
	}
}

void app_saw(struct app_state *s)
{
	if (s->session) {
		seen_set(&s->seen, s->session, s->messages);
	}
}

static void told_messages(struct app_state *s, int64_t n)
{
	s->messages = n > s->messages ? n : s->messages;
}

void app_state_open(struct app_state *s, const char *session)
{
	keep_place(s);
	app_saw(s);
	menu_close(s);
	back_clear(&s->back);
	aside_panel_clear(&s->aside);
	browse_clear(&s->browse);
	term_leave_session(s);
	stand_clear(&s->stand);
	forget_words(s);
	vy_json_free(s->commands);
	s->commands = NULL;
	s->n_opened++;
	set(&s->session, vy_str_c(session));
	s->used = s->max = s->viewers = s->messages = 0;
	column_stale(s);
	know_from_list(s);
	s->cost = 0;
	s->is_cost_unknown = false;
	vy_json_free(s->tasks);
	s->tasks = NULL;
	s->ask_at = 0;
	s->is_saying = s->is_paging = false;
	s->no_paging_until = 0;
	s->focus = APP_COMPOSER;
	free_unsent(s);
	vy_fold_clear(s->fold);
	transcript_clear(s->transcript, s->session);
	album_clear(s->album);
	find_place(s);
	ask_panel_sync(&s->panel, NULL, 0, 0, s->now_ms);
}

/* ---- what the server tells ---- */

/* What a person who looks elsewhere is told: which ask, or how the turn went. */
static void notice(const struct app_state *s, struct app_effects *fx, const char *word)
{
	const struct vy_fold_state *st = vy_fold_state(s->fold);
	const struct vy_row *ask = st->asks ? vy_fold_ask(s->fold, st->asks - 1) : NULL;
	VY_AUTO_BUF b = VY_BUF_INIT(65536);

	if (fx->n == APP_EFFECTS_MAX) {
		return;
	}
	if (word[0] != 'a') {
		vy_buf_adds(&b, st->state == VY_STATE_FAILED ? _("failed") : _("your turn"));
	} else if (ask) {
		vy_buf_addstr(&b, words_said(ask->ask.title));
		if (ask->ask.summary.n) {
			vy_buf_addf(&b, ": %.*s", VY_STR_ARG(ask->ask.summary));
		}
	}
	fx->v[fx->n++] = (struct app_effect){
		.kind = APP_NOTICE, .word = word, .text = vy_strdup(vy_buf_c(&b))
	};
}

static bool is_busy(enum vy_state state)
{
	return state == VY_STATE_WORKING || state == VY_STATE_ASKING || state == VY_STATE_STARTING;
}

static void sync_panel(struct app_state *s, struct app_effects *fx)
{
	size_t open = vy_fold_state(s->fold)->asks, before = s->panel.count;

	if (s->ask_at >= open) {
		s->ask_at = open ? open - 1 : 0;
	}
	ask_panel_sync(&s->panel, vy_fold_ask(s->fold, s->ask_at), s->ask_at, open, s->now_ms);
	answer_ask_whole(s, fx);
	if (open > before) {
		notice(s, fx, "ask");
	}
	if (open == 0 && s->focus == APP_ASK) {
		s->focus = APP_COMPOSER;
	}
	if (open == 0) {
		s->is_saying = false;
	}
}

static void take_usage(struct app_state *s, const struct vy_json *usage)
{
	s->used = vy_json_int(usage, "used", s->used);
	s->max = vy_json_int(usage, "max", s->max);
	s->cost = vy_json_num(usage, "cost_usd", s->cost);
	s->is_cost_unknown = usage && s->used > 0 && !vy_json_get(usage, "cost_usd");
}

static void set_tasks(struct app_state *s, struct vy_json *own)
{
	vy_json_free(s->tasks);
	s->tasks = own;
}

static void take_status(struct app_state *s, const struct vy_frame *f)
{
	stand_status(s, f);
	if (vy_frame_has(f, VY_F_MODE)) {
		set_shown(&s->mode, vy_frame_str(f, VY_F_MODE));
	}
	if (vy_frame_has(f, VY_F_MODEL)) {
		set_shown(&s->model, vy_frame_str(f, VY_F_MODEL));
	}
	if (vy_frame_has(f, VY_F_THINKING)) {
		set_shown(&s->thinking, vy_frame_str(f, VY_F_THINKING));
	}
	if (vy_frame_has(f, VY_F_TITLE)) {
		set_shown(&s->title, vy_frame_str(f, VY_F_TITLE));
	}
	if (vy_frame_has(f, VY_F_TASKS)) {
		set_tasks(s, vy_json_parse(vy_frame_str(f, VY_F_TASKS), NULL));
	}
	if (vy_frame_has(f, VY_F_USAGE)) {
		VY_AUTO_JSON *usage = vy_json_parse(vy_frame_str(f, VY_F_USAGE), NULL);

		take_usage(s, usage);
	}
}

/* Another screen was first: it is said what, and by whom. */
static void say_answered(struct app_state *s, struct vy_str ask)
{
	VY_AUTO_BUF key = VY_BUF_INIT(2 * VY_ID_MAX), line = VY_BUF_INIT(8192);
	const struct vy_row *row;
	struct vy_arena mem;

	vy_buf_addf(&key, "ask:%.*s", VY_STR_ARG(ask));
	row = vy_fold_find(s->fold, vy_buf_str(&key));
	vy_arena_init(&mem);
	if (row) {
		vy_utf8_visible(block_ask_said(&row->ask, &mem), VY_UTF8_LINE, &line);
		app_flash(s, vy_buf_c(&line));
	}
	vy_arena_fini(&mem);
}

void app_stale(struct app_state *s)
{
	s->around.grid = NULL;
}

/* Words at the end of a row that is there, and nothing else. */
static bool is_words(const struct vy_frame *f, const struct vy_change *ch)
{
	return f->kind == VY_KIND_TEXT_DELTA && ch->grew && !ch->rest && !ch->state &&
	       ch->inserted == 0 && ch->removed == 0;
}

void app_frame(struct app_state *s, const struct vy_frame *f, struct app_effects *fx)
{
	struct vy_change ch = { 0 };
	struct vy_str by = vy_frame_str(f, VY_F_BY);
	bool was_shown = f->kind == VY_KIND_ASK_ANSWERED && s->panel.ask &&
			 vy_str_is(vy_frame_str(f, VY_F_ASK_ID), s->panel.ask);
	const struct vy_fold_state was = *vy_fold_state(s->fold), *is;
	bool was_busy = is_busy(was.state);

	if (f->kind == VY_KIND_STATUS && f->cur == 0) {
		pause_told(s, f);
		app_stale(s);
		return;
	}
	vy_fold_apply(s->fold, f, &ch);
	transcript_changed(s->transcript, s->fold, &ch);
	if (is_words(f, &ch)) {
		return; /* nothing but the transcript knows of it */
	}
	app_stale(s);
	if (f->kind == VY_KIND_STATUS) {
		take_status(s, f);
	}
	if (f->kind == VY_KIND_USER_MESSAGE && s->line == APP_LIVE) {
		back_word(s);
	}
	if (ch.stale) {
		app_effect(fx, APP_REREAD);
	}
	told_messages(s, vy_frame_int(f, VY_F_MESSAGES, 0));
	sync_panel(s, fx);
	queue_changed(s, fx);
	menu_changed(s);
	is = vy_fold_state(s->fold);
	if (is->state != was.state || is->asks != was.asks) {
		column_stale(s);
	}
	if (was_busy && s->line == APP_LIVE && !is_busy(is->state)) {
		app_saw(s);
		notice(s, fx, "finished");
	}
	bool is_mine = s->answered && vy_str_is(vy_frame_str(f, VY_F_ASK_ID), s->answered);

	if (was_shown && by.n && s->line == APP_LIVE && !is_mine) {
		say_answered(s, vy_frame_str(f, VY_F_ASK_ID));
	}
}

void app_snapshot(struct app_state *s, const struct vy_json *snapshot, struct app_effects *fx)
{
	struct vy_err e = { 0 };

	if (vy_fold_load(s->fold, snapshot, &e) != 0) {
		app_failed(s, e.text);
	}
	transcript_redraw(s->transcript, s->fold);
	app_record(s, vy_json_get(snapshot, "record"));
	sync_panel(s, fx);
	queue_changed(s, fx);
	menu_changed(s);
}

int64_t app_wants_older(const struct app_state *s)
{
	bool may = !s->is_paging && s->line == APP_LIVE && s->now_ms >= s->no_paging_until;

	return may && (s->wants_whole || transcript_wants_older(s->transcript) ||
			      menu_back_wants_older(s))
		       ? (int64_t)vy_fold_older(s->fold)
		       : 0;
}

void app_older(struct app_state *s, const struct vy_json *page)
{
	struct vy_err e = { 0 };

	s->is_paging = false;
	if (!page) {
		s->no_paging_until = s->now_ms + PAGE_AGAIN_MS;
	} else if (vy_fold_load_older(s->fold, page, &e) != 0) {
		s->no_paging_until = INT64_MAX; /* it would not get better */
		app_failed(s, e.text);
	}
	if (page) {
		transcript_redraw(s->transcript, s->fold);
		menu_changed(s);
	}
}

/* Of a setting nobody told of there is nothing to show; an act nobody told of is tried. */
static void set_capabilities(struct app_state *s, const struct vy_json *can)
{
	s->can_think = vy_json_bool(can, "thinking", false);
	s->can_effort = vy_json_bool(can, "effort", false);
	s->cannot_rewind = !vy_json_bool(can, "rewind", true);
	s->cannot_aside = !vy_json_bool(can, "aside", true);
	s->cannot_fork = !vy_json_bool(can, "fork", true);
}

void app_record(struct app_state *s, const struct vy_json *r)
{
	if (!r) {
		return;
	}
	set(&s->session, vy_json_str(r, "session"));
	set_shown(&s->title, vy_json_str(r, "title"));
	set_shown(&s->provider, vy_json_str(r, "provider"));
	set_shown(&s->model, vy_json_str(r, "model"));
	set_shown(&s->mode, vy_json_str(r, "mode"));
	set_shown(&s->thinking, vy_json_str(r, "thinking"));
	set_shown(&s->cwd, vy_json_str(r, "cwd"));
	set_shown(&s->auth, vy_json_str(r, "auth"));
	set_capabilities(s, vy_json_get(r, "capabilities"));
	s->viewers = vy_json_int(r, "viewers", 0);
	told_messages(s, vy_json_int(r, "messages", 0));
	take_usage(s, vy_json_get(r, "usage"));
	set_tasks(s, vy_json_copy(vy_json_get(r, "tasks")));
	stand_record(s, r);
	back_record(s, r);
	menu_changed(s);
}

void app_set_branch(struct app_state *s, const char *branch)
{
	set_shown(&s->branch, vy_str_c(branch));
}

static void end_flash(struct app_state *s)
{
	set(&s->flash, vy_str_n(NULL, 0));
	s->is_flash_of_line = false;
}

void app_set_line(struct app_state *s, enum app_line line, int64_t down_since_ms, const char *why)
{
	s->line = line;
	s->down_since_ms = down_since_ms;
	if (line != APP_LIVE && line != APP_CATCHING_UP) {
		pause_forget(s);
	}
	set_shown(&s->trouble, vy_str_c(why));
	if (line == APP_LIVE) {
		column_stale(s);
	}
	if (line == APP_LIVE && s->is_flash_of_line) {
		end_flash(s);
	}
}

void app_flash(struct app_state *s, const char *text)
{
	set_shown(&s->flash, vy_str_c(text));
	s->flash_since_ms = s->now_ms;
	s->flash_until_ms = s->now_ms + FLASH_MS;
	s->is_flash_of_line = false;
}

void app_flash_seen(struct app_state *s)
{
	if (s->flash && s->now_ms - s->flash_since_ms >= FLASH_LEAST_MS) {
		end_flash(s);
	}
}

void app_note(struct app_state *s, const char *sentence)
{
	set_shown(&s->note, vy_str_c(sentence));
}

void app_failed(struct app_state *s, const char *sentence)
{
	app_flash(s, sentence);
	s->flash_until_ms = s->now_ms + 2 * FLASH_MS;
}

void app_no_server(struct app_state *s, const char *sentence)
{
	if (s->line != APP_LIVE) { /* else somebody started one meanwhile */
		app_failed(s, sentence);
		s->is_flash_of_line = true;
	}
}

void app_set_unsent(struct app_state *s, struct app_unsent *own_list, size_t n)
{
	free_unsent(s);
	s->unsent = own_list;
	s->n_unsent = n;
}

void app_reply(struct app_state *s, struct app_tag tag, const struct vy_json *result,
	const struct vy_err *e, struct app_effects *fx)
{
	switch (tag.who) {
	case APP_FOR_MENU: menu_reply(s, tag.serial, result, e, fx); break;
	case APP_FOR_MEMORY: app_remembered(s, result, e); break;
	case APP_FOR_COMMANDS:
		if (result && tag.serial == s->n_opened) {
			command_told(s, result);
			menu_changed(s);
			menu_follow(s, fx);
		}
		break;
	case APP_FOR_COLUMN: column_reply(s, tag.serial, result); break;
	case APP_FOR_OPENING: sessions_opened(s, tag.serial, result, e, fx); break;
	case APP_FOR_ASIDE: aside_reply(s, tag.serial, result, e); break;
	case APP_FOR_COMPACT: compact_reply(s, result, e); break;
	case APP_FOR_BUDGET: ledger_budget_told(s, result, e); break;
	case APP_FOR_PROMPT: ledger_prompt_told(s, tag.serial, result, e, fx); break;
	case APP_FOR_OUTPUT: page_told(s, tag.serial, result, e); break;
	case APP_FOR_BACK: back_reply(s, tag.serial, result, e, fx); break;
	case APP_FOR_ASK: answer_told(s, result); break;
	case APP_FOR_LEFT: left_told(s, result, e); break;
	case APP_FOR_RESUME:
		if (tag.serial == s->n_opened) {
			left_resume_told(s, result, e, fx);
		}
		break;
	case APP_FOR_NOBODY: break;
	}
}

void app_edited(struct app_state *s, struct app_tag tag, struct vy_str text, struct app_effects *fx)
{
	if (tag.who == APP_FOR_PROMPT) {
		ledger_prompt_edited(s, tag.serial, text, fx);
	}
}

/* ---- time ---- */

void app_time(struct app_state *s, int64_t boot_ms, int64_t wall_ms)
{
	s->now_ms = boot_ms;
	s->wall_ms = wall_ms;
	s->spin = s->is_still ? 0 : (int)(boot_ms / SPIN_MS);
	if (s->flash && boot_ms >= s->flash_until_ms) {
		end_flash(s);
	}
}

static int64_t sooner(int64_t a, int64_t b)
{
	return a < 0 ? b : b < 0 || a < b ? a : b;
}

int64_t app_next_ms(const struct app_state *s)
{
	enum vy_state state = vy_fold_state(s->fold)->state;
	int64_t next = -1;

	if (s->flash) {
		next = sooner(next, s->flash_until_ms - s->now_ms);
	}
	if (escape_again_ms(s) >= 0) {
		next = sooner(next, escape_again_ms(s));
	}
	if (transcript_moves(s->transcript) && !s->is_still) {
		next = sooner(next, SPIN_MS);
	}
	if (state == VY_STATE_WORKING || state == VY_STATE_STARTING) {
		next = sooner(next, 1000 - s->wall_ms % 1000); /* the elapsed time */
	}
	if (s->down_since_ms >=
		0) { /* after a while it says "reconnecting", then for how many minutes */
		int64_t down = s->now_ms - s->down_since_ms;

		next = sooner(next, down < QUIET_MS ? QUIET_MS - down : SINCE_MS - down % SINCE_MS);
	}
	if (s->panel.ask && s->now_ms - s->panel.shown_ms < ASK_PANEL_SAFE_MS) {
		next = sooner(next, ASK_PANEL_SAFE_MS - (s->now_ms - s->panel.shown_ms));
	}
	next = sooner(next, term_next_ms(s));
	return next < 0 ? -1 : next < 5 ? 5 : next;
}

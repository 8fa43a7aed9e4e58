/* paint.c -- the whole screen from the state: status line, the column of sessions, and beside it
 * transcript, queue, ask, composer, hints.
 *
 * From the bottom up each part takes what it needs, the transcript gets the rest. Air (a blank line
 * above and below the composer) is the first thing a small window gives up. */
#include <stdio.h>
#include <string.h>

#include "shared/text/wrap.h"
#include "tui/app/back.h"
#include "tui/app/foot.h"
#include "tui/app/help.h"
#include "tui/app/hint.h"
#include "tui/app/ledger.h"
#include "tui/app/look.h"
#include "tui/app/pause.h"
#include "tui/app/queue.h"
#include "tui/app/say.h"
#include "tui/app/state.h"
#include "tui/app/vi.h"
#include "tui/app/welcome.h"
#include "tui/ink/cell_rows.h"
#include "tui/ink/theme.h"
#include "tui/words/pause.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define MIN_COLS     40
#define MIN_ROWS     12
#define AIRY_ROWS    20
#define TITLE_LEAST  12 /* cells of the title, beside others that need much */
#define TITLE_MOST   32
#define CHIP_GAP     2
#define FOLDER_GAP   3
#define FOLDER_LEAST 8 /* cells that say something of a folder */

/* ---- status line ---- */

static void format_elapsed(int64_t ms, char *out, size_t room)
{
	int64_t sec = ms > 0 ? ms / 1000 : 0;

	if (sec < 3600) {
		snprintf(out, room, "%lld:%02lld", (long long)(sec / 60), (long long)(sec % 60));
	} else {
		snprintf(out, room, "%lld:%02lld:%02lld", (long long)(sec / 3600),
			(long long)(sec / 60 % 60), (long long)(sec % 60));
	}
}

/* How long the turn has worked, in ms; -1: that is not counted now. */
static int64_t worked(const struct app_state *s)
{
	const struct vy_fold_state *st = vy_fold_state(s->fold);

	return look_of(st->state, st->stopping).counts && st->since
		       ? s->wall_ms - st->since + st->worked
		       : -1;
}

/* The seconds that the status line counts; -1: it counts none. */
static int64_t second_of(const struct app_state *s)
{
	int64_t ms = worked(s);

	return ms < 0 ? -1 : ms / 1000;
}

/* "   limit 86%   ctx 38%   $0.31": what of it is known, and has room. */
static void format_usage(const struct app_state *s, int cols, char *out, size_t room)
{
	VY_AUTO_BUF b = VY_BUF_INIT(256);

	if (stand_near_limit(s) && cols >= 60) {
		/* TRANSLATORS: so much of a limit of use is used; a short word */
		vy_buf_addf(&b, _("   limit %d%%"), stand_near_limit(s));
	}
	if (s->max > 0 && cols >= 60) {
		vy_buf_addf(&b, "   ctx %d%%", (int)(s->used * 100 / s->max));
	}
	if (s->cost > 0 && cols >= 70) {
		vy_buf_addf(&b, "   $%.2f", s->cost);
	}
	snprintf(out, room, "%s", vy_buf_c(&b));
}

/* How it stands: the whole sentence, or a shorter one, in at most half of the line. Whoever pays can do
 * something about a budget, and is told how if that has room. False: as its state says. */
static bool say_stand(
	const struct app_state *s, struct cell_win w, struct look *look, struct vy_buf *word)
{
	bool has_remedy = stand_kind(s) == STANDING_BUDGET;

	for (int is_short = 0; is_short <= 1; is_short++) {
		vy_buf_clear(word);
		if (!stand_look(s, is_short, look, word)) {
			return false;
		}
		size_t n = word->len;

		vy_buf_adds(word, has_remedy ? " · /budget" : "");
		if (cell_width(w.grid->pool, vy_buf_str(word)) <= w.w / 2) {
			return true;
		}
		vy_buf_truncate(word, n);
	}
	return true;
}

static int draw_state(const struct app_state *s, struct cell_win w)
{
	const struct vy_fold_state *st = vy_fold_state(s->fold);
	struct look sw = look_of(st->state, st->stopping);
	VY_AUTO_BUF word = VY_BUF_INIT(1024);

	if (say_stand(s, w, &sw, &word)) {
		sw.word = vy_buf_c(&word);
	}
	if (s->paused) {
		sw = look_of(VY_STATE_PAUSED, false);
		sw.word = words_pause_short(vy_str_c(s->paused));
	}
	char text[400], elapsed[32] = "", usage[160] = "";
	int x = w.w - 1;

	format_usage(s, w.w, usage, sizeof(usage));
	if (sw.counts && worked(s) >= 0) {
		format_elapsed(worked(s), elapsed, sizeof(elapsed));
	}
	snprintf(text, sizeof(text), "%s %s%s%s", sw.mark, sw.word, elapsed[0] ? " " : "", elapsed);
	x = cell_puts_right(w, x, 0, usage, theme_ink(THEME_STATUS));
	return cell_puts_right(w, x, 0, text, theme_ink(sw.role));
}

/* The folder with the home shortened, and the branch. */
static void add_folder(const struct app_state *s, struct vy_buf *out)
{
	if (s->cwd) {
		look_folder(s->cwd, s->home, out);
	}
	if (s->cwd && s->branch) {
		vy_buf_addf(out, "  ⎇ %s", s->branch);
	}
}

/* Cells of the title: all that the others leave, and where they need much, at least a third; more than
 * that the folder is worth. */
static int title_room(int room, int others)
{
	int share = room / 3 < TITLE_MOST ? room / 3 : TITLE_MOST;

	share = share > room - others ? share : room - others;
	return share > TITLE_LEAST ? share : TITLE_LEAST;
}

/* Title, provider and model, folder: the folder gives way first, from its beginning. */
static void draw_status(const struct app_state *s, struct cell_win w)
{
	VY_AUTO_BUF folder = VY_BUF_INIT(8192), cut = VY_BUF_INIT(8192);
	struct cell_rect all = { 0, 0, w.w, 1 };
	char chip[256] = "";
	int x = 1;

	cell_fill(w, all, (struct cell_style){ .bg = CELL_ROLE(THEME_STATUS) });
	int room = draw_state(s, w) - 2;

	if (s->provider) {
		snprintf(chip, sizeof(chip), "%s%s%s", s->provider, s->model ? " · " : "",
			s->model ? s->model : "");
	}
	if (s->with_details && chip[0] && ledger_auth(s->auth)) {
		size_t n = strlen(chip);

		snprintf(chip + n, sizeof(chip) - n, " · %s", ledger_auth(s->auth));
	}
	add_folder(s, &folder);
	int others = CHIP_GAP + cell_width(w.grid->pool, vy_str_c(chip)) + FOLDER_GAP +
		     cell_width(w.grid->pool, vy_buf_str(&folder));

	x += look_line(w, x, 0, vy_str_c(s->title ? s->title : _("new session")),
		title_room(room - x, others), theme_bold(THEME_TITLE));
	if (x + CHIP_GAP < room) {
		x += CHIP_GAP + look_line(w, x + CHIP_GAP, 0, vy_str_c(chip), room - x - CHIP_GAP,
					theme_ink(THEME_STATUS));
	}
	x += FOLDER_GAP;
	if (room - x >= FOLDER_LEAST) {
		vy_width_ellipsis_tail(vy_buf_str(&folder), (size_t)(room - x),
			cell_pool_width(w.grid->pool), &cut);
		cell_put(w, x, 0, vy_buf_str(&cut), theme_ink(THEME_STATUS));
	}
}

/* ---- the whole ---- */

static struct cell_win part(struct cell_win w, int y, int h)
{
	return cell_win_sub(w, (struct cell_rect){ 0, y, w.w, h });
}

static void too_small(struct cell_win w, struct screen_cursor *cursor)
{
	cell_puts(w, 0, 0, _("too small: 40x12 at least"), theme_ink(THEME_WARN));
	*cursor = (struct screen_cursor){ .visible = false };
}

/* What the empty composer says. While the ask has the keys nothing can be typed there. */
static const char *invitation(const struct app_state *s, char *out, size_t room)
{
	char key[KEY_NAME_MAX];

	if (s->focus == APP_ASK) {
		snprintf(out, room, _("%s to type here"),
			keymap_hint(&s->keymap, ACTION_ASK_LEAVE, key));
		return out;
	}
	if (s->is_saying) {
		return s->panel.copy.kind == VY_ASK_QUESTION ? _("type your own answer")
							     : _("say what to do instead");
	}
	return s->panel.ask ? _("type here, always; only a digit at the start answers")
			    : _("type here, always");
}

static void draw_below_mark(struct app_state *s, struct cell_win w)
{
	char text[80];
	size_t n = transcript_below(s->transcript);
	struct cell_style mark = theme_on(THEME_SELECT, THEME_SELECT);

	mark.attrs = CELL_BOLD;
	if (transcript_is_following(s->transcript)) {
		return;
	}
	snprintf(text, sizeof(text), n ? _(" ↓ %zu new ") : _(" ↓ end "), n);
	cell_puts_right(w, w.w - 2, w.h - 1, text, mark);
}

/* Nothing was said, and that is known: not before the log has been read. */
static bool is_new_session(const struct app_state *s)
{
	return vy_fold_len(s->fold) == 0 && s->provider && s->line != APP_CONNECTING &&
	       s->line != APP_CATCHING_UP;
}

/* Above row y; returns the row it begins at. Small windows keep a third for the transcript. */
static int draw_menu(struct app_state *s, struct cell_win w, int y, struct screen_cursor *cursor)
{
	int half = s->chat_rows / 2,
	    rows = picker_rows(&s->menu.picker, half < y - 3 ? half : y - 3);

	picker_draw(&s->menu.picker, part(w, y - rows, rows), cursor);
	return y - rows;
}

/* The same for side questions: whoever reads an answer may have most of the transcript's rows. */
static int draw_aside(struct app_state *s, struct cell_win w, int y, struct screen_cursor *cursor)
{
	int most = s->chat_rows * 2 / 3 < y - 1 ? s->chat_rows * 2 / 3 : y - 1;
	int rows = aside_panel_rows(&s->aside, w.w, most);

	aside_panel_draw(&s->aside, part(w, y - rows, rows), cursor);
	return y - rows;
}

static void say_pager_keys(const struct keymap *m, struct vy_buf *out)
{
	hint_add(m, out, ACTION_VIEW_CLOSE, _("close"));
	hint_two(m, out, ACTION_VIEW_UP, ACTION_VIEW_DOWN, _("scroll"));
	hint_two(m, out, ACTION_VIEW_LEFT, ACTION_VIEW_RIGHT, _("sideways"));
	hint_add(m, out, ACTION_VIEW_FIND, _("search"));
	hint_two(m, out, ACTION_VIEW_FIND_NEXT, ACTION_VIEW_FIND_PREV, _("matches"));
	hint_add(m, out, ACTION_VIEW_COPY, _("copy"));
}

static void draw_pager(struct app_state *s, struct cell_win w, struct screen_cursor *cursor)
{
	*cursor = (struct screen_cursor){ .x = 0, .y = w.h - 1, .visible = false };
	pager_draw(&s->browse.pager, part(w, 1, w.h - 2));
	if (s->focus == APP_SEEK) {
		seek_draw(s, w, w.h - 1, cursor);
		return;
	}
	VY_AUTO_BUF hint = VY_BUF_INIT(4096);

	if (s->flash) {
		vy_buf_adds(&hint, s->flash);
	} else {
		say_pager_keys(&s->keymap, &hint);
	}
	look_fit(&hint, w.grid->pool, w.w - 4);
	look_line(part(w, w.h - 1, 1), 2, 0, vy_buf_str(&hint), w.w - 4,
		theme_ink(s->flash ? THEME_TEXT : THEME_DIM));
}

/* A whole window of its own: help, or an opened output. False: neither is open. */
static bool draw_other(struct app_state *s, struct cell_win w, struct screen_cursor *cursor)
{
	if (s->focus == APP_HELP) {
		VY_AUTO_BUF keys = VY_BUF_INIT(4096);

		help_draw(s, part(w, 1, w.h - 2));
		hint_add(&s->keymap, &keys, ACTION_VIEW_CLOSE, _("close"));
		hint_two(&s->keymap, &keys, ACTION_VIEW_UP, ACTION_VIEW_DOWN, _("scroll"));
		look_line(part(w, w.h - 1, 1), 2, 0, vy_buf_str(&keys), w.w - 4,
			theme_ink(THEME_DIM));
		*cursor = (struct screen_cursor){ .x = 0, .y = w.h - 1, .visible = false };
		return true;
	}
	if (pager_is_open(&s->browse.pager)) {
		draw_pager(s, w, cursor);
		return true;
	}
	return false;
}

/* What waits, and what the agent asks: above row y; returns the row they begin at. */
static int draw_waiting(struct app_state *s, struct cell_win w, int y, bool airy)
{
	/* A list to choose from stands where the ask is: that one waits behind it. */
	bool is_covered = (menu_is_open(s) && !s->menu.kind->is_inline) || s->focus == APP_ASIDE;

	/* Whoever went there reads it: it may have what the transcript had, but for a few rows. */
	int most = s->panel.is_focused ? s->chat_rows * 3 / 4 : s->chat_rows / 2;

	s->panel.is_reachable = s->focus == APP_COMPOSER;
	most = most > y - 2 ? y - 2 : most;

	int ask = is_covered ? 0 : ask_panel_rows(&s->panel, s->pool, w.w, most);
	int queue = queue_rows(s), third = s->chat_rows / 3;

	y -= ask;
	ask_panel_draw(&s->panel, part(w, y, ask));
	queue = queue > third ? third : queue;
	y -= queue;
	if (airy && ask + queue > 0) {
		y--;
	}
	queue_draw(s, part(w, y + (airy && ask + queue > 0), queue));

	int back = back_rows(s);

	back = back < y - 1 ? back : y - 1;
	if (back > 0) {
		y -= back;
		back_draw(s, part(w, y, back));
		y -= airy;
	}
	int pause = pause_rows(s, w.w);

	pause = pause < y - 1 ? pause : y - 1;
	if (pause > 0) {
		y -= pause;
		pause_draw(s, part(w, y, pause));
		y -= airy;
	}
	return y;
}

static void draw_transcript(struct app_state *s, struct cell_win w)
{
	struct transcript_how how = { .now_ms = s->wall_ms,
		.album = s->album,
		.spin = s->spin,
		.with_details = s->with_details,
		.is_unwrapped = s->is_unwrapped,
		.is_ascii = s->is_ascii,
		.is_straight = s->is_straight,
		.is_browsing = s->focus == APP_BROWSE || s->focus == APP_SEEK };

	s->browse.view_x = w.x;
	s->browse.view_y = w.y;
	s->browse.view_h = w.h;
	if (is_new_session(s)) {
		welcome_draw(s, w);
		return;
	}
	transcript_draw(s->transcript, s->fold, w, &how);
	draw_below_mark(s, w);
}

/* While the person only reads, what is round the transcript changes by events alone, and with the
 * second: of the status line, and of the ages in the column. */
static void remember(struct app_state *s, struct cell_win transcript, struct screen_cursor cursor)
{
	bool is_calm = s->focus == APP_COMPOSER && s->line == APP_LIVE && !menu_is_open(s) &&
		       !s->flash && !s->panel.ask && !is_new_session(s) && !s->terms.is_shown;

	if (transcript.grid->row && is_calm) {
		s->around = (struct app_around){ .grid = transcript.grid,
			.frame = transcript.grid->frame,
			.second = second_of(s),
			.wall_second = s->column.cols ? s->wall_ms / 1000 : 0,
			.transcript = transcript,
			.cursor = cursor };
	}
}

static bool is_remembered(const struct app_state *s, const struct cell_grid *g)
{
	const struct app_around *a = &s->around;

	return a->grid == g && a->frame == g->frame && a->second == second_of(s) &&
	       a->wall_second == (s->column.cols ? s->wall_ms / 1000 : 0);
}

static void draw_chat(struct app_state *s, struct cell_win w, struct screen_cursor *cursor)
{
	struct vy_width width = cell_pool_width(s->pool);
	bool airy = w.h + 2 >= AIRY_ROWS;
	char invite[160];
	int rows, y = w.h - airy, cx, cy;

	s->chat_cols = w.w;
	s->chat_rows = w.h + 2;
	rows = composer_rows(&s->composer, w.w, width, s->chat_rows / 3);
	y -= rows;
	composer_draw(&s->composer, part(w, y, rows), invitation(s, invite, sizeof(invite)),
		app_kind(s), &cx, &cy);
	*cursor = (struct screen_cursor){ .x = w.x + cx,
		.y = w.y + y + cy,
		.visible = s->focus == APP_COMPOSER || menu_is_open(s),
		.shape = s->composer.is_vim && !vi_inserts(s) ? SCREEN_CURSOR_BLOCK
							      : SCREEN_CURSOR_BAR };
	y -= airy;
	if (menu_is_open(s)) {
		y = draw_menu(s, w, y, cursor);
	} else if (s->focus == APP_ASIDE) {
		y = draw_aside(s, w, y, cursor);
	}
	y = draw_waiting(s, w, y, airy);
	draw_transcript(s, part(w, 0, y));
	remember(s, part(w, 0, y), *cursor);
}

/* All below the status line, beside the column: the chat, the terminal, and a last line for both. */
static void draw_places(struct app_state *s, struct cell_win w, struct screen_cursor *cursor)
{
	struct term_split split = term_split(s, w.w, w.h - 1);

	s->terms.whole_w = w.w;
	s->terms.whole_h = w.h - 1;
	s->terms.pane = (struct cell_rect){ 0 };
	foot_draw(s, part(w, w.h - 1, 1));
	if (split.chat.h) {
		draw_chat(s, cell_win_sub(w, split.chat), cursor);
	}
	if (split.pane.h) {
		term_draw(s, cell_win_sub(w, split.pane), split.layout, cursor);
	}
	if (s->focus == APP_SEEK) {
		seek_draw(s, w, w.h - 1, cursor);
	} else if (s->terms.is_seeking) {
		term_seek_draw(s, w, w.h - 1, cursor);
	}
}

/* The sessions beside the chat are a side of their own: what streams leaves them alone. */
static void make_room(struct app_state *s, struct cell_grid *g)
{
	bool is_other = s->focus == APP_HELP || pager_is_open(&s->browse.pager) ||
			s->terms.is_alone || (s->focus == APP_TERM && s->terms.layout == TERM_FULL);
	int list = is_other || g->rows < MIN_ROWS
			   ? 0
			   : column_cols((enum column_wish)s->column.wish, g->cols);

	cell_grid_split(g, list);
	if (list && !s->column.cols) { /* it appears */
		column_stale(s);
	}
	s->column.cols = list;
}

static void draw_all(struct app_state *s, struct cell_win w, struct screen_cursor *cursor)
{
	int list = s->column.cols;

	s->cols = w.w;
	s->rows = w.h;
	if (s->terms.is_alone && s->focus != APP_HELP) {
		term_draw_alone(s, w, cursor);
		return;
	}
	if (w.w < MIN_COLS || w.h < MIN_ROWS) {
		too_small(w, cursor);
		return;
	}
	draw_status(s, part(w, 0, 1));
	if (draw_other(s, w, cursor)) {
		return;
	}
	if (list) {
		column_draw(s, cell_win_sub(w, (struct cell_rect){ 0, 1, list, w.h - 1 }));
	}
	draw_places(s, cell_win_sub(w, (struct cell_rect){ list, 1, w.w - list, w.h - 1 }), cursor);
}

void app_paint(struct app_state *s, struct cell_grid *g, struct screen_cursor *cursor)
{
	bool stays = is_remembered(s, g);

	cell_frame_begin(g);
	album_turn(s->album);
	if (stays) {
		struct cell_win w = s->around.transcript;

		cell_frame_stays(g, w.y, w.y + w.h);
		draw_transcript(s, w);
		s->around.frame = g->frame;
		*cursor = s->around.cursor;
	} else {
		if (g->row) {
			app_stale(s);
		}
		make_room(s, g);
		draw_all(s, cell_win_all(g), cursor);
	}
	cell_frame_end(g);
}

void app_title(const struct app_state *s, char *out, size_t room)
{
	int64_t asks = column_asks(s);
	const struct term_tab *tab = s->terms.is_alone ? terms_now(&s->terms) : NULL;

	if (tab && pane_title(tab->pane).n) {
		snprintf(out, room, "%.*s", VY_STR_ARG(pane_title(tab->pane)));
		return;
	}
	if (asks > 0) {
		snprintf(out, room, "(%lld) %s%svyre", (long long)asks, s->title ? s->title : "",
			s->title ? " · " : "");
	} else {
		snprintf(out, room, "%s%svyre", s->title ? s->title : "", s->title ? " · " : "");
	}
}

/* column.c -- see column.h. */
#include "tui/app/column.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "tui/app/look.h"
#include "tui/app/menu.h"
#include "tui/app/say.h"
#include "tui/app/sessions.h"
#include "tui/app/state.h"
#include "tui/ink/cell_rows.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define AUTO_FROM   120 /* columns of the window */
#define CHAT_LEAST  40  /* columns of the chat beside it */
#define NARROWEST   24
#define WIDEST      32
#define HEAD        1 /* lines above the sessions */
#define MARK_AT     3 /* behind the digit of alt-1 to alt-9 */
#define TITLE_AT    5
#define TITLE_LEAST "title" /* so much of it at least */
#define WHEEL       3
#define LEFT        1

/* ---- life, room ---- */

void column_init(struct column *c)
{
	*c = (struct column){ .is_due = true };
	roster_init(&c->roster);
	vy_watch_init(&c->watch);
}

void column_fini(struct column *c)
{
	roster_fini(&c->roster);
	vy_watch_fini(&c->watch);
	free(c->title);
	free(c->numbers);
}

int column_cols(enum column_wish wish, int cols)
{
	int wide = cols / 4;

	if (wish == COLUMN_OFF || (wish == COLUMN_AUTO && cols < AUTO_FROM)) {
		return 0;
	}
	wide = wide < NARROWEST ? NARROWEST : wide > WIDEST ? WIDEST : wide;
	return cols - wide >= CHAT_LEAST ? wide : 0;
}

void column_toggle(struct app_state *s)
{
	struct column *c = &s->column;

	if (column_cols((enum column_wish)c->wish, s->cols)) {
		c->wish = COLUMN_OFF;
		return;
	}
	c->wish = COLUMN_ON;
	column_stale(s);
	if (!column_cols(COLUMN_ON, s->cols)) {
		char line[160];

		snprintf(line, sizeof(line), _("needs %d columns"), CHAT_LEAST + NARROWEST);
		app_flash(s, line);
	}
}

/* ---- the rows ---- */

/* The truth of our own: what its stream told, once it did. */
static void make_own(const struct app_state *s, bool is_listed, struct roster_row *row)
{
	const struct vy_fold_state *st = vy_fold_state(s->fold);

	row->session = vy_str_c(s->session);
	row->title = s->title ? vy_str_c(s->title) : row->title;
	row->news = 0;
	row->is_archived = false;
	if (st->has_state || !is_listed) {
		row->state = st->state;
		row->is_stopping = st->stopping;
		row->asks = (int64_t)st->asks;
		row->stand = s->stand.how;
		row->stand.kind = stand_kind(s);
	}
}

/* Our own is there, also when the list does not know it: it is new, or was put away. */
static size_t count(const struct app_state *s)
{
	const struct roster *r = &s->column.roster;

	return r->n + (s->session && !roster_find(r, vy_str_c(s->session)));
}

static bool row_at(const struct app_state *s, size_t i, struct roster_row *out)
{
	const struct roster *r = &s->column.roster;
	bool is_listed = i < r->n;

	if (i >= count(s)) {
		return false;
	}
	*out = is_listed ? r->rows[i] : (struct roster_row){ 0 };
	if (!is_listed || (s->session && vy_str_is(out->session, s->session))) {
		make_own(s, is_listed, out);
	}
	return true;
}

bool column_number(const struct app_state *s, size_t n, struct vy_str *session)
{
	struct roster_row row;

	if (!s->column.cols || !row_at(s, n - 1, &row)) {
		return false;
	}
	*session = row.session;
	return true;
}

/* ---- the look ---- */

/* Behind the last cell of a line: a blank and the edge come after it. */
static int right_of(struct cell_win w)
{
	return w.w - 2;
}

/* Worth more than the end of the title; an age, or what the mark says already, is not. */
static bool is_news(const struct roster_row *row)
{
	return row->asks > 0 || row->news > 0 || row->state == VY_STATE_FAILED ||
	       standing_waits(&row->stand);
}

static bool has_room(struct cell_pool *p, struct vy_str title, int room, const char *aside)
{
	return cell_width(p, title) + cell_width(p, vy_str_c(aside)) <= room;
}

static void draw_row(struct app_state *s, struct cell_win w, int y, size_t i)
{
	struct roster_row row;
	char digit[4] = "", aside[80];

	if (!row_at(s, i, &row)) {
		return;
	}
	bool is_here = s->session && vy_str_is(row.session, s->session);
	struct look look = roster_look(&row);
	enum theme_role role = roster_aside(&row, s->wall_ms, true, aside, sizeof(aside));

	if (is_here) {
		cell_fill(w, (struct cell_rect){ 0, y, w.w, 1 },
			(struct cell_style){ .bg = CELL_ROLE(THEME_SELECT) });
	}
	if (i < 9) {
		snprintf(digit, sizeof(digit), "%zu", i + 1);
	}
	cell_puts(w, 1, y, digit, theme_ink(THEME_DIM));
	cell_puts(w, MARK_AT, y, look.mark, theme_ink(look.role));
	struct vy_str title = roster_title(&row);
	int right = right_of(w);

	if (row.asks > 0 &&
		!has_room(s->pool, VY_STR_LIT(TITLE_LEAST), right - TITLE_AT - 1, aside)) {
		snprintf(aside, sizeof(aside), "%s",
			look.word); /* the shorter one, in some language */
	}
	if (is_news(&row) || has_room(s->pool, title, right - TITLE_AT - 1, aside)) {
		right = cell_puts_right(w, right, y, aside, theme_ink(role)) - 1;
	}
	look_line(w, TITLE_AT, y, title, right - TITLE_AT,
		is_here ? theme_bold(THEME_TITLE) : theme_ink(THEME_TEXT));
}

static void draw_head(const struct app_state *s, struct cell_win w)
{
	char key[KEY_NAME_MAX];
	int right = cell_puts_right(w, right_of(w), 0,
		keymap_hint(&s->keymap, ACTION_SESSION_LIST, key), theme_ink(THEME_DIM));

	look_line(w, 1, 0, vy_str_c(_("sessions")), right - 2, theme_ink(THEME_DIM));
}

static void draw_more(struct cell_win w, int y, size_t n)
{
	char more[80];

	snprintf(more, sizeof(more), words_count("… %lld more", "… %lld more", n), (long long)n);
	look_line(w, MARK_AT, y, vy_str_c(more), right_of(w) - MARK_AT, theme_ink(THEME_DIM));
}

static void draw_line(struct app_state *s, struct cell_win w, int y)
{
	struct column *c = &s->column;
	int row = y - HEAD;

	cell_fill(w, (struct cell_rect){ 0, y, w.w, 1 },
		(struct cell_style){ .bg = CELL_ROLE(THEME_LIST) });
	cell_puts(w, w.w - 1, y, s->is_ascii ? "|" : "│", theme_ink(THEME_LIST_EDGE));
	if (y < HEAD) {
		draw_head(s, w);
	} else if (row < c->rows) {
		draw_row(s, w, y, (size_t)c->top + (size_t)row);
	} else if (row == c->rows && count(s) > (size_t)c->rows) {
		draw_more(w, y, count(s) - (size_t)c->rows);
	}
}

/* Which rows are in sight, in so many lines. */
static void lay_out(struct app_state *s, int lines)
{
	struct column *c = &s->column;
	int n = (int)count(s), room = lines > HEAD ? lines - HEAD : 0;

	room -= n > room && room; /* for the line that counts the others */
	c->rows = n < room ? n : room;
	c->top = c->top + c->rows > n ? n - c->rows : c->top < 0 ? 0 : c->top;
}

static bool is_same_look(const struct column_look *a, const struct column_look *b)
{
	return a->list == b->list && a->second == b->second && a->asks == b->asks &&
	       a->opened == b->opened && a->cols == b->cols && a->rows == b->rows &&
	       a->top == b->top && a->state == b->state && a->has_state == b->has_state &&
	       a->is_stopping == b->is_stopping && a->is_ascii == b->is_ascii &&
	       a->kind == b->kind && a->position == b->position;
}

/* Its lines have other numbers than at the last painting if it looks otherwise. */
static void number_lines(struct app_state *s, struct cell_win w)
{
	struct column *c = &s->column;
	const struct vy_fold_state *st = vy_fold_state(s->fold);
	struct column_look look = { .list = c->roster.rev,
		.second = s->wall_ms / 1000,
		.asks = (int64_t)st->asks,
		.opened = s->n_opened,
		.cols = w.w,
		.rows = w.h,
		.top = c->top,
		.state = st->state,
		.has_state = st->has_state,
		.is_stopping = st->stopping,
		.kind = stand_kind(s),
		.position = s->stand.how.position,
		.is_ascii = s->is_ascii };
	const char *title = s->title ? s->title : "";

	if (c->title && is_same_look(&look, &c->look) && strcmp(title, c->title) == 0) {
		return;
	}
	free(c->title);
	c->title = vy_strdup(title);
	c->look = look;
	c->numbers = vy_realloc(c->numbers, ((size_t)w.h + 1) * sizeof(*c->numbers));
	for (int y = 0; y < w.h; y++) {
		c->numbers[y] = cell_number(s->pool);
	}
}

void column_draw(struct app_state *s, struct cell_win w)
{
	if (s->column.seen_rev != s->seen.rev) {
		s->column.seen_rev = s->seen.rev;
		roster_see(&s->column.roster, &s->seen);
	}
	lay_out(s, w.h);
	number_lines(s, w);
	for (int y = 0; y < w.h; y++) {
		if (!cell_row_keep(w, y, s->column.numbers[y])) {
			draw_line(s, w, y);
			cell_row_is(w, y, s->column.numbers[y]);
		}
	}
}

/* ---- the list ---- */

void column_stale(struct app_state *s)
{
	struct column *c = &s->column;

	c->is_due |= c->plane != COLUMN_TOLD || !c->is_known;
}

void column_ask(struct app_state *s, struct app_effects *fx)
{
	struct column *c = &s->column;
	bool is_wanted = c->plane == COLUMN_TOLD || (c->cols && c->plane == COLUMN_ALONE);

	if (is_wanted && c->is_due && !c->is_asked && s->line == APP_LIVE) {
		c->is_due = false;
		c->is_asked = true;
		c->asked = column_mark(s);
		app_query(fx, "threads.list", (struct app_tag){ APP_FOR_COLUMN, ++c->serial });
	}
}

int64_t column_mark(const struct app_state *s)
{
	return s->column.watch.since;
}

static void add_record(void *ctx, const struct vy_json *record)
{
	vy_json_add_take(ctx, vy_json_copy(record));
}

void column_list(struct app_state *s, const struct vy_json *result, int64_t asked)
{
	struct column *c = &s->column;
	VY_AUTO_JSON *answer = vy_json_new_obj();
	struct vy_json *threads = vy_json_new_arr();

	vy_watch_list(&c->watch, vy_json_get(result, "threads"), asked);
	vy_watch_each(&c->watch, add_record, threads);
	vy_json_take(answer, "threads", threads);
	roster_read(&c->roster, answer, &s->seen);
	c->is_known = true;
}

void column_reply(struct app_state *s, uint32_t serial, const struct vy_json *result)
{
	struct column *c = &s->column;

	if (serial != c->serial) {
		return;
	}
	c->is_asked = false;
	if (result) {
		column_list(s, result, c->asked);
		c->is_due &= c->plane != COLUMN_TOLD; /* the plane tells the rest */
	} else {
		c->is_known = false; /* it is asked for again when there is a reason to */
	}
}

/* ---- the control plane ---- */

void column_told(struct app_state *s, enum column_plane plane)
{
	s->column.plane = plane;
}

void column_begins(struct app_state *s, int64_t head)
{
	struct column *c = &s->column;

	c->plane = COLUMN_TOLD;
	/* Behind a cut all that was missed is told now, or a reset. */
	c->is_due = vy_watch_head(&c->watch, head) || !c->is_known;
}

void column_event(struct app_state *s, const struct vy_json *event)
{
	struct column *c = &s->column;
	struct vy_str session = vy_json_str(event, "session");

	switch (vy_watch_event(&c->watch, event)) {
	case VY_WATCH_RESET:
		c->serial++; /* a list that is on its way is too old */
		c->is_asked = false;
		c->is_known = false;
		c->is_due = true;
		break;
	case VY_WATCH_RECORD:
		if (c->is_known) { /* else it is shown with the others */
			roster_put(&c->roster, vy_watch_record(&c->watch, session), &s->seen);
			menu_sessions_told(s);
		}
		break;
	case VY_WATCH_GONE:
		roster_drop(&c->roster, session);
		menu_sessions_told(s);
		break;
	case VY_WATCH_NOTHING:
	case VY_WATCH_MESSAGE:
	case VY_WATCH_OTHER: break;
	}
}

int64_t column_asks(const struct app_state *s)
{
	return (int64_t)vy_fold_state(s->fold)->asks + roster_asks(&s->column.roster, s->session);
}

/* ---- the mouse ---- */

static void click(struct app_state *s, int y, struct app_effects *fx)
{
	struct column *c = &s->column;
	struct roster_row row;

	y -= 1 + HEAD; /* the status line is above it */
	if (y >= 0 && y < c->rows && row_at(s, (size_t)c->top + (size_t)y, &row)) {
		sessions_go(s, row.session, fx);
	} else if (y == c->rows && count(s) > (size_t)c->rows) {
		menu_open(s, &menu_sessions, fx);
	}
}

bool column_mouse(struct app_state *s, const struct key_mouse *m, struct app_effects *fx)
{
	struct column *c = &s->column;

	if (m->x >= c->cols) {
		return false;
	}
	switch (m->kind) {
	case KEY_MOUSE_WHEEL_UP: c->top -= WHEEL; return true;
	case KEY_MOUSE_WHEEL_DOWN: c->top += WHEEL; return true;
	case KEY_MOUSE_PRESS:
		if (m->button == LEFT) {
			click(s, m->y, fx);
		}
		return true;
	case KEY_MOUSE_DRAG: /* begun in the chat: it goes on there */
	case KEY_MOUSE_RELEASE:
	case KEY_MOUSE_MOVE:
	case KEY_MOUSE_WHEEL_LEFT:
	case KEY_MOUSE_WHEEL_RIGHT:
	default: return false;
	}
}

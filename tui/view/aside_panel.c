/* aside_panel.c -- see aside_panel.h. A question and its answer are drawn by the renderers of
 * tui/block, as rows that are in no transcript. */
#include "tui/view/aside_panel.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "tui/ink/theme.h"
#include "tui/view/edit_key.h"
#include "tui/view/turn.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define FRAME 2 /* the title, and the line */

/* ---- life ---- */

void aside_panel_init(struct aside_panel *p, struct cell_pool *pool)
{
	*p = (struct aside_panel){ .pool = pool };
	edit_init(&p->line);
}

static void free_turn(struct aside_turn *t)
{
	free(t->question);
	free(t->answer);
	free(t->trouble);
	block_sheet_fini(&t->asked);
	block_sheet_fini(&t->told);
	free(t);
}

void aside_panel_clear(struct aside_panel *p)
{
	while (p->n > 0) {
		free_turn(p->v[--p->n]);
	}
	edit_clear(&p->line);
	p->above = p->lines = 0;
}

void aside_panel_fini(struct aside_panel *p)
{
	aside_panel_clear(p);
	edit_fini(&p->line);
}

/* ---- questions and answers ---- */

static void take_out(struct aside_panel *p, size_t i)
{
	free_turn(p->v[i]);
	p->n--;
	memmove(p->v + i, p->v + i + 1, (p->n - i) * sizeof(*p->v));
}

uint32_t aside_panel_ask(struct aside_panel *p, struct vy_str question)
{
	struct aside_turn *t = VY_NEW(struct aside_turn);

	if (p->n == ASIDE_MOST) {
		take_out(p, 0);
	}
	t->question = vy_memdup0(question.p, question.n);
	t->number = ++p->last;
	block_sheet_init(&t->asked, p->pool);
	block_sheet_init(&t->told, p->pool);
	p->v[p->n++] = t;
	p->above = 0;
	return t->number;
}

static bool waits(const struct aside_turn *t)
{
	return !t->answer && !t->trouble;
}

bool aside_panel_told(
	struct aside_panel *p, uint32_t number, struct vy_str answer, const char *trouble)
{
	for (size_t i = 0; i < p->n; i++) {
		struct aside_turn *t = p->v[i];

		if (t->number == number && waits(t)) {
			t->answer = trouble ? NULL : vy_memdup0(answer.p ? answer.p : "", answer.n);
			t->trouble = trouble ? vy_strdup(trouble) : NULL;
			t->laid_cols = 0;
			p->news = number;
			return true;
		}
	}
	return false;
}

bool aside_panel_waits(const struct aside_panel *p)
{
	bool any = false;

	for (size_t i = 0; i < p->n; i++) {
		any = any || waits(p->v[i]);
	}
	return any;
}

bool aside_panel_give_up(struct aside_panel *p)
{
	bool any = false;

	for (size_t i = p->n; i-- > 0;) {
		if (waits(p->v[i])) {
			if (edit_is_empty(&p->line)) {
				edit_set(&p->line, vy_str_c(p->v[i]->question));
			}
			take_out(p, i);
			any = true;
		}
	}
	return any;
}

const char *aside_panel_answer(const struct aside_panel *p)
{
	int end = 0, seen = p->lines - p->above; /* the rows up to here are in sight, or above */
	const char *found = NULL;

	for (size_t i = 0; i < p->n; i++) {
		const struct aside_turn *t = p->v[i];

		if (t->answer && (!found || end < seen)) {
			found = t->answer;
		}
		end += t->asked.lines + t->told.lines + 2;
	}
	return found;
}

/* ---- keys ---- */

bool aside_panel_key(struct aside_panel *p, enum keymap_action a)
{
	int page = p->page > 1 ? p->page - 1 : 1;

	switch ((int)a) {
	case ACTION_ASIDE_UP: p->above++; return true;
	case ACTION_ASIDE_DOWN: p->above--; return true;
	case ACTION_ASIDE_PAGE_UP: p->above += page; return true;
	case ACTION_ASIDE_PAGE_DOWN: p->above -= page; return true;
	default: return edit_key(&p->line, a);
	}
}

void aside_panel_type(struct aside_panel *p, struct vy_str text)
{
	char *copy = vy_memdup0(text.p, text.n);

	for (size_t i = 0; i < text.n; i++) {
		copy[i] = copy[i] == '\n' || copy[i] == '\t' ? ' ' : copy[i];
	}
	if (edit_text(&p->line).n + text.n <= ASIDE_TEXT) {
		edit_insert(&p->line, vy_str_n(copy, text.n));
	}
	free(copy);
}

/* ---- the look ---- */

static void put_line(struct block_sheet *out, const char *text, enum theme_role role)
{
	VY_AUTO_BUF seen = VY_BUF_INIT(8192);
	struct cell_win w = block_lines(out, 1, 4);

	vy_utf8_visible(vy_str_c(text), VY_UTF8_LINE, &seen);
	cell_put(w, 0, 0, vy_buf_str(&seen), theme_ink(role));
}

static void lay_out(struct aside_turn *t, int cols)
{
	struct block_how how = { .cols = cols };
	struct vy_row asked = { .kind = VY_ROW_MESSAGE, .rev = 1, .key = VY_STR_LIT("asked") };
	struct vy_row told = { .kind = VY_ROW_MESSAGE, .rev = 1, .key = VY_STR_LIT("told") };

	if (t->laid_cols == cols) {
		return;
	}
	t->laid_cols = cols;
	asked.message = (struct vy_row_message){ .is_user = true,
		.message = VY_STR_LIT("asked"),
		.text = vy_str_c(t->question),
		.done = true,
		.state = VY_MESSAGE_SENT,
		.step = -1 };
	block_sheet_reset(&t->asked, cols);
	block_draw(&asked, &how, &t->asked);
	block_sheet_reset(&t->told, cols);
	if (t->answer) {
		told.message = (struct vy_row_message){ .message = VY_STR_LIT("told"),
			.text = vy_str_c(t->answer),
			.done = true,
			.step = -1 };
		block_draw(&told, &how, &t->told);
	} else {
		put_line(&t->told, t->trouble ? t->trouble : _("asking …"),
			t->trouble ? THEME_ERROR : THEME_DIM);
	}
}

/* Of all that was asked: an empty line between the parts, none before the first. */
static int lay_out_all(struct aside_panel *p, int cols)
{
	int lines = 0;

	for (size_t i = 0; i < p->n; i++) {
		lay_out(p->v[i], cols);
		lines += (i > 0) + p->v[i]->asked.lines + 1 + p->v[i]->told.lines;
	}
	return lines;
}

int aside_panel_rows(struct aside_panel *p, int cols, int most)
{
	int want;

	p->lines = lay_out_all(p, cols);
	want = FRAME + p->lines + (p->n > 0);
	most = most < 3 ? 3 : most;
	return want < 3 ? FRAME : want < most ? want : most;
}

/* The lines of a sheet that fall into the window when its first stands at row y. */
static int put_sheet(struct cell_win w, int y, struct block_sheet *s)
{
	int from = y < 0 ? -y : 0, to = w.h - y < s->lines ? w.h - y : s->lines;

	if (from < to) {
		cell_blit(w, 0, y + from, &s->grid,
			(struct cell_rect){ 0, from, s->grid.cols, to - from });
	}
	for (int i = from; i < to && !cell_pool_is_straight(w.grid->pool); i++) {
		turn_line(w, y + i, s, i);
	}
	return y + s->lines;
}

/* A long answer is read from its question on; but the end stays in sight where all of it fits. */
static void show_news(struct aside_panel *p, int rows)
{
	int behind = 0;

	for (size_t i = p->n; i-- > 0;) {
		const struct aside_turn *t = p->v[i];

		behind += t->asked.lines + 1 + t->told.lines;
		if (t->number == p->news) {
			p->above = behind > rows ? behind - rows : 0;
		}
		behind++;
	}
	p->news = 0;
}

static void draw_turns(struct aside_panel *p, struct cell_win w)
{
	int most = p->lines - w.h, y;

	p->page = w.h;
	if (p->news) {
		show_news(p, w.h);
	}
	p->above = p->above > most ? most : p->above;
	p->above = p->above < 0 ? 0 : p->above;
	y = w.h - p->lines + p->above;
	for (size_t i = 0; i < p->n; i++) {
		y = put_sheet(w, y + (i > 0), &p->v[i]->asked);
		y = put_sheet(w, y + 1, &p->v[i]->told);
	}
}

static void draw_title(const struct aside_panel *p, struct cell_win w)
{
	int x = 2;

	cell_hline(w, 0, 0, w.w, "─", theme_ink(THEME_LINE));
	cell_puts(w, 1, 0, " ", theme_ink(THEME_TEXT));
	x += cell_puts(w, x, 0, _("Beside the conversation"), theme_bold(THEME_TITLE));
	cell_puts(w, x, 0, " ", theme_ink(THEME_TEXT));
	if (p->above > 0) {
		cell_puts_right(w, w.w - 2, 0, " ↓ ", theme_ink(THEME_ACCENT));
	}
}

static void draw_line(const struct aside_panel *p, struct cell_win w, struct screen_cursor *cursor)
{
	struct vy_str text = edit_text(&p->line);
	struct cell_win field = cell_win_sub(w, (struct cell_rect){ 4, 0, w.w - 5, 1 });
	int at = 0;

	cell_puts(w, 2, 0, "?", theme_ink(THEME_ACCENT));
	if (text.n) {
		at = turn_field(field, text, p->line.at, theme_ink(THEME_TEXT));
	} else {
		cell_puts(field, 1, 0,
			p->n ? _("ask one more") : _("ask; the session does not hear it"),
			theme_ink(THEME_DIM));
	}
	*cursor = (struct screen_cursor){
		.x = w.x + 4 + at, .y = w.y, .visible = true, .shape = SCREEN_CURSOR_BAR
	};
}

void aside_panel_draw(struct aside_panel *p, struct cell_win w, struct screen_cursor *cursor)
{
	int room = w.h - FRAME - (p->n > 0);

	if (p->n > 0 && room > 0) {
		draw_turns(p, cell_win_sub(w, (struct cell_rect){ 0, 1, w.w, room }));
	}
	draw_title(p, cell_win_sub(w, (struct cell_rect){ 0, 0, w.w, 1 }));
	draw_line(p, cell_win_sub(w, (struct cell_rect){ 0, w.h - 1, w.w, 1 }), cursor);
}

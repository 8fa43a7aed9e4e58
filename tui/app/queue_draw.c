/* queue_draw.c -- how what waits looks: a line each, the picked one with its keys. */
#include <stdio.h>

#include "tui/app/queue.h"

#include "shared/text/utf8.h"
#include "shared/text/width.h"
#include "tui/app/look.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define SHOWN  4
#define ROOMY  60 /* columns from which keys are told on the line */
#define TEXT   4
#define FOLLOW 6

/* The part of the queue in sight: its beginning, or what the picked one is in. */
struct part {
	size_t first, n, picked; /* picked == queued: none */
};

static struct part part_of(const struct app_state *s)
{
	size_t queued = vy_fold_state(s->fold)->queued;
	struct part p = { .n = queued < SHOWN ? queued : SHOWN, .picked = queued };

	for (size_t i = 0; s->editing && i < queued; i++) {
		if (vy_str_is(vy_fold_queued(s->fold, i)->message.message, s->editing)) {
			p.picked = i;
		}
	}
	if (p.picked < queued && p.picked >= SHOWN) {
		p.first = p.picked + 1 - SHOWN;
	}
	return p;
}

int queue_rows(const struct app_state *s)
{
	const struct vy_fold_state *st = vy_fold_state(s->fold);
	struct part p = part_of(s);

	return (int)(p.n + (st->queued > SHOWN) + (st->queued && st->held) + s->n_unsent);
}

static void draw_unsent(const struct app_state *s, struct cell_win w, int y, size_t i)
{
	const struct app_unsent *u = &s->unsent[i];
	char key[KEY_NAME_MAX], note[2000];
	VY_AUTO_BUF why = VY_BUF_INIT(8192), cut = VY_BUF_INIT(8192);

	if (u->why) { /* the server's words, or another machine's */
		vy_utf8_visible(
			vy_str_n(u->why, vy_utf8_cut(vy_str_c(u->why), 400)), VY_UTF8_LINE, &why);
		vy_width_ellipsis(
			vy_buf_str(&why), (size_t)w.w / 2, cell_pool_width(w.grid->pool), &cut);
		snprintf(note, sizeof(note), _("%s · %s take back"), vy_buf_c(&cut),
			keymap_hint(&s->keymap, ACTION_QUEUE_DROP, key));
	}
	int right = cell_puts_right(w, w.w - 1, y, u->why ? note : _("sending"),
		theme_ink(u->why ? THEME_ERROR : THEME_DIM));

	cell_puts(w, 2, y, "›", theme_ink(THEME_DIM));
	look_line(w, TEXT, y, vy_str_c(u->text), right - FOLLOW, theme_ink(THEME_DIM));
}

/* When it will be taken in: each that is queued is a turn of its own, in their order. */
static void say_when(const struct app_state *s, size_t at, char *out, size_t room)
{
	size_t turns = 1;

	if (vy_fold_state(s->fold)->held) {
		snprintf(out, room, "%s", _("held"));
		return;
	}
	if (stand_kind(s) != STANDING_PLAIN && standing_waits(&s->stand.how)) {
		VY_AUTO_BUF why = VY_BUF_INIT(1024);

		standing_words(&s->stand.how, s->wall_ms, true, &why);
		snprintf(out, room, "%s", vy_buf_c(&why));
		return;
	}
	if (vy_str_is(vy_fold_queued(s->fold, at)->message.mode, "steer")) {
		snprintf(out, room, "%s", _("at the next step"));
		return;
	}
	for (size_t i = 0; i < at; i++) {
		turns += !vy_str_is(vy_fold_queued(s->fold, i)->message.mode, "steer");
	}
	if (turns == 1) {
		snprintf(out, room, "%s", _("next turn"));
	} else {
		snprintf(out, room, words_count("in %lld turn", "in %lld turns", turns),
			(long long)turns);
	}
}

/* What the line says at its right: that, and the keys of the one at hand. */
static void note_of(
	const struct app_state *s, size_t i, bool is_picked, bool has_keys, char *out, size_t room)
{
	char a[KEY_NAME_MAX], b[KEY_NAME_MAX], c[KEY_NAME_MAX], when[80];
	const struct keymap *m = &s->keymap;

	say_when(s, i, when, sizeof(when));
	if (is_picked && has_keys) {
		snprintf(out, room, _("%s move  %s now  %s take back"),
			keymap_hint(m, ACTION_QUEUE_UP, a), keymap_hint(m, ACTION_QUEUE_NOW, b),
			keymap_hint(m, ACTION_QUEUE_DROP, c));
	} else if (has_keys) {
		snprintf(out, room, _("%s · %s edit  %s take back"), when,
			keymap_hint(m, ACTION_UP, a), keymap_hint(m, ACTION_QUEUE_DROP, b));
	} else {
		snprintf(out, room, "%s", when);
	}
}

static void draw_queued(
	const struct app_state *s, struct cell_win w, int y, size_t i, const struct part *p)
{
	const struct vy_fold_state *st = vy_fold_state(s->fold);
	const struct vy_row *r = vy_fold_queued(s->fold, i);
	bool is_picked = i == p->picked;
	bool is_newest = i + 1 == st->queued && p->picked == st->queued;
	char note[200];

	if (is_picked) {
		cell_fill(w, (struct cell_rect){ 1, y, w.w - 2, 1 },
			(struct cell_style){ .bg = CELL_ROLE(THEME_SELECT) });
	}
	note_of(s, i, is_picked, (is_picked || is_newest) && w.w >= ROOMY, note, sizeof(note));
	int right = cell_puts_right(w, w.w - 1 - is_picked, y, note, theme_ink(THEME_DIM));

	cell_puts(w, 2, y, is_picked ? "▸" : "⧗", theme_ink(THEME_QUEUE));
	look_line(w, TEXT, y, r->message.text, right - FOLLOW, theme_ink(THEME_TEXT));
}

void queue_draw(const struct app_state *s, struct cell_win w)
{
	const struct vy_fold_state *st = vy_fold_state(s->fold);
	struct part p = part_of(s);
	char line[200], drop[KEY_NAME_MAX], go[KEY_NAME_MAX];
	int y = 0;

	for (size_t i = 0; i < s->n_unsent; i++) {
		draw_unsent(s, w, y++, i);
	}
	for (size_t i = p.first; i < p.first + p.n; i++) {
		draw_queued(s, w, y++, i, &p);
	}
	if (st->queued > SHOWN) {
		snprintf(line, sizeof(line), _("… and %zu more queued"), st->queued - SHOWN);
		look_line(w, TEXT, y++, vy_str_c(line), w.w - TEXT - 1, theme_ink(THEME_DIM));
	}
	if (st->queued && st->held) {
		snprintf(line, sizeof(line), _("%zu queued, held · %s go · %s drop"), st->queued,
			keymap_hint(&s->keymap, ACTION_SEND, go),
			keymap_hint(&s->keymap, ACTION_QUEUE_DROP, drop));
		look_line(w, TEXT, y, vy_str_c(line), w.w - TEXT - 1, theme_ink(THEME_QUEUE));
	}
}

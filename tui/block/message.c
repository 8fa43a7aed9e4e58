/* message.c -- what people and the assistant say, and what it thought (shape.h). */
#include <stdio.h>
#include <string.h>

#include "shared/base/limits.h"
#include "tui/block/shape.h"
#include "tui/words/said.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define SHORT_MS     2000
#define FOLDED_WORDS 30 /* rows of a person's message that is not opened */

/* ---- a person's ---- */

static void put_fact(struct vy_str text, enum theme_role role, const struct block_how *how,
	struct block_sheet *out)
{
	int left = SHAPE_TEXT + shape_indent(how);

	shape_put(block_lines(out, 1, left), 0, text, out->grid.cols - left - 1, theme_ink(role),
		out);
}

/* The number in "SESSION:7"; 0: it is told otherwise. */
static long long turn_number(struct vy_str turn)
{
	const char *colon = turn.n ? memrchr(turn.p, ':', turn.n) : NULL;
	long long n = 0;

	if (!colon || !vy_parse_i64(vy_str_from(turn, (size_t)(colon - turn.p) + 1), &n)) {
		return 0;
	}
	return n;
}

/* It had no turn to wait for, but only for an agent that was about to rest, or to start. */
static bool is_short(const struct vy_row *row)
{
	const struct vy_row_message *m = &row->message;

	return vy_str_is(m->mode, "steer") && vy_str_is(m->via, "turn") &&
	       row->time_last - m->queued_at < SHORT_MS;
}

/* Where the agent took in what had waited for it. */
static void put_receipt(
	const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	const struct vy_row_message *m = &row->message;
	long long turn = turn_number(row->turn), step = m->step;
	char text[160];

	if (step > 0 && turn > 0) {
		snprintf(text, sizeof(text), _("taken in at step %lld of turn %lld"), step, turn);
	} else if (step == 0 && turn > 0) {
		snprintf(
			text, sizeof(text), _("taken in before the first step of turn %lld"), turn);
	} else if (step >= 0) {
		snprintf(text, sizeof(text), "%s", _("taken in between two steps"));
	} else if (turn > 0 && is_short(row)) {
		return;
	} else if (turn > 0 && vy_str_is(m->mode, "steer") && !vy_str_is(m->via, "turn")) {
		snprintf(text, sizeof(text),
			_("too late for the turn before: taken in as turn %lld"), turn);
	} else if (turn > 0) {
		snprintf(text, sizeof(text), _("waited, taken in as turn %lld"), turn);
	} else {
		return;
	}
	put_fact(vy_str_c(text), THEME_DIM, how, out);
}

/* What became of it, when that is not what everybody expects. */
static void put_fate(const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	const struct vy_row_message *m = &row->message;
	char text[160];

	if (m->more) {
		snprintf(text, sizeof(text), _("… %lld KiB in all; the agent has the whole"),
			(long long)((m->bytes + VY_KIB - 1) / VY_KIB));
		put_fact(vy_str_c(text), THEME_DIM, how, out);
	}
	if (m->state == VY_MESSAGE_CANCELLED) {
		put_fact(vy_str_c(_("taken back")), THEME_DIM, how, out);
		if (m->reason.n) {
			put_fact(words_said(m->reason), THEME_DIM, how, out);
		}
	} else if (m->state == VY_MESSAGE_PICKED_UP) {
		put_receipt(row, how, out);
	}
}

/* How many there are, then each of them where pictures are shown. */
static void put_images(
	const struct vy_row_message *m, const struct block_how *how, struct block_sheet *out)
{
	VY_AUTO_JSON *images = m->images.n ? vy_json_parse(m->images, NULL) : NULL;
	size_t n = vy_json_len(images);
	char text[80];

	if (n > 0) {
		snprintf(text, sizeof(text), words_count("[%zu picture]", "[%zu pictures]", n), n);
		put_fact(vy_str_c(text), THEME_ACCENT, how, out);
	}
	for (size_t i = 0; i < n; i++) {
		struct shape_picture p = { .ref = vy_json_str(vy_json_at(images, i), "ref"),
			.n = (int)n,
			.is_told = true };

		if (i > 0 && out->n_pictures && out->pictures[out->n_pictures - 1].size.rows > 0) {
			block_lines(out, 1, 0); /* two pictures are two */
			block_says_nothing(out);
		}
		shape_picture(&p, how, SHAPE_TEXT + shape_indent(how), out);
	}
}

static void put_person(
	const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	const struct vy_row_message *m = &row->message;
	struct shape_lines lines = { .style = theme_bold(THEME_USER),
		.left = SHAPE_TEXT + shape_indent(how),
		.limit = how->is_open ? 0 : FOLDED_WORDS };

	shape_lines(m->text, &lines, out);
	if (m->is_private) {
		put_fact(vy_str_c(_("private message")), THEME_DIM, how, out);
	}
	put_images(m, how, out);
	if (out->lines == 0) {
		block_lines(out, 1, 0);
	}
	cell_puts(block_line(out, 0), SHAPE_MARK + shape_indent(how), 0, mark_of(out, MARK_USER),
		theme_ink(THEME_USER_MARK));
	put_fate(row, how, out);
}

/* ---- the assistant's ---- */

static void put_blocks(struct vy_str json, const struct block_how *how, struct block_sheet *out)
{
	VY_AUTO_JSON *list = json.n ? vy_json_parse(json, NULL) : NULL;

	for (size_t i = 0; i < vy_json_len(list); i++) {
		struct vy_block b;

		vy_block_read(vy_json_at(list, i), &out->arena, &b);
		shape_block(&b, how, SHAPE_TEXT + shape_indent(how), out);
	}
}

void row_message(const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	const struct vy_row_message *m = &row->message;

	if (m->is_user) {
		put_person(row, how, out);
		return;
	}
	shape_markdown(
		m->text, m->done, theme_ink(THEME_ASSISTANT), SHAPE_TEXT + shape_indent(how), out);
	put_blocks(m->blocks, how, out);
	if (m->cut) {
		put_fact(m->note.n ? words_said(m->note) : vy_str_c(_("cut off here")), THEME_WARN,
			how, out);
	}
}

/* ---- thinking ---- */

static void say_thinking(const struct vy_row_thinking *t, char *out, size_t room)
{
	char took[32];

	shape_time(t->ms + 500, false, took, sizeof(took));
	if (t->ms < 500) {
		snprintf(out, room, "%s", t->done ? _("thought") : _("thinking"));
	} else {
		snprintf(out, room, t->done ? _("thought for %s") : _("thinking, %s"), took);
	}
}

void row_thinking(const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	const struct vy_row_thinking *t = &row->thinking;
	int x = SHAPE_MARK + shape_indent(how), left = SHAPE_TEXT + shape_indent(how);
	char text[80];

	if (out->lines) { /* its words go on below; only the time is another */
		cell_fill(block_line(out, 0), (struct cell_rect){ 0, 0, out->grid.cols, 1 },
			(struct cell_style){ .bg = CELL_BARE });
	} else {
		block_lines(out, 1, 0);
	}
	out->words[0] = (struct block_words){ .from = (uint16_t)left };
	say_thinking(t, text, sizeof(text));
	cell_puts(block_line(out, 0), x, 0, mark_of(out, MARK_THINKING), theme_ink(THEME_THINKING));
	cell_puts(block_line(out, 0), left, 0, text, theme_ink(THEME_DIM));
	if (how->with_details || how->is_open) {
		shape_markdown(t->text, t->done, theme_ink(THEME_DIM), left, out);
	}
}

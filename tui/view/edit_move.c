/* edit_move.c -- where the cursor can go (edit_core.h). A chip is one step and one word. */
#include "tui/view/edit_core.h"

#include "shared/text/width.h"
#include "shared/base/ban.h"

static bool ends_chip(const struct edit *e, size_t at)
{
	return at >= EDIT_MARK_LEN && edit_chip(e, at - EDIT_MARK_LEN);
}

bool edit_is_border(const struct edit *e, size_t at)
{
	return edit_chip(e, at) || ends_chip(e, at) || vy_cluster_is_border(edit_text(e), at);
}

/* The start of the chip that `at` is inside of; SIZE_MAX: of none. */
static size_t chip_round(const struct edit *e, size_t at)
{
	size_t first = at >= EDIT_MARK_LEN ? at - EDIT_MARK_LEN + 1 : 0;

	for (size_t i = first; i < at && e->n_chips; i++) {
		if (edit_chip(e, i)) {
			return i;
		}
	}
	return SIZE_MAX;
}

size_t edit_before(const struct edit *e, size_t at)
{
	if (ends_chip(e, at)) {
		return at - EDIT_MARK_LEN;
	}
	size_t to = vy_cluster_prev(edit_text(e), at), chip = chip_round(e, to);

	/* a combining mark behind a chip makes no cluster with it */
	return chip != SIZE_MAX ? chip + EDIT_MARK_LEN : to;
}

size_t edit_behind(const struct edit *e, size_t at)
{
	size_t chip = edit_chip_at(e, at, NULL);

	size_t to = vy_cluster_next(edit_text(e), at), round = chip_round(e, to);

	return chip ? at + chip : round != SIZE_MAX ? round : to; /* nor what stands before one */
}

void edit_go(struct edit *e, size_t at)
{
	e->at = at;
	e->goal = SIZE_MAX;
	e->last = EDIT_OTHER;
	e->yank_from = e->yank_to = 0;
}

void edit_left(struct edit *e)
{
	edit_go(e, edit_before(e, e->at));
}

void edit_right(struct edit *e)
{
	edit_go(e, edit_behind(e, e->at));
}

/* A chip on the way is where it ends; a word of letters never reaches over one. */
size_t edit_word_start(const struct edit *e)
{
	size_t start = vy_word_prev(edit_text(e), e->at);
	size_t first = start >= EDIT_MARK_LEN ? start - EDIT_MARK_LEN + 1 : 0;

	for (size_t i = e->n_chips ? e->at : 0; i-- > first;) {
		if (edit_chip(e, i)) {
			return i;
		}
	}
	return start;
}

size_t edit_word_end(const struct edit *e)
{
	size_t end = vy_word_next(edit_text(e), e->at);

	for (size_t i = e->at; e->n_chips && i < end; i++) {
		if (edit_chip(e, i)) {
			return i + EDIT_MARK_LEN;
		}
	}
	return end;
}

void edit_word_left(struct edit *e)
{
	edit_go(e, edit_word_start(e));
}

void edit_word_right(struct edit *e)
{
	edit_go(e, edit_word_end(e));
}

size_t edit_row_start(const struct edit *e)
{
	const char *nl = e->at ? memrchr(e->text.data, '\n', e->at) : NULL;

	return nl ? (size_t)(nl - e->text.data) + 1 : 0;
}

size_t edit_row_end(const struct edit *e)
{
	const char *nl =
		e->text.len ? memchr(e->text.data + e->at, '\n', e->text.len - e->at) : NULL;

	return nl ? (size_t)(nl - e->text.data) : e->text.len;
}

void edit_line_start(struct edit *e)
{
	edit_go(e, edit_row_start(e));
}

void edit_line_end(struct edit *e)
{
	edit_go(e, edit_row_end(e));
}

void edit_text_start(struct edit *e)
{
	edit_go(e, 0);
}

void edit_text_end(struct edit *e)
{
	edit_go(e, e->text.len);
}

void edit_move_to(struct edit *e, size_t at)
{
	size_t goal = e->goal;
	size_t chip;

	at = at > e->text.len ? e->text.len : at;
	chip = chip_round(e, at);
	at = chip != SIZE_MAX ? chip : at;
	while (!edit_is_border(e, at)) {
		at--;
	}
	edit_go(e, at);
	e->goal = goal; /* up and down keep the column they want */
}

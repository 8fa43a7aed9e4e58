/* point.c -- the mouse: it scrolls, selects by dragging, opens by a click (browse.h). */
#include <stdlib.h>

#include "shared/base/mem.h"
#include "tui/app/browse.h"
#include "tui/app/state.h"
#include "tui/view/transcript_text.h"
#include "shared/base/ban.h"

#define WHEEL 3
#define TILT  6 /* cells */
#define LEFT  1

static void scroll(struct app_state *s, int lines)
{
	if (s->focus == APP_HELP) {
		s->help_top += lines;
		s->help_top = s->help_top < 0 ? 0 : s->help_top;
	} else if (pager_is_open(&s->browse.pager)) {
		pager_scroll(&s->browse.pager, lines);
	} else {
		transcript_scroll(s->transcript, s->fold, lines);
	}
}

/* Of the transcript; x and y are its own. */
static bool is_in_view(const struct app_state *s, int x, int y)
{
	const struct browse *b = &s->browse;

	return s->focus != APP_HELP && !pager_is_open(&b->pager) && x >= 0 && y >= 0 &&
	       y < b->view_h;
}

/* The code under the pointer; false: none there is cut. */
static bool sideways(struct app_state *s, int x, int y, int direction)
{
	if (s->focus != APP_HELP && pager_is_open(&s->browse.pager)) {
		pager_slide(&s->browse.pager, direction * TILT);
		return true;
	}
	return is_in_view(s, x, y) &&
	       transcript_slide_at(s->transcript, s->fold, y, direction * TILT);
}

/* With shift it is turned sideways, where there is something to see. */
static void wheel(struct app_state *s, const struct key_mouse *m, int x, int y, int direction)
{
	if (!(m->mods & KEY_SHIFT) || !sideways(s, x, y, direction)) {
		scroll(s, direction * WHEEL);
	}
}

static void drag(struct app_state *s, int x, int y)
{
	struct browse *b = &s->browse;

	if (!b->is_drag && x == b->press_x && y == b->press_y) {
		return; /* it trembled */
	}
	if (!b->is_drag) {
		b->is_drag = true;
		b->has_link = false;
		if (s->focus != APP_SEEK) {
			browse_begin(s);
		}
		transcript_drag(s->transcript, s->fold, b->press_x, b->press_y, x, y);
	} else {
		transcript_drag_to(s->transcript, s->fold, x, y);
	}
}

/* A link is named before it is opened; a row opens where it is. */
static void click(struct app_state *s, int x, int y)
{
	struct browse *b = &s->browse;
	bool was_browsing = s->focus == APP_BROWSE;
	struct vy_str url = transcript_link_at(s->transcript, s->fold, x, y), at;
	const struct vy_row *row = transcript_point(s->transcript, s->fold, x, y);

	if (!row) {
		return;
	}
	if (url.n) {
		browse_begin(s);
		b->link = 0;
		while ((at = transcript_link(s->transcript, s->fold, b->link)).n &&
			!vy_str_eq(at, url)) {
			b->link++;
		}
		free(b->row);
		b->row = vy_memdup0(row->key.p, row->key.n);
		b->has_link = true;
		return;
	}
	if (block_opens(row)) {
		browse_open(s);
	}
	if (!was_browsing && s->focus != APP_PAGER) {
		transcript_unselect(s->transcript); /* the keys stay where they were */
	}
}

void point_mouse(struct app_state *s, const struct key_mouse *m, struct app_effects *fx)
{
	struct browse *b = &s->browse;
	int x = m->x - b->view_x, y = m->y - b->view_y;

	if (!b->is_pressed && column_mouse(s, m, fx)) {
		return;
	}
	switch (m->kind) {
	case KEY_MOUSE_WHEEL_UP: wheel(s, m, x, y, -1); break;
	case KEY_MOUSE_WHEEL_DOWN: wheel(s, m, x, y, 1); break;
	case KEY_MOUSE_WHEEL_LEFT: sideways(s, x, y, -1); break;
	case KEY_MOUSE_WHEEL_RIGHT: sideways(s, x, y, 1); break;
	case KEY_MOUSE_PRESS:
		b->is_drag = false;
		b->is_pressed = m->button == LEFT && is_in_view(s, x, y);
		b->press_x = x;
		b->press_y = y;
		break;
	case KEY_MOUSE_DRAG:
		if (b->is_pressed) {
			drag(s, x, y);
		}
		break;
	case KEY_MOUSE_RELEASE:
		if (b->is_pressed && !b->is_drag) {
			click(s, x, y);
		}
		b->is_pressed = b->is_drag = false;
		break;
	case KEY_MOUSE_MOVE: break;
	}
}

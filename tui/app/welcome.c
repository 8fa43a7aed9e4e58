/* welcome.c -- see welcome.h. */
#include "tui/app/welcome.h"

#include <stdio.h>
#include <string.h>

#include "shared/text/utf8.h"
#include "shared/text/wrap.h"
#include "tui/ink/theme.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define LEFT    4
#define SAYS_AT 18 /* the column of the sentences behind the keys */

/* Text in as many rows as it takes; returns the row behind it. */
static int put_wrapped(struct cell_win w, int x, int y, struct vy_str text, struct cell_style style)
{
	VY_AUTO_BUF clean = VY_BUF_INIT(64 * 1024);
	struct vy_wrap how = { .cells = (unsigned)(w.w - x - 2),
		.width = cell_pool_width(w.grid->pool) };
	struct vy_wrap_row row = { 0 };

	vy_utf8_visible(text, VY_UTF8_LINE, &clean);
	while (vy_wrap_next(&how, vy_buf_str(&clean), &row)) {
		cell_put(w, x, y++, vy_str_n(vy_buf_c(&clean) + row.start, row.end - row.start),
			style);
	}
	return y;
}

static int put_key(struct cell_win w, int y, const char *key, const char *says)
{
	cell_puts(w, LEFT, y, key, theme_ink(THEME_ASK_KEY));
	return put_wrapped(w, SAYS_AT, y, vy_str_c(says), theme_ink(THEME_DIM));
}

static int put_action(
	const struct app_state *s, struct cell_win w, int y, enum keymap_action a, const char *says)
{
	char key[KEY_NAME_MAX];

	return put_key(w, y, keymap_hint(&s->keymap, a, key), says);
}

static int put_head(const struct app_state *s, struct cell_win w, int y)
{
	char head[512];

	if (s->provider && strcmp(s->provider, "demo") == 0) {
		snprintf(head, sizeof(head), "%s",
			_("This is the demo: an assistant built in, for a look around."));
	} else if (s->provider) {
		snprintf(head, sizeof(head), _("A new session with %s."), s->provider);
	} else {
		snprintf(head, sizeof(head), "%s", _("A new session."));
	}
	return put_wrapped(w, LEFT, y, vy_str_c(head), theme_bold(THEME_TITLE));
}

void welcome_draw(const struct app_state *s, struct cell_win w)
{
	int y = w.h > 12 ? 2 : 1;

	y = put_head(s, w, y);
	if (s->note) {
		y = put_wrapped(w, LEFT, y, vy_str_c(s->note), theme_ink(THEME_WARN));
	}
	y++;
	if (s->provider && strcmp(s->provider, "demo") == 0) {
		/* TRANSLATORS: "tour" is what the person types; it is not translated */
		y = put_key(w, y, "tour", _("type this to see what an assistant can do here"));
	}
	y = put_action(s, w, y, ACTION_SEND, _("sends; while the assistant works it steers"));
	y = put_action(s, w, y, ACTION_NEWLINE, _("begins a new line"));
	y = put_key(
		w, y, "/ @ ! # &", _("a command, a file, a shell line, for the memory, for later"));
	y = put_action(s, w, y, ACTION_MODE,
		_("what may be done unasked: nothing, edits, or only a plan"));
	y = put_action(s, w, y, ACTION_CANCEL, _("interrupts, at once"));
	y = put_action(s, w, y, ACTION_TERMINAL, _("terminal in the session's folder"));
	y = put_action(s, w, y, ACTION_HELP_EMPTY, _("every key"));
	put_action(s, w, y, ACTION_CLEAR,
		_("twice leaves; the session goes on, vyre-tui comes back to it"));
}

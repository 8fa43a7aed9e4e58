/* look.c -- see look.h. */
#include "tui/app/look.h"

#include <stdio.h>
#include <string.h>

#include "shared/text/utf8.h"
#include "tui/view/turn.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

struct look look_of(enum vy_state state, bool is_stopping)
{
	if (is_stopping) {
		return (struct look){ "◌", _("stopping"), THEME_WARN, false };
	}
	switch (state) {
	case VY_STATE_STARTING: return (struct look){ "◌", _("starting"), THEME_WARN, true };
	case VY_STATE_WORKING: return (struct look){ "●", _("working"), THEME_OK, true };
	case VY_STATE_ASKING: return (struct look){ "◐", _("asks you"), THEME_WARN, false };
	case VY_STATE_STOPPED: return (struct look){ "○", _("stopped"), THEME_DIM, false };
	case VY_STATE_FAILED: return (struct look){ "✗", _("failed"), THEME_ERROR, false };
	case VY_STATE_PAUSED: return (struct look){ "‖", _("paused"), THEME_WARN, false };
	case VY_STATE_WAITING:
	case VY_STATE_FINISHED:
	default: return (struct look){ "○", _("your turn"), THEME_DIM, false };
	}
}

void look_age(int64_t ms, char *out, size_t room)
{
	long long minutes = ms / 60000;

	if (minutes < 1) {
		snprintf(out, room, "%s", _("now"));
	} else if (minutes < 60) {
		snprintf(out, room, _("%lld min"), minutes);
	} else if (minutes < 48 * 60) {
		snprintf(out, room, _("%lld h"), minutes / 60);
	} else {
		snprintf(out, room, _("%lld d"), minutes / (24 * 60));
	}
}

void look_folder(const char *cwd, const char *home, struct vy_buf *out)
{
	size_t n = home ? strlen(home) : 0;

	if (n > 1 && strncmp(cwd, home, n) == 0 && (cwd[n] == '/' || !cwd[n])) {
		vy_buf_addf(out, "~%s", cwd + n);
	} else {
		vy_buf_adds(out, cwd);
	}
}

int look_line(struct cell_win w, int x, int y, struct vy_str text, int cells, struct cell_style s)
{
	VY_AUTO_BUF clean = VY_BUF_INIT(256 * 1024), cut = VY_BUF_INIT(64 * 1024);

	if (cells <= 0) {
		return 0;
	}
	vy_utf8_visible(vy_str_n(text.p, vy_utf8_cut(text, 4096)), VY_UTF8_LINE, &clean);
	vy_width_ellipsis(vy_buf_str(&clean), (size_t)cells, cell_pool_width(w.grid->pool), &cut);
	cells = cell_put(w, x, y, vy_buf_str(&cut), s);
	turn_piece(w, y, x, x + cells);
	return cells;
}

void look_fit(struct vy_buf *hints, struct cell_pool *pool, int cells)
{
	while (cell_width(pool, vy_buf_str(hints)) > cells) {
		size_t n = hints->len;

		while (n > 0 && !(hints->data[n] == ' ' && hints->data[n - 1] == ' ')) {
			n--;
		}
		if (n == 0) {
			return; /* one sentence: its end is left out */
		}
		vy_buf_truncate(hints, n - 1);
	}
}

/* pause.c -- see pause.h. */
#include "tui/app/pause.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/text/wrap.h"
#include "tui/app/look.h"
#include "tui/words/pause.h"
#include "shared/base/ban.h"

#define TEXT      4
#define ROWS_MOST 6

static void set(char **at, struct vy_str value)
{
	VY_AUTO_BUF seen = VY_BUF_INIT(8192);

	vy_utf8_visible(value, VY_UTF8_LINE, &seen);
	free(*at);
	*at = seen.len ? vy_buf_take(&seen, NULL) : NULL;
}

void pause_forget(struct app_state *s)
{
	set(&s->paused, vy_str_n(NULL, 0));
	set(&s->paused_note, vy_str_n(NULL, 0));
}

void pause_told(struct app_state *s, const struct vy_frame *status)
{
	struct vy_str reason = vy_frame_str(status, VY_F_REASON);

	pause_forget(s);
	if (vy_frame_is(status, VY_F_STATE, "paused")) {
		set(&s->paused, reason.n ? reason : VY_STR_LIT("?"));
		set(&s->paused_note, vy_frame_str(status, VY_F_NOTE));
	}
}

static struct vy_wrap how_wide(const struct app_state *s, int cols)
{
	return (struct vy_wrap){ .cells = cols > 2 * TEXT ? (unsigned)(cols - TEXT - 2) : TEXT,
		.width = cell_pool_width(s->pool) };
}

static struct vy_str text_of(const struct app_state *s)
{
	return words_pause(vy_str_c(s->paused), vy_str_c(s->paused_note));
}

int pause_rows(const struct app_state *s, int cols)
{
	struct vy_wrap how = how_wide(s, cols);
	struct vy_wrap_row row = { 0 };
	int n = 0;

	while (s->paused && n < ROWS_MOST && vy_wrap_next(&how, text_of(s), &row)) {
		n++;
	}
	return n;
}

void pause_draw(const struct app_state *s, struct cell_win w)
{
	struct vy_wrap how = how_wide(s, w.w);
	struct vy_wrap_row row = { 0 };
	struct vy_str text = s->paused ? text_of(s) : vy_str_n(NULL, 0);

	for (int y = 0; y < w.h && text.n && vy_wrap_next(&how, text, &row); y++) {
		if (y == 0) {
			cell_puts(w, 2, y, s->is_ascii ? "=" : "‖", theme_ink(THEME_WARN));
		}
		look_line(w, TEXT, y, vy_str_n(text.p + row.start, row.end - row.start),
			w.w - TEXT - 1, theme_ink(THEME_WARN));
	}
}

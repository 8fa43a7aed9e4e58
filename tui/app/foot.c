/* foot.c -- see foot.h. From the right: the line to the server; from the left, as far as there is room:
 * the place, Esc, the tasks, the key that helps. */
#include "tui/app/foot.h"

#include <stdio.h>
#include <string.h>

#include "tui/app/aside.h"
#include "tui/app/escape.h"
#include "tui/app/hint.h"
#include "tui/app/look.h"
#include "tui/app/say.h"
#include "tui/app/vi.h"
#include "tui/ink/theme.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define VIEWERS_COLS 60 /* from which the others who look are counted: what Esc does comes first */
#define LEAST        12 /* cells that say something of what a place is about */
#define QUIET_MS     2000
#define SINCE_MS     60000

static int draw_mode(const struct app_state *s, struct cell_win w, int x, int right)
{
	char key[KEY_NAME_MAX], text[120];

	keymap_hint(&s->keymap, ACTION_MODE, key);
	if (s->mode && strcmp(s->mode, "acceptEdits") == 0) {
		x += cell_puts(w, x, 0, "⏵⏵ ", theme_ink(THEME_MODE_ACCEPT));
		x += look_line(w, x, 0, vy_str_c(_("accept edits")), right - x,
			theme_ink(THEME_MODE_ACCEPT));
	} else if (s->mode && strcmp(s->mode, "plan") == 0) {
		x += cell_puts(w, x, 0, "‖ ", theme_ink(THEME_MODE_PLAN));
		x += look_line(
			w, x, 0, vy_str_c(_("plan mode")), right - x, theme_ink(THEME_MODE_PLAN));
	} else {
		snprintf(text, sizeof(text), _("%s mode"), key);
		return x + look_line(w, x, 0, vy_str_c(text), right - x, theme_ink(THEME_DIM));
	}
	snprintf(text, sizeof(text), " %s", key);
	if (x + cell_width(w.grid->pool, vy_str_c(text)) > right) {
		return x; /* the mode is worth more than the key that changes it */
	}
	return x + cell_puts(w, x, 0, text, theme_ink(THEME_DIM));
}

/* At the right end, cut where the window is too narrow for it; returns where it begins. */
static int put_last(struct cell_win w, const char *text, enum theme_role role)
{
	int cells = cell_width(w.grid->pool, vy_str_c(text)), most = w.w - 2;
	int x = w.w - 1 - (cells < most ? cells : most);

	look_line(w, x, 0, vy_str_c(text), w.w - 1 - x, theme_ink(role));
	return x;
}

static int draw_live(const struct app_state *s, struct cell_win w)
{
	char text[160], key[KEY_NAME_MAX];
	int64_t down = s->down_since_ms < 0 ? 0 : s->now_ms - s->down_since_ms;

	if (s->line == APP_REFUSED) {
		return put_last(w, s->trouble ? s->trouble : _("refused"), THEME_ERROR);
	}
	if (s->line == APP_ENDED && down >= QUIET_MS) {
		snprintf(text, sizeof(text), _("○ the server was ended; %s starts it"),
			keymap_hint(&s->keymap, ACTION_SEND, key));
		return put_last(w, text, THEME_WARN);
	}
	if (s->line != APP_LIVE && down >= SINCE_MS) {
		snprintf(text, sizeof(text), _("◌ reconnecting for %lld min"),
			(long long)(down / 60000));
		return put_last(w, text, THEME_WARN);
	}
	if (s->line != APP_LIVE && down >= QUIET_MS) {
		return put_last(w,
			s->line == APP_CATCHING_UP ? _("◌ catching up") : _("◌ reconnecting"),
			THEME_WARN);
	}
	bool says_viewers = s->viewers > 1 && w.w >= VIEWERS_COLS;
	int x = w.w - 1;

	if (says_viewers) {
		snprintf(text, sizeof(text), words_count("%lld viewer", "%lld viewers", s->viewers),
			(long long)s->viewers);
		x = cell_puts_right(w, x, 0, text, theme_ink(THEME_DIM)) - 2;
	}
	return cell_puts_right(w, x, 0, _("● live"), theme_ink(THEME_DIM));
}

/* What the text is, when it is no plain message, or what stands under the cursor: by the key that
 * does something with it. False: neither. */
static bool say_text(const struct app_state *s, struct vy_buf *out)
{
	const char *does = NULL;
	const struct edit *e = &s->composer.edit;
	size_t at;

	if (!s->panel.ask && edit_chip_near(e, &at) && edit_chip_text(e, edit_text(e), at).p) {
		hint_add(&s->keymap, out, ACTION_COMPLETE, _("opens the pasted text"));
		return true;
	}
	switch (app_kind(s)) {
	case COMPOSER_SHELL: does = _("runs it in the session's folder"); break;
	case COMPOSER_MEMORY: does = _("adds it to the memory"); break;
	case COMPOSER_QUEUE: does = _("sends it after this turn"); break;
	case COMPOSER_COMMAND:
	case COMPOSER_MESSAGE:
	default: return false;
	}
	hint_add(&s->keymap, out, ACTION_SEND, does);
	return true;
}

/* What runs in the background, with the key of its list. */
static void say_tasks(const struct app_state *s, struct vy_buf *out)
{
	char key[KEY_NAME_MAX];
	long long n = 0;

	for (size_t i = 0; i < vy_json_len(s->tasks); i++) {
		n += vy_str_is(vy_json_str(vy_json_at(s->tasks, i), "status"), "running");
	}
	if (n) {
		vy_buf_addf(
			out, words_count("%lld in the background", "%lld in the background", n), n);
		vy_buf_addf(out, " %s", keymap_hint(&s->keymap, ACTION_TASKS, key));
	}
}

/* What this place is about; returns the column behind it. */
static int draw_place(struct app_state *s, struct cell_win w, int right)
{
	VY_AUTO_BUF hint = VY_BUF_INIT(4096);
	enum theme_role role = THEME_DIM;
	char word[VI_WORD_MAX];
	int x = 2;

	if (vi_word(s, word)) {
		x += look_line(w, x, 0, vy_str_c(word), right - x, theme_bold(THEME_TEXT)) + 2;
	}
	if (s->flash) {
		vy_buf_adds(&hint, s->flash);
		role = THEME_TEXT;
	} else if (menu_is_open(s)) {
		menu_hint(s, &hint);
	} else if (s->focus == APP_ASIDE) {
		aside_hint(s, &hint);
	} else if (s->focus == APP_TERM) {
		term_hint(s, &hint);
	} else if (s->is_saying || s->editing || s->back.again) {
		hint_add(&s->keymap, &hint, ACTION_SEND,
			s->is_saying ? _("sends this as the answer")
			: s->editing ? _("puts it back into the queue")
				     : _("goes back there and says this"));
		role = THEME_ASK_KEY;
	} else if (s->focus == APP_BROWSE) {
		browse_hint(s, &hint);
	} else if (say_text(s, &hint)) {
		role = THEME_TEXT;
	} else {
		return draw_mode(s, w, x, right);
	}
	look_fit(&hint, w.grid->pool, right - x);
	return x + look_line(w, x, 0, vy_buf_str(&hint), right - x, theme_ink(role));
}

/* One more thing on the line, if it has room for the whole of it. */
static int draw_more(struct cell_win w, int x, int right, struct vy_str text, enum theme_role role)
{
	int cells = cell_width(w.grid->pool, text);

	return text.n && x + 4 + cells <= right
		       ? x + 4 + look_line(w, x + 4, 0, text, cells, theme_ink(role))
		       : x;
}

/* Who else waits for the person, where the list of sessions does not say so. */
static void say_others(const struct app_state *s, struct vy_buf *out)
{
	long long n = s->column.cols ? 0 : roster_asking(&s->column.roster, s->session);
	char key[KEY_NAME_MAX];

	if (n > 0) {
		/* TRANSLATORS: other sessions than the one on the screen; a key follows */
		vy_buf_addf(
			out, words_count("◐ %lld other needs you", "◐ %lld others need you", n), n);
		vy_buf_addf(out, " %s", keymap_hint(&s->keymap, ACTION_SWITCHER, key));
	}
}

/* The key that helps here and now: a "?" is a character while something is being written. */
static void say_help(const struct app_state *s, struct vy_buf *out)
{
	bool is_typing = s->focus == APP_COMPOSER && !edit_is_empty(&s->composer.edit);
	enum keymap_action a = s->focus == APP_ASK ? ACTION_HELP_ASK
			       : is_typing         ? ACTION_HELP
						   : ACTION_HELP_EMPTY;
	char key[KEY_NAME_MAX];

	if (keymap_hint(&s->keymap, a, key)[0] || keymap_hint(&s->keymap, ACTION_HELP, key)[0]) {
		vy_buf_addf(out, "%s %s", key, _("help"));
	}
}

void foot_draw(struct app_state *s, struct cell_win w)
{
	int right = draw_live(s, w) - 2;
	VY_AUTO_BUF esc = VY_BUF_INIT(256), tasks = VY_BUF_INIT(256), help = VY_BUF_INIT(256);
	VY_AUTO_BUF others = VY_BUF_INIT(256);

	if (right < LEAST) {
		return;
	}
	escape_words(s, &esc);
	say_help(s, &help);
	say_tasks(s, &tasks);
	say_others(s, &others);
	/* What Esc does is said in any case (tui.md 6): the rest makes room for it. */
	int room =
		escape_is_offer(s) ? right : right - 4 - cell_width(w.grid->pool, vy_buf_str(&esc));
	bool says_all =
		!s->flash && (menu_is_open(s) || s->focus == APP_BROWSE || s->focus == APP_ASIDE ||
				     s->focus == APP_TERM); /* Esc, too */
	int x = draw_place(s, w, says_all || room <= LEAST ? right : room);

	if (!says_all) {
		x = draw_more(w, x, right, vy_buf_str(&esc), THEME_DIM);
	}
	if (!s->flash && !says_all) {
		x = draw_more(w, x, right, vy_buf_str(&others), THEME_WARN);
		x = draw_more(w, x, right, vy_buf_str(&tasks), THEME_DIM);
		draw_more(w, x, right, vy_buf_str(&help), THEME_DIM);
	}
}

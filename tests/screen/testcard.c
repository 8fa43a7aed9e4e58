/* testcard.c -- draws every role of the theme and the hard glyphs, so that people and scripts can see
 * what a terminal makes of them. Not installed.
 *
 * usage: testcard [LOOK [DEPTH]]   dark|light|contrast, none|16|256|rgb; "auto" asks the terminal
 * keys: t next look, d next depth, n scroll, m mouse, z suspend, x crash, q quit; others are named */
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "tui/ink/cell.h"
#include "tui/ink/screen.h"
#include "tui/ink/theme.h"
#include "tui/input/key.h"
#include "shared/base/ban.h"

struct card {
	struct screen *screen;
	struct cell_pool *pool;
	struct cell_grid grid;
	struct theme theme;
	bool is_auto, mouse, done;
	int scrolled;
	char said[128]; /* the last event */
	struct key_parser keys;
};

/* ---- the picture ---- */

static int say(struct cell_win w, int x, int y, const char *text, struct cell_style s)
{
	return x + cell_puts(w, x, y, text, s);
}

static void draw_status(struct cell_win w)
{
	struct cell_style on = theme_on(THEME_STATUS, THEME_STATUS);
	int x;

	cell_fill(w, (struct cell_rect){ 0, 0, w.w, 1 }, on);
	x = say(w, 1, 0, "fix-login", theme_bold(THEME_TITLE));
	x = say(w, x + 2, 0, "claude · opus", theme_ink(THEME_STATUS));
	say(w, x + 3, 0, "~/src/app  ⎇ main", theme_ink(THEME_STATUS));
	x = cell_puts_right(w, w.w - 1, 0, "ctx 38%   $0.31", theme_ink(THEME_STATUS));
	cell_puts_right(w, x - 3, 0, "● working 0:42", theme_ink(THEME_OK));
}

static void draw_tool(struct cell_win w, int y, const char *name, const char *what)
{
	int x = say(w, 2, y, "● ", theme_ink(THEME_OK));

	x = say(w, x, y, name, theme_bold(THEME_TOOL));
	say(w, x + 2, y, what, theme_ink(THEME_TEXT));
}

static void draw_diff(struct cell_win w, int y)
{
	int x;

	cell_puts(w, 6, y, "40", theme_ink(THEME_DIFF_GUTTER));
	x = say(w, 10, y, "static int", theme_ink(THEME_CODE_KEYWORD));
	x = say(w, x, y, " after_login(", theme_ink(THEME_CODE_TEXT));
	x = say(w, x, y, "struct", theme_ink(THEME_CODE_KEYWORD));
	say(w, x, y, " request *r)", theme_ink(THEME_CODE_TEXT));
	y++;
	cell_fill(w, (struct cell_rect){ 0, y, w.w, 1 }, theme_on(THEME_DIFF_DEL, THEME_DIFF_DEL));
	cell_puts(w, 6, y, "41", theme_ink(THEME_DIFF_GUTTER));
	x = say(w, 10, y, "-   return redirect(r, ", theme_ink(THEME_DIFF_DEL));
	x = say(w, x, y, "\"/\"", theme_on(THEME_DIFF_DEL_WORD, THEME_DIFF_DEL_WORD));
	say(w, x, y, ");", theme_ink(THEME_DIFF_DEL));
	y++;
	cell_fill(w, (struct cell_rect){ 0, y, w.w, 1 }, theme_on(THEME_DIFF_ADD, THEME_DIFF_ADD));
	cell_puts(w, 6, y, "41", theme_ink(THEME_DIFF_GUTTER));
	x = say(w, 10, y, "+   return redirect(r, ", theme_ink(THEME_DIFF_ADD));
	x = say(w, x, y, "next", theme_on(THEME_DIFF_ADD_WORD, THEME_DIFF_ADD_WORD));
	say(w, x, y, ");", theme_ink(THEME_DIFF_ADD));
}

static void draw_code(struct cell_win w, int y)
{
	int x = say(w, 4, y, "const ", theme_ink(THEME_CODE_KEYWORD));

	x = say(w, x, y, "char ", theme_ink(THEME_CODE_TYPE));
	x = say(w, x, y, "*next = ", theme_ink(THEME_CODE_TEXT));
	x = say(w, x, y, "query", theme_ink(THEME_CODE_FUNC));
	x = say(w, x, y, "(r, ", theme_ink(THEME_CODE_TEXT));
	x = say(w, x, y, "\"next\"", theme_ink(THEME_CODE_STRING));
	x = say(w, x, y, ", ", theme_ink(THEME_CODE_TEXT));
	x = say(w, x, y, "42", theme_ink(THEME_CODE_NUMBER));
	x = say(w, x, y, "); ", theme_ink(THEME_CODE_TEXT));
	say(w, x, y, "/* where to go */", theme_ink(THEME_CODE_COMMENT));
}

static void draw_prose(struct cell_win w, int y, struct cell_pool *pool)
{
	struct cell_style link = theme_ink(THEME_LINK);
	int x;

	link.link = cell_link(pool, VY_STR_LIT("https://example.org/router"), NULL);
	cell_puts(w, 4, y, "Plan", theme_bold(THEME_HEADING));
	x = say(w, 4, y + 1, "The redirect drops the ", theme_ink(THEME_ASSISTANT));
	x = say(w, x, y + 1, "next", theme_ink(THEME_CODE));
	x = say(w, x, y + 1, " parameter, see ", theme_ink(THEME_ASSISTANT));
	x = say(w, x, y + 1, "the router", link);
	say(w, x, y + 1, ".", theme_ink(THEME_ASSISTANT));
	cell_puts(w, 4, y + 2, "│ quoted, and ", theme_ink(THEME_QUOTE));
	cell_puts(w, 18, y + 2, "struck",
		(struct cell_style){ .fg = CELL_ROLE(THEME_QUOTE), .attrs = CELL_STRIKE });
	x = say(w, 28, y + 2, "a ", theme_ink(THEME_TEXT));
	x = say(w, x, y + 2, "match", theme_on(THEME_MATCH, THEME_MATCH));
	x = say(w, x, y + 2, " and ", theme_ink(THEME_TEXT));
	say(w, x, y + 2, "this one", theme_on(THEME_MATCH_NOW, THEME_MATCH_NOW));
}

static void draw_widths(struct cell_win w, int y)
{
	static const char *const glyphs[] = { "状态", "日本語", "é", "e\u0301", "🚧", "👩‍💻",
		"👨‍👩‍👧‍👦", "🇩🇪", "☺️", "⏱", "⏱️", "👍🏽", "한국어",
		"─●◐○✓" };
	int x = 4;

	for (size_t i = 0; i < VY_COUNT(glyphs) && x + 8 < w.w; i++) {
		x = say(w, x, y, glyphs[i], theme_ink(THEME_TEXT));
		x = say(w, x, y, "|", theme_ink(THEME_LINE));
	}
}

static void draw_ask(struct cell_win w, int y)
{
	struct cell_win in = cell_win_sub(w, (struct cell_rect){ 1, y + 1, w.w - 2, 2 });
	int x;

	cell_box(w, (struct cell_rect){ 0, y, w.w, 4 }, theme_ink(THEME_ASK_BORDER));
	cell_puts(w, 2, y, " Bash wants to run ", theme_bold(THEME_TEXT));
	cell_fill(
		in, (struct cell_rect){ 0, 0, in.w, 1 }, theme_on(THEME_ASK_BODY, THEME_ASK_BODY));
	cell_puts(in, 1, 0, "git push origin fix-login", theme_bold(THEME_ASK_BODY));
	x = say(in, 1, 1, "1", theme_ink(THEME_ASK_KEY));
	x = say(in, x + 1, 1, "Yes", theme_ink(THEME_TEXT));
	x = say(in, x + 3, 1, "2", theme_ink(THEME_ASK_KEY));
	x = say(in, x + 1, 1, "Always: ", theme_ink(THEME_TEXT));
	x = say(in, x, 1, "Bash(git push origin fix-login)", theme_ink(THEME_CODE));
	x = say(in, x + 1, 1, "in this project", theme_ink(THEME_DIM));
	x = say(in, x + 3, 1, "3", theme_ink(THEME_ASK_KEY));
	say(in, x + 1, 1, "No, and say", theme_ink(THEME_TEXT));
}

static void draw_list(struct cell_win w)
{
	static const struct {
		const char *mark, *name, *right;
		enum theme_role role, right_role;
	} rows[] = { { "●", "fix-login", "now", THEME_OK, THEME_DIM },
		{ "◐", "docs", "needs you", THEME_WARN, THEME_WARN },
		{ "○", "bench", "3 new", THEME_DIM, THEME_DIM },
		{ "✕", "old-import", "failed", THEME_ERROR, THEME_ERROR } };

	cell_fill(w, (struct cell_rect){ 0, 0, w.w, w.h }, theme_on(THEME_LIST, THEME_LIST));
	cell_puts(w, 1, 0, "sessions", theme_ink(THEME_DIM));
	for (int i = 0; i < (int)VY_COUNT(rows); i++) {
		if (i == 0) {
			cell_fill(w, (struct cell_rect){ 0, 1, w.w, 1 },
				theme_on(THEME_SELECT, THEME_SELECT));
		}
		cell_puts(w, 1, i + 1, rows[i].mark, theme_ink(rows[i].role));
		cell_puts(w, 3, i + 1, rows[i].name,
			i ? theme_ink(THEME_TEXT) : theme_bold(THEME_TEXT));
		cell_puts_right(w, w.w - 1, i + 1, rows[i].right, theme_ink(rows[i].right_role));
	}
}

static void draw_body(struct card *c, struct cell_win w)
{
	int y = 1 - c->scrolled, x = say(w, 2, y, "› ", theme_ink(THEME_USER_MARK));

	say(w, x, y, "please fix the login redirect, and run the tests", theme_bold(THEME_USER));
	x = say(w, 2, y + 2, "✻ ", theme_ink(THEME_THINKING));
	say(w, x, y + 2, "thought for 6 s", theme_ink(THEME_DIM));
	draw_prose(w, y + 4, c->pool);
	draw_tool(w, y + 8, "Read", "src/router.c");
	cell_puts_right(w, w.w - 1, y + 8, "214 lines", theme_ink(THEME_DIM));
	draw_tool(w, y + 9, "Edit", "src/router.c");
	x = cell_puts_right(w, w.w - 1, y + 9, "−1", theme_ink(THEME_DIFF_DEL));
	cell_puts_right(w, x - 1, y + 9, "+3", theme_ink(THEME_DIFF_ADD));
	draw_diff(w, y + 10);
	draw_code(w, y + 14);
	draw_widths(w, y + 16);
	x = say(w, 2, y + 18, "⏳ ", theme_ink(THEME_QUEUE));
	x = say(w, x, y + 18, "also update the changelog", theme_ink(THEME_DIM));
	say(w, x + 3, y + 18, "queued  ·  ↑ edit   ^x take back", theme_ink(THEME_DIM));
}

static void draw(struct card *c)
{
	struct screen_cursor cursor = { .visible = true, .shape = SCREEN_CURSOR_BAR };
	struct vy_err e;
	int cols, rows, side, x;

	screen_size(c->screen, &cols, &rows);
	cell_grid_resize(&c->grid, cols, rows);
	struct cell_win w = cell_win_all(&c->grid);

	side = cols >= 110 ? 24 : 0;
	draw_status(w);
	draw_body(c, cell_win_sub(w, (struct cell_rect){ side, 1, cols - side, rows - 8 }));
	if (side) {
		draw_list(cell_win_sub(w, (struct cell_rect){ 0, 1, side, rows - 1 }));
	}
	struct cell_win low = cell_win_sub(w, (struct cell_rect){ side, rows - 7, cols - side, 7 });

	draw_ask(low, 0);
	cell_puts(low, 0, 5, "> ", theme_ink(THEME_USER_MARK));
	x = say(low, 2, 5, c->said, theme_ink(THEME_TEXT));
	cursor.x = low.x + x;
	cursor.y = low.y + 5;
	x = say(low, 2, 6, "⏵⏵ accept edits", theme_ink(THEME_MODE_ACCEPT));
	say(low, x, 6, " shift-tab    esc interrupt    ? help", theme_ink(THEME_DIM));
	cell_puts_right(low, low.w - 1, 6, "● live  2 viewers", theme_ink(THEME_DIM));
	if (screen_present(c->screen, &c->grid, cursor, &e) < 0) {
		c->done = true;
	}
}

/* ---- events ---- */

static void use_theme(struct card *c)
{
	screen_set_theme(c->screen, c->theme);
}

static void on_key(struct card *c, struct key k)
{
	struct vy_err e;

	key_format(k, false, c->said);
	switch (k.mods ? 0 : k.code) {
	case 'q': c->done = true; break;
	case 't': c->theme.look = (c->theme.look + 1) % 3; break;
	case 'd': c->theme.depth = (c->theme.depth + 1) % 4; break;
	case 'n': c->scrolled++; break;
	case 'm': screen_set_mouse(c->screen, c->mouse = !c->mouse); break;
	case 'x': abort();
	case 'z':
		screen_suspend(c->screen, &e);
		raise(SIGSTOP);
		screen_resume(c->screen, &e);
		break;
	default: return;
	}
	use_theme(c);
}

static void on_event(void *ctx, const struct key_event *ev)
{
	struct card *c = ctx;

	switch (ev->kind) {
	case KEY_EV_KEY: on_key(c, ev->key); break;
	case KEY_EV_TEXT:
		snprintf(c->said, sizeof(c->said), "text %.*s", VY_STR_ARG(ev->text));
		break;
	case KEY_EV_PASTE:
		snprintf(c->said, sizeof(c->said), "paste of %zu bytes", ev->total);
		break;
	case KEY_EV_MOUSE:
		snprintf(c->said, sizeof(c->said), "mouse %d,%d", ev->mouse.x, ev->mouse.y);
		break;
	case KEY_EV_FOCUS:
		snprintf(c->said, sizeof(c->said), "focus %s", ev->value ? "in" : "out");
		break;
	case KEY_EV_COLOR:
		if (c->is_auto && ev->value == 11 &&
			theme_look_of_osc11(ev->text, &c->theme.look)) {
			use_theme(c);
		}
		break;
	case KEY_EV_DA:
	case KEY_EV_MODE:
	case KEY_EV_KITTY:
	case KEY_EV_VERSION:
	case KEY_EV_GRAPHICS:
	case KEY_EV_LOOK: break;
	}
}

static void wait_for_keys(struct card *c)
{
	struct pollfd p = { .fd = screen_fd(c->screen), .events = POLLIN };
	char b[4096];
	ssize_t n;

	p.events |= screen_is_pending(c->screen) ? POLLOUT : 0;
	int ms = key_wait_ms(&c->keys);
	struct timespec wait = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };
	sigset_t none;

	sigemptyset(&none); /* a new size is only seen while waiting, so none is missed */
	int r = ppoll(&p, 1, ms < 0 ? NULL : &wait, &none);

	if (r == 0) {
		key_timeout(&c->keys, on_event, c);
	} else if (r > 0 && (p.revents & POLLIN) && (n = read(p.fd, b, sizeof(b))) > 0) {
		key_step(&c->keys, vy_str_n(b, (size_t)n), on_event, c);
	} else if (r > 0 && (p.revents & (POLLHUP | POLLERR))) {
		c->done = true;
	} else if (r < 0) {
		screen_redraw(c->screen); /* another size */
	}
}

static void on_winch(int sig)
{
	(void)sig; /* ppoll() ends early */
}

static void choose_theme(struct card *c, int argc, char **argv)
{
	static const char *const depths[] = { "none", "16", "256", "rgb" };
	struct theme_env env = screen_theme_env(c->screen);

	c->theme.depth = theme_depth_of(&env);
	c->is_auto = argc < 2 || !theme_look_parse(vy_str_c(argv[1]), &c->theme.look);
	for (int i = 0; argc > 2 && i < 4; i++) {
		c->theme.depth =
			strcmp(argv[2], depths[i]) == 0 ? (enum theme_depth)i : c->theme.depth;
	}
	use_theme(c);
}

int main(int argc, char **argv)
{
	struct card c = { .said = "type here, always" };
	struct screen_options o = { .ascii = getenv("ASCII") != NULL };
	struct sigaction a = { .sa_handler = on_winch };
	struct vy_err e;

	setlocale(LC_CTYPE, "");
	c.screen = screen_curses_open(&o, &e);
	if (!c.screen) {
		fprintf(stderr, "testcard: %s\n", e.text);
		return 1;
	}
	sigset_t winch;

	sigemptyset(&winch);
	sigaddset(&winch, SIGWINCH);
	sigprocmask(SIG_BLOCK, &winch, NULL);
	sigaction(SIGWINCH, &a, NULL);
	c.pool = cell_pool_new((struct vy_width){ 0 });
	cell_grid_init(&c.grid, c.pool, 1, 1);
	key_init(&c.keys);
	choose_theme(&c, argc, argv);
	screen_title(c.screen, VY_STR_LIT("vyre test card"));
	while (!c.done) {
		draw(&c);
		wait_for_keys(&c);
	}
	screen_close(c.screen);
	key_fini(&c.keys);
	cell_grid_fini(&c.grid);
	cell_pool_free(c.pool);
	return 0;
}

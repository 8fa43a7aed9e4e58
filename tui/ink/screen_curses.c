/* screen_curses.c -- the terminal behind screen.h.
 *
 * ncurses tells what the terminal is: its terminfo layer is used (setupterm, tiget*), its window
 * layer is not. That one was measured and cannot show what this client shows: it has no hyperlinks
 * and no strike-through, cuts clusters at five code points, takes widths from the C library, and
 * needs 50 writes for a full paint where paint.h needs one (1.2 ms against 0.3). What paint.h speaks
 * is our own entry then, and terminfo is only asked what a terminal lacks: true colour is a matter
 * of COLORTERM and of the terminal's name, and a machine that has no terminfo at all, or not this
 * terminal's, shows the same.
 *
 * The tty is opened anew by path, so that non-blocking is this descriptor's and not the shell's.
 * What a slow terminal does not take waits in `out`; nothing is painted until that is gone. */
#include "tui/ink/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define NCURSES_NOMACROS /* the functions are not wanted, their macros even less */
#include <curses.h>
#include <term.h>

#include "shared/base/buf.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tui/ink/guard.h"
#include "tui/ink/paint.h"
#include "tui/ink/rescue.h"
#include "tui/ink/screen_backend.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define OUT_MAX   (64 * VY_MIB)
#define ANSWER_MS 100 /* that a terminal may take, when we go */

/* Title kept, alternate screen, kitty keyboard (disambiguated, shifted keys too), modifyOtherKeys, paste, focus, news
 * of a changed theme; then the questions whose answers come as keys: background, keyboard, DA. */
#define TAKE                                                                                       \
	"\033[22;0t\033[?1049h\033[>5u\033[>4;2m\033[?2004h\033[?1004h\033[?2031h"                 \
	"\033[8l" /* cells stay where they are put: right-to-left text is turned here */
#define ASK       "\033]11;?\033\\\033[?u\033[c"
#define MOUSE_ON  "\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1002l\033[?1006l"

struct tty {
	struct screen base;
	int fd;
	bool mouse, has_strings, has_alt, is_taken;
	bool may_block; /* the descriptor is not ours alone */
	int cell_w, cell_h;
	int colors;
	int cols, rows; /* 0: to be asked */
	struct termios before, raw;
	struct paint paint;
	struct vy_buf out;
	size_t sent;      /* of out */
	int64_t asked_ms; /* boot clock */
};

static struct tty *tty_of(struct screen *s)
{
	return (struct tty *)s;
}

/* ---- bytes ---- */

static int tty_flush(struct screen *s, struct vy_err *e)
{
	struct tty *t = tty_of(s);

	while (t->sent < t->out.len) {
		ssize_t n = write(t->fd, t->out.data + t->sent, t->out.len - t->sent);

		if (n >= 0) {
			t->sent += (size_t)n;
		} else if (errno == EAGAIN) {
			return 1;
		} else if (errno != EINTR) {
			return vy_fail_errno(e, errno, _("writing to the terminal"));
		}
	}
	vy_buf_clear(&t->out);
	t->sent = 0;
	return 0;
}

static bool tty_is_pending(const struct screen *s)
{
	const struct tty *t = (const struct tty *)s;

	return t->sent < t->out.len;
}

static void tty_send(struct screen *s, struct vy_str bytes)
{
	struct tty *t = tty_of(s);

	if (t->has_strings || bytes.n == 1) { /* a bell is no string */
		vy_buf_addstr(&t->out, bytes);
		if (tty_flush(s, NULL) < 0) {
			t->sent = t->out.len; /* present() will say that it is gone */
		}
	}
}

/* ---- taking the terminal, and giving it back ---- */

static int take(struct tty *t, struct vy_err *e)
{
	if (tcsetattr(t->fd, TCSADRAIN, &t->raw) < 0) {
		return vy_fail_errno(e, errno, _("setting the terminal's mode"));
	}
	rescue_arm(t->fd, &t->before);
	t->is_taken = true;
	t->cols = 0;
	if (t->has_strings) {
		vy_buf_adds(&t->out, TAKE ASK);
		t->asked_ms = vy_boot_ms(&vy_clock_real);
		vy_buf_adds(&t->out, t->mouse ? MOUSE_ON : "");
	} else if (t->has_alt) {
		vy_buf_adds(&t->out, "\033[?1049h");
	}
	paint_forget(&t->paint);
	return tty_flush(&t->base, e) < 0 ? -1 : 0;
}

static void set_blocking(struct tty *t, bool on)
{
	int flags = fcntl(t->fd, F_GETFL);

	if (!t->may_block) {
		fcntl(t->fd, F_SETFL, on ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
	}
}

/* The answers to our questions are nobody's typing: those that are still on their way are waited for,
 * a moment, so that the flush behind takes them. */
static void await_answers(const struct tty *t)
{
	struct pollfd p = { .fd = t->fd, .events = POLLIN };

	if (t->has_strings && vy_boot_ms(&vy_clock_real) - t->asked_ms < ANSWER_MS) {
		poll(&p, 1, ANSWER_MS);
	}
}

/* Waits for what is still on its way: a terminal that is given back must not get half a frame. */
static void give_back(struct tty *t)
{
	if (!t->is_taken) {
		return;
	}
	t->is_taken = false;
	set_blocking(t, true);
	if (t->has_strings) {
		vy_buf_adds(&t->out, rescue_string);
	} else {
		vy_buf_adds(&t->out, "\033[m\033[r\033[?25h");
		vy_buf_adds(&t->out, t->has_alt ? "\033[?1049l" : "\033[H\033[2J");
	}
	tty_flush(&t->base, NULL);
	rescue_disarm();
	await_answers(t);
	tcsetattr(t->fd, TCSAFLUSH, &t->before); /* late answers to our questions go too */
	set_blocking(t, false);
}

static int tty_suspend(struct screen *s, struct vy_err *e)
{
	(void)e;
	give_back(tty_of(s));
	return 0;
}

static int tty_resume(struct screen *s, struct vy_err *e)
{
	struct tty *t = tty_of(s);

	return t->is_taken ? 0 : take(t, e);
}

static void tty_close(struct screen *s)
{
	struct tty *t = tty_of(s);

	give_back(t);
	guard_end();
	paint_fini(&t->paint);
	vy_buf_fini(&t->out);
	close(t->fd);
	del_curterm(cur_term);
	free(t);
}

/* ---- asking ---- */

static void tty_size(struct screen *s, int *cols, int *rows)
{
	struct tty *t = tty_of(s);
	struct winsize w = { 0 };

	if (t->cols == 0) {
		if (ioctl(t->fd, TIOCGWINSZ, &w) < 0 || w.ws_col == 0 || w.ws_row == 0) {
			w = (struct winsize){ .ws_col = 80, .ws_row = 24 };
		}
		t->cols = w.ws_col;
		t->rows = w.ws_row;
		t->cell_w = w.ws_xpixel / w.ws_col;
		t->cell_h = w.ws_ypixel / w.ws_row;
	}
	*cols = t->cols;
	*rows = t->rows;
}

static void tty_cell(const struct screen *s, int *w, int *h)
{
	*w = ((const struct tty *)s)->cell_w;
	*h = ((const struct tty *)s)->cell_h;
}

static int tty_fd(const struct screen *s)
{
	return ((const struct tty *)s)->fd;
}

static struct theme_env tty_theme_env(const struct screen *s)
{
	return (struct theme_env){ .term = getenv("TERM"),
		.colorterm = getenv("COLORTERM"),
		.no_color = getenv("NO_COLOR"),
		.tmux = getenv("TMUX"),
		.colors = ((const struct tty *)s)->colors };
}

/* ---- showing ---- */

static void tty_set_theme(struct screen *s, struct theme theme)
{
	tty_of(s)->paint.theme = theme;
	paint_forget(&tty_of(s)->paint);
}

static void tty_set_mouse(struct screen *s, bool on)
{
	tty_of(s)->mouse = on;
	tty_send(s, vy_str_c(on ? MOUSE_ON : MOUSE_OFF));
}

static void tty_redraw(struct screen *s)
{
	tty_of(s)->cols = 0;
	paint_forget(&tty_of(s)->paint);
}

static int tty_present(
	struct screen *s, const struct cell_grid *g, struct screen_cursor c, struct vy_err *e)
{
	struct tty *t = tty_of(s);
	int r = tty_flush(s, e);

	if (r != 0) {
		return r;
	}
	paint_frame(&t->paint, g, c, &t->out);
	return tty_flush(s, e) < 0 ? -1 : 0;
}

static const struct screen_ops tty_ops = {
	.close = tty_close,
	.suspend = tty_suspend,
	.resume = tty_resume,
	.size = tty_size,
	.cell = tty_cell,
	.fd = tty_fd,
	.theme_env = tty_theme_env,
	.is_pending = tty_is_pending,
	.set_theme = tty_set_theme,
	.set_mouse = tty_set_mouse,
	.present = tty_present,
	.flush = tty_flush,
	.redraw = tty_redraw,
	.send = tty_send,
};

/* ---- opening ---- */

static const char *capability(const char *name)
{
	char *s = tigetstr(name);

	return s == (char *)-1 ? NULL : s;
}

static bool starts(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

/* May strings (OSC) and xterm's modes be sent? Old consoles would show them. */
static bool takes_strings(const char *term)
{
	bool is_gnu_screen = starts(term, "screen") && !getenv("TMUX");

	return !starts(term, "linux") && !starts(term, "vt") && !starts(term, "cons") &&
	       !starts(term, "ansi") && !is_gnu_screen;
}

static int read_terminfo(struct tty *t, struct paint_caps *caps, struct vy_err *e)
{
	const char *term = getenv("TERM");
	const char *cup;
	int why = 0;

	if (!term || !*term) {
		return vy_fail(e, VY_UNSUPPORTED, _("TERM is not set: which terminal is this?"));
	}
	/* A terminal newer than this machine's terminfo is an xterm in all that matters here. */
	if (setupterm(term, t->fd, &why) != OK && setupterm("xterm-256color", t->fd, &why) != OK) {
		if (strcmp(term, "dumb") == 0) {
			return vy_fail(e, VY_UNSUPPORTED, _("TERM=dumb cannot place its cursor"));
		}
		t->colors = 256;
		t->has_alt = true;
		t->has_strings = takes_strings(term);
		caps->no_bce = true; /* true of some, right for all */
		caps->no_strings = !t->has_strings;
		return 0;
	}
	cup = capability("cup"); /* an old terminal's has a delay behind it */
	if (!cup || !starts(cup, "\033[%i%p1%d;%p2%dH")) {
		return vy_fail(e, VY_UNSUPPORTED,
			_("TERM=%s cannot place its cursor as ECMA-48 does"), term);
	}
	t->colors = tigetnum("colors");
	t->has_alt = capability("smcup") != NULL;
	t->has_strings = takes_strings(term);
	caps->no_bce = tigetflag("bce") != 1;
	caps->no_scroll = !capability("csr") || !capability("indn") || !capability("rin");
	caps->no_strings = !t->has_strings;
	caps->eight = t->colors >= 8 && t->colors < 16;
	caps->no_attrs = (capability("dim") ? 0 : CELL_DIM) |
			 (capability("sitm") ? 0 : CELL_ITALIC) |
			 (capability("smxx") ? 0 : CELL_STRIKE);
	return 0;
}

/* Opens the terminal that stdin or stdout is, else the controlling one. Where neither may be opened
 * (a container, another user's terminal) stdout itself is used, and it blocks. */
static int open_tty(bool *may_block, struct vy_err *e)
{
	const int flags = O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	char path[256];
	int fd = -1;

	for (int i = 0; fd < 0 && i < 2; i++) {
		if (isatty(i) && ttyname_r(i, path, sizeof(path)) == 0) {
			fd = open(path, flags);
		}
	}
	if (fd < 0) {
		fd = open("/dev/tty", flags);
	}
	*may_block = fd < 0;
	if (fd < 0 && isatty(0) && isatty(1)) {
		fd = fcntl(1, F_DUPFD_CLOEXEC, 3);
	}
	return fd >= 0 ? fd : vy_fail(e, VY_UNSUPPORTED, _("there is no terminal to draw on"));
}

static struct termios raw_of(struct termios t)
{
	cfmakeraw(&t);
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	return t;
}

int screen_curses_check(struct vy_err *e)
{
	struct paint_caps caps = { 0 };
	struct tty t = { 0 };
	int rc;

	t.fd = open_tty(&t.may_block, e);
	if (t.fd < 0) {
		return -1;
	}
	rc = read_terminfo(&t, &caps, e);
	if (cur_term) {
		del_curterm(cur_term);
	}
	close(t.fd);
	return rc;
}

struct screen *screen_curses_open(const struct screen_options *o, struct vy_err *e)
{
	struct paint_caps caps = { .ascii = o->ascii };
	struct tty *t = VY_NEW(struct tty);

	t->base.ops = &tty_ops;
	t->mouse = o->mouse;
	vy_buf_init(&t->out, OUT_MAX);
	t->fd = open_tty(&t->may_block, e);
	if (t->fd < 0) {
		goto no_tty;
	}
	if (tcgetattr(t->fd, &t->before) < 0) {
		vy_fail_errno(e, errno, _("reading the terminal's mode"));
		goto no_term;
	}
	if (read_terminfo(t, &caps, e) < 0) {
		goto no_term;
	}
	t->raw = raw_of(t->before);
	paint_init(&t->paint, caps);
	guard_start(t->fd, &t->before, &t->raw);
	if (take(t, e) < 0) {
		tty_close(&t->base);
		return NULL;
	}
	return &t->base;
no_term:
	close(t->fd);
no_tty:
	vy_buf_fini(&t->out);
	free(t);
	return NULL;
}

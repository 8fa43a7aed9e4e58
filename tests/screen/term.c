/* term.c -- see term.h. */
#include "tests/screen/term.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "tests/screen/shot.h"
#include "shared/base/ban.h"

int64_t term_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* ---- what the emulator tells ---- */

static void on_output(void *ctx, struct vy_str bytes)
{
	term_write(ctx, bytes);
}

static void on_bell(void *ctx)
{
	((struct term *)ctx)->bells++;
}

static void on_clipboard(void *ctx, struct vy_str which, struct vy_str base64)
{
	struct term *t = ctx;

	(void)which;
	vy_buf_clear(&t->clipboard);
	vy_buf_addstr(&t->clipboard, base64);
}

static void on_osc(void *ctx, struct vy_str body)
{
	struct term *t = ctx;

	vy_buf_clear(&t->osc);
	vy_buf_addstr(&t->osc, body);
}

/* ---- life ---- */

void term_init(struct term *t, int cols, int rows, uint32_t background)
{
	struct vy_vt_events ev = { .output = on_output,
		.bell = on_bell,
		.clipboard = on_clipboard,
		.osc = on_osc,
		.ctx = t };

	*t = (struct term){ .fd = -1 };
	t->vt = vy_vt_new(cols, rows, 10000, &ev);
	term_set_background(t, background);
	vy_buf_init(&t->clipboard, 1 << 20);
	vy_buf_init(&t->osc, 1 << 20);
	graphics_init(&t->graphics);
}

void term_set_background(struct term *t, uint32_t background)
{
	vy_vt_set_colors(t->vt, background < 0x808080 ? 0xd4d6d4 : 0x1f2328, background);
}

void term_start(struct term *t, const char *command, char *const env[])
{
	struct winsize w = { 0 };
	int cols, rows;
	char line[4096];

	vy_grid_size(vy_vt_grid(t->vt), &cols, &rows);
	w.ws_col = (unsigned short)cols;
	w.ws_row = (unsigned short)rows;
	snprintf(line, sizeof(line), "exec %s", command);
	t->pid = forkpty(&t->fd, NULL, NULL, &w);
	if (t->pid == 0) {
		/* as at a terminal, whatever started the tests: nohup lets SIGHUP be ignored */
		signal(SIGPIPE, SIG_DFL);
		signal(SIGHUP, SIG_DFL);
		signal(SIGINT, SIG_DFL);
		signal(SIGQUIT, SIG_DFL);
		execle("/bin/sh", "sh", "-c", line, (char *)NULL, env);
		_exit(127);
	}
	vy_assert(t->pid > 0);
	fcntl(t->fd, F_SETFL, O_NONBLOCK);
	fcntl(t->fd, F_SETFD, FD_CLOEXEC);
	t->last_ms = term_now();
}

static void reap(struct term *t, int flags)
{
	if (t->pid > 0 && !t->has_ended && waitpid(t->pid, &t->status, flags) == t->pid) {
		t->has_ended = true;
	}
}

void term_fini(struct term *t)
{
	if (t->pid > 0) {
		kill(-t->pid, SIGHUP);
		for (int i = 0; i < 100 && !t->has_ended; i++) {
			term_pump(t, 10);
		}
		kill(-t->pid, SIGKILL); /* what is left of its group */
		reap(t, 0);
	}
	if (t->fd >= 0) {
		close(t->fd);
	}
	vy_vt_free(t->vt);
	vy_buf_fini(&t->clipboard);
	vy_buf_fini(&t->osc);
	graphics_fini(&t->graphics);
}

/* ---- bytes ---- */

static void feed(struct term *t, struct vy_str bytes)
{
	VY_AUTO_BUF rest = VY_BUF_INIT(1 << 22), answers = VY_BUF_INIT(1 << 16);

	graphics_step(&t->graphics, bytes, &rest, &answers);
	vy_vt_feed(t->vt, vy_buf_str(&rest));
	term_write(t, vy_buf_str(&answers));
}

/* The PTY stays open when its other side is closed: closing it sends a SIGHUP, which a program that is
 * just ending would have as its status. */
void term_pump(struct term *t, int ms)
{
	struct pollfd p = { .fd = t->fd, .events = POLLIN };
	char b[16384];

	if (t->fd < 0 || t->is_drained) {
		poll(NULL, 0, ms);
	}
	if (t->fd >= 0 && poll(&p, 1, t->is_drained ? 0 : ms) > 0) {
		ssize_t n = read(t->fd, b, sizeof(b));

		if (n > 0) {
			t->last_ms = term_now();
			t->bytes += n;
			feed(t, vy_str_n(b, (size_t)n));
		}
		t->is_drained = n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
	}
	reap(t, WNOHANG);
}

bool term_is_steady(const struct term *t)
{
	return !vy_vt_modes(t->vt).sync || term_now() - t->last_ms > 1000;
}

void term_write(struct term *t, struct vy_str bytes)
{
	int64_t until = term_now() + 5000;

	while (bytes.n > 0 && t->fd >= 0 && term_now() < until) {
		ssize_t n = write(t->fd, bytes.p, bytes.n);

		if (n > 0) {
			bytes = vy_str_from(bytes, (size_t)n);
		} else if (errno == EAGAIN) {
			term_pump(t, 5); /* it writes, too: read, or both wait for ever */
		} else if (errno != EINTR) {
			return;
		}
	}
}

void term_resize(struct term *t, int cols, int rows)
{
	struct winsize w = { .ws_col = (unsigned short)cols, .ws_row = (unsigned short)rows };

	vy_vt_resize(t->vt, cols, rows);
	if (t->fd >= 0) {
		ioctl(t->fd, TIOCSWINSZ, &w);
	}
}

/* ---- the screen ---- */

void term_text(const struct term *t, struct vy_buf *out)
{
	const struct vy_grid *g = vy_vt_grid(t->vt);
	int cols, rows;

	vy_grid_size(g, &cols, &rows);
	for (int y = 0; y < rows; y++) {
		size_t end = out->len;

		for (int x = 0; x < cols; x++) {
			const struct vy_vt_cell *c = vy_grid_cell(g, x, y);
			char text[VY_GRID_TEXT_MAX];

			if (c->width > 0) {
				vy_buf_add(out, text, vy_grid_text(g, c, text));
			}
			end = c->ch ? out->len : end;
		}
		vy_buf_truncate(out, end);
		vy_buf_addc(out, '\n');
	}
}

void term_snapshot(const struct term *t, struct vy_buf *out)
{
	shot_text(t->vt, out);
}

/* child.c -- see child.h.
 *
 * Between fork and exec this is an ordinary single-threaded process, so the child itself writes the
 * sentence that says why it could not become its program; an empty report means that it did. */
#include "server/holder/child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include "server/holder/brand.h"
#include "server/holder/msg.h"
#include "server/holder/user.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

enum {
	SECRET_FD = 3,
	HIGH_FD = 10, /* fds on their way into the child stand above its own */
};

/* Both ends of everything, while the child is being made. */
struct ends {
	int std[3]; /* the child's stdin, stdout, stderr */
	int in, outs[CHILD_OUTS];
	int secret; /* the child's end */
	int report[2];
};

void child_init(struct child *c)
{
	*c = (struct child){ .in = -1, .outs = { -1, -1 }, .report = -1 };
}

static void drop(int *fd)
{
	if (*fd >= 0) {
		close(*fd);
		*fd = -1;
	}
}

void child_close_in(struct child *c)
{
	if (c->in == c->outs[CHILD_OUT]) {
		c->in = -1; /* a PTY is one fd, which still reads */
	}
	drop(&c->in);
}

void child_close_out(struct child *c, int which)
{
	if (c->in == c->outs[which]) {
		c->in = -1;
	}
	drop(&c->outs[which]);
}

void child_fini(struct child *c)
{
	child_close_in(c);
	child_close_out(c, CHILD_OUT);
	child_close_out(c, CHILD_ERR);
	drop(&c->report);
}

void child_resize(struct child *c, unsigned cols, unsigned rows)
{
	struct winsize size = { .ws_col = (unsigned short)cols, .ws_row = (unsigned short)rows };

	if (c->is_pty && c->outs[CHILD_OUT] >= 0 && cols && rows) {
		ioctl(c->outs[CHILD_OUT], TIOCSWINSZ, &size);
	}
}

/* ---- the ends ---- */

static int nonblocking(int fd)
{
	return fcntl(fd, F_SETFL, O_NONBLOCK);
}

static int make_pipe(int *reader, int *writer, struct vy_err *e)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) < 0) {
		return vy_fail_errno(e, errno, "cannot make a pipe");
	}
	*reader = fds[0];
	*writer = fds[1];
	return 0;
}

static int open_pipes(struct ends *x, struct vy_err *e)
{
	if (make_pipe(&x->std[0], &x->in, e) < 0 ||
		make_pipe(&x->outs[CHILD_OUT], &x->std[1], e) < 0 ||
		make_pipe(&x->outs[CHILD_ERR], &x->std[2], e) < 0) {
		return -1;
	}
	nonblocking(x->in);
	nonblocking(x->outs[CHILD_OUT]);
	nonblocking(x->outs[CHILD_ERR]);
	return 0;
}

static int open_pty(struct ends *x, const struct child_spec *spec, struct vy_err *e)
{
	struct winsize size = { .ws_col = (unsigned short)(spec->cols ? spec->cols : 80),
		.ws_row = (unsigned short)(spec->rows ? spec->rows : 24) };
	struct termios tio;
	char name[64];
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	x->in = x->outs[CHILD_OUT] = master;
	if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0 ||
		ptsname_r(master, name, sizeof(name)) != 0 ||
		(x->std[0] = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)) < 0) {
		return vy_fail_errno(e, errno, "cannot open a terminal");
	}
	if (tcgetattr(x->std[0], &tio) == 0) {
		tio.c_iflag |= IUTF8; /* the erase key takes a whole character */
		tcsetattr(x->std[0], TCSANOW, &tio);
	}
	ioctl(master, TIOCSWINSZ, &size);
	nonblocking(master);
	return 0;
}

/* The secret fits the pipe at once (VY_SECRET_MAX), so that nobody has to wait for a reader. */
static int open_secret(struct ends *x, struct vy_str secret, struct vy_err *e)
{
	int writer = -1;
	ssize_t n;

	if (secret.n == 0) {
		return 0;
	}
	if (make_pipe(&x->secret, &writer, e) < 0) {
		return -1;
	}
	nonblocking(writer);
	n = write(writer, secret.p, secret.n);
	close(writer);
	return n == (ssize_t)secret.n ? 0 : vy_fail(e, VY_IO, "the secret did not fit its pipe");
}

static void close_ends(struct ends *x, bool ours_too)
{
	for (int i = 0; i < 3; i++) {
		drop(&x->std[i]);
	}
	drop(&x->secret);
	drop(&x->report[1]);
	if (!ours_too) {
		return;
	}
	if (x->in != x->outs[CHILD_OUT]) {
		drop(&x->in);
	}
	drop(&x->outs[CHILD_OUT]);
	drop(&x->outs[CHILD_ERR]);
	drop(&x->report[0]);
}

/* ---- in the child ---- */

static _Noreturn void give_up(int report, const char *fmt, ...) VY_PRINTF(2, 3);

static _Noreturn void give_up(int report, const char *fmt, ...)
{
	char text[512];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	n = n < (int)sizeof(text) ? n : (int)sizeof(text) - 1;
	if (write(report, text, (size_t)n) != n) {
		_exit(126); /* nobody listens any more */
	}
	_exit(127);
}

/* By the kernel's own call: the library hides two signals that a parent may have left ignored. */
static void default_signals(void)
{
	static const char all_zero[64]; /* the kernel's sigaction: SIG_DFL, no flags, no mask */
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++) {
		syscall(SYS_rt_sigaction, sig, all_zero, NULL, NSIG / 8);
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Moves `fd` out of the way of the numbers that the child uses. */
static int raised(int fd, int report)
{
	int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);

	if (high < 0) {
		give_up(report, "cannot pass a file to the program: %s", strerror(errno));
	}
	return high;
}

static void take_fds(const struct ends *x, bool is_pty, int report)
{
	int std[3], secret = -1;

	for (int i = 0; i < 3; i++) {
		std[i] = raised(x->std[is_pty ? 0 : i], report);
	}
	if (x->secret >= 0) {
		secret = raised(x->secret, report);
	}
	for (int i = 0; i < 3; i++) {
		dup2(std[i], i);
	}
	if (secret >= 0) {
		dup2(secret, SECRET_FD);
	}
	close_range(secret >= 0 ? SECRET_FD + 1 : SECRET_FD, ~0U, CLOSE_RANGE_CLOEXEC);
}

static char **pointers(struct vy_str list, const char *extra, const char *except)
{
	char **v = vy_calloc(msg_list_count(list) + 2, sizeof(*v));
	const char *item;
	size_t n = 0;

	while (msg_list_next(&list, &item)) {
		if (!except || strncmp(item, except, strlen(except)) != 0) {
			v[n++] = vy_strdup(item);
		}
	}
	if (extra) {
		v[n] = vy_strdup(extra);
	}
	return v;
}

static const char *path_note(const char *program, char *note, size_t room)
{
	const char *path = getenv("PATH");

	note[0] = '\0';
	if (strchr(program, '/')) {
		if (access(program, F_OK) == 0) {
			snprintf(note, room, " (the program it is to be run by)");
		}
	} else {
		snprintf(note, room, " (searched in %.300s)", path ? path : "/bin:/usr/bin");
	}
	return note;
}

static _Noreturn void become(const struct child_spec *spec, const struct ends *x)
{
	char marker[MSG_HID_MAX + 32], note[400];
	int report = raised(x->report[1], x->report[1]);
	struct vy_err e = { 0 };

	setsid();
	default_signals();
	if (spec->is_pty && ioctl(x->std[0], TIOCSCTTY, 0) < 0) {
		give_up(report, "cannot take the terminal: %s", strerror(errno));
	}
	take_fds(x, spec->is_pty, report);
	setrlimit(RLIMIT_CORE, &spec->core);
	if (brand_put(spec->brand) < 0) {
		give_up(report, "cannot limit the program: %s", strerror(errno));
	}
	if (user_become(spec->user, &e) < 0) {
		give_up(report, "%s", e.text);
	}
	umask((mode_t)(spec->umask & 0777));
	if (chdir(spec->cwd) < 0) {
		give_up(report, "cannot enter %s: %s", spec->cwd, strerror(errno));
	}
	snprintf(marker, sizeof(marker), "VYRE_HOLDER=%s", spec->hid);
	environ = pointers(spec->env, marker, "VYRE_HOLDER=");
	char **argv = pointers(spec->argv, NULL, NULL);

	execvp(argv[0], argv);
	int err = errno;

	give_up(report, "%s: %s%s", argv[0], strerror(err),
		err == ENOENT ? path_note(argv[0], note, sizeof(note)) : "");
}

/* ---- in the holder ---- */

int child_start(struct child *c, const struct child_spec *spec, struct vy_err *e)
{
	struct ends x = { .std = { -1, -1, -1 },
		.in = -1,
		.outs = { -1, -1 },
		.secret = -1,
		.report = { -1, -1 } };
	pid_t pid = -1;

	if (make_pipe(&x.report[0], &x.report[1], e) < 0 ||
		(spec->is_pty ? open_pty(&x, spec, e) : open_pipes(&x, e)) < 0 ||
		open_secret(&x, spec->secret, e) < 0) {
		goto fail;
	}
	nonblocking(x.report[0]);
	pid = fork();
	if (pid < 0) {
		vy_fail_errno(e, errno, "cannot start a process");
		goto fail;
	}
	if (pid == 0) {
		become(spec, &x);
	}
	close_ends(&x, false);
	c->pid = pid;
	c->is_pty = spec->is_pty;
	c->in = x.in;
	memcpy(c->outs, x.outs, sizeof(c->outs));
	c->report = x.report[0];
	return 0;
fail:
	close_ends(&x, true);
	return -1;
}

int child_report(struct child *c, struct vy_err *e)
{
	char text[512];
	ssize_t n;

	do {
		n = read(c->report, text, sizeof(text));
	} while (n < 0 && errno == EINTR);
	if (n < 0 && errno == EAGAIN) {
		return 0;
	}
	drop(&c->report);
	return n > 0 ? vy_fail(e, VY_NOT_FOUND, "%.*s", (int)n, text) : 1;
}

/* guard.c -- see guard.h. One byte tells the child what the terminal is: 't'aken, 'f'ree. */
#include "tui/ink/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tui/ink/rescue.h"
#include "shared/base/ban.h"

#define WAIT_MS 500 /* for a terminal that is behind */

/* For the same reason as in rescue.c there is one, and it is here: a handler must reach it. */
static volatile int line = -1;
static pid_t child;

/* ---- the child ---- */

#define TTY 0
#define END 1

/* Both get a number of their own, and nothing else stays open: a pipe of the caller's must see its
 * end, and a lock that is held by a descriptor its owner's death. */
static bool keep_only(int tty, int end)
{
	int high = fcntl(end, F_DUPFD, 3); /* out of the way, should it stand there */

	return high >= 0 && dup2(tty, TTY) == TTY && dup2(high, END) == END &&
	       syscall(SYS_close_range, 2U, ~0U, 0U) == 0;
}

static void write_reset(void)
{
	size_t at = 0, n = strlen(rescue_string);

	while (at < n) {
		ssize_t k = write(TTY, rescue_string + at, n - at);
		struct pollfd p = { .fd = TTY, .events = POLLOUT };

		if (k > 0) {
			at += (size_t)k;
		} else if (k == 0 || (errno != EAGAIN && errno != EINTR) ||
			   poll(&p, 1, WAIT_MS) == 0) {
			return;
		}
	}
}

static bool is_same(const struct termios *a, const struct termios *b)
{
	return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_lflag == b->c_lflag;
}

static void watch(const struct termios *before, const struct termios *raw)
{
	bool is_taken = false;
	struct termios now;
	char byte;
	ssize_t n;

	while ((n = read(END, &byte, 1)) != 0) {
		if (n > 0) {
			is_taken = byte == 't';
		} else if (errno != EINTR) {
			return;
		}
	}
	if (is_taken) {
		write_reset();
		if (tcgetattr(TTY, &now) == 0 && is_same(&now, raw)) {
			tcsetattr(TTY, TCSANOW, before);
		}
	}
}

static void be_the_guard(int tty, int end, const struct termios *before, const struct termios *raw)
{
	static const int deaf[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGTTOU, SIGTSTP };

	for (size_t i = 0; i < sizeof(deaf) / sizeof(deaf[0]); i++) {
		signal(deaf[i], SIG_IGN);
	}
	setsid();
	prctl(PR_SET_NAME, "vyre-tui-guard");
	if (keep_only(tty, end)) {
		watch(before, raw);
	}
	_exit(0);
}

/* ---- the parent ---- */

void guard_start(int fd, const struct termios *before, const struct termios *raw)
{
	int ends[2];

	if (line >= 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
		return;
	}
	child = fork();
	if (child == 0) {
		close(ends[0]);
		be_the_guard(fd, ends[1], before, raw);
	}
	close(ends[1]);
	if (child < 0) {
		close(ends[0]);
		return;
	}
	line = ends[0];
}

void guard_arm(bool is_taken)
{
	int saved = errno;

	if (line >= 0) {
		send(line, is_taken ? "t" : "f", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
	}
	errno = saved;
}

void guard_end(void)
{
	if (line < 0) {
		return;
	}
	guard_arm(false);
	close(line);
	line = -1;
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR) { /* or the loop has done it */
	}
}

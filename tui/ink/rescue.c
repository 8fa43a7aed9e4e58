/* rescue.c -- see rescue.h. Everything a handler reads is set before the handler is installed. */
#include "tui/ink/rescue.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/base/str.h"
#include "tui/ink/guard.h"
#include "shared/base/ban.h"

/* ST first: should a sequence have been cut in the middle, it ends here. The keyboard is popped
 * before the alternate screen is left, since each screen has a keyboard stack of its own. */
const char rescue_string[] = "\033\\\033[?2026l"
			     "\033[<u\033[>4;0m"                 /* keyboards */
			     "\033[8h"                           /* its own bidi */
			     "\033[?2004l\033[?1004l\033[?2031l" /* paste, focus, theme */
			     "\033[?1003l\033[?1002l\033[?1000l\033[?1006l" /* mouse */
			     "\033]8;;\033\\\033[r\033[m\033[0 q\033[?7h" /* pen, region, cursor */
			     "\033[23;0t\033[?1049l\033[?25h";            /* title, screen */

#define WAIT_MS  200 /* for a terminal that is behind; then it is left as it is */
#define STACK_SZ 65536

static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS };
static const int requests[] = { SIGTERM, SIGHUP, SIGQUIT, SIGINT };

static volatile sig_atomic_t armed;
static int term_fd = -1;
static struct termios term_before;
static struct sigaction old_crash[VY_COUNT(crashes)];
static char stack[STACK_SZ];

void rescue_now(void)
{
	size_t at = 0, n = sizeof(rescue_string) - 1;

	if (!armed) {
		return;
	}
	armed = 0;
	while (at < n) {
		ssize_t k = write(term_fd, rescue_string + at, n - at);
		struct pollfd p = { .fd = term_fd, .events = POLLOUT };

		if (k > 0) {
			at += (size_t)k;
		} else if (k == 0 || (errno != EAGAIN && errno != EINTR) ||
			   poll(&p, 1, WAIT_MS) == 0) {
			break;
		}
	}
	tcsetattr(term_fd, TCSANOW, &term_before);
	guard_arm(false); /* it is done: once is enough */
}

static void on_crash(int sig)
{
	int saved = errno;

	rescue_now();
	for (size_t i = 0; i < VY_COUNT(crashes); i++) {
		if (crashes[i] == sig) { /* a sanitizer, say, has its own handler: its turn now */
			sigaction(sig, &old_crash[i], NULL);
		}
	}
	errno = saved;
	raise(sig); /* blocked until this handler returns */
}

static void on_request(int sig)
{
	int saved = errno;

	rescue_now();
	signal(sig, SIG_DFL);
	errno = saved;
	raise(sig);
}

static void install(void)
{
	stack_t alt = { .ss_sp = stack, .ss_size = sizeof(stack) }, has;
	struct sigaction a = { .sa_handler = on_crash, .sa_flags = SA_ONSTACK }, old;

	if (sigaltstack(NULL, &has) == 0 && (has.ss_flags & SS_DISABLE)) {
		sigaltstack(&alt, NULL); /* a stack that overflowed is no place for a handler */
	}
	for (size_t i = 0; i < VY_COUNT(crashes); i++) {
		sigaction(crashes[i], &a, &old_crash[i]);
	}
	a.sa_handler = on_request;
	for (size_t i = 0; i < VY_COUNT(requests); i++) {
		if (sigaction(requests[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL) {
			sigaction(requests[i], &a, NULL);
		}
	}
	atexit(rescue_now);
}

void rescue_arm(int fd, const struct termios *before)
{
	static bool is_installed;

	armed = 0;
	term_fd = fd;
	term_before = *before;
	if (!is_installed) {
		is_installed = true;
		install();
	}
	armed = 1;
	guard_arm(true);
}

void rescue_disarm(void)
{
	armed = 0;
	guard_arm(false);
}

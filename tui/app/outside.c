/* outside.c -- see outside.h. */
#include "tui/app/outside.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/str.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

static const int keys[] = { SIGINT, SIGQUIT };

static void be_the_program(const char *line, const char *arg, const int in[2])
{
	for (size_t i = 0; i < VY_COUNT(keys); i++) {
		signal(keys[i], SIG_DFL);
	}
	signal(SIGPIPE, SIG_DFL);
	if (in[0] >= 0 && dup2(in[0], STDIN_FILENO) < 0) {
		_exit(127);
	}
	execl("/bin/sh", "sh", "-c", line, "sh", arg, (char *)NULL);
	_exit(127);
}

static int wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int outside_run(
	const char *line, const char *arg, outside_feed_fn *feed, void *ctx, struct vy_err *e)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, was[VY_COUNT(keys)];
	int in[2] = { -1, -1 }, rc = -1, why;
	pid_t pid;

	if (feed && pipe2(in, O_CLOEXEC) != 0) {
		return vy_fail_errno(e, errno, _("starting %s"), line);
	}
	for (size_t i = 0; i < VY_COUNT(keys); i++) {
		sigaction(keys[i], &ignore, &was[i]);
	}
	pid = fork();
	if (pid == 0) {
		be_the_program(line, arg, in);
	}
	why = errno;
	if (feed) {
		close(in[0]);
		if (pid > 0) {
			feed(ctx, in[1]);
		}
		close(in[1]);
	}
	if (pid > 0) {
		rc = wait_for(pid);
	}
	for (size_t i = 0; i < VY_COUNT(keys); i++) {
		sigaction(keys[i], &was[i], NULL);
	}
	return pid < 0 ? vy_fail_errno(e, why, _("starting %s"), line) : rc;
}

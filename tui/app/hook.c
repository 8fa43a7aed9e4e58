/* hook.c -- see hook.h. Forked twice: the first child ends at once, so that there is nobody to reap. */
#include "tui/app/hook.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/ban.h"

static void set(const char *name, const char *value)
{
	setenv(name, value ? value : "", 1);
}

static void become(const char *command, const struct hook_event *ev)
{
	int null = open("/dev/null", O_RDWR);

	setsid();
	for (int fd = 0; fd < 3 && null >= 0; fd++) {
		dup2(null, fd);
	}
	for (int sig = 1; sig < NSIG; sig++) {
		signal(sig, SIG_DFL);
	}
	set("VYRE_EVENT", ev->event);
	set("VYRE_SESSION", ev->session);
	set("VYRE_TITLE", ev->title);
	set("VYRE_TEXT", ev->text);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

void hook_run(const char *command, const struct hook_event *ev)
{
	pid_t pid = fork();

	if (pid == 0) {
		pid = fork();
		if (pid == 0) {
			become(command, ev);
		}
		_exit(0);
	}
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
	}
}

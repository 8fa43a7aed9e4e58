/* stop.c -- vyred stop: a signal to the lock's holder, then the lock itself says when it is over. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "server/ops/held.h"
#include "server/ops/ops.h"
#include "shared/base/ban.h"

#define WAIT_MS     15000
#define WAIT_ALL_MS 75000 /* a minute for the agents, then the drain */

/* Another one there (somebody wanted it back at once) is not the one that was asked to end. */
static bool gone_within(int fd, long pid, int ms)
{
	const struct timespec step = { .tv_nsec = 20 * 1000000 };

	for (int waited = 0; waited < ms; waited += 20) {
		long now = held_by(fd);

		if (now == 0 || (now > 0 && now != pid)) {
			return true;
		}
		nanosleep(&step, NULL);
	}
	return false;
}

int ops_stop(const char *state_dir, bool all)
{
	char path[4096];
	int rc = 1;

	snprintf(path, sizeof(path), "%s/lock", state_dir);
	int fd = open(path, O_RDWR | O_CLOEXEC);
	long pid = fd < 0 ? 0 : held_by(fd);

	if (pid == 0) {
		fprintf(stderr, "vyred: no server runs on %s\n", state_dir);
		rc = 5;
	} else if (pid < 0) {
		fprintf(stderr, "vyred: %s is locked, but does not say by whom\n", path);
	} else if (kill((pid_t)pid, all ? SIGUSR1 : SIGTERM) != 0) {
		fprintf(stderr, "vyred: signalling process %ld: %m\n", pid);
	} else if (!gone_within(fd, pid, all ? WAIT_ALL_MS : WAIT_MS)) {
		fprintf(stderr, "vyred: process %ld was asked to end and still runs\n", pid);
	} else {
		rc = 0;
	}
	if (fd >= 0) {
		close(fd);
	}
	return rc;
}

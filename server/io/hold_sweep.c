/* hold_sweep.c -- see hold_sweep.h. */
#include "server/io/hold_sweep.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "server/holder/msg.h"
#include "server/holder/procfs.h"
#include "server/io/hold_dial.h"
#include "server/io/peercred.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

enum { PASSES_MAX = 50 }; /* one that forks faster than we walk is left to the next sweep */

/* Held by a pidfd while its mark is read, so that the signal meets the process which bears it. */
static bool signal_marked(pid_t pid, const char *hid, int signo)
{
	char marker[MSG_HID_MAX + 1];
	int fd = pidfd_open(pid, 0);
	bool has = fd >= 0 && peercred_marker(pid, marker, sizeof(marker)) == 1 &&
		   strcmp(marker, hid) == 0 && pidfd_send_signal(fd, signo, NULL, 0) == 0;

	if (fd >= 0) {
		close(fd);
	}
	return has;
}

static bool is_among(const pid_t *pids, size_t n, pid_t pid)
{
	while (n > 0 && pids[n - 1] != pid) {
		n--;
	}
	return n > 0;
}

/* One walk over all processes; who was met is noted once. True: somebody new was. */
static bool sweep_once(const char *hid, int signo, pid_t **met, size_t *n, size_t *cap)
{
	struct procfs_stat *all;
	long count = procfs_all(&all);
	size_t before = *n;

	for (long i = 0; i < count; i++) {
		pid_t pid = all[i].pid;

		if (pid == getpid() || all[i].state == 'Z' || !signal_marked(pid, hid, signo) ||
			is_among(*met, *n, pid)) {
			continue;
		}
		*met = vy_grow(*met, cap, *n + 1, sizeof(**met));
		(*met)[(*n)++] = pid;
	}
	free(all);
	return *n > before;
}

int hold_sweep(const char *hid, int signo)
{
	pid_t *met = NULL;
	size_t n = 0, cap = 0;
	int passes = 0;

	while (sweep_once(hid, signo, &met, &n, &cap) && signo == SIGKILL &&
		++passes < PASSES_MAX) {
	}
	free(met);
	return (int)n;
}

void hold_unlink(const char *dir, const char *hid)
{
	struct sockaddr_un addr;

	if (hold_dial_addr(dir, hid, &addr, NULL) == 0) {
		unlink(addr.sun_path);
	}
}

/* hold_sweep.c -- see hold_sweep.h. */
#include "server/io/hold_sweep.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/holder/msg.h"
#include "server/holder/procfs.h"
#include "server/io/cgroup.h"
#include "server/io/hold.h"
#include "server/io/hold_dial.h"
#include "server/io/peercred.h"
#include "shared/base/mem.h"
#include "shared/base/sockpath.h"
#include "shared/base/ban.h"

enum { PASSES_MAX = 50 }; /* one that forks faster than we walk is left to the next sweep */

enum mark { MARK_OTHER, MARK_OURS, MARK_UNSURE };

/* In the middle of execve() the old environment is gone and the new one not there yet: the kernel
 * says that it ends at 0. So it does of what we may not look into, and of its own threads. */
static bool is_in_exec(pid_t pid)
{
	enum { FLAGS = 9, ENV_END = 51, KTHREAD = 0x00200000 };
	char text[1024], path[64], *p, *save = NULL;
	long n = procfs_read(pid, "stat", text, sizeof(text) - 1);
	struct stat st;
	int field = 2; /* the one that ends with the last bracket */

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	if (n <= 0 || stat(path, &st) != 0 || st.st_uid != geteuid()) {
		return false;
	}
	text[n] = '\0';
	p = strrchr(text, ')');
	for (p = p ? strtok_r(p + 1, " ", &save) : NULL; p; p = strtok_r(NULL, " ", &save)) {
		if (++field == FLAGS && (strtoul(p, NULL, 10) & KTHREAD)) {
			return false;
		}
		if (field == ENV_END) {
			return strcmp(p, "0") == 0;
		}
	}
	return false;
}

/* Held by a pidfd while its mark is read, so that the signal meets the process which bears it. */
static enum mark signal_marked(pid_t pid, const char *hid, int signo)
{
	char marker[MSG_HID_MAX + 1];
	int fd = pidfd_open(pid, 0);
	int has = fd >= 0 ? peercred_marker(pid, marker, sizeof(marker)) : -1;
	enum mark mark = has == 0 && is_in_exec(pid) ? MARK_UNSURE : MARK_OTHER;

	if (has == 1 && strcmp(marker, hid) == 0 && pidfd_send_signal(fd, signo, NULL, 0) == 0) {
		mark = MARK_OURS;
	}
	if (fd >= 0) {
		close(fd);
	}
	return mark;
}

static bool is_among(const pid_t *pids, size_t n, pid_t pid)
{
	while (n > 0 && pids[n - 1] != pid) {
		n--;
	}
	return n > 0;
}

/* One walk over all processes; who was met is noted once. True: it is not the last, since somebody
 * new was met, or somebody's mark could not be read. */
static bool sweep_once(const char *hid, int signo, pid_t **met, size_t *n, size_t *cap)
{
	struct procfs_stat *all;
	long count = procfs_all(&all);
	bool is_unsure = false;
	size_t before = *n;

	for (long i = 0; i < count; i++) {
		pid_t pid = all[i].pid;

		if (pid == getpid() || all[i].state == 'Z') {
			continue;
		}
		enum mark mark = signal_marked(pid, hid, signo);

		is_unsure |= mark == MARK_UNSURE;
		if (mark != MARK_OURS || is_among(*met, *n, pid)) {
			continue;
		}
		*met = vy_grow(*met, cap, *n + 1, sizeof(**met));
		(*met)[(*n)++] = pid;
	}
	free(all);
	return *n > before || is_unsure;
}

int hold_sweep(const char *hid, int signo)
{
	pid_t *met = NULL;
	size_t n = 0, cap = 0;
	int passes = 0;

	if (signo == SIGKILL) {
		cgroup_end(hid, true);
	}
	while (sweep_once(hid, signo, &met, &n, &cap) && signo == SIGKILL &&
		++passes < PASSES_MAX) {
	}
	free(met);
	return (int)n;
}

/* A holder that is told to end takes its tree along. Who answers listens, so its number is its own. */
static bool end_stray(const char *dir, const char *hid)
{
	struct vy_err e = { 0 };
	pid_t pid;
	int fd = hold_dial(dir, hid, &pid, &e), pidfd;
	bool has = false;

	if (fd >= 0) {
		pidfd = pidfd_open(pid, 0);
		has = pidfd >= 0 && pidfd_send_signal(pidfd, SIGTERM, NULL, 0) == 0;
		if (pidfd >= 0) {
			close(pidfd);
		}
		close(fd);
	} else if (e.code == VY_GONE) {
		hold_unlink(dir, hid);
	}
	return has;
}

int hold_end_strays(const char *dir, hold_known_fn *is_known, void *ctx)
{
	char path[4096];
	struct dirent *d;
	DIR *h;
	int n = 0;

	snprintf(path, sizeof(path), "%s/h", dir);
	h = opendir(path);
	while (h && (d = readdir(h))) {
		if (strlen(d->d_name) == HOLD_HID_LEN && !is_known(ctx, d->d_name)) {
			n += end_stray(dir, d->d_name);
		}
	}
	if (h) {
		closedir(h);
	}
	return n;
}

void hold_unlink(const char *dir, const char *hid)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/h/%s", dir, hid);
	vy_sock_remove(path);
}

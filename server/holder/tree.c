/* tree.c -- see tree.h. */
#include "server/holder/tree.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

int tree_own(struct vy_err *e)
{
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0) {
		return vy_fail_errno(e, errno, "cannot become the reaper of the child's children");
	}
	return 0;
}

size_t tree_find(const struct procfs_stat *all, size_t n, pid_t root, bool *is_below)
{
	pid_t *parents = vy_calloc(n + 1, sizeof(*parents)); /* whose children are to be found */
	size_t count = 1, alive = 0;

	for (size_t i = 0; i < n; i++) {
		is_below[i] = false;
	}
	parents[0] = root;
	for (size_t at = 0; at < count; at++) {
		for (size_t i = 0; i < n; i++) {
			if (is_below[i] || all[i].ppid != parents[at] || all[i].pid == root) {
				continue;
			}
			is_below[i] = true;
			parents[count++] = all[i].pid;
		}
	}
	free(parents);
	for (size_t i = 0; i < n; i++) {
		is_below[i] = is_below[i] && all[i].state != 'Z';
		alive += is_below[i];
	}
	return alive;
}

/* A group belongs to one session, and theirs are all of their own making; ours is left out, which a
 * child is in for the moment before its setsid. */
static bool is_new_group(const struct procfs_stat *all, const bool *is_below, size_t at)
{
	if (all[at].pgid <= 1 || all[at].pgid == getpgrp()) {
		return false;
	}
	for (size_t i = 0; i < at; i++) {
		if (is_below[i] && all[i].pgid == all[at].pgid) {
			return false;
		}
	}
	return true;
}

int tree_signal(int sig)
{
	struct procfs_stat *all;
	long n = procfs_all(&all);
	size_t found;

	if (n < 0) {
		return -1;
	}
	bool *is_below = vy_calloc((size_t)n, sizeof(*is_below));

	found = tree_find(all, (size_t)n, getpid(), is_below);
	for (size_t i = 0; i < (size_t)n; i++) {
		if (!is_below[i]) {
			continue;
		}
		if (is_new_group(all, is_below, i)) {
			kill(-all[i].pgid, sig);
		} else if (all[i].pgid == getpgrp()) {
			kill(all[i].pid, sig);
		}
	}
	free(is_below);
	free(all);
	return (int)found;
}

pid_t tree_reap(int *status)
{
	pid_t pid;

	do {
		pid = waitpid(-1, status, WNOHANG);
	} while (pid < 0 && errno == EINTR);
	return pid;
}

/* peercred.c -- see peercred.h. */
#include "server/io/peercred.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/holder/procfs.h"
#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77 /* Linux 6.5; the headers of Debian 12 are older than many kernels */
#endif

/* ---- the peer ---- */

int peercred_get(int sock, struct peercred *out, struct vy_err *e)
{
	struct ucred who;
	struct procfs_stat st;
	socklen_t n = sizeof(who);

	*out = (struct peercred){ .pidfd = -1 };
	if (getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &who, &n) < 0) {
		return vy_fail_errno(e, errno, "cannot ask who is at the socket");
	}
	if (who.pid <= 0) {
		return vy_fail(e, VY_DENIED, "the peer lives in another process namespace");
	}
	n = sizeof(out->pidfd);
	if (getsockopt(sock, SOL_SOCKET, SO_PEERPIDFD, &out->pidfd, &n) < 0) {
		out->pidfd = -1;
	}
	out->pid = who.pid;
	out->uid = who.uid;
	out->gid = who.gid;
	out->born = procfs_stat(who.pid, &st) == 0 ? st.born : 0;
	return 0;
}

void peercred_fini(struct peercred *p)
{
	if (p->pidfd >= 0) {
		close(p->pidfd);
	}
	p->pidfd = -1;
}

bool peercred_is_same(const struct peercred *p)
{
	struct pollfd over = { .fd = p->pidfd, .events = POLLIN };
	struct procfs_stat st;

	if (p->pidfd >= 0) {
		return poll(&over, 1, 0) == 0; /* readable once it ended */
	}
	return p->born && procfs_stat(p->pid, &st) == 0 && st.state != 'Z' && st.born == p->born;
}

/* ---- any process ---- */

int peercred_proc(pid_t pid, struct peercred_proc *out, struct vy_err *e)
{
	struct procfs_stat st;

	_Static_assert(sizeof(st.comm) == sizeof(out->comm), "one name");
	if (procfs_stat(pid, &st) < 0) {
		return vy_fail(e, VY_NOT_FOUND, "there is no process %ld to be seen", (long)pid);
	}
	*out = (struct peercred_proc){
		.ppid = st.ppid, .pgid = st.pgid, .sid = st.sid, .born = st.born
	};
	memcpy(out->comm, st.comm, sizeof(out->comm));
	return 0;
}

int peercred_descends(pid_t pid, pid_t root)
{
	return procfs_descends(pid, root);
}

int peercred_ancestors(pid_t pid, pid_t *out, size_t room)
{
	struct procfs_stat st;
	size_t n = 0;

	while (n < room) {
		if (procfs_stat(pid, &st) < 0) {
			return -1;
		}
		if (st.ppid <= 0) {
			break;
		}
		pid = out[n++] = st.ppid;
	}
	return (int)n;
}

/* The value of the first of `names` ("NAME=") in its environment: 1, 0 (has none of them), -1. The names
 * of an environment block that reaches over VY_ENV_MAX were not ours to set. */
static int find_env(pid_t pid, const char *const *names, struct vy_str *value)
{
	static char block[VY_ENV_MAX]; /* loop thread only */
	long n = procfs_read(pid, "environ", block, sizeof(block));
	struct vy_str rest = vy_str_n(block, n > 0 ? (size_t)n : 0);

	if (n < 0) {
		return -1;
	}
	while (rest.n) {
		struct vy_str item = vy_str_n(rest.p, strnlen(rest.p, rest.n));

		rest = vy_str_from(rest, item.n + 1);
		for (const char *const *name = names; *name; name++) {
			if (vy_str_starts(item, *name)) {
				*value = vy_str_from(item, strlen(*name));
				return 1;
			}
		}
	}
	return 0;
}

int peercred_marker(pid_t pid, char *out, size_t room)
{
	static const char *const names[] = { "VYRE_HOLDER=", NULL };
	struct vy_str value = { NULL, 0 };
	int has = find_env(pid, names, &value);

	if (has == 1) {
		snprintf(out, room, "%.*s", VY_STR_ARG(value));
	}
	return has;
}

int peercred_has_env(pid_t pid, const char *const *names)
{
	struct vy_str value;

	return find_env(pid, names, &value);
}

long peercred_exe(pid_t pid, char *out, size_t room)
{
	char path[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%ld/exe", (long)pid);
	n = room ? readlink(path, out, room - 1) : -1;
	if (n >= 0) {
		out[n] = '\0';
	}
	return n;
}

long peercred_args(pid_t pid, char *out, size_t room)
{
	return procfs_read(pid, "cmdline", out, room);
}

long peercred_cgroup(pid_t pid, char *out, size_t room)
{
	char text[8192];
	long n = procfs_read(pid, "cgroup", text, sizeof(text));
	struct vy_str rest = vy_str_n(text, n > 0 ? (size_t)n : 0);

	while (rest.n && room) {
		const char *nl = memchr(rest.p, '\n', rest.n);
		struct vy_str line = vy_str_n(rest.p, nl ? (size_t)(nl - rest.p) : rest.n);

		rest = vy_str_from(rest, line.n + 1);
		if (vy_str_starts(line, "0::")) {
			line = vy_str_from(line, 3);
			return snprintf(out, room, "%.*s", VY_STR_ARG(line));
		}
	}
	return -1;
}

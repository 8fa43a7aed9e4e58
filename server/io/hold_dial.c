/* hold_dial.c -- see hold_dial.h. */
#include "server/io/hold_dial.h"

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "server/io/peercred.h"
#include "shared/base/sockpath.h"
#include "shared/base/ban.h"

static int addr_of(const char *dir, const char *hid, struct sockaddr_un *out, struct vy_err *e)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/h/%s", dir, hid);
	return vy_sock_addr(path, out, e);
}

/* A Unix socket answers a connect at once, also a non-blocking one. */
static int connect_to(const struct sockaddr_un *addr, struct vy_err *e)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int err;

	if (fd >= 0 && connect(fd, (const struct sockaddr *)addr, sizeof(*addr)) == 0) {
		return fd;
	}
	err = errno;
	if (fd >= 0) {
		close(fd);
	}
	vy_fail_errno(e, err, "no holder listens at %s", addr->sun_path);
	if (e && (err == ENOENT || err == ECONNREFUSED)) {
		e->code = VY_GONE;
	}
	return -1;
}

int hold_dial(const char *dir, const char *hid, pid_t *holder, struct vy_err *e)
{
	struct sockaddr_un addr;
	struct peercred who;
	int fd;

	if (addr_of(dir, hid, &addr, e) < 0 || (fd = connect_to(&addr, e)) < 0) {
		return -1;
	}
	if (peercred_get(fd, &who, e) < 0) {
		close(fd);
		return -1;
	}
	*holder = who.pid;
	peercred_fini(&who);
	if (who.uid != geteuid()) {
		close(fd);
		return vy_fail(e, VY_DENIED, "the holder at %s is another user's", addr.sun_path);
	}
	return fd;
}

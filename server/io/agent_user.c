/* agent_user.c -- see agent_user.h. */
#include "server/io/agent_user.h"

#include <linux/capability.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

/* What it takes to start, to end, and to find again (its environment) another user's process. */
static const struct {
	int cap;
	const char *name;
} needed[] = {
	{ CAP_SETUID, "CAP_SETUID" },
	{ CAP_SETGID, "CAP_SETGID" },
	{ CAP_KILL, "CAP_KILL" },
	{ CAP_SYS_PTRACE, "CAP_SYS_PTRACE" },
};

/* A holder is another program: without root only ambient capabilities reach it. */
static bool has_caps(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (syscall(SYS_capget, &head, data) != 0) {
		return false;
	}
	for (size_t i = 0; i < VY_COUNT(needed); i++) {
		unsigned at = (unsigned)needed[i].cap / 32, bit = 1u << (needed[i].cap % 32);

		if (!(data[at].effective & bit) ||
			(geteuid() != 0 && !(data[at].inheritable & bit))) {
			return false;
		}
	}
	return true;
}

static int check(const char *name, const struct passwd *pw, struct vy_err *e)
{
	if (!pw) {
		return vy_fail(e, VY_BAD_INPUT,
			"user: there is no user %s on this machine: make one (useradd "
			"--create-home %s), or leave the key out",
			name, name);
	}
	if (pw->pw_uid == 0) {
		return vy_fail(e, VY_BAD_INPUT, "user: agents are never run as root");
	}
	if (pw->pw_uid == getuid()) {
		return vy_fail(e, VY_BAD_INPUT,
			"user: %s is who vyred runs as: agents need a user of their own, or leave "
			"the key out",
			name);
	}
	return has_caps()
		       ? 0
		       : vy_fail(e, VY_BAD_INPUT,
				 "user: this vyred may not start agents as %s: run it as a system "
				 "service of yours with AmbientCapabilities=CAP_SETUID CAP_SETGID "
				 "CAP_KILL CAP_SYS_PTRACE (man vyred, A USER FOR AGENTS), or as "
				 "root, or leave the key out",
				 name);
}

int agent_user_find(const char *name, struct agent_user *out, struct vy_err *e)
{
	const struct passwd *pw = getpwnam(name);
	VY_AUTO_BUF path = VY_BUF_INIT(16 * VY_KIB);

	if (check(name, pw, e) != 0) {
		return -1;
	}
	vy_buf_addf(
		&path, "%s/.local/bin:%s/bin:/usr/local/bin:/usr/bin:/bin", pw->pw_dir, pw->pw_dir);
	*out = (struct agent_user){ .name = vy_strdup(pw->pw_name),
		.home = vy_strdup(pw->pw_dir),
		.path = vy_buf_take(&path, NULL),
		.uid = pw->pw_uid };
	return 0;
}

void agent_user_fini(struct agent_user *u)
{
	free(u->name);
	free(u->home);
	free(u->path);
	*u = (struct agent_user){ 0 };
}

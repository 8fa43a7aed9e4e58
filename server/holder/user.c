/* user.c -- see user.h. */
#include "server/holder/user.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shared/base/ban.h"

/* Root without a user of its own stays root; everybody else is left with nothing. */
static int drop_caps(struct vy_err *e)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (geteuid() == 0) {
		return 0;
	}
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0 ||
		syscall(SYS_capset, &head, none) < 0) {
		return vy_fail_errno(e, errno, "cannot give up capabilities");
	}
	return 0;
}

int user_become(const char *name, struct vy_err *e)
{
	const struct passwd *pw;

	if (!name[0]) {
		return drop_caps(e);
	}
	errno = 0;
	pw = getpwnam(name);
	if (!pw || pw->pw_uid == 0) {
		return vy_fail(e, VY_NOT_FOUND,
			"there is no user %s any more that agents may run as", name);
	}
	for (int fd = 0; fd < 3; fd++) {
		(void)!fchown(fd, pw->pw_uid, pw->pw_gid); /* root's to give away */
	}
	if (initgroups(pw->pw_name, pw->pw_gid) < 0 ||
		setresgid(pw->pw_gid, pw->pw_gid, pw->pw_gid) < 0 ||
		setresuid(pw->pw_uid, pw->pw_uid, pw->pw_uid) < 0) {
		return vy_fail_errno(e, errno, "cannot become the user %s", name);
	}
	if (drop_caps(e) < 0) {
		return -1;
	}
	/* the door behind us is locked */
	return setuid(0) == 0 || seteuid(0) == 0
		       ? vy_fail(e, VY_BUG, "the user %s can become root again", name)
		       : 0;
}

/* sockpath.c -- see sockpath.h.
 *
 * The name in /tmp is a digest of the wanted path, so that both sides find it without a word. */
#include "shared/base/sockpath.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/hash.h"
#include "shared/base/ban.h"

enum { NAME_BYTES = 16 };

static int check_folder(const char *dir, struct vy_err *e)
{
	struct stat st;

	if (mkdir(dir, 0700) < 0 && errno != EEXIST) {
		return vy_fail_errno(e, errno, "cannot make %s", dir);
	}
	if (lstat(dir, &st) < 0) {
		return vy_fail_errno(e, errno, "cannot look at %s", dir);
	}
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 077)) {
		return vy_fail(e, VY_DENIED,
			"%s is not a private folder of ours; remove it or use a shorter path", dir);
	}
	return 0;
}

int vy_sock_path(const char *want, char out[VY_SOCK_PATH_MAX + 1], struct vy_err *e)
{
	uint8_t sum[VY_SHA256_LEN];
	char name[2 * NAME_BYTES + 1], dir[32];
	size_t n = strlen(want);

	if (n <= VY_SOCK_PATH_MAX) {
		memcpy(out, want, n + 1);
		return 0;
	}
	snprintf(dir, sizeof(dir), "/tmp/vyre-%lu", (unsigned long)geteuid());
	if (check_folder(dir, e) < 0) {
		return vy_wrap(e, "the path %s is too long for a socket", want);
	}
	vy_sha256(want, n, sum);
	vy_hex(sum, NAME_BYTES, name);
	snprintf(out, VY_SOCK_PATH_MAX + 1, "%s/%s", dir, name);
	return 0;
}

int vy_sock_addr(const char *want, struct sockaddr_un *out, struct vy_err *e)
{
	char path[VY_SOCK_PATH_MAX + 1];

	_Static_assert(
		sizeof(out->sun_path) > VY_SOCK_PATH_MAX, "a path of ours fits the kernel's");
	memset(out, 0, sizeof(*out));
	out->sun_family = AF_UNIX;
	if (vy_sock_path(want, path, e) < 0) {
		return -1;
	}
	memcpy(out->sun_path, path, strlen(path) + 1);
	return 0;
}

int vy_sock_sign(const char *want, struct vy_err *e)
{
	char path[VY_SOCK_PATH_MAX + 1];

	if (vy_sock_path(want, path, e) < 0) {
		return -1;
	}
	if (strcmp(path, want) == 0) {
		return 0;
	}
	unlink(want); /* a former one's */
	return symlink(path, want) < 0 ? vy_fail_errno(e, errno, "cannot make %s", want) : 0;
}

void vy_sock_remove(const char *want)
{
	char path[VY_SOCK_PATH_MAX + 1];

	if (vy_sock_path(want, path, NULL) == 0 && strcmp(path, want) != 0) {
		unlink(path);
	}
	unlink(want);
}

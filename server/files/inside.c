/* inside.c -- see inside.h. */
#include "server/files/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shared/base/ban.h"

int inside_root(const char *folder, struct vy_err *e)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd >= 0 ? fd : vy_fail_errno(e, errno, "opening the folder %s", folder);
}

static int where_is(int fd, char out[PATH_MAX])
{
	char link[64];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t n = readlink(link, out, PATH_MAX - 1);

	out[n > 0 ? n : 0] = '\0';
	return n > 0 ? 0 : -1;
}

/* An old kernel: looked at without being opened for use, then asked where it is. What is to be made
 * is made in its folder, which is judged in the same way. */
static int open_and_ask(int root, const char *path, int flags, mode_t mode)
{
	char top[PATH_MAX], at[PATH_MAX], again[64];
	int look = openat(root, path, O_PATH | O_CLOEXEC);

	if (look < 0 && errno == ENOENT && (flags & O_CREAT) && !strchr(path, '/')) {
		return openat(root, path, flags | O_NOFOLLOW | O_EXCL, mode);
	}
	if (look < 0) {
		return -1;
	}
	if (where_is(root, top) != 0 || where_is(look, at) != 0) {
		close(look);
		errno = EIO;
		return -1;
	}
	size_t n = strcmp(top, "/") == 0 ? 0 : strlen(top);

	if (strncmp(top, at, n) != 0 || (at[n] != '/' && at[n] != '\0')) {
		close(look);
		errno = EXDEV;
		return -1;
	}
	snprintf(again, sizeof(again), "/proc/self/fd/%d", look);
	int fd = open(again, flags & ~(O_CREAT | O_EXCL | O_NOFOLLOW));

	close(look);
	return fd;
}

int inside_open(int root, const char *path, int flags, mode_t mode, struct vy_err *e)
{
	struct open_how how = {
		.flags = (uint64_t)(flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY),
		.mode = flags & O_CREAT ? mode : 0,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};
	int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));

	if (fd < 0 && (errno == ENOSYS || errno == EPERM)) {
		fd = open_and_ask(root, path, (int)how.flags, mode);
	}
	if (fd >= 0) {
		return fd;
	}
	switch (errno) {
	case ENOENT:
	case ENOTDIR: return vy_fail(e, VY_NOT_FOUND, "there is no file %s in this folder", path);
	case EXDEV:
	case ELOOP: return vy_fail(e, VY_DENIED, "%s leads out of the session's folder", path);
	case EACCES: return vy_fail(e, VY_DENIED, "%s may not be read by this user", path);
	default: return vy_fail_errno(e, errno, "opening %s", path);
	}
}

int inside_path(struct vy_str path, const char *folder, char out[4096], struct vy_err *e)
{
	size_t n = strlen(folder);

	if (path.n == 0 || path.n >= 4096 || memchr(path.p, '\0', path.n)) {
		return vy_fail(e, VY_BAD_INPUT, "params.path: expected the path of a file");
	}
	if (path.p[0] == '/') {
		bool is_below = path.n >= n && memcmp(path.p, folder, n) == 0 &&
				(path.n == n || path.p[n] == '/' || folder[n - 1] == '/');

		if (!is_below) {
			return vy_fail(e, VY_DENIED, "%.*s is not in the session's folder",
				VY_STR_ARG(path));
		}
		path = vy_str_from(path, n);
		while (path.n && path.p[0] == '/') {
			path = vy_str_from(path, 1);
		}
	}
	snprintf(out, 4096, "%.*s", VY_STR_ARG(path));
	if (!out[0]) {
		snprintf(out, 4096, ".");
	}
	return 0;
}

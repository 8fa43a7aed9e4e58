/* keep.c -- see keep.h. */
#include "tui/net/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tui/net/folder.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

bool keep_all(int fd, struct vy_str bytes)
{
	while (bytes.n) {
		ssize_t n = write(fd, bytes.p, bytes.n);

		if (n < 0 && errno != EINTR) {
			return false;
		}
		bytes = vy_str_from(bytes, n > 0 ? (size_t)n : 0);
	}
	return true;
}

/* A new file beside it; its name in `path`. */
static int open_fresh(const char *dir, const char *name, struct vy_buf *path)
{
	vy_buf_addf(path, "%s/.%s.XXXXXX", dir, name);
	return vy_buf_is_over(path) ? -1 : mkostemp(path->data, O_CLOEXEC);
}

int keep_write(const char *dir, const char *name, struct vy_str bytes, struct vy_err *e)
{
	VY_AUTO_BUF fresh = VY_BUF_INIT(PATH_MAX), path = VY_BUF_INIT(PATH_MAX);
	int fd = open_fresh(dir, name, &fresh), why = 0;

	if (fd < 0 && errno == ENOENT) { /* the first one, or somebody cleared up */
		vy_buf_clear(&fresh);
		if (folder_make(dir, e) != 0) {
			return -1;
		}
		fd = open_fresh(dir, name, &fresh);
	}
	if (fd < 0) {
		return vy_fail_errno(e, errno, _("writing in %s"), dir);
	}
	vy_buf_addf(&path, "%s/%s", dir, name);
	if (!keep_all(fd, bytes)) {
		why = errno;
	}
	if (close(fd) != 0 && !why) {
		why = errno;
	}
	if (!why && rename(fresh.data, path.data) != 0) {
		why = errno;
	}
	if (why) {
		unlink(fresh.data);
		return vy_fail_errno(e, why, _("writing %s"), path.data);
	}
	return 0;
}

bool keep_read(const char *dir, const char *name, struct vy_buf *out)
{
	VY_AUTO_BUF path = VY_BUF_INIT(PATH_MAX);
	char piece[16384];
	struct stat st;
	ssize_t n = -1;

	vy_buf_addf(&path, "%s%s%s", dir ? dir : "", dir ? "/" : "", name);
	int fd = open(vy_buf_c(&path),
		O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (dir ? O_NOFOLLOW : 0));

	if (fd < 0) {
		return false;
	}
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		while ((n = read(fd, piece, sizeof(piece))) > 0 || (n < 0 && errno == EINTR)) {
			if (n > 0 && !vy_buf_add(out, piece, (size_t)n)) {
				break;
			}
		}
	}
	close(fd);
	return n == 0;
}

void keep_remove(const char *dir, const char *name)
{
	VY_AUTO_BUF path = VY_BUF_INIT(PATH_MAX);

	vy_buf_addf(&path, "%s/%s", dir, name);
	unlink(path.data);
}

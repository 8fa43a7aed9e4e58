/* lock.c -- see lock.h.
 *
 * The pid in the file is only for the sentence; the lock itself is the kernel's. A holder that was
 * killed leaves its pid behind, so a refused taker believes a pid only while that process lives. */
#include "server/io/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/str.h"
#include "shared/base/ban.h"

#define DYING_TRIES 25 /* of 10 ms */

int lock_make_dir(const char *dir, struct vy_err *e)
{
	VY_AUTO_BUF path = VY_BUF_INIT(PATH_MAX);
	struct stat st;

	if (!vy_buf_adds(&path, dir) || path.len == 0) {
		return vy_fail(e, VY_BAD_INPUT, "the state folder has no usable name");
	}
	for (size_t i = 1; i <= path.len; i++) {
		char keep = path.data[i];

		if (keep != '/' && keep != '\0') {
			continue;
		}
		path.data[i] = '\0';
		if (mkdir(path.data, 0700) < 0 && errno != EEXIST) {
			return vy_fail_errno(e, errno, "making %s", path.data);
		}
		path.data[i] = keep;
	}
	if (stat(dir, &st) < 0) {
		return vy_fail_errno(e, errno, "looking at %s", dir);
	}
	if (!S_ISDIR(st.st_mode)) {
		return vy_fail(e, VY_BAD_INPUT, "%s is not a folder", dir);
	}
	if (st.st_uid != geteuid()) {
		return vy_fail(e, VY_DENIED, "%s belongs to another user", dir);
	}
	if ((st.st_mode & 077) && chmod(dir, 0700) < 0) {
		return vy_fail_errno(e, errno, "making %s private", dir);
	}
	return 0;
}

/* Its pid, or 0 when it is not written yet or a dead one's. */
static pid_t read_holder(int fd)
{
	char text[32];
	ssize_t n = pread(fd, text, sizeof(text), 0);
	long long pid;

	if (n > 0 && text[n - 1] == '\n') {
		n--;
	}
	if (n <= 0 || !vy_parse_i64(vy_str_n(text, (size_t)n), &pid) || pid <= 0 || pid > INT_MAX) {
		return 0;
	}
	return kill((pid_t)pid, 0) == 0 || errno == EPERM ? (pid_t)pid : 0;
}

static int refuse(int fd, const char *dir, pid_t *holder, struct vy_err *e)
{
	pid_t pid = 0;

	/* The winner writes its pid right after it has the lock. */
	for (int i = 0; i < 20 && (pid = read_holder(fd)) == 0; i++) {
		nanosleep(&(struct timespec){ .tv_nsec = 5 * 1000 * 1000 }, NULL);
	}
	close(fd);
	if (holder) {
		*holder = pid;
	}
	if (pid == 0) {
		return vy_fail(e, VY_CONFLICT, "another vyred holds %s", dir);
	}
	return vy_fail(e, VY_CONFLICT, "another vyred (pid %d) holds %s", (int)pid, dir);
}

/* One that was killed may be a moment in dying; its sockets are closed before its lock is. */
static int take(int fd)
{
	for (int i = 0; flock(fd, LOCK_EX | LOCK_NB) < 0; i++) {
		if (errno != EWOULDBLOCK || i == DYING_TRIES) {
			return -1;
		}
		nanosleep(&(struct timespec){ .tv_nsec = 10 * 1000 * 1000 }, NULL);
	}
	return 0;
}

int lock_take(const char *state_dir, pid_t *holder, struct vy_err *e)
{
	VY_AUTO_BUF path = VY_BUF_INIT(PATH_MAX);
	char text[32];
	int fd, n;

	if (holder) {
		*holder = 0;
	}
	if (lock_make_dir(state_dir, e) < 0) {
		return -1;
	}
	if (!vy_buf_addf(&path, "%s/lock", state_dir)) {
		return vy_fail(e, VY_BAD_INPUT, "the name of the state folder is too long");
	}
	fd = open(path.data, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0) {
		return vy_fail_errno(e, errno, "opening %s", path.data);
	}
	if (take(fd) < 0) {
		if (errno == EWOULDBLOCK) {
			return refuse(fd, state_dir, holder, e);
		}
		vy_fail_errno(e, errno, "locking %s", path.data);
		close(fd);
		return -1;
	}
	/* A full disk must not keep vyred from starting: the lock holds without the number. */
	n = snprintf(text, sizeof(text), "%d\n", (int)getpid());
	if (ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)n, 0) != n) {
		(void)!ftruncate(fd, 0);
	}
	return fd;
}

void lock_drop(int fd)
{
	if (fd >= 0) {
		(void)!ftruncate(fd, 0);
		close(fd);
	}
}

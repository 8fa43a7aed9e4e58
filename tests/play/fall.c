/* fall.c -- preloaded into vyred: it dies, as by kill -9, at the FALL_AT-th of its doings.
 *
 * A doing is a call that the world outside can see: a write to the database, to a socket, to a
 * pipe, a sync, the start of a program, an unlink. FALL_AFTER=1 dies behind the call instead of
 * before it. So every place where a crash can make a difference is reached by counting. */
#include <dlfcn.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static long left = -1, is_after;

__attribute__((constructor)) static void begin(void)
{
	const char *at = getenv("FALL_AT"), *after = getenv("FALL_AFTER");

	left = at ? strtol(at, NULL, 10) : -1;
	is_after = after && *after == '1';
}

static void fall(long when)
{
	if (when == is_after && left > 0 && --left == 0) {
		kill(getpid(), SIGKILL);
	}
}

#define FALLS(type, name, params, args)                                                            \
	type name params;                                                                          \
	type name params                                                                           \
	{                                                                                          \
		static type(*real) params;                                                         \
		type rc;                                                                           \
                                                                                                   \
		if (!real) {                                                                       \
			void *found = dlsym(RTLD_NEXT, #name);                                     \
                                                                                                   \
			memcpy(&real, &found, sizeof(found));                                      \
		}                                                                                  \
		fall(0);                                                                           \
		rc = real args;                                                                    \
		fall(1);                                                                           \
		return rc;                                                                         \
	}

FALLS(ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n))
FALLS(ssize_t, writev, (int fd, const struct iovec *v, int n), (fd, v, n))
FALLS(ssize_t, pwrite, (int fd, const void *p, size_t n, off_t at), (fd, p, n, at))
FALLS(ssize_t, pwrite64, (int fd, const void *p, size_t n, off64_t at), (fd, p, n, at))
FALLS(ssize_t, send, (int fd, const void *p, size_t n, int flags), (fd, p, n, flags))
FALLS(ssize_t, sendmsg, (int fd, const struct msghdr *m, int flags), (fd, m, flags))
FALLS(int, fdatasync, (int fd), (fd))
FALLS(int, fsync, (int fd), (fd))
FALLS(int, unlink, (const char *path), (path))
FALLS(int, ftruncate64, (int fd, off64_t n), (fd, n))
FALLS(int, posix_spawn,
	(pid_t * pid, const char *path, const posix_spawn_file_actions_t *fa,
		const posix_spawnattr_t *at, char *const argv[], char *const env[]),
	(pid, path, fa, at, argv, env))

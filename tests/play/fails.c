/* fails.c -- preloaded into vyred: while the file $FAILS_FILE holds the number of an error, whatever is
 * written into a file at a place of it, and each sync, fails with that error. 30 is a file system that the
 * kernel has turned read-only, 5 a disk that fails. Who writes at a place is the database alone. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *path;

__attribute__((constructor)) static void begin(void)
{
	const char *said = getenv("FAILS_FILE");

	path = said ? strdup(said) : NULL; /* vyred wipes its environment */
}

static int fails(void)
{
	char text[8] = { 0 };
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1, why;

	if (fd < 0) {
		return 0;
	}
	why = read(fd, text, sizeof(text) - 1) > 0 ? (int)strtol(text, NULL, 10) : 0;
	close(fd);
	errno = why;
	return why;
}

#define FAILS(type, name, params, args)                                                            \
	type name params;                                                                          \
	type name params                                                                           \
	{                                                                                          \
		static type(*real) params;                                                         \
                                                                                                   \
		if (!real) {                                                                       \
			void *found = dlsym(RTLD_NEXT, #name);                                     \
                                                                                                   \
			memcpy(&real, &found, sizeof(found));                                      \
		}                                                                                  \
		return fails() ? -1 : real args;                                                   \
	}

FAILS(ssize_t, pwrite, (int fd, const void *p, size_t n, off_t at), (fd, p, n, at))
FAILS(ssize_t, pwrite64, (int fd, const void *p, size_t n, off64_t at), (fd, p, n, at))
FAILS(int, fdatasync, (int fd), (fd))
FAILS(int, fsync, (int fd), (fd))
FAILS(int, ftruncate64, (int fd, off64_t n), (fd, n))

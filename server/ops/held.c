/* held.c -- see held.h. */
#include "server/ops/held.h"

#include <sys/file.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/ban.h"

long held_by(int fd)
{
	char text[32];
	long long pid;

	if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
		flock(fd, LOCK_UN);
		return 0;
	}
	ssize_t n = pread(fd, text, sizeof(text), 0);

	while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == '\0')) {
		n--;
	}
	return n > 0 && vy_parse_i64(vy_str_n(text, (size_t)n), &pid) && pid > 1 ? (long)pid : -1;
}

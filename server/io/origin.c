/* origin.c -- see origin.h. */
#include "server/io/origin.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "server/holder/brand.h"
#include "shared/base/buf.h"
#include "shared/base/ban.h"

/* 0: nothing is written there, or nothing that can be read. */
static uint64_t written(const char *path)
{
	char text[32];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text));
	long long v;

	if (fd >= 0) {
		close(fd);
	}
	while (n > 0 && text[n - 1] == '\n') {
		n--;
	}
	return n > 0 && vy_parse_i64(vy_str_n(text, (size_t)n), &v) && v > 0 ? (uint64_t)v : 0;
}

/* It is a help, no record: a disk that is full must not keep vyred from starting. */
static void write_down(const char *path, uint64_t brand)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "%llu\n", (unsigned long long)brand);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd >= 0) {
		if (write(fd, text, (size_t)n) != n) {
			unlink(path);
		}
		close(fd);
	}
}

int origin_check(const char *state_dir, struct vy_err *e)
{
	char path[4096];
	uint64_t ours = brand_of_ours(), before;

	snprintf(path, sizeof(path), "%s/brand", state_dir);
	before = written(path);
	if (ours && ours < before) {
		return vy_fail(e, VY_DENIED,
			"an agent cannot start the server of its own sessions: start it from a "
			"shell of yours, or as a service (systemctl --user start vyred); if the "
			"limit of file locks was lowered on purpose, remove %s",
			path);
	}
	if (ours && ours != before) {
		write_down(path, ours);
	}
	return 0;
}

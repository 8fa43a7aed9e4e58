/* child.c -- see child.h. */
#include "tests/tui/child.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/ban.h"

int child_answer(struct vy_str bytes, const struct develop_want *want, struct vy_buf *answer)
{
	const char *top = getenv("top_builddir");
	char path[4096], piece[65536];
	int status = 0;
	pid_t pid = -1;

	snprintf(path, sizeof(path), "%s/vyre-picture", top ? top : ".");
	int fd = develop_start(path, bytes, want, &pid);

	while (fd >= 0) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		ssize_t n = read(fd, piece, sizeof(piece));

		if (n > 0) {
			vy_buf_add(answer, piece, (size_t)n);
		} else if (n == 0 || errno != EAGAIN) {
			break;
		} else {
			poll(&p, 1, -1);
		}
	}
	if (fd < 0) {
		return -1;
	}
	close(fd);
	return waitpid(pid, &status, 0) == pid ? status : -1;
}

/* develop.c -- see develop.h: the side of the client. The other is picture_main.c. */
#include "tui/ink/develop.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shared/base/mem.h"
#include "shared/base/place.h"
#include "shared/base/ban.h"

bool develop_find(char *path, size_t room)
{
	return vy_place_helper("vyre-picture", path, room);
}

/* ---- the order ---- */

static bool put(int fd, const void *p, size_t n)
{
	const char *at = p;

	while (n > 0) {
		ssize_t k = write(fd, at, n);

		if (k < 0 && errno != EINTR) {
			return false;
		}
		at += k > 0 ? k : 0;
		n -= k > 0 ? (size_t)k : 0;
	}
	return true;
}

/* In memory, so that nobody has to feed a pipe. */
static int order_of(struct vy_str bytes, const struct develop_want *want)
{
	int fd = memfd_create("picture", MFD_CLOEXEC);

	if (fd >= 0 && (!put(fd, want, sizeof(*want)) || !put(fd, bytes.p, bytes.n) ||
			       lseek(fd, 0, SEEK_SET) != 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* ---- the process ---- */

static int set_actions(posix_spawn_file_actions_t *fa, posix_spawnattr_t *at, int in, int out)
{
	sigset_t all, none;

	sigfillset(&all);
	sigemptyset(&none);
	return posix_spawn_file_actions_adddup2(fa, in, 0) ||
	       posix_spawn_file_actions_adddup2(fa, out, 1) ||
	       posix_spawn_file_actions_addopen(fa, 2, "/dev/null", O_WRONLY, 0) ||
	       posix_spawnattr_setsigdefault(at, &all) || posix_spawnattr_setsigmask(at, &none) ||
	       posix_spawnattr_setflags(at, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

static int spawn(const char *path, int in, int out, pid_t *pid)
{
	char *const argv[] = { (char *)(uintptr_t)path, NULL }, *const env[] = { NULL };
	posix_spawn_file_actions_t fa;
	posix_spawnattr_t at;
	int rc;

	posix_spawn_file_actions_init(&fa);
	posix_spawnattr_init(&at);
	rc = set_actions(&fa, &at, in, out) ? ENOMEM : posix_spawn(pid, path, &fa, &at, argv, env);
	posix_spawn_file_actions_destroy(&fa);
	posix_spawnattr_destroy(&at);
	errno = rc;
	return rc ? -1 : 0;
}

int develop_start(
	const char *path, struct vy_str bytes, const struct develop_want *want, pid_t *pid)
{
	int ends[2] = { -1, -1 }, order = order_of(bytes, want);
	int rc = order >= 0 && pipe2(ends, O_CLOEXEC) == 0 ? spawn(path, order, ends[1], pid) : -1;
	int why = errno;

	if (order >= 0) {
		close(order);
	}
	if (ends[1] >= 0) {
		close(ends[1]);
	}
	if (rc != 0 && ends[0] >= 0) {
		close(ends[0]);
	}
	errno = why;
	if (rc != 0) {
		return -1;
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	return ends[0];
}

/* ---- the answer ---- */

static bool is_within(int64_t n, int64_t most)
{
	return n >= 1 && n <= most;
}

static bool is_color(int32_t c)
{
	return c == PICTURE_CLEAR || (c >= 0 && c <= 0xffffff);
}

static bool read_cells(struct vy_str body, struct fit_size size, struct developed *out)
{
	size_t n = (size_t)size.cols * (size_t)size.rows;

	if (body.n != n * sizeof(*out->cells)) {
		return false;
	}
	out->cells = vy_calloc(n, sizeof(*out->cells));
	memcpy(out->cells, body.p, body.n);
	for (size_t i = 0; i < n; i++) {
		const struct picture_cell *c = &out->cells[i];

		if (!picture_is_glyph(c->glyph) || !is_color(c->fg) || !is_color(c->bg)) {
			return false;
		}
	}
	return true;
}

static bool read_pixels(struct vy_str body, const struct develop_head *head, struct developed *out)
{
	if (!is_within(head->w, DEVELOP_PIXELS_MAX) || !is_within(head->h, DEVELOP_PIXELS_MAX) ||
		head->w * head->h > DEVELOP_PIXELS_MAX ||
		body.n != (size_t)(head->w * head->h * 4)) {
		return false;
	}
	out->w = (int)head->w;
	out->h = (int)head->h;
	out->rgba = vy_calloc(1, body.n);
	memcpy(out->rgba, body.p, body.n);
	return true;
}

static bool read_answer(
	struct vy_str answer, const struct develop_want *want, struct developed *out)
{
	struct develop_head head;
	struct vy_str body = vy_str_from(answer, sizeof(head));

	if (answer.n < sizeof(head)) {
		return false;
	}
	memcpy(&head, answer.p, sizeof(head));
	if (head.end < 0 || head.end >= DECODE_ENDS || head.own_w < 0 || head.own_h < 0) {
		return false;
	}
	out->own_w = head.own_w;
	out->own_h = head.own_h;
	if (head.end != DECODE_OK) {
		out->end = (enum decode_end)head.end;
		return body.n == 0;
	}
	return want->kind == DEVELOP_PIXELS ? read_pixels(body, &head, out)
					    : read_cells(body, want->size, out);
}

void develop_read(struct vy_str answer, const struct develop_want *want, struct developed *out)
{
	*out = (struct developed){ .end = DECODE_OK };
	if (!read_answer(answer, want, out)) {
		developed_fini(out);
		*out = (struct developed){ .end = DECODE_BROKEN };
	}
}

void developed_fini(struct developed *d)
{
	free(d->cells);
	free(d->rgba);
	*d = (struct developed){ .end = DECODE_BROKEN };
}

/* spool.c -- see spool.h.
 *
 *	floor        mid            tail    end
 *	  |  memory   |     file     | hand  |
 *
 * Memory and file are rings: a byte's place is its offset from the ring's base, modulo its size, so
 * nothing is ever moved. Bytes go to memory while the file is empty and there is room, else to the
 * file; what a full disk did not take stays in the hand, at most one piece. A ring that became empty
 * starts again at its beginning and gives its room back. Where the stream changes there is a mark. */
#include "server/holder/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

enum {
	MARKS_MAX = 64 * 1024, /* a child that changes streams more often has to wait */
	KEEP_MEM = 64 * 1024,  /* an empty ring that reached further is given back */
};

struct mark {
	uint64_t off; /* from here on: */
	int stream;
};

struct spool {
	char *dir;
	uint64_t floor, mid, tail, end;
	uint64_t max;

	char *mem;
	size_t mem_max;
	uint64_t mem_base; /* offset of the ring's first byte */

	int fd; /* -1: no file yet */
	uint64_t file_base;

	char hand[SPOOL_PIECE];

	struct mark *marks; /* marks[first .. first + count) */
	size_t first, count, cap;
};

struct spool *spool_new(const char *dir, size_t mem_max, uint64_t max)
{
	struct spool *s = VY_NEW(struct spool);

	vy_assert(mem_max > 0 && max >= mem_max);
	s->dir = vy_strdup(dir);
	s->mem_max = mem_max;
	s->max = max;
	s->fd = -1;
	return s;
}

void spool_free(struct spool *s)
{
	if (!s) {
		return;
	}
	if (s->fd >= 0) {
		close(s->fd);
	}
	free(s->mem);
	free(s->marks);
	free(s->dir);
	free(s);
}

uint64_t spool_floor(const struct spool *s)
{
	return s->floor;
}

uint64_t spool_end(const struct spool *s)
{
	return s->end;
}

bool spool_is_stuck(const struct spool *s)
{
	return s->end > s->tail;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* ---- marks: which stream a byte came from ---- */

static const struct mark *last_mark(const struct spool *s)
{
	return s->count ? &s->marks[s->first + s->count - 1] : NULL;
}

static bool needs_mark(const struct spool *s, int stream)
{
	const struct mark *m = last_mark(s);

	return !m || m->stream != stream;
}

static void add_mark(struct spool *s, int stream)
{
	if (s->first && s->first + s->count == s->cap) {
		memmove(s->marks, s->marks + s->first, s->count * sizeof(*s->marks));
		s->first = 0;
	}
	s->marks = vy_grow(s->marks, &s->cap, s->first + s->count + 1, sizeof(*s->marks));
	s->marks[s->first + s->count++] = (struct mark){ s->end, stream };
}

/* The last mark at or before `off`. */
static size_t find_mark(const struct spool *s, uint64_t off)
{
	size_t lo = s->first, hi = s->first + s->count;

	while (hi - lo > 1) {
		size_t at = lo + (hi - lo) / 2;

		if (s->marks[at].off <= off) {
			lo = at;
		} else {
			hi = at;
		}
	}
	return lo;
}

static void drop_marks(struct spool *s)
{
	while (s->count > 1 && s->marks[s->first + 1].off <= s->floor) {
		s->first++;
		s->count--;
	}
}

/* ---- memory ---- */

static size_t put_mem(struct spool *s, const char *p, size_t n)
{
	size_t at, run;

	if (s->mid != s->tail) {
		return 0; /* younger bytes are in the file already */
	}
	if (s->mid == s->floor) {
		s->mem_base = s->mid;
	}
	if (!s->mem) {
		s->mem = vy_alloc(s->mem_max);
	}
	n = (size_t)least(n, s->mem_max - (s->mid - s->floor));
	at = (size_t)((s->mid - s->mem_base) % s->mem_max);
	run = (size_t)least(n, s->mem_max - at);
	memcpy(s->mem + at, p, run);
	memcpy(s->mem, p + run, n - run);
	s->mid += n;
	s->tail = s->mid;
	return n;
}

/* ---- file ---- */

static int open_unlinked(const char *dir)
{
	char path[4096];
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0) {
		return fd;
	}
	if ((size_t)snprintf(path, sizeof(path), "%s/spool.XXXXXX", dir) >= sizeof(path)) {
		return -1;
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0) {
		unlink(path);
	}
	return fd;
}

/* Writes what the disk takes; the rest is the caller's to keep. */
static size_t put_file(struct spool *s, const char *p, size_t n)
{
	size_t done = 0;

	if (s->fd < 0 && (s->fd = open_unlinked(s->dir)) < 0) {
		return 0;
	}
	if (s->mid == s->tail) {
		s->file_base = s->mid;
	}
	while (done < n) {
		uint64_t at = (s->tail - s->file_base) % s->max;
		size_t run = (size_t)least(n - done, s->max - at);
		ssize_t put = pwrite(s->fd, p + done, run, (off_t)at);

		if (put < 0 && errno == EINTR) {
			continue;
		}
		if (put <= 0) {
			break;
		}
		done += (size_t)put;
		s->tail += (uint64_t)put;
	}
	return done;
}

/* ---- adding ---- */

size_t spool_room(const struct spool *s, int stream)
{
	if (spool_is_stuck(s) || (needs_mark(s, stream) && s->count >= MARKS_MAX)) {
		return 0;
	}
	return (size_t)least(SPOOL_PIECE, s->max - (s->end - s->floor));
}

/* Brings bytes [tail, end) to where they belong; the hand keeps what found no place. */
static void settle(struct spool *s, const char *p, size_t n)
{
	size_t done = put_mem(s, p, n);

	if (done < n) {
		done += put_file(s, p + done, n - done);
	}
	memmove(s->hand, p + done, n - done);
}

void spool_add(struct spool *s, int stream, const void *p, size_t n)
{
	if (n == 0) {
		return;
	}
	vy_assert(n <= spool_room(s, stream));
	if (needs_mark(s, stream)) {
		add_mark(s, stream);
	}
	s->end += n;
	settle(s, p, n);
}

bool spool_retry(struct spool *s)
{
	if (spool_is_stuck(s)) {
		settle(s, s->hand, (size_t)(s->end - s->tail));
	}
	return !spool_is_stuck(s);
}

/* ---- reading ---- */

long spool_read(
	const struct spool *s, uint64_t off, void *out, size_t room, int *stream, struct vy_err *e)
{
	size_t at, n;
	ssize_t got;

	vy_assert(off >= s->floor && off <= s->end);
	if (off == s->end) {
		return 0;
	}
	at = find_mark(s, off);
	*stream = s->marks[at].stream;
	n = (size_t)least(room, s->end - off);
	if (at + 1 < s->first + s->count) {
		n = (size_t)least(n, s->marks[at + 1].off - off);
	}
	if (off >= s->tail) {
		memcpy(out, s->hand + (off - s->tail), n);
		return (long)n;
	}
	if (off < s->mid) {
		at = (size_t)((off - s->mem_base) % s->mem_max);
		n = (size_t)least(n, least(s->mid - off, s->mem_max - at));
		memcpy(out, s->mem + at, n);
		return (long)n;
	}
	off_t pos = (off_t)((off - s->file_base) % s->max);

	n = (size_t)least(n, least(s->tail - off, s->max - (uint64_t)pos));
	do {
		got = pread(s->fd, out, n, pos);
	} while (got < 0 && errno == EINTR);
	if (got <= 0) {
		return vy_fail_errno(e, got ? errno : EIO, "reading the spool");
	}
	return (long)got;
}

/* ---- forgetting ---- */

void spool_forget(struct spool *s, uint64_t off)
{
	uint64_t was = s->mid;

	off = least(off, s->end);
	if (off <= s->floor) {
		return;
	}
	s->floor = off;
	drop_marks(s);
	if (s->floor >= s->mid && s->mem && was - s->mem_base > KEEP_MEM) {
		free(s->mem);
		s->mem = NULL;
	}
	if (s->floor > s->tail) { /* a part of the hand is forgotten too */
		memmove(s->hand, s->hand + (s->floor - s->tail), (size_t)(s->end - s->floor));
		s->tail = s->floor;
	}
	if (s->floor > s->mid) {
		s->mid = s->floor;
	}
	if (was < s->tail && s->mid == s->tail && s->fd >= 0 && ftruncate(s->fd, 0) < 0) {
		close(s->fd); /* the next one will be new */
		s->fd = -1;
	}
	spool_retry(s);
}

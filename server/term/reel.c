/* reel.c -- see reel.h. Offset o lies at data[o % cap]. */
#include "server/term/reel.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define REEL_FIRST 16384u
#define REEL_LAST  (REEL_BYTES + REEL_LINE + REEL_ADD) /* all that may be held fits */

void reel_init(struct reel *r, uint64_t at)
{
	*r = (struct reel){ .floor = at, .end = at };
}

void reel_fini(struct reel *r)
{
	free(r->data);
	reel_init(r, r->end);
}

static size_t held(const struct reel *r)
{
	return (size_t)(r->end - r->floor);
}

/* Up to the seam, and no further than `n`. */
static struct vy_str slice(const struct reel *r, uint64_t at, size_t n)
{
	vy_assert(r->cap > 0);
	size_t from = (size_t)(at % r->cap), room = r->cap - from;

	return vy_str_n(r->data + from, n < room ? n : room);
}

static void grow(struct reel *r, size_t need)
{
	struct reel wider = *r;

	wider.cap = r->cap ? r->cap : REEL_FIRST;
	while (wider.cap < need) {
		wider.cap = 2 * wider.cap < REEL_LAST ? 2 * wider.cap : REEL_LAST;
	}
	wider.data = vy_alloc(wider.cap);
	for (uint64_t at = r->floor; at < r->end;) {
		struct vy_str from = slice(r, at, (size_t)(r->end - at));
		struct vy_str to = slice(&wider, at, from.n);

		memcpy(wider.data + (to.p - wider.data), from.p, to.n);
		at += to.n;
	}
	free(r->data);
	*r = wider;
}

size_t reel_add(struct reel *r, struct vy_str bytes)
{
	size_t n = bytes.n < REEL_ADD ? bytes.n : REEL_ADD;

	vy_assert(held(r) <= REEL_BYTES + REEL_LINE);
	if (held(r) + n > r->cap) {
		grow(r, held(r) + n);
	}
	for (size_t done = 0; done < n;) {
		struct vy_str to = slice(r, r->end, n - done);

		memcpy(r->data + (to.p - r->data), bytes.p + done, to.n);
		done += to.n;
		r->end += to.n;
	}
	return n;
}

static char byte(const struct reel *r, uint64_t at)
{
	return r->data[at % r->cap];
}

/* Where the floor has to go: behind the first end of a line at or past `want`. */
static uint64_t cut(const struct reel *r, uint64_t want)
{
	uint64_t last = r->end - want < REEL_LINE ? r->end : want + REEL_LINE;

	for (uint64_t at = want - 1; at < last;) {
		struct vy_str s = slice(r, at, (size_t)(last - at));
		const char *lf = memchr(s.p, '\n', s.n);

		if (lf) {
			return at + (uint64_t)(lf - s.p) + 1;
		}
		at += s.n;
	}
	for (int i = 0; i < 3 && want < r->end && ((unsigned char)byte(r, want) & 0xC0) == 0x80;
		i++) {
		want++;
	}
	return want;
}

struct vy_str reel_old(struct reel *r)
{
	if (r->floor >= r->due && held(r) > REEL_BYTES) {
		r->due = cut(r, r->end - REEL_BYTES);
	}
	return reel_before(r, r->due);
}

struct vy_str reel_before(const struct reel *r, uint64_t at)
{
	at = at < r->end ? at : r->end;
	return at <= r->floor ? vy_str_n(NULL, 0) : slice(r, r->floor, (size_t)(at - r->floor));
}

void reel_drop(struct reel *r, size_t n)
{
	vy_assert(n <= held(r));
	r->floor += n;
}

struct vy_str reel_at(const struct reel *r, uint64_t at, size_t most)
{
	if (at < r->floor || at >= r->end) {
		return vy_str_n(NULL, 0);
	}
	return slice(r, at, r->end - at < most ? (size_t)(r->end - at) : most);
}

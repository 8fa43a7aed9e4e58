/* myers.c -- see myers.h.
 *
 * Coordinates: x counts items of a, y of b; a point on diagonal d has x - y = d. The forward
 * frontier holds, for each diagonal, the largest x reached with so many edits from the start of the
 * box; the backward one the smallest x from its end. Where they meet is the middle. */
#include "shared/text/myers.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define MOST_EDITS  1024               /* of one search, for small inputs */
#define LEAST_EDITS 64                 /* and for huge ones */
#define WORK        (20 * 1000 * 1000) /* about how many steps in all are fine */

struct point {
	ptrdiff_t x, y;
};

struct box {
	struct point from, to;
};

/* Furthest x by diagonal; only every second diagonal of [lo, hi] is set in one round. */
struct frontier {
	ptrdiff_t *x;
	ptrdiff_t lo, hi;
};

struct search {
	const uint32_t *a, *b;
	bool *changed_a, *changed_b;
	struct frontier on, back;
	ptrdiff_t most;
};

/* Makes the frontier one diagonal wider on each side, where the box has one. */
static void widen(struct frontier *f, ptrdiff_t lowest, ptrdiff_t highest, ptrdiff_t unreached)
{
	if (f->lo > lowest) {
		f->lo--;
		f->x[f->lo - 1] = unreached;
	} else {
		f->lo++;
	}
	if (f->hi < highest) {
		f->hi++;
		f->x[f->hi + 1] = unreached;
	} else {
		f->hi--;
	}
}

/* One more edit from the start. True, with the meeting point, when the backward frontier is met. */
static bool step_on(struct search *s, const struct box *box, bool may_meet, struct point *meet)
{
	struct frontier *f = &s->on;

	widen(f, box->from.x - box->to.y, box->to.x - box->from.y, -1);
	for (ptrdiff_t d = f->hi; d >= f->lo; d -= 2) {
		ptrdiff_t x = f->x[d - 1] >= f->x[d + 1] ? f->x[d - 1] + 1 : f->x[d + 1];

		while (x < box->to.x && x - d < box->to.y && s->a[x] == s->b[x - d]) {
			x++;
		}
		f->x[d] = x;
		if (may_meet && d >= s->back.lo && d <= s->back.hi && s->back.x[d] <= x) {
			*meet = (struct point){ x, x - d };
			return true;
		}
	}
	return false;
}

static bool step_back(struct search *s, const struct box *box, bool may_meet, struct point *meet)
{
	struct frontier *f = &s->back;

	widen(f, box->from.x - box->to.y, box->to.x - box->from.y, PTRDIFF_MAX);
	for (ptrdiff_t d = f->hi; d >= f->lo; d -= 2) {
		ptrdiff_t x = f->x[d - 1] < f->x[d + 1] ? f->x[d - 1] : f->x[d + 1] - 1;

		while (x > box->from.x && x - d > box->from.y && s->a[x - 1] == s->b[x - d - 1]) {
			x--;
		}
		f->x[d] = x;
		if (may_meet && d >= s->on.lo && d <= s->on.hi && x <= s->on.x[d]) {
			*meet = (struct point){ x, x - d };
			return true;
		}
	}
	return false;
}

/* The point that either frontier got furthest to, inside the box: where to split a hopeless search. */
static struct point furthest(const struct search *s, const struct box *box)
{
	struct point best = box->from, last = box->to;
	ptrdiff_t won = 0, won_back = 0;

	for (ptrdiff_t d = s->on.hi; d >= s->on.lo; d -= 2) {
		ptrdiff_t x = s->on.x[d] < box->to.x ? s->on.x[d] : box->to.x;

		x = x - d > box->to.y ? box->to.y + d : x;
		if (x >= box->from.x && x - box->from.x + x - d - box->from.y > won) {
			won = x - box->from.x + x - d - box->from.y;
			best = (struct point){ x, x - d };
		}
	}
	for (ptrdiff_t d = s->back.hi; d >= s->back.lo; d -= 2) {
		ptrdiff_t x = s->back.x[d] > box->from.x ? s->back.x[d] : box->from.x;

		x = x - d < box->from.y ? box->from.y + d : x;
		if (x <= box->to.x && box->to.x - x + box->to.y - x + d > won_back) {
			won_back = box->to.x - x + box->to.y - x + d;
			last = (struct point){ x, x - d };
		}
	}
	return won >= won_back ? best : last;
}

static struct point middle(struct search *s, const struct box *box)
{
	ptrdiff_t first = box->from.x - box->from.y, last = box->to.x - box->to.y;
	bool odd = (first - last) & 1;
	struct point meet;

	s->on.lo = s->on.hi = first;
	s->on.x[first] = box->from.x;
	s->back.lo = s->back.hi = last;
	s->back.x[last] = box->to.x;
	for (ptrdiff_t edits = 1; edits <= s->most; edits++) {
		if (step_on(s, box, odd, &meet) || step_back(s, box, !odd, &meet)) {
			return meet;
		}
	}
	return furthest(s, box);
}

static void trim(const struct search *s, struct box *box)
{
	while (box->from.x < box->to.x && box->from.y < box->to.y &&
		s->a[box->from.x] == s->b[box->from.y]) {
		box->from.x++;
		box->from.y++;
	}
	while (box->from.x < box->to.x && box->from.y < box->to.y &&
		s->a[box->to.x - 1] == s->b[box->to.y - 1]) {
		box->to.x--;
		box->to.y--;
	}
}

static ptrdiff_t size(const struct box *b)
{
	return b->to.x - b->from.x + b->to.y - b->from.y;
}

/* Recurses into the smaller half only, so the stack stays shallow whatever the input. */
static void compare(struct search *s, struct box box)
{
	for (;;) {
		trim(s, &box);
		if (box.from.x == box.to.x || box.from.y == box.to.y) {
			break;
		}
		struct point m = middle(s, &box);
		struct box first = { box.from, m }, second = { m, box.to };

		if (size(&first) == 0 || size(&second) == 0) {
			break; /* no common item is left */
		}
		bool first_is_less = size(&first) < size(&second);

		compare(s, first_is_less ? first : second);
		box = first_is_less ? second : first;
	}
	for (ptrdiff_t x = box.from.x; x < box.to.x; x++) {
		s->changed_a[x] = true;
	}
	for (ptrdiff_t y = box.from.y; y < box.to.y; y++) {
		s->changed_b[y] = true;
	}
}

static void search_both(const uint32_t *a, size_t na, bool *changed_a, const uint32_t *b, size_t nb,
	bool *changed_b)
{
	size_t diagonals = na + nb + 3;
	ptrdiff_t *x = vy_calloc(2 * diagonals, sizeof(*x));
	struct search s = { .a = a, .b = b, .changed_a = changed_a, .changed_b = changed_b };
	size_t most = WORK / diagonals;

	s.on.x = x + nb + 1;
	s.back.x = s.on.x + diagonals;
	s.most = most > MOST_EDITS    ? MOST_EDITS
		 : most < LEAST_EDITS ? LEAST_EDITS
				      : (ptrdiff_t)most;
	compare(&s, (struct box){ { 0, 0 }, { (ptrdiff_t)na, (ptrdiff_t)nb } });
	free(x);
}

/* ---- taking off what cannot be common ---- */

/* Keeps the items that the other side has too; where[] says where they were. */
static size_t keep_shared(
	const struct vy_myers_side *side, const bool *other_has, uint32_t *kept, size_t *where)
{
	size_t n = 0;

	for (size_t i = 0; i < side->n; i++) {
		side->changed[i] = !other_has[side->items[i]];
		if (!side->changed[i]) {
			kept[n] = side->items[i];
			where[n++] = i;
		}
	}
	return n;
}

static void put_back(
	const struct vy_myers_side *side, const bool *changed, const size_t *where, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		side->changed[where[i]] = changed[i];
	}
}

static size_t highest(const struct vy_myers_side *side, size_t most)
{
	for (size_t i = 0; i < side->n; i++) {
		most = side->items[i] > most ? side->items[i] : most;
	}
	return most;
}

void vy_myers(struct vy_myers_side *a, struct vy_myers_side *b)
{
	size_t ids = highest(b, highest(a, 0)) + 1, n = a->n + b->n;
	bool *has = vy_calloc(2 * ids + n, sizeof(*has));
	bool *has_b = has + ids, *changed = has_b + ids;
	uint32_t *kept = vy_calloc(n, sizeof(*kept));
	size_t *where = vy_calloc(n, sizeof(*where));

	for (size_t i = 0; i < a->n; i++) {
		has[a->items[i]] = true;
	}
	for (size_t i = 0; i < b->n; i++) {
		has_b[b->items[i]] = true;
	}
	size_t na = keep_shared(a, has_b, kept, where);
	size_t nb = keep_shared(b, has, kept + a->n, where + a->n);

	search_both(kept, na, changed, kept + a->n, nb, changed + a->n);
	put_back(a, changed, where, na);
	put_back(b, changed + a->n, where + a->n, nb);
	free(where);
	free(kept);
	free(has);
}

/* ---- numbers for slices ---- */

struct entry {
	struct vy_str s;
	uint32_t *id;
};

static int by_bytes(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;
	size_t n = a->s.n < b->s.n ? a->s.n : b->s.n;
	int order = n ? memcmp(a->s.p, b->s.p, n) : 0;

	return order ? order : (a->s.n > b->s.n) - (a->s.n < b->s.n);
}

/* By sorting, not hashing: no input can make it slow. */
void vy_myers_number(const struct vy_str *a, size_t na, uint32_t *ids_a, const struct vy_str *b,
	size_t nb, uint32_t *ids_b)
{
	struct entry *all = vy_calloc(na + nb, sizeof(*all));
	uint32_t id = 0;

	for (size_t i = 0; i < na + nb; i++) {
		all[i] = i < na ? (struct entry){ a[i], &ids_a[i] }
				: (struct entry){ b[i - na], &ids_b[i - na] };
	}
	qsort(all, na + nb, sizeof(*all), by_bytes);
	for (size_t i = 0; i < na + nb; i++) {
		id += i > 0 && by_bytes(&all[i - 1], &all[i]) != 0;
		*all[i].id = id;
	}
	free(all);
}

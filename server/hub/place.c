/* place.c -- see place.h. */
#include "server/hub/place.h"

#include <stdio.h>

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define PREFIX   "evt_"
#define NAME_MAX (2 * VY_ID_MAX + 64)
#define PARTS    4

void place_write(const struct place *p, bool is_snapshot, char *out, size_t size)
{
	snprintf(out, size, PREFIX "%.*s.%lld.%lld.%lld%s", VY_STR_ARG(p->epoch), (long long)p->cur,
		(long long)p->n[0], (long long)p->n[1], is_snapshot ? ".s" : "");
}

bool place_is_event(struct vy_str id)
{
	if (id.n > NAME_MAX || !vy_str_starts(id, PREFIX) || id.n == strlen(PREFIX)) {
		return false;
	}
	for (size_t i = 0; i < id.n; i++) {
		if ((unsigned char)id.p[i] <= ' ' || id.p[i] == 0x7f) {
			return false;
		}
	}
	return true;
}

/* Up to the next dot; `s` goes behind it. */
static struct vy_str part(struct vy_str *s)
{
	const char *dot = s->n ? memchr(s->p, '.', s->n) : NULL;
	struct vy_str out = vy_str_n(s->p, dot ? (size_t)(dot - s->p) : s->n);

	*s = vy_str_from(*s, out.n + 1);
	return out;
}

static bool number(struct vy_str s, int64_t *out)
{
	long long n;

	if (s.n == 0 || s.p[0] < '0' || s.p[0] > '9' || !vy_parse_i64(s, &n)) {
		return false;
	}
	*out = n;
	return true;
}

bool place_read(struct vy_str id, struct place *out)
{
	struct vy_str rest = vy_str_from(id, strlen(PREFIX));
	int64_t v[PARTS - 1];

	if (!place_is_event(id)) {
		return false;
	}
	out->epoch = part(&rest);
	for (size_t i = 0; i < VY_COUNT(v); i++) {
		if (!number(part(&rest), &v[i])) {
			return false;
		}
	}
	out->cur = v[0];
	out->n[0] = v[1];
	out->n[1] = v[2];
	return out->epoch.n > 0 && (rest.n == 0 || vy_str_is(rest, "s"));
}

bool place_is_ahead(struct vy_str a, struct vy_str b)
{
	struct place pa, pb;

	if (!place_read(a, &pa) || !place_read(b, &pb)) {
		return !place_read(a, &pa);
	}
	return !vy_str_eq(pa.epoch, pb.epoch) || pa.cur > pb.cur;
}

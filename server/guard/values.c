/* values.c -- what ${x%.c}, ${x#lib}, ${x,,} and ${x/a/b} make of the values of x. */
#include "server/guard/expand.h"

#include <string.h>

#include "server/guard/places.h"
#include "shared/base/buf.h"
#include "shared/base/ban.h"

#define CHANGED_MAX 256 /* bytes of a value that is cut or replaced */

/* How much of `v` the pattern takes, from its front or its end, the shortest or longest that fits. */
static size_t taken(struct vy_str v, struct vy_str pattern, bool is_front, bool is_long)
{
	for (size_t k = 0; pattern.n && k <= v.n; k++) {
		size_t n = is_long ? v.n - k : k;
		struct vy_str part = is_front ? vy_str_n(v.p, n) : vy_str_from(v, v.n - n);

		if (part.p && (guard_glob(pattern, part) || vy_str_eq(pattern, part))) {
			return n;
		}
	}
	return 0;
}

static struct vy_str with_case(struct vy_arena *mem, struct vy_str v, bool is_upper)
{
	char *p = vy_arena_dup(mem, v.p, v.n);

	for (size_t i = 0; i < v.n; i++) {
		if (is_upper ? p[i] >= 'a' && p[i] <= 'z' : p[i] >= 'A' && p[i] <= 'Z') {
			p[i] = (char)(p[i] ^ 0x20);
		}
	}
	return vy_str_n(p, v.n);
}

/* "/this/that": the first, or with "//" each. */
static struct vy_str replaced(struct vy_arena *mem, struct vy_str v, struct vy_str how)
{
	VY_AUTO_BUF b = VY_BUF_INIT(4096);
	bool is_all = how.n > 1 && how.p[1] == '/';
	struct vy_str from = vy_str_from(how, is_all ? 2 : 1), to = { NULL, 0 };
	const char *slash = from.n ? memchr(from.p, '/', from.n) : NULL;

	if (slash) {
		to = vy_str_from(from, (size_t)(slash - from.p) + 1);
		from.n = (size_t)(slash - from.p);
	}
	for (size_t i = 0; i < v.n;) {
		bool fits = from.n && i + from.n <= v.n && memcmp(v.p + i, from.p, from.n) == 0;

		if (fits) {
			vy_buf_addstr(&b, to);
			i += from.n;
			from.n = is_all ? from.n : 0;
		} else {
			vy_buf_addc(&b, v.p[i++]);
		}
	}
	return vy_arena_str(mem, vy_buf_str(&b));
}

static bool changed(struct vy_arena *mem, struct vy_str how, struct vy_str *v)
{
	bool is_double = how.p && how.n > 1 && how.p[1] == how.p[0];
	struct vy_str pattern = vy_str_from(how, is_double ? 2 : 1);
	size_t n;

	if (!how.p || how.n == 0 || v->n > CHANGED_MAX || pattern.n > CHANGED_MAX) {
		return false;
	}
	switch (how.p[0]) {
	case '%':
	case '#':
		n = taken(*v, pattern, how.p[0] == '#', is_double);
		*v = how.p[0] == '#' ? vy_str_from(*v, n) : vy_str_n(v->p, v->n - n);
		return true;
	case ',':
	case '^': *v = with_case(mem, *v, how.p[0] == '^'); return true;
	case '/': *v = replaced(mem, *v, how); return true;
	default: return false;
	}
}

/* ${x%.c}, ${x,,}, ${x/a/b}: of each value that is known. */
bool guard_values_change(struct vy_arena *mem, struct vy_str how, struct guard_strs *out)
{
	for (size_t i = 0; i < out->n; i++) {
		if (!changed(mem, how, &out->v[i])) {
			return false;
		}
	}
	return true;
}

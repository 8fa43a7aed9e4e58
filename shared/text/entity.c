/* entity.c -- see entity.h. */
#include "shared/text/entity.h"

#include "shared/text/utf8.h"
#include "shared/base/ban.h"

static const struct {
	const char *name;
	uint32_t cp;
} entities[] = {
#include "shared/text/entity.def"
};

static uint32_t by_name(struct vy_str name)
{
	size_t lo = 0, hi = VY_COUNT(entities);

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		struct vy_str have = vy_str_c(entities[mid].name);
		int order = memcmp(name.p, have.p, name.n < have.n ? name.n : have.n);

		if (order == 0 && name.n == have.n) {
			return entities[mid].cp;
		}
		if (order > 0 || (order == 0 && name.n > have.n)) {
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	return 0;
}

static int digit(char c, uint32_t base)
{
	int v = c >= '0' && c <= '9'                     ? c - '0'
		: (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
							 : 16;

	return v < (int)base ? v : -1;
}

static uint32_t by_number(struct vy_str digits)
{
	uint32_t base = digits.n && (digits.p[0] | 0x20) == 'x' ? 16 : 10, cp = 0;
	size_t from = base == 16;

	if (digits.n == from || digits.n - from > 8) {
		return 0;
	}
	for (size_t i = from; i < digits.n; i++) {
		int d = digit(digits.p[i], base);

		if (d < 0) {
			return 0;
		}
		cp = cp > 0x10FFFF ? cp : cp * base + (uint32_t)d;
	}
	return cp == 0 || cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF) ? VY_UTF8_BAD : cp;
}

uint32_t vy_entity(struct vy_str s)
{
	if (s.n < 3 || s.p[0] != '&' || s.p[s.n - 1] != ';') {
		return 0;
	}
	return s.p[1] == '#' ? by_number(vy_str_n(s.p + 2, s.n - 3))
			     : by_name(vy_str_n(s.p + 1, s.n - 2));
}

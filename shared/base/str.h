/* str.h -- a borrowed slice of bytes: pointer and length, not terminated, never freed.
 *
 * It lives as long as what it points into. The empty slice has n == 0; p may then be NULL. */
#ifndef VY_STR_H
#define VY_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct vy_str {
	const char *p;
	size_t n;
};

#define VY_STR_LIT(s) ((struct vy_str){ "" s, sizeof(s) - 1 })
#define VY_STR_ARG(s) (int)(s).n, (s).n ? (s).p : "" /* for "%.*s" */
#define VY_COUNT(a)   (sizeof(a) / sizeof((a)[0]))

/* Slice of a C string; NULL gives the empty slice. */
static inline struct vy_str vy_str_c(const char *s)
{
	return (struct vy_str){ s, s ? strlen(s) : 0 };
}

static inline struct vy_str vy_str_n(const char *p, size_t n)
{
	return (struct vy_str){ p, n };
}

static inline bool vy_str_eq(struct vy_str a, struct vy_str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool vy_str_is(struct vy_str a, const char *lit)
{
	return vy_str_eq(a, vy_str_c(lit));
}

static inline bool vy_str_starts(struct vy_str a, const char *prefix)
{
	size_t n = strlen(prefix);

	return a.n >= n && memcmp(a.p, prefix, n) == 0;
}

/* The slice from byte `at` on; past the end it is empty. */
static inline struct vy_str vy_str_from(struct vy_str a, size_t at)
{
	return at >= a.n ? vy_str_n(a.p ? a.p + a.n : NULL, 0) : vy_str_n(a.p + at, a.n - at);
}

/* Without the blanks (spaces, tabs, ends of lines) around it. */
static inline struct vy_str vy_str_trim(struct vy_str a)
{
	while (a.n && strchr(" \t\r\n", a.p[0]) && a.p[0]) {
		a = vy_str_n(a.p + 1, a.n - 1);
	}
	while (a.n && strchr(" \t\r\n", a.p[a.n - 1]) && a.p[a.n - 1]) {
		a.n--;
	}
	return a;
}

#endif

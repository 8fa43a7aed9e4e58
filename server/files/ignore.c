/* ignore.c -- see ignore.h. */
#include "server/files/ignore.h"

#include "shared/base/arena.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define FUEL 20000 /* steps of one match: a rule made to be slow matches nothing */

struct rule {
	struct vy_str base, glob;
	bool is_negated, is_for_dirs, is_tied;
};

struct ignore {
	struct vy_arena arena;
	struct rule *v;
	size_t n, cap;
};

struct ignore *ignore_new(void)
{
	struct ignore *g = VY_NEW(struct ignore);

	vy_arena_init(&g->arena);
	return g;
}

void ignore_free(struct ignore *g)
{
	if (g) {
		vy_arena_fini(&g->arena);
		free(g->v);
		free(g);
	}
}

/* ---- reading ---- */

/* Blanks at the end go, but for one that is escaped. */
static struct vy_str trimmed(struct vy_str line)
{
	while (line.n && line.p[line.n - 1] == '\r') {
		line.n--;
	}
	while (line.n && line.p[line.n - 1] == ' ' && !(line.n > 1 && line.p[line.n - 2] == '\\')) {
		line.n--;
	}
	return line;
}

static void add_line(struct ignore *g, struct vy_str base, struct vy_str line)
{
	struct rule r = { .base = base };

	line = trimmed(line);
	if (line.n == 0 || line.p[0] == '#' || g->n == IGNORE_RULES) {
		return;
	}
	if (line.p[0] == '!') {
		r.is_negated = true;
		line = vy_str_from(line, 1);
	}
	if (line.n && line.p[line.n - 1] == '/') {
		r.is_for_dirs = true;
		line.n--;
	}
	r.is_tied = line.n && memchr(line.p, '/', line.n);
	if (line.n && line.p[0] == '/') {
		line = vy_str_from(line, 1);
	}
	if (line.n == 0) {
		return;
	}
	r.glob = vy_arena_str(&g->arena, line);
	g->v = vy_grow(g->v, &g->cap, g->n + 1, sizeof(*g->v));
	g->v[g->n++] = r;
}

void ignore_add(struct ignore *g, struct vy_str base, struct vy_str text)
{
	base = base.n ? vy_arena_str(&g->arena, base) : vy_str_n(NULL, 0);
	while (text.n) {
		const char *end = memchr(text.p, '\n', text.n);
		size_t n = end ? (size_t)(end - text.p) : text.n;

		add_line(g, base, vy_str_n(text.p, n));
		text = vy_str_from(text, end ? n + 1 : n);
	}
}

/* ---- matching ---- */

/* One bracket expression at pat[*at]; moves behind it. Unclosed: a plain "[". */
static bool in_class(struct vy_str pat, size_t *at, char ch)
{
	size_t i = *at + 1, first;
	bool is_not = i < pat.n && (pat.p[i] == '!' || pat.p[i] == '^'), hit = false;

	i += is_not;
	for (first = i; i < pat.n && (pat.p[i] != ']' || i == first); i++) {
		char low = pat.p[i], high;

		if (low == '\\' && i + 1 < pat.n) {
			low = pat.p[++i];
		}
		high = low;
		if (i + 2 < pat.n && pat.p[i + 1] == '-' && pat.p[i + 2] != ']') {
			high = pat.p[i + 2];
			i += 2;
		}
		hit |= ch >= low && ch <= high;
	}
	if (i >= pat.n) {
		(*at)++;
		return ch == '[';
	}
	*at = i + 1;
	return hit != is_not && ch != '/';
}

static bool glob(struct vy_str pat, struct vy_str s, int *fuel);

/* "**" that stands for whole folders: at the rule's begin or behind a "/", and before one or at the
 * end. */
static bool over_folders(struct vy_str rest, struct vy_str s, int *fuel)
{
	if (rest.n == 0) {
		return s.n > 0;
	}
	rest = vy_str_from(rest, 1);
	for (;;) {
		if (glob(rest, s, fuel)) {
			return true;
		}
		const char *slash = s.n ? memchr(s.p, '/', s.n) : NULL;

		if (!slash || *fuel <= 0) {
			return false;
		}
		s = vy_str_from(s, (size_t)(slash - s.p) + 1);
	}
}

static bool star(struct vy_str rest, struct vy_str s, int *fuel)
{
	for (size_t i = 0;; i++) {
		if (glob(rest, vy_str_from(s, i), fuel)) {
			return true;
		}
		if (i == s.n || s.p[i] == '/' || *fuel <= 0) {
			return false;
		}
	}
}

static bool glob(struct vy_str pat, struct vy_str s, int *fuel)
{
	size_t p = 0, i = 0;

	while (p < pat.n) {
		size_t stars = 0;

		if (--*fuel <= 0) {
			return false;
		}
		while (p + stars < pat.n && pat.p[p + stars] == '*') {
			stars++;
		}
		if (stars) {
			struct vy_str rest = vy_str_from(pat, p + stars), text = vy_str_from(s, i);
			bool is_deep = stars == 2 && (p == 0 || pat.p[p - 1] == '/') &&
				       (rest.n == 0 || rest.p[0] == '/');

			return is_deep ? over_folders(rest, text, fuel) : star(rest, text, fuel);
		}
		if (i == s.n) {
			return false;
		}
		if (pat.p[p] == '[') {
			if (!in_class(pat, &p, s.p[i])) {
				return false;
			}
		} else if (pat.p[p] == '?') {
			if (s.p[i] == '/') {
				return false;
			}
			p++;
		} else {
			p += pat.p[p] == '\\' && p + 1 < pat.n;
			if (pat.p[p] != s.p[i]) {
				return false;
			}
			p++;
		}
		i++;
	}
	return i == s.n;
}

static struct vy_str last_part(struct vy_str path)
{
	size_t n = path.n;

	while (n && path.p[n - 1] != '/') {
		n--;
	}
	return vy_str_from(path, n);
}

static bool rule_match(const struct rule *r, struct vy_str path, bool is_dir)
{
	int fuel = FUEL;

	if (r->is_for_dirs && !is_dir) {
		return false;
	}
	if (r->base.n) {
		if (path.n <= r->base.n || path.p[r->base.n] != '/' ||
			memcmp(path.p, r->base.p, r->base.n) != 0) {
			return false;
		}
		path = vy_str_from(path, r->base.n + 1);
	}
	return glob(r->glob, r->is_tied ? path : last_part(path), &fuel);
}

bool ignore_match(const struct ignore *g, struct vy_str path, bool is_dir)
{
	for (size_t i = g->n; i > 0; i--) {
		if (rule_match(&g->v[i - 1], path, is_dir)) {
			return !g->v[i - 1].is_negated;
		}
	}
	return false;
}

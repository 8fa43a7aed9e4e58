/* claude_patch.c -- see claude_patch.h. One hunk: an Edit names one place, so what its two texts
 * have in common at their ends is all there is to find. */
#include "server/provider/claude_patch.h"

#include <string.h>

#include "shared/base/ban.h"

#define CONTEXT 3

struct lines {
	struct vy_str *v;
	size_t n;
};

static struct lines split(struct vy_str text, struct vy_arena *a)
{
	struct lines l = { NULL, 0 };
	size_t count = 1;

	for (size_t i = 0; i < text.n; i++) {
		count += text.p[i] == '\n';
	}
	l.v = vy_arena_calloc(a, count, sizeof(*l.v));
	while (text.n) {
		const char *end = memchr(text.p, '\n', text.n);
		size_t n = end ? (size_t)(end - text.p) : text.n;

		l.v[l.n++] = vy_str_n(text.p, n);
		text = vy_str_from(text, n + 1);
	}
	return l;
}

/* Lines the two have in common at the front, and at the back behind those. */
static size_t same_front(const struct lines *x, const struct lines *y)
{
	size_t n = 0;

	while (n < x->n && n < y->n && vy_str_eq(x->v[n], y->v[n])) {
		n++;
	}
	return n;
}

static size_t same_back(const struct lines *x, const struct lines *y, size_t front)
{
	size_t n = 0;

	while (n < x->n - front && n < y->n - front &&
		vy_str_eq(x->v[x->n - 1 - n], y->v[y->n - 1 - n])) {
		n++;
	}
	return n;
}

static void add(struct vy_json *to, char kind, const struct lines *l, size_t from, size_t end,
	struct vy_arena *a)
{
	for (size_t i = from; i < end; i++) {
		char *p = vy_arena_alloc(a, l->v[i].n + 1);

		p[0] = kind;
		if (l->v[i].n) {
			memcpy(p + 1, l->v[i].p, l->v[i].n);
		}
		vy_json_add_take(to, vy_json_new_str(vy_str_n(p, l->v[i].n + 1)));
	}
}

struct vy_json *claude_patch(struct vy_str before, struct vy_str after, struct vy_arena *a)
{
	struct lines x = split(before, a), y = split(after, a);
	size_t front = same_front(&x, &y), back = same_back(&x, &y, front);
	size_t from = front > CONTEXT ? front - CONTEXT : 0;
	size_t tail = back > CONTEXT ? CONTEXT : back;
	struct vy_json *patch = vy_json_new_arr(), *h = vy_json_new_obj(), *to = vy_json_new_arr();

	add(to, ' ', &x, from, front, a);
	add(to, '-', &x, front, x.n - back, a);
	add(to, '+', &y, front, y.n - back, a);
	add(to, ' ', &x, x.n - back, x.n - back + tail, a);
	vy_json_set_int(h, "oldStart", x.n ? (int64_t)from + 1 : 0);
	vy_json_set_int(h, "newStart", y.n ? (int64_t)from + 1 : 0);
	vy_json_take(h, "lines", to);
	vy_json_add_take(patch, h);
	return patch;
}

void claude_patch_print(struct vy_str path, struct vy_str before, struct vy_str after,
	struct vy_arena *a, struct vy_buf *out)
{
	struct vy_json *patch = claude_patch(before, after, a);
	const struct vy_json *h = vy_json_at(patch, 0), *lines = vy_json_get(h, "lines");
	size_t old_n = 0, new_n = 0;

	for (size_t i = 0; i < vy_json_len(lines); i++) {
		char kind = vy_json_strval(vy_json_at(lines, i)).p[0];

		old_n += kind != '+';
		new_n += kind != '-';
	}
	vy_buf_addf(out, "--- %.*s\n+++ %.*s\n@@ -%lld,%zu +%lld,%zu @@\n",
		VY_STR_ARG(before.n ? path : VY_STR_LIT("/dev/null")), VY_STR_ARG(path),
		(long long)vy_json_int(h, "oldStart", 0), old_n,
		(long long)vy_json_int(h, "newStart", 0), new_n);
	for (size_t i = 0; i < vy_json_len(lines); i++) {
		vy_buf_addstr(out, vy_json_strval(vy_json_at(lines, i)));
		vy_buf_addc(out, '\n');
	}
	vy_json_free(patch);
}

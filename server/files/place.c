/* place.c -- see place.h. The lines around the words are compared, not the whole file. */
#include "server/files/place.h"

#include <string.h>

#include "shared/text/diff.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define CONTEXT 3

static bool is_text(struct vy_str s)
{
	return vy_utf8_is_valid(s) && !(s.n && memchr(s.p, '\0', s.n));
}

/* Where the words begin, if they are there once (laid over each other counts as twice). */
static bool find_once(struct vy_str file, struct vy_str words, size_t *at)
{
	const char *p = words.n ? memmem(file.p, file.n, words.p, words.n) : NULL;

	if (!p) {
		return false;
	}
	*at = (size_t)(p - file.p);
	struct vy_str rest = vy_str_from(file, *at + 1);

	return !memmem(rest.p, rest.n, words.p, words.n);
}

/* The start of the line that stands `lines` above the one at `at`; *skipped is the lines before. */
static size_t line_above(struct vy_str file, size_t at, size_t lines, size_t *skipped)
{
	size_t from = at;

	for (size_t n = 0; from > 0; from--) {
		if (file.p[from - 1] == '\n' && n++ == lines) {
			break;
		}
	}
	*skipped = 0;
	for (size_t i = 0; i < from; i++) {
		*skipped += file.p[i] == '\n';
	}
	return from;
}

/* Behind the end of the line that stands `lines` below the one that holds the byte before `at`. */
static size_t line_below(struct vy_str file, size_t at, size_t lines)
{
	size_t to = at > 0 ? at - 1 : 0;

	for (size_t n = 0; to < file.n; to++) {
		if (file.p[to] == '\n' && n++ == lines) {
			return to + 1;
		}
	}
	return file.n;
}

static bool print(const struct place_change *c, struct vy_str was, struct vy_str is, size_t skipped,
	struct vy_arena *a, struct vy_buf *out)
{
	struct vy_diff_file f;

	vy_diff_make(was, is, CONTEXT, a, &f);
	struct vy_diff_hunk *hunks = vy_arena_calloc(a, f.n + 1, sizeof(*hunks));

	for (size_t i = 0; i < f.n; i++) {
		hunks[i] = f.hunks[i];
		hunks[i].old_start += skipped;
		hunks[i].new_start += skipped;
	}
	f.hunks = hunks;
	f.old_path = f.new_path = c->path;
	return vy_diff_print(&f, out);
}

bool place_print(
	const struct place_change *c, struct vy_str file, struct vy_arena *a, struct vy_buf *out)
{
	size_t at, skipped;

	if (!is_text(file)) {
		return false;
	}
	if (c->is_whole) {
		return print(c, file, c->is, 0, a, out);
	}
	if (!find_once(file, c->was, &at)) {
		return false;
	}
	size_t from = line_above(file, at, CONTEXT, &skipped);
	size_t to = line_below(file, at + c->was.n, CONTEXT);
	size_t n = to - from - c->was.n + c->is.n;
	char *after = vy_arena_alloc(a, n + 1), *p = after;

	p = mempcpy(p, file.p + from, at - from);
	p = c->is.n ? mempcpy(p, c->is.p, c->is.n) : p;
	memcpy(p, file.p + at + c->was.n, to - at - c->was.n);
	return print(c, vy_str_n(file.p + from, to - from), vy_str_n(after, n), skipped, a, out);
}

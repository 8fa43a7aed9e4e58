/* place.c -- see place.h. */
#include "tui/view/place.h"

#include <string.h>

#include "shared/base/buf.h"
#include "shared/model/block.h"
#include "tui/view/source.h"
#include "shared/base/ban.h"

static void add(struct places_named *out, struct vy_str path, int64_t line)
{
	for (size_t i = 0; i < out->n; i++) {
		if (vy_str_eq(out->v[i].path, path) && (line == 0 || out->v[i].line == line)) {
			return;
		}
	}
	if (path.n && out->n < PLACES_MOST) {
		out->v[out->n++] = (struct place){ path, line };
	}
}

/* ---- words ---- */

static bool ends_path(char c)
{
	static const char ends[] = "\"'`()[]{}<>,;|*";

	return (unsigned char)c <= ' ' || memchr(ends, c, sizeof(ends)) != NULL;
}

/* A word that names a file: it has a slash, or a dot with letters on both sides. */
static bool is_path(struct vy_str w)
{
	const char *dot = w.n ? memrchr(w.p, '.', w.n) : NULL;

	if (w.n < 2 || memmem(w.p, w.n, "://", 3) || vy_str_is(w, "e.g") || vy_str_is(w, "i.e") ||
		vy_str_is(w, "z.B")) {
		return false;
	}
	if (memchr(w.p, '/', w.n)) {
		return w.n > 2;
	}
	return dot && dot > w.p && dot + 1 < w.p + w.n && (dot[1] | 0x20) >= 'a' &&
	       (dot[1] | 0x20) <= 'z' && (size_t)(w.p + w.n - dot) <= 6;
}

static int64_t number_at(struct vy_str s, size_t at)
{
	int64_t n = 0;

	for (; at < s.n && s.p[at] >= '0' && s.p[at] <= '9'; at++) {
		n = n < 100000000 ? n * 10 + (s.p[at] - '0') : n;
	}
	return n;
}

/* "a.c:12:3" is a.c and 12, and so is "a.c#L12"; "." or ":" at the end belong to the sentence. */
static struct vy_str cut_line(struct vy_str w, int64_t *line)
{
	*line = 0;
	while (w.n && strchr(".:!?", w.p[w.n - 1])) {
		w.n--;
	}
	const char *mark = w.n ? memmem(w.p, w.n, "#L", 2) : NULL;
	size_t skip = 2;

	if (!mark) {
		mark = w.n ? memchr(w.p, ':', w.n) : NULL;
		skip = 1;
	}
	if (mark && mark > w.p) {
		*line = number_at(w, (size_t)(mark - w.p) + skip);
		w.n = (size_t)(mark - w.p);
	}
	return w;
}

/* A line that is said behind the word: "(12)", "\", line 12", " line 12". */
static int64_t line_behind(struct vy_str words, size_t at)
{
	struct vy_str rest = vy_str_from(words, at);

	if (rest.n > 1 && rest.p[0] == '(') {
		return number_at(rest, 1);
	}
	while (rest.n && strchr("\"'`, ", rest.p[0]) && rest.p[0]) {
		rest = vy_str_from(rest, 1);
	}
	return vy_str_starts(rest, "line ") ? number_at(rest, 5) : 0;
}

void place_in_words(struct vy_str words, struct vy_arena *a, struct places_named *out)
{
	for (size_t i = 0; i < words.n && out->n < PLACES_MOST;) {
		size_t end = i;
		int64_t line;

		while (end < words.n && !ends_path(words.p[end])) {
			end++;
		}
		struct vy_str w = cut_line(vy_str_n(words.p + i, end - i), &line);

		if (is_path(w)) {
			add(out, vy_arena_str(a, w), line ? line : line_behind(words, end));
		}
		i = end + 1;
	}
}

/* ---- rows ---- */

static void in_tool(const struct vy_row_tool *t, struct vy_arena *a, struct places_named *out)
{
	struct vy_block b = { .kind = VY_BLOCK_TEXT };

	vy_block_parse(t->result, a, &b);
	if (b.kind == VY_BLOCK_DIFF) {
		add(out, b.diff.path, b.diff.n ? b.diff.hunks[0].new_start : 0);
	}
	for (size_t i = 0; b.kind == VY_BLOCK_FILES && i < b.files.n; i++) {
		add(out, b.files.files[i].path, b.files.files[i].line);
	}
	place_in_words(t->summary, a, out);
}

void place_in_row(const struct vy_row *row, struct vy_arena *a, struct places_named *out)
{
	VY_AUTO_BUF words = VY_BUF_INIT(SOURCE_MAX);

	out->n = 0;
	if (row->expired) {
		return;
	}
	if (row->kind == VY_ROW_FILE) {
		add(out, row->file.path, 0);
		return;
	}
	if (row->kind == VY_ROW_TOOL || row->kind == VY_ROW_TASK) {
		in_tool(&row->tool, a, out);
	}
	source_row(row, &words);
	place_in_words(vy_buf_str(&words), a, out);
}

/* diff.c -- see diff.h: reading and printing unified diffs, and which lines belong together. */
#include "shared/text/diff.h"

#include <string.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

/* ---- reading ---- */

struct lines { /* growing lists of what is being read; copied to the arena when whole */
	struct vy_diff_line *at;
	size_t n, cap;
};

struct hunks {
	struct vy_diff_hunk *at;
	size_t n, cap;
};

struct reader {
	struct vy_str text;
	size_t at; /* start of the next line */
	struct vy_arena *arena;
	struct lines lines;
	struct hunks hunks;
	struct vy_diff_file file; /* the one being read */
	bool has_file;
	size_t old_left, new_left; /* of the open hunk, by its header */
	bool in_hunk;
	struct vy_diff_file *files;
	size_t n, cap;
};

static void *keep(struct vy_arena *a, const void *from, size_t n, size_t item)
{
	void *to = vy_arena_calloc(a, n + 1, item);

	if (n) {
		memcpy(to, from, n * item);
	}
	return to;
}

static void end_hunk(struct reader *r)
{
	if (!r->in_hunk) {
		return;
	}
	struct vy_diff_hunk *h = &r->hunks.at[r->hunks.n - 1];

	r->in_hunk = false;
	h->n = r->lines.n;
	h->lines = keep(r->arena, r->lines.at, r->lines.n, sizeof(*r->lines.at));
	r->lines.n = 0;
}

static void end_file(struct reader *r)
{
	end_hunk(r);
	if (!r->has_file) {
		return;
	}
	r->file.n = r->hunks.n;
	r->file.hunks = keep(r->arena, r->hunks.at, r->hunks.n, sizeof(*r->hunks.at));
	r->files = vy_grow(r->files, &r->cap, r->n + 1, sizeof(*r->files));
	r->files[r->n++] = r->file;
	r->hunks.n = 0;
	r->has_file = false;
}

static void begin_file(struct reader *r)
{
	end_file(r);
	r->file = (struct vy_diff_file){ 0 };
	r->has_file = true;
}

static bool next_line(const struct reader *r, size_t at, struct vy_str *line, size_t *next)
{
	if (at >= r->text.n) {
		return false;
	}
	const char *nl = memchr(r->text.p + at, '\n', r->text.n - at);
	size_t end = nl ? (size_t)(nl - r->text.p) : r->text.n;

	*line = vy_str_n(r->text.p + at, end - at);
	*next = nl ? end + 1 : end;
	return true;
}

static int octal(struct vy_str s, size_t i)
{
	int v = 0;

	for (size_t k = i; k < i + 3; k++) {
		if (k >= s.n || s.p[k] < '0' || s.p[k] > '7') {
			return -1;
		}
		v = v * 8 + s.p[k] - '0';
	}
	return v & 0xFF;
}

/* A path as git quotes it ("a/\303\244"), in the arena; `used` is what was read. */
static struct vy_str unquote(struct vy_str s, struct vy_arena *a, size_t *used)
{
	static const char from[] = "abtnvfr\"\\", to[] = "\a\b\t\n\v\f\r\"\\";
	char *out = vy_arena_alloc(a, s.n);
	size_t n = 0, i = 1;

	for (; i < s.n && s.p[i] != '"'; i++) {
		const char *known;
		int byte;

		if (s.p[i] != '\\' || i + 1 == s.n) {
			out[n++] = s.p[i];
		} else if ((byte = octal(s, i + 1)) >= 0) {
			out[n++] = (char)byte;
			i += 3;
		} else {
			known = memchr(from, s.p[++i], sizeof(from) - 1);
			out[n++] = known ? to[known - from] : s.p[i];
		}
	}
	*used = i < s.n ? i + 1 : i;
	return vy_str_n(out, n);
}

/* "a/src/x.c<TAB>date" without prefix and date; empty for /dev/null. */
static struct vy_str path_of(struct vy_str s, const char *prefix, struct vy_arena *a)
{
	const char *tab = s.n ? memchr(s.p, '\t', s.n) : NULL;
	size_t used;

	if (s.n && s.p[0] == '"') {
		s = unquote(s, a, &used);
	} else if (tab) {
		s.n = (size_t)(tab - s.p);
	}
	if (s.n && s.p[s.n - 1] == '\r') {
		s.n--;
	}
	if (vy_str_is(s, "/dev/null")) {
		return vy_str_n(NULL, 0);
	}
	return vy_str_starts(s, prefix) ? vy_str_from(s, strlen(prefix)) : s;
}

/* The two paths of "diff --git a/X b/X": for a file without hunks nothing else names them. */
static void git_paths(struct reader *r, struct vy_str s)
{
	if (s.n && s.p[0] == '"') {
		size_t used;
		struct vy_str old_path = unquote(s, r->arena, &used);

		r->file.old_path =
			vy_str_starts(old_path, "a/") ? vy_str_from(old_path, 2) : old_path;
		r->file.new_path = path_of(vy_str_from(s, used + 1), "b/", r->arena);
		return;
	}
	for (size_t i = 0; i + 3 < s.n; i++) { /* the blank between two equal names */
		struct vy_str left = vy_str_n(s.p, i), right = vy_str_from(s, i + 1);

		if (s.p[i] == ' ' && vy_str_starts(left, "a/") && vy_str_starts(right, "b/") &&
			vy_str_eq(vy_str_from(left, 2), vy_str_from(right, 2))) {
			r->file.old_path = vy_str_from(left, 2);
			r->file.new_path = vy_str_from(right, 2);
			return;
		}
	}
}

static bool number(struct vy_str s, size_t *at, size_t *out)
{
	size_t from = *at, v = 0;

	while (*at < s.n && s.p[*at] >= '0' && s.p[*at] <= '9' && v < SIZE_MAX / 100) {
		v = v * 10 + (size_t)(s.p[(*at)++] - '0');
	}
	*out = v;
	return *at > from;
}

/* "12,5" or "12" behind a sign. */
static bool extent(struct vy_str s, size_t *at, char sign, size_t *start, size_t *count)
{
	if (*at >= s.n || s.p[*at] != sign) {
		return false;
	}
	(*at)++;
	*count = 1;
	if (!number(s, at, start)) {
		return false;
	}
	if (*at < s.n && s.p[*at] == ',') {
		(*at)++;
		return number(s, at, count);
	}
	return true;
}

static bool begin_hunk(struct reader *r, struct vy_str line)
{
	struct vy_diff_hunk h = { 0 };
	size_t at = 3;

	if (!vy_str_starts(line, "@@ ") || !extent(line, &at, '-', &h.old_start, &r->old_left) ||
		at >= line.n || line.p[at++] != ' ' ||
		!extent(line, &at, '+', &h.new_start, &r->new_left) ||
		!vy_str_starts(vy_str_from(line, at), " @@")) {
		return false;
	}
	h.section = vy_str_from(line, at + 3);
	h.section = h.section.n && h.section.p[0] == ' ' ? vy_str_from(h.section, 1) : h.section;
	end_hunk(r);
	if (!r->has_file) {
		begin_file(r);
	}
	r->hunks.at = vy_grow(r->hunks.at, &r->hunks.cap, r->hunks.n + 1, sizeof(*r->hunks.at));
	r->hunks.at[r->hunks.n++] = h;
	r->in_hunk = true;
	return true;
}

/* A line of the open hunk; false when it is none. */
static bool hunk_line(struct reader *r, struct vy_str line)
{
	struct vy_diff_hunk *h = &r->hunks.at[r->hunks.n - 1];
	char kind =
		line.n ? line.p[0] : ' '; /* some tools take a blank at the end of a line away */

	if (kind == '\\' && r->lines.n > 0) {
		r->lines.at[r->lines.n - 1].no_newline = true;
		return true;
	}
	if ((kind != ' ' && kind != '-' && kind != '+') || (kind != '+' && r->old_left == 0) ||
		(kind != '-' && r->new_left == 0)) {
		return false;
	}
	r->old_left -= kind != '+';
	r->new_left -= kind != '-';
	h->old_count += kind != '+';
	h->new_count += kind != '-';
	r->file.removed += kind == '-';
	r->file.added += kind == '+';
	r->lines.at = vy_grow(r->lines.at, &r->lines.cap, r->lines.n + 1, sizeof(*r->lines.at));
	r->lines.at[r->lines.n++] =
		(struct vy_diff_line){ .kind = kind, .text = vy_str_from(line, 1) };
	return true;
}

/* "--- X" with "+++ Y" below it. */
static bool file_header(struct reader *r, struct vy_str line, size_t *next)
{
	struct vy_str below;
	size_t behind;

	if (!vy_str_starts(line, "--- ") || !next_line(r, *next, &below, &behind) ||
		!vy_str_starts(below, "+++ ")) {
		return false;
	}
	end_hunk(r);
	if (!r->has_file || r->hunks.n > 0) {
		begin_file(r);
	}
	r->file.old_path = path_of(vy_str_from(line, 4), "a/", r->arena);
	r->file.new_path = path_of(vy_str_from(below, 4), "b/", r->arena);
	r->file.is_created |= r->file.old_path.n == 0;
	r->file.is_deleted |= r->file.new_path.n == 0;
	*next = behind;
	return true;
}

/* What git says between "diff --git" and the hunks. */
static void git_line(struct reader *r, struct vy_str line)
{
	if (vy_str_starts(line, "diff --git ")) {
		begin_file(r);
		git_paths(r, vy_str_from(line, 11));
	} else if (!r->has_file || r->hunks.n > 0) {
		return;
	} else if (vy_str_starts(line, "new file mode")) {
		r->file.is_created = true;
	} else if (vy_str_starts(line, "deleted file mode")) {
		r->file.is_deleted = true;
	} else if (vy_str_starts(line, "rename from ")) {
		r->file.is_renamed = true;
		r->file.old_path = path_of(vy_str_from(line, 12), "", r->arena);
	} else if (vy_str_starts(line, "rename to ")) {
		r->file.is_renamed = true;
		r->file.new_path = path_of(vy_str_from(line, 10), "", r->arena);
	} else if (vy_str_starts(line, "Binary files ") || vy_str_is(line, "GIT binary patch")) {
		r->file.is_binary = true;
	}
}

void vy_diff_parse(struct vy_str unified, struct vy_arena *a, struct vy_diff *out)
{
	struct reader r = { .text = unified, .arena = a };
	struct vy_str line;
	size_t next;

	while (next_line(&r, r.at, &line, &next)) {
		if (!r.in_hunk || !hunk_line(&r, line)) {
			end_hunk(&r);
			if (!file_header(&r, line, &next) && !begin_hunk(&r, line)) {
				git_line(&r, line);
			}
		}
		r.at = next;
	}
	end_file(&r);
	out->files = keep(a, r.files, r.n, sizeof(*r.files));
	out->n = r.n;
	free(r.lines.at);
	free(r.hunks.at);
	free(r.files);
}

/* ---- printing ---- */

static bool print_extent(char sign, size_t start, size_t count, struct vy_buf *out)
{
	return count == 1 ? vy_buf_addf(out, "%c%zu", sign, start)
			  : vy_buf_addf(out, "%c%zu,%zu", sign, start, count);
}

static void print_path(const char *mark, const char *prefix, struct vy_str path, struct vy_buf *out)
{
	vy_buf_addf(out, "%s %s", mark, path.n ? prefix : "/dev/null");
	vy_buf_addstr(out, path);
	vy_buf_addc(out, '\n');
}

static void print_hunk(const struct vy_diff_hunk *h, struct vy_buf *out)
{
	vy_buf_adds(out, "@@ ");
	print_extent('-', h->old_start, h->old_count, out);
	vy_buf_addc(out, ' ');
	print_extent('+', h->new_start, h->new_count, out);
	vy_buf_adds(out, h->section.n ? " @@ " : " @@");
	vy_buf_addstr(out, h->section);
	vy_buf_addc(out, '\n');
	for (size_t i = 0; i < h->n; i++) {
		vy_buf_addc(out, h->lines[i].kind);
		vy_buf_addstr(out, h->lines[i].text);
		vy_buf_adds(
			out, h->lines[i].no_newline ? "\n\\ No newline at end of file\n" : "\n");
	}
}

bool vy_diff_print(const struct vy_diff_file *f, struct vy_buf *out)
{
	if (f->old_path.n || f->new_path.n) {
		print_path("---", "a/", f->old_path, out);
		print_path("+++", "b/", f->new_path, out);
	}
	for (size_t i = 0; i < f->n; i++) {
		print_hunk(&f->hunks[i], out);
	}
	return !vy_buf_is_over(out);
}

/* ---- which lines belong together ---- */

size_t vy_diff_partner(const struct vy_diff_hunk *h, size_t i)
{
	size_t start = i, minus = 0, plus = 0;

	if (i >= h->n || h->lines[i].kind == ' ') {
		return SIZE_MAX;
	}
	while (start > 0 && h->lines[start - 1].kind == '+') {
		start--;
	}
	while (start > 0 && h->lines[start - 1].kind == '-') {
		start--;
	}
	if (h->lines[i].kind == '-') {
		for (start = i; start > 0 && h->lines[start - 1].kind == '-';) {
			start--;
		}
	}
	while (start + minus < h->n && h->lines[start + minus].kind == '-') {
		minus++;
	}
	while (start + minus + plus < h->n && h->lines[start + minus + plus].kind == '+') {
		plus++;
	}
	size_t k = h->lines[i].kind == '-' ? i - start : i - start - minus;

	return k < minus && k < plus ? start + k + (h->lines[i].kind == '-' ? minus : 0) : SIZE_MAX;
}

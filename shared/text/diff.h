/* diff.h -- a change as hunks: read from unified text, or made from two texts.
 *
 * Lines are slices of the input they came from (which must outlive the result) without prefix and
 * newline; arrays live in the arena. Nothing here makes text safe for a screen: that is the
 * renderer's call to vy_utf8_visible. Takes any bytes. Cost is bounded: two texts too far apart
 * give a right diff, not always the smallest. Pure. */
#ifndef VY_DIFF_H
#define VY_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/str.h"

struct vy_diff_line {
	char kind;       /* ' ', '-', '+' */
	bool no_newline; /* the last line of a file that does not end in one */
	struct vy_str text;
};

struct vy_diff_hunk {
	size_t old_start, new_start; /* first line, from 1; the line before when the count is 0;
				      * both 0: where it stands is not known */
	size_t old_count, new_count;
	struct vy_str section; /* what stands behind the second @@ */
	const struct vy_diff_line *lines;
	size_t n;
};

struct vy_diff_file {
	struct vy_str old_path, new_path; /* "a/" and "b/" taken off; empty for /dev/null */
	bool is_created, is_deleted, is_renamed, is_binary;
	size_t added, removed;
	const struct vy_diff_hunk *hunks;
	size_t n;
};

struct vy_diff {
	const struct vy_diff_file *files;
	size_t n;
};

/* Reads unified diffs (plain, git's, several files); words between them are passed over, a hunk
 * that ends early keeps what it has. Nothing found is no files. */
void vy_diff_parse(struct vy_str unified, struct vy_arena *a, struct vy_diff *out);

/* Hunks that make `new_text` of `old_text`, with so many lines of context around. Paths empty. */
void vy_diff_make(struct vy_str old_text, struct vy_str new_text, size_t context,
	struct vy_arena *a, struct vy_diff_file *out);

/* Appends the hunks as unified text, headers with the paths first when there are any. */
bool vy_diff_print(const struct vy_diff_file *f, struct vy_buf *out);

/* The line that took the place of line i (or whose place it took), for word emphasis and side by
 * side: the k-th '-' of a run with the k-th '+' behind it. SIZE_MAX if none. */
size_t vy_diff_partner(const struct vy_diff_hunk *h, size_t i);

struct vy_diff_range {
	size_t start, end;
};

struct vy_diff_words {
	const struct vy_diff_range *old_ranges, *new_ranges; /* what changed, in order */
	size_t n_old, n_new;
};

/* What changed inside a line, by words. false when the lines have too little in common for that to
 * help a reader; then nothing is given. */
bool vy_diff_words(struct vy_str old_line, struct vy_str new_line, struct vy_arena *a,
	struct vy_diff_words *out);

#endif

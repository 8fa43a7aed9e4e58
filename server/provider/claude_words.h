/* claude_words.h -- short words made of what claude says: ids, lines, summaries, pieces of text.
 * Results live in the arena or are slices of the input. Pure. */
#ifndef PROVIDER_CLAUDE_WORDS_H
#define PROVIDER_CLAUDE_WORDS_H

#include "shared/base/arena.h"
#include "shared/base/str.h"

#define CLAUDE_LINE_MAX     240  /* bytes of a summary */
#define CLAUDE_SENTENCE_MAX 1200 /* bytes of a reason */

/* An id as the house may keep it: at most VY_ID_MAX bytes, none of them NUL. */
struct vy_str claude_id(struct vy_str raw);

/* Bytes of `text` that fit in one frame, at least one character: 64 KiB, fewer when it is full of
 * bytes that JSON spells long. */
size_t claude_piece(struct vy_str text);

/* One line: runs of blanks and newlines become one blank, cut at CLAUDE_LINE_MAX with "…". */
struct vy_str claude_one_line(struct vy_str s, struct vy_arena *a);

struct vy_str claude_sentence(struct vy_str s, struct vy_arena *a); /* the same, longer */

/* A path as the person knows it: relative when it is inside `cwd`. */
struct vy_str claude_short_path(struct vy_str path, struct vy_str cwd);

/* Three texts in a row, in the arena; NULs and all. */
struct vy_str claude_join(struct vy_str x, struct vy_str y, struct vy_str z, struct vy_arena *a);

/* At most `max` bytes, cut between characters. */
struct vy_str claude_cut(struct vy_str s, size_t max);

#endif

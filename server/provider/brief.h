/* brief.h -- short words made of what an agent says: ids, lines, summaries, pieces of text, blocks of text.
 * Results live in the arena or are slices of the input, blocks are the caller's. Pure. */
#ifndef PROVIDER_BRIEF_H
#define PROVIDER_BRIEF_H

#include "shared/base/arena.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

#define BRIEF_LINE_MAX     240          /* bytes of a summary */
#define BRIEF_SENTENCE_MAX 1200         /* bytes of a reason */
#define BRIEF_BLOCK_MAX    (8 * VY_KIB) /* of a block of nothing but text */

/* An id as the house may keep it: at most VY_ID_MAX bytes, none of them NUL. */
struct vy_str brief_id(struct vy_str raw);

/* Bytes of `text` that fit in one frame, at least one character: 64 KiB, fewer when it is full of
 * bytes that JSON spells long. */
size_t brief_piece(struct vy_str text);

/* One line: runs of blanks and newlines become one blank, cut at BRIEF_LINE_MAX with "…". */
struct vy_str brief_one_line(struct vy_str s, struct vy_arena *a);

struct vy_str brief_sentence(struct vy_str s, struct vy_arena *a); /* the same, longer */

/* A path as the person knows it: relative when it is inside `cwd`. */
struct vy_str brief_path(struct vy_str path, struct vy_str cwd);

/* Three texts in a row, in the arena; NULs and all. */
struct vy_str brief_join(struct vy_str x, struct vy_str y, struct vy_str z, struct vy_arena *a);

/* At most `max` bytes, cut between characters. */
struct vy_str brief_cut(struct vy_str s, size_t max);

/* block[key] = s, cut to `max` bytes and to what a frame holds; what is left out the block's note says. */
void brief_set(struct vy_json *block, const char *key, struct vy_str s, size_t max);

/* {type: "text", text}, cut. */
struct vy_json *brief_block(struct vy_str text);

/* The text of a result's content, a string or a list of parts; what is no text is named in brackets. */
struct vy_str brief_content(const struct vy_json *content, struct vy_arena *a);

#endif

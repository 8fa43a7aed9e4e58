/* width.h -- what a person sees as one character, and how many cells it takes.
 *
 * A cluster is an extended grapheme cluster of Unicode 15 (an emoji of seven code points is one, a
 * flag is one). Offsets are bytes; a function that takes `at` wants a cluster border and gives
 * one. Bad bytes count as U+FFFD, a control byte as one cell (ink draws its mark there). A run of
 * combining marks is cut at VY_CLUSTER_MAX bytes, so no cell grows without end. Text of plain
 * ASCII takes a fast path. Pure; any thread. */
#ifndef VY_WIDTH_H
#define VY_WIDTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/str.h"

#define VY_CLUSTER_MAX 128

/* How the terminal at hand counts; zero is a modern one in a western setting. */
struct vy_width {
	bool ambiguous_wide; /* East Asian "ambiguous" characters take two cells */
	bool sums; /* adds up code points: ZWJ and VS16 join nothing (old ones, libvterm) */
};

/* ---- clusters ---- */

size_t vy_cluster_next(struct vy_str s, size_t at); /* border behind the cluster at `at`, or s.n */
size_t vy_cluster_prev(struct vy_str s, size_t at); /* border before `at`, or 0 */
bool vy_cluster_is_border(struct vy_str s, size_t at);
size_t vy_cluster_cut(struct vy_str s, size_t max); /* most bytes <= max that split no cluster */

/* Words: letters and digits together; a run of ideographs, of kana, of hangul each; spaces and
 * marks are passed over. As alt-f and alt-b of emacs. */
size_t vy_word_next(struct vy_str s, size_t at); /* end of the word at or behind `at` */
size_t vy_word_prev(struct vy_str s, size_t at); /* start of the word before `at` */

/* ---- cells ---- */

/* Cells of one cluster: 1 or 2 (any number when the terminal sums). Never 0: a combining mark with
 * nothing to stand on takes a cell of its own, and ink puts it behind a blank. */
unsigned vy_width_cluster(struct vy_str cluster, struct vy_width w);
size_t vy_width_cells(struct vy_str s, struct vy_width w);

/* The next piece to put in one cell, its end returned: a cluster, or, when the terminal sums, one
 * code point with the zero-width ones behind it. *cells is 1 or 2. */
size_t vy_width_piece(struct vy_str s, size_t at, struct vy_width w, unsigned *cells);

/* Bytes of whole clusters that fit in `cells`; *used (may be NULL) is what they take. */
size_t vy_width_fit(struct vy_str s, size_t cells, struct vy_width w, size_t *used);

/* Appends `s`, or its beginning and "…" so that all fits in `cells`; _tail keeps the end (paths). */
void vy_width_ellipsis(struct vy_str s, size_t cells, struct vy_width w, struct vy_buf *out);
void vy_width_ellipsis_tail(struct vy_str s, size_t cells, struct vy_width w, struct vy_buf *out);

/* ---- code points, for utf8.c and wrap.c ---- */

unsigned vy_width_cp(uint32_t cp, struct vy_width w); /* 0, 1 or 2 */
bool vy_cp_is_pictograph(uint32_t cp);                /* Extended_Pictographic */
uint32_t vy_cp_fold(uint32_t cp);                     /* without its case, for comparing */
uint32_t vy_cp_upper(uint32_t cp);                    /* the capital, if there is one */
bool vy_cp_is_letter(uint32_t cp);                    /* letters, marks, digits */
bool vy_cp_is_space(uint32_t cp);
bool vy_cp_is_punct(uint32_t cp); /* punctuation and symbols */

#endif

/* utf8.h -- the one door for text from outside.
 *
 * Two steps, both pure: vy_utf8_clean() makes any bytes valid UTF-8 (for the log and the wire);
 * vy_utf8_visible() also turns what a screen must never obey, and what a reader could not see,
 * into marks (for the eye: "␛" for ESC, "⟨U+202E⟩" for a bidi override). Both append to `out` and
 * return false only when its maximum was reached; both take any bytes. Decoding follows Unicode's
 * "maximal subpart" practice, so every decoder of the house counts the same U+FFFD. Any thread. */
#ifndef VY_UTF8_H
#define VY_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/str.h"

#define VY_UTF8_BAD 0xFFFDu

/* ---- one character ---- */

/* Code point at byte `at` (< s.n) and its length 1..4. Bad bytes give VY_UTF8_BAD and the length
 * of what is bad; vy_utf8_get_strict() gives 0 for them instead. */
size_t vy_utf8_get(struct vy_str s, size_t at, uint32_t *cp);
size_t vy_utf8_get_strict(struct vy_str s, size_t at, uint32_t *cp);
size_t vy_utf8_prev(struct vy_str s, size_t at, uint32_t *cp); /* length before `at` (> 0) */
size_t vy_utf8_put(uint32_t cp, char out[4]);                  /* length; surrogates are bad */

/* ---- whole texts ---- */

bool vy_utf8_is_valid(struct vy_str s);
size_t vy_utf8_valid(struct vy_str s, size_t at); /* end of the valid text that begins at `at` */
bool vy_utf8_clean(struct vy_str in, struct vy_buf *out);

enum vy_utf8_keep {
	VY_UTF8_KEEP_LF = 1,  /* "\n" stays; without it it shows as "␊" */
	VY_UTF8_KEEP_TAB = 2, /* "\t" stays; without it it shows as "␉" */
	VY_UTF8_CRLF = 4,     /* "\r\n" counts as "\n"; any other "\r" still shows as "␍" */
};
#define VY_UTF8_PROSE (VY_UTF8_KEEP_LF | VY_UTF8_KEEP_TAB | VY_UTF8_CRLF)
#define VY_UTF8_LINE  0 /* a title, a name, a path: one row, nothing kept */

/* Marks stand for: C0, DEL, C1, bidi controls, line and paragraph separators, zero-width and
 * filler characters, tags, annotation marks, the cell of a picture, misplaced variation selectors and joiners. What a
 * script or an emoji needs stays: joiners between pictographs or inside Arabic and Indic words,
 * one variation selector behind a character, the tags of a flag. */
bool vy_utf8_visible(struct vy_str in, unsigned keep, struct vy_buf *out);
bool vy_utf8_is_visible(struct vy_str in, unsigned keep); /* _visible would change nothing */

/* ---- cutting and counting ---- */

/* Trailing bytes (0..3) that begin a character and do not end it: keep them for the next read. */
size_t vy_utf8_unfinished(struct vy_str s);
size_t vy_utf8_cut(struct vy_str s, size_t max);   /* most bytes <= max that split no character */
size_t vy_utf16_len(struct vy_str s);              /* UTF-16 code units, as `parts` on the wire */
size_t vy_utf16_at(struct vy_str s, size_t units); /* byte behind so many units; never inside one */

#endif

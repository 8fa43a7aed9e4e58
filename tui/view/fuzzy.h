/* fuzzy.h -- do a few typed letters mean this text, how well, and by which of its letters?
 *
 * A query is words; each must be found, in any order. A word is found when its letters stand in
 * the text in their order, with others between them; letters that follow each other, or begin a
 * word, a part of a path or a hump, count for more, so "st" means "src/state.c" before "last". Of
 * all ways to find it the best one is told. Case counts only for a word that has a capital.
 *
 * A text over FUZZY_TEXT characters, or a word over FUZZY_WORD, is searched for the word as it
 * stands: in prose letters far apart mean nothing. Files, sessions, commands and what was said
 * before are all found by this. Pure. */
#ifndef VIEW_FUZZY_H
#define VIEW_FUZZY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/str.h"

#define FUZZY_WORD  32
#define FUZZY_TEXT  512
#define FUZZY_MARKS 128
#define FUZZY_FAR   65536 /* a longer text is searched this far, in bytes */

struct fuzzy_match {
	int score; /* larger is better; only for comparing matches of one query */
	size_t n;
	uint32_t at[FUZZY_MARKS]; /* byte offsets of the letters found, ascending */
};

/* An empty query means everything, with score 0. `m` is undefined when it is no match. */
bool fuzzy_match(struct vy_str query, struct vy_str text, struct fuzzy_match *m);

/* Is the letter that begins at byte `at` and ends before `end` one of those found? */
bool fuzzy_is_mark(const struct fuzzy_match *m, size_t at, size_t end);

#endif

/* place.h -- the files that a row or some words name, and their lines: what `o` may open.
 *
 * In the order of what is likeliest meant: what a tool worked on, then what its line and its words
 * name. Which of them is there is asked by whoever opens them: "and/or" looks like a path too. Known
 * ways to say a line: "a.c:12", "a.c:12:3", "a.c(12)", "a.c#L12", "a.c, line 12". Pure. */
#ifndef VIEW_PLACE_H
#define VIEW_PLACE_H

#include <stddef.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/str.h"
#include "shared/model/row.h"

#define PLACES_MOST 32

struct place {
	struct vy_str path; /* in the arena */
	int64_t line;       /* 0: none said */
};

struct places_named {
	struct place v[PLACES_MOST]; /* each but once */
	size_t n;
};

void place_in_row(const struct vy_row *row, struct vy_arena *a, struct places_named *out);
void place_in_words(struct vy_str words, struct vy_arena *a, struct places_named *out); /* adds */

#endif

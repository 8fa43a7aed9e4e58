/* complete.h -- what the word under the cursor could become: a command, a file.
 *
 * Finds the word and puts the choice in its place. "/wo" at the text's start is a command; "@src/f"
 * behind a blank, or "@\"with blanks" in quotes, is a file; once a line range has begun ("@a.c:1")
 * the file is settled, and nothing is completed. Pure. */
#ifndef VIEW_COMPLETE_H
#define VIEW_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/view/edit.h"

enum complete_kind { COMPLETE_NOTHING, COMPLETE_COMMAND, COMPLETE_FILE };

struct complete_word {
	enum complete_kind kind;
	size_t from, to;     /* what a choice takes the place of, its sign included */
	struct vy_str query; /* of it, up to the cursor, without sign and quote; borrowed */
};

struct complete_word complete_at(const struct edit *e);

/* One edit: "/name " or "@path " (quoted where it must be) stands there, the cursor behind it. With
 * `goes_on` (a folder) no blank follows, and the word goes on. */
void complete_put(
	struct edit *e, const struct complete_word *w, struct vy_str choice, bool goes_on);

#endif

/* words.h -- a shell's command line as simple commands: their words, and what they redirect.
 *
 * Enough of the POSIX grammar to see what would run and what would be written: quotes, escapes,
 * `;` `&` `|` `&&` `||`, groups and subshells, $(…) and backquotes (their commands are in the list
 * too), here-documents, redirections. Nothing is expanded but quotes: "$HOME" stays "$HOME". What
 * it cannot read it reads as words; nothing a command line holds makes it fail. Pure. */
#ifndef GUARD_WORDS_H
#define GUARD_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/arena.h"
#include "shared/base/str.h"

struct guard_command {
	struct vy_str *words; /* assignments in front are words, too */
	size_t n;
	struct vy_str *writes; /* targets of >, >>, >|, <>, &> */
	size_t n_writes;
	struct vy_str here; /* body of its here-document; empty: none */
};

struct guard_commands {
	struct guard_command *v; /* in the order they stand */
	size_t n;
};

void guard_words(struct vy_str line, struct vy_arena *a, struct guard_commands *out);

#endif

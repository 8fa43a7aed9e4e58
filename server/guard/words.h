/* words.h -- a shell's command line as simple commands: their words, and what they redirect.
 *
 * The POSIX grammar and bash's: all quotings, escapes, continued lines, comments, `;` `&` `|` `|&`
 * `&&` `||`, groups, subshells, functions, if/for/while/case, arrays, `[[ ]]`, arithmetic, here-
 * documents and -strings, every redirection, $(…), backquotes, <(…) and >(…). The commands of a
 * substitution are in the list too, before the one they stand in. Nothing is expanded but quotes:
 * "$HOME" stays "$HOME" and "$(a b)" stays as it is written (expand.h does that). One pass, linear
 * in the line's length. What it cannot read it reads as words; where it has to stop (too deep, too
 * many) it says so, and whoever judges has to look at the line itself. Pure. */
#ifndef GUARD_WORDS_H
#define GUARD_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/arena.h"
#include "shared/base/str.h"

struct guard_command {
	struct vy_str *words; /* assignments in front are words, too; keywords are none */
	size_t n;
	struct vy_str *writes; /* targets of >, >>, >|, <>, &>, >& */
	size_t n_writes;
	struct vy_str *reads; /* targets of < */
	size_t n_reads;
	struct vy_str here; /* body of its here-document, word of its here-string; empty: none */
	size_t from, until; /* the commands whose output comes in by a pipe; equal: none */
	size_t shell;       /* which of shells[] runs it */
};

/* A function and the commands it is made of. */
struct guard_function {
	struct vy_str name;
	size_t from, until;
};

struct guard_commands {
	struct guard_command *v; /* in the order they stand */
	size_t n;
	struct guard_function *functions;
	size_t n_functions;
	size_t *shells; /* the parent of each subshell or substitution; 0 is the line's own */
	size_t n_shells;
	bool is_cut; /* not all of the line was read */
};

void guard_words(struct vy_str line, struct vy_arena *a, struct guard_commands *out);

#endif

/* expand.h -- what a word of a command line may come to: braces, variables, substitutions.
 *
 * A word has one or more alternatives: a variable that was set twice has two values, a loop's has
 * all it runs over. What nobody can know from the line is GUARD_ANYTHING (places.h). Certain are
 * variables set in the line, HOME, PWD and the like, and what echo, printf, pwd, dirname … print.
 * Bounded: of what would be too many alternatives the rest is GUARD_ANYTHING. Pure. */
#ifndef GUARD_EXPAND_H
#define GUARD_EXPAND_H

#include "server/guard/rules.h"

/* Words that grow in an arena. */
struct guard_strs {
	struct vy_str *v;
	size_t n, cap;
};

void guard_strs_add(struct guard_strs *l, struct vy_str s, struct vy_arena *a);

struct guard_variable;

/* What is known where a command stands. */
struct guard_scope {
	const struct guard_context *c;
	struct vy_arena *a;
	struct vy_str folder;   /* where the shell is; "cd" moves it */
	struct guard_strs args; /* what $1 … and $@ may be */
	struct guard_variable *variables;
	size_t n_variables;
	size_t spent; /* alternatives made so far: there is a most */
	int depth;    /* of substitutions in substitutions */
};

/* The values join those the variable may have. `name` without "$". */
void guard_scope_set(struct guard_scope *s, struct vy_str name, const struct guard_strs *values);

/* The alternatives of a word, at least one, appended. */
void guard_expand(struct guard_scope *s, struct vy_str word, struct guard_strs *out);

/* And, as a shell does without quotes, the words that a value falls into, behind the values. */
void guard_expand_split(struct guard_scope *s, struct vy_str word, struct guard_strs *out);

/* values.c. `how` is what stands behind the name in "${x%.c}"; false: it is not known what it makes. */
bool guard_values_change(struct vy_arena *mem, struct vy_str how, struct guard_strs *values);

/* NAME=…, NAME+=…: how long what stands before the value is; 0: it is no assignment. */
size_t guard_assignment(struct vy_str word);

#endif

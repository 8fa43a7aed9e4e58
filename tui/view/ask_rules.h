/* ask_rules.h -- what an "always" would store: the exact rule, of a compound command part by part,
 * and where it would hold.
 *
 * A part that no rule covers says so: it would be asked about again. A rule that covers none of the
 * parts is shown as well: all that would be stored is there to read. A value; slices live in the
 * arena it was read into. Pure. */
#ifndef VIEW_ASK_RULES_H
#define VIEW_ASK_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/arena.h"
#include "shared/model/ask.h"
#include "tui/block/draw.h"

#define ASK_RULES_MAX    64 /* lines of one table */
#define ASK_RULES_SCOPES 3

struct ask_rule {
	struct vy_str part; /* of the command; empty: the rule is of none of them */
	struct vy_str rule; /* empty: none covers it */
};

struct ask_rules {
	struct ask_rule v[ASK_RULES_MAX];
	size_t n; /* 0: there is one rule at most, and the choice itself says it */
	struct vy_str scopes[ASK_RULES_SCOPES]; /* where it may hold; none: not to be chosen */
	size_t n_scopes, scope;                 /* the one chosen */
	struct vy_str own;                      /* where it holds when nobody chooses */
};

void ask_rules_read(const struct vy_ask_option *o, struct vy_arena *mem, struct ask_rules *out);
void ask_rules_next_scope(struct ask_rules *r);
/* The scope to answer with; empty: the ask's own, which cannot be chosen. */
struct vy_str ask_rules_scope(const struct ask_rules *r);
/* "in this project", in the person's language. */
struct vy_str ask_rules_where(const struct ask_rules *r);

/* The table below its title, appended; nothing when there is none. */
void ask_rules_draw(const struct ask_rules *r, struct block_sheet *out);

#endif

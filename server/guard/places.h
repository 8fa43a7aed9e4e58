/* places.h -- paths that the floor rules know: which rule a path falls under, if any.
 *
 * A path is judged by its spelling: "~", $HOME and the agent's $CLAUDE_CONFIG_DIR are put in,
 * relative ones are joined to a folder, "." and ".." are taken out. Links are not followed (that
 * would need the disk); a name with wildcards is judged by what it could match. Pure. */
#ifndef GUARD_PLACES_H
#define GUARD_PLACES_H

#include "server/guard/rules.h"

/* FILL: a folder gets files of names that are not seen here; REPLACE: it and all that is in it is
 * moved or gone. */
enum guard_use { GUARD_READ, GUARD_WRITE, GUARD_FILL, GUARD_REPLACE };

/* Absolute and tidy, in the arena. `from` is the folder a relative path starts in. */
struct vy_str guard_path(
	struct vy_str path, struct vy_str from, const struct guard_context *c, struct vy_arena *a);

/* The rule's name, NULL when the path is nobody's business. `path` as guard_path() gives it. */
const char *guard_place(struct vy_str path, enum guard_use use, const struct guard_context *c);

/* Does a text (a program's source, a URL) hold the spelling of a protected place? */
const char *guard_place_in_text(struct vy_str text, const struct guard_context *c);

#endif

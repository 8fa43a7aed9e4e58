/* places.h -- paths that the floor rules know: which rule a path falls under, if any.
 *
 * A path is judged by its spelling: "~" and "~user" are put in, relative ones are joined to a
 * folder, "." and ".." are taken out. Links are not followed (that would need the disk); a name
 * with wildcards is judged by what it could match. GUARD_ANYTHING in a path stands for text nobody
 * knows; what only might be a protected place because of it is asked about, not denied. Pure. */
#ifndef GUARD_PLACES_H
#define GUARD_PLACES_H

#include <stdbool.h>
#include <string.h>

#include "server/guard/rules.h"

#define GUARD_ANYTHING "\002"

/* COPY: with all that is in it; MARK: its owner or mode, not its content; FILL: a folder gets files
 * of names that are not seen here; REPLACE: it and all that is in it is moved or gone. */
enum guard_use { GUARD_READ, GUARD_COPY, GUARD_MARK, GUARD_WRITE, GUARD_FILL, GUARD_REPLACE };

/* Is ch, which may be NUL, one of the characters of `set`? */
static inline bool guard_is_any(const char *set, char ch)
{
	return ch != 0 && strchr(set, ch) != NULL;
}

struct guard_found {
	enum guard_verdict verdict; /* GUARD_NOTHING: the path is nobody's business */
	const char *rule;
};

/* Absolute and tidy, in the arena. `from` is the folder a relative path starts in. */
struct vy_str guard_path(
	struct vy_str path, struct vy_str from, const struct guard_context *c, struct vy_arena *a);

/* `path` as guard_path() gives it. */
struct guard_found guard_place(
	struct vy_str path, enum guard_use use, const struct guard_context *c);

/* Both absolute and tidy: is `path` the folder, or in it? */
bool guard_is_in(struct vy_str path, struct vy_str folder);

/* Does a text (a program's source) hold the spelling of a place that an agent may not write? */
const char *guard_place_in_text(struct vy_str text, const struct guard_context *c);

/* Could the wildcards in `pattern` stand for `name`? Linear in both together, times the stars. */
bool guard_glob(struct vy_str pattern, struct vy_str name);

#endif

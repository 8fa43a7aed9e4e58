/* match.h -- facts about a JSON value, as a script writes them. Pure.
 *
 * A fact is PATH OPERATOR VALUE in one word: `.data.state=asking`, `text~hello`, `count>=3`. The path
 * begins with a dot and steps by names and numbers (`.options.0.id`); without the dot it looks
 * into `.data`. Operators: = != ~ (holds) !~ >= <= and, with no value, `?` (is there) and `!` (is
 * not). A list or object compares as canonical JSON, its length as `#`: `.items#=2`. */
#ifndef TESTS_PLAY_MATCH_H
#define TESTS_PLAY_MATCH_H

#include <stdbool.h>

#include "shared/base/buf.h"
#include "shared/base/json.h"

/* Borrowed; NULL when there is nothing. `path` is without its first dot; "" is the value itself. */
const struct vy_json *match_path(const struct vy_json *v, struct vy_str path);

/* A string as it is, anything else as canonical JSON, nothing as "". */
void match_text(const struct vy_json *v, struct vy_buf *out);

/* Does the fact hold? `why` gets what is there instead. */
bool match_fact(const struct vy_json *v, const char *fact, struct vy_buf *why);

#endif

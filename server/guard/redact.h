/* redact.h -- takes what looks like a key or a token out of a text that will be kept or shown.
 *
 * For a child's last words, the output of `!` commands and lines typed in a terminal: places
 * where a secret comes by accident. Shapes are rows of the table in redact.c; a hit becomes
 * "[redacted: anthropic key]". It knows shapes, not secrets: a password of plain words passes. */
#ifndef GUARD_REDACT_H
#define GUARD_REDACT_H

#include <stdbool.h>

#include "shared/base/buf.h"
#include "shared/base/str.h"

/* Appends `in` to `out` without its secrets; false only when the buffer's maximum was reached.
 * Any bytes; what is no secret is copied as it is. */
bool guard_redact(struct vy_str in, struct vy_buf *out);

/* A person sees nothing of it: true when guard_redact() would change something. */
bool guard_has_secret(struct vy_str in);

/* "ANTHROPIC_API_KEY", "GITHUB_TOKEN": a variable that should be a secret, not configuration. */
bool guard_is_secret_name(struct vy_str name);

#endif

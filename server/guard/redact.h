/* redact.h -- takes what looks like a key or a token out of a text that will be kept or shown.
 *
 * For what tools and `!` commands print, a child's last words and lines typed in a terminal: places
 * where a secret comes by accident. Shapes are rows of the table in redact_shapes.c; a hit becomes
 * "[redacted: anthropic key]". It knows shapes, not secrets: a password of plain words passes, and so
 * does a key that colours or line ends cut in two. From what an ask shows only keys are taken that
 * are one word: who says yes must see everything that a shell would act on.
 *
 * Redacting twice is redacting once. Any bytes; what is no secret is copied as it is. Pure. */
#ifndef GUARD_REDACT_H
#define GUARD_REDACT_H

#include <stdbool.h>

#include "shared/base/buf.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

/* Appends `in` to `out` without its secrets; false only when the buffer's maximum was reached. */
bool guard_redact(struct vy_str in, struct vy_buf *out);

/* The same for a text that was cut: what at its end may be the begin of a secret goes too. */
bool guard_redact_cut(struct vy_str in, struct vy_buf *out);

/* Lines that come one by one: the state is whether a private key's block is open. A line of it
 * appends nothing and says false. */
bool guard_redact_line(bool *in_key, struct vy_str line, bool is_cut, struct vy_buf *out);

/* Every string below `v`, in place; an array of strings is lines. One that grew is cut to what it
 * was, or to 2 KiB, whichever is more. */
void guard_redact_json(struct vy_json *v);

/* The same for what an ask shows: only letters, digits, "_", "-" and "." behind a known prefix. */
void guard_redact_ask(struct vy_json *v);

/* A person sees nothing of it: true when guard_redact() would change something. */
bool guard_has_secret(struct vy_str in);

/* "ANTHROPIC_API_KEY", "github-token", "clientSecret": what is called so is a secret. */
bool guard_is_secret_name(struct vy_str name);

#endif

/* quotes.h -- what stands between $' and ': bash's escapes put in. Pure. */
#ifndef GUARD_QUOTES_H
#define GUARD_QUOTES_H

#include "shared/base/buf.h"
#include "shared/base/str.h"

/* `text` begins behind $'; what it says is appended. How long it is, the closing ' included. */
size_t guard_quotes_ansi(struct vy_str text, struct vy_buf *out);

#endif

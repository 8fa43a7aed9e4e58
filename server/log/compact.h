/* compact.h -- a settlement as the store keeps it for long: a third of its JSON's text, no more.
 *
 * As JSON a word costs twice its own length in [offset, dt]. Compact, its texts, the lengths of its
 * pieces and the times between them are columns of their own, each zipped: a length is kept as how far it
 * is from the next border between words, so a reply that came word by word has hardly any.
 *
 * Nothing is lost: compact_make() reads back what it wrote and refuses when it is not the same JSON,
 * byte for byte; so the hash of the event (journal.h) goes on being that of the JSON. Any thread. */
#ifndef COMPACT_H
#define COMPACT_H

#include <stdbool.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/str.h"
#include "shared/model/settle.h"

/* Is it one? (JSON begins otherwise.) How hard it was zipped: 0 when it is none. */
int compact_level(struct vy_str data);

/* Appended. False: this data has no compact form and stays as it is. */
VY_MUST_USE bool compact_make(struct vy_str json, int level, struct vy_buf *out);
/* The JSON again, appended. */
VY_MUST_USE int compact_json(struct vy_str data, struct vy_buf *out, struct vy_err *e);
/* The settlement without the way through JSON; of JSON as well. Slices live in `mem`. */
VY_MUST_USE int compact_read(
	struct vy_str data, struct vy_arena *mem, struct vy_settlement *out, struct vy_err *e);

#endif

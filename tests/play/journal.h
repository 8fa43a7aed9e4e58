/* journal.h -- one who follows a session's journal (wire.md, section 8): its events in order, and what its
 * assistants say on the way, piece by piece.
 *
 * Judged at each item: an event names the one before; an attempt's chunks are counted without a hole, also
 * through a baseline; its one end stands behind its settlement and names it; and what was settled, taken
 * apart by its stream, is what was seen: block, kind, words and time of each piece. Pure. */
#ifndef TESTS_PLAY_JOURNAL_H
#define TESTS_PLAY_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/json.h"
#include "shared/base/str.h"

struct journal {
	int64_t last;            /* the seq of the last event */
	struct vy_json *live;    /* attempt → [[block, kind, text, time], …] */
	struct vy_json *settled; /* attempt → {type, seq, pieces} */
	struct vy_json *ended;   /* attempt → true */
	struct vy_json
		*owed; /* attempt → {seen, names}: its end was here, its settlement not yet */
	bool is_shown; /* it is what a client shows: that may be so */
	unsigned ends, chunks, cut, abandoned;
	char why[300]; /* the first thing that was wrong */
};

void journal_init(struct journal *j, int64_t from);
void journal_fini(struct journal *j);
bool journal_step(struct journal *j, const struct vy_json *item);

/* Bytes of the first `units` UTF-16 code units. */
size_t journal_units(struct vy_str s, int64_t units);

#endif

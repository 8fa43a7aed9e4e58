/* place.h -- where a reader of a generation stream is, as the id of the item it had last. Pure.
 *
 *	evt_EPOCH.CUR.TEXT.REASONING     behind that frame, so many deltas of each channel
 *	evt_EPOCH.CUR.TEXT.REASONING.s   the same, by a snapshot */
#ifndef PLACE_H
#define PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/str.h"

struct place {
	struct vy_str epoch; /* borrowed */
	int64_t cur, n[2];
};

/* At most `size` bytes with their NUL. */
void place_write(const struct place *p, bool is_snapshot, char *out, size_t size);
bool place_read(struct vy_str id, struct place *out);
/* Could it be an event's name at all? */
bool place_is_event(struct vy_str id);
/* Of two ids of one stream, is `a` further on? Its end is behind every place; what cannot be told is. */
bool place_is_ahead(struct vy_str a, struct vy_str b);

#endif

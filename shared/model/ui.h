/* ui.h -- the client's half of the UI projection: three events in, the list of rows out (wire 9).
 *
 *	ui.reset {rows, cur, epoch, before?}    the whole list, in order
 *	ui.upsert {key, rev, row, after?}       a row as it is now; where it stands
 *	ui.remove {key}
 *
 * A known row stays where it is unless `after` says otherwise: behind the row of that key, at the
 * front for "". A new one without it stands at the end. A row that comes again as old as it is
 * known, or older, is not changed; a key to remove that is not known is passed over: what came and
 * went again between two looks (a rewind and its redo) is told by its end alone. What cannot be applied (an event before the first reset, a
 * neighbour that is not there) is an error and changes nothing: subscribe again.
 *
 * Rows are JSON as vy_row_decode reads it, and the list's. Pure. */
#ifndef VY_MODEL_UI_H
#define VY_MODEL_UI_H

#include <stddef.h>
#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/json.h"

struct vy_ui;

struct vy_ui *vy_ui_new(void);
void vy_ui_free(struct vy_ui *u); /* NULL is fine */

/* `type` is the event's word, `data` its members. Members and events nobody knows are passed over. */
VY_MUST_USE int vy_ui_apply(
	struct vy_ui *u, struct vy_str type, const struct vy_json *data, struct vy_err *e);

size_t vy_ui_len(const struct vy_ui *u);
const struct vy_json *vy_ui_row(const struct vy_ui *u, size_t i); /* NULL past the end */
/* Of the reset: the frame it stood at, and what it began behind (0: nothing is older). */
int64_t vy_ui_cur(const struct vy_ui *u);
int64_t vy_ui_before(const struct vy_ui *u);

#endif

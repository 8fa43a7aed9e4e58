/* mdhold.h -- a paragraph that is still being typed: how much of it can be shown, and what closes it.
 *
 * What may yet become a mark (the last "*", a "[", half an entity) is kept back; what is surely open
 * (bold, a code span, a link's target) gets its end ahead of time, so it looks from its first
 * letter as it will look. An opener that stays alone for long is taken for text. Pure. */
#ifndef VY_MDHOLD_H
#define VY_MDHOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/buf.h"
#include "shared/base/str.h"

/* Bytes of `para` (its source lines) to show; appends to `closers` what must stand behind them. */
size_t vy_mdhold(struct vy_str para, struct vy_buf *closers);

/* May what comes behind `para`, which ends in a blank, be read by itself: is nothing open in it that
 * a later byte could close or change? (When in doubt it is not.) */
bool vy_mdhold_is_closed(struct vy_str para);

#endif

/* vt_clean.h -- for vt.c: sequences in the form that libvterm 0.1.4 reads rightly. Pure.
 *
 * It takes 38:2::r:g:b for a colour whose red is -1, the 5 of 58;5;n (an underline's colour) for
 * blinking, a colon in another sequence for a count of two thousand million, and drops parameters
 * from the 17th on; it knows neither dim (2) nor conceal (8). */
#ifndef VY_VT_CLEAN_H
#define VY_VT_CLEAN_H

#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/vt/vt_scan.h"

/* SGR for libvterm: borrowed from the token if it is good as it is, else built in `room` (which the
 * caller gives, empty). May be empty. Keeps DIM and CONCEAL in *own. */
struct vy_str vt_clean_sgr(const struct vt_token *t, uint8_t *own, struct vy_buf *room);
/* The same for any other sequence: its numbers bounded; empty if it cannot be said. */
struct vy_str vt_clean_csi(const struct vt_token *t, struct vy_buf *room);

#endif

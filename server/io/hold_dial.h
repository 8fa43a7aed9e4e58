/* hold_dial.h -- the way to a holder's socket, and who answers there. */
#ifndef HOLD_DIAL_H
#define HOLD_DIAL_H

#include <sys/types.h>

#include "shared/base/err.h"

/* A connected, non-blocking fd (the caller's) and the holder's pid. -1: VY_GONE when nobody listens,
 * VY_DENIED when it is another user's. */
VY_MUST_USE int hold_dial(const char *dir, const char *hid, pid_t *holder, struct vy_err *e);

#endif

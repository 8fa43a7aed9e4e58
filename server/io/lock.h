/* lock.h -- one vyred per state folder.
 *
 * `<state-dir>/lock` under flock, close-on-exec, with the holder's pid written in. The lock lives
 * as long as the descriptor, so a killed vyred leaves none behind. Nothing else in the folder
 * (database, sockets) may be touched before it is held. */
#ifndef LOCK_H
#define LOCK_H

#include <sys/types.h>

#include "shared/base/err.h"

/* Makes the folder and its parents where missing (0700) and refuses one of another user.
 * The descriptor, or -1: VY_CONFLICT "another vyred (pid 123) holds /…", with `*holder` its pid
 * (0 when unknown; `holder` may be NULL). */
VY_MUST_USE int lock_take(const char *state_dir, pid_t *holder, struct vy_err *e);
/* The first half alone: the folder and its parents, ours and private. */
VY_MUST_USE int lock_make_dir(const char *state_dir, struct vy_err *e);
void lock_drop(int fd); /* -1 is fine */

#endif

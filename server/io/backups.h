/* backups.h -- which copies of the database there are, so that the newest can be named when it is wanted.
 *
 * They are written down in <state-dir>/backups, a line each: the database cannot be asked once it is
 * damaged. A copy that was moved or removed since is not named; those made before an upgrade
 * (vyre.db.v1.bak) are found by themselves. Blocks on the disk. */
#ifndef BACKUPS_H
#define BACKUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"

#define BACKUPS_KEPT 32 /* newest lines that are kept */

/* A copy is whole and stands at `path` (absolute) from now on. False: it could not be noted. */
bool backups_note(const char *state_dir, const char *path, int64_t wall_ms);

/* The newest that is still there; false: none. `wall_ms` (may be NULL): when it was made. */
bool backups_newest(const char *state_dir, struct vy_buf *path, int64_t *wall_ms);

/* How to say it, behind a sentence: "The newest backup is of 2026-11-30 10:00: vyred stop, then vyred
 * restore /…", or that there is none. */
void backups_say(const char *state_dir, struct vy_buf *out);

#endif

/* backup.h -- one copy of the store at a time, made while sessions work.
 *
 * A piece is copied a loop turn, so nobody waits for it; what is committed meanwhile is in it. The
 * file is on the disk, and noted (server/io/backups.h), before it counts as done. Loop thread. */
#ifndef BACKUP_H
#define BACKUP_H

#include <stdint.h>

#include "shared/base/err.h"

struct backup;
struct log_store;
struct vy_clock;
struct vy_loop;
struct work;

enum backup_state { BACKUP_NONE, BACKUP_RUNNING, BACKUP_DONE, BACKUP_FAILED };

struct backup_view {
	enum backup_state state; /* of the last one asked for */
	const char *path;
	int64_t copied, total; /* bytes */
	const char *why;       /* of a failed one */
};

/* All borrowed. */
struct backup *backup_new(struct log_store *store, struct vy_loop *loop, struct work *work,
	const struct vy_clock *clock, const char *state_dir);
void backup_free(struct backup *b); /* half a copy goes; NULL is fine */

/* `path` is absolute and not there yet. VY_CONFLICT: one is running. */
VY_MUST_USE int backup_start(struct backup *b, const char *path, struct vy_err *e);
void backup_look(const struct backup *b, struct backup_view *out);

#endif

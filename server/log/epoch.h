/* epoch.h -- which history of the log this is, and how the last vyred ended (wire 4).
 *
 * The epoch is made once and kept in the store. It changes when the last commits may have been lost
 * and cursors would be issued twice: the machine went down without vyred's clean end, or somebody
 * restored or repaired the database (who then calls epoch_renew). A killed vyred on a running
 * machine lost nothing: same epoch. */
#ifndef EPOCH_H
#define EPOCH_H

#include <stdbool.h>
#include <stdint.h>

#include "server/log/store.h"

struct epoch {
	char epoch[STORE_EPOCH_LEN + 1];
	int64_t starts;   /* of vyred on this store, this one too */
	bool was_clean;   /* the last one ended by itself, or there was none */
	bool was_renewed; /* the history is a new one since this start */
};

/* Reads it, or makes it, counts this start and marks the log as in use, all on the disk when it
 * returns. boot_id NULL: the kernel's. */
VY_MUST_USE int epoch_open(
	struct log_store *s, const char *boot_id, struct epoch *out, struct vy_err *e);
/* For a store that may only be read: what stands there, else a name of its own. Never fails. */
void epoch_read(struct log_store *s, struct epoch *out);
VY_MUST_USE int epoch_close(struct log_store *s, struct vy_err *e); /* marks a clean end */
VY_MUST_USE int epoch_renew(struct log_store *s, struct vy_err *e); /* for restore and repair */

#endif

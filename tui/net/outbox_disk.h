/* outbox_disk.h -- the outbox as files: one a message, written and synced before it counts.
 *
 * Each client that runs has a folder of its own in the outbox's, with a lock in it that dies with
 * the client. What a dead client left is taken over by the next one: its files move into that
 * one's folder. A file that cannot be read as a message is left where it is. Private to tui/net. */
#ifndef OUTBOX_DISK_H
#define OUTBOX_DISK_H

#include <stddef.h>
#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/hash.h"
#include "shared/base/json.h"

struct outbox_disk;

/* One message as it is kept. Owns its strings. */
struct outbox_note {
	char id[VY_UUID_LEN + 1], session[VY_UUID_LEN + 1];
	char *box, *mode, *text;
	size_t text_len;
	struct vy_json *extra; /* NULL: none */
	int64_t made_ms;
};

void outbox_note_fini(struct outbox_note *n);

/* `dir` NULL: $XDG_STATE_HOME/vyre/outbox. Makes what is missing. */
struct outbox_disk *outbox_disk_open(const char *dir, struct vy_err *e);
void outbox_disk_close(struct outbox_disk *d); /* NULL is fine */

VY_MUST_USE int outbox_disk_add(
	struct outbox_disk *d, const struct outbox_note *n, struct vy_err *e);
void outbox_disk_del(struct outbox_disk *d, const struct outbox_note *n);

/* Takes over what dead clients left for this box; hands each over. */
void outbox_disk_adopt(struct outbox_disk *d, const char *box,
	void (*each)(void *ctx, struct outbox_note *own_note), void *ctx);

#endif

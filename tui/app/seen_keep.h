/* seen_keep.h -- what was shown of each session (seen.h), on disk: the next client knows it, too.
 *
 * One small file of this user. Written when ours changed, put together with what other clients wrote
 * meanwhile; what cannot be written is forgotten, nothing needs it. Blocks on the disk. */
#ifndef APP_SEEN_KEEP_H
#define APP_SEEN_KEEP_H

#include "tui/app/seen.h"

struct seen_keep {
	const char *state_dir; /* borrowed */
	uint64_t rev;          /* as on disk */
};

void seen_keep_read(struct seen_keep *k, struct seen *s);
/* At the end of a loop turn: costs nothing when nothing changed. */
void seen_keep_turn(struct seen_keep *k, struct seen *s);

#endif

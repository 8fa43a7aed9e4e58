/* seal.h -- what not everybody may see of a logged frame, drawn for who looks.
 *
 * An agent is never told of a private message: in its place it gets `hidden` with the same cursor,
 * so its stream has no gap. Persons get every frame as it is; what a room's roles hide comes here. */
#ifndef HUB_SEAL_H
#define HUB_SEAL_H

#include "server/log/ring.h"

/* A reference of the caller's: f itself, or what an agent gets in its place. */
struct frame_ref *seal_for_agent(struct frame_ref *f);

#endif

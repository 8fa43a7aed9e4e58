/* claude_picture.h -- a picture that a tool of claude brought, as a `screen` block (wire 11).
 *
 * Its bytes are in the block as the agent had them, `b64`; who keeps it puts a ref in their place. */
#ifndef PROVIDER_CLAUDE_PICTURE_H
#define PROVIDER_CLAUDE_PICTURE_H

#include "shared/base/arena.h"
#include "shared/base/json.h"

/* `dimensions` as Read tells them, or NULL; `alt`: what is seen, or where it is. Owned by the caller. */
struct vy_json *claude_picture(
	struct vy_str mime, struct vy_str b64, const struct vy_json *dimensions, struct vy_str alt);

/* The first picture among the parts of a result's content, with the words beside it; NULL when
 * there is none. */
struct vy_json *claude_picture_of(const struct vy_json *parts, struct vy_arena *a);

#endif

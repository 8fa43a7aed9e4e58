/* seen.h -- how many of the assistant's messages this client has shown, of each session.
 *
 * The server counts what was said (`messages` of a record and of text-done); what this leaves over is
 * new to the person. Numbers only rise, so what two clients of one person kept can be put together
 * in any order. Of a session that is not in it nothing was shown. Init/fini. Pure. */
#ifndef APP_SEEN_H
#define APP_SEEN_H

#include <stddef.h>
#include <stdint.h>

#include "shared/base/json.h"

#define SEEN_MAX 4096 /* sessions; who was not looked at for longest is forgotten */

struct seen_one;

struct seen {
	struct seen_one *all; /* by session; the newest last */
	size_t n;
	uint64_t rev; /* rises with every change of ours */
};

void seen_init(struct seen *s);
void seen_fini(struct seen *s);

void seen_set(struct seen *s, const char *session, int64_t messages);
int64_t seen_get(const struct seen *s, const char *session); /* 0: nothing of it */

struct vy_json *seen_pack(const struct seen *s);               /* {session: messages}; owned */
void seen_merge(struct seen *s, const struct vy_json *packed); /* no change of ours */

#endif

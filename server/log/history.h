/* history.h -- a session's messages by page, as people's programs read them (threads.history).
 *
 * From the committed records alone, an assistant's words from its settlements: no frame is read, so it
 * reaches back behind what the log still holds. What was taken back or rewound is not in it. */
#ifndef HISTORY_H
#define HISTORY_H

#include <stdbool.h>

#include "server/log/log.h"
#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/str.h"

struct vy_message;

#define HISTORY_LIMIT      50
#define HISTORY_PAGE_BYTES (4 * 1024 * 1024) /* a page ends early then, never before its first */

struct history_ask {
	struct vy_str session;
	struct vy_str before; /* those said before that message; empty: the newest */
	size_t limit;
	bool hides_private; /* of what is private only that there is something: enc is true */
};

/* Appends a JSON array of messages (vy_message_write), the oldest first. *more: there are older ones.
 * VY_NOT_FOUND: `before` is no message of this session. */
VY_MUST_USE int history_read(struct log *l, const struct history_ask *ask, struct vy_buf *out,
	bool *more, struct vy_err *e);

/* The record of one message, as committed; its slices live in `mem`. VY_NOT_FOUND: the session has no such
 * message. One that was deleted is found, and says so. */
struct vy_arena;
VY_MUST_USE int history_message(struct log *l, const char *session, struct vy_str message,
	struct vy_arena *mem, struct vy_message *out, struct vy_err *e);

/* Its settlements in order, each lent for the call; one that was erased is left out. */
struct vy_settlement;
typedef void history_settled_fn(void *ctx, const struct vy_settlement *s);
VY_MUST_USE int history_settled(struct log *l, const struct vy_message *m, history_settled_fn *fn,
	void *ctx, struct vy_err *e);
/* How a message's blocks stand behind each other in its one text. */
#define HISTORY_BETWEEN "\n\n"

/* The words of one message so far, as vy_message_write() wants them: `blocks` is a JSON array. A
 * person's message has none beside its record. *size: of its settlements; over `most` bytes nothing is
 * read, and both are empty. */
VY_MUST_USE int history_words(struct log *l, const struct vy_message *m, size_t most,
	struct vy_buf *text, struct vy_buf *blocks, size_t *size, struct vy_err *e);

#endif

/* derive.h -- what each frame brings with it: its journal event, settlements, message records.
 *
 * The one choke point: log_append() gives a frame its cursor and hands it here, and what the three pure
 * machines (shared/model: lift, settle, message) say of it is staged into the frame's own
 * transaction. So there is no frame without its event, and no room above can forget one.
 *
 * Per session a row (kv, space ROW_DERIVED) says up to which frame that was done, which frame the
 * open attempts rest on, and lift's state. The first append after a start reads the frames from
 * there: up to the mark they only rebuild what is open; behind it (a log that is older than its
 * journal, a vyred that knew of none) everything is derived now. Of log.c alone. Loop thread. */
#ifndef DERIVE_H
#define DERIVE_H

#include "server/log/log.h"
#include "server/log/stage.h"
#include "server/log/streams.h"
#include "shared/base/err.h"

struct derive;
struct derived; /* of one session */
struct vy_frame;

struct derive *derive_new(struct log_store *store, struct streams *streams, struct stage *stage);
/* Of the frames given to derive_frame(), not of those that are read again (log.h). */
void derive_on_news(struct derive *d, log_news_fn *fn, void *ctx);
void derive_quiet(struct derive *d, bool is_quiet); /* log_quiet() */
void derive_free(struct derive *d);

/* Told at each event that is staged; NULL: nobody. */
void derive_on_event(struct derive *d, void (*fn)(void *ctx, struct vy_str deleted), void *ctx);
void derive_deleted(struct derive *d, struct vy_str session); /* its end is staged */

/* Ready for the next frame of this session. On failure nothing was begun. */
VY_MUST_USE int derive_open(struct derive *d, struct stream *st, struct vy_err *e);
/* The frame has its cursor and is staged. After derive_open. */
void derive_frame(struct derive *d, struct stream *st, const struct vy_frame *f);

int64_t derive_events(const struct derive *d); /* the number of the newest that was staged */

/* Its open attempts as of the last frame, each as if it were settled now; lent. After derive_open. */
void derive_attempts(const struct stream *st, log_attempt_fn *fn, void *ctx);

void derived_free(struct derived *own); /* NULL is fine */

#endif

/* mark.h -- how far a session's frames are derived (derive.h), and what the open attempts rest on.
 *
 * Derive stores it in one row a session, with the frames it is of; whoever wants the machines of the
 * log once more for itself (the follow view) reads it and goes the same way back:
 *
 *	mark_read(log, session, &m);
 *	each frame behind mark_after(&m, floor): up to m.upto vy_settle_again(), behind it vy_settle_step()
 *
 * A value. Pure, but for mark_read(). */
#ifndef MARK_H
#define MARK_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/str.h"
#include "shared/model/lift.h"
#include "shared/model/settle.h"

struct log;

struct mark {
	int64_t upto;  /* the last frame that was acted on */
	int64_t since; /* the oldest that is needed; 0: none */
	struct vy_lift lift;
	struct vy_json *doc;
};

/* As derive writes it; from an empty text: of a session without a frame. */
void mark_parse(struct mark *m, struct vy_str doc);
void mark_write(int64_t upto, const struct vy_settle *settle, const struct vy_lift *lift,
	struct vy_buf *out);
void mark_fini(struct mark *m);

/* What is needed begins behind that frame. */
int64_t mark_after(const struct mark *m, int64_t floor);
/* Is it the first frame of an attempt that was open? Then the step it began in. */
bool mark_opens(const struct mark *m, int64_t cur, int64_t *at_step);

/* As it was committed last. */
VY_MUST_USE int mark_read(struct log *l, const char *session, struct mark *out, struct vy_err *e);

#endif

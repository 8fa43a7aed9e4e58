/* lifecycle.h -- a message's change as the event that the control plane and its generation stream tell
 * of it, the same in both: one name, one set of data (wire 9, 15). */
#ifndef LIFECYCLE_H
#define LIFECYCLE_H

#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/model/message.h"
#include "shared/model/registry.h"

struct log;

enum vy_control_type lifecycle_type(enum vy_message_change change);

/* Also after a start: a message at a revision has one name for good. */
void lifecycle_id(const char *session, struct vy_str message, int64_t revision, struct vy_buf *out);

/* Its data: the whole message; one too long for these planes is cut, and history has the rest. */
VY_MUST_USE int lifecycle_data(struct log *log, const char *session, struct vy_message *m,
	enum vy_message_change change, struct vy_buf *out, struct vy_err *e);

#endif

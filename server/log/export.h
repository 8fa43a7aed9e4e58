/* export.h -- a whole session as a document, from the journal and the message records alone.
 *
 * In the order of the journal: what people said when it was taken, what the assistant said, each call
 * with how it ended. Private messages, what was taken back and what was rewound are not in it. */
#ifndef EXPORT_H
#define EXPORT_H

#include "server/log/log.h"
#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/model/export.h"

/* Appends it. VY_FULL: it does not fit into `out`. */
VY_MUST_USE int export_write(struct log *l, const struct vy_export_head *head,
	enum vy_export_format f, struct vy_buf *out, struct vy_err *e);

#endif

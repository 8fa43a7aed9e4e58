/* control_event.h -- an event of the control plane as it is kept, and as it is sent.
 *
 * It is kept as a row in the transaction of what it tells (store.h, ROW_CONTROL): as it is sent, or, of a
 * message, as the record that the message had then, whose words are read from its settlements when
 * somebody asks. Those never change, so the bytes are the same at any time, after any number of
 * starts. The newest CONTROL_EVENTS are kept; seq goes on where the rows end. A new history (epoch) keeps none
 * of the old and counts from a number that no earlier one came to: the wall clock's ms, which
 * events, at less than one a ms, never overtake. Loop thread. */
#ifndef CONTROL_EVENT_H
#define CONTROL_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "server/log/store.h"
#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/model/registry.h"

#define CONTROL_EVENTS (16 * 1024)
#define CONTROL_DOC    (32 * 1024 * 1024) /* of one */

struct log;
struct vy_clock;

struct control_event {
	enum vy_control_type type;
	int64_t seq;
	const char *session;
	struct vy_str doc;
};

/* The doc of an event that is sent as it is made. */
void control_event_write(
	const struct vy_control *ev, const char *session, int64_t seq, struct vy_buf *doc);
/* Appends what is sent. Of a message (lifecycle.h), whose doc is its record (vy_message_encode): reads
 * the store. */
VY_MUST_USE int control_event_draw(
	struct log *log, const struct control_event *ev, struct vy_buf *out, struct vy_err *e);

/* Where the rows begin and end: floor is head + 1 when there are none. Stages what a new history needs. */
void control_event_open(
	struct log *log, const struct vy_clock *clock, int64_t *floor, int64_t *head);
/* Stages its row, and the end of those that are too old: floor moves on. `own`: whose its session was,
 * when it is gone; empty: its record says so. */
void control_event_keep(
	struct log *log, const struct control_event *ev, struct vy_str own, int64_t *floor);

#endif

/* sse.h -- server-sent events out of the bytes of a stream, however they are cut (WHATWG HTML, 9.2.6).
 *
 * One mark of UTF-8 at the very start is dropped; a line ends with CR LF, LF or CR; several `data` lines are
 * one with line feeds between; an `id` with a NUL in it is none, and one that came stays the reader's
 * place until the next; `retry` counts when it is digits alone; whatever else is said is ignored. An event
 * without data is none, and what the stream's end cuts off is lost.
 *
 * A line or an event over the maximum given at birth is an error, and the decoder is dead from then on: the
 * connection is of no more use. Bytes are handed on as they are: who reads data judges it. Pure; any thread. */
#ifndef VY_FRAME_SSE_H
#define VY_FRAME_SSE_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/str.h"

#define VY_SSE_ID_MAX   1024
#define VY_SSE_NAME_MAX 256

struct vy_sse_event {
	struct vy_str name; /* "message" when it has none */
	struct vy_str data;
	struct vy_str id; /* the place behind it: its own, or the last that came; empty: none did */
};

struct vy_sse_out {
	void (*event)(void *ctx, const struct vy_sse_event *ev); /* lent for the call */
	void (*retry)(void *ctx, int64_t ms);                    /* NULL: not asked */
	void *ctx;
};

struct vy_sse {
	struct vy_buf line, data, name, id; /* line: one that is not whole yet */
	size_t max;
	unsigned mark; /* bytes of the mark seen; past it once the first line began */
	bool after_cr; /* a LF here belongs to the line end before */
	bool has_begun, is_dead;
};

void vy_sse_init(struct vy_sse *s, size_t max); /* of one event, in bytes */
void vy_sse_fini(struct vy_sse *s);
void vy_sse_reset(struct vy_sse *s); /* another connection: all is forgotten, its place too */

/* -1: VY_FULL, too long. `out` must not free the decoder; it may reset it, which ends the call. */
VY_MUST_USE int vy_sse_feed(
	struct vy_sse *s, struct vy_str bytes, const struct vy_sse_out *out, struct vy_err *e);

#endif

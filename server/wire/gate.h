/* gate.h -- who may come in by TCP, and where we may listen. Pure.
 *
 * A plain-text listener stands on a loopback address only. A web page in some browser of this
 * machine can still send requests there, so the Host must name this listener by a loopback name
 * (a rebound DNS name does not) and an Origin, which browsers send, must be that same host. */
#ifndef GATE_H
#define GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/str.h"

struct gate_addr {
	char host[64]; /* a numeric address */
	uint16_t port; /* 0: any */
	bool is_v6;
};

/* "127.0.0.1:7780", "[::1]:7780", "localhost:7780". VY_BAD_INPUT with what to do instead. */
VY_MUST_USE int gate_parse(struct vy_str addr_port, struct gate_addr *out, struct vy_err *e);

/* Both as they came; an absent header is the empty slice. VY_DENIED with a sentence. */
VY_MUST_USE int gate_check(struct vy_str host, struct vy_str origin, struct vy_err *e);

#endif

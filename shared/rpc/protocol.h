/* protocol.h -- which versions of the wire this release speaks, and what is said when the other side speaks
 * none of them. Pure.
 *
 * A client says its own in a header of each call, and looks at server.info's {min, max}; a server that
 * is not told takes the client for one that fits. So either side can be the newer one. */
#ifndef VY_RPC_PROTOCOL_H
#define VY_RPC_PROTOCOL_H

#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/str.h"

#define VY_PROTOCOL        1 /* what our client speaks */
#define VY_PROTOCOL_MIN    1 /* what our server takes */
#define VY_PROTOCOL_MAX    1
#define VY_PROTOCOL_HEADER "vyre-protocol:" /* as lws wants names */

/* At the server: the header's value, empty when none came. VY_UNSUPPORTED says which to upgrade. */
VY_MUST_USE int vy_protocol_of_client(struct vy_str said, struct vy_err *e);
/* At the client: what server.info says. */
VY_MUST_USE int vy_protocol_of_server(int64_t min, int64_t max, struct vy_err *e);

#endif

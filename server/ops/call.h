/* call.h -- one question to the vyred that runs on this machine. Blocks, some seconds at most. */
#ifndef OPS_CALL_H
#define OPS_CALL_H

#include "shared/base/err.h"
#include "shared/base/json.h"

/* The result, the caller's; `params` is JSON text of an object. NULL: VY_GONE when nobody listens at
 * `socket`, else what the server or the system said. */
VY_MUST_USE struct vy_json *ops_call(
	const char *socket, const char *method, const char *params, struct vy_err *e);

/* The same with less patience: so long for each word of the answer. */
VY_MUST_USE struct vy_json *ops_call_within(const char *socket, const char *method,
	const char *params, int patience_ms, struct vy_err *e);

#endif

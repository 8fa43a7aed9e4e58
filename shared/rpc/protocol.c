/* protocol.c -- see protocol.h. */
#include "shared/rpc/protocol.h"

#include "shared/base/buf.h"
#include "shared/base/ban.h"

int vy_protocol_of_client(struct vy_str said, struct vy_err *e)
{
	long long n = VY_PROTOCOL_MAX;

	if (said.n && !vy_parse_i64(said, &n)) {
		return vy_fail(e, VY_BAD_INPUT, "Vyre-Protocol: expected a number");
	}
	if (n > VY_PROTOCOL_MAX) {
		return vy_fail(e, VY_UNSUPPORTED,
			"this client speaks protocol %lld and the server only up to %d: upgrade "
			"vyred",
			n, VY_PROTOCOL_MAX);
	}
	if (n < VY_PROTOCOL_MIN) {
		return vy_fail(e, VY_UNSUPPORTED,
			"this client speaks protocol %lld and the server only from %d on: upgrade "
			"vyre-tui",
			n, VY_PROTOCOL_MIN);
	}
	return 0;
}

int vy_protocol_of_server(int64_t min, int64_t max, struct vy_err *e)
{
	if (VY_PROTOCOL > max) {
		return vy_fail(e, VY_UNSUPPORTED,
			"the server speaks protocol %lld at most and this client %d: upgrade vyred",
			(long long)max, VY_PROTOCOL);
	}
	if (VY_PROTOCOL < min) {
		return vy_fail(e, VY_UNSUPPORTED,
			"the server speaks protocol %lld at least and this client %d: upgrade "
			"vyre-tui",
			(long long)min, VY_PROTOCOL);
	}
	return 0;
}

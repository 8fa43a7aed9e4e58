/* m_adopt.c -- sessions that other programs left in their own folders: listed, and made ours. */
#include "server/rpc/handler.h"
#include "shared/base/ban.h"

static struct vy_json *not_yet(struct rpc_call *c, struct vy_err *e)
{
	(void)c;
	vy_fail(e, VY_UNSUPPORTED, "this vyred cannot take over other programs' sessions yet");
	return NULL;
}

const struct rpc_handler m_adopt[] = {
	{ "threads.adoptable", not_yet },
	{ "threads.adopt", not_yet },
	{ 0 },
};

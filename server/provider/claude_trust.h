/* claude_trust.h -- "always" for a tool of an MCP server: kept by where the server comes from.
 *
 * A rule in claude's settings names a tool (mcp__SERVER__TOOL), and whoever configures another server
 * under that name would have its consent. So none is stored there for such a tool: what a person allows for
 * good counts for its source as the agent reports it (sdk, project, user, a plugin …) and its name together,
 * stands in the driver's state, and ends with the process. An agent that reports no source gets none. Pure. */
#ifndef PROVIDER_CLAUDE_TRUST_H
#define PROVIDER_CLAUDE_TRUST_H

#include <stdbool.h>

#include "server/provider/claude_state.h"

bool claude_trust_is_served(struct vy_str tool); /* it is a server's */

/* It may run unasked: a person said so of this very source. Not when the house wants it asked, which
 * is said before by claude_trust_ask() and holds once. */
bool claude_trust_covers(
	struct claude *c, struct vy_str source, struct vy_str tool, struct vy_str tool_id);
void claude_trust_ask(struct claude *c, struct vy_str tool_id);
void claude_trust_add(struct claude *c, struct vy_str source, struct vy_str tool);

#endif

/* scenario.h -- the driver of an agent, line by line, without the agent.
 *
 * A scenario is a file of tests/server/provider/KIND/: X.jsonl is what happens, X.want what the
 * driver tells of it. One JSON object a line:
 *   {"launch": {"trusted", "mode", "model", "system", "resume": true or the agent's id, "fork", "mark"}}
 *   {"cmd": "say", "message", "text", "when", "json" …}
 *   {"out": {…}}    a line of the agent        {"raw": "…"}   a line that may be no JSON
 *   {"err": "…"}    a line of its stderr       {"long": BYTES, "head": "…"}   one that was too long
 *   {"exit": STATUS, "signal": N}              {"about": "…"} stands in X.want as a heading
 * Each is played whole and cut at every step. VYRE_GOLDEN_UPDATE=1 writes X.want anew: read the
 * difference before you commit it. */
#ifndef TESTS_PROVIDER_SCENARIO_H
#define TESTS_PROVIDER_SCENARIO_H

#include "server/provider/provider.h"

void scenarios_play(const struct provider_ops *ops); /* all of its folder */

#endif

/* acp_play.h -- a recording of a real agent of the Agent Client Protocol, played to the driver.
 *
 * What the recorder sent becomes a command of the house, and an answer in the recording goes to the
 * newest request of ours of the same kind: the driver counts its own. */
#ifndef TESTS_PROVIDER_ACP_PLAY_H
#define TESTS_PROVIDER_ACP_PLAY_H

#include "tests/server/provider/replay.h"

/* The log of events and tells is left in `log`; fails the test where they make no sense. */
void acp_play(const char *name, struct vy_str file, bool is_cut, struct vy_buf *log);

#endif

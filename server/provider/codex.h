/* codex.h -- Codex (`codex app-server`) as an agent: how it is found and started. What is said is
 * codex_wire.h. */
#ifndef PROVIDER_CODEX_H
#define PROVIDER_CODEX_H

#include "server/provider/provider.h"

extern const struct provider_ops codex_ops;

#endif

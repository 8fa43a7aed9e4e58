/* acp.h -- any agent of the Agent Client Protocol, by three lines of vyred.conf:
 *
 *     [provider.opencode]
 *     kind=acp
 *     command=opencode
 *     args=acp
 *
 * How it is found and started is here; what is said is acp_wire.h; where agents differ is the table
 * of acp_facts.c. Of one that lacks modes, models, efforts or images it is said when they are wanted:
 * which agent it will be is not known before it runs. */
#ifndef PROVIDER_ACP_H
#define PROVIDER_ACP_H

#include "server/provider/provider.h"

extern const struct provider_ops acp_ops;

#endif

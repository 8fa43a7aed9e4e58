/* demo.h -- the built-in agent: a tour and a script language, with no network and no key.
 *
 * It is an agent like any other, started through a holder as `vyred agent-demo`, and speaks the
 * lines of claude, so the driver of claude drives it. */
#ifndef PROVIDER_DEMO_H
#define PROVIDER_DEMO_H

#include "server/provider/provider.h"

extern const struct provider_ops demo_ops;

/* The main of `vyred agent-demo`: argv[0] is "agent-demo". Returns the exit status. */
int demo_main(int argc, char **argv);

#endif

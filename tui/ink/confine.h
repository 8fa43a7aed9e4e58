/* confine.h -- a process gives up all it could do: for vyre-picture alone.
 *
 * Afterwards it has one descriptor, its standard output; it cannot open, connect, start or signal
 * anything, and dies of too much memory or time. False: it may not go on. */
#ifndef INK_CONFINE_H
#define INK_CONFINE_H

#include <stdbool.h>

#define CONFINE_CPU_S   5
#define CONFINE_DATA_MB 400

bool confine(void);

#endif

/* confine.h -- a child that was forked gives up all it could do: for develop.c alone.
 *
 * Afterwards it has one descriptor, CONFINE_OUT; signals do what they do by default (the parent's
 * handlers would write to its terminal); it cannot open, connect, start or signal anything, and
 * dies of too much memory or time. False: it may not go on. */
#ifndef INK_CONFINE_H
#define INK_CONFINE_H

#include <stdbool.h>

#define CONFINE_OUT     0
#define CONFINE_CPU_S   5
#define CONFINE_DATA_MB 400 /* what it has of the parent counts too */

bool confine(int out);

#endif

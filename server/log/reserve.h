/* reserve.h -- a file that is only there to be given up: room for asks, answers and interrupts when
 * the disk is full (wire 13). */
#ifndef RESERVE_H
#define RESERVE_H

#include <stdbool.h>

#define RESERVE_BYTES (16 * 1024 * 1024)

/* Makes it, when the disk has room for it and as much again; false when not. */
bool reserve_make(const char *path);
bool reserve_give(const char *path); /* gives it up; false when it was gone already */

#endif

/* crash.h -- named places at which a program dies as by kill -9, in a build that was made for it.
 *
 *	VY_CRASH(COMMIT_DONE);
 *
 * `configure --enable-crash-points` compiles them in; in any other build they are nothing. A program
 * that has them reads the file `crash` of its state folder once, when it starts: lines "NAME N". At
 * the Nth time that it comes to the place in the first line it takes that line away and dies. So a
 * line is one death, of whichever program comes there first, and the next line is for the next one
 * that is started: a crash while the last crash is being mended. crash.def has the places;
 * tests/chaos walks through them (doc/design/chaos.md). Any thread. */
#ifndef VY_CRASH_H
#define VY_CRASH_H

#include "config.h"

enum vy_crash_point {
#define X(NAME, name, where) VY_CRASH_##NAME,
#include "shared/base/crash.def"
#undef X
	VY_CRASH_POINTS_ALL
};

const char *vy_crash_name(enum vy_crash_point p);

#ifdef VY_CRASH_POINTS
void vy_crash_arm(const char *state_dir);
void vy_crash_here(enum vy_crash_point p);
#define VY_CRASH(NAME) vy_crash_here(VY_CRASH_##NAME)
#else
#define vy_crash_arm(state_dir) ((void)(state_dir))
#define VY_CRASH(NAME)          ((void)0)
#endif

#endif

/* origin.h -- a vyred that an agent of its own sessions started does not serve them.
 *
 * It would end with that agent's tree, its holders would not let it in (they take nobody branded,
 * holder/brand.h), and who is a person could not be told below it. The brand that agents of this
 * state folder get is written down in <state-dir>/brand; a vyred that could only give a lower one bears
 * it itself. Call while the lock is held. Blocks on the disk. */
#ifndef ORIGIN_H
#define ORIGIN_H

#include "shared/base/err.h"

VY_MUST_USE int origin_check(const char *state_dir, struct vy_err *e);

#endif

/* folder.h -- a folder that is this user's alone. */
#ifndef NET_FOLDER_H
#define NET_FOLDER_H

#include "shared/base/err.h"

/* Makes it (0700) and those above it; one that is there is made private. Fails when it belongs to
 * somebody else. Blocks on the disk. */
VY_MUST_USE int folder_make(const char *dir, struct vy_err *e);

#endif

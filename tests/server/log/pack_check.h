/* pack_check.h -- frames of a session go into a store, are packed and sealed, and must be the same ones. */
#ifndef TESTS_LOG_PACK_CHECK_H
#define TESTS_LOG_PACK_CHECK_H

#include "shared/base/str.h"

/* `lines`: encoded frames in order, without cursors, one a line. */
void pack_check(const char *name, struct vy_str lines);

#endif

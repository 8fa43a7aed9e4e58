/* twin.h -- are two emulators the same in all that decides what they show and will do?
 *
 * Looks inside (vt_inside.h). Rows are compared as far as they can be seen, and to their stored end
 * where the next one goes on from them. */
#ifndef TESTS_VT_TWIN_H
#define TESTS_VT_TWIN_H

#include <stdbool.h>

#include "shared/base/buf.h"
#include "shared/vt/vt.h"

/* The first difference as words into `why`; true when there is none. */
bool twin_same(const struct vy_vt *a, const struct vy_vt *b, struct vy_buf *why);
/* A fresh emulator of a's size that was given a's prologue. */
struct vy_vt *twin_of(const struct vy_vt *a);

#endif

/* album.h -- for tests: brings what an album wants, from the files of tests/corpus/picture. */
#ifndef TESTS_TUI_ALBUM_H
#define TESTS_TUI_ALBUM_H

#include <stdbool.h>

#include "shared/base/json.h"
#include "tui/ink/album.h"

/* All that is wanted now; `files` is {ref: name}, a ref that is not there is missed. False: nothing
 * was wanted. */
bool album_bring(struct album *a, const struct vy_json *files);

#endif

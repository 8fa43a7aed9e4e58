/* editor.h -- the text in $EDITOR, while the screen is given back. Blocks until it ends. */
#ifndef APP_EDITOR_H
#define APP_EDITOR_H

#include <stddef.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"

/* Replaces `text` by what was saved. -1 when it could not run or ended with a failure: `text` is
 * as it was. */
VY_MUST_USE int editor_run(struct vy_buf *text, struct vy_err *e);

/* A file, at a line if `line` is not 0 and the editor is known to take one. */
VY_MUST_USE int editor_file(const char *path, size_t line, struct vy_err *e);

#endif

/* child.h -- for tests: one picture through vyre-picture, waited for. */
#ifndef TESTS_TUI_CHILD_H
#define TESTS_TUI_CHILD_H

#include "shared/base/buf.h"
#include "tui/ink/develop.h"

/* Appends the answer; the program's status as of waitpid, -1 if it could not be started. */
int child_answer(struct vy_str bytes, const struct develop_want *want, struct vy_buf *answer);

#endif

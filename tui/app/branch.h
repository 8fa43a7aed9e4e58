/* branch.h -- the git branch of a folder, read from its files: no git runs. */
#ifndef APP_BRANCH_H
#define APP_BRANCH_H

#include <stdbool.h>
#include <stddef.h>

/* False: the folder is no working tree, or is on no branch. A linked worktree is followed. */
bool branch_read(const char *cwd, char *out, size_t room);

#endif

/* ops.h -- what the command line of vyred does beside serving. Each prints for a person and
 * returns the program's exit code: 0 done, 1 failed, 2 wrong use, 5 no server. */
#ifndef OPS_H
#define OPS_H

#include <stdbool.h>

/* vyred stop [--all]: asks the running vyred to end and waits until it has. */
int ops_stop(const char *state_dir, bool all);

/* vyred secret set NAME | list | remove NAME. `set` reads one line: from the terminal without
 * showing it, or from a pipe. */
int ops_secret(const char *state_dir, const char *const *words, int n);

#endif

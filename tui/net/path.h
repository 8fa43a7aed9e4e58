/* path.h -- tells when a socket's path appears.
 *
 * Watches the folder (inotify); where the folder is not there yet, the nearest one above it that
 * is. Nothing polls. The callback comes from the loop, each time something of that name appears or
 * a folder on the way to it. Private to tui/net. */
#ifndef NET_PATH_H
#define NET_PATH_H

#include "shared/io/loop.h"

struct path;

/* NULL when the system has no watches left: then there is nothing but trying again. */
struct path *path_watch(struct vy_loop *l, const char *path, vy_call_fn *appeared, void *ctx);
void path_free(struct path *p); /* NULL is fine; also from the callback */

#endif

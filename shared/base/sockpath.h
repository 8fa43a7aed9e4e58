/* sockpath.h -- where a Unix socket really stands: the same answer on both of its sides.
 *
 * A path of at most VY_SOCK_PATH_MAX bytes stands for itself. A longer one, which the kernel would
 * refuse, stands for a name in a 0700 folder of ours, /tmp/vyre-UID. The folder is made and its
 * owner checked here: one that somebody else put there is refused. */
#ifndef VY_SOCKPATH_H
#define VY_SOCKPATH_H

#include <sys/un.h>

#include "shared/base/err.h"
#include "shared/base/limits.h"

/* Writes the path to use into `out`. -1: the folder in /tmp cannot be trusted or made. */
VY_MUST_USE int vy_sock_path(const char *want, char out[VY_SOCK_PATH_MAX + 1], struct vy_err *e);

/* The same as an address to bind or connect. */
VY_MUST_USE int vy_sock_addr(const char *want, struct sockaddr_un *out, struct vy_err *e);

/* A socket that was bound there is found by who lists its folder: where it stands elsewhere, a link at
 * `want` points to it. */
VY_MUST_USE int vy_sock_sign(const char *want, struct vy_err *e);

/* Takes the socket and its link away, if they are there. */
void vy_sock_remove(const char *want);

#endif

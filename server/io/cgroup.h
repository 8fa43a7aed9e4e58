/* cgroup.h -- a cgroup for each holder and what it holds, where vyred has a branch of its own.
 *
 * Where systemd started vyred with Delegate=yes the branch of its unit is vyred's to divide: each holder
 * goes into <unit>/h-HID before it starts anything, and with it all that ever descends from its child. So
 * a process is known as that agent's whatever it wiped or left (auth/caller.h), and all of them end with
 * one word when the holder is lost. Elsewhere there is none and nothing is missed but that.
 *
 * A process of the same user who sets out to can leave a cgroup that is a user's; it cannot take off its
 * brand. One vyred a process: what cgroup_open() found is kept. Loop thread only. */
#ifndef CGROUP_H
#define CGROUP_H

#include <stdbool.h>
#include <stddef.h>

#define CGROUP_NAME "h-" /* of a holder's, before its hid */

/* `unit` is vyred's own path in the tree, "/user.slice/…/vyred.service"; false: it cannot be divided. */
bool cgroup_open(const char *unit);

/* Makes the one of a holder that is about to start, and says where; false: there is none. */
bool cgroup_make(const char *hid, char *out, size_t room);

/* The holder is gone: whoever is left in it is killed when `kill` says so; it is removed once it is empty,
 * here or at a later call. */
void cgroup_end(const char *hid, bool kill);

/* Ends all whose holder is neither known nor there: of a vyred that died between. */
void cgroup_tidy(bool (*is_known)(void *ctx, const char *hid), void *ctx);

#endif

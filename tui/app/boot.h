/* boot.h -- before there is a screen: a server, and a session to show.
 *
 * Starts vyred when none runs, then finds the newest session of this folder, the one that was
 * named (id or title), or makes a new one with the first provider this machine has. Runs the
 * loop until it knows; blocks the caller. */
#ifndef APP_BOOT_H
#define APP_BOOT_H

#include "shared/base/err.h"
#include "shared/base/hash.h"
#include "tui/app/app.h"
#include "tui/net/contact.h"

struct boot {
	struct contact net; /* the loop, the way to the server */
	char session[VY_UUID_LEN + 1];
	char note
		[400]; /* something the person should know ("" if nothing): no agent is installed … */
};

/* 0, or -1 with a sentence; contact_exit() tells the program's exit code for it. */
VY_MUST_USE int boot_up(struct boot *b, const struct app_options *o, struct vy_err *e);
void boot_fini(struct boot *b);

#endif

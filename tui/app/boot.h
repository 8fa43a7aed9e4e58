/* boot.h -- before there is a screen: a server, and a session to show.
 *
 * Starts vyred when none runs, then finds the newest session of this folder, the one that was
 * named (id or title), or makes a new one with the first provider this machine has. Says what it
 * does on stderr only when it takes long. Runs the loop until it knows; blocks the caller. */
#ifndef APP_BOOT_H
#define APP_BOOT_H

#include "shared/base/err.h"
#include "shared/base/hash.h"
#include "shared/io/loop.h"
#include "tui/app/app.h"
#include "tui/net/dial.h"
#include "tui/net/rpc.h"
#include "tui/net/spawn.h"

struct boot {
	struct vy_loop *loop;
	struct spawn_place place;
	struct dial *dial;
	struct rpc *rpc;
	char session[VY_UUID_LEN + 1];
	char note
		[400]; /* something the person should know ("" if nothing): no agent is installed … */
	bool may_spawn; /* the server is local and ours to start */
};

/* 0, or -1 with a sentence and *code the program's exit code (1 failed, 3 not found, 5 no server). */
VY_MUST_USE int boot_up(struct boot *b, const struct app_options *o, int *code, struct vy_err *e);
void boot_fini(struct boot *b);

#endif

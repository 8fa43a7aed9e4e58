/* watcher.h -- one of very many who watch: what it was told is kept as a digest only.
 *
 * It is a viewer (tests/play/viewer.h) that judges every frame, and forgets it: what is left is the
 * last cursor, the number of pieces and a digest of all of them in their order, which is the same for
 * all who saw the same, merged or not. */
#ifndef TESTS_SOAK_WATCHER_H
#define TESTS_SOAK_WATCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "tests/play/viewer.h"
#include "tests/soak/crowd.h"

struct watcher {
	struct viewer *v;
	struct seat *seat; /* what all know of it */
	int64_t due_ms;    /* comes back then */
	int64_t wait_ms;
};

struct watcher *watcher_new(struct seat *seat);
void watcher_free(struct watcher *w);

/* Asks for a ticket where one is needed, and comes. False: not this time. */
bool watcher_open(struct watcher *w, const char *sock, const char *by, int ms);
/* Takes in what is there; false: the connection is over. */
bool watcher_read(struct watcher *w);

/* One call to vyred, its result; NULL: none, said on stderr. */
struct vy_json *watcher_call(const char *sock, const char *method, const char *params);

#endif

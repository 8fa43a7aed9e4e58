/* observe.h -- what agents and vyred say to each other, line by line as it is on the wire: for people
 * who look into what a provider does (wire 9, "Observation").
 *
 * Whoever speaks with an agent writes its lines to a tap. They are kept in memory alone, the newest
 * TAPE_MAX bytes of a session and OBSERVE_MAX of all, those that were written to longest ago going
 * first; a vyred that ends takes them along. A person's own commands (`!`) have no tap.
 *
 * Secrets are taken out when a line is read, not when it is kept. Lines are JSON, and what is secret
 * in them is found in the strings of the parsed value (a name and its value stand escaped in the
 * line); that costs as much again as the driver's own reading of the line, for something that
 * nobody may ever look at. Until then the bytes are where they were anyway, in the memory of a
 * process that leaves no core and cannot be traced; they are in no log, no file, no database, and
 * are wiped when they go. Who reads gets only what observe_next() made of them.
 *
 * A key that comes in pieces (words of an agent, one delta a line) is in no line, and so not found.
 * Loop thread. */
#ifndef OBSERVE_H
#define OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "server/hub/tape.h"
#include "shared/base/buf.h"
#include "shared/base/json.h"
#include "shared/base/jw.h"

#define OBSERVE_MAX ((size_t)32 * 1024 * 1024)

struct observe;
struct observe_sub;
struct observe_tap;
struct vy_clock;
struct vy_loop;

struct observe_conf {
	struct vy_loop *loop;
	const struct vy_clock *clock;
	int64_t starts; /* of vyred: a line's cursor is ahead of all of an earlier one */
	/* What a line is, in a word, and what it says, in a few; `v` is NULL when it is no JSON. */
	void (*tidy)(const struct vy_json *v, struct vy_str line, struct vy_buf *kind,
		struct vy_buf *summary);
};

struct observe *observe_new(const struct observe_conf *conf);
void observe_free(struct observe *o); /* all taps and subscriptions are gone; NULL is fine */
void observe_forget(struct observe *o, const char *session); /* it is deleted */

/* ---- who speaks with an agent ---- */

/* One attachment to one agent, with an epoch of its own. `o` NULL (a person's command, tests) gives
 * NULL, and writing to that does nothing. */
struct observe_tap *observe_attach(struct observe *o, const char *session);
void observe_detach(struct observe_tap *t);
void observe_line(struct observe_tap *t, enum tape_way way, struct vy_str line);

/* ---- who looks ---- */

struct observe_open {
	const char *session;
	int64_t after; /* the cursor seen last; what is older than all that is held is the begin of it */
	bool is_tidy;
	void (*ready)(void *ctx); /* later in this turn, and whenever it had run dry */
	void *ctx;
};
struct observe_sub *observe_subscribe(struct observe *o, const struct observe_open *open);
void observe_unsubscribe(struct observe_sub *s); /* NULL is fine */

/* Appends the next item, {cur, epoch, time, dir, line, …} or {cur, epoch, time, dir, kind, summary};
 * false: `ready` comes when there is one. */
bool observe_next(struct observe_sub *s, struct vy_buf *out);
int64_t observe_cursor(const struct observe_sub *s); /* of the item given last, or where it began */
/* The attachment there is, or was last: "17.3"; empty: none yet. */
void observe_epoch(const struct observe_sub *s, struct vy_buf *out);

#endif

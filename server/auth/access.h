/* access.h -- who may still look: asked before every item that leaves (wire 4, 9).
 *
 * Whatever shows something over time (a stream, a subscription, server-sent events) holds a pass: who
 * looks, and at which session. access_ok() stands before each item; it costs one comparison while
 * nothing has changed, and once it was false it is false for good. What may change an answer says so
 * with one call, and whoever holds a pass need not know of it:
 *
 *	access_changed(a, session)   the session is deleted, is another's, or its agents are nobody's
 *	access_changed(a, NULL)      anything
 *	access_end(pass)             its holder is not who it was: placed differently, its socket closed
 *
 * A pass is judged when it is next asked for, and in any case later in this turn; `over` says that
 * it has ended, so that who waits for nothing is told too. Loop thread. */
#ifndef ACCESS_H
#define ACCESS_H

#include <stdbool.h>

#include "server/auth/caller.h"

struct access;
struct access_pass;
struct vy_loop;

/* May this caller see this session, and does its own still exist? "": what belongs to no one session. Changes
 * nothing. */
typedef bool access_may_fn(void *ctx, const struct caller *who, const char *session);

struct access *access_new(struct vy_loop *loop, access_may_fn *may, void *ctx);
void access_free(struct access *a); /* all passes are gone; NULL is fine */

/* `session` NULL: it looks at no one session. Both are copied. `over` comes at most once, never from
 * inside a call of the holder's. `a` NULL (tools, tests): it never ends by itself. */
struct access_pass *access_pass_new(struct access *a, const struct caller *who, const char *session,
	void (*over)(void *ctx), void *ctx);
void access_pass_free(struct access_pass *p); /* NULL is fine */

bool access_ok(struct access_pass *p);
void access_end(struct access_pass *p); /* whatever `may` says */
void access_changed(struct access *a, const char *session);

#endif

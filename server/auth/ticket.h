/* ticket.h -- one-use permits for a stream (wire.md 4).
 *
 * A ticket is 32 random bytes in base64url, lives 15 s, and lets its bearer open one stream as
 * the caller it was made for. It is spent by being shown, also when it does not fit: another
 * caller, another kind of stream, too late. The table keeps only digests and compares all of them
 * in constant time; it holds a bounded number and refuses more, never forgetting a live one.
 * Loop thread only. */
#ifndef TICKET_H
#define TICKET_H

#include "server/auth/caller.h"
#include "shared/base/clock.h"
#include "shared/base/err.h"
#include "shared/base/str.h"

#define TICKET_LEN   43   /* characters, without the NUL */
#define TICKET_TABLE 1024 /* alive at one time */

struct ticket_table;

/* What a ticket opens. A value. */
struct ticket_grant {
	struct caller caller;
	char session[VY_UUID_LEN + 1];
	char term[VY_UUID_LEN + 1]; /* the terminal of it whose stream that is; "": its frames */
	bool had_keys;              /* … whose keyboard the caller held */
	char viewer[CALLER_ID_MAX + 1]; /* the viewer's id in stream.open's answer */
	char epoch[16];                 /* the epoch the caller holds; "" if it did not say */
};

struct ticket_table *ticket_table_new(const struct vy_clock *clock);
void ticket_table_free(struct ticket_table *t);

/* VY_BUSY when the table is full. */
VY_MUST_USE int ticket_issue(struct ticket_table *t, const struct ticket_grant *grant,
	char out[TICKET_LEN + 1], struct vy_err *e);

/* Spends the ticket. `who` is NULL for a TCP request without a bearer, which is the ticket's
 * caller. -1 with VY_DENIED when it does not fit, whatever the reason. */
VY_MUST_USE int ticket_redeem(struct ticket_table *t, struct vy_str ticket,
	const struct caller *who, struct ticket_grant *out, struct vy_err *e);

#endif

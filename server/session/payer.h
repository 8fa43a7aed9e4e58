/* payer.h -- which credential pays for a provider now, what is known of the limit of each, and who
 * waits for one to be free again.
 *
 * A provider has one credential and perhaps a second (server/provider/auth.h). What agents said of a
 * limit is kept by provider and credential, for all sessions: while the first is used up, every start
 * is paid by the second, and behind the time the limit resets the next start is paid by the first
 * again. Time comes in (wall ms). A value: it is encoded with what it changes. Pure. */
#ifndef PAYER_H
#define PAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "server/provider/provider.h"
#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

#define PAYER_GUESS_MS (5LL * 60 * 1000)        /* a limit that did not say until when */
#define PAYER_MOST_MS  (8LL * 24 * 3600 * 1000) /* no limit is longer: a clock is wrong */

struct payer;

struct payer *payer_new(void);
void payer_free(struct payer *p);                    /* NULL is fine */
struct vy_json *payer_encode(const struct payer *p); /* owned */
struct payer *payer_decode(const struct vy_json *v, struct vy_err *e);

/* ---- what agents say ---- */

/* {status, kind, used, resets_at}, said by an agent whom `auth` pays. False: that was known. */
bool payer_heard(struct payer *p, const char *provider, const char *auth,
	const struct vy_json *limit, int64_t now);
/* A turn ended by it. Until when it is used up: as it was said, else for PAYER_GUESS_MS. */
int64_t payer_reached(struct payer *p, const char *provider, const char *auth, int64_t now);

/* ---- who pays ---- */

/* The credential for a start: a word of auth.h. `has_second`: the secret of the fallback is there. */
const char *payer_of(
	const struct payer *p, const struct provider_conf *pc, bool has_second, int64_t now);

/* What comes of a turn that ended by the limit of `auth`. */
struct payer_next {
	const char *auth; /* pays from now on; NULL: nobody can before `until` */
	int64_t until;    /* of the limit that was reached; with nobody: the first that resets */
	bool is_guess;    /* nobody said when that is */
};
struct payer_next payer_next(const struct payer *p, const struct provider_conf *pc,
	const char *auth, bool has_second, int64_t now);

/* What was said last of its limit; borrowed, NULL: nothing. */
struct vy_json *payer_limit(const struct payer *p, const char *provider, const char *auth);
int64_t payer_until(const struct payer *p, const char *provider, const char *auth,
	int64_t now); /* when it is free again; 0: it is */

/* ---- who waits ---- */

void payer_wait(struct payer *p, const char *session, int64_t until); /* once; the newer counts */
bool payer_wait_no_more(struct payer *p, const char *session);        /* false: it did not */
int64_t payer_due(const struct payer *p); /* of the first; 0: nobody waits */
/* One whose time has come, taken out of those who wait; owned by the caller, NULL: none. */
char *payer_take_due(struct payer *p, int64_t now);

#endif

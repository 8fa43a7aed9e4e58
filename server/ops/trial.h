/* trial.h -- a session of the agent that is tried, in a house of its own (house.h): told, listened to, stopped.
 *
 * There is one at a time; trial_tell() makes it when there is none. Each verb blocks until it is so, or has
 * taken too long. */
#ifndef OPS_TRIAL_H
#define OPS_TRIAL_H

#include <stdbool.h>

#include "server/ops/heard.h"
#include "server/ops/seen.h"
#include "shared/base/err.h"
#include "shared/base/json.h"

#define TRIAL_MS 120000 /* for a turn, a stop, a start: a model may think */

struct house;

struct trial {
	struct house *house;
	const char *provider;
	char *session;  /* NULL: none yet, or the last was left */
	struct heard t; /* the turn that was told last */
	char *odd_mode; /* that of any turn (heard.h); NULL */
};

void trial_fini(struct trial *r);
void trial_leave(struct trial *r); /* the next word is said in another session */

VY_MUST_USE int trial_begin(struct trial *r, struct vy_err *e);
VY_MUST_USE int trial_tell(struct trial *r, const char *text, struct vy_err *e);
/* Hears what comes within `ms`; false: nothing did. */
bool trial_step(struct trial *r, int ms);
/* Until the turn is over, or asks and `stops_at_ask`. */
VY_MUST_USE bool trial_listen(struct trial *r, bool stops_at_ask);
VY_MUST_USE int trial_allow(struct trial *r, struct vy_err *e); /* the ask that is open */
/* Allows whatever is asked, until the turn is over. */
VY_MUST_USE bool trial_let(struct trial *r);
VY_MUST_USE int trial_stop(struct trial *r, struct vy_err *e);

/* The result of a method that needs nothing but the session, and perhaps one word more; the caller's. */
VY_MUST_USE struct vy_json *trial_call(
	struct trial *r, const char *method, const char *key, const char *value, struct vy_err *e);
struct pids trial_pids(struct trial *r);
char *trial_agents_id(struct trial *r); /* what the agent calls the conversation; the caller's */

#endif

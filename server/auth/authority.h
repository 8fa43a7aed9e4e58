/* authority.h -- may this caller make this call on this session? One pure function (wire.md 2).
 *
 * A person reads and acts on every session of theirs. An agent reads its own session and what the
 * person it acts for may read, acts on its own and those it started, and is never a person. What
 * may not be read is answered exactly as what is not there. Who could not be placed may read what
 * anyone may, and neither acts nor speaks for anybody. */
#ifndef AUTHORITY_H
#define AUTHORITY_H

#include <stdbool.h>

#include "server/auth/caller.h"
#include "shared/rpc/method.h"

enum authority {
	AUTHORITY_ALLOWED,
	AUTHORITY_PERSON_ONLY, /* "Only a person can …" */
	AUTHORITY_DENIED,      /* known, readable, but not this caller's to act on */
	AUTHORITY_NOT_FOUND,   /* the session, for this caller */
	AUTHORITY_NO_METHOD    /* the method itself, on an agent socket */
};

/* What the answer depends on of the session a call names. */
struct authority_session {
	const char *id;
	const char *person;     /* whose it is */
	const char *started_by; /* session of the agent that started it; NULL or "" */
};

/* `s` is NULL when the method names no session, or when there is none of that id (`names` true). */
enum authority authority_judge(const struct caller *who, enum vy_reach reach, bool writes,
	bool names, const struct authority_session *s);

/* May it see what vyred and an agent say to each other, as it is on the wire? A right beside that to
 * read the session, which is asked first: the person at this machine has it, and until rooms bring
 * others nobody else; an agent never. */
bool authority_observes(const struct caller *who);

#endif

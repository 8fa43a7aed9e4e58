/* record.h -- what a session is, apart from what it does: the value behind threads.get.
 *
 * Open plain data; every string is owned by the record (NULL: not said). The stored document is
 * what threads.get shows, with a member "own" beside it for what only vyred needs. Pure. */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

struct record {
	char *model_from; /* explicit, project, set, config, default (defaults.h) */
	char *session, *title, *provider, *driver, *model, *mode, *thinking, *effort, *purpose,
		*auth, *cwd, *project;
	char *state, *turn;
	char *process, *reason;   /* absent, starting …; why it rests, failed or waits */
	char *wait_kind;          /* what it stands in line for: live, teammate, subagent; NULL */
	int64_t wait_position;    /* and where, from 1 */
	int64_t created, updated; /* wall ms */
	bool is_archived, is_once;
	int64_t asks, queued;
	int64_t messages; /* of the assistant so far; only rises */
	bool held;
	int64_t until;     /* held by a limit that resets then; 0: by none */
	double budget_usd; /* 0: none */
	double spent_usd;  /* all that was heard of; only rises */
	struct vy_json *usage, *limits, *capabilities, *tasks; /* NULL: not known */
	struct vy_json *forked_from; /* {session, message?}; NULL: it is no copy */
	struct vy_json *adopted; /* {provider, id, path, time}: it was another program's; NULL */
	/* own */
	char *person, *started_by; /* whose it is; the session whose agent started it */
	char *agent_id;            /* the agent's own id when it is not the session's */
	char *system;
	char *told_auth;       /* what pays, as people were told; NULL: the provider's first */
	struct vy_json *env;   /* what the person handed on */
	struct vy_json *tools; /* [name]: it may use no others; NULL: all there are */
	int64_t adopted_upto; /* bytes of that file that are in the log; 0: nothing more is taken over */
	bool is_titled;       /* a person or a caller gave the title */
	bool was_told_of_trust;
	bool is_deleted; /* it is as if it were gone; its processes are just being ended */
};

struct record *record_new(const char *session);
void record_free(struct record *r);              /* NULL is fine */
void record_set(char **at, struct vy_str value); /* empty: NULL */

/* The public record; owned. `viewers` and `epoch` are not the record's to know. */
struct vy_json *record_json(const struct record *r, int viewers, const char *epoch);
struct vy_json *record_encode(const struct record *r); /* with "own"; owned */
struct record *record_decode(const struct vy_json *v, struct vy_err *e);

/* A title from a first message: its first line, at most 60 characters; owned, NULL for none. */
char *record_title_from(struct vy_str text);

#endif

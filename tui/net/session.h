/* session.h -- which session a person means, and a new one where there is none.
 *
 * A session is named by its id, by at least four characters of the beginning of one, or by its
 * title. Without a name it is the newest of a folder. */
#ifndef NET_SESSION_H
#define NET_SESSION_H

#include <stdbool.h>

#include "shared/base/err.h"
#include "shared/base/hash.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

struct contact;

#define SESSION_NAME_MIN 4 /* of an id's beginning */

/* Pure: the record of `threads` (newest first) that is called so. An id, or the beginning of one,
 * goes before a title; of several of one title it is the newest. NULL: none (VY_NOT_FOUND), or
 * the beginning of several ids (VY_CONFLICT, which lists them). */
const struct vy_json *session_match(
	const struct vy_json *threads, struct vy_str name, struct vy_err *e);

/* Pure: the one whose title holds all these words, in any case (of ASCII) and order; when several do,
 * VY_CONFLICT lists them. For who can see what was found: never to say something to it unseen. */
const struct vy_json *session_match_words(
	const struct vy_json *threads, struct vy_str words, struct vy_err *e);

/* Could it be the beginning of an id? Pure. */
bool session_is_id(struct vy_str name);

/* The id into `id`. Asks the server; archived ones are found by their whole id. */
VY_MUST_USE int session_named(
	struct contact *c, const char *name, char id[VY_UUID_LEN + 1], struct vy_err *e);

/* The same for a screen: words of its title do, where nothing is called so. */
VY_MUST_USE int session_shown(
	struct contact *c, const char *name, char id[VY_UUID_LEN + 1], struct vy_err *e);

/* The newest of the folder: 1 found, 0 there is none, -1 failed. */
VY_MUST_USE int session_newest(
	struct contact *c, const char *cwd, char id[VY_UUID_LEN + 1], struct vy_err *e);

struct session_new {
	const char *provider;          /* NULL: the first that this machine has, the demo last */
	const char *model;             /* NULL: the server's choice */
	const char *cwd;               /* absolute */
	struct vy_str text;            /* the first message; empty: none */
	const char *project, *purpose; /* NULL: none, the server's choice */
	const char *tools; /* what it may use alone: names, a comma between; NULL: all */
	double budget_usd; /* 0: none */
	bool is_once;      /* a job: over with its turn */
	char note[400];    /* out: why it is the demo (how to get an agent); "" if it is not */
};

/* The record, owned by the caller; NULL on failure. What an agent may see of the environment goes
 * along. */
struct vy_json *session_start(struct contact *c, struct session_new *s, struct vy_err *e);

/* Of this person's environment, what an agent gets to see ("env" of threads.start). Owned. */
struct vy_json *session_env(void);

/* Fills `id` from a record. */
void session_id_of(const struct vy_json *record, char id[VY_UUID_LEN + 1]);

/* A folder as sessions know it: absolute, links resolved. NULL: VY_NOT_FOUND. free() it. */
char *session_folder(const char *cwd, struct vy_err *e);

#endif

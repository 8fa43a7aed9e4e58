/* env.h -- an agent's environment, made from nothing (product.md, Configuration).
 *
 * HOME, USER, TERM=dumb, VYRE_SESSION and VYRE_SOCKET; of the person who started the session an
 * allow-list (PATH, LANG, LC_*, TZ, SSH_AUTH_SOCK); what [provider.NAME] env.NAME says; and the
 * driver's own switches. Nothing of vyred's own environment and no secret. Pure. */
#ifndef SESSION_ENV_H
#define SESSION_ENV_H

#include "shared/base/arena.h"
#include "shared/base/json.h"

struct env_source {
	const char *home, *user;      /* of the account vyred runs as */
	const char *path;             /* the PATH when the person sent none */
	const char *session, *socket; /* VYRE_SESSION, VYRE_SOCKET; socket NULL: none */
	bool is_other_user;           /* the person's ssh agent would not speak to it */
	const struct vy_json *person; /* {NAME: value} as sent with threads.start; NULL */
	const struct vy_json *conf;   /* env.NAME of the provider; NULL */
	const char *const *driver;    /* "NAME=value", NULL at the end; NULL */
};

/* "NAME=value", NULL at the end, in the arena; a later source wins over an earlier one. */
const char *const *env_make(const struct env_source *src, struct vy_arena *a);

/* Keeps of {NAME: value} what a person may hand on; owned by the caller. */
struct vy_json *env_allowed(const struct vy_json *person);

/* The PATH such an agent would have; borrowed. */
const char *env_path(const struct env_source *src);

#endif

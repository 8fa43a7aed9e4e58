/* ops.h -- the words of vyred that are not the server itself: each is a whole little program.
 *
 * They say what is wrong on stderr and return the process' exit code: 0 done, 1 failed, 2 wrong use,
 * 5 no server. */
#ifndef OPS_H
#define OPS_H

#include <stdbool.h>
#include <stddef.h>

struct provider_conf;

/* vyred stop [--all]: asks the running vyred to end and waits until it has. */
int ops_stop(const char *state_dir, bool all);

/* vyred secret set NAME | list | remove NAME. `set` reads one line: from the terminal without
 * showing it, or from a pipe. */
int ops_secret(const char *state_dir, const char *const *words, int n);

/* vyred backup FILE: by the running vyred while it works, else by ourselves. `socket` NULL: the one of
 * the state folder. */
int ops_backup(const char *state_dir, const char *socket, const char *const *words, int n);

/* vyred restore FILE: refused while a vyred runs; the database that was there is kept. */
int ops_restore(const char *state_dir, const char *const *words, int n);

/* vyred verify: walks the journal, beside a running vyred too, and says how many events it has, how many
 * of them were erased, and the first that does not fit: then 1. Changes nothing. `socket` as above. */
int ops_verify(const char *state_dir, const char *socket);

/* vyred doctor: a line for each thing, "ok", "!" (something to do) or "-" (to know). 1 when there is a
 * "!". Changes nothing. */
struct ops_doctor {
	const char *state_dir, *socket; /* socket NULL: the one of the state folder */
	const char *config;             /* the file; config_trouble: why it is refused, or NULL */
	const char *config_trouble;
	const struct provider_conf *providers; /* n of them; none when the file is refused */
	size_t n_providers;
	const char *version;
};
int ops_doctor(const struct ops_doctor *d);

/* vyred provider check NAME: the agent of [provider.NAME] against what the contract says (provider/provider.h),
 * in a vyred of its own that is gone afterwards; a line for each thing, as above ("!": it is not so). 1 when
 * there is a "!", or no such provider. */
struct ops_provider {
	const char *state_dir; /* whose secrets it may need */
	const char *user;      /* whom agents run as; NULL: who we are */
	const struct provider_conf *providers;
	size_t n_providers;
};
int ops_provider_check(const struct ops_provider *p, const char *name);

#endif

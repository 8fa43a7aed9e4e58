/* server.h -- the house put together: every room is built here in order and taken down in reverse.
 *
 * One value, one run. What a room needs of another that it may not know (the wire's sockets for
 * the session table, the configuration for the providers) is handed over here as a callback. */
#ifndef SERVER_H
#define SERVER_H

#include <stdbool.h>

#include "shared/base/err.h"

struct server;

struct server_paths {
	const char *state_dir, *config; /* absolute */
	const char *socket;             /* NULL: <state-dir>/vyred.sock */
	const char *listen;             /* NULL: what the configuration says */
	const char *log_level;          /* NULL: what the configuration says */
	bool must_have_config;          /* --config was given: the file has to be there */
	void (*reopen_log)(const char *state_dir); /* at SIGHUP; NULL: the log is not a file */
};

/* Everything up to the listening sockets; NULL on failure with a sentence. */
struct server *server_new(const struct server_paths *p, struct vy_err *e);

/* Runs until SIGTERM, SIGINT or `vyred stop`; then drains. Returns the exit code. */
int server_run(struct server *s);
void server_free(struct server *s);

#endif

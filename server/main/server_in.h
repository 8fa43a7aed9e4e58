/* server_in.h -- what the parts of a server know of each other. Private to server/main.
 *
 * server.c reads the config, opens the log, lives and ends; rooms.c builds the rooms over the log and is
 * what they ask of each other through us. */
#ifndef MAIN_SERVER_IN_H
#define MAIN_SERVER_IN_H

#include <stdbool.h>

#include "server/auth/caller.h"
#include "server/io/agent_user.h"
#include "server/main/self.h"
#include "server/main/server.h"
#include "shared/base/err.h"

struct server {
	struct server_paths paths;
	char *socket;
	struct self me;
	int lock;
	struct config *config;
	struct agent_user agents; /* whom they run as; name NULL: we ourselves */
	const char **programs;    /* names of agent programs, NULL at the end */

	struct vy_loop *loop;
	struct work *work;
	struct gone *gone;
	struct log_store *store;
	struct log *log;
	struct backup *backup;
	struct search *search;
	struct retain *retain;
	struct hub *hub;
	struct access *access;
	struct control *control;
	struct providers *providers;
	struct ui *ui;
	struct follow *follow;
	struct observe *observe;
	struct ticket_table *tickets;
	struct caller_world world;
	char unit[CALLER_UNIT_MAX]; /* the cgroup that systemd made for us alone; "" */
	struct terms *terms;
	struct attic *attic;
	struct table *table;
	struct rpc *rpc;
	struct wire *wire;
	struct vy_timer *deadline, *look;
	bool is_ending, is_stopping_all, is_wire_done;
	int code;
};

/* Over the log, which is open. */
void server_build_rooms(struct server *s);
/* The sockets, and the TCP address when the config or the command line names one: from now on somebody
 * may come. */
VY_MUST_USE int server_open_wire(struct server *s, struct vy_err *e);

#endif

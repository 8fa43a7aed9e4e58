/* server.c -- see server.h.
 *
 * The end comes in two steps. SIGTERM: nothing new is accepted, viewers are told to come back,
 * agents with nothing to do are let go; sessions with a turn or an ask live on in their holders.
 * SIGUSR1 (`vyred stop --all`) ends every session first. Either way five seconds are the limit
 * for the first step and a minute for the second. */
#include "server/main/server.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <config.h>
#include "server/adopt/attic.h"
#include "server/hub/control.h"
#include "server/hub/follow.h"
#include "server/hub/hub.h"
#include "server/hub/observe.h"
#include "server/hub/ui.h"
#include "server/io/gone.h"
#include "server/io/lock.h"
#include "server/io/origin.h"
#include "server/io/work.h"
#include "server/log/backup.h"
#include "server/log/log.h"
#include "server/log/retain.h"
#include "server/log/search.h"
#include "server/log/store.h"
#include "server/main/config.h"
#include "server/main/providers.h"
#include "server/main/server_in.h"
#include "server/main/stores.h"
#include "server/rpc/rpc.h"
#include "server/session/table.h"
#include "server/term/terms.h"
#include "server/wire/wire.h"
#include "shared/base/clock.h"
#include "shared/base/crash.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

#define DRAIN_MS    5000
#define STOP_ALL_MS 60000

/* ---- what it stands on ----------------------------------------------------------------------- */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* What counts as an agent wherever it was started: the known ones and every configured command. */
static void read_programs(struct server *s)
{
	const struct config *c = s->config;
	size_t n = 0;

	free(s->programs);
	s->programs = vy_calloc(c->n_providers + 3, sizeof(*s->programs));
	s->programs[n++] = "claude";
	s->programs[n++] = "codex";
	for (size_t i = 0; i < c->n_providers; i++) {
		if (c->providers[i].command) {
			s->programs[n++] = last_part(c->providers[i].command);
		}
	}
	s->world.programs = s->programs;
}

/* Agents that run already go on as who they are. */
static int find_agents(struct server *s, const struct config *c, struct vy_err *e)
{
	struct agent_user found = { 0 };

	if (c->user && agent_user_find(c->user, &found, e) != 0) {
		return vy_wrap(e, "%s: [sessions]", s->paths.config);
	}
	agent_user_fini(&s->agents);
	s->agents = found;
	s->world.has_agents = c->user != NULL;
	s->world.agents = found.uid;
	return 0;
}

static int read_config(struct server *s, struct vy_err *e)
{
	struct config *c = config_read(s->paths.config, s->paths.must_have_config, e);
	enum vy_log_level level;

	if (!c) {
		return -1;
	}
	level = c->log_level;
	if (s->paths.log_level && !vy_log_parse_level(s->paths.log_level, &level)) {
		config_free(c);
		return vy_fail(e, VY_BAD_INPUT,
			"--log-level: expected debug, info, warn, error or none, got \"%s\"",
			s->paths.log_level);
	}
	if (find_agents(s, c, e) != 0) {
		config_free(c);
		return -1;
	}
	config_free(s->config); /* nobody keeps a part of it: launches copy what they take */
	s->config = c;
	vy_log_set_level(level);
	read_programs(s);
	return 0;
}

static void remedy(void *ctx, struct vy_buf *out)
{
	stores_remedy(((struct server *)ctx)->paths.state_dir, out);
}

static int open_log(struct server *s, struct vy_err *e)
{
	struct vy_err damaged = { 0 };

	s->lock = lock_take(s->paths.state_dir, NULL, e);
	if (s->lock < 0 || origin_check(s->paths.state_dir, e) != 0) {
		return -1;
	}
	vy_crash_arm(s->paths.state_dir);
	VY_CRASH(BOOT_LOCKED);
	s->loop = vy_loop_new();
	s->work = work_new(s->loop, e);
	if (!s->work) {
		return -1;
	}
	s->store = stores_open(s->paths.state_dir, s->loop, s->work, &damaged, e);
	if (!s->store) {
		return -1;
	}
	struct log_conf lc = {
		.loop = s->loop,
		.store = s->store,
		.clock = &vy_clock_real,
		.damaged = damaged.code != VY_OK ? &damaged : NULL,
		.remedy = remedy,
		.ctx = s,
	};

	s->log = log_new(&lc, e);
	s->backup = backup_new(s->store, s->loop, s->work, &vy_clock_real, s->paths.state_dir);
	if (s->log && !log_is_read_only(s->log)) {
		s->search = search_new(s->log, s->loop, s->work, s->paths.state_dir);
		s->retain = retain_new(&(struct retain_conf){ .log = s->log,
			.loop = s->loop,
			.clock = &vy_clock_real,
			.retain_hours = s->config->retain_hours });
	}
	return s->log ? 0 : -1;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void look_again(void *ctx)
{
	struct server *s = ctx;

	if (s->is_stopping_all) {
		if (table_is_still(s->table)) {
			s->is_stopping_all = false;
			kill(getpid(), SIGTERM);
		}
	} else if (s->is_wire_done && table_is_quiet(s->table)) {
		VY_CRASH(DRAIN_QUIET);
		vy_loop_stop(s->loop);
		return;
	}
	if (s->is_ending) {
		table_drain(s->table); /* whose turn has ended meanwhile goes too */
	}
	vy_timer_set(s->look, 50); /* only while ending */
}

static void on_wire_done(void *ctx)
{
	struct server *s = ctx;

	s->is_wire_done = true;
	look_again(s);
}

static void drain(struct server *s);

static void on_deadline(void *ctx)
{
	struct server *s = ctx;

	if (s->is_stopping_all) { /* some agent would not go: its holder is left to its end */
		s->is_stopping_all = false;
		drain(s);
		return;
	}
	vy_log(VY_LOG_WARN, "drain.late", "wire=%s", s->is_wire_done ? "done" : "open");
	vy_loop_stop(s->loop);
}

static void drain(struct server *s)
{
	if (s->is_ending) {
		return;
	}
	s->is_ending = true;
	VY_CRASH(DRAIN_BEGUN);
	vy_log(VY_LOG_INFO, "drain", "pid=%d", (int)getpid());
	vy_timer_set(s->deadline, DRAIN_MS);
	table_drain(s->table);
	wire_drain(s->wire, on_wire_done, s);
	vy_timer_set(s->look, 10);
}

static void on_signal(void *ctx, int signo)
{
	struct server *s = ctx;
	struct vy_err e = { 0 };

	if (signo == SIGHUP) {
		if (s->paths.reopen_log) {
			s->paths.reopen_log(s->paths.state_dir);
		}
		if (read_config(s, &e) != 0) {
			vy_log(VY_LOG_ERROR, "config.refused", "why=%s", vy_log_q(e.text));
		} else {
			vy_log(VY_LOG_INFO, "config.read", "file=%s", vy_log_q(s->paths.config));
			providers_read(s->providers, s->config, s->me.path, s->control);
			table_slots_look(s->table);
			terms_look(s->terms);
			wire_recheck(s->wire); /* other programs may count as agents now */
			access_changed(s->access, NULL);
			retain_for(s->retain, s->config->retain_hours);
			table_life_changed(s->table);
		}
	} else if (signo == SIGUSR1 && !s->is_ending) {
		s->is_stopping_all = true;
		table_stop_all(s->table, DRAIN_MS);
		terms_end_all(s->terms);
		vy_timer_set(s->deadline, STOP_ALL_MS);
		vy_timer_set(s->look, 10);
	} else if (signo != SIGUSR1) {
		drain(s);
	}
}

/* What is written now is lost, and the holders cannot be found again: all of it ends. */
static void on_gone(void *ctx)
{
	vy_log(VY_LOG_ERROR, "state.gone", "path=%s", ((struct server *)ctx)->paths.state_dir);
	kill(getpid(), SIGUSR1);
}

static void hear_signals(struct server *s)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP, SIGUSR1 };

	s->deadline = vy_loop_timer(s->loop, on_deadline, s);
	s->look = vy_loop_timer(s->loop, look_again, s);
	for (size_t i = 0; i < VY_COUNT(signals); i++) {
		vy_loop_on_signal(s->loop, signals[i], on_signal, s);
	}
}

/* ---- life -------------------------------------------------------------------------------------- */

static int build(struct server *s, struct vy_err *e)
{
	VY_AUTO_BUF path = VY_BUF_INIT(4096);

	vy_buf_addf(&path, "%s/vyred.sock", s->paths.state_dir);
	s->socket = vy_strdup(s->paths.socket ? s->paths.socket : vy_buf_c(&path));
	if (self_read(&s->me, e) != 0 || read_config(s, e) != 0 || open_log(s, e) != 0) {
		return -1;
	}
	VY_CRASH(BOOT_OPENED);
	server_build_rooms(s);
	VY_CRASH(BOOT_ROOMS);
	s->gone = gone_watch(s->loop, s->paths.state_dir, s->lock, on_gone, s);
	hear_signals(s); /* before anybody can see that we are there */
	if (server_open_wire(s, e) != 0) {
		return -1;
	}
	VY_CRASH(BOOT_LISTENS);
	terms_boot(s->terms);
	table_boot(s->table);
	VY_CRASH(BOOT_DONE);
	return 0;
}

struct server *server_new(const struct server_paths *p, struct vy_err *e)
{
	struct server *s = VY_NEW(struct server);

	s->paths = *p;
	s->lock = -1;
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is a full disk, not our death */
	/* What a killed holder leaves behind comes to us, not to init: nothing of an agent's is ever
	 * taken for a person (caller.h). Ended ones are collected by the kernel. */
	signal(SIGCHLD, SIG_IGN);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (build(s, e) != 0) {
		server_free(s);
		return NULL;
	}
	vy_log(VY_LOG_INFO, "ready", "version=%s pid=%d socket=%s epoch=%s", PACKAGE_VERSION,
		(int)getpid(), vy_log_q(wire_socket_path(s->wire)), log_epoch(s->log));
	return s;
}

int server_run(struct server *s)
{
	vy_loop_run(s->loop);
	return s->code;
}

void server_free(struct server *s)
{
	if (!s) {
		return;
	}
	vy_timer_del(s->deadline);
	vy_timer_del(s->look);
	if (s->log) {
		log_settle(s->log); /* whom the last calls reach still stand */
		VY_CRASH(DRAIN_SETTLED);
	}
	if (s->hub) {
		hub_on_viewers(s->hub, NULL, NULL);
	}
	attic_free(s->attic); /* first: who waits for it is of the table */
	table_free(s->table);
	terms_free(s->terms);
	if (s->log) {
		log_settle(s->log); /* the last answers leave, while there is a way */
	}
	rpc_free(s->rpc);
	if (s->wire) {
		wire_free(s->wire);
	}
	if (s->tickets) {
		ticket_table_free(s->tickets);
	}
	ui_free(s->ui);
	observe_free(s->observe);
	providers_free(s->providers);
	control_free(s->control);
	access_free(s->access);
	follow_free(s->follow);
	if (s->hub) {
		hub_free(s->hub);
	}
	search_free(s->search);
	retain_free(s->retain);
	backup_free(s->backup);
	gone_free(s->gone);
	if (s->log) {
		log_free(s->log);
		VY_CRASH(DRAIN_MARKED);
	}
	if (s->store) {
		s->store->ops->close(s->store);
	}
	if (s->work) {
		work_free(s->work);
	}
	if (s->loop) {
		vy_loop_free(s->loop);
	}
	lock_drop(s->lock);
	config_free(s->config);
	agent_user_fini(&s->agents);
	free(s->programs);
	free(s->socket);
	self_fini(&s->me);
	free(s);
}

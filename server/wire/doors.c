/* doors.c -- where the wire listens: the main socket, TCP, and one socket for each agent. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/wire/inside.h"
#include "shared/base/sockpath.h"
#include "shared/base/ban.h"

/* The sockets of agents stand in a folder beside the main one. */
static void set_agent_dir(struct wire *w, const char *path)
{
	const char *slash = strrchr(path, '/');

	free(w->agent_dir);
	w->agent_dir = slash ? vy_memdup0(path, (size_t)(slash - path) + 1) : vy_strdup("");
}

int wire_listen_unix(struct wire *w, const char *path, bool is_apart, struct vy_err *e)
{
	char real[VY_SOCK_PATH_MAX + 1];

	VY_CHECK(w, WIRE_MAGIC);
	if (vy_sock_path(path, real, e) != 0) {
		return -1;
	}
	if (is_apart && listen_is_served(real)) {
		return vy_fail(e, VY_CONFLICT,
			"another server answers at %s: choose another --socket, or end that one "
			"first",
			path);
	}
	set_agent_dir(w, path);
	w->main = listen_unix(w->conf.loop, LISTEN_MAIN, real, &w->listen_ops, e);
	return w->main ? 0 : -1;
}

int wire_listen_line(struct wire *w, const char *path, struct vy_err *e)
{
	char real[VY_SOCK_PATH_MAX + 1];

	VY_CHECK(w, WIRE_MAGIC);
	if (vy_sock_path(path, real, e) != 0) {
		return -1;
	}
	w->line = listen_unix(w->conf.loop, LISTEN_LINE, real, &w->line_ops, e);
	return w->line ? 0 : -1;
}

const char *wire_socket_path(const struct wire *w)
{
	return w->main ? listen_path(w->main) : "";
}

int wire_listen_fd(struct wire *w, int fd, struct vy_err *e)
{
	w->main = listen_adopt(w->conf.loop, fd, &w->listen_ops, e);
	if (!w->main) {
		return -1;
	}
	set_agent_dir(w, listen_path(w->main));
	return 0;
}

int wire_listen_tcp(struct wire *w, const char *addr_port, struct vy_err *e)
{
	struct gate_addr at;

	if (gate_parse(vy_str_c(addr_port), &at, e) != 0) {
		return -1;
	}
	w->tcp = listen_tcp(w->conf.loop, &at, &w->listen_ops, e);
	return w->tcp ? 0 : -1;
}

int wire_tcp_port(const struct wire *w)
{
	return w->tcp ? listen_port(w->tcp) : 0;
}

/* ---- the sockets of agents ---- */

static struct agent_socket *find_agent(struct wire *w, const char *session)
{
	struct agent_socket *a;

	LIST_FOREACH (a, &w->agents, link) {
		if (strcmp(a->session, session) == 0) {
			return a;
		}
	}
	return NULL;
}

/* Where the sockets of agents stand: beside ours in a folder of our own; or, when agents are another user,
 * who cannot enter that, in one which all may pass through and nobody list. */
static int agent_folder(struct wire *w, struct vy_buf *out, struct vy_err *e)
{
	bool is_apart = w->conf.world->has_agents;
	mode_t mode = is_apart ? 0711 : 0700;
	struct stat st;

	if (is_apart) {
		vy_buf_addf(out, "/tmp/vyre-agents-%u", (unsigned)geteuid());
	} else {
		vy_buf_addf(out, "%sa", w->agent_dir ? w->agent_dir : "");
	}
	if (mkdir(vy_buf_c(out), mode) != 0 && errno != EEXIST) {
		return vy_fail_errno(e, errno, "making %s", vy_buf_c(out));
	}
	if (!is_apart) {
		return 0;
	}
	if (lstat(vy_buf_c(out), &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid()) {
		return vy_fail(
			e, VY_DENIED, "%s is not a folder of ours; remove it", vy_buf_c(out));
	}
	return chmod(vy_buf_c(out), mode) == 0
		       ? 0
		       : vy_fail_errno(e, errno, "opening %s", vy_buf_c(out));
}

const char *wire_agent_socket_open(
	struct wire *w, const char *session, const char *person, struct vy_err *e)
{
	struct agent_socket *a = find_agent(w, session);
	char real[VY_SOCK_PATH_MAX + 1];
	VY_AUTO_BUF want = VY_BUF_INIT(8192);

	if (a) {
		return listen_path(a->listener);
	}
	if (agent_folder(w, &want, e) != 0) {
		return NULL;
	}
	vy_buf_addf(&want, "/%s.sock", session);
	if (vy_sock_path(vy_buf_c(&want), real, e) != 0) {
		return NULL;
	}
	a = VY_NEW(struct agent_socket);
	snprintf(a->session, sizeof(a->session), "%s", session);
	snprintf(a->person, sizeof(a->person), "%s", person);
	a->listener = listen_unix(w->conf.loop, LISTEN_AGENT, real, &w->listen_ops, e);
	if (!a->listener) {
		free(a);
		return NULL;
	}
	if (w->conf.world->has_agents) {
		(void)chmod(real, 0666); /* who may come in is looked at when somebody does */
	}
	LIST_INSERT_HEAD(&w->agents, a, link);
	return listen_path(a->listener);
}

void wire_agent_socket_close(struct wire *w, const char *session)
{
	struct agent_socket *a = find_agent(w, session);
	struct conn *c, *next;

	if (!a) {
		return;
	}
	LIST_REMOVE(a, link);
	listen_close(a->listener);
	for (c = TAILQ_FIRST(&w->conns); c; c = next) {
		next = TAILQ_NEXT(c, link);
		if (c->caller.is_confined && strcmp(c->caller.session, session) == 0) {
			conn_kill(c);
		}
	}
	free(a);
}

/* ---- the end of it ---- */

void doors_close(struct wire *w)
{
	struct agent_socket *a;

	listen_close(w->main);
	listen_close(w->line);
	listen_close(w->tcp);
	w->main = w->line = w->tcp = NULL;
	while ((a = LIST_FIRST(&w->agents))) {
		LIST_REMOVE(a, link);
		listen_close(a->listener);
		free(a);
	}
}

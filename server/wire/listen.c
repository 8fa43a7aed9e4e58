/* listen.c -- see listen.h. */
#include "server/wire/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

#define ACCEPTS_A_TURN 64
#define BREATH_MS      250 /* without even the spare descriptor: how long nobody is accepted */
#define REST_FIRST_MS                                                                              \
	250 /* after a path was made again; twice as long each time it is taken then */
#define REST_LAST_MS 60000

struct listener {
	VY_MAGIC;
	struct vy_loop *loop;
	struct listen_ops ops;
	enum listen_kind kind;
	int fd, spare;
	struct vy_watch *watch;
	struct vy_timer *breath;
	char path[VY_SOCK_PATH_MAX + 1]; /* "" for TCP */
	ino_t inode;                     /* of the path as we made it; 0: we did not */
	int notify;                      /* inotify on its folder; -1 */
	struct vy_watch *notify_watch;
	struct vy_timer *rest; /* runs: the path was made again just now, and is let be */
	int rest_ms;           /* 0: it does not run */
};

#define LISTEN_MAGIC 0x6c697374u

/* ---- accepting ---- */

#define NO_ROOM                                                                                    \
	"{\"code\":-32008,\"message\":\"too many connections: close one, or try again\","          \
	"\"data\":{\"kind\":\"busy\"}}"

void listen_turn_away(const struct listener *l, int fd)
{
	static const char line[] = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":" NO_ROOM "}\n";
	static const char body[] = "{\"error\":" NO_ROOM "}";
	char text[512];
	int n = l->kind == LISTEN_LINE
			? snprintf(text, sizeof(text), "%s", line)
			: snprintf(text, sizeof(text),
				  "HTTP/1.1 503 Service Unavailable\r\n"
				  "content-type: application/json\r\ncontent-length: %zu\r\n"
				  "retry-after: 5\r\nconnection: close\r\n\r\n%s",
				  sizeof(body) - 1, body);

	(void)send(fd, text, (size_t)n, MSG_DONTWAIT | MSG_NOSIGNAL);
	close(fd);
}

static int take_spare(void)
{
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* Out of descriptors: give the spare one up for a moment so that the caller can be told. */
static void turn_one_away(struct listener *l)
{
	int fd;

	if (l->spare >= 0) {
		close(l->spare);
		fd = accept4(l->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd >= 0) {
			listen_turn_away(l, fd);
			l->ops.refused(l->ops.ctx);
		}
		l->spare = take_spare();
	}
	if (l->spare < 0) {
		vy_watch_set(l->watch, 0);
		vy_timer_set(l->breath, BREATH_MS);
	}
}

static void on_breath(void *ctx)
{
	struct listener *l = ctx;

	VY_CHECK(l, LISTEN_MAGIC);
	l->spare = take_spare();
	if (l->spare < 0) {
		vy_timer_set(l->breath, BREATH_MS);
	} else {
		vy_watch_set(l->watch, VY_READ);
	}
}

static void on_accept(void *ctx, int fd, unsigned events)
{
	struct listener *l = ctx;

	VY_CHECK(l, LISTEN_MAGIC);
	(void)events;
	for (int i = 0; i < ACCEPTS_A_TURN && l->fd == fd; i++) {
		int one = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (one >= 0) {
			l->ops.accepted(l->ops.ctx, l, one);
		} else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM ||
			   errno == ENOBUFS) {
			turn_one_away(l);
			return;
		} else if (errno != EINTR && errno != ECONNABORTED) {
			return;
		}
	}
}

/* ---- making ---- */

static int socket_bound(
	const struct sockaddr *addr, socklen_t len, const char *what, struct vy_err *e)
{
	int fd = socket(addr->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int on = 1, rc, err;
	mode_t mask;

	if (fd < 0) {
		return vy_fail_errno(e, errno, "making a socket for %s", what);
	}
	if (addr->sa_family != AF_UNIX) {
		(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	}
	mask = umask(0177);
	rc = bind(fd, addr, len);
	err = errno;
	umask(mask);
	if (rc == 0 && listen(fd, SOMAXCONN) == 0) {
		return fd;
	}
	err = rc == 0 ? errno : err;
	close(fd);
	return vy_fail_errno(e, err, "listening on %s", what);
}

/* Made beside its place and moved there once it listens: whoever sees the path may dial it. */
static int bind_path(struct listener *l, struct vy_err *e)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct stat st;
	int fd;

	if (lstat(l->path, &st) == 0 && !S_ISSOCK(st.st_mode)) {
		return vy_fail(
			e, VY_CONFLICT, "%s is there and is no socket; move it away", l->path);
	}
	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s~", l->path);
	unlink(addr.sun_path);
	fd = socket_bound((struct sockaddr *)&addr, sizeof(addr), l->path, e);
	if (fd < 0) {
		return -1;
	}
	if (stat(addr.sun_path, &st) != 0 || rename(addr.sun_path, l->path) != 0) {
		int err = errno;

		unlink(addr.sun_path);
		close(fd);
		return vy_fail_errno(e, err, "listening on %s", l->path);
	}
	l->inode = st.st_ino;
	l->fd = fd;
	return 0;
}

static struct listener *listener_new(
	struct vy_loop *loop, enum listen_kind kind, const struct listen_ops *ops)
{
	struct listener *l = VY_NEW(struct listener);

	VY_MAGIC_SET(l, LISTEN_MAGIC);
	l->loop = loop;
	l->ops = *ops;
	l->kind = kind;
	l->fd = l->notify = -1;
	l->spare = take_spare();
	l->breath = vy_loop_timer(loop, on_breath, l);
	return l;
}

static void start(struct listener *l)
{
	l->watch = vy_loop_watch(l->loop, l->fd, VY_READ, on_accept, l);
}

/* ---- a path that is removed, or that another was moved to, is made again ---- */

/* Else it is something else in the folder, or we ourselves. */
static bool is_taken(const struct listener *l)
{
	struct stat st;

	return stat(l->path, &st) != 0 || st.st_ino != l->inode;
}

/* At once the first time; another that does as we do, at the same path, would have us both spin. */
static void make_again(struct listener *l)
{
	struct vy_err e;

	l->rest_ms = !l->rest_ms                     ? REST_FIRST_MS
		     : 2 * l->rest_ms < REST_LAST_MS ? 2 * l->rest_ms
						     : REST_LAST_MS;
	vy_timer_set(l->rest, l->rest_ms);
	vy_watch_del(l->watch);
	l->watch = NULL;
	if (l->fd >= 0) {
		close(l->fd);
		l->fd = -1;
	}
	if (bind_path(l, &e) != 0) {
		vy_log(VY_LOG_ERROR, "wire.socket", "path=%s made=no why=%s", vy_log_q(l->path),
			vy_log_q(e.text));
		return;
	}
	start(l);
	vy_log(VY_LOG_WARN, "wire.socket", "path=%s made=again", vy_log_q(l->path));
}

static void on_notify(void *ctx, int fd, unsigned events)
{
	struct listener *l = ctx;
	char text[4096];

	VY_CHECK(l, LISTEN_MAGIC);
	(void)events;
	while (read(fd, text, sizeof(text)) > 0) {
	}
	if (!l->rest_ms && is_taken(l)) {
		make_again(l);
	}
}

static void on_rest(void *ctx)
{
	struct listener *l = ctx;

	VY_CHECK(l, LISTEN_MAGIC);
	if (is_taken(l)) {
		make_again(l);
	} else {
		l->rest_ms = 0;
	}
}

static void watch_folder(struct listener *l)
{
	char dir[VY_SOCK_PATH_MAX + 1];
	char *slash;

	snprintf(dir, sizeof(dir), "%s", l->path);
	slash = strrchr(dir, '/');
	if (slash) {
		slash[slash == dir ? 1 : 0] = '\0';
	}
	l->notify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (l->notify < 0 || inotify_add_watch(l->notify, slash ? dir : ".",
				     IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO) < 0) {
		vy_log(VY_LOG_WARN, "wire.socket", "path=%s watched=no why=%s", vy_log_q(l->path),
			vy_log_q(strerror(errno)));
		return;
	}
	l->notify_watch = vy_loop_watch(l->loop, l->notify, VY_READ, on_notify, l);
	l->rest = vy_loop_timer(l->loop, on_rest, l);
}

bool listen_is_served(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	bool is_served;

	if (fd < 0 || strlen(path) >= sizeof(addr.sun_path)) {
		if (fd >= 0) {
			close(fd);
		}
		return false;
	}
	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", path);
	/* EAGAIN: its queue is full, so it is there */
	is_served = connect(fd, (struct sockaddr *)&addr, sizeof(addr)) == 0 || errno == EAGAIN;
	close(fd);
	return is_served;
}

/* ---- the life of one ---- */

struct listener *listen_unix(struct vy_loop *loop, enum listen_kind kind, const char *path,
	const struct listen_ops *ops, struct vy_err *e)
{
	struct listener *l;

	if (strlen(path) > VY_SOCK_PATH_MAX) {
		vy_fail(e, VY_BAD_INPUT, "the path of a socket may have %d bytes, not %zu: %s",
			VY_SOCK_PATH_MAX, strlen(path), path);
		return NULL;
	}
	l = listener_new(loop, kind, ops);
	snprintf(l->path, sizeof(l->path), "%s", path);
	if (bind_path(l, e) != 0) {
		listen_close(l);
		return NULL;
	}
	start(l);
	if (kind != LISTEN_AGENT) {
		watch_folder(l);
	}
	return l;
}

struct listener *listen_tcp(struct vy_loop *loop, const struct gate_addr *at,
	const struct listen_ops *ops, struct vy_err *e)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons(at->port) };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons(at->port) };
	struct listener *l = listener_new(loop, LISTEN_TCP, ops);
	char what[96];

	snprintf(what, sizeof(what), at->is_v6 ? "[%s]:%u" : "%s:%u", at->host, at->port);
	if (at->is_v6) {
		inet_pton(AF_INET6, at->host, &v6.sin6_addr);
		l->fd = socket_bound((struct sockaddr *)&v6, sizeof(v6), what, e);
	} else {
		inet_pton(AF_INET, at->host, &v4.sin_addr);
		l->fd = socket_bound((struct sockaddr *)&v4, sizeof(v4), what, e);
	}
	if (l->fd < 0) {
		listen_close(l);
		return NULL;
	}
	start(l);
	return l;
}

struct listener *listen_adopt(
	struct vy_loop *loop, int fd, const struct listen_ops *ops, struct vy_err *e)
{
	struct sockaddr_storage addr = { 0 };
	socklen_t len = sizeof(addr), on_len = sizeof(int);
	struct listener *l;
	int on = 0;

	if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &on, &on_len) != 0 || !on ||
		getsockname(fd, (struct sockaddr *)&addr, &len) != 0 || addr.ss_family != AF_UNIX) {
		close(fd);
		vy_fail(e, VY_BAD_INPUT, "the descriptor handed over is no listening Unix socket");
		return NULL;
	}
	(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	(void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	l = listener_new(loop, LISTEN_MAIN, ops);
	l->fd = fd;
	if (len > offsetof(struct sockaddr_un, sun_path)) {
		snprintf(l->path, sizeof(l->path), "%.*s", VY_SOCK_PATH_MAX,
			((struct sockaddr_un *)&addr)->sun_path);
	}
	start(l);
	return l;
}

void listen_close(struct listener *l)
{
	struct stat st;

	if (!l) {
		return;
	}
	VY_CHECK(l, LISTEN_MAGIC);
	vy_watch_del(l->watch);
	vy_watch_del(l->notify_watch);
	vy_timer_del(l->breath);
	vy_timer_del(l->rest);
	if (l->inode && lstat(l->path, &st) == 0 && st.st_ino == l->inode) {
		unlink(l->path);
	}
	if (l->fd >= 0) {
		close(l->fd);
	}
	if (l->notify >= 0) {
		close(l->notify);
	}
	if (l->spare >= 0) {
		close(l->spare);
	}
	VY_MAGIC_CLEAR(l);
	free(l);
}

enum listen_kind listen_kind(const struct listener *l)
{
	return l->kind;
}

const char *listen_path(const struct listener *l)
{
	return l->path;
}

int listen_port(const struct listener *l)
{
	struct sockaddr_storage addr = { 0 };
	socklen_t len = sizeof(addr);

	if (l->fd < 0 || getsockname(l->fd, (struct sockaddr *)&addr, &len) != 0) {
		return 0;
	}
	if (addr.ss_family == AF_INET) {
		return ntohs(((struct sockaddr_in *)&addr)->sin_port);
	}
	return addr.ss_family == AF_INET6 ? ntohs(((struct sockaddr_in6 *)&addr)->sin6_port) : 0;
}

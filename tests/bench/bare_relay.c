/* bare_relay.c -- the yardstick for a server: the least that stands between an agent and its viewers.
 *
 * usage: bare_relay INGEST SOCKET [PORT]
 * Lines that come by the Unix socket INGEST go as WebSocket messages to whoever upgraded on the Unix
 * socket SOCKET, or on PORT of the loopback: one epoll, one ring of encoded messages, one write for
 * all that a viewer has not got yet. No store, no sessions, no checks, no HTTP to speak of. It ends
 * with its ingest. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

enum {
	RING = 8 * 1024 * 1024, /* bytes; a power of two */
	SLACK = 1024 * 1024,    /* kept free: the ingest waits for the slowest */
	MESSAGE_MAX = 65535,    /* with two length bytes */
	EVENTS = 256,
};

struct viewer {
	int fd; /* -1: gone */
	bool is_upgraded, wants_room;
	uint64_t at; /* bytes of the stream that it got */
	char head[1024];
	size_t n;
};

static struct {
	int ep, ingest, doors[2];
	char ring[RING];
	uint64_t end; /* bytes of the stream so far */
	char in[256 * 1024];
	size_t in_n;
	bool is_paused;
	struct viewer **viewers;
	size_t n, cap;
} r;

static void watch(int op, int fd, uint32_t events, void *who)
{
	struct epoll_event ev = { .events = events, .data.ptr = who };

	vy_assert(epoll_ctl(r.ep, op, fd, &ev) == 0);
}

/* ---- out ---- */

/* It is not freed: an event of this turn may still name it. */
static void drop(struct viewer *v)
{
	for (size_t i = 0; i < r.n; i++) {
		if (r.viewers[i] == v) {
			r.viewers[i] = r.viewers[--r.n];
		}
	}
	close(v->fd);
	v->fd = -1;
}

/* false: it is gone */
static bool send_to(struct viewer *v)
{
	bool is_full = false;

	while (v->at < r.end && !is_full) {
		size_t from = v->at % RING, n = r.end - v->at;

		if (n > RING - from) {
			n = RING - from;
		}
		ssize_t got = send(v->fd, r.ring + from, n, MSG_NOSIGNAL);

		if (got < 0 && errno != EAGAIN) {
			drop(v);
			return false;
		}
		is_full = got < 0;
		v->at += got > 0 ? (size_t)got : 0;
	}
	if (is_full != v->wants_room) {
		v->wants_room = is_full;
		watch(EPOLL_CTL_MOD, v->fd, EPOLLIN | (is_full ? EPOLLOUT : 0), v);
	}
	return true;
}

/* ---- in ---- */

static void ring_add(const void *bytes, size_t n)
{
	size_t at = r.end % RING, first = n < RING - at ? n : RING - at;

	memcpy(r.ring + at, bytes, first);
	memcpy(r.ring, (const char *)bytes + first, n - first);
	r.end += n;
}

static void add_message(const char *line, size_t n)
{
	unsigned char head[4] = { 0x81, (unsigned char)n };

	if (n > 125) {
		head[1] = 126;
		head[2] = (unsigned char)(n >> 8);
		head[3] = (unsigned char)n;
	}
	ring_add(head, n > 125 ? 4 : 2);
	ring_add(line, n);
}

static void on_ingest(void)
{
	ssize_t got = recv(r.ingest, r.in + r.in_n, sizeof(r.in) - r.in_n, 0);
	size_t at = 0;
	const char *nl;

	if (got <= 0) {
		exit(0);
	}
	r.in_n += (size_t)got;
	while ((nl = memchr(r.in + at, '\n', r.in_n - at))) {
		size_t n = (size_t)(nl - (r.in + at));

		vy_assert(n <= MESSAGE_MAX);
		add_message(r.in + at, n);
		at += n + 1;
	}
	r.in_n -= at;
	memmove(r.in, r.in + at, r.in_n);
	for (size_t i = 0; i < r.n; i++) {
		struct viewer *v = r.viewers[i];

		if (v->is_upgraded && !v->wants_room && !send_to(v)) {
			i--;
		}
	}
}

/* Nothing is overwritten that a viewer still needs. */
static void pause_or_go(void)
{
	uint64_t behind = 0;

	for (size_t i = 0; i < r.n; i++) {
		uint64_t b = r.viewers[i]->is_upgraded ? r.end - r.viewers[i]->at : 0;

		behind = b > behind ? b : behind;
	}
	bool is_paused = behind > RING - SLACK || (r.is_paused && behind > RING / 2);

	if (is_paused != r.is_paused) {
		r.is_paused = is_paused;
		watch(EPOLL_CTL_MOD, r.ingest, is_paused ? 0 : EPOLLIN, &r.ingest);
	}
}

/* ---- viewers ---- */

static void on_door(int door)
{
	int fd, on = 1;

	while ((fd = accept4(door, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
		struct viewer *v = VY_NEW(struct viewer);

		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
		v->fd = fd;
		r.viewers = vy_grow(r.viewers, &r.cap, r.n + 1, sizeof(v));
		r.viewers[r.n++] = v;
		watch(EPOLL_CTL_ADD, fd, EPOLLIN, v);
	}
}

static void on_viewer(struct viewer *v, uint32_t events)
{
	static const char yes[] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
				  "Connection: Upgrade\r\nSec-WebSocket-Accept: bare\r\n\r\n";
	size_t room = sizeof(v->head) - 1 - v->n;

	if (v->fd < 0 || ((events & EPOLLOUT) && !send_to(v)) || !(events & ~EPOLLOUT)) {
		return;
	}
	ssize_t got = recv(v->fd, v->head + v->n, room, 0);

	if (got == 0 || (got < 0 && errno != EAGAIN)) {
		drop(v);
		return;
	}
	if (!v->is_upgraded && got > 0) {
		v->n += (size_t)got;
		v->head[v->n] = '\0';
		if (strstr(v->head, "\r\n\r\n")) {
			v->n = 0;
			v->is_upgraded = true;
			v->at = r.end;
			vy_assert(send(v->fd, yes, sizeof(yes) - 1, MSG_NOSIGNAL) > 0);
		}
	}
}

/* ---- the run ---- */

static int listen_at(const struct sockaddr *a, socklen_t n)
{
	int fd = socket(a->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, a, n) != 0 || listen(fd, 1024) != 0) {
		perror("bare_relay");
		exit(1);
	}
	return fd;
}

static int listen_unix(const char *path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	snprintf(a.sun_path, sizeof(a.sun_path), "%s", path);
	return listen_at((struct sockaddr *)&a, sizeof(a));
}

static int listen_tcp(int port)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return listen_at((struct sockaddr *)&a, sizeof(a));
}

static void open_all(int argc, char **argv)
{
	long long port = 0;

	if (argc < 3 || (argc > 3 && !vy_parse_i64(vy_str_c(argv[3]), &port))) {
		fputs("usage: bare_relay INGEST SOCKET [PORT]\n", stderr);
		exit(2);
	}
	r.ep = epoll_create1(EPOLL_CLOEXEC);
	int door = listen_unix(argv[1]);

	r.doors[0] = listen_unix(argv[2]);
	r.doors[1] = port ? listen_tcp((int)port) : -1;
	for (int i = 0; i < 2; i++) {
		if (r.doors[i] >= 0) {
			watch(EPOLL_CTL_ADD, r.doors[i], EPOLLIN, &r.doors[i]);
		}
	}
	r.ingest = door; /* until somebody comes */
	watch(EPOLL_CTL_ADD, door, EPOLLIN, &r.ingest);
}

/* The one that feeds it; the next is let in when that one has left. */
static void on_feeder(void)
{
	int fd = accept4(r.ingest, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

	if (fd >= 0) {
		close(r.ingest);
		r.ingest = fd;
		watch(EPOLL_CTL_ADD, fd, EPOLLIN, &r.ingest);
	}
}

int main(int argc, char **argv)
{
	struct epoll_event ev[EVENTS];
	bool has_feeder = false;

	open_all(argc, argv);
	for (;;) {
		int n = epoll_wait(r.ep, ev, EVENTS, -1);

		for (int i = 0; i < n; i++) {
			void *who = ev[i].data.ptr;

			if (who == &r.doors[0] || who == &r.doors[1]) {
				on_door(*(int *)who);
			} else if (who != &r.ingest) {
				on_viewer(who, ev[i].events);
			} else if (has_feeder) {
				on_ingest();
			} else {
				on_feeder();
				has_feeder = true;
			}
		}
		pause_or_go();
	}
}

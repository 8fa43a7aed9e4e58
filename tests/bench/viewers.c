/* viewers.c -- see viewers.h. */
#include "tests/bench/viewers.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "shared/base/mem.h"
#include "tests/bench/stamp.h"
#include "tests/bench/world.h"
#include "shared/base/ban.h"

enum { READ = 256 * 1024, LATE_MAX = 4 * 1000 * 1000, EVENTS = 256 };

struct viewer {
	int fd;
	char part[STAMP_MAX]; /* the end of what came, when a stamp may go on in the next read */
	size_t part_n;
	uint64_t bytes;
};

struct viewers {
	int ep;
	struct viewer *all;
	size_t n, cap;
	char room[STAMP_MAX + READ];
	double *late;
	size_t late_n, late_cap;
	uint64_t stamps, bytes;
};

struct viewers *viewers_new(void)
{
	struct viewers *v = VY_NEW(struct viewers);

	v->ep = epoll_create1(EPOLL_CLOEXEC);
	return v;
}

void viewers_free(struct viewers *v)
{
	for (size_t i = 0; i < v->n; i++) {
		viewers_drop(v, i);
	}
	close(v->ep);
	free(v->all);
	free(v->late);
	free(v);
}

void viewers_drop(struct viewers *v, size_t i)
{
	if (v->all[i].fd >= 0) {
		close(v->all[i].fd);
		v->all[i].fd = -1;
	}
}

/* ---- one more ---- */

static int dial(const struct viewers_way *way)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons((uint16_t)way->port) };
	int fd = socket(way->port ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1, rc;

	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (way->port) {
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
		rc = connect(fd, (struct sockaddr *)&in, sizeof(in));
	} else {
		snprintf(un.sun_path, sizeof(un.sun_path), "%.100s", way->sock);
		rc = connect(fd, (struct sockaddr *)&un, sizeof(un));
	}
	if (rc != 0) {
		world_fail("a viewer: connect: %s", strerror(errno));
	}
	return fd;
}

static void upgrade(int fd, const struct viewers_way *way, const char *target)
{
	char head[2048];
	size_t n = 0;
	int len = snprintf(head, sizeof(head),
		"GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\n"
		"Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: vyre.lines\r\n\r\n",
		target, way->port);

	if (send(fd, head, (size_t)len, MSG_NOSIGNAL) != len) {
		world_fail("a viewer: send: %s", strerror(errno));
	}
	/* byte by byte: what follows the head is the stream's */
	while (n < sizeof(head) - 1 && recv(fd, head + n, 1, 0) == 1) {
		head[++n] = '\0';
		if (n >= 4 && memcmp(head + n - 4, "\r\n\r\n", 4) == 0) {
			break;
		}
	}
	if (!n || !strstr(head, " 101 ")) {
		world_fail("a viewer was refused: %.200s", n ? head : "");
	}
}

int64_t viewers_add(struct viewers *v, const struct viewers_way *way, const char *target)
{
	int64_t begin = stamp_now(), took;
	int fd = dial(way);

	upgrade(fd, way, target);
	took = stamp_now() - begin;
	fcntl(fd, F_SETFL, O_NONBLOCK);
	v->all = vy_grow(v->all, &v->cap, v->n + 1, sizeof(*v->all));
	v->all[v->n] = (struct viewer){ .fd = fd };

	struct epoll_event ev = { .events = EPOLLIN, .data.u64 = v->n++ };

	vy_assert(epoll_ctl(v->ep, EPOLL_CTL_ADD, fd, &ev) == 0);
	return took;
}

/* ---- reading ---- */

static void note(struct viewers *v, double us)
{
	v->stamps++;
	if (v->late_n < LATE_MAX) {
		v->late = vy_grow(v->late, &v->late_cap, v->late_n + 1, sizeof(*v->late));
		v->late[v->late_n++] = us;
	}
}

/* One read; false: there was nothing. */
static bool read_one(struct viewers *v, struct viewer *one)
{
	char *at = v->room + STAMP_MAX - one->part_n;
	ssize_t got = recv(one->fd, v->room + STAMP_MAX, READ, 0);
	int64_t now = stamp_now(), us;
	size_t left = one->part_n + (got > 0 ? (size_t)got : 0);
	const char *end = at;

	if (got <= 0) {
		if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
			return false;
		}
		world_fail("a viewer was hung up on");
	}
	memcpy(at, one->part, one->part_n);
	one->bytes += (uint64_t)got;
	v->bytes += (uint64_t)got;
	for (const char *p = at; (us = stamp_next(p, left, &end)) != 0; p = end) {
		note(v, (double)(now - us));
		left -= (size_t)(end - p);
	}
	one->part_n = (size_t)(v->room + STAMP_MAX + got - end);
	if (one->part_n >= STAMP_MAX) {
		one->part_n = 0; /* too long for a stamp */
	}
	memcpy(one->part, end, one->part_n);
	return true;
}

bool viewers_read(struct viewers *v, uint64_t stamps, int ms)
{
	struct epoll_event ev[EVENTS];
	int64_t until = stamp_now() + (int64_t)ms * 1000;

	while (v->stamps < stamps) {
		int64_t left = (until - stamp_now()) / 1000;
		int n = left > 0 ? epoll_wait(v->ep, ev, EVENTS, (int)left) : -1;

		if (n < 0 && (left <= 0 || errno != EINTR)) {
			return false;
		}
		for (int i = 0; i < n; i++) {
			read_one(v, &v->all[ev[i].data.u64]);
		}
	}
	return true;
}

void viewers_drain(struct viewers *v)
{
	struct epoll_event ev[EVENTS];
	int n;

	while ((n = epoll_wait(v->ep, ev, EVENTS, 0)) > 0) {
		for (int i = 0; i < n; i++) {
			read_one(v, &v->all[ev[i].data.u64]);
		}
	}
}

int64_t viewers_first(struct viewers *v, size_t i, int ms)
{
	struct viewer *one = &v->all[i];
	uint64_t before = one->bytes;
	struct epoll_event ev[EVENTS];
	int64_t until = stamp_now() + (int64_t)ms * 1000;

	while (one->bytes == before && stamp_now() < until) {
		int n = epoll_wait(v->ep, ev, EVENTS, ms);

		for (int k = 0; k < n; k++) {
			read_one(v, &v->all[ev[k].data.u64]);
		}
	}
	return one->bytes == before ? 0 : stamp_now();
}

/* ---- figures ---- */

void viewers_reset(struct viewers *v)
{
	v->late_n = 0;
	v->stamps = v->bytes = 0;
}

uint64_t viewers_stamps(const struct viewers *v)
{
	return v->stamps;
}

uint64_t viewers_bytes(const struct viewers *v)
{
	return v->bytes;
}

double *viewers_late(struct viewers *v, size_t *n)
{
	*n = v->late_n;
	return v->late;
}

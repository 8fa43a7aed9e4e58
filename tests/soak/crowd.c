/* crowd.c -- see crowd.h. */
#include "tests/soak/crowd.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "shared/base/mem.h"
#include "tests/soak/watcher.h"
#include "shared/base/ban.h"

enum {
	OPEN_MS = 4000, /* of one coming; what is slower is tried again */
	BACK_MS = 100,  /* doubled up to … */
	BACK_MOST_MS = 2000,
	AT_ONCE = 4 /* come in one turn; then those who are there are read again */
};

struct crowd {
	struct hall *hall;
	int from, n, ep;
	uint64_t random;
	struct watcher *w[CROWD_SIZE];
};

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static uint32_t draw(struct crowd *c, uint32_t below)
{
	c->random ^= c->random << 13;
	c->random ^= c->random >> 7;
	c->random ^= c->random << 17;
	return (uint32_t)(c->random >> 16) % below;
}

static void lost(struct crowd *c, struct watcher *w, bool was_there)
{
	w->wait_ms = was_there ? 0 : w->wait_ms ? 2 * w->wait_ms : BACK_MS;
	w->wait_ms = w->wait_ms < BACK_MOST_MS ? w->wait_ms : BACK_MOST_MS;
	w->due_ms = now_ms() + w->wait_ms / 2 + draw(c, (uint32_t)w->wait_ms / 2 + 1);
	w->seat->losses++;
	w->seat->is_there = false;
}

static void come(struct crowd *c, struct watcher *w)
{
	const char *by = w->seat->is_via ? c->hall->proxy : c->hall->sock;
	struct epoll_event ev = { .events = EPOLLIN, .data.ptr = w };

	if (!watcher_open(w, c->hall->sock, by, OPEN_MS)) {
		lost(c, w, false);
		return;
	}
	vy_assert(epoll_ctl(c->ep, EPOLL_CTL_ADD, w->v->conn.fd, &ev) == 0);
	w->seat->is_there = true;
}

static void hear(struct crowd *c, struct watcher *w)
{
	if (!watcher_read(w)) { /* closed, so epoll has forgotten it */
		lost(c, w, true);
	}
	if ((w->v->why[0] || w->v->resets) && !atomic_exchange(&c->hall->has_failed, true)) {
		snprintf(c->hall->why, sizeof(c->hall->why), "%s%s",
			w->v->resets ? "it was reset: " : "",
			w->v->resets ? w->v->reason : w->v->why);
	}
}

static void turn(struct crowd *c)
{
	struct epoll_event ev[CROWD_SIZE];
	int n = epoll_wait(c->ep, ev, CROWD_SIZE, 10), came = 0;
	int64_t now = now_ms();

	for (int i = 0; i < n; i++) {
		hear(c, ev[i].data.ptr);
	}
	for (int i = 0; i < c->n && came < AT_ONCE; i++) {
		if (c->w[i]->v->conn.fd < 0 && c->w[i]->due_ms <= now) {
			come(c, c->w[i]);
			came++;
		}
	}
}

static void run(struct hall *h, int from)
{
	struct crowd c = { .hall = h, .from = from, .random = (h->seed + (uint64_t)from) | 1 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	c.ep = epoll_create1(EPOLL_CLOEXEC);
	for (int i = from; i < h->n && c.n < CROWD_SIZE; i++) {
		c.w[c.n++] = watcher_new(&h->seats[i]);
	}
	while (!h->is_over && !h->has_failed) {
		turn(&c);
	}
	for (int i = 0; i < c.n; i++) {
		watcher_free(c.w[i]);
	}
	close(c.ep);
	h->gone++;
}

struct hall *hall_new(void)
{
	void *p = mmap(NULL, sizeof(struct hall), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	vy_assert(p != MAP_FAILED);
	return p;
}

int hall_open(struct hall *h)
{
	int crowds = 0;

	for (int from = 0; from < h->n; from += CROWD_SIZE, crowds++) {
		pid_t pid = fork();

		vy_assert(pid >= 0);
		if (pid == 0) {
			run(h, from);
			_exit(0);
		}
	}
	return crowds;
}

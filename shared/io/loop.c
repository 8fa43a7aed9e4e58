/* loop.c -- see loop.h.
 *
 * The end of a turn is an ev_prepare watcher at the lowest priority: libev calls it after all
 * pending events of the iteration and before it sleeps. What a hook defers runs before the sleep
 * too, followed by the hooks again, so nothing waits for the next event.
 *
 * Timers are ours, not libev's: its clock stands still while the machine sleeps. They stand in a
 * list, soonest first, behind one timerfd on the boot clock, which is set at the turn's end. */
#include "shared/io/loop.h"

#include <ev.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/queue.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "shared/base/mem.h"
#include "shared/base/str.h"
#include "shared/base/ban.h"

struct call {
	vy_call_fn *fn;
	void *ctx;
	TAILQ_ENTRY(call) link;
};
TAILQ_HEAD(call_list, call);

struct signal_watch {
	ev_signal ev;
	vy_signal_fn *fn;
	void *ctx;
	struct signal_watch *next;
};

struct vy_timer {
	struct vy_loop *loop;
	vy_call_fn *fn;
	void *ctx;
	bool is_set;    /* and so in the loop's list */
	int64_t due_ns; /* on the boot clock */
	TAILQ_ENTRY(vy_timer) link;
};
TAILQ_HEAD(timer_list, vy_timer);

struct vy_loop {
	struct ev_loop *ev;
	ev_prepare prepare;
	struct call_list deferred, at_end; /* while a call waits, the loop is not over */
	struct signal_watch *signals;
	struct timer_list timers; /* soonest first */
	ev_io timer_io;           /* of the timerfd; keeps ev_run going only while a timer is set */
	int64_t armed_ns; /* what the timerfd is set to, the first timer's due or sooner; 0: not set */
	bool is_stopped;
};

struct vy_watch {
	ev_io ev;
	struct vy_loop *loop;
	vy_fd_fn *fn;
	void *ctx;
};

#define NS_PER_S  1000000000LL
#define NS_PER_MS 1000000LL

static struct call *call_new(vy_call_fn *fn, void *ctx)
{
	struct call *c = VY_NEW(struct call);

	c->fn = fn;
	c->ctx = ctx;
	return c;
}

static void run_deferred(struct vy_loop *l)
{
	struct call *c;

	while ((c = TAILQ_FIRST(&l->deferred))) {
		TAILQ_REMOVE(&l->deferred, c, link);
		if (TAILQ_EMPTY(&l->deferred)) {
			ev_unref(l->ev);
		}
		if (c->fn) {
			c->fn(c->ctx);
		}
		free(c);
	}
}

/* A hook may be running: what is forgotten stays in the list with nothing to call. */
static void forget(struct call_list *list, vy_call_fn *fn, void *ctx)
{
	struct call *c;

	TAILQ_FOREACH (c, list, link) {
		if (c->fn == fn && c->ctx == ctx) {
			c->fn = NULL;
		}
	}
}

void vy_loop_forget(struct vy_loop *l, vy_call_fn *fn, void *ctx)
{
	forget(&l->deferred, fn, ctx);
	forget(&l->at_end, fn, ctx);
}

static void arm_timerfd(struct vy_loop *l)
{
	const struct vy_timer *first = TAILQ_FIRST(&l->timers);
	int64_t want = first ? first->due_ns : 0;

	/* Too early is no harm, it is set anew then: timers that are pushed on with each event (a
	 * connection's, say) cost no system call each time. With none left nothing may wake us. */
	if (want ? !l->armed_ns || want < l->armed_ns : l->armed_ns != 0) {
		struct itimerspec at = { .it_value = { .tv_sec = want / NS_PER_S,
						 .tv_nsec = want % NS_PER_S } };

		vy_assert(timerfd_settime(l->timer_io.fd, TFD_TIMER_ABSTIME, &at, NULL) == 0);
		l->armed_ns = want;
	}
}

static void turn_end(EV_P_ ev_prepare *p, int revents)
{
	struct vy_loop *l = p->data;

	(void)loop;
	(void)revents;
	do {
		struct call *c;

		run_deferred(l);
		TAILQ_FOREACH (c, &l->at_end, link) {
			if (c->fn) {
				c->fn(c->ctx);
			}
		}
	} while (!TAILQ_EMPTY(&l->deferred));
	arm_timerfd(l);
}

static void on_timerfd(EV_P_ ev_io *io, int revents);

struct vy_loop *vy_loop_new(void)
{
	struct vy_loop *l = VY_NEW(struct vy_loop);
	int fd = timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC);

	vy_assert(fd >= 0);
	TAILQ_INIT(&l->timers);
	TAILQ_INIT(&l->deferred);
	TAILQ_INIT(&l->at_end);
	l->ev = ev_loop_new(EVFLAG_AUTO | EVFLAG_NOENV);
	vy_assert(l->ev != NULL);
	ev_prepare_init(&l->prepare, turn_end);
	ev_set_priority(&l->prepare, EV_MINPRI);
	l->prepare.data = l;
	ev_prepare_start(l->ev, &l->prepare);
	ev_unref(l->ev);
	ev_io_init(&l->timer_io, on_timerfd, fd, EV_READ);
	l->timer_io.data = l;
	ev_io_start(l->ev, &l->timer_io);
	ev_unref(l->ev);
	return l;
}

static void free_calls(struct call_list *list)
{
	struct call *c;

	while ((c = TAILQ_FIRST(list))) {
		TAILQ_REMOVE(list, c, link);
		free(c);
	}
}

void vy_loop_free(struct vy_loop *l)
{
	run_deferred(l); /* a deferred free must not leak */
	free_calls(&l->at_end);
	while (l->signals) {
		struct signal_watch *s = l->signals;

		l->signals = s->next;
		ev_ref(l->ev);
		ev_signal_stop(l->ev, &s->ev);
		free(s);
	}
	vy_assert(TAILQ_EMPTY(&l->timers));
	ev_ref(l->ev);
	ev_io_stop(l->ev, &l->timer_io);
	close(l->timer_io.fd);
	ev_ref(l->ev);
	ev_prepare_stop(l->ev, &l->prepare);
	ev_loop_destroy(l->ev);
	free(l);
}

void vy_loop_run(struct vy_loop *l)
{
	l->is_stopped = false;
	ev_run(l->ev, 0);
	if (l->is_stopped) {
		turn_end(l->ev, &l->prepare, 0);
	}
}

void vy_loop_stop(struct vy_loop *l)
{
	l->is_stopped = true;
	ev_break(l->ev, EVBREAK_ALL);
}

void *vy_loop_native(struct vy_loop *l)
{
	return l->ev;
}

/* ---- fds ---- */

static void on_fd(EV_P_ ev_io *io, int revents)
{
	struct vy_watch *w = io->data;
	unsigned events = (revents & EV_READ ? VY_READ : 0) | (revents & EV_WRITE ? VY_WRITE : 0);

	(void)loop;
	w->fn(w->ctx, io->fd, events);
}

static int ev_events(unsigned events)
{
	return (events & VY_READ ? EV_READ : 0) | (events & VY_WRITE ? EV_WRITE : 0);
}

struct vy_watch *vy_loop_watch(struct vy_loop *l, int fd, unsigned events, vy_fd_fn *fn, void *ctx)
{
	struct vy_watch *w = VY_NEW(struct vy_watch);

	w->loop = l;
	w->fn = fn;
	w->ctx = ctx;
	ev_io_init(&w->ev, on_fd, fd, ev_events(events));
	w->ev.data = w;
	if (events) {
		ev_io_start(l->ev, &w->ev);
	}
	return w;
}

void vy_watch_set(struct vy_watch *w, unsigned events)
{
	int fd = w->ev.fd;

	if (ev_events(events) == (w->ev.events & (EV_READ | EV_WRITE)) && ev_is_active(&w->ev)) {
		return;
	}
	ev_io_stop(w->loop->ev, &w->ev);
	ev_io_set(&w->ev, fd, ev_events(events));
	if (events) {
		ev_io_start(w->loop->ev, &w->ev);
	}
}

void vy_watch_del(struct vy_watch *w)
{
	if (w) {
		ev_io_stop(w->loop->ev, &w->ev);
		free(w);
	}
}

/* ---- timers ---- */

static int64_t boot_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_BOOTTIME, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static void timer_clear(struct vy_timer *t)
{
	struct vy_loop *l = t->loop;

	if (!t->is_set) {
		return;
	}
	TAILQ_REMOVE(&l->timers, t, link);
	t->is_set = false;
	if (TAILQ_EMPTY(&l->timers)) {
		ev_unref(l->ev);
	}
}

static void timer_insert(struct vy_timer *t)
{
	struct vy_loop *l = t->loop;
	struct vy_timer *other;

	if (TAILQ_EMPTY(&l->timers)) {
		ev_ref(l->ev);
	}
	t->is_set = true;
	TAILQ_FOREACH (other, &l->timers, link) {
		if (other->due_ns > t->due_ns) {
			TAILQ_INSERT_BEFORE(other, t, link);
			return;
		}
	}
	TAILQ_INSERT_TAIL(&l->timers, t, link);
}

/* Calls what was due when the turn began; one that a callback sets is due in a later turn. */
static void on_timerfd(EV_P_ ev_io *io, int revents)
{
	struct vy_loop *l = io->data;
	struct vy_timer *t;
	uint64_t count;
	int64_t now = boot_ns();

	(void)loop;
	(void)revents;
	if (read(io->fd, &count, sizeof(count)) < 0 && errno != EAGAIN) {
		vy_assert(errno == EINTR || errno == ECANCELED);
	}
	l->armed_ns = 0;
	while ((t = TAILQ_FIRST(&l->timers)) && t->due_ns <= now) {
		timer_clear(t);
		t->fn(t->ctx);
	}
}

struct vy_timer *vy_loop_timer(struct vy_loop *l, vy_call_fn *fn, void *ctx)
{
	struct vy_timer *t = VY_NEW(struct vy_timer);

	t->loop = l;
	t->fn = fn;
	t->ctx = ctx;
	return t;
}

void vy_timer_set(struct vy_timer *t, int64_t ms)
{
	timer_clear(t);
	if (ms >= 0) {
		t->due_ns = boot_ns() + ms * NS_PER_MS;
		timer_insert(t);
	}
}

bool vy_timer_is_set(const struct vy_timer *t)
{
	return t->is_set;
}

void vy_timer_del(struct vy_timer *t)
{
	if (t) {
		timer_clear(t);
		free(t);
	}
}

/* ---- calls and signals ---- */

void vy_loop_defer(struct vy_loop *l, vy_call_fn *fn, void *ctx)
{
	struct call *c = call_new(fn, ctx);

	if (TAILQ_EMPTY(&l->deferred)) {
		ev_ref(l->ev);
	}
	TAILQ_INSERT_TAIL(&l->deferred, c, link);
}

void vy_loop_at_end(struct vy_loop *l, vy_call_fn *fn, void *ctx)
{
	struct call *c = call_new(fn, ctx);

	TAILQ_INSERT_TAIL(&l->at_end, c, link);
}

void vy_loop_nap(struct vy_loop *l, const struct vy_watch *w, int64_t ms)
{
	struct pollfd p[] = { { w->ev.fd, POLLIN, 0 }, { l->timer_io.fd, POLLIN, 0 } };

	if (TAILQ_EMPTY(&l->deferred) && !l->is_stopped) {
		arm_timerfd(l);
		poll(p, VY_COUNT(p), (int)ms);
	}
}

static void on_signal(EV_P_ ev_signal *ev, int revents)
{
	struct signal_watch *s = ev->data;

	(void)loop;
	(void)revents;
	s->fn(s->ctx, ev->signum);
}

void vy_loop_on_signal(struct vy_loop *l, int signo, vy_signal_fn *fn, void *ctx)
{
	struct signal_watch *s = VY_NEW(struct signal_watch);

	s->fn = fn;
	s->ctx = ctx;
	s->next = l->signals;
	l->signals = s;
	ev_signal_init(&s->ev, on_signal, signo);
	s->ev.data = s;
	ev_signal_start(l->ev, &s->ev);
	ev_unref(l->ev);
}

/* loop.c -- see loop.h.
 *
 * The end of a turn is an ev_prepare watcher at the lowest priority: libev calls it after all
 * pending events of the iteration and before it sleeps. What a hook defers runs before the sleep
 * too, followed by the hooks again, so nothing waits for the next event. */
#include "shared/io/loop.h"

#include <ev.h>
#include <stdlib.h>
#include <sys/queue.h>

#include "shared/base/mem.h"
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

struct vy_loop {
	struct ev_loop *ev;
	ev_prepare prepare;
	struct call_list deferred, at_end;
	struct signal_watch *signals;
};

struct vy_watch {
	ev_io ev;
	struct vy_loop *loop;
	vy_fd_fn *fn;
	void *ctx;
};

struct vy_timer {
	ev_timer ev;
	struct vy_loop *loop;
	vy_call_fn *fn;
	void *ctx;
};

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
		c->fn(c->ctx);
		free(c);
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
			c->fn(c->ctx);
		}
	} while (!TAILQ_EMPTY(&l->deferred));
}

struct vy_loop *vy_loop_new(void)
{
	struct vy_loop *l = VY_NEW(struct vy_loop);

	TAILQ_INIT(&l->deferred);
	TAILQ_INIT(&l->at_end);
	l->ev = ev_loop_new(EVFLAG_AUTO | EVFLAG_NOENV);
	vy_assert(l->ev != NULL);
	ev_prepare_init(&l->prepare, turn_end);
	ev_set_priority(&l->prepare, EV_MINPRI);
	l->prepare.data = l;
	ev_prepare_start(l->ev, &l->prepare);
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
	ev_ref(l->ev);
	ev_prepare_stop(l->ev, &l->prepare);
	ev_loop_destroy(l->ev);
	free(l);
}

void vy_loop_run(struct vy_loop *l)
{
	ev_run(l->ev, 0);
}

void vy_loop_stop(struct vy_loop *l)
{
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

static void on_timer(EV_P_ ev_timer *ev, int revents)
{
	struct vy_timer *t = ev->data;

	(void)loop;
	(void)revents;
	t->fn(t->ctx);
}

struct vy_timer *vy_loop_timer(struct vy_loop *l, vy_call_fn *fn, void *ctx)
{
	struct vy_timer *t = VY_NEW(struct vy_timer);

	t->loop = l;
	t->fn = fn;
	t->ctx = ctx;
	ev_timer_init(&t->ev, on_timer, 0, 0);
	t->ev.data = t;
	return t;
}

void vy_timer_set(struct vy_timer *t, int64_t ms)
{
	ev_timer_stop(t->loop->ev, &t->ev);
	if (ms >= 0) {
		ev_now_update(t->loop->ev);
		ev_timer_set(&t->ev, (double)ms / 1000.0, 0);
		ev_timer_start(t->loop->ev, &t->ev);
	}
}

bool vy_timer_is_set(const struct vy_timer *t)
{
	return ev_is_active(&t->ev);
}

void vy_timer_del(struct vy_timer *t)
{
	if (t) {
		ev_timer_stop(t->loop->ev, &t->ev);
		free(t);
	}
}

/* ---- calls and signals ---- */

void vy_loop_defer(struct vy_loop *l, vy_call_fn *fn, void *ctx)
{
	struct call *c = call_new(fn, ctx);

	TAILQ_INSERT_TAIL(&l->deferred, c, link);
}

void vy_loop_at_end(struct vy_loop *l, vy_call_fn *fn, void *ctx)
{
	struct call *c = call_new(fn, ctx);

	TAILQ_INSERT_TAIL(&l->at_end, c, link);
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

/* loop.h -- the event loop of vyred and vyre-tui: the only door to libev.
 *
 * One thread. Callbacks never block and never free what they stand on: vy_loop_defer the free.
 * Work sets flags; the turn's end hook pays once (commit, paint). Order of a turn: fds and timers,
 * then deferred calls until none is left, then the end hooks in the order they were added.
 * A loop with no timer set and no fd ready does not wake up; one with a call deferred is not over. */
#ifndef VY_LOOP_H
#define VY_LOOP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct vy_loop;
struct vy_watch;
struct vy_timer;

enum { VY_READ = 1, VY_WRITE = 2 };

typedef void vy_fd_fn(void *ctx, int fd, unsigned events);
typedef void vy_call_fn(void *ctx);
typedef void vy_signal_fn(void *ctx, int signo);

struct vy_loop *vy_loop_new(void);
void vy_loop_free(struct vy_loop *l); /* all watches and timers must be gone */
void vy_loop_run(struct vy_loop *l);  /* until vy_loop_stop; the turn it came in is ended first */
void vy_loop_stop(struct vy_loop *l);

/* Borrowed fd; events is VY_READ | VY_WRITE or 0 (paused). del before the fd is closed. */
struct vy_watch *vy_loop_watch(struct vy_loop *l, int fd, unsigned events, vy_fd_fn *fn, void *ctx);
void vy_watch_set(struct vy_watch *w, unsigned events);
void vy_watch_del(struct vy_watch *w); /* NULL is fine; also from inside its own callback */

/* One shot; ms on a clock that counts sleep. The timer belongs to the caller and is set again
 * with vy_timer_set (negative: cleared). */
struct vy_timer *vy_loop_timer(struct vy_loop *l, vy_call_fn *fn, void *ctx);
void vy_timer_set(struct vy_timer *t, int64_t ms);
bool vy_timer_is_set(const struct vy_timer *t);
void vy_timer_del(struct vy_timer *t); /* NULL is fine */

void vy_loop_defer(struct vy_loop *l, vy_call_fn *fn, void *ctx);  /* once, later in this turn */
void vy_loop_at_end(struct vy_loop *l, vy_call_fn *fn, void *ctx); /* at the end of every turn */

/* At a turn's end: rests until `w` can be read, a timer is due, a signal came or the time is over.
 * Other descriptors wait, and what they have is then taken together: for one who cannot use it
 * sooner (a screen between two frames) a wake-up each would cost more than the work. */
void vy_loop_nap(struct vy_loop *l, const struct vy_watch *w, int64_t ms);
/* Neither a deferred call nor a hook comes to (fn, ctx) any more: ctx is about to go. */
void vy_loop_forget(struct vy_loop *l, vy_call_fn *fn, void *ctx);
void vy_loop_on_signal(struct vy_loop *l, int signo, vy_signal_fn *fn, void *ctx);

void *vy_loop_native(struct vy_loop *l); /* the struct ev_loop, for libwebsockets as a guest */

#endif

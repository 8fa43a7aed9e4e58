/* work.h -- the one thread beside the loop, for what may block: checkpoints, fsync, copies.
 *
 * Jobs run one after another in the order given, but for those that go first. `run` is called on the worker and may touch only
 * what the job owns; `done` is called on the loop thread with its result. Nothing wakes up while
 * there is no job. */
#ifndef WORK_H
#define WORK_H

#include "shared/base/err.h"

struct vy_loop;
struct work;

typedef int work_run_fn(void *ctx, struct vy_err *e);
typedef void work_done_fn(void *ctx, int rc, const struct vy_err *e);

VY_MUST_USE struct work *work_new(struct vy_loop *l, struct vy_err *e);
/* Waits until every job given has run and called its `done`. For taking down what jobs use. */
void work_drain(struct work *w);
/* Finishes every job given, calls every `done`, joins the thread. Loop thread, not in a job. */
void work_free(struct work *w); /* NULL is fine */
void work_add(
	struct work *w, work_run_fn *run, work_done_fn *done, void *ctx); /* done may be NULL */
/* Before all that wait; what runs is not interrupted. For what commits may have to wait for. */
void work_add_first(struct work *w, work_run_fn *run, work_done_fn *done, void *ctx);

#endif

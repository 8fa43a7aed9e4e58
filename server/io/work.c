/* work.c -- see work.h.
 *
 * Two lists under one mutex: jobs to run and jobs that ran. The eventfd only says "look"; the loop
 * takes the whole list of done jobs at once. */
#include "server/io/work.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/queue.h>
#include <unistd.h>

#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

#define WORK_STACK (512 * 1024)

struct job {
	work_run_fn *run;
	work_done_fn *done;
	void *ctx;
	int rc;
	struct vy_err err;
	TAILQ_ENTRY(job) link;
};
TAILQ_HEAD(job_list, job);

struct work {
	struct vy_watch *watch;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t more;  /* the worker waits: a job came or it shall stop */
	pthread_cond_t quiet; /* work_free waits: nothing to do and nothing in hand */
	struct job_list todo, ran;
	bool is_busy, must_stop;
	int fd;
};

/* ---- the worker ---- */

static void run_job(struct work *w, struct job *j)
{
	pthread_mutex_unlock(&w->mutex);
	j->rc = j->run(j->ctx, &j->err);
	pthread_mutex_lock(&w->mutex);
	TAILQ_INSERT_TAIL(&w->ran, j, link);
	(void)!write(w->fd, &(uint64_t){ 1 }, sizeof(uint64_t));
}

static void *worker(void *ctx)
{
	struct work *w = ctx;

	pthread_mutex_lock(&w->mutex);
	while (!w->must_stop) {
		struct job *j = TAILQ_FIRST(&w->todo);

		w->is_busy = j != NULL;
		if (j) {
			TAILQ_REMOVE(&w->todo, j, link);
			run_job(w, j);
		} else {
			pthread_cond_signal(&w->quiet);
			pthread_cond_wait(&w->more, &w->mutex);
		}
	}
	pthread_mutex_unlock(&w->mutex);
	return NULL;
}

/* ---- the loop's side ---- */

static void tell_done(struct work *w)
{
	struct job_list ran = TAILQ_HEAD_INITIALIZER(ran);
	struct job *j;

	pthread_mutex_lock(&w->mutex);
	TAILQ_CONCAT(&ran, &w->ran, link);
	pthread_mutex_unlock(&w->mutex);
	while ((j = TAILQ_FIRST(&ran))) {
		TAILQ_REMOVE(&ran, j, link);
		if (j->done) {
			j->done(j->ctx, j->rc, &j->err);
		}
		free(j);
	}
}

static void on_ran(void *ctx, int fd, unsigned events)
{
	uint64_t count;

	(void)events;
	(void)!read(fd, &count, sizeof(count));
	tell_done(ctx);
}

static void add(struct work *w, work_run_fn *run, work_done_fn *done, void *ctx, bool is_first)
{
	struct job *j = VY_NEW(struct job);

	j->run = run;
	j->done = done;
	j->ctx = ctx;
	pthread_mutex_lock(&w->mutex);
	if (is_first) {
		TAILQ_INSERT_HEAD(&w->todo, j, link);
	} else {
		TAILQ_INSERT_TAIL(&w->todo, j, link);
	}
	w->is_busy = true;
	pthread_cond_signal(&w->more);
	pthread_mutex_unlock(&w->mutex);
}

void work_add(struct work *w, work_run_fn *run, work_done_fn *done, void *ctx)
{
	add(w, run, done, ctx, false);
}

void work_add_first(struct work *w, work_run_fn *run, work_done_fn *done, void *ctx)
{
	add(w, run, done, ctx, true);
}

/* Signals are the loop's: the worker is born with all of them blocked. */
static int start_thread(struct work *w)
{
	pthread_attr_t attr;
	sigset_t all, old;
	int rc;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, WORK_STACK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(&w->thread, &attr, worker, w);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	return rc;
}

struct work *work_new(struct vy_loop *l, struct vy_err *e)
{
	struct work *w = VY_NEW(struct work);
	int rc;

	TAILQ_INIT(&w->todo);
	TAILQ_INIT(&w->ran);
	pthread_mutex_init(&w->mutex, NULL);
	pthread_cond_init(&w->more, NULL);
	pthread_cond_init(&w->quiet, NULL);
	w->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (w->fd < 0) {
		vy_fail_errno(e, errno, "making an eventfd");
		free(w);
		return NULL;
	}
	rc = start_thread(w);
	if (rc != 0) {
		vy_fail_errno(e, rc, "starting the worker thread");
		close(w->fd);
		free(w);
		return NULL;
	}
	w->watch = vy_loop_watch(l, w->fd, VY_READ, on_ran, w);
	return w;
}

/* Until nothing is left: a `done` may give another job. */
void work_drain(struct work *w)
{
	bool is_left;

	do {
		pthread_mutex_lock(&w->mutex);
		while (w->is_busy || !TAILQ_EMPTY(&w->todo)) {
			pthread_cond_wait(&w->quiet, &w->mutex);
		}
		is_left = !TAILQ_EMPTY(&w->ran);
		pthread_mutex_unlock(&w->mutex);
		tell_done(w);
	} while (is_left);
}

void work_free(struct work *w)
{
	if (!w) {
		return;
	}
	work_drain(w);
	pthread_mutex_lock(&w->mutex);
	w->must_stop = true;
	pthread_cond_signal(&w->more);
	pthread_mutex_unlock(&w->mutex);
	pthread_join(w->thread, NULL);
	vy_watch_del(w->watch);
	close(w->fd);
	pthread_cond_destroy(&w->quiet);
	pthread_cond_destroy(&w->more);
	pthread_mutex_destroy(&w->mutex);
	free(w);
}

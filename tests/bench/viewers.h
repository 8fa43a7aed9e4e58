/* viewers.h -- many viewers in one process: they count the stamps they are sent and how late each
 * is. They look at the bytes as they come and keep none, so that they cost the machine little: what
 * is measured shares it with them. */
#ifndef TESTS_BENCH_VIEWERS_H
#define TESTS_BENCH_VIEWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct viewers;

struct viewers_way {      /* where a server is reached */
	const char *sock; /* its Unix socket; or */
	int port;         /* of the loopback, when not 0 */
};

struct viewers *viewers_new(void);
void viewers_free(struct viewers *v); /* hangs up */

/* One more: connects and upgrades; how long that took in us. `target` is the whole request target.
 * Ends the bench when it is refused. */
int64_t viewers_add(struct viewers *v, const struct viewers_way *way, const char *target);
void viewers_drop(struct viewers *v, size_t i); /* hangs up one, without a word */

/* Reads until all together had `stamps` more since the last viewers_reset(), at most that long.
 * false: time is over. */
bool viewers_read(struct viewers *v, uint64_t stamps, int ms);
void viewers_drain(struct viewers *v); /* what is there already */
/* Until viewer i was sent any byte of a frame; the time, 0: none came. */
int64_t viewers_first(struct viewers *v, size_t i, int ms);

void viewers_reset(struct viewers *v);
uint64_t viewers_stamps(const struct viewers *v);
uint64_t viewers_bytes(const struct viewers *v);
/* How late, in us, each stamp was that is kept (all, or the first few millions); sorted by the
 * quantile functions of world.h. */
double *viewers_late(struct viewers *v, size_t *n);

#endif

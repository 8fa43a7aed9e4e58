/* clock.h -- time as a value that tests own.
 *
 * Wall time is for display and keys only and may jump; durations run on the boot clock, which
 * also counts the time a machine slept, so an opened lid is noticed at once. */
#ifndef VY_CLOCK_H
#define VY_CLOCK_H

#include <stdint.h>

struct vy_clock {
	int64_t (*wall_ms)(void *ctx); /* milliseconds since the epoch */
	int64_t (*boot_ms)(void *ctx); /* milliseconds since boot, sleep included */
	void *ctx;
};

extern const struct vy_clock vy_clock_real;

static inline int64_t vy_wall_ms(const struct vy_clock *c)
{
	return c->wall_ms(c->ctx);
}

static inline int64_t vy_boot_ms(const struct vy_clock *c)
{
	return c->boot_ms(c->ctx);
}

#endif

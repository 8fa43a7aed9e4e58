/* backoff.h -- how long to wait before another try: doubling, with equal jitter. Pure. */
#ifndef VY_FRAME_BACKOFF_H
#define VY_FRAME_BACKOFF_H

#include <stdint.h>

#define VY_BACKOFF_FIRST_MS 250
#define VY_BACKOFF_MOST_MS  15000

/* Behind so many tries without success, the first one 1. Half of the time is sure, half is drawn, so that
 * a crowd spreads out. */
static inline int64_t vy_backoff_ms(int64_t first_ms, unsigned tries, uint32_t random)
{
	int64_t full = first_ms;

	for (unsigned i = 1; i < tries && full < VY_BACKOFF_MOST_MS; i++) {
		full *= 2;
	}
	if (full > VY_BACKOFF_MOST_MS) {
		full = VY_BACKOFF_MOST_MS;
	}
	return full / 2 + (int64_t)(random % (uint32_t)(full / 2 + 1));
}

#endif

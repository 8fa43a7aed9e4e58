/* clock.c -- see clock.h. */
#include "shared/base/clock.h"

#include <time.h>

#include "shared/base/ban.h"

static int64_t read_ms(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static int64_t real_wall(void *ctx)
{
	(void)ctx;
	return read_ms(CLOCK_REALTIME);
}

static int64_t real_boot(void *ctx)
{
	(void)ctx;
	return read_ms(CLOCK_BOOTTIME);
}

const struct vy_clock vy_clock_real = { real_wall, real_boot, NULL };

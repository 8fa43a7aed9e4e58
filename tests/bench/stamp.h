/* stamp.h -- a word that says when it was written: "mk<microseconds>z", as the demo agent's `pace`
 * writes it. Whoever reads it on this machine knows how late it is. */
#ifndef TESTS_BENCH_STAMP_H
#define TESTS_BENCH_STAMP_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define STAMP_MAX     32
#define STAMP_WRITTEN 16 /* digits of one of ours */
#define STAMP_DIGITS  8  /* fewer are no stamp: ids are random and may look like one */

static inline int64_t stamp_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* Writes the time into the first stamp of these bytes: the last thing before they are sent, so that
 * making them is not part of what is measured. */
static inline void stamp_now_in(char *bytes, size_t n)
{
	char *at = memmem(bytes, n, "mk", 2);
	int64_t us = stamp_now();

	for (int i = STAMP_WRITTEN; at && i > 0; i--, us /= 10) {
		at[1 + i] = (char)('0' + us % 10);
	}
}

/* A stamp of now, filled up to `n` bytes with words (n < room), NUL-terminated. */
static inline void stamp_words(char *out, size_t n)
{
	static const char words[] = " and the next words of a reply that goes on and on,";
	size_t at = (size_t)snprintf(
		out, STAMP_MAX, "mk%0*lldz", STAMP_WRITTEN, (long long)stamp_now());

	for (size_t i = 0; at < n; i++) {
		out[at++] = words[i % (sizeof(words) - 1)];
	}
	out[at] = '\0';
}

/* The next stamp in the n bytes at `at`: its time, and `*end` behind it. 0: there is none; then
 * `*end` is where one may begin that is cut off by the end of the bytes. */
static inline int64_t stamp_next(const char *at, size_t n, const char **end)
{
	const char *stop = at + n, *p;

	while ((p = memmem(at, (size_t)(stop - at), "mk", 2))) {
		int64_t us = 0;
		int digits = 0;

		for (at = p + 2; at < stop && *at >= '0' && *at <= '9'; at++, digits++) {
			us = us * 10 + (*at - '0');
		}
		if (at == stop) {
			*end = p;
			return 0;
		}
		if (*at == 'z' && digits >= STAMP_DIGITS) {
			*end = at + 1;
			return us;
		}
	}
	*end = stop > at && stop[-1] == 'm' ? stop - 1 : stop;
	return 0;
}

/* Sleeps until a time of stamp_now(). */
static inline void stamp_sleep(int64_t until_us)
{
	struct timespec t = { until_us / 1000000, until_us % 1000000 * 1000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) != 0) {
	}
}

#endif

/* pace.h -- how long a commit may wait so that it carries many frames. Pure.
 *
 * A commit costs some 40 us and 10 KB of write-ahead log whatever it carries. One here and there
 * goes at once; when there were more than PACE_MANY turns with something to commit in the last
 * window, each commit gathers PACE_WAIT_MS of them. */
#ifndef PACE_H
#define PACE_H

#include <stdint.h>

#define PACE_WINDOW_MS 8
#define PACE_MANY      16
#define PACE_WAIT_MS   3

struct pace {
	int64_t since;      /* start of the present window */
	unsigned now, last; /* turns that wanted a commit in this window and the one before */
};

/* One turn wants to commit: 0 now, or the ms to gather first. */
static inline int pace_wait(struct pace *p, int64_t now_ms)
{
	int64_t age = now_ms - p->since;

	if (age >= PACE_WINDOW_MS || age < 0) {
		p->last = age >= 0 && age < 2 * PACE_WINDOW_MS ? p->now : 0;
		p->now = 0;
		p->since = now_ms;
	}
	p->now++;
	return p->last > PACE_MANY ? PACE_WAIT_MS : 0;
}

#endif

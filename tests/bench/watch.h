/* watch.h -- a program in a terminal, and what is seen of it: when words come on the screen.
 *
 * A word "mk<microseconds>z" tells when it was written (script step `pace`); the first time it
 * stands on the screen, outside of a synchronized update, is when it was seen. */
#ifndef TESTS_BENCH_WATCH_H
#define TESTS_BENCH_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/bench/world.h"
#include "tests/screen/term.h"

#define WATCH_MARKS 256

struct watch {
	struct term term;
	int64_t begun_us;
	int64_t marks[WATCH_MARKS]; /* seen so far */
	double late_ms[WATCH_MARKS];
	size_t n;
};

void watch_start(struct watch *t, struct world *w, const char *command, int cols, int rows);
void watch_end(struct watch *t);
/* Takes in what comes within that time; sees the marks. */
void watch_pump(struct watch *t, int ms);
void watch_sleep(struct watch *t, int ms);
bool watch_has(const struct watch *t, const char *text);
/* Until the text is on the screen; false: not within that time. */
bool watch_wait(struct watch *t, const char *text, int ms);
bool watch_quiet(struct watch *t, int ms, int most_ms); /* nothing written for that long */
void watch_type(struct watch *t, const char *text);
/* Until that many marks were seen. */
bool watch_marks(struct watch *t, size_t n, int ms);

/* Starts the peer and waits until it takes a prompt. false: it does not (said on stderr). */
bool watch_peer(struct watch *t, struct world *w, enum world_who who, int cols, int rows);
/* Types it, then Enter. */
void watch_prompt(struct watch *t, const char *text);

#endif

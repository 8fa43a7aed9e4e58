/* fill.h -- a session with a long past, written into a store while no vyred has it. */
#ifndef TESTS_BENCH_FILL_H
#define TESTS_BENCH_FILL_H

/* Turns until there are that many rows: what a person said, an answer, a command. The last answer
 * says "the very last words". */
void fill_session(const char *state_dir, const char *session, int rows);

#endif

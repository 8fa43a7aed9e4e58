/* run.h -- a script being played: what run.c (verbs that act) and expect.c (that look) share. */
#ifndef TESTS_SCREEN_RUN_H
#define TESTS_SCREEN_RUN_H

#include <stdbool.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "tests/screen/term.h"
#include "tests/screen/words.h"

#define RUN_ENV_MAX     64
#define RUN_FINALLY_MAX 16
#define RUN_WAIT_MS     10000

struct run {
	const char *path; /* of the script */
	int cols, rows;
	uint32_t background;
	bool has_graphics;
	struct term term;
	bool is_open; /* the terminal is there */
	char dir[64]; /* $T */
	char *env[RUN_ENV_MAX];
	int env_n;
	char *finally[RUN_FINALLY_MAX];
	int finally_n;
	struct vy_arena arena; /* of the line at hand */
	struct vy_buf why;     /* what went wrong */
	struct vy_buf kept;    /* the picture of `keep` */
};

typedef bool run_verb(struct run *r, const struct words *w);

/* Says why a verb does not hold; returns false. */
bool run_fail(struct run *r, const char *fmt, ...) VY_PRINTF(2, 3);
bool run_number(const char *s, int *out);
/* Pumps until the verb holds, no longer than that; what it says in the end is why it does not. */
bool run_await(struct run *r, run_verb *holds, const struct words *w, int ms);

/* expect.c */
run_verb expect_wait, expect_keep, expect_absent, expect_fact, expect_picture;

#endif

/* box.h -- a machine of one's own for one script: folders, a vyred, and an end of everything.
 *
 * $T is the temporary folder; in it home, work (a project's folder) and s, the state. This process
 * is made the reaper of its descendants, so that a holder which detached is still found, waited
 * for and, in the end, killed. */
#ifndef TESTS_PLAY_BOX_H
#define TESTS_PLAY_BOX_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"

#define BOX_ARGS_MAX 32

struct box {
	char dir[64], home[80], work[80], state[80], config[112], sock[112], err[80];
	char bin[4200];  /* where the programs were built */
	char play[4096]; /* this program */
	char *env[24];
	int env_n;
	const char *under; /* a program that vyred is started under; NULL */
	long fall;         /* the next vyred dies at so many doings (fall.c); 0: it does not */
	bool falls_after;
	bool has_clock;       /* vyred's clock may jump (jump.c) */
	volatile pid_t vyred; /* 0: none */
	bool is_ended;        /* the last vyred was waited for */
	int status;           /* how: an exit status, or 128 + a signal */
	pid_t aside;          /* a helper of ours that is nobody of theirs; 0: none */
	int aside_fd;
	pid_t screen; /* what runs at the terminal; 0: it has ended */
};

void box_init(struct box *b, const char *self);
void box_fini(struct box *b, bool keep); /* kills all that is left, removes the folder */

void box_env(struct box *b, const char *name, const char *value);

void box_end_aside(struct box *b);

/* From now on vyred is killed at any instant, whatever we do then: each time within 1 to `ms`, a multiple of
 * that when it was killed very often since the script came further (a slow machine). */
void box_storm(struct box *b, int ms, uint64_t seed);
void box_further(void);           /* it has */
unsigned box_kills(void);         /* of this storm so far */
unsigned box_calm(struct box *b); /* no more; how often it was */

/* Starts vyred in the foreground, its log in $T/vyred.err. It need not be ready yet. */
void box_start(struct box *b, const char *const *args, int n);
bool box_answers(const struct box *b); /* somebody listens at its socket */

/* Runs a command in $T/work to its end; what it printed is appended. Its status; 137: it did not end in ten minutes. */
int box_shell(struct box *b, const char *command, struct vy_buf *out);

/* Waits for whoever ended. Called whenever something is waited for. */
void box_reap(struct box *b);

/* Processes below us, but for vyred itself: how many of that name ("": any), the first of them. */
int box_count(const struct box *b, const char *name, pid_t *first);

/* Does `text` stand in it, as it is or in base64? */
bool box_text_holds(struct vy_str in, const char *text);

/* Every file below $T (but work/), and every command line and environment below us, in which
 * `text` stands: the first such place is named. False: nowhere. */
bool box_holds(const struct box *b, const char *text, struct vy_buf *where);

#endif

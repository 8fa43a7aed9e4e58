/* world.h -- where a measurement takes place: folders of its own, a vyred, the stand-in for the
 * Messages API, and the programs that are compared.
 *
 * Nothing of the person's is read or written; all of it is gone, and every program ended, when the
 * bench leaves world_close(). Trouble is said on stderr and ends the bench: a figure that was not
 * measured is not printed. */
#ifndef TESTS_BENCH_WORLD_H
#define TESTS_BENCH_WORLD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "tests/server/tempdir.h"

#define WORLD_ENV 24

enum world_who { WORLD_FLOOR, WORLD_VYRE, WORLD_CLAUDE, WORLD_CODEX, WORLD_OPENCODE, WORLD_PEERS };

struct world {
	struct tempdir dir;
	char *top, *bin;                  /* the sources, the build */
	const char *program[WORLD_PEERS]; /* of the others; NULL: not here */
	pid_t vyred, api, others;
	int port, others_port; /* of the stand-ins; 0: it does not run */
	char *env[WORLD_ENV];
	int env_n;
};

void world_open(struct world *w);
void world_close(struct world *w);
/* What vyred's configuration says, from its next start or SIGHUP on; at first: as many sessions as one
 * likes, none of which is let go. */
void world_configure(struct world *w, const char *text);
void world_start_vyred(struct world *w);
/* The vyred of another folder, with its own vyre-holder; listening on "ADDR:PORT" too, or NULL. */
void world_start_vyred_of(struct world *w, const char *bin_dir, const char *listen);
void world_stop_vyred(struct world *w); /* sessions and all */
bool world_start_api(struct world *w);  /* both; false: there is no node */
bool world_has(const struct world *w, enum world_who who);
const char *world_name(enum world_who who);

/* The command line that shows a chat of its own; borrowed until the next call. */
const char *world_command(struct world *w, enum world_who who);

/* Sends one request to vyred and returns what it answers, whole; free() it. "": nothing came. */
char *world_call(struct world *w, const char *method, const char *params);

/* Asks for that target, reads the answer to its end and drops it: how many bytes it had. */
size_t world_get(struct world *w, const char *target);

void world_fail(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* CPU of a process in microseconds, to the nanosecond of the kernel's own account; with everything
 * below it, without those called `but` (may be NULL). */
int64_t world_cpu_us(pid_t pid);
int64_t world_tree_cpu_us(pid_t pid, const char *but);
/* Memory that is in RAM, KiB; of a tree the sum. */
int64_t world_rss_kb(pid_t pid);
int64_t world_tree_rss_kb(pid_t pid);
/* Ticks of CPU, and how often it was woken: what an idle program must not have. */
int64_t world_ticks(pid_t pid);
int64_t world_switches(pid_t pid);
int64_t world_tree_ticks(pid_t pid);
int64_t world_tree_switches(pid_t pid);

int64_t world_now_us(void);
double world_median(double *v, size_t n); /* sorts */
double world_quantile(double *v, size_t n, double q);

#endif

/* past.h -- what was said in a project, on disk: one line of JSON each, the newest last.
 *
 * <state_dir>/history/<project>.jsonl, 0600. A line is added with one write under a lock, so
 * several clients may share the file; one torn by a crash is passed over by the next reader, and
 * costs nothing behind it. Past PAST_BYTES the older half goes. Blocks on the disk. */
#ifndef NET_PAST_H
#define NET_PAST_H

#include <stddef.h>
#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/str.h"

#define PAST_BYTES    (4 * 1024 * 1024)
#define PAST_ONE_MAX  (1024 * 1024) /* a longer one is not kept here: the session has it */
#define PAST_NAME_LEN 32

/* The file's name (without its end) of a project's folder. */
void past_name(const char *project, char out[PAST_NAME_LEN + 1]);

/* Adds what was said, oldest first; `wall_ms` is when. */
VY_MUST_USE int past_add(const char *dir, const char *project, const struct vy_str *texts, size_t n,
	int64_t wall_ms, struct vy_err *e);
void past_forget(const char *dir, const char *project);

/* Tells all that is there, oldest first. */
typedef void past_fn(void *ctx, struct vy_str text);
void past_read(const char *dir, const char *project, past_fn *fn, void *ctx);

#endif

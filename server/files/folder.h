/* folder.h -- the files of a folder as a list to pick from: breadth first, without what git ignores.
 *
 * Bounded three ways: entries looked at, the time it takes, depth. What was left out for that is
 * said (is_cut). Links are listed and not walked into; names that are no UTF-8 cannot be said on
 * the wire and are left out. Blocks on the disk for FOLDER_MS at most. Owner frees. */
#ifndef FOLDER_H
#define FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/str.h"

#define FOLDER_ENTRIES 20000
#define FOLDER_MS      60
#define FOLDER_DEPTH   40

struct vy_clock;

struct folder_item {
	struct vy_str path; /* relative, no "./", no "/" at the end */
	bool is_dir;
};

struct folder;

struct folder *folder_read(const char *path, const struct vy_clock *clock, struct vy_err *e);
void folder_free(struct folder *f);

const char *folder_path(const struct folder *f);
size_t folder_len(const struct folder *f);
const struct folder_item *folder_at(const struct folder *f, size_t i);
bool folder_is_cut(const struct folder *f);
bool folder_is_git(const struct folder *f); /* it lies in a working tree */
int64_t folder_age_ms(const struct folder *f, const struct vy_clock *clock);

/* The best `most` of them for what was typed so far, best first, their places in out[]; the count.
 * A query's letters must come in this order; a run, a word's begin and the file's own name count
 * more. Without a query: the first ones. */
size_t folder_find(const struct folder *f, struct vy_str query, size_t most, size_t *out);

#endif

/* points.h -- where a session can go back to: what a person said in it, each with what came of it.
 *
 * The newest first. What a turn did to files is read from its rows: the file-changed ones where the
 * agent tells them, else the diffs of its tools. A message that waits, or was taken back, is no
 * point, nor is one that an agent sent. Slices are the fold's and live until its next change, but
 * for those of files, which are the list's. Init/fini. Pure. */
#ifndef VY_MODEL_POINTS_H
#define VY_MODEL_POINTS_H

#include <stddef.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/model/fold.h"

struct vy_point_file {
	struct vy_str path;
	int64_t added, removed;
};

struct vy_point {
	struct vy_str message, text; /* its id, its words */
	size_t images;               /* that came with it */
	int64_t time;                /* ms since the epoch */
	size_t file, files;          /* the first of them in the list's, and how many */
	int64_t added, removed;      /* of all */
};

struct vy_points {
	struct vy_point *v;
	size_t n, cap;
	struct vy_point_file *files;
	size_t n_files, cap_files;
	struct vy_arena arena;
};

void vy_points_init(struct vy_points *p);
void vy_points_fini(struct vy_points *p);

void vy_points_read(struct vy_points *p, const struct vy_fold *f);
/* May a person go back to it? Not where it still waits. */
bool vy_points_is_one(const struct vy_row *row);

#endif

/* ignore.h -- what git would leave out: the rules of .gitignore files, and their match.
 *
 * Rules are added file by file, outermost folder first; the last one that matches decides. Paths
 * are relative to one top folder, without "./". As git has it: "!" takes back, "/" at the end is
 * for folders, a "/" before that ties a rule to its file's folder, "**" goes over folders. Whoever
 * walks does not go into an ignored folder, so nothing below one is asked about. Pure; owner frees. */
#ifndef IGNORE_H
#define IGNORE_H

#include <stdbool.h>

#include "shared/base/str.h"

struct ignore;

struct ignore *ignore_new(void);
void ignore_free(struct ignore *g);

/* The text of a file that stands in the folder `base` ("" for the top one); copied. Beyond
 * IGNORE_RULES rules in all the rest is left out. */
#define IGNORE_RULES 5000
void ignore_add(struct ignore *g, struct vy_str base, struct vy_str text);

bool ignore_match(const struct ignore *g, struct vy_str path, bool is_dir);

#endif

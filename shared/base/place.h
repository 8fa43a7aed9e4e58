/* place.h -- where a program's files are: vyred and its clients find the same place by the same words.
 *
 * Looks at the environment and the working folder; at files only to say whether a program is there.
 * Results are the caller's. */
#ifndef VY_PLACE_H
#define VY_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#define VY_PLACE_MAX 4096

/* `path` from the root on, without a slash at its end. */
char *vy_place_absolute(const char *path);

/* $NAME/tail, or $HOME/fallback/tail; a variable counts only when it is absolute, as XDG says. NULL
 * without a home. */
char *vy_place_xdg(const char *name, const char *fallback, const char *tail);

/* A program of ours that people do not call: where it stands in a build tree, beside the program that
 * asks or in an installation that was moved or made with another prefix, else where it was
 * installed. False: it is not there; `out` names the last place then. */
bool vy_place_helper(const char *program, char *out, size_t room);

/* May a program of that name be run from a folder of $PATH? */
bool vy_place_on_path(const char *program);

#endif

/* floor.h -- rows of the floor's table: a tool, what it is called with, and what is said to it. */
#ifndef TESTS_GUARD_FLOOR_H
#define TESTS_GUARD_FLOOR_H

#include <stddef.h>

struct floor_row {
	const char *tool;  /* NULL: Bash */
	const char *input; /* of Bash the command itself, else JSON */
	const char *want;  /* "": nothing; "rule": denied; "?rule": a person is asked */
};

/* Every row; fails with all that differ. The session is in /home/u/app, Vyre's state in
 * /home/u/.local/state/vyre, its configuration in /home/u/.config/vyre/own.conf, claude's in its
 * own place. */
void floor_check(const struct floor_row *rows, size_t n);

#endif

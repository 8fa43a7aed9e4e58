/* mdline.h -- one line of markdown source, before it is parsed: what it could be.
 *
 * For md.c, which has to say which lines a block came from, and mdtail.c, which has to see what a
 * line may still become. Offsets are into the source; "\n" ends a line and belongs to it. Pure. */
#ifndef VY_MDLINE_H
#define VY_MDLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/str.h"

size_t vy_mdline_start(struct vy_str src, size_t at); /* of the line that `at` is in */
size_t vy_mdline_next(struct vy_str src, size_t at);  /* start of the line behind it, or src.n */
struct vy_str vy_mdline_at(struct vy_str src, size_t start); /* the line, without its newline */

bool vy_mdline_is_blank(struct vy_str line);
size_t vy_mdline_indent(struct vy_str line); /* columns of blanks before the first mark */

/* What is left behind the marks of quotes and list items ("> - [ ] x" gives "[ ] x"). */
struct vy_str vy_mdline_bare(struct vy_str line);

struct vy_str vy_mdline_unquoted(struct vy_str line); /* behind blanks and ">" only */

/* Length of the run of backquotes or tildes if the bare line opens a fence, else 0. */
unsigned vy_mdline_fence(struct vy_str bare, char *fence);
bool vy_mdline_closes(struct vy_str bare, char fence, unsigned len);
bool vy_mdline_is_rule(struct vy_str bare);
bool vy_mdline_is_underline(struct vy_str bare); /* of a heading: only '=' or only '-' */
bool vy_mdline_is_delimiter(
	struct vy_str bare); /* of a table: only '|' ':' '-' and blanks, with "-" */

/* Bytes of the list mark at the start of `s` ("- ", "12. ", "-" at the end), 0 if none. */
size_t vy_mdline_mark(struct vy_str s);

#endif

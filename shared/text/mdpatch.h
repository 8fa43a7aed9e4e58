/* mdpatch.h -- the source as md4c 0.4 may be given it, and the way back for offsets.
 *
 * A copy with zeros behind it, since md4c reads a few bytes past the end; with marks for bad UTF-8,
 * since it reads further there, and for NUL; and with those table delimiters made longer that have one
 * or two dashes, which GitHub takes and md4c does not. Which lines are such is known after a parse:
 * paragraphs that look like tables. */
#ifndef VY_MDPATCH_H
#define VY_MDPATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/arena.h"
#include "shared/base/str.h"
#include "shared/text/md.h"

struct vy_mdpatch_cut {
	size_t at;    /* in the patched text: behind the bytes put in */
	size_t added; /* by all cuts up to and with this one */
};

struct vy_mdpatch {
	struct vy_str text; /* in the arena; never borrows the source */
	const struct vy_mdpatch_cut *cuts;
	size_t n;
};

/* Source offsets of the lines whose delimiters are lengthened, ascending; a value, zero is none. */
struct vy_mdpatch_lines {
	size_t *at;
	size_t n, cap;
};

void vy_mdpatch_make(struct vy_str src, const struct vy_mdpatch_lines *lines, struct vy_arena *a,
	struct vy_mdpatch *out);

/* Adds the lines to lengthen that this parse shows; false if it shows none. */
bool vy_mdpatch_find(
	struct vy_str src, const struct vy_md_doc *doc, struct vy_mdpatch_lines *lines);
/* Takes out the lines that did not become the delimiter of a table: they may be code now, and must
 * not differ from what was written. false if there are none. */
bool vy_mdpatch_drop(
	struct vy_str src, const struct vy_md_doc *doc, struct vy_mdpatch_lines *lines);
void vy_mdpatch_lines_fini(struct vy_mdpatch_lines *lines);

size_t vy_mdpatch_back(const struct vy_mdpatch *p, size_t at); /* patched offset to source offset */

#endif

/* hold_lines.h -- OUT records of a holder into lines, and the point that is safe to commit.
 *
 * Stdout and stderr share one offset and interleave inside lines, so "everything before offset n"
 * is not enough to go on exactly: the mark says for each stream how far its lines were handled.
 * `live` stores the mark and hold_attach gets mark.off, the lower of the two; fed from there, lines
 * that were handled are not given again and none is missed. Pure: a value, no fd, no clock. */
#ifndef HOLD_LINES_H
#define HOLD_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/cut.h"
#include "shared/base/err.h"
#include "shared/base/str.h"

struct hold_mark {
	uint64_t off;     /* read on from here; what is before may be acknowledged */
	uint64_t done[2]; /* stdout, stderr: handled up to here */
	bool skipping[2]; /* that is inside a line which was too long */
};

#define HOLD_MARK_LEN 48 /* of its text form, NUL included */

struct hold_line {
	int stream;         /* 1 stdout, 2 stderr */
	struct vy_str text; /* without newline; lent until the next call */
	bool too_long; /* text is the beginning of a line over the maximum, its rest is skipped */
};

struct hold_lines {
	struct vy_cut cut[2];
	uint64_t given[2]; /* before these, lines were handled in an earlier life */
	uint64_t start[2]; /* where the unfinished line of the stream begins */
	struct vy_str in;  /* what is not cut yet of the record fed last */
	int at;            /* its stream, as an index */
	uint64_t end;      /* offset after it */
};

void hold_lines_init(struct hold_lines *l, const struct hold_mark *from, size_t line_max);
void hold_lines_fini(struct hold_lines *l);

/* One record of on_out; then hold_lines_next until it says false, before `bytes` goes away. */
void hold_lines_feed(struct hold_lines *l, uint64_t off, int stream, struct vy_str bytes);
bool hold_lines_next(struct hold_lines *l, struct hold_line *out);
/* When the child is over: its last line, if it had no newline. Ask until false. */
bool hold_lines_rest(struct hold_lines *l, struct hold_line *out);

/* Valid when the line given last has been handled. */
struct hold_mark hold_lines_mark(const struct hold_lines *l);
void hold_mark_format(const struct hold_mark *m, char out[HOLD_MARK_LEN]);
VY_MUST_USE int hold_mark_parse(struct vy_str s, struct hold_mark *out, struct vy_err *e);

#endif

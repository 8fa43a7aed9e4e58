/* mdtail.h -- which part of a growing markdown text is settled, and how to show the rest.
 *
 * The text is cut at borders into pieces; each piece is parsed by itself and its rows never change
 * again, whatever follows. Only the tail behind the last border is parsed again, from
 * vy_mdtail_show(), which leaves out what is half typed: the head of a fence until its language is
 * known, a table until its second line is, an unfinished row, a link's target, a lone mark. A
 * finished text is cut the same way, so nothing moves when the last byte has come.
 * A long open fence is cut between its lines: what begins there is parsed behind the fence's
 * opening line (vy_mdtail_open) and goes on the code of the piece before.
 * (A link defined elsewhere, "[a]: url", therefore counts inside its piece only.) Pure. */
#ifndef VY_MDTAIL_H
#define VY_MDTAIL_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/buf.h"
#include "shared/base/str.h"

/* A value; zero is the start. Belongs to one text that only grows. */
struct vy_mdtail {
	size_t border; /* start of the tail: everything before is settled */
	size_t at;     /* lines before this were looked at */
	unsigned mode;
	bool has_text, after_blank; /* lines since the border; the last one */
	char fence;                 /* what closes the open fence */
	unsigned fence_len;
	size_t fence_at;     /* where its opening line begins */
	size_t open, open_n; /* the opening line of the fence the border stands in; none: 0 long */
	unsigned lines;      /* of the open fence since the border */
	size_t asked;        /* the last question to the parser was about this place */
	unsigned tries;      /* questions since the border */
	size_t patience;     /* no more of them before the tail is so long */
};

/* Goes on to the next border, if `text` has one: [old border, new border) is a settled piece.
 * Call until false. The borders depend on the text only, not on how it came. */
bool vy_mdtail_next(struct vy_mdtail *t, struct vy_str text);

/* What stands before the piece that begins at the border when it is parsed or shown: the opening
 * line of the fence it is in, newline included; mostly nothing. A slice of `text`. */
struct vy_str vy_mdtail_open(const struct vy_mdtail *t, struct vy_str text);

/* Is the tail a paragraph of one line, whatever the parser would say, and nothing but that yet? */
bool vy_mdtail_is_line(struct vy_str tail);

/* Appends to `out` the markdown to parse in place of `tail` while more may come. */
void vy_mdtail_show(struct vy_str tail, struct vy_buf *out);

#endif

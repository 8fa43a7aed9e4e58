/* json_twin.h -- reads lines that are like the one before in all but what some of their strings say.
 *
 * An agent that speaks prints such lines: nothing changes but the words and an id. A text that is
 * JSON stays JSON when what stands between the quotes of its string values is exchanged for other plain
 * characters (no quote, no backslash, no control byte, valid UTF-8), and it says the same but for those
 * strings. So where all bytes around them are the same, the tree of the line before says the new
 * one when its strings are reworded: a twentieth of the work, and no parser of our own, since
 * the first of the kind was read by vy_json_parse().
 *
 * One thread at a time. */
#ifndef VY_JSON_TWIN_H
#define VY_JSON_TWIN_H

#include "shared/base/json.h"

#define VY_JSON_TWIN_TEXT    2048 /* bytes: a longer one has no twin */
#define VY_JSON_TWIN_STRINGS 24   /* string values; one with more has none either */

struct vy_json_twin { /* all zero: none was read yet */
	struct vy_buf text;
	struct vy_json *tree; /* what `text` says */
	size_t n;
	struct vy_json_twin_string {
		size_t at, end; /* in `text`, between its quotes */
		struct vy_json *lent;
	} strings[VY_JSON_TWIN_STRINGS];
};

void vy_json_twin_fini(struct vy_json_twin *t);

/* What vy_json_parse_lenient() gives, and as owned. Only to be looked at: nothing in it may be changed.
 * It says what it does until the next call, and longer while a reference to it or to a part of it is held. */
struct vy_json *vy_json_twin_parse(struct vy_json_twin *t, struct vy_str text, struct vy_err *e);

#endif

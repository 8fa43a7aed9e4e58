/* scan.h -- reads JSON text in one pass without a tree: what makes a replay cheap.
 *
 * The caller walks the grammar; values it does not want are skipped and checked on the way, and
 * values it wants as they are come back as slices of the text. Strings without escapes are lent
 * from the text, others are written into the arena. It takes exactly what shared/base/json takes
 * (a fuzz target compares them), but for repeated keys, which are the caller's matter, and UTF-8,
 * which the caller checks once for the whole text. The first error stays: after it every call
 * says false. Pure. */
#ifndef VY_FRAME_SCAN_H
#define VY_FRAME_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/str.h"

struct vy_scan {
	const char *begin, *p, *end;
	struct vy_arena *a;
	const char *wrong; /* static words, NULL while all is well */
	int depth;         /* open brackets */
	bool fresh;        /* just behind a '{' or '[': the first member needs no comma */
};

void vy_scan_init(struct vy_scan *s, struct vy_str json, struct vy_arena *a);

/* The first character of the next value, or 0 at the end: '"', '{', '[', 't', 'f', 'n', '-', '0'… */
char vy_scan_peek(struct vy_scan *s);
/* Its type as the errors name it: "a string". */
const char *vy_scan_type(struct vy_scan *s);

bool vy_scan_open(struct vy_scan *s, char bracket); /* '{' or '[' */
/* The next member: false behind the last one, with the closing bracket eaten, or on an error. */
bool vy_scan_member(struct vy_scan *s, struct vy_str *key);
bool vy_scan_item(struct vy_scan *s);

bool vy_scan_str(struct vy_scan *s, struct vy_str *out);
bool vy_scan_int(struct vy_scan *s, int64_t *out); /* a whole number that fits */
bool vy_scan_bool(struct vy_scan *s, bool *out);
bool vy_scan_null(struct vy_scan *s);
bool vy_scan_raw(struct vy_scan *s, struct vy_str *out); /* any value; NULL: skip it */

bool vy_scan_end(struct vy_scan *s); /* nothing but blanks is left */

/* Is it one JSON value, UTF-8 and nested no deeper than VY_JSON_DEPTH? */
bool vy_scan_is_json(struct vy_str text);

#endif

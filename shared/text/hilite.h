/* hilite.h -- colours for code, one line at a time, from tables.
 *
 * Knows strings, comments, numbers, keywords, types and calls of the languages people paste; it
 * does not parse. What spans lines (a comment, a here-document) is carried in the state, a value
 * that can be kept per line so that a change re-colours from there on. Takes any bytes; a role
 * never begins or ends inside a character. Pure. */
#ifndef VY_HILITE_H
#define VY_HILITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/str.h"

enum vy_hilite_role {
	VY_HL_TEXT,
	VY_HL_COMMENT,
	VY_HL_STRING,
	VY_HL_ESCAPE, /* inside a string */
	VY_HL_NUMBER,
	VY_HL_KEYWORD,
	VY_HL_TYPE,
	VY_HL_FUNCTION,
	VY_HL_CONSTANT, /* true, null, NULL */
	VY_HL_VARIABLE, /* $x */
	VY_HL_PREPROC,  /* #include, @decorator, #[attribute] */
	VY_HL_TAG,      /* <div>, a CSS selector */
	VY_HL_KEY,      /* a key of JSON, YAML, TOML; an attribute's or property's name */
	VY_HL_PUNCT,
	VY_HL_HEADING, /* markdown, [section] */
	VY_HL_ADDED,
	VY_HL_REMOVED,
	VY_HL_META, /* @@ and file lines of a diff */
	VY_HL_COUNT
};

struct vy_hilite_span {
	uint32_t start, end;
	enum vy_hilite_role role;
};

struct vy_hilite_lang; /* a table, never freed */

/* What a line leaves for the next; zero at the top of a text. Compare with ==  on the fields. */
struct vy_hilite_state {
	uint8_t mode;   /* 0: plain code */
	uint8_t depth;  /* nested comments, hashes of a raw string */
	uint16_t stack; /* template strings around */
	uint32_t mark;  /* the end word of a here-document, hashed */
};

/* By the word behind a fence ("c++", "py", "sh"), case aside; NULL if unknown. */
const struct vy_hilite_lang *vy_hilite_lang(struct vy_str name);
const struct vy_hilite_lang *vy_hilite_lang_of_path(struct vy_str path);
const char *vy_hilite_name(const struct vy_hilite_lang *lang); /* "C++", for people */

#define VY_HILITE_LINE_MAX 8192 /* bytes of a line that are looked at */

/* Colours one line (without its newline): up to `max` spans, in order and without overlap; what
 * lies between them is TEXT. Returns how many. A line with more shows its rest as TEXT. */
size_t vy_hilite_line(const struct vy_hilite_lang *lang, struct vy_str line,
	struct vy_hilite_state *st, struct vy_hilite_span *spans, size_t max);

#endif

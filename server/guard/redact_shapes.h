/* redact_shapes.h -- what keys look like: what they begin with and what they are made of.
 *
 * A row is a prefix, the characters behind it, how few and how many (0: any number above), and what
 * must be among them. The prefix stands at the begin of a word, the key ends with the word. Pure. */
#ifndef GUARD_REDACT_SHAPES_H
#define GUARD_REDACT_SHAPES_H

#include <stdbool.h>
#include <stddef.h>

enum guard_alphabet {
	GUARD_ALNUM,
	GUARD_UPPER, /* and digits */
	GUARD_HEX,
	GUARD_URL,    /* base64url: alnum, "_" and "-" */
	GUARD_DOTTED, /* base64url and "." */
	GUARD_BASE64, /* alnum, "+", "/" and "=" */
	GUARD_DASHED, /* alnum and "-" */
	GUARD_PATH,   /* base64url and "/" */
	GUARD_TOKEN   /* what has no blank and no quote */
};

enum {
	GUARD_KEEP = 1, /* the prefix says what it is and stays */
	GUARD_DIGIT = 2 /* words of a language have none */
};

struct guard_shape {
	const char *name, *prefix;
	enum guard_alphabet alphabet;
	size_t min, max;
	unsigned flags;
};

extern const struct guard_shape
	guard_shapes[]; /* by prefix, in ASCII's order; ends with a NULL name */
extern const size_t guard_n_shapes;

extern const unsigned short guard_alphabets[256]; /* which a byte is in: 1 << alphabet */

static inline bool guard_is_in(enum guard_alphabet alphabet, char ch)
{
	return (guard_alphabets[(unsigned char)ch] >> alphabet) & 1;
}

#endif

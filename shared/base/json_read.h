/* json_read.h -- the quick way through JSON as programs write it; the inside of json.c.
 *
 * It reads what is plain (text in valid UTF-8, the short escapes, whole numbers of up to 18 digits)
 * in a fifth of jansson's time, into jansson's values. Whatever else it meets, a mistake among it,
 * it leaves to jansson: NULL is no verdict. What it takes, jansson reads the same: json_fuzz holds
 * one against the other. Pure. */
#ifndef VY_JSON_READ_H
#define VY_JSON_READ_H

#include "shared/base/err.h"
#include "shared/base/str.h"

struct vy_json;

/* Owned by the caller; NULL: ask jansson. */
struct vy_json *vy_json_read(struct vy_str s);

/* vy_json_parse() without it, for the test. */
struct vy_json *vy_json_parse_all(struct vy_str s, struct vy_err *e);

#endif

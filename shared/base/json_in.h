/* json_in.h -- what json_twin.c needs of json.c: a value as the one place that holds it. */
#ifndef VY_JSON_IN_H
#define VY_JSON_IN_H

#include "shared/base/json.h"

/* Nobody but its one holder can see it. */
bool vy_json_is_lone(const struct vy_json *v);

/* A string says this from now on: valid UTF-8 without NUL. */
void vy_json_reword(struct vy_json *v, struct vy_str text);

/* Length of the valid UTF-8 sequence that begins at p[0] (n > 0), or 0. */
size_t vy_json_utf8(const unsigned char *p, size_t n);

#endif

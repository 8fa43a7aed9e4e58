/* jw.h -- writes JSON straight into a buffer: the hot path's way (ten times jansson's speed).
 *
 * The caller keeps the grammar: begin, key, value, end. Commas are put by the writer. Strings
 * must be valid UTF-8 (the door is shared/text/utf8). What does not fit marks the buffer as over. */
#ifndef VY_JW_H
#define VY_JW_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/str.h"

struct vy_jw {
	struct vy_buf *b;
	bool comma; /* the next value needs one before it */
};

#define VY_JW(buf) ((struct vy_jw){ .b = (buf) })

void vy_jw_obj(struct vy_jw *w);
void vy_jw_end_obj(struct vy_jw *w);
void vy_jw_arr(struct vy_jw *w);
void vy_jw_end_arr(struct vy_jw *w);
void vy_jw_key_n(struct vy_jw *w, const char *key, size_t n);
void vy_jw_str(struct vy_jw *w, struct vy_str s);
void vy_jw_int(struct vy_jw *w, int64_t n);
void vy_jw_bool(struct vy_jw *w, bool b);
void vy_jw_null(struct vy_jw *w);
void vy_jw_raw(struct vy_jw *w, struct vy_str json); /* one whole value, already JSON */

/* Plain ASCII. Inline, as are the next: the length of a literal is known before the program runs. */
static inline void vy_jw_key(struct vy_jw *w, const char *key)
{
	vy_jw_key_n(w, key, strlen(key));
}

/* key and value in one */
static inline void vy_jw_kstr(struct vy_jw *w, const char *key, struct vy_str s)
{
	vy_jw_key(w, key);
	vy_jw_str(w, s);
}

static inline void vy_jw_kint(struct vy_jw *w, const char *key, int64_t n)
{
	vy_jw_key(w, key);
	vy_jw_int(w, n);
}

static inline void vy_jw_kbool(struct vy_jw *w, const char *key, bool b)
{
	vy_jw_key(w, key);
	vy_jw_bool(w, b);
}

#endif

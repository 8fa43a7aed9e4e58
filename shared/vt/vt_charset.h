/* vt_charset.h -- for vt*.c: the four character sets of a terminal and which one is in use. Pure.
 *
 * Known: ASCII (B), line drawing (0), United Kingdom (A); any other is taken for ASCII. Characters
 * beyond ASCII are UTF-8 whatever the set. */
#ifndef VY_VT_CHARSET_H
#define VY_VT_CHARSET_H

#include <stdbool.h>

#include "shared/base/buf.h"

struct vt_charset {
	char g[4];   /* designators of G0 to G3 */
	char gl;     /* which of them is in use */
	char single; /* 2 or 3: for the next character only; 0: none */
};

struct vt_charset vt_charset_default(void);
bool vt_charset_is_plain(const struct vt_charset *c);                  /* text needs no mapping */
void vt_charset_designate(struct vt_charset *c, char which, char set); /* ESC which set: ( ) * + */
bool vt_charset_shift(struct vt_charset *c, char final); /* ESC final; false if it is no shift */
/* Whole characters as they are to be shown, into out; takes a single shift away. */
void vt_charset_map(struct vt_charset *c, struct vy_str text, struct vy_buf *out);

#endif

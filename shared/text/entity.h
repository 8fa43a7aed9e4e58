/* entity.h -- "&amp;" and its like as characters. Pure. */
#ifndef VY_ENTITY_H
#define VY_ENTITY_H

#include <stdint.h>

#include "shared/base/str.h"

#define VY_ENTITY_MAX 50 /* bytes of the longest that markdown takes for one */

/* The character that a whole entity ("&eacute;", "&#233;", "&#xE9;") stands for; 0 when it is none
 * that is known. A number that is no character gives U+FFFD. What comes out is not safe for a
 * screen by itself ("&#27;" is ESC). */
uint32_t vy_entity(struct vy_str s);

#endif

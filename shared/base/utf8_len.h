/* utf8_len.h -- one character of UTF-8, for those below shared/text. */
#ifndef VY_UTF8_LEN_H
#define VY_UTF8_LEN_H

#include <stddef.h>

/* Length of the valid sequence at p (n > 0 bytes are there), or 0. */
static inline size_t vy_utf8_len(const char *at, size_t n)
{
	const unsigned char *p = (const unsigned char *)at;
	size_t len = p[0] < 0x80                   ? 1
		     : p[0] >= 0xC2 && p[0] < 0xE0 ? 2
		     : p[0] >= 0xE0 && p[0] < 0xF0 ? 3
		     : p[0] >= 0xF0 && p[0] < 0xF5 ? 4
						   : 0;

	if (len == 0 || len > n) {
		return 0;
	}
	for (size_t i = 1; i < len; i++) {
		if ((p[i] & 0xC0) != 0x80) {
			return 0;
		}
	}
	if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] >= 0xA0) ||
		(p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] >= 0x90)) {
		return 0;
	}
	return len;
}

#endif

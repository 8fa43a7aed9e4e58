/* numbers.h -- whole numbers and texts as few bytes, and a reader that believes none of them. Pure. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/str.h"

/* Seven bits a byte, the lowest first. */
static inline void number_add(struct vy_buf *b, uint64_t n)
{
	while (n >= 0x80) {
		vy_buf_addc(b, (char)(n | 0x80));
		n >>= 7;
	}
	vy_buf_addc(b, (char)n);
}

/* A negative one, small either way. */
static inline void number_add_signed(struct vy_buf *b, int64_t n)
{
	number_add(b, ((uint64_t)n << 1) ^ (uint64_t)(n >> 63));
}

static inline void number_add_str(struct vy_buf *b, struct vy_str s)
{
	number_add(b, s.n);
	vy_buf_addstr(b, s);
}

struct numbers {
	struct vy_str left;
	bool is_bad; /* stays: all that is read behind it is nothing */
};

static inline uint64_t number_read(struct numbers *r)
{
	uint64_t n = 0;

	for (unsigned shift = 0; r->left.n > 0 && shift < 64 && !r->is_bad; shift += 7) {
		unsigned char c = (unsigned char)r->left.p[0];

		r->left = vy_str_from(r->left, 1);
		n |= (uint64_t)(c & 0x7f) << shift;
		if (c < 0x80) {
			return n;
		}
	}
	r->is_bad = true;
	return 0;
}

static inline int64_t number_read_signed(struct numbers *r)
{
	uint64_t n = number_read(r);

	return (int64_t)(n >> 1) ^ -(int64_t)(n & 1);
}

static inline struct vy_str number_read_str(struct numbers *r)
{
	uint64_t n = number_read(r);
	struct vy_str s;

	if (r->is_bad || n > r->left.n) {
		r->is_bad = true;
		return vy_str_n(NULL, 0);
	}
	s = vy_str_n(r->left.p, (size_t)n);
	r->left = vy_str_from(r->left, (size_t)n);
	return s;
}

#endif

/* buf.h -- owned bytes that grow up to a maximum given at birth.
 *
 * Always NUL-terminated once anything was added, so data may be read as a C string. Adding past
 * the maximum adds nothing, marks the buffer as over and returns false; vy_buf_is_over() may be
 * asked once at the end instead of after each call. Init/fini; storage is the caller's. */
#ifndef VY_BUF_H
#define VY_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "shared/base/err.h"
#include "shared/base/str.h"

struct vy_buf {
	char *data; /* NULL while nothing was added */
	size_t len, cap, max;
	bool over;
};

#define VY_BUF_INIT(maximum) ((struct vy_buf){ .max = (maximum) })
#define VY_AUTO_BUF          __attribute__((cleanup(vy_buf_fini))) struct vy_buf

void vy_buf_init(struct vy_buf *b, size_t max);
void vy_buf_fini(struct vy_buf *b);  /* frees; the buffer may be used again */
void vy_buf_clear(struct vy_buf *b); /* empty, memory kept */
bool vy_buf_add_more(struct vy_buf *b, const void *p, size_t n); /* the long way of vy_buf_add */
bool vy_buf_adds(struct vy_buf *b, const char *s);               /* NULL adds nothing */
bool vy_buf_addf(struct vy_buf *b, const char *fmt, ...) VY_PRINTF(2, 3);
bool vy_buf_addv(struct vy_buf *b, const char *fmt, va_list ap) VY_PRINTF(2, 0);
bool vy_buf_reserve(struct vy_buf *b, size_t n); /* room for n more bytes at data+len */
void vy_buf_consume(struct vy_buf *b, size_t n); /* drops n bytes from the front */
void vy_buf_truncate(struct vy_buf *b, size_t len);
char *vy_buf_take(struct vy_buf *b, size_t *len); /* hands over; "" when empty; free() it */
const char *vy_buf_c(const struct vy_buf *b);     /* borrow; "" when empty */

static inline bool vy_buf_add(struct vy_buf *b, const void *p, size_t n)
{
	if (n == 0 || n >= b->cap - b->len) {
		return vy_buf_add_more(b, p, n);
	}
	memcpy(b->data + b->len, p, n);
	b->len += n;
	b->data[b->len] = '\0';
	return true;
}

static inline bool vy_buf_addc(struct vy_buf *b, char c)
{
	return vy_buf_add(b, &c, 1);
}

static inline bool vy_buf_addstr(struct vy_buf *b, struct vy_str s)
{
	return vy_buf_add(b, s.p, s.n);
}

static inline bool vy_buf_is_over(const struct vy_buf *b)
{
	return b->over;
}

static inline struct vy_str vy_buf_str(const struct vy_buf *b)
{
	return vy_str_n(b->data, b->len);
}

/* Whole decimal number and nothing else; false leaves *out alone. */
bool vy_parse_i64(struct vy_str s, long long *out);

#endif

/* buf.c -- see buf.h. */
#include "shared/base/buf.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

void vy_buf_init(struct vy_buf *b, size_t max)
{
	*b = VY_BUF_INIT(max);
}

void vy_buf_fini(struct vy_buf *b)
{
	size_t max = b->max;

	free(b->data);
	*b = VY_BUF_INIT(max);
}

void vy_buf_clear(struct vy_buf *b)
{
	vy_buf_truncate(b, 0);
	b->over = false;
}

bool vy_buf_reserve(struct vy_buf *b, size_t n)
{
	if (n > b->max || b->len > b->max - n) {
		b->over = true;
		return false;
	}
	size_t need = b->len + n + 1;

	if (need > b->cap) {
		size_t cap = b->cap ? b->cap : 64;

		while (cap < need) {
			cap += cap / 2 + 16;
		}
		if (cap > b->max) { /* so that what fits the memory is allowed, too */
			cap = b->max + 1;
		}
		b->data = vy_realloc(b->data, cap);
		b->cap = cap;
		b->data[b->len] = '\0';
	}
	return true;
}

bool vy_buf_add_more(struct vy_buf *b, const void *p, size_t n)
{
	if (!vy_buf_reserve(b, n)) {
		return false;
	}
	if (n) {
		memcpy(b->data + b->len, p, n);
	}
	b->len += n;
	b->data[b->len] = '\0';
	return true;
}

bool vy_buf_adds(struct vy_buf *b, const char *s)
{
	return !s || vy_buf_add(b, s, strlen(s));
}

bool vy_buf_addv(struct vy_buf *b, const char *fmt, va_list ap)
{
	va_list again;
	char small[256];

	va_copy(again, ap);
	int n = vsnprintf(small, sizeof(small), fmt, ap);
	bool ok = n >= 0;

	if (ok && (size_t)n < sizeof(small)) {
		ok = vy_buf_add(b, small, (size_t)n);
	} else if (ok && (ok = vy_buf_reserve(b, (size_t)n))) {
		vsnprintf(b->data + b->len, (size_t)n + 1, fmt, again);
		b->len += (size_t)n;
	}
	va_end(again);
	return ok;
}

bool vy_buf_addf(struct vy_buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	bool ok = vy_buf_addv(b, fmt, ap);

	va_end(ap);
	return ok;
}

void vy_buf_consume(struct vy_buf *b, size_t n)
{
	vy_assert(n <= b->len);
	if (n == 0) {
		return;
	}
	memmove(b->data, b->data + n, b->len - n);
	vy_buf_truncate(b, b->len - n);
}

void vy_buf_truncate(struct vy_buf *b, size_t len)
{
	vy_assert(len <= b->len);
	b->len = len;
	if (b->data) {
		b->data[len] = '\0';
	}
}

char *vy_buf_take(struct vy_buf *b, size_t *len)
{
	char *p = b->data ? b->data : vy_strdup("");

	if (len) {
		*len = b->len;
	}
	b->data = NULL;
	vy_buf_fini(b);
	return p;
}

const char *vy_buf_c(const struct vy_buf *b)
{
	return b->data ? b->data : "";
}

bool vy_parse_i64(struct vy_str s, long long *out)
{
	bool neg = s.n && s.p[0] == '-';
	unsigned long long v = 0, top = neg ? (unsigned long long)LLONG_MAX + 1 : LLONG_MAX;

	if (s.n == (size_t)neg) {
		return false;
	}
	for (size_t i = neg; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9') {
			return false;
		}
		unsigned d = (unsigned)(s.p[i] - '0');

		if (v > (top - d) / 10) {
			return false;
		}
		v = v * 10 + d;
	}
	*out = neg ? (v == top ? LLONG_MIN : -(long long)v) : (long long)v;
	return true;
}

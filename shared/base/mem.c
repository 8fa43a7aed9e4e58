/* mem.c -- see mem.h. */
#include "shared/base/mem.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/ban.h"

static void *or_end(void *p, size_t n)
{
	if (!p) {
		fprintf(stderr, "vyre: out of memory (%zu bytes)\n", n);
		abort();
	}
	return p;
}

void *vy_alloc(size_t n)
{
	return or_end(calloc(1, n ? n : 1), n);
}

void *vy_calloc(size_t count, size_t size)
{
	return or_end(calloc(count ? count : 1, size ? size : 1), count);
}

void *vy_realloc(void *p, size_t n)
{
	return or_end(realloc(p, n ? n : 1), n);
}

void *vy_grow(void *p, size_t *cap, size_t need, size_t size)
{
	if (need <= *cap) {
		return p;
	}
	size_t n = *cap ? *cap : 8;

	while (n < need) {
		n *= 2;
	}
	vy_assert(n <= SIZE_MAX / size);
	p = vy_realloc(p, n * size);
	memset((char *)p + *cap * size, 0, (n - *cap) * size);
	*cap = n;
	return p;
}

char *vy_strdup(const char *s)
{
	return s ? vy_memdup0(s, strlen(s)) : NULL;
}

char *vy_memdup0(const void *p, size_t n)
{
	char *d = vy_alloc(n + 1);

	if (n) {
		memcpy(d, p, n);
	}
	return d;
}

void vy_wipe(void *p, size_t n)
{
	explicit_bzero(p, n);
}

void vy_mem_give_back(void)
{
	malloc_trim(0);
}

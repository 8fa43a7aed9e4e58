/* arena.c -- see arena.h. Blocks are chained, each at least twice the one before up to 1 MiB. */
#include "shared/base/arena.h"

#include <stdarg.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define FIRST_BLOCK 4096
#define LARGE_BLOCK (1024 * 1024)

struct vy_arena_block {
	struct vy_arena_block *next;
	size_t cap, used;
	alignas(max_align_t) char data[];
};

void vy_arena_init(struct vy_arena *a)
{
	*a = (struct vy_arena){ 0 };
}

static void free_after(struct vy_arena_block *b)
{
	while (b) {
		struct vy_arena_block *next = b->next;

		free(b);
		b = next;
	}
}

void vy_arena_fini(struct vy_arena *a)
{
	free_after(a->head);
	vy_arena_init(a);
}

void vy_arena_reset(struct vy_arena *a)
{
	struct vy_arena_block *keep = a->head;

	if (!keep) {
		return;
	}
	free_after(keep->next);
	if (keep->cap > LARGE_BLOCK) { /* one huge parse must not pin its memory */
		free(keep);
		keep = NULL;
	} else {
		keep->next = NULL;
		memset(keep->data, 0, keep->used);
		keep->used = 0;
	}
	a->head = keep;
	a->used = 0;
}

static void add_block(struct vy_arena *a, size_t need)
{
	size_t cap = a->head ? a->head->cap * 2 : FIRST_BLOCK;

	if (cap > LARGE_BLOCK) {
		cap = LARGE_BLOCK;
	}
	if (cap < need) {
		cap = need;
	}
	struct vy_arena_block *b = vy_alloc(sizeof(*b) + cap);

	b->cap = cap;
	b->next = a->head;
	a->head = b;
}

void *vy_arena_alloc(struct vy_arena *a, size_t n)
{
	size_t align = alignof(max_align_t);

	vy_assert(n < SIZE_MAX / 2);
	n = (n + align - 1) / align * align;
	if (!a->head || a->head->cap - a->head->used < n) {
		add_block(a, n);
	}
	void *p = a->head->data + a->head->used;

	a->head->used += n;
	a->used += n;
	return p;
}

void *vy_arena_calloc(struct vy_arena *a, size_t count, size_t size)
{
	vy_assert(size == 0 || count <= SIZE_MAX / 2 / size);
	return vy_arena_alloc(a, count * size);
}

char *vy_arena_dup(struct vy_arena *a, const char *p, size_t n)
{
	char *d = vy_arena_alloc(a, n + 1);

	if (n) {
		memcpy(d, p, n);
	}
	return d;
}

struct vy_str vy_arena_str(struct vy_arena *a, struct vy_str s)
{
	return vy_str_n(vy_arena_dup(a, s.p, s.n), s.n);
}

char *vy_arena_printf(struct vy_arena *a, const char *fmt, ...)
{
	va_list ap, again;

	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);

	va_end(ap);
	vy_assert(n >= 0);
	char *p = vy_arena_alloc(a, (size_t)n + 1);

	vsnprintf(p, (size_t)n + 1, fmt, again);
	va_end(again);
	return p;
}

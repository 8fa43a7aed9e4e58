/* arena.h -- memory that is given back all at once: one per render, one per parse, one per request.
 *
 * What it hands out lives until vy_arena_reset or vy_arena_fini. Zeroed, aligned for any type. */
#ifndef VY_ARENA_H
#define VY_ARENA_H

#include <stddef.h>

#include "shared/base/err.h"
#include "shared/base/str.h"

struct vy_arena_block;

struct vy_arena {
	struct vy_arena_block *head; /* newest block first */
	size_t used;                 /* bytes handed out since the last reset */
};

void vy_arena_init(struct vy_arena *a);
void vy_arena_fini(struct vy_arena *a);
void vy_arena_reset(struct vy_arena *a); /* keeps the first block's memory */
void *vy_arena_alloc(struct vy_arena *a, size_t n) VY_NEVER_NULL;
void *vy_arena_calloc(struct vy_arena *a, size_t count, size_t size) VY_NEVER_NULL;
char *vy_arena_dup(struct vy_arena *a, const char *p, size_t n); /* n bytes and a NUL */
struct vy_str vy_arena_str(struct vy_arena *a, struct vy_str s);
char *vy_arena_printf(struct vy_arena *a, const char *fmt, ...) VY_PRINTF(2, 3);

#define VY_ARENA_NEW(a, type) ((type *)vy_arena_alloc((a), sizeof(type)))

#endif

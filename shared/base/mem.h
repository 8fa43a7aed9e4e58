/* mem.h -- memory that never says no: out of memory ends the process.
 *
 * The log is durable and a start is cheap, so ending is the safe answer; input cannot cause it,
 * since every buffer has a maximum (limits.h). Every heap object that callbacks can reach begins
 * with VY_MAGIC and is checked at its doors, so a use after free stops there. */
#ifndef VY_MEM_H
#define VY_MEM_H

#include <stddef.h>
#include <stdint.h>

#include "shared/base/err.h"

void *vy_alloc(size_t n) VY_NEVER_NULL;                   /* zeroed */
void *vy_calloc(size_t count, size_t size) VY_NEVER_NULL; /* zeroed; overflow ends the process */
void *vy_realloc(void *p, size_t n) VY_NEVER_NULL;
void *vy_grow(void *p, size_t *cap, size_t need, size_t size); /* array of `size`d items, doubled */
char *vy_strdup(const char *s);                                /* NULL in, NULL out */
char *vy_memdup0(const void *p, size_t n);                     /* n bytes and a NUL */
void vy_wipe(void *p, size_t n);                               /* zero that the compiler keeps */

/* Freed memory goes back to the system now: when work is over, it may take a ms. */
void vy_mem_give_back(void);

#define VY_NEW(type) ((type *)vy_alloc(sizeof(type)))

#define VY_MAGIC           uint32_t magic
#define VY_MAGIC_SET(o, m) ((o)->magic = (m))
#define VY_MAGIC_CLEAR(o)  ((o)->magic = 0xDEADBEEFu)
#define VY_CHECK(o, m)     vy_assert((o) != NULL && (o)->magic == (m))

#endif

/* grid_pool.c -- see grid_pool.h. */
#include "shared/vt/grid_pool.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

struct grid_pool_entry {
	UT_hash_handle hh;
	uint32_t number;
	bool is_marked;
	size_t n;
	char text[];
};

void grid_pool_init(struct grid_pool *p, size_t max)
{
	*p = (struct grid_pool){ .max = max };
}

void grid_pool_fini(struct grid_pool *p)
{
	HASH_CLEAR(hh, p->by_key);
	for (size_t i = 0; i < p->n; i++) {
		free(p->slots[i]);
	}
	free(p->slots);
	free(p->free);
}

static bool take_slot(struct grid_pool *p, uint32_t *number)
{
	if (p->free_n > 0) {
		*number = p->free[--p->free_n];
		return true;
	}
	if (p->n == p->max) {
		return false;
	}
	p->slots = vy_grow(p->slots, &p->cap, p->n + 1, sizeof(struct grid_pool_entry *));
	*number = (uint32_t)p->n++;
	return true;
}

bool grid_pool_add(struct grid_pool *p, struct vy_str s, uint32_t *number)
{
	struct grid_pool_entry *e = NULL;

	HASH_FIND(hh, p->by_key, s.p, s.n, e);
	if (e) {
		*number = e->number;
		return true;
	}
	if (!take_slot(p, number)) {
		return false;
	}
	e = vy_alloc(sizeof(*e) + s.n + 1);
	memcpy(e->text, s.p, s.n);
	e->n = s.n;
	e->number = *number;
	p->slots[*number] = e;
	HASH_ADD_KEYPTR(hh, p->by_key, e->text, e->n, e);
	return true;
}

struct vy_str grid_pool_get(const struct grid_pool *p, uint32_t number)
{
	if (number >= p->n || !p->slots[number]) {
		return vy_str_n(NULL, 0);
	}
	return vy_str_n(p->slots[number]->text, p->slots[number]->n);
}

/* A screen that is really full of different ones must not sweep at every glyph. */
bool grid_pool_wants_sweep(struct grid_pool *p)
{
	if (p->rest > 0) {
		p->rest--;
		return false;
	}
	p->rest = p->max;
	return true;
}

void grid_pool_mark(struct grid_pool *p, uint32_t number)
{
	if (number < p->n && p->slots[number]) {
		p->slots[number]->is_marked = true;
	}
}

void grid_pool_sweep(struct grid_pool *p)
{
	for (size_t i = 0; i < p->n; i++) {
		struct grid_pool_entry *e = p->slots[i];

		if (e && !e->is_marked) {
			HASH_DEL(p->by_key, e);
			free(e);
			p->slots[i] = NULL;
			p->free = vy_grow(p->free, &p->free_cap, p->free_n + 1, sizeof(*p->free));
			p->free[p->free_n++] = (uint32_t)i;
		} else if (e) {
			e->is_marked = false;
		}
	}
	if (p->free_n > p->max / 8) {
		p->rest = 0;
	}
}

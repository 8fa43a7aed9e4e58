/* cell_pool.c -- what grids share: clusters too long for a cell, and link addresses.
 *
 * Two tables of the same shape: an entry is found by its bytes (hash) and by its number (array).
 * Nothing is ever taken out, so a number in any grid stays good; both tables are bounded, and a
 * full one is answered by showing less (a bare letter, text without its link), never by growing. */
#include "tui/ink/cell_pool.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "tui/ink/cell_rows.h"
#include "shared/base/ban.h"

#define CLUSTERS_MAX 65536
#define LINKS_MAX    65535
#define URL_MAX      2048

struct entry {
	UT_hash_handle hh;
	uint32_t number;
	size_t n;     /* of what the number stands for */
	size_t key_n; /* of what it is found by: for links, the address and the id */
	char key[];
};

struct table {
	struct entry *by_key;
	struct entry **by_number;
	size_t n, cap, max;
};

struct cell_pool {
	struct vy_width width;
	bool is_straight;
	struct table clusters, links;
	uint64_t number; /* the newest */
};

struct cell_pool *cell_pool_new(struct vy_width width)
{
	struct cell_pool *p = VY_NEW(struct cell_pool);

	p->width = width;
	p->number = CELL_NUMBER_BLANK;
	p->clusters.max = CLUSTERS_MAX;
	p->links.max = LINKS_MAX;
	return p;
}

static void table_fini(struct table *t)
{
	HASH_CLEAR(hh, t->by_key);
	for (size_t i = 0; i < t->n; i++) {
		free(t->by_number[i]);
	}
	free(t->by_number);
}

void cell_pool_free(struct cell_pool *p)
{
	if (!p) {
		return;
	}
	table_fini(&p->clusters);
	table_fini(&p->links);
	free(p);
}

struct vy_width cell_pool_width(const struct cell_pool *p)
{
	return p->width;
}

void cell_pool_set_straight(struct cell_pool *p, bool is_straight)
{
	p->is_straight = is_straight;
}

bool cell_pool_is_straight(const struct cell_pool *p)
{
	return p->is_straight;
}

uint64_t cell_number(struct cell_pool *p)
{
	return ++p->number;
}

/* The entry with this key, made when it is new; NULL when the table is full. */
static struct entry *table_get(struct table *t, struct vy_str key, size_t n)
{
	struct entry *e = NULL;

	HASH_FIND(hh, t->by_key, key.p, key.n, e);
	if (e || t->n == t->max) {
		return e;
	}
	e = vy_alloc(sizeof(*e) + key.n + 1);
	memcpy(e->key, key.p, key.n);
	e->key_n = key.n;
	e->n = n;
	e->number = (uint32_t)t->n;
	t->by_number = vy_grow(t->by_number, &t->cap, t->n + 1, sizeof(struct entry *));
	t->by_number[t->n++] = e;
	HASH_ADD_KEYPTR(hh, t->by_key, e->key, e->key_n, e);
	return e;
}

bool cell_pool_cluster(struct cell_pool *p, struct vy_str text, uint32_t *number)
{
	struct entry *e = table_get(&p->clusters, text, text.n);

	if (e) {
		*number = e->number;
	}
	return e != NULL;
}

struct vy_str cell_pool_text(const struct cell_pool *p, uint32_t number)
{
	const struct table *t = &p->clusters;

	if (number >= t->n) {
		return vy_str_n(NULL, 0);
	}
	return vy_str_n(t->by_number[number]->key, t->by_number[number]->n);
}

uint16_t cell_link(struct cell_pool *p, struct vy_str url, const char *id)
{
	VY_AUTO_BUF key = VY_BUF_INIT(3 * URL_MAX + VY_CLUSTER_MAX);

	if (url.n == 0 || url.n > URL_MAX) {
		return 0;
	}
	for (size_t i = 0; i < url.n; i++) {
		unsigned char c = (unsigned char)url.p[i];

		if (c <= 0x20 || c >= 0x7f) { /* OSC 8 takes printable ASCII only */
			vy_buf_addf(&key, "%%%02X", c);
		} else {
			vy_buf_addc(&key, (char)c);
		}
	}
	size_t n = key.len;

	vy_buf_addc(&key, '\0');
	vy_buf_adds(&key, id);
	if (vy_buf_is_over(&key)) {
		return 0;
	}
	struct entry *e = table_get(&p->links, vy_buf_str(&key), n);

	return e ? (uint16_t)(e->number + 1) : 0;
}

struct vy_str cell_link_url(const struct cell_pool *p, uint16_t link)
{
	const struct table *t = &p->links;

	if (link == 0 || link > t->n) {
		return vy_str_n(NULL, 0);
	}
	return vy_str_n(t->by_number[link - 1]->key, t->by_number[link - 1]->n);
}

/* crowd.c -- see crowd.h. */
#include "server/term/crowd.h"

#include <string.h>

#include "shared/base/err.h"
#include "shared/base/ban.h"

static struct crowd_one *find(struct crowd *c, unsigned id)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->all[i].id == id) {
			return &c->all[i];
		}
	}
	return NULL;
}

bool crowd_add(struct crowd *c, unsigned id, bool claims_keys)
{
	vy_assert(id != 0 && !find(c, id));
	if (c->n == CROWD_MAX) {
		return false;
	}
	c->all[c->n++] = (struct crowd_one){ .id = id };
	if (!c->keys || (claims_keys && !c->is_taken)) {
		c->keys = id;
		c->is_taken = claims_keys;
	}
	return true;
}

void crowd_del(struct crowd *c, unsigned id)
{
	struct crowd_one *one = find(c, id);

	vy_assert(one != NULL);
	memmove(one, one + 1, (size_t)(&c->all[--c->n] - one) * sizeof(*one));
	if (c->keys == id) {
		c->keys = c->n == 1 ? c->all[0].id : 0; /* one alone has nobody to ask */
		c->is_taken = false;
	}
	c->taken = c->taken == id ? 0 : c->taken;
}

void crowd_resize(struct crowd *c, unsigned id, unsigned cols, unsigned rows)
{
	struct crowd_one *one = find(c, id);

	vy_assert(one != NULL);
	one->cols = cols;
	one->rows = rows;
}

void crowd_take(struct crowd *c, unsigned id)
{
	vy_assert(find(c, id) != NULL);
	c->keys = c->taken = id;
	c->is_taken = true;
}

bool crowd_has_keys(const struct crowd *c, unsigned id)
{
	return c->keys == id;
}

bool crowd_size(const struct crowd *c, unsigned *cols, unsigned *rows)
{
	bool is_alone = false;

	for (size_t i = 0; i < c->n; i++) {
		is_alone |= c->all[i].id == c->taken && c->all[i].cols;
	}
	*cols = *rows = 0;
	for (size_t i = 0; i < c->n; i++) {
		const struct crowd_one *one = &c->all[i];

		if (!one->cols || (is_alone && one->id != c->taken)) {
			continue;
		}
		*cols = !*cols || one->cols < *cols ? one->cols : *cols;
		*rows = !*rows || one->rows < *rows ? one->rows : *rows;
	}
	return *cols != 0;
}

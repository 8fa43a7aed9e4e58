/* places.c -- see places.h. */
#include "tui/app/places.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

static void drop(struct places *p, size_t i)
{
	free(p->v[i].session);
	transcript_place_fini(&p->v[i].at);
	p->n--;
	memmove(&p->v[i], &p->v[i + 1], (p->n - i) * sizeof(p->v[0]));
}

void places_fini(struct places *p)
{
	while (p->n) {
		drop(p, p->n - 1);
	}
}

static size_t index_of(const struct places *p, const char *session)
{
	size_t i = 0;

	while (i < p->n && strcmp(p->v[i].session, session) != 0) {
		i++;
	}
	return i;
}

void places_keep(struct places *p, const char *session, struct transcript_place *own_at)
{
	size_t i = index_of(p, session);

	if (i < p->n) {
		drop(p, i);
	}
	if (!own_at->key) {
		return;
	}
	if (p->n == PLACES_MAX) {
		drop(p, 0);
	}
	p->v[p->n++] = (struct places_one){ vy_strdup(session), *own_at };
	*own_at = (struct transcript_place){ 0 };
}

const struct transcript_place *places_find(const struct places *p, const char *session)
{
	size_t i = index_of(p, session);

	return i < p->n ? &p->v[i].at : NULL;
}

/* slides.c -- see slides.h. */
#include "tui/view/slides.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

void slides_fini(struct slides *s)
{
	while (s->n) {
		free(s->v[--s->n].key);
	}
}

static size_t place_of(const struct slides *s, struct vy_str key, int slide)
{
	size_t i = 0;

	while (i < s->n && (s->v[i].slide != slide || !vy_str_is(key, s->v[i].key))) {
		i++;
	}
	return i;
}

int slides_get(const struct slides *s, struct vy_str key, int slide)
{
	size_t i = s->n ? place_of(s, key, slide) : 0;

	return i < s->n ? s->v[i].shift : 0;
}

static void drop(struct slides *s, size_t i)
{
	free(s->v[i].key);
	s->n--;
	memmove(&s->v[i], &s->v[i + 1], (s->n - i) * sizeof(s->v[0]));
}

void slides_set(struct slides *s, struct vy_str key, int slide, int shift)
{
	size_t i = place_of(s, key, slide);

	if (i < s->n) {
		drop(s, i);
	}
	if (shift <= 0) {
		return;
	}
	if (s->n == SLIDES_MAX) {
		drop(s, 0);
	}
	s->v[s->n++] = (struct slid){ vy_memdup0(key.p, key.n), slide, shift };
}

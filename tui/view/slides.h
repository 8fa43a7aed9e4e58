/* slides.h -- how far the blocks of code of a session's rows have slid (block/slide.h).
 *
 * By the row's key and which of its blocks it is, so it holds whatever is laid out anew. Of many
 * the ones that were moved first are forgotten: their code is seen from its beginning again. Pure. */
#ifndef VIEW_SLIDES_H
#define VIEW_SLIDES_H

#include <stddef.h>

#include "shared/base/str.h"

#define SLIDES_MAX 64

struct slides {
	struct slid {
		char *key; /* owned */
		int slide, shift;
	} v[SLIDES_MAX];
	size_t n;
};

void slides_fini(struct slides *s); /* none has slid; may be used again. Zeroed is empty too */
int slides_get(const struct slides *s, struct vy_str key, int slide);
void slides_set(struct slides *s, struct vy_str key, int slide, int shift);

#endif

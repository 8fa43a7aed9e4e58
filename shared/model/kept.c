/* kept.c -- see kept.h. */
#include "shared/model/kept.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

bool vy_kept_add(struct vy_kept_list *list, size_t *bytes, size_t most, const struct vy_kept *like,
	struct vy_str item)
{
	struct vy_kept *k;

	if (*bytes + item.n > most) {
		return false;
	}
	k = vy_alloc(sizeof(*k) + item.n);
	*k = (struct vy_kept){ .seq = like->seq,
		.of = like->of,
		.type = vy_strdup(like->type ? like->type : ""),
		.n = item.n };
	memcpy(k->item, item.p, item.n);
	*bytes += item.n;
	STAILQ_INSERT_TAIL(list, k, link);
	return true;
}

void vy_kept_drop_first(struct vy_kept_list *list, size_t *bytes)
{
	struct vy_kept *k = STAILQ_FIRST(list);

	STAILQ_REMOVE_HEAD(list, link);
	*bytes -= k->n;
	free((char *)k->type);
	free(k);
}

struct vy_kept *vy_kept_of(const struct vy_kept_list *list, const void *of)
{
	struct vy_kept *k;

	STAILQ_FOREACH (k, list, link) {
		if (k->of == of) {
			return k;
		}
	}
	return NULL;
}

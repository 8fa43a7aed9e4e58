/* kept.h -- items that wait, in the order they came, as bytes of their own. For follow.c alone.
 *
 * Several lists may share one count of bytes, which bounds them together. Pure. */
#ifndef VY_MODEL_KEPT_H
#define VY_MODEL_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "shared/base/str.h"

struct vy_kept {
	int64_t seq;
	const void *of; /* whose it is; NULL: nobody's */
	const char *type;
	STAILQ_ENTRY(vy_kept) link;
	size_t n;
	char item[];
};
STAILQ_HEAD(vy_kept_list, vy_kept);

/* False, and nothing is kept: they would be over `most`. */
bool vy_kept_add(struct vy_kept_list *list, size_t *bytes, size_t most, const struct vy_kept *like,
	struct vy_str item);
void vy_kept_drop_first(struct vy_kept_list *list, size_t *bytes);
struct vy_kept *vy_kept_of(const struct vy_kept_list *list, const void *of); /* or NULL */

#endif

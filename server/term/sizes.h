/* sizes.h -- which size a terminal had from which offset on.
 *
 * A size is part of what an emulator is fed: it changes between the same two bytes for everybody, the
 * shadow too. The list begins with the size at the ring's floor and grows at the end; entries have
 * numbers, so a reader knows which it had. A size stands before it holds: until sizes_settle() nobody is to go past
 * it (it is not committed yet). Pure. */
#ifndef TERM_SIZES_H
#define TERM_SIZES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/json.h"

#define SIZES_MAX 256 /* more: the oldest has to leave the ring (sizes_is_full) */

struct size {
	uint64_t offset;
	unsigned cols, rows;
};

struct sizes {
	struct size first;  /* at the floor */
	struct size *later; /* in order */
	size_t n, cap;
	uint64_t no;      /* of later[0] */
	uint64_t settled; /* entries before this number hold */
};

void sizes_init(struct sizes *s, struct size first);
void sizes_fini(struct sizes *s);

/* Only while there is room: let the oldest go first. */
void sizes_add(struct sizes *s, struct size size);
bool sizes_is_full(const struct sizes *s);
void sizes_settle(struct sizes *s); /* all that stand there hold */

struct size sizes_last(const struct sizes *s);
/* With all that are at `offset` or before. */
struct size sizes_at(const struct sizes *s, uint64_t offset);
/* The number of the first that is past `offset`. */
uint64_t sizes_past(const struct sizes *s, uint64_t offset);
/* The one of that number, NULL past the last; *holds: it is settled. */
const struct size *sizes_get(const struct sizes *s, uint64_t no, bool *holds);

/* The oldest leaves the list: from now on it is the size at the floor. */
void sizes_shift(struct sizes *s);

/* [[offset, cols, rows], …], the first among them; owned. false: that is no such list. */
struct vy_json *sizes_encode(const struct sizes *s);
bool sizes_decode(struct sizes *s, const struct vy_json *list);

#endif

/* stores.h -- the store as vyred opens it: to work with, else, when it is damaged, to be read. */
#ifndef STORES_H
#define STORES_H

#include "shared/base/buf.h"
#include "shared/base/err.h"

struct log_store;
struct vy_loop;
struct work;

/* `damaged` says why when it may only be read, else it is VY_OK. NULL: with what can be done, when
 * nothing in it can be read. */
VY_MUST_USE struct log_store *stores_open(const char *state_dir, struct vy_loop *loop,
	struct work *work, struct vy_err *damaged, struct vy_err *e);

/* What can be done about a damaged one: a sentence. */
void stores_remedy(const char *state_dir, struct vy_buf *out);

#endif

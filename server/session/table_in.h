/* table_in.h -- what the table's files share: its entries (table*.c alone). */
#ifndef TABLE_IN_H
#define TABLE_IN_H

#include <uthash.h>

#include "server/session/table.h"
#include "shared/base/hash.h"

struct table_entry {
	char id[VY_UUID_LEN + 1];
	struct session *session;
	UT_hash_handle hh;
};

struct table {
	struct table_conf conf;
	struct table_entry *entries; /* by id */
	struct slots *slots;
};

struct session *table_keep(struct table *t, struct session *own); /* from now on the table's */
void table_drop(struct table *t, struct session *own);            /* out of memory, and no more */
void table_go_on_deleting(struct table *t); /* what an earlier vyred had begun */
void table_slots_open(struct table *t);     /* as it was stored */
void table_slots_boot(struct table *t);     /* whose agent is gone has no slot */
struct session *table_loaded(struct table *t, struct vy_str id); /* NULL: not in memory */
/* From the store into the table; NULL with the reason. */
struct session *table_load(struct table *t, struct vy_str id, struct vy_err *e);

#endif

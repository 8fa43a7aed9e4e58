/* keys.h -- idempotency keys: what a write that was done before answered (wire 2).
 *
 * Rows of the log, which commit with what they tell of; those of this loop turn stand in a list beside
 * them, so a second call in it finds them too. rpc.c's alone. Loop thread. */
#ifndef RPC_KEYS_H
#define RPC_KEYS_H

#include <stdbool.h>

#include "shared/base/err.h"
#include "shared/base/hash.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

struct caller;
struct keys;
struct log;
struct vy_clock;

/* Whose key for what, and with which parameters. A value of its own. */
struct key_name {
	char *scope; /* the caller */
	char *method, *key;
	char input[2 * VY_SHA256_LEN + 1]; /* of the parameters */
};

struct key_name *key_name_new(const struct caller *who, const char *method, struct vy_str key,
	const struct vy_json *params);
void key_name_free(struct key_name *n);                               /* NULL is fine */
bool key_name_is(const struct key_name *a, const struct key_name *b); /* the same key */

struct keys *keys_new(struct log *l, const struct vy_clock *clock);
void keys_free(struct keys *k);

/* 1: done before, *result is set (owned); 0: not yet; -1: the key was for something else. */
int keys_find(struct keys *k, const struct key_name *n, struct vy_json **result, struct vy_err *e);
void keys_keep(struct keys *k, const struct key_name *n, const struct vy_json *result);

#endif

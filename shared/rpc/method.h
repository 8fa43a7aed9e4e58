/* method.h -- the table of methods: who may call what with which parameters (methods.def).
 *
 * vy_methods_new() reads the schemas of the table once, at the start of the program; after that a
 * lookup is a binary search and a check walks the parsed schema. The server's dispatch, the
 * client's calls, rpc.discover and the manual all read this one table. Owner frees. Pure. */
#ifndef VY_RPC_METHOD_H
#define VY_RPC_METHOD_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/jw.h"
#include "shared/base/str.h"
#include "shared/rpc/schema.h"

enum vy_reach {
	VY_REACH_ANYONE, /* any caller, within its own access */
	VY_REACH_OWN,    /* a person; an agent about its own session */
	VY_REACH_PERSON  /* a person and nobody else */
};

enum vy_key { VY_KEY_NONE, VY_KEY_OPTIONAL, VY_KEY_REQUIRED };

struct vy_method {
	const char *name;
	enum vy_reach reach;
	bool writes;
	enum vy_key key;
	const char *params_text, *result_text;
	const struct vy_schema *params, *result;
};

struct vy_methods;

struct vy_methods *vy_methods_new(void);
void vy_methods_free(struct vy_methods *ms);
const struct vy_method *vy_methods_find(const struct vy_methods *ms, struct vy_str name);
size_t vy_methods_len(const struct vy_methods *ms);
const struct vy_method *vy_methods_at(const struct vy_methods *ms, size_t i); /* sorted by name */

/* Checks params (NULL: none sent) against the method; "params.text: expected a string, got a
 * number". */
VY_MUST_USE int vy_method_check(
	const struct vy_method *m, const struct vy_json *params, struct vy_err *e);

/* The result of rpc.discover: {methods: […]}. */
void vy_methods_discover(const struct vy_methods *ms, struct vy_jw *w);

const char *vy_reach_word(enum vy_reach r);
const char *vy_key_word(enum vy_key k);

#endif

/* schema_in.h -- a parsed schema from inside, for schema*.c alone (schema.h is the contract).
 *
 * A schema is a tree of small nodes: a list's item, an object's members and a union's alternatives all
 * hang on `first` and are chained by `next`; a map of one type has it as its `first`. */
#ifndef SCHEMA_IN_H
#define SCHEMA_IN_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/rpc/schema.h"

enum vy_schema_type { ANY, STR, ID, INT, NUM, BOOL, NIL, WORD, OBJ, MAP, LIST, UNION };

struct vy_schema {
	enum vy_schema_type type;
	struct vy_str name; /* as a member of an object */
	bool optional;
	struct vy_str word; /* WORD */
	bool is_open;       /* OBJ: other members are told elsewhere */
	bool has_min, has_max;
	int64_t min, max;
	struct vy_schema *first, *next;
};

/* By type. An `obj` is an object whose members are told elsewhere. */
struct vy_schema_word {
	const char *word, *expected, *json; /* json: its name in JSON Schema */
};
extern const struct vy_schema_word vy_schema_words[UNION + 1];

#endif

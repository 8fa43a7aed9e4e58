/* fields.h -- the fields of a state struct as a table: one table encodes, decodes and frees it.
 *
 * A driver's memory must outlive vyred (wire 12), so all of it is written down at every commit.
 * With the fields in a table beside the struct, nothing can be encoded and not decoded. Empty
 * fields (0, false, NULL, "") are left out, so an idle state is small. Unknown members are
 * ignored, missing ones are zero. Pure. */
#ifndef PROVIDER_FIELDS_H
#define PROVIDER_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/jw.h"
#include "shared/base/str.h"

enum field_type {
	FIELD_BOOL, /* bool */
	FIELD_INT,  /* int64_t */
	FIELD_REAL, /* double */
	FIELD_STR,  /* char *, owned */
	FIELD_JSON, /* struct vy_json *, owned */
	FIELD_LIST  /* FIELD_LIST_OF(T): {T *v; size_t n, cap}, elements are structs */
};

struct field_set;

struct field {
	const char *name;
	enum field_type type;
	size_t at;
	const struct field_set *of; /* of a list's elements */
};

struct field_set {
	const struct field *fields;
	size_t n, size; /* size of the struct */
};

#define FIELD_LIST_OF(T)                                                                           \
	struct {                                                                                   \
		T *v;                                                                              \
		size_t n, cap;                                                                     \
	}

#define FIELD_SET(array, T)                                                                        \
	{                                                                                          \
		(array), sizeof(array) / sizeof((array)[0]), sizeof(T)                             \
	}

/* Its members, into an object that the caller opened. */
void fields_encode(const struct field_set *s, const void *of, struct vy_jw *w);

/* Into zeroed memory. On failure (-1) what was read so far is there, to be freed. */
VY_MUST_USE int fields_decode(
	const struct field_set *s, void *into, const struct vy_json *v, struct vy_err *e);

void fields_free(const struct field_set *s, void *of); /* what it owns; the struct is zeroed */

/* ---- a driver's whole state: one object, with its version ---- */

void fields_state_encode(const struct field_set *s, const void *of, int version, struct vy_jw *w);
/* Owned by the caller: fields_free() and free(). NULL: another version, or it is damaged (VY_CORRUPT). */
void *fields_state_decode(
	const struct field_set *s, int version, const struct vy_json *v, struct vy_err *e);

/* ---- lists ---- `list` is the address of a FIELD_LIST_OF(); `of` describes its elements */

void *fields_list_add(void *list, const struct field_set *of); /* zeroed; borrowed until the next */
void fields_list_del(void *list, const struct field_set *of, size_t i); /* keeps the order */
void fields_list_clear(void *list, const struct field_set *of);
/* The first whose string at that offset is `key`; NULL: none. Borrowed as above. */
void *fields_list_find(const void *list, const struct field_set *of, size_t at, struct vy_str key);

/* ---- strings ---- */

void fields_str_set(char **own, struct vy_str s); /* NULs end it; empty gives NULL */
static inline struct vy_str fields_str(const char *own)
{
	return vy_str_c(own);
}

#endif

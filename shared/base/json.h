/* json.h -- JSON as it crosses a border: parse, look inside, build, print. jansson stays in json.c.
 *
 * A value is reference counted. Functions named `_new`/`_parse`/`_ref` give an owned value
 * (vy_json_free it); `_get`/`_at` lend one that lives as long as its holder; `_take` arguments are
 * handed over. Getters accept NULL and a wrong type and answer "nothing" (NULL, empty, default),
 * so a reader of foreign JSON needs no ladder of checks; the `need` family is for callers who owe
 * a person the name of the wrong field. Objects keep the order of insertion. */
#ifndef VY_JSON_H
#define VY_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/str.h"

struct vy_arena;
struct vy_json;

enum vy_json_type {
	VY_JSON_NONE, /* no value at all (a NULL pointer) */
	VY_JSON_NULL,
	VY_JSON_BOOL,
	VY_JSON_INT,
	VY_JSON_REAL,
	VY_JSON_STR,
	VY_JSON_ARR,
	VY_JSON_OBJ
};

/* ---- reading ---- */

/* Exactly one value; depth at most VY_JSON_DEPTH, duplicate keys refused. NULL on failure. */
struct vy_json *vy_json_parse(struct vy_str s, struct vy_err *e);

/* The same for what a child process prints: invalid UTF-8 and lone surrogates become U+FFFD,
 * a repeated key wins by being last, and a whole number past 64 bits makes all numbers real,
 * instead of losing the whole line. */
struct vy_json *vy_json_parse_lenient(struct vy_str s, struct vy_err *e);

struct vy_json *vy_json_ref(struct vy_json *v); /* NULL in, NULL out */
void vy_json_free(struct vy_json *v);           /* gives one reference back; NULL is fine */
void vy_json_freep(struct vy_json **v);
#define VY_AUTO_JSON __attribute__((cleanup(vy_json_freep))) struct vy_json

enum vy_json_type vy_json_type(const struct vy_json *v);
const char *vy_json_type_name(enum vy_json_type t); /* "an object", "a string", "nothing" */

struct vy_json *vy_json_get(const struct vy_json *obj, const char *key);
struct vy_json *vy_json_path(const struct vy_json *obj, const char *dotted); /* "a.b.c" */
size_t vy_json_len(const struct vy_json *v); /* array or object, else 0 */
struct vy_json *vy_json_at(const struct vy_json *arr, size_t i);
bool vy_json_each(const struct vy_json *obj, void **it, const char **key, struct vy_json **value);
#define VY_JSON_EACH(obj, key, value)                                                              \
	for (void *vy_it_ = NULL; vy_json_each((obj), &vy_it_, &(key), &(value));)

struct vy_str vy_json_strval(const struct vy_json *v);         /* empty if no string */
int64_t vy_json_intval(const struct vy_json *v, int64_t none); /* reals are cut */
double vy_json_numval(const struct vy_json *v, double none);
struct vy_str vy_json_str(const struct vy_json *obj, const char *key);
const char *vy_json_cstr(const struct vy_json *obj, const char *key); /* NULL if no string */
/* The strings of an array, each ended by NUL, and NULL behind the last; what is no string is "". */
const char **vy_json_strings(const struct vy_json *arr, struct vy_arena *a);
int64_t vy_json_int(const struct vy_json *obj, const char *key, int64_t none); /* reals are cut */
double vy_json_num(const struct vy_json *obj, const char *key, double none);
bool vy_json_bool(const struct vy_json *obj, const char *key, bool none);
bool vy_json_equal(const struct vy_json *a, const struct vy_json *b);

/* Fails with VY_BAD_INPUT naming "<where><key>": "params.text: expected a string, got a number". */
VY_MUST_USE int vy_json_need_str(const struct vy_json *obj, const char *where, const char *key,
	struct vy_str *out, struct vy_err *e);
VY_MUST_USE int vy_json_need_int(const struct vy_json *obj, const char *where, const char *key,
	int64_t *out, struct vy_err *e);

/* ---- building ---- */

struct vy_json *vy_json_new_obj(void);
struct vy_json *vy_json_new_arr(void);
struct vy_json *vy_json_new_str(struct vy_str s); /* invalid UTF-8 becomes U+FFFD */
struct vy_json *vy_json_new_int(int64_t n);
struct vy_json *vy_json_new_real(double n);
struct vy_json *vy_json_new_bool(bool b);
struct vy_json *vy_json_new_null(void);
struct vy_json *vy_json_copy(const struct vy_json *v); /* deep */

void vy_json_take(struct vy_json *obj, const char *key, struct vy_json *own_value); /* NULL: none */
void vy_json_add_take(struct vy_json *arr, struct vy_json *own_value);
void vy_json_insert_take(struct vy_json *arr, size_t at, struct vy_json *own_value);
void vy_json_set(struct vy_json *obj, const char *key, struct vy_json *value); /* takes a ref */
void vy_json_set_str(struct vy_json *obj, const char *key, struct vy_str s);
void vy_json_set_c(struct vy_json *obj, const char *key, const char *s); /* NULL: none */
void vy_json_set_int(struct vy_json *obj, const char *key, int64_t n);
void vy_json_set_bool(struct vy_json *obj, const char *key, bool b);
void vy_json_set_null(struct vy_json *obj, const char *key);
void vy_json_del(struct vy_json *obj, const char *key);
void vy_json_del_at(struct vy_json *arr, size_t i);

/* ---- printing ---- */

bool vy_json_dump(const struct vy_json *v, struct vy_buf *out);           /* one line, own order */
bool vy_json_dump_canonical(const struct vy_json *v, struct vy_buf *out); /* sorted keys */

#endif

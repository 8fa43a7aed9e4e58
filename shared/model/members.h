/* members.h -- a struct's members as a table, written to JSON and read back by one pair of functions.
 *
 *	static const struct vy_member members[] = {
 *		VY_MEMBER_STR(struct vy_row_file, path, "path"),
 *		VY_MEMBER_INT(struct vy_row_file, added, "added", 0), …
 *
 * What has its default is left out; what is missing or of another type gets its default. Strings
 * are copied into the arena. Of the room shared/model alone. Pure. */
#ifndef VY_MODEL_MEMBERS_H
#define VY_MODEL_MEMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/json.h"
#include "shared/base/jw.h"

enum vy_member_type {
	VY_MEMBER_STR,   /* struct vy_str */
	VY_MEMBER_JSON,  /* struct vy_str: one JSON value; empty: none */
	VY_MEMBER_BYTES, /* struct vy_str of any bytes: base64 */
	VY_MEMBER_INT,   /* int64_t */
	VY_MEMBER_CUR,   /* uint64_t */
	VY_MEMBER_BOOL,  /* bool */
	VY_MEMBER_ENUM   /* an enum: `words` by value, `none` words of them */
};

struct vy_member {
	enum vy_member_type type;
	size_t at;
	const char *key;
	int64_t none; /* INT, CUR: the default; ENUM: how many words */
	const char *const *words;
};

#define VY_MEMBER_STR(t, m, k)                                                                     \
	{                                                                                          \
		VY_MEMBER_STR, offsetof(t, m), k, 0, NULL                                          \
	}
#define VY_MEMBER_JSON(t, m, k)                                                                    \
	{                                                                                          \
		VY_MEMBER_JSON, offsetof(t, m), k, 0, NULL                                         \
	}
#define VY_MEMBER_BYTES(t, m, k)                                                                   \
	{                                                                                          \
		VY_MEMBER_BYTES, offsetof(t, m), k, 0, NULL                                        \
	}
#define VY_MEMBER_INT(t, m, k, none)                                                               \
	{                                                                                          \
		VY_MEMBER_INT, offsetof(t, m), k, none, NULL                                       \
	}
#define VY_MEMBER_CUR(t, m, k)                                                                     \
	{                                                                                          \
		VY_MEMBER_CUR, offsetof(t, m), k, 0, NULL                                          \
	}
#define VY_MEMBER_BOOL(t, m, k)                                                                    \
	{                                                                                          \
		VY_MEMBER_BOOL, offsetof(t, m), k, 0, NULL                                         \
	}
#define VY_MEMBER_ENUM(t, m, k, w)                                                                 \
	{                                                                                          \
		VY_MEMBER_ENUM, offsetof(t, m), k, VY_COUNT(w), w                                  \
	}

/* Into an object that is open. */
void vy_members_write(const struct vy_member *m, size_t n, const void *from, struct vy_jw *w);

/* Every member of the table is set. */
void vy_members_read(
	const struct vy_member *m, size_t n, const struct vy_json *v, struct vy_arena *a, void *to);

/* The index of the word, or -1. */
int vy_word_index(const char *const *words, size_t n, struct vy_str word);

/* The value as JSON text in the arena; empty for none. */
struct vy_str vy_json_text(const struct vy_json *v, struct vy_arena *a);

#endif

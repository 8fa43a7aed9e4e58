/* schema.h -- a small readable language for what a value must look like, and its check.
 *
 *	{session: id, text: str<=8388608, images?: [{ref: str}]<=20, mode?: steer|queue|now}
 *
 *	str int num bool null any obj id          the types; id is a string of 1 to 256 bytes
 *	record message_record …                   what types.def gives a name: read in its place
 *	str<=N   int>=N<=N   [T]<=N               at most N bytes, between, at most N items
 *	[T]      {name: T, name?: T}              list of T; object ({name: T, ...}: and more)
 *	{...}    {...: T}                         object of anything; of T by any name
 *	steer|queue|now                           one of these words
 *	bool|{rule: str}                          any of these types
 *
 * Members that the schema does not name are ignored, and null stands for an absent optional one.
 * Pure; any thread. */
#ifndef VY_RPC_SCHEMA_H
#define VY_RPC_SCHEMA_H

#include "shared/base/arena.h"
#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/jw.h"
#include "shared/base/str.h"

struct vy_schema;

/* Reads the language; the schema lives in the arena and borrows `text`. NULL names the place. */
const struct vy_schema *vy_schema_parse(struct vy_str text, struct vy_arena *a, struct vy_err *e);

/* 0, or VY_BAD_INPUT: "<where>.text: expected a string, got a number". */
VY_MUST_USE int vy_schema_check(
	const struct vy_schema *s, const struct vy_json *v, const char *where, struct vy_err *e);

/* The same, and no member may be there that the schema does not name (VY_BUG): what a test asks of our
 * own answers. */
int vy_schema_check_whole(
	const struct vy_schema *s, const struct vy_json *v, const char *where, struct vy_err *e);

/* As JSON Schema. Lengths there are characters; ours are bytes, so what fits ours fits it. */
void vy_schema_write(const struct vy_schema *s, struct vy_jw *w);

#endif

/* promise.c -- see promise.h. */
#include "tests/play/promise.h"

#include <stdlib.h>

#include "shared/base/arena.h"
#include "shared/base/mem.h"
#include "shared/frame/frame.h"
#include "shared/model/block.h"
#include "shared/rpc/method.h"
#include "shared/base/ban.h"

static struct vy_arena shapes;
static const struct vy_schema *of_field[VY_F_COUNT], *of_block[VY_BLOCK_COUNT];

static void forget_shapes(void)
{
	vy_arena_fini(&shapes);
}

static struct vy_methods *methods;
static bool *answered; /* by place in the table */

static void forget(void)
{
	vy_methods_free(methods);
	free(answered);
}

static size_t place_of(const struct vy_method *m)
{
	size_t i = 0;

	while (vy_methods_at(methods, i) != m) {
		i++;
	}
	return i;
}

static const struct vy_method *find(struct vy_str method)
{
	if (!methods) {
		methods = vy_methods_new();
		answered = vy_calloc(vy_methods_len(methods), sizeof(*answered));
		atexit(forget);
	}
	return vy_methods_find(methods, method);
}

bool promise_keeps(struct vy_str method, const struct vy_json *result, struct vy_buf *why)
{
	const struct vy_method *m = find(method);
	VY_AUTO_JSON *bare = vy_json_copy(result);
	struct vy_err e = { 0 };

	if (!m) {
		vy_buf_addf(why, "%.*s is in no table, and was answered", VY_STR_ARG(method));
		return false;
	}
	if (m->writes) { /* of any that writes, and has a key */
		vy_json_del(bare, "replayed");
	}
	if (vy_schema_check_whole(m->result, bare, "result", &e) != 0) {
		vy_buf_addf(why, "%s breaks its promise: %s", m->name, e.text);
		return false;
	}
	answered[place_of(m)] = true;
	return true;
}

/* ---- frames ---- */

static const struct vy_schema *read(struct vy_str text)
{
	struct vy_err e = { 0 };
	const struct vy_schema *s = vy_schema_parse(text, &shapes, &e);

	vy_assert(s != NULL);
	return s;
}

static void read_shapes(void)
{
	static const struct {
		enum vy_fid field;
		const char *text;
	} rows[] = {
#define VY_SHAPE(field, text) { VY_F_##field, text },
#include "shared/frame/shapes.def"
#undef VY_SHAPE
	};
	static const char *const blocks[] = {
#define VY_BLOCK(name, word, members) "{type: str, " members ", ref?: str, note?: str}",
#include "shared/model/blocks.def"
#undef VY_BLOCK
	};

	if (of_field[rows[0].field]) {
		return;
	}
	vy_arena_init(&shapes);
	atexit(forget_shapes);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		of_field[rows[i].field] = read(vy_str_c(rows[i].text));
	}
	for (size_t i = 0; i < VY_COUNT(blocks); i++) {
		of_block[i] = read(vy_str_c(blocks[i]));
	}
}

/* One block by its own row; a list of them each. */
static int check_blocks(const struct vy_json *v, struct vy_err *e)
{
	if (vy_json_type(v) == VY_JSON_ARR) {
		for (size_t i = 0; i < vy_json_len(v); i++) {
			if (check_blocks(vy_json_at(v, i), e) != 0) {
				return -1;
			}
		}
		return 0;
	}
	for (unsigned k = 0; k < VY_BLOCK_COUNT; k++) {
		if (vy_str_is(vy_json_str(v, "type"), vy_block_word((enum vy_block_kind)k))) {
			return vy_schema_check_whole(of_block[k], v, "block", e);
		}
	}
	return vy_fail(e, VY_BUG, "a block of no shape we know");
}

bool promise_frame(const struct vy_frame *f, struct vy_buf *why)
{
	struct vy_err e = { 0 };

	read_shapes();
	for (size_t i = 0; i < f->n; i++) {
		enum vy_fid id = f->f[i].id;

		if (vy_field_type(id) != VY_TYPE_JSON || f->kind == VY_KIND_UNKNOWN) {
			continue;
		}
		VY_AUTO_JSON *v = vy_json_parse(f->f[i].str, &e);
		bool is_block = id == VY_F_RESULT || id == VY_F_BLOCKS;

		if (!v || !of_field[id] ||
			vy_schema_check_whole(of_field[id], v, vy_field_word(id), &e) != 0 ||
			(is_block && check_blocks(v, &e) != 0)) {
			vy_buf_addf(why, "a %s breaks its promise: %s: %s", vy_kind_word(f->kind),
				of_field[id] ? e.text : "it is in no table", vy_field_word(id));
			return false;
		}
	}
	return true;
}

/* ---- what is left ---- */

void promise_left(struct vy_buf *out)
{
	(void)find(vy_str_n(NULL, 0));
	for (size_t i = 0; i < vy_methods_len(methods); i++) {
		if (!answered[i]) {
			vy_buf_addf(out, " %s", vy_methods_at(methods, i)->name);
		}
	}
}

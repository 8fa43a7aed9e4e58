/* method.c -- see method.h. */
#include "shared/rpc/method.h"

#include "shared/base/arena.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

static const struct vy_method table[] = {
#define VY_METHOD(name, reach, writes, key, params, result)                                        \
	{ name, VY_REACH_##reach, writes, VY_KEY_##key, params, result, NULL, NULL },
#include "shared/rpc/methods.def"
#undef VY_METHOD
};

struct vy_methods {
	struct vy_arena a;
	struct vy_method m[VY_COUNT(table)];
};

static int by_name(const void *a, const void *b)
{
	const struct vy_method *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static const struct vy_schema *parsed(struct vy_methods *ms, const char *text)
{
	struct vy_err e = { 0 };
	const struct vy_schema *s = vy_schema_parse(vy_str_c(text), &ms->a, &e);

	vy_assert(s != NULL); /* a slip in methods.def: the table's test names it */
	return s;
}

struct vy_methods *vy_methods_new(void)
{
	struct vy_methods *ms = VY_NEW(struct vy_methods);

	vy_arena_init(&ms->a);
	memcpy(ms->m, table, sizeof(table));
	qsort(ms->m, VY_COUNT(table), sizeof(ms->m[0]), by_name);
	for (size_t i = 0; i < VY_COUNT(table); i++) {
		ms->m[i].params = parsed(ms, ms->m[i].params_text);
		ms->m[i].result = parsed(ms, ms->m[i].result_text);
	}
	return ms;
}

void vy_methods_free(struct vy_methods *ms)
{
	if (ms) {
		vy_arena_fini(&ms->a);
		free(ms);
	}
}

const struct vy_method *vy_methods_find(const struct vy_methods *ms, struct vy_str name)
{
	size_t low = 0, high = VY_COUNT(table);

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		struct vy_str at = vy_str_c(ms->m[mid].name);
		int cmp = memcmp(name.n ? name.p : "", at.p, name.n < at.n ? name.n : at.n);

		if (cmp == 0 && name.n == at.n) {
			return &ms->m[mid];
		}
		if (cmp < 0 || (cmp == 0 && name.n < at.n)) {
			high = mid;
		} else {
			low = mid + 1;
		}
	}
	return NULL;
}

size_t vy_methods_len(const struct vy_methods *ms)
{
	return VY_COUNT(ms->m);
}

const struct vy_method *vy_methods_at(const struct vy_methods *ms, size_t i)
{
	return i < VY_COUNT(ms->m) ? &ms->m[i] : NULL;
}

int vy_method_check(const struct vy_method *m, const struct vy_json *params, struct vy_err *e)
{
	VY_AUTO_JSON *none = params ? NULL : vy_json_new_obj();

	return vy_schema_check(m->params, params ? params : none, "params", e);
}

void vy_methods_discover(const struct vy_methods *ms, struct vy_jw *w)
{
	vy_jw_obj(w);
	vy_jw_key(w, "methods");
	vy_jw_arr(w);
	for (size_t i = 0; i < VY_COUNT(ms->m); i++) {
		const struct vy_method *m = &ms->m[i];

		vy_jw_obj(w);
		vy_jw_kstr(w, "name", vy_str_c(m->name));
		vy_jw_kstr(w, "reach", vy_str_c(vy_reach_word(m->reach)));
		vy_jw_kbool(w, "writes", m->writes);
		vy_jw_kstr(w, "key", vy_str_c(vy_key_word(m->key)));
		vy_jw_key(w, "params");
		vy_schema_write(m->params, w);
		vy_jw_key(w, "result");
		vy_schema_write(m->result, w);
		vy_jw_end_obj(w);
	}
	vy_jw_end_arr(w);
	vy_jw_end_obj(w);
}

const char *vy_reach_word(enum vy_reach r)
{
	static const char *const words[] = {
		[VY_REACH_ANYONE] = "anyone",
		[VY_REACH_OWN] = "own",
		[VY_REACH_PERSON] = "person",
	};

	return words[r];
}

const char *vy_key_word(enum vy_key k)
{
	static const char *const words[] = {
		[VY_KEY_NONE] = "none",
		[VY_KEY_OPTIONAL] = "optional",
		[VY_KEY_REQUIRED] = "required",
	};

	return words[k];
}

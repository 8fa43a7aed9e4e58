/* rpc_fuzz.c -- whatever a client sends, each call of it is judged; whatever a server says, too.
 *
 * The first byte chooses: a request against the whole table, an answer, or a schema. */
#include <stdint.h>

#include "shared/base/limits.h"
#include "shared/rpc/envelope.h"
#include "shared/rpc/method.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void answer(const struct vy_rpc_call *c)
{
	VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);
	struct vy_jw w = VY_JW(&out);
	struct vy_rpc_error err = vy_rpc_error_of(&c->error);

	vy_rpc_write_error(&w, c->id, &err);
	VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&out), NULL);

	vy_assert(v != NULL);
}

static void request(struct vy_str s)
{
	static struct vy_methods *methods;
	struct vy_rpc_batch b;
	struct vy_err e = { 0 };
	int code;

	if (!methods) {
		methods = vy_methods_new();
	}
	if (vy_rpc_parse(s, &b, &code, &e) < 0) {
		return;
	}
	for (size_t i = 0; i < b.n; i++) {
		const struct vy_method *m = vy_methods_find(methods, b.calls[i].method);

		vy_assert(!b.calls[i].bad || b.calls[i].error.text[0]);
		if (m && vy_method_check(m, b.calls[i].params, &b.calls[i].error) < 0) {
			vy_assert(b.calls[i].error.code == VY_BAD_INPUT);
		}
		for (size_t j = 0; j < vy_methods_len(methods); j++) {
			(void)!vy_method_check(vy_methods_at(methods, j), b.calls[i].params, &e);
		}
		answer(&b.calls[i]);
	}
	vy_rpc_batch_fini(&b);
}

static void reply(struct vy_str s)
{
	struct vy_arena a;
	struct vy_rpc_reply r;

	vy_arena_init(&a);
	if (vy_rpc_reply_parse(s, &a, &r, NULL) == 0) {
		(void)vy_rpc_code_of(r.error.kind);
		vy_rpc_reply_fini(&r);
	}
	vy_arena_fini(&a);
}

static void schema(struct vy_str s)
{
	struct vy_arena a;
	struct vy_err e = { 0 };
	VY_AUTO_BUF out = VY_BUF_INIT(8 * VY_MIB);
	struct vy_jw w = VY_JW(&out);

	vy_arena_init(&a);
	const struct vy_schema *p = vy_schema_parse(s, &a, &e);

	vy_assert(p || e.text[0]);
	if (p) {
		vy_schema_write(p, &w);
		VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&out), NULL);

		(void)!vy_schema_check(p, v, "v", &e);
	}
	vy_arena_fini(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct vy_str s = vy_str_n((const char *)data, n);

	if (n == 0) {
		return 0;
	}
	switch (data[0]) {
	case 'r': reply(vy_str_from(s, 1)); break;
	case 's': schema(vy_str_from(s, 1)); break;
	default: request(s);
	}
	return 0;
}

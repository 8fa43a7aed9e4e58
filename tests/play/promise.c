/* promise.c -- see promise.h. */
#include "tests/play/promise.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/rpc/method.h"
#include "shared/base/ban.h"

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

void promise_left(struct vy_buf *out)
{
	(void)find(vy_str_n(NULL, 0));
	for (size_t i = 0; i < vy_methods_len(methods); i++) {
		if (!answered[i]) {
			vy_buf_addf(out, " %s", vy_methods_at(methods, i)->name);
		}
	}
}

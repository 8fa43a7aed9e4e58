/* target_fuzz.c -- request targets, cursors, addresses and Host and Origin of any bytes.
 *
 * The first line is a path, each further one an argument; the whole is a cursor, an address and a
 * host too. What is let through is what it says: a cursor prints back, an address is loopback. */
#include <stdint.h>
#include <string.h>

#include "server/wire/gate.h"
#include "server/wire/target.h"
#include "shared/base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void as_cursor(struct vy_str s)
{
	int64_t cur;

	if (target_cursor(s, "from", &cur, NULL) == 0) {
		vy_assert(cur >= 0 && s.n > 0);
		for (size_t i = 0; i < s.n; i++) {
			vy_assert(s.p[i] >= '0' && s.p[i] <= '9');
		}
	}
}

static void as_address(struct vy_str s)
{
	struct gate_addr at;

	if (gate_parse(s, &at, NULL) == 0) {
		vy_assert(strcmp(at.host, "::1") == 0 || strncmp(at.host, "127.", 4) == 0 ||
			  at.is_v6);
	}
	if (gate_check(s, vy_str_n(NULL, 0), NULL) == 0) {
		vy_assert(gate_check(s, s, NULL) != 0); /* an origin is more than a host */
	}
}

/* Its arguments, and the last of them as Last-Event-ID too: params of its method, or a sentence. */
static void as_endpoint(const struct target *t, const struct vy_str *args, size_t n)
{
	struct vy_str last = n ? args[n - 1] : vy_str_n(NULL, 0);
	struct vy_err e = { 0 };
	VY_AUTO_JSON *params = endpoint_params(t->endpoint, t->parts, args, n, last, &e);

	vy_assert(params || (e.code == VY_BAD_INPUT && e.text[0]));
	vy_assert(!params || t->route == TARGET_CONTROL || vy_json_str(params, "session").n > 0);
}

static void as_target(struct vy_str s)
{
	struct vy_str args[8], path = s;
	struct target t;
	size_t n = 0;

	for (size_t i = 0; i < s.n && n < VY_COUNT(args); i++) {
		if (s.p[i] == '\n') {
			if (path.n == s.n) {
				path.n = i;
			}
			args[n++] = vy_str_from(s, i + 1);
		}
	}
	if (target_parse(path, args, n, &t, NULL) == 0) {
		vy_assert(strlen(t.session) < sizeof(t.session));
		vy_assert(strchr(t.session, '/') == NULL && strchr(t.session, '.') == NULL);
		vy_assert((t.route == TARGET_SNAPSHOT || t.route == TARGET_SAY ||
				  t.route == TARGET_TERM) == (t.session[0] != '\0'));
		vy_assert((t.route == TARGET_EVENTS || t.route == TARGET_CONTROL) ==
			  (t.endpoint != NULL));
		if (t.endpoint) {
			as_endpoint(&t, args, n);
		}
		vy_assert(!t.has_from || t.from >= 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct vy_str s = vy_str_n((const char *)data, n);

	as_cursor(s);
	as_address(s);
	as_target(s);
	return 0;
}

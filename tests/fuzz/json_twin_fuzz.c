/* json_twin_fuzz.c -- lines one after the other by the twin reader say what each says by itself.
 *
 * The bytes are lines; each is read three times: as it is, with one byte of it exchanged by the next
 * line's, and as it is again. So nearly every line has one before it that is nearly the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/json_twin.h"
#include "shared/base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void same(struct vy_json_twin *t, struct vy_str line)
{
	struct vy_err e;
	VY_AUTO_JSON *alone = vy_json_parse_lenient(line, &e);
	VY_AUTO_JSON *twin = vy_json_twin_parse(t, line, &e);

	vy_assert(vy_json_equal(alone, twin));
}

static void read_thrice(struct vy_json_twin *t, struct vy_str line, const uint8_t *next, size_t n)
{
	char *own = vy_memdup0(line.p, line.n);

	same(t, line);
	if (line.n && n > 1) {
		own[next[0] % line.n] = (char)next[1];
		same(t, vy_str_n(own, line.n));
	}
	same(t, line);
	free(own);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct vy_json_twin t = { 0 };

	for (size_t at = 0; at < n;) {
		const uint8_t *lf = memchr(data + at, '\n', n - at);
		size_t len = lf ? (size_t)(lf - (data + at)) : n - at,
		       next = at + len + (lf != NULL);

		read_thrice(&t, vy_str_n((const char *)data + at, len), data + next, n - next);
		at = next;
	}
	vy_json_twin_fini(&t);
	return 0;
}

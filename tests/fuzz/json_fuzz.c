/* json_fuzz.c -- whatever the bytes, the JSON door answers; and what it lets in comes out the same. */
#include <stdint.h>

#include "shared/base/json.h"
#include "shared/base/limits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void same_after_print(
	const struct vy_json *v, bool (*print)(const struct vy_json *, struct vy_buf *))
{
	VY_AUTO_BUF first = VY_BUF_INIT(8 * VY_MIB);
	VY_AUTO_BUF second = VY_BUF_INIT(8 * VY_MIB);

	vy_assert(print(v, &first));
	VY_AUTO_JSON *again = vy_json_parse(vy_buf_str(&first), NULL);

	vy_assert(again != NULL && vy_json_equal(v, again));
	vy_assert(print(again, &second) && vy_str_eq(vy_buf_str(&first), vy_buf_str(&second)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct vy_str s = vy_str_n((const char *)data, n);
	struct vy_err e;
	VY_AUTO_JSON *strict = vy_json_parse(s, &e);
	VY_AUTO_JSON *lenient = vy_json_parse_lenient(s, &e);

	if (strict != NULL) {
		vy_assert(lenient != NULL && vy_json_equal(strict, lenient));
		same_after_print(strict, vy_json_dump);
		same_after_print(strict, vy_json_dump_canonical);
	}
	if (lenient != NULL) {
		same_after_print(lenient, vy_json_dump_canonical);
	}
	return 0;
}

/* spelled.c -- see spelled.h. */
#include "tests/tui/spelled.h"

#include "shared/base/buf.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

static struct vy_json *joined(const struct vy_json *lines)
{
	VY_AUTO_BUF b = VY_BUF_INIT(16 * VY_MIB);

	for (size_t i = 0; i < vy_json_len(lines); i++) {
		vy_buf_adds(&b, i ? "\n" : "");
		vy_buf_addstr(&b, vy_json_strval(vy_json_at(lines, i)));
	}
	return vy_json_new_str(vy_buf_str(&b));
}

static struct vy_json *base64(const struct vy_json *lines)
{
	VY_AUTO_JSON *text = joined(lines);
	struct vy_str s = vy_json_strval(text);
	char *out = vy_alloc(4 * ((s.n + 2) / 3) + 1);
	size_t n = vy_base64(s.p, s.n, out);
	struct vy_json *v = vy_json_new_str(vy_str_n(out, n));

	free(out);
	return v;
}

/* A copy with the texts written out. */
struct vy_json *spelled(const struct vy_json *v)
{
	struct vy_json *out, *value;
	const char *key;

	if (vy_json_type(v) == VY_JSON_ARR) {
		out = vy_json_new_arr();
		for (size_t i = 0; i < vy_json_len(v); i++) {
			vy_json_add_take(out, spelled(vy_json_at(v, i)));
		}
		return out;
	}
	if (vy_json_type(v) != VY_JSON_OBJ) {
		return vy_json_copy(v);
	}
	if (vy_json_get(v, "lines") && vy_json_len(v) == 1) {
		return joined(vy_json_get(v, "lines"));
	}
	if (vy_json_type(vy_json_get(v, "b64")) == VY_JSON_ARR && vy_json_len(v) == 1) {
		return base64(vy_json_get(v, "b64"));
	}
	out = vy_json_new_obj();
	VY_JSON_EACH (v, key, value) {
		vy_json_take(out, key, spelled(value));
	}
	return out;
}

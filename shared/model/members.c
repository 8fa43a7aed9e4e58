/* members.c -- see members.h. */
#include "shared/model/members.h"

#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

int vy_word_index(const char *const *words, size_t n, struct vy_str word)
{
	for (size_t i = 0; i < n; i++) {
		if (vy_str_is(word, words[i])) {
			return (int)i;
		}
	}
	return -1;
}

struct vy_str vy_json_text(const struct vy_json *v, struct vy_arena *a)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_RPC_BODY_MAX);

	if (vy_json_type(v) <= VY_JSON_NULL || !vy_json_dump(v, &b)) {
		return vy_str_n(NULL, 0);
	}
	return vy_arena_str(a, vy_buf_str(&b));
}

/* ---- writing ---- */

static void write_bytes(const char *key, struct vy_str s, struct vy_jw *w)
{
	char *b64 = vy_alloc((s.n + 2) / 3 * 4 + 1);

	vy_jw_kstr(w, key, vy_str_n(b64, vy_base64(s.p, s.n, b64)));
	free(b64);
}

static void write_text(const struct vy_member *m, struct vy_str s, struct vy_jw *w)
{
	if (s.n == 0) {
		return;
	}
	if (m->type == VY_MEMBER_BYTES) {
		write_bytes(m->key, s, w);
		return;
	}
	vy_jw_key(w, m->key);
	if (m->type == VY_MEMBER_JSON) {
		vy_jw_raw(w, s);
	} else {
		vy_jw_str(w, s);
	}
}

void vy_members_write(const struct vy_member *m, size_t n, const void *from, struct vy_jw *w)
{
	for (size_t i = 0; i < n; i++, m++) {
		const char *at = (const char *)from + m->at;

		switch (m->type) {
		case VY_MEMBER_STR:
		case VY_MEMBER_JSON:
		case VY_MEMBER_BYTES:
			write_text(m, *(const struct vy_str *)(const void *)at, w);
			break;
		case VY_MEMBER_INT:
			if (*(const int64_t *)(const void *)at != m->none) {
				vy_jw_kint(w, m->key, *(const int64_t *)(const void *)at);
			}
			break;
		case VY_MEMBER_CUR:
			if (*(const uint64_t *)(const void *)at != 0) {
				vy_jw_kint(
					w, m->key, (int64_t) * (const uint64_t *)(const void *)at);
			}
			break;
		case VY_MEMBER_BOOL:
			if (*(const bool *)at) {
				vy_jw_kbool(w, m->key, true);
			}
			break;
		case VY_MEMBER_ENUM:
			vy_jw_kstr(
				w, m->key, vy_str_c(m->words[*(const unsigned *)(const void *)at]));
			break;
		}
	}
}

/* ---- reading ---- */

static struct vy_str read_bytes(struct vy_str b64, struct vy_arena *a)
{
	char *out = vy_arena_alloc(a, b64.n + 1);
	long n = vy_base64_decode(b64, out, b64.n);

	return vy_str_n(out, n > 0 ? (size_t)n : 0);
}

static struct vy_str read_text(
	const struct vy_member *m, const struct vy_json *v, struct vy_arena *a)
{
	struct vy_str s = vy_json_str(v, m->key);

	if (m->type == VY_MEMBER_JSON) {
		return vy_json_text(vy_json_get(v, m->key), a);
	}
	if (s.n == 0) {
		return vy_str_n(NULL, 0);
	}
	return m->type == VY_MEMBER_BYTES ? read_bytes(s, a) : vy_arena_str(a, s);
}

void vy_members_read(
	const struct vy_member *m, size_t n, const struct vy_json *v, struct vy_arena *a, void *to)
{
	for (size_t i = 0; i < n; i++, m++) {
		char *at = (char *)to + m->at;
		int64_t number = vy_json_int(v, m->key, m->none);

		switch (m->type) {
		case VY_MEMBER_STR:
		case VY_MEMBER_JSON:
		case VY_MEMBER_BYTES: *(struct vy_str *)(void *)at = read_text(m, v, a); break;
		case VY_MEMBER_INT: *(int64_t *)(void *)at = number; break;
		case VY_MEMBER_CUR:
			*(uint64_t *)(void *)at = number > 0 ? (uint64_t)number : 0;
			break;
		case VY_MEMBER_BOOL: *(bool *)at = vy_json_bool(v, m->key, false); break;
		case VY_MEMBER_ENUM: {
			int k = vy_word_index(m->words, (size_t)m->none, vy_json_str(v, m->key));

			*(unsigned *)(void *)at = k < 0 ? 0 : (unsigned)k;
			break;
		}
		}
	}
}

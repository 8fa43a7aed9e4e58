/* claude_picture.c -- see claude_picture.h. */
#include "server/provider/claude_picture.h"

#include <string.h>

#include "server/provider/brief.h"
#include "shared/base/ban.h"

#define ALT_MAX  500
#define MIME_MAX 64

struct vy_json *claude_picture(
	struct vy_str mime, struct vy_str b64, const struct vy_json *dimensions, struct vy_str alt)
{
	struct vy_json *b = vy_json_new_obj();
	int64_t w = vy_json_int(dimensions, "originalWidth", 0);
	int64_t h = vy_json_int(dimensions, "originalHeight", 0);

	vy_json_set_c(b, "type", "screen");
	vy_json_set_str(b, "mime", brief_cut(mime, MIME_MAX));
	if (w > 0 && h > 0) {
		vy_json_set_int(b, "w", w);
		vy_json_set_int(b, "h", h);
	}
	vy_json_set_str(b, "alt", brief_cut(alt, ALT_MAX));
	vy_json_set_str(b, "b64", b64);
	return b;
}

static struct vy_str first_line(struct vy_str s)
{
	const char *end = s.n ? memchr(s.p, '\n', s.n) : NULL;

	return end ? vy_str_n(s.p, (size_t)(end - s.p)) : s;
}

struct vy_json *claude_picture_of(const struct vy_json *parts, struct vy_arena *a)
{
	const struct vy_json *source = NULL;
	struct vy_str words = { NULL, 0 };
	size_t n = 0;

	for (size_t i = 0; i < vy_json_len(parts); i++) {
		const struct vy_json *part = vy_json_at(parts, i);

		if (words.n == 0) {
			words = vy_str_trim(vy_json_str(part, "text"));
		}
		if (vy_str_is(vy_json_str(part, "type"), "image") &&
			vy_json_str(vy_json_get(part, "source"), "data").n) {
			source = n++ ? source : vy_json_get(part, "source");
		}
	}
	if (!source) {
		return NULL;
	}
	struct vy_json *b = claude_picture(vy_json_str(source, "media_type"),
		vy_json_str(source, "data"), NULL, first_line(words));

	if (n > 1) {
		vy_json_set_c(b, "note", vy_arena_printf(a, "the first of %zu pictures", n));
	}
	return b;
}

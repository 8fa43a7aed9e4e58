/* shelf.c -- see shelf.h. */
#include "server/session/shelf.h"

#include <string.h>

#include "server/log/log.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

static const struct {
	const char *mime, *magic;
	size_t n, at;
} kinds[] = {
	{ "image/png", "\x89PNG\r\n\x1a\n", 8, 0 },
	{ "image/jpeg", "\xff\xd8\xff", 3, 0 },
	{ "image/gif", "GIF8", 4, 0 },
	{ "image/webp", "WEBP", 4, 8 },
};

static size_t kind_of(struct vy_str mime)
{
	size_t i = 0;

	while (i < VY_COUNT(kinds) && !vy_str_is(mime, kinds[i].mime)) {
		i++;
	}
	return i;
}

const char *shelf_kind(struct vy_str mime)
{
	size_t i = kind_of(mime);

	return i < VY_COUNT(kinds) ? kinds[i].mime : NULL;
}

bool shelf_is(struct vy_str mime, struct vy_str bytes)
{
	size_t i = kind_of(mime);

	return i < VY_COUNT(kinds) && bytes.n >= kinds[i].at + kinds[i].n &&
	       memcmp(bytes.p + kinds[i].at, kinds[i].magic, kinds[i].n) == 0;
}

struct stock {
	struct vy_str ref;
	size_t n;
	bool is_there;
};

static bool count(void *ctx, const struct store_row *row)
{
	struct stock *s = ctx;

	s->n += vy_str_starts(row->output.mime, "image/");
	s->is_there |= vy_str_eq(row->output.ref, s->ref);
	return true;
}

int shelf_put(struct log *log, struct vy_str session, struct vy_str mime, struct vy_str bytes,
	char ref[SHELF_REF_MAX], struct vy_err *e)
{
	struct store_row like = { .kind = ROW_OUTPUT, .output = { .session = session } };
	struct stock s = { .n = 0 };
	uint8_t digest[VY_SHA256_LEN];

	vy_sha256(bytes.p, bytes.n, digest);
	memcpy(ref, "img-", 4);
	vy_hex(digest, sizeof(digest), ref + 4);
	s.ref = vy_str_c(ref);
	if (log_each(log, &like, count, &s, e) != 0) {
		return -1;
	}
	if (!s.is_there && s.n >= VY_IMAGES_MAX) {
		return vy_fail(e, VY_FULL, "this session holds %d images already: start another",
			VY_IMAGES_MAX);
	}
	LOG_PUT(log, ROW_OUTPUT, output, .session = session, .ref = vy_str_c(ref), .mime = mime,
		.bytes = bytes);
	return 0;
}

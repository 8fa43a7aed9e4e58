/* zip.c -- see zip.h. */
#include "server/log/zip.h"

#include <zstd.h>

#include "shared/base/ban.h"

#define SMALL 96 /* bytes that would not become less */

#define LARGE (512 * 1024)
#define LARGE_MAX                                                                                  \
	9 /* level of what would keep the worker busy for long: checkpoints wait behind it */

enum { PLAIN, ZSTD }; /* the first byte */

bool zip(struct vy_str in, int level, struct vy_buf *out)
{
	size_t bound = ZSTD_compressBound(in.n), n;

	if (in.n <= SMALL) {
		return vy_buf_addc(out, PLAIN) && vy_buf_addstr(out, in);
	}
	if (!vy_buf_addc(out, ZSTD) || !vy_buf_reserve(out, bound)) {
		out->over = true;
		return false;
	}
	level = in.n > LARGE && level > LARGE_MAX ? LARGE_MAX : level;
	n = ZSTD_compress(out->data + out->len, bound, in.p, in.n, level);
	vy_assert(!ZSTD_isError(n)); /* the bound is what it may need, memory never fails */
	out->len += n;
	out->data[out->len] = '\0';
	return true;
}

int unzip(struct vy_str in, struct vy_buf *out, struct vy_err *e)
{
	bool is_plain = in.n > 0 && in.p[0] == PLAIN;
	unsigned long long size;
	size_t n;

	in = vy_str_from(in, 1);
	if (is_plain && in.n <= SMALL) {
		vy_buf_addstr(out, in);
		return 0;
	}
	size = in.n && !is_plain ? ZSTD_getFrameContentSize(in.p, in.n) : ZSTD_CONTENTSIZE_ERROR;
	if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > out->max ||
		!vy_buf_reserve(out, (size_t)size)) {
		return vy_fail(e, VY_CORRUPT, "packed bytes have no sensible length");
	}
	n = ZSTD_decompress(out->data + out->len, (size_t)size, in.p, in.n);
	if (ZSTD_isError(n) || n != size) {
		return vy_fail(e, VY_CORRUPT, "packed bytes are damaged");
	}
	out->len += n;
	out->data[out->len] = '\0';
	return 0;
}

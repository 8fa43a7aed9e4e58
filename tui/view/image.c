/* image.c -- see image.h. */
#include "tui/view/image.h"

#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <strings.h>

#include "shared/base/hash.h"
#include "shared/base/ban.h"

/* ---- heads ---- */

static unsigned be(struct vy_str s, size_t at, size_t n)
{
	unsigned v = 0;

	for (size_t i = 0; i < n; i++) {
		v = v << 8 | (at + i < s.n ? (unsigned char)s.p[at + i] : 0);
	}
	return v;
}

static unsigned le(struct vy_str s, size_t at, size_t n)
{
	unsigned v = 0;

	for (size_t i = n; i-- > 0;) {
		v = v << 8 | (at + i < s.n ? (unsigned char)s.p[at + i] : 0);
	}
	return v;
}

static bool has(struct vy_str s, size_t at, const char *bytes, size_t n)
{
	return at + n <= s.n && memcmp(s.p + at, bytes, n) == 0;
}

/* A start of frame: C0…CF but the tables and the reserved ones. */
static bool is_frame(unsigned marker)
{
	return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 &&
	       marker != 0xCC;
}

static void jpeg_size(struct vy_str s, struct image_head *out)
{
	size_t at = 2;

	while (at + 9 <= s.n && (unsigned char)s.p[at] == 0xFF) {
		unsigned marker = (unsigned char)s.p[at + 1];

		if (is_frame(marker)) {
			out->h = be(s, at + 5, 2);
			out->w = be(s, at + 7, 2);
			return;
		}
		if (marker == 0xFF) { /* filling */
			at++;
		} else if (marker == 0x01 || (marker >= 0xD0 && marker <= 0xD7)) {
			at += 2; /* they have no length */
		} else {
			at += 2 + be(s, at + 2, 2);
		}
	}
}

static void webp_size(struct vy_str s, struct image_head *out)
{
	if (has(s, 12, "VP8X", 4)) {
		out->w = 1 + le(s, 24, 3);
		out->h = 1 + le(s, 27, 3);
	} else if (has(s, 12, "VP8L", 4)) {
		unsigned bits = le(s, 21, 4);

		out->w = 1 + (bits & 0x3FFF);
		out->h = 1 + (bits >> 14 & 0x3FFF);
	} else if (has(s, 12, "VP8 ", 4)) {
		out->w = le(s, 26, 2) & 0x3FFF;
		out->h = le(s, 28, 2) & 0x3FFF;
	}
}

bool image_head(struct vy_str s, struct image_head *out)
{
	*out = (struct image_head){ 0 };
	if (has(s, 0, "\x89PNG\r\n\x1A\n", 8)) {
		*out = (struct image_head){ "image/png", be(s, 16, 4), be(s, 20, 4) };
	} else if (has(s, 0, "\xFF\xD8\xFF", 3)) {
		out->mime = "image/jpeg";
		jpeg_size(s, out);
	} else if (has(s, 0, "GIF87a", 6) || has(s, 0, "GIF89a", 6)) {
		*out = (struct image_head){ "image/gif", le(s, 6, 2), le(s, 8, 2) };
	} else if (has(s, 0, "RIFF", 4) && has(s, 8, "WEBP", 4)) {
		out->mime = "image/webp";
		webp_size(s, out);
	}
	return out->mime != NULL;
}

/* ---- paths ---- */

static bool ends_like_a_picture(struct vy_str path)
{
	static const char *const ends[] = { ".png", ".jpg", ".jpeg", ".gif", ".webp" };

	for (size_t i = 0; i < VY_COUNT(ends); i++) {
		size_t n = strlen(ends[i]);

		if (path.n > n && strncasecmp(path.p + path.n - n, ends[i], n) == 0) {
			return true;
		}
	}
	return false;
}

static bool is_path(struct vy_str s)
{
	return vy_str_starts(s, "/") || vy_str_starts(s, "~/") || vy_str_starts(s, "./") ||
	       vy_str_starts(s, "../");
}

/* %20 is a blank. False: a host that is not ours, or bad hex. */
static bool put_url(struct vy_str s, struct vy_buf *out)
{
	if (vy_str_starts(s, "localhost/")) {
		s = vy_str_from(s, 9);
	}
	if (!vy_str_starts(s, "/")) {
		return false;
	}
	for (size_t i = 0; i < s.n; i++) {
		char byte = s.p[i];

		if (byte == '%') {
			if (i + 3 > s.n || vy_hex_decode(vy_str_n(s.p + i + 1, 2), &byte, 1) != 1 ||
				byte == '\0') {
				return false;
			}
			i += 2;
		}
		vy_buf_addc(out, byte);
	}
	return true;
}

static void put_plain(struct vy_str s, struct vy_buf *out)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\\' && i + 1 < s.n) {
			i++;
		}
		vy_buf_addc(out, s.p[i]);
	}
}

bool image_path(struct vy_str s, struct vy_buf *path)
{
	while (s.n && isspace((unsigned char)s.p[s.n - 1])) {
		s.n--;
	}
	while (s.n && isspace((unsigned char)s.p[0])) {
		s = vy_str_from(s, 1);
	}
	if (s.n < 5 || s.n > PATH_MAX || memchr(s.p, '\n', s.n)) {
		return false;
	}
	if (vy_str_starts(s, "file://")) {
		if (!put_url(vy_str_from(s, 7), path)) {
			return false;
		}
	} else if ((s.p[0] == '\'' || s.p[0] == '"') && s.p[s.n - 1] == s.p[0]) {
		vy_buf_add(path, s.p + 1, s.n - 2);
	} else if (memchr(s.p, ' ', s.n) && !memchr(s.p, '\\', s.n)) {
		return false; /* words, or several paths */
	} else {
		put_plain(s, path);
	}
	return is_path(vy_buf_str(path)) && ends_like_a_picture(vy_buf_str(path));
}

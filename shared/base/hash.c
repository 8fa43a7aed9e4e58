/* hash.c -- see hash.h. */
#include "shared/base/hash.h"

#include <sodium.h>
#include <stdio.h>

#include "shared/base/err.h"
#include "shared/base/ban.h"

static void ready(void)
{
	static bool done;

	if (!done) {
		vy_assert(sodium_init() >= 0);
		done = true;
	}
}

void vy_sha256(const void *p, size_t n, uint8_t out[VY_SHA256_LEN])
{
	crypto_hash_sha256(out, p, n);
}

void vy_random(void *p, size_t n)
{
	ready();
	randombytes_buf(p, n);
}

bool vy_equal_ct(const void *a, const void *b, size_t n)
{
	return n == 0 || sodium_memcmp(a, b, n) == 0;
}

static size_t encode64(const void *p, size_t n, char *out, int variant)
{
	size_t room = sodium_base64_encoded_len(n, variant);

	sodium_bin2base64(out, room, p, n, variant);
	return strlen(out);
}

size_t vy_base64url(const void *p, size_t n, char *out)
{
	return encode64(p, n, out, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

size_t vy_base64(const void *p, size_t n, char *out)
{
	return encode64(p, n, out, sodium_base64_VARIANT_ORIGINAL);
}

size_t vy_hex(const void *p, size_t n, char *out)
{
	sodium_bin2hex(out, 2 * n + 1, p, n);
	return 2 * n;
}

long vy_hex_decode(struct vy_str s, void *out, size_t room)
{
	size_t n;

	if (s.n % 2 || sodium_hex2bin(out, room, s.p, s.n, NULL, &n, NULL) != 0 || n * 2 != s.n) {
		return -1;
	}
	return (long)n;
}

long vy_base64_decode(struct vy_str s, void *out, size_t room)
{
	bool url = false;
	size_t n;

	while (s.n && s.p[s.n - 1] == '=') {
		s.n--;
	}
	for (size_t i = 0; i < s.n && !url; i++) {
		url = s.p[i] == '-' || s.p[i] == '_';
	}
	if (sodium_base642bin(out, room, s.p, s.n, NULL, &n, NULL,
		    url ? sodium_base64_VARIANT_URLSAFE_NO_PADDING
			: sodium_base64_VARIANT_ORIGINAL_NO_PADDING) != 0) {
		return -1;
	}
	return (long)n;
}

void vy_random_id(size_t n, char *out)
{
	uint8_t raw[64];

	vy_assert(n <= sizeof(raw));
	vy_random(raw, n);
	vy_base64url(raw, n, out);
}

static void format_uuid(uint8_t b[16], int version, char out[VY_UUID_LEN + 1])
{
	b[6] = (uint8_t)((b[6] & 0x0F) | version << 4);
	b[8] = (uint8_t)((b[8] & 0x3F) | 0x80);
	char *p = out;

	for (int i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10) {
			*p++ = '-';
		}
		p += vy_hex(b + i, 1, p);
	}
}

void vy_uuid(char out[VY_UUID_LEN + 1])
{
	uint8_t b[16];

	vy_random(b, sizeof(b));
	format_uuid(b, 4, out);
}

void vy_uuid_of(struct vy_str seed, char out[VY_UUID_LEN + 1])
{
	uint8_t digest[VY_SHA256_LEN];

	vy_sha256(seed.p, seed.n, digest);
	format_uuid(digest, 8, out);
}

bool vy_is_uuid(struct vy_str s)
{
	if (s.n != VY_UUID_LEN) {
		return false;
	}
	for (size_t i = 0; i < s.n; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;
		char c = (char)(s.p[i] | 0x20);
		bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');

		if (dash ? s.p[i] != '-' : !hex) {
			return false;
		}
	}
	return true;
}

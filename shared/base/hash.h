/* hash.h -- digests, random ids and their spellings. libsodium is seen by hash.c alone. */
#ifndef VY_HASH_H
#define VY_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/str.h"

#define VY_SHA256_LEN 32
#define VY_UUID_LEN   36 /* without the NUL */

void vy_sha256(const void *p, size_t n, uint8_t out[VY_SHA256_LEN]);
void vy_random(void *p, size_t n);
bool vy_equal_ct(const void *a, const void *b, size_t n); /* constant time */

/* Random id of n bytes as base64url without padding; `out` has room for 4*(n+2)/3+1. */
void vy_random_id(size_t n, char *out);
void vy_uuid(char out[VY_UUID_LEN + 1]);                        /* random, version 4 */
void vy_uuid_of(struct vy_str seed, char out[VY_UUID_LEN + 1]); /* same seed, same uuid */
bool vy_is_uuid(struct vy_str s);                               /* 8-4-4-4-12 hex, any version */

/* Encoders write a NUL and return the length; `out` has room for the whole. */
size_t vy_base64url(const void *p, size_t n, char *out); /* 4*(n+2)/3+1 */
size_t vy_hex(const void *p, size_t n, char *out);       /* 2n+1 */
size_t vy_base64(const void *p, size_t n, char *out);    /* with padding: 4*((n+2)/3)+1 */

/* Decoders return the number of bytes or -1 for bad input or no room; either alphabet,
 * padding optional. */
long vy_base64_decode(struct vy_str s, void *out, size_t room);
long vy_hex_decode(struct vy_str s, void *out, size_t room);

#endif

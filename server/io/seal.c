/* seal.c -- see seal.h. A sealed secret is a line that says so, a nonce, and the box. */
#include "server/io/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define KEY_LEN   crypto_aead_xchacha20poly1305_ietf_KEYBYTES
#define NONCE_LEN crypto_aead_xchacha20poly1305_ietf_NPUBBYTES
#define TAG_LEN   crypto_aead_xchacha20poly1305_ietf_ABYTES

static const char mark[] = "vyre-sealed 1\n";

#define HEAD_LEN (sizeof(mark) - 1 + NONCE_LEN)

_Static_assert(HEAD_LEN + TAG_LEN <= SEAL_MORE, "as the header says");

bool seal_is_sealed(struct vy_str bytes)
{
	return vy_str_starts(bytes, mark);
}

/* ---- the key ---- */

static void key_path(const char *state_dir, char *out, size_t room)
{
	snprintf(out, room, "%s/seal.key", state_dir);
}

/* 1: it is there; 0: there is none. */
static int read_key(const char *path, uint8_t key[KEY_LEN], struct vy_err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct stat st;
	char more;

	if (fd < 0) {
		return errno == ENOENT ? 0 : vy_fail_errno(e, errno, "reading %s", path);
	}
	if (fstat(fd, &st) != 0 || st.st_uid != geteuid() || (st.st_mode & 077) != 0) {
		close(fd);
		return vy_fail(e, VY_DENIED,
			"%s can be read by others: set the secrets anew, or make it yours alone "
			"(chmod 600)",
			path);
	}
	ssize_t n = read(fd, key, KEY_LEN);
	bool is_whole = n == (ssize_t)KEY_LEN && read(fd, &more, 1) == 0;

	close(fd);
	return is_whole ? 1
			: vy_fail(e, VY_CORRUPT,
				  "%s is damaged: remove it, and set the secrets anew with `vyred "
				  "secret set NAME`",
				  path);
}

/* Written beside its place and linked there: of two that make one at once, one is the key. */
static int make_key(const char *path, struct vy_err *e)
{
	uint8_t key[KEY_LEN];
	char fresh[4096], id[16];

	vy_random_id(6, id);
	snprintf(fresh, sizeof(fresh), "%s.%s", path, id);
	int fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0) {
		return vy_fail_errno(e, errno, "writing %s", fresh);
	}
	vy_random(key, sizeof(key));
	bool ok = write(fd, key, sizeof(key)) == (ssize_t)sizeof(key) && fsync(fd) == 0;
	int why = errno;

	vy_wipe(key, sizeof(key));
	close(fd);
	if (ok && link(fresh, path) != 0 && errno != EEXIST) {
		why = errno;
		ok = false;
	}
	unlink(fresh);
	return ok ? 0 : vy_fail_errno(e, why, "writing %s", path);
}

/* ---- the box ---- */

int seal_close(const char *state_dir, const char *name, struct vy_str value, struct vy_buf *out,
	struct vy_err *e)
{
	uint8_t key[KEY_LEN], nonce[NONCE_LEN];
	unsigned char box[VY_SECRET_MAX + TAG_LEN];
	unsigned long long n = 0;
	char path[4000];
	int has;

	key_path(state_dir, path, sizeof(path));
	if (value.n > VY_SECRET_MAX) {
		return vy_fail(e, VY_FULL, "the secret %s is too long", name);
	}
	if ((has = read_key(path, key, e)) < 0 ||
		(has == 0 && (make_key(path, e) != 0 || read_key(path, key, e) != 1))) {
		return -1;
	}
	vy_random(nonce, sizeof(nonce));
	crypto_aead_xchacha20poly1305_ietf_encrypt(box, &n, (const unsigned char *)value.p, value.n,
		(const unsigned char *)name, strlen(name), NULL, nonce, key);
	vy_wipe(key, sizeof(key));
	vy_buf_adds(out, mark);
	vy_buf_add(out, nonce, sizeof(nonce));
	return vy_buf_add(out, box, (size_t)n)
		       ? 0
		       : vy_fail(e, VY_FULL, "the secret %s is too long", name);
}

int seal_open(const char *state_dir, const char *name, struct vy_str sealed, struct vy_buf *out,
	struct vy_err *e)
{
	uint8_t key[KEY_LEN];
	unsigned char value[VY_SECRET_MAX];
	unsigned long long n = 0;
	char path[4000];
	bool ok = false;
	int has;

	key_path(state_dir, path, sizeof(path));
	if ((has = read_key(path, key, e)) <= 0) {
		return has < 0 ? -1
			       : vy_fail(e, VY_NOT_FOUND,
					 "%s, which opens the secret %s, is gone: set the secret "
					 "anew "
					 "with `vyred secret set %s`",
					 path, name, name);
	}
	if (sealed.n >= HEAD_LEN + TAG_LEN && sealed.n - HEAD_LEN - TAG_LEN <= sizeof(value)) {
		const unsigned char *nonce = (const unsigned char *)sealed.p + sizeof(mark) - 1;
		const unsigned char *box = (const unsigned char *)sealed.p + HEAD_LEN;

		ok = crypto_aead_xchacha20poly1305_ietf_decrypt(value, &n, NULL, box,
			     sealed.n - HEAD_LEN, (const unsigned char *)name, strlen(name), nonce,
			     key) == 0;
	}
	vy_wipe(key, sizeof(key));
	bool fits = ok && vy_buf_add(out, value, (size_t)n);

	vy_wipe(value, sizeof(value));
	if (!ok) {
		return vy_fail(e, VY_CORRUPT,
			"the secret %s does not open: it is damaged, or was sealed with another "
			"key; set it anew with `vyred secret set %s`",
			name, name);
	}
	return fits ? 0 : vy_fail(e, VY_FULL, "the secret %s is too long", name);
}

/* outbox_store.c -- see outbox_store.h.
 *
 * A lock file is removed only by who holds its lock, and whoever took a lock looks whether the name
 * still means that file: so nobody ever believes in the lock of a file that is gone. It is a lock of
 * the process (fcntl), not of the open file: what the client forked and that outlives a kill -9 by a
 * moment does not have it, and so nobody takes the dead for living. Such a lock goes with any
 * descriptor of its file: a client never opens its own a second time. */
#include "tui/net/outbox_store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tui/net/folder.h"
#include "tui/net/keep.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define CLIENT_LEN 16
#define HEAD       "vyre-outbox 1 "
#define HEAD_LEN   (sizeof(HEAD) - 1 + 2 * VY_SHA256_LEN + 1)
#define FILE_MAX   (HEAD_LEN + 6 * VY_RPC_BODY_MAX) /* JSON may escape every byte */

struct outbox_store {
	char *dir;
	int dir_fd, lock_fd;
	char client[CLIENT_LEN + 1];
};

/* ---- names ---- */

/* CLIENT "-" UUID ".msg" */
static bool is_message(const char *name)
{
	return strlen(name) == CLIENT_LEN + 1 + VY_UUID_LEN + 4 && name[CLIENT_LEN] == '-' &&
	       vy_is_uuid(vy_str_n(name + CLIENT_LEN + 1, VY_UUID_LEN)) &&
	       strcmp(name + CLIENT_LEN + 1 + VY_UUID_LEN, ".msg") == 0;
}

static bool is_lock(const char *name)
{
	return strlen(name) == CLIENT_LEN + 5 && strcmp(name + CLIENT_LEN, ".lock") == 0;
}

static void name_of(char out[NAME_MAX + 1], const char *client, const char *id)
{
	snprintf(out, NAME_MAX + 1, "%.*s-%s.msg", CLIENT_LEN, client, id);
}

/* ---- locks ---- */

/* The locked file, or -1: somebody has it, or the system said no (errno tells; EAGAIN). */
static int take_lock(int dir_fd, const char *client)
{
	char name[NAME_MAX + 1];
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct stat ours, named;
	int fd;

	snprintf(name, sizeof(name), "%.*s.lock", CLIENT_LEN, client);
	fd = openat(dir_fd, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0) {
		return -1;
	}
	if (fcntl(fd, F_SETLK, &whole) == 0) {
		if (fstat(fd, &ours) == 0 &&
			fstatat(dir_fd, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
			ours.st_ino == named.st_ino && ours.st_dev == named.st_dev) {
			return fd;
		}
		errno = EAGAIN;       /* removed under our hands: as good as taken */
	} else if (errno == EACCES) { /* the other word for it */
		errno = EAGAIN;
	}
	int why = errno;

	close(fd);
	errno = why;
	return -1;
}

/* `fd` is its lock. */
static void drop_lock(int dir_fd, const char *client, int fd)
{
	char name[NAME_MAX + 1];

	snprintf(name, sizeof(name), "%.*s.lock", CLIENT_LEN, client);
	unlinkat(dir_fd, name, 0);
	close(fd);
}

/* ---- the folder ---- */

static int be_client(struct outbox_store *s, struct vy_err *e)
{
	uint8_t bytes[CLIENT_LEN / 2];

	for (int tries = 0; tries < 100; tries++) { /* each loses only to one who reads just now */
		vy_random(bytes, sizeof(bytes));
		vy_hex(bytes, sizeof(bytes), s->client);
		s->lock_fd = take_lock(s->dir_fd, s->client);
		if (s->lock_fd >= 0) {
			return 0;
		}
		if (errno != EAGAIN) {
			break;
		}
	}
	return vy_fail_errno(e, errno, _("locking a file in %s"), s->dir);
}

struct outbox_store *outbox_store_open(const char *dir, struct vy_err *e)
{
	if (folder_make(dir, e) != 0) {
		return NULL;
	}
	struct outbox_store *s = VY_NEW(struct outbox_store);

	s->dir = vy_strdup(dir);
	s->lock_fd = -1;
	s->dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->dir_fd < 0) {
		vy_fail_errno(e, errno, _("opening %s"), dir);
	} else if (be_client(s, e) == 0) {
		return s;
	}
	outbox_store_close(s);
	return NULL;
}

/* ---- one file ---- */

static bool encode(const struct vy_json *doc, struct vy_buf *out)
{
	VY_AUTO_BUF json = VY_BUF_INIT(FILE_MAX);
	uint8_t sum[VY_SHA256_LEN];
	char hex[2 * VY_SHA256_LEN + 1];

	vy_json_dump(doc, &json);
	vy_sha256(json.data, json.len, sum);
	vy_hex(sum, sizeof(sum), hex);
	vy_buf_addf(out, HEAD "%s\n", hex);
	vy_buf_addstr(out, vy_buf_str(&json));
	return !vy_buf_is_over(&json) && !vy_buf_is_over(out);
}

/* NULL: not whole. */
static struct vy_json *decode(struct vy_str text)
{
	uint8_t sum[VY_SHA256_LEN];
	char hex[2 * VY_SHA256_LEN + 1];

	if (text.n < HEAD_LEN || memcmp(text.p, HEAD, sizeof(HEAD) - 1) != 0) {
		return NULL;
	}
	struct vy_str json = vy_str_from(text, HEAD_LEN);

	vy_sha256(json.p, json.n, sum);
	vy_hex(sum, sizeof(sum), hex);
	if (memcmp(text.p + sizeof(HEAD) - 1, hex, 2 * VY_SHA256_LEN) != 0) {
		return NULL;
	}
	return vy_json_parse(json, NULL);
}

int outbox_store_put(
	struct outbox_store *s, const char *id, const struct vy_json *doc, struct vy_err *e)
{
	VY_AUTO_BUF text = VY_BUF_INIT(FILE_MAX);
	char name[NAME_MAX + 1];
	int fd, why = 0;

	if (!encode(doc, &text)) {
		return vy_fail(e, VY_FULL, _("this message is too long"));
	}
	name_of(name, s->client, id);
	fd = openat(s->dir_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0) {
		return vy_fail_errno(e, errno, _("keeping what you said in %s"), s->dir);
	}
	if (!keep_all(fd, vy_buf_str(&text)) || fsync(fd) != 0) {
		why = errno;
	}
	if (close(fd) != 0 && !why) { /* where a network's disk says that it is full */
		why = errno;
	}
	if (!why && fsync(s->dir_fd) != 0) {
		why = errno;
	}
	if (why) {
		unlinkat(s->dir_fd, name, 0);
		return vy_fail_errno(e, why, _("keeping what you said in %s"), s->dir);
	}
	return 0;
}

void outbox_store_del(struct outbox_store *s, const char *id)
{
	char name[NAME_MAX + 1];

	name_of(name, s->client, id);
	unlinkat(s->dir_fd, name, 0);
}

/* NULL: not there (`is_gone`), or not readable. */
static struct vy_json *read_file(int dir_fd, const char *name, bool *is_gone)
{
	int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	VY_AUTO_BUF text = VY_BUF_INIT(FILE_MAX);
	char piece[16384];
	ssize_t n = 0;

	*is_gone = fd < 0 && errno == ENOENT;
	if (fd < 0) {
		return NULL;
	}
	while ((n = read(fd, piece, sizeof(piece))) > 0 || (n < 0 && errno == EINTR)) {
		if (n > 0 && !vy_buf_add(&text, piece, (size_t)n)) {
			break;
		}
	}
	close(fd);
	return n == 0 ? decode(vy_buf_str(&text)) : NULL;
}

/* ---- taking over ---- */

struct names {
	char **v;
	size_t n, cap;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Messages and locks, those of one client together. */
static void list(int dir_fd, struct names *out)
{
	int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *ent;

	while (d && (ent = readdir(d))) {
		if (is_message(ent->d_name) || is_lock(ent->d_name)) {
			out->v = vy_grow(out->v, &out->cap, out->n + 1, sizeof(*out->v));
			out->v[out->n++] = vy_strdup(ent->d_name);
		}
	}
	if (d) {
		closedir(d);
	} else if (fd >= 0) {
		close(fd);
	}
	if (out->n) {
		qsort(out->v, out->n, sizeof(*out->v), by_name);
	}
}

static void put_aside(struct outbox_store *s, const char *name, struct vy_buf *trouble)
{
	char bad[NAME_MAX + 1];

	snprintf(bad, sizeof(bad), "%s.bad", name);
	renameat(s->dir_fd, name, s->dir_fd, bad);
	vy_buf_addf(trouble, "%s", trouble->len ? " " : "");
	vy_buf_addf(trouble,
		_("A message that was not sent yet cannot be read; it is kept in %s/%s."), s->dir,
		bad);
}

/* True: the file is no longer that client's. */
static bool adopt_one(struct outbox_store *s, const char *name, outbox_store_fn *fn, void *ctx,
	struct vy_buf *trouble)
{
	char id[VY_UUID_LEN + 1], ours[NAME_MAX + 1];
	bool is_gone;
	VY_AUTO_JSON *doc = read_file(s->dir_fd, name, &is_gone);

	if (!doc) {
		if (!is_gone) { /* else somebody was faster */
			put_aside(s, name, trouble);
		}
		return true;
	}
	snprintf(id, sizeof(id), "%.*s", VY_UUID_LEN, name + CLIENT_LEN + 1);
	name_of(ours, s->client, id);
	if (!fn(ctx, id, doc)) {
		return false;
	}
	renameat(s->dir_fd, name, s->dir_fd, ours);
	return true;
}

void outbox_store_adopt(
	struct outbox_store *s, outbox_store_fn *fn, void *ctx, struct vy_buf *trouble)
{
	struct names all = { 0 };

	list(s->dir_fd, &all);
	for (size_t i = 0, end; i < all.n; i = end) {
		const char *client = all.v[i];
		size_t left = 0;
		int lock;

		for (end = i; end < all.n && memcmp(all.v[end], client, CLIENT_LEN) == 0; end++) {
		}
		if (memcmp(client, s->client, CLIENT_LEN) == 0) {
			continue;
		}
		lock = take_lock(s->dir_fd, client);
		if (lock < 0) {
			continue; /* it runs */
		}
		for (size_t k = i; k < end; k++) {
			if (is_message(all.v[k]) && !adopt_one(s, all.v[k], fn, ctx, trouble)) {
				left++;
			}
		}
		if (left) {
			close(lock);
		} else {
			drop_lock(s->dir_fd, client, lock);
		}
	}
	fsync(s->dir_fd);
	for (size_t i = 0; i < all.n; i++) {
		free(all.v[i]);
	}
	free(all.v);
}

static bool has_messages(const struct outbox_store *s)
{
	struct names all = { 0 };
	bool has = false;

	list(s->dir_fd, &all);
	for (size_t i = 0; i < all.n; i++) {
		has = has || (is_message(all.v[i]) && memcmp(all.v[i], s->client, CLIENT_LEN) == 0);
		free(all.v[i]);
	}
	free(all.v);
	return has;
}

void outbox_store_close(struct outbox_store *s)
{
	if (!s) {
		return;
	}
	if (s->lock_fd >= 0 && has_messages(s)) {
		close(s->lock_fd);
	} else if (s->lock_fd >= 0) {
		drop_lock(s->dir_fd, s->client, s->lock_fd);
	}
	if (s->dir_fd >= 0) {
		close(s->dir_fd);
	}
	free(s->dir);
	free(s);
}

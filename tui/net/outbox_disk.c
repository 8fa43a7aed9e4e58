/* outbox_disk.c -- see outbox_disk.h. */
#include "tui/net/outbox_disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tui/net/spawn.h"
#include "shared/base/ban.h"

#define NOTE_MAX       (2 * VY_SEND_TEXT_MAX + VY_MIB)
#define PATH_MAX_BYTES 4096

struct outbox_disk {
	char *dir;  /* of all clients */
	char *ours; /* "c-…", within it */
	int at;     /* ours, as a descriptor */
	int lock;
};

void outbox_note_fini(struct outbox_note *n)
{
	free(n->box);
	free(n->mode);
	free(n->text);
	vy_json_free(n->extra);
	*n = (struct outbox_note){ .made_ms = 0 };
}

/* ---- one file ---- */

static void name_of(const struct outbox_note *n, char out[80])
{
	snprintf(out, 80, "%013lld-%s.json", (long long)n->made_ms, n->id);
}

static struct vy_json *to_json(const struct outbox_note *n)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_c(o, "id", n->id);
	vy_json_set_c(o, "session", n->session);
	vy_json_set_c(o, "box", n->box);
	vy_json_set_c(o, "mode", n->mode);
	vy_json_set_int(o, "made", n->made_ms);
	vy_json_set_str(o, "text", vy_str_n(n->text, n->text_len));
	vy_json_set(o, "extra", n->extra);
	return o;
}

static bool copy_id(char out[VY_UUID_LEN + 1], struct vy_str s)
{
	if (!vy_is_uuid(s)) {
		return false;
	}
	memcpy(out, s.p, s.n);
	out[s.n] = '\0';
	return true;
}

static bool from_json(const struct vy_json *o, struct outbox_note *n)
{
	struct vy_str text = vy_json_str(o, "text");
	const char *box = vy_json_cstr(o, "box"), *mode = vy_json_cstr(o, "mode");

	*n = (struct outbox_note){ .made_ms = vy_json_int(o, "made", 0) };
	if (!copy_id(n->id, vy_json_str(o, "id")) ||
		!copy_id(n->session, vy_json_str(o, "session")) || !box || !mode) {
		return false;
	}
	n->box = vy_strdup(box);
	n->mode = vy_strdup(mode);
	n->text = vy_memdup0(text.p, text.n);
	n->text_len = text.n;
	n->extra = vy_json_copy(vy_json_get(o, "extra"));
	return true;
}

static int write_all(int fd, struct vy_str s)
{
	while (s.n) {
		ssize_t n = write(fd, s.p, s.n);

		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n < 0) {
			return -1;
		}
		s = vy_str_from(s, (size_t)n);
	}
	return 0;
}

int outbox_disk_add(struct outbox_disk *d, const struct outbox_note *n, struct vy_err *e)
{
	VY_AUTO_JSON *o = to_json(n);
	VY_AUTO_BUF text = VY_BUF_INIT(NOTE_MAX);
	char name[80];
	int fd, rc;

	name_of(n, name);
	if (!vy_json_dump(o, &text)) {
		return vy_fail(e, VY_FULL, "this is too long to be sent");
	}
	fd = openat(d->at, "new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	rc = fd >= 0 && write_all(fd, vy_buf_str(&text)) == 0 && fsync(fd) == 0 ? 0 : errno;
	if (fd >= 0) {
		close(fd);
	}
	if (rc == 0 && (renameat(d->at, "new", d->at, name) != 0 || fsync(d->at) != 0)) {
		rc = errno;
	}
	return rc == 0 ? 0 : vy_fail_errno(e, rc, "keeping a message in %s", d->dir);
}

void outbox_disk_del(struct outbox_disk *d, const struct outbox_note *n)
{
	char name[80];

	name_of(n, name);
	unlinkat(d->at, name, 0);
}

/* ---- folders ---- */

static int make_folders(const char *path, struct vy_err *e)
{
	char *copy = vy_strdup(path);

	for (char *at = copy + 1;; at++) {
		bool is_end = *at == '\0';

		if (*at != '/' && !is_end) {
			continue;
		}
		*at = '\0';
		if (mkdir(copy, 0700) != 0 && errno != EEXIST) {
			vy_fail_errno(e, errno, "making %s", copy);
			free(copy);
			return -1;
		}
		if (is_end) {
			break;
		}
		*at = '/';
	}
	free(copy);
	return 0;
}

static char *usual_dir(struct vy_err *e)
{
	struct spawn_place place;
	VY_AUTO_BUF b = VY_BUF_INIT(PATH_MAX_BYTES);

	if (spawn_place_init(&place, NULL, NULL, e) != 0) {
		return NULL;
	}
	vy_buf_addf(&b, "%s/outbox", place.state_dir);
	spawn_place_fini(&place);
	return vy_buf_take(&b, NULL);
}

static int open_lock(int at)
{
	int fd = openat(at, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Ours is locked before it gets the name under which others would take it for left behind. */
static int make_ours(struct outbox_disk *d)
{
	char id[16], fresh[PATH_MAX_BYTES], final[PATH_MAX_BYTES];
	VY_AUTO_BUF name = VY_BUF_INIT(64);

	vy_random_id(9, id);
	vy_buf_addf(&name, "c-%s", id);
	snprintf(fresh, sizeof(fresh), "%s/new-%s", d->dir, id);
	snprintf(final, sizeof(final), "%s/%s", d->dir, vy_buf_c(&name));
	if (mkdir(fresh, 0700) != 0) {
		return -1;
	}
	d->at = open(fresh, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	d->lock = d->at >= 0 ? open_lock(d->at) : -1;
	if (d->lock < 0 || rename(fresh, final) != 0) {
		return -1;
	}
	d->ours = vy_buf_take(&name, NULL);
	return 0;
}

struct outbox_disk *outbox_disk_open(const char *dir, struct vy_err *e)
{
	struct outbox_disk *d = VY_NEW(struct outbox_disk);

	d->at = d->lock = -1;
	d->dir = dir ? vy_strdup(dir) : usual_dir(e);
	if (!d->dir || make_folders(d->dir, e) != 0) {
		outbox_disk_close(d);
		return NULL;
	}
	if (make_ours(d) != 0) {
		vy_fail_errno(e, errno, "making a folder in %s", d->dir);
		outbox_disk_close(d);
		return NULL;
	}
	return d;
}

static bool is_empty(int at)
{
	int fd = openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *n;
	bool empty = dir != NULL;

	while (dir && (n = readdir(dir))) {
		empty = empty && (n->d_name[0] == '.' || strcmp(n->d_name, "lock") == 0 ||
					 strcmp(n->d_name, "new") == 0);
	}
	if (dir) {
		closedir(dir);
	}
	return empty;
}

/* Removes a folder that holds no message, while its lock is held. */
static void remove_if_empty(const struct outbox_disk *d, int at, const char *name)
{
	char path[PATH_MAX_BYTES];

	if (is_empty(at)) {
		unlinkat(at, "new", 0);
		unlinkat(at, "lock", 0);
		snprintf(path, sizeof(path), "%s/%s", d->dir, name);
		rmdir(path);
	}
}

void outbox_disk_close(struct outbox_disk *d)
{
	if (!d) {
		return;
	}
	if (d->ours) {
		remove_if_empty(d, d->at, d->ours);
	}
	if (d->lock >= 0) {
		close(d->lock);
	}
	if (d->at >= 0) {
		close(d->at);
	}
	free(d->ours);
	free(d->dir);
	free(d);
}

/* ---- what others left ---- */

static bool read_note(int at, const char *name, struct outbox_note *out)
{
	VY_AUTO_BUF text = VY_BUF_INIT(NOTE_MAX);
	int fd = openat(at, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	char piece[65536];
	ssize_t n = -1;
	bool ok;

	while (fd >= 0 && (n = read(fd, piece, sizeof(piece))) > 0) {
		vy_buf_add(&text, piece, (size_t)n);
	}
	if (fd >= 0) {
		close(fd);
	}
	VY_AUTO_JSON *o = n == 0 ? vy_json_parse(vy_buf_str(&text), NULL) : NULL;

	*out = (struct outbox_note){ .made_ms = 0 };
	ok = o && from_json(o, out);
	if (!ok) {
		outbox_note_fini(out);
	}
	return ok;
}

static bool is_note(const char *name)
{
	size_t n = strlen(name);

	return n > 5 && strcmp(name + n - 5, ".json") == 0;
}

struct adopting {
	struct outbox_disk *disk;
	const char *box;
	void (*each)(void *ctx, struct outbox_note *own_note);
	void *ctx;
};

static void adopt_folder(const struct adopting *a, int at)
{
	int fd = openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;
	struct outbox_note n;

	while (dir && (entry = readdir(dir))) {
		char name[80];

		if (!is_note(entry->d_name) || !read_note(at, entry->d_name, &n)) {
			continue;
		}
		name_of(&n, name);
		if (strcmp(n.box, a->box) == 0 &&
			renameat(at, entry->d_name, a->disk->at, name) == 0) {
			a->each(a->ctx, &n);
		}
		outbox_note_fini(&n);
	}
	if (dir) {
		closedir(dir);
	}
}

void outbox_disk_adopt(struct outbox_disk *d, const char *box,
	void (*each)(void *ctx, struct outbox_note *own_note), void *ctx)
{
	struct adopting a = { d, box, each, ctx };
	DIR *dir = opendir(d->dir);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		int at, lock;

		if (strncmp(entry->d_name, "c-", 2) != 0 || strcmp(entry->d_name, d->ours) == 0) {
			continue;
		}
		at = openat(
			dirfd(dir), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		lock = at >= 0 ? open_lock(at) : -1;
		if (lock >= 0) {
			adopt_folder(&a, at);
			remove_if_empty(d, at, entry->d_name);
			close(lock);
		}
		if (at >= 0) {
			close(at);
		}
	}
	if (dir) {
		closedir(dir);
	}
	(void)fsync(d->at);
}

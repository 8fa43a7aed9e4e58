/* dig_cache.c -- what a glance said, kept by path, mtime and size; in memory, and as a file of lines of JSON
 * that may be removed at any time. A line that is not understood is none. */
#include "server/adopt/dig_in.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uthash.h>

#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define FILE_NAME  "glances.jsonl"
#define FILE_BYTES (64 * VY_MIB)
#define VERSION    1  /* of what a glance says: another one is none */
#define WORTH      50 /* one new in so many is worth a writing of all */

struct dig_seen {
	char *path, *id, *cwd, *title;
	int64_t mtime, size;
	bool is_none;
	UT_hash_handle hh;
};

static void seen_free(struct dig_seen *s)
{
	free(s->path);
	free(s->id);
	free(s->cwd);
	free(s->title);
	free(s);
}

static void put(struct dig *d, struct dig_seen *own)
{
	struct dig_seen *old = NULL;

	HASH_FIND_STR(d->seen, own->path, old);
	if (old) {
		HASH_DEL(d->seen, old);
		seen_free(old);
	}
	if (HASH_COUNT(d->seen) < DIG_FILES_MAX) {
		HASH_ADD_KEYPTR(hh, d->seen, own->path, strlen(own->path), own);
	} else {
		seen_free(own);
	}
}

static char *str_of(const struct vy_json *v, const char *key)
{
	struct vy_str s = vy_json_str(v, key);

	return s.n ? vy_memdup0(s.p, s.n) : NULL;
}

static void load_line(struct dig *d, struct vy_str line)
{
	VY_AUTO_JSON *v = adopt_object(line);
	struct dig_seen *s;

	if (!vy_json_str(v, "path").n || vy_json_int(v, "v", 0) != VERSION) {
		return;
	}
	s = VY_NEW(struct dig_seen);
	s->path = str_of(v, "path");
	s->id = str_of(v, "id");
	s->cwd = str_of(v, "cwd");
	s->title = str_of(v, "title");
	s->mtime = vy_json_int(v, "mtime", -1);
	s->size = vy_json_int(v, "size", -1);
	s->is_none = vy_json_bool(v, "none", false);
	put(d, s);
}

static void load(struct dig *d)
{
	VY_AUTO_BUF path = VY_BUF_INIT(8192);
	size_t n = 0;
	int64_t begin, upto;
	struct vy_str rest, line;

	d->is_loaded = true;
	vy_buf_addf(&path, "%s/" FILE_NAME, d->own_dir);
	char *text =
		dig_read_file(vy_buf_c(&path), geteuid(), 0, FILE_BYTES, &n, &begin, &upto, NULL);

	rest = vy_str_n(text, text ? n : 0);
	while (adopt_line(&rest, false, &line)) {
		load_line(d, line);
	}
	free(text);
}

bool dig_cached(struct dig *d, struct dig_find *f)
{
	struct dig_seen *s = NULL;

	if (!d->is_loaded) {
		load(d);
	}
	HASH_FIND_STR(d->seen, f->path, s);
	if (!s || s->mtime != f->mtime || s->size != f->size) {
		return false;
	}
	f->id = vy_strdup(s->id);
	f->cwd = vy_strdup(s->cwd);
	f->title = vy_strdup(s->title);
	f->is_none = s->is_none;
	return true;
}

void dig_cache(struct dig *d, const struct dig_find *f)
{
	struct dig_seen *s = VY_NEW(struct dig_seen);

	s->path = vy_strdup(f->path);
	s->id = vy_strdup(f->id);
	s->cwd = vy_strdup(f->cwd);
	s->title = vy_strdup(f->title);
	s->mtime = f->mtime;
	s->size = f->size;
	s->is_none = f->is_none;
	d->n_new++;
	put(d, s);
}

static void line_of(const struct dig_seen *s, struct vy_buf *out)
{
	VY_AUTO_JSON *v = vy_json_new_obj();

	vy_json_set_int(v, "v", VERSION);
	vy_json_set_c(v, "path", s->path);
	vy_json_set_int(v, "mtime", s->mtime);
	vy_json_set_int(v, "size", s->size);
	vy_json_set_c(v, "id", s->id);
	vy_json_set_c(v, "cwd", s->cwd);
	vy_json_set_c(v, "title", s->title);
	vy_json_set_bool(v, "none", s->is_none);
	vy_json_dump(v, out);
	vy_buf_addc(out, '\n');
}

/* Whole or not at all; without it the next start only looks again. */
void dig_keep(struct dig *d)
{
	VY_AUTO_BUF text = VY_BUF_INIT(FILE_BYTES), path = VY_BUF_INIT(8192),
		    fresh = VY_BUF_INIT(8192);
	struct dig_seen *s, *tmp;

	if (d->n_new == 0 || d->n_new * WORTH < HASH_COUNT(d->seen)) {
		return;
	}
	d->n_new = 0;
	HASH_ITER (hh, d->seen, s, tmp) {
		line_of(s, &text);
	}
	vy_buf_addf(&path, "%s/" FILE_NAME, d->own_dir);
	vy_buf_addf(&fresh, "%s/" FILE_NAME ".new", d->own_dir);
	(void)!mkdir(d->own_dir, 0700);
	int fd =
		open(vy_buf_c(&fresh), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool is_good = fd >= 0 && !vy_buf_is_over(&text) &&
		       write(fd, text.data, text.len) == (ssize_t)text.len;

	if (fd >= 0) {
		is_good = close(fd) == 0 && is_good;
	}
	if (!is_good || rename(vy_buf_c(&fresh), vy_buf_c(&path)) != 0) {
		unlink(vy_buf_c(&fresh));
	}
}

void dig_cache_free(struct dig *d)
{
	struct dig_seen *s, *tmp;

	HASH_ITER (hh, d->seen, s, tmp) {
		HASH_DEL(d->seen, s);
		seen_free(s);
	}
}

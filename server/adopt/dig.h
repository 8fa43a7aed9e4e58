/* dig.h -- the folders of other programs, looked through: which files there are, and what each is.
 *
 * For the worker's thread alone, which has all of it: the cache is its own. It reads, and nothing else:
 * no file of theirs is made, changed, locked or removed; a database is read from a copy in a folder
 * of ours. What is no plain file, is another user's or a link is passed over. What cannot be read is
 * noted, once a place. */
#ifndef ADOPT_DIG_H
#define ADOPT_DIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "server/provider/adopt.h"
#include "shared/base/err.h"

#define DIG_FILES_MAX 100000 /* of one program */
#define DIG_NOTES_MAX 50

struct dig_find {
	const struct adopt_kind *kind;
	char *path;
	int64_t mtime, size; /* ms; bytes (0: it has no file of its own) */
	bool is_archived;
	/* what a glance says; NULL: not looked at, or nobody knows */
	char *id, *cwd, *title;
	bool is_seen, is_none;
	char *why; /* it could not be read */
};

struct dig_note {
	const char *kind;
	char *path, *why;
};

struct dig_finds {
	struct dig_find *v;
	size_t n, cap;
	struct dig_note *notes;
	size_t n_notes, cap_notes;
};

void dig_finds_fini(struct dig_finds *f);

struct dig_conf {
	const char *own_dir; /* ours, for the cache and copies; made when it is needed */
	const char *claude, *codex, *gemini, *opencode; /* their folders; NULL: none */
	uid_t uid;                                      /* whose files */
};

struct dig;

struct dig *dig_new(const struct dig_conf *conf); /* copies it */
void dig_free(struct dig *d);

/* All files of that kind (NULL: of all), newest first. */
void dig_walk(struct dig *d, const struct adopt_kind *kind, struct dig_finds *out);
/* Fills in what is not seen; from the cache when path, mtime and size are the same. */
void dig_glance(struct dig *d, struct dig_find *f);
/* Writes the cache down, when enough is new in it. */
void dig_keep(struct dig *d);

/* What it holds from byte `from` on, at most ADOPT_FILE_MAX bytes of the end, as whole lines; *begin
 * is where that begins, *upto where it ends. Owned by the caller. */
VY_MUST_USE char *dig_read(struct dig *d, const struct dig_find *f, int64_t from, size_t *n,
	int64_t *begin, int64_t *upto, struct vy_err *e);
/* The same of a path alone, on any thread, for a file that is one (not a database). */
VY_MUST_USE char *dig_read_file(const char *path, uid_t uid, int64_t from, int64_t most, size_t *n,
	int64_t *begin, int64_t *upto, struct vy_err *e);

#endif

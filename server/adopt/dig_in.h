/* dig_in.h -- what the dig's files share. Private to dig*.c. */
#ifndef ADOPT_DIG_IN_H
#define ADOPT_DIG_IN_H

#include "server/adopt/dig.h"
#include "shared/base/buf.h"

struct dig_seen; /* of the cache, by path */

struct dig {
	char *own_dir, *claude, *codex, *gemini, *opencode;
	uid_t uid;
	struct dig_seen *seen; /* by path */
	bool is_loaded;
	size_t n_new;   /* of them not written down */
	char *copy_key; /* of the database that is copied now; NULL: none is */
};

void dig_note(struct dig_finds *out, const char *kind, const char *path, const char *why);
struct dig_find *dig_add(struct dig_finds *out, const struct adopt_kind *kind, const char *path);
int dig_open(const char *path, uid_t uid, struct vy_err *e); /* a plain file of that user's */

/* dig_cache.c. True: it was there and is filled in. */
bool dig_cached(struct dig *d, struct dig_find *f);
void dig_cache(struct dig *d, const struct dig_find *f);
void dig_cache_free(struct dig *d);

/* dig_db.c: opencode. */
void dig_db_walk(struct dig *d, struct dig_finds *out);
char *dig_db_read(struct dig *d, const struct dig_find *f, size_t *n, struct vy_err *e);
void dig_db_forget(struct dig *d); /* removes our copy */

#endif

/* dig.c -- see dig.h: the walk, the glance, the reading. */
#include "server/adopt/dig.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/adopt/dig_in.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define TITLE_BYTES 300
#define PIECE       (64 * VY_KIB)
#define HEAD_MOST   (256 * VY_KIB) /* when a head of the usual size says no title */

/* ---- finds and notes ---- */

void dig_finds_fini(struct dig_finds *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free(f->v[i].path);
		free(f->v[i].id);
		free(f->v[i].cwd);
		free(f->v[i].title);
		free(f->v[i].why);
	}
	for (size_t i = 0; i < f->n_notes; i++) {
		free(f->notes[i].path);
		free(f->notes[i].why);
	}
	free(f->v);
	free(f->notes);
	*f = (struct dig_finds){ 0 };
}

void dig_note(struct dig_finds *out, const char *kind, const char *path, const char *why)
{
	if (out->n_notes < DIG_NOTES_MAX) {
		out->notes =
			vy_grow(out->notes, &out->cap_notes, out->n_notes + 1, sizeof(*out->notes));
		out->notes[out->n_notes++] =
			(struct dig_note){ kind, vy_strdup(path), vy_strdup(why) };
	}
}

struct dig_find *dig_add(struct dig_finds *out, const struct adopt_kind *kind, const char *path)
{
	out->v = vy_grow(out->v, &out->cap, out->n + 1, sizeof(*out->v));
	out->v[out->n] = (struct dig_find){ .kind = kind, .path = vy_strdup(path) };
	return &out->v[out->n++];
}

/* ---- the walk ---- */

/* Files stand `depth` folders below `below`; of those the last is called `last`, if that is said. */
struct place {
	const struct adopt_kind *kind;
	const char *root, *below, *last, *begin, *end;
	int depth;
	bool is_archive;
};

struct walk {
	struct dig *d;
	const struct place *place;
	struct dig_finds *out;
	size_t left; /* entries that may still be looked at */
};

static bool fits(const struct place *p, const char *name)
{
	struct vy_str s = vy_str_c(name);
	size_t n = strlen(p->end);

	return vy_str_starts(s, p->begin) && s.n > n && memcmp(s.p + s.n - n, p->end, n) == 0;
}

static void take(struct walk *w, const char *path, const struct stat *st)
{
	struct dig_find *f;

	if (!S_ISREG(st->st_mode) || st->st_size == 0) {
		return;
	}
	if (st->st_uid != w->d->uid) {
		dig_note(w->out, w->place->kind->kind, path, "it belongs to another user");
		return;
	}
	f = dig_add(w->out, w->place->kind, path);
	f->mtime = (int64_t)st->st_mtim.tv_sec * 1000 + st->st_mtim.tv_nsec / 1000000;
	f->size = st->st_size;
	f->is_archived = w->place->is_archive;
}

static void walk_folder(struct walk *w, int above, const char *name, const char *path, int depth);

static void walk_entry(struct walk *w, int fd, const char *name, const char *path, int depth)
{
	VY_AUTO_BUF full = VY_BUF_INIT(8192);
	struct stat st;

	vy_buf_addf(&full, "%s/%s", path, name);
	if (vy_buf_is_over(&full)) {
		return;
	}
	if (depth > 0) {
		bool is_last = depth == 1 && w->place->last;

		if (!is_last || strcmp(name, w->place->last) == 0) {
			walk_folder(w, fd, name, vy_buf_c(&full), depth - 1);
		}
	} else if (fits(w->place, name) && fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		take(w, vy_buf_c(&full), &st);
	}
}

static void walk_folder(struct walk *w, int above, const char *name, const char *path, int depth)
{
	int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (above == AT_FDCWD ? 0 : O_NOFOLLOW);
	int fd = openat(above, name, flags);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;

	if (!dir) {
		if (errno != ENOENT && errno != ENOTDIR && errno != ELOOP) {
			dig_note(w->out, w->place->kind->kind, path, strerror(errno));
		}
		if (fd >= 0) {
			close(fd);
		}
		return;
	}
	while ((e = readdir(dir))) {
		if (e->d_name[0] == '.') {
			continue;
		}
		if (w->left == 0) {
			dig_note(w->out, w->place->kind->kind, path,
				"there are too many files here: the rest was not looked at");
			break;
		}
		w->left--;
		walk_entry(w, fd, e->d_name, path, depth);
	}
	closedir(dir);
}

static void walk_place(struct dig *d, const struct place *p, struct dig_finds *out)
{
	struct walk w = { d, p, out, DIG_FILES_MAX };
	VY_AUTO_BUF path = VY_BUF_INIT(8192);

	if (p->root && vy_buf_addf(&path, "%s/%s", p->root, p->below)) {
		walk_folder(&w, AT_FDCWD, vy_buf_c(&path), vy_buf_c(&path), p->depth);
	}
}

static int newer(const void *a, const void *b)
{
	const struct dig_find *x = a, *y = b;

	return x->mtime != y->mtime ? (x->mtime < y->mtime ? 1 : -1) : strcmp(x->path, y->path);
}

void dig_walk(struct dig *d, const struct adopt_kind *kind, struct dig_finds *out)
{
	const struct place places[] = {
		{ &adopt_claude, d->claude, "projects", NULL, "", ".jsonl", 1, false },
		{ &adopt_codex, d->codex, "sessions", NULL, "rollout-", ".jsonl", 3, false },
		{ &adopt_codex, d->codex, "archived_sessions", NULL, "rollout-", ".jsonl", 0,
			true },
		{ &adopt_gemini, d->gemini, "tmp", "chats", "session-", ".jsonl", 2, false },
		{ &adopt_gemini, d->gemini, "tmp", "chats", "session-", ".json", 2, false },
	};

	for (size_t i = 0; i < VY_COUNT(places); i++) {
		if (!kind || kind == places[i].kind) {
			walk_place(d, &places[i], out);
		}
	}
	if (!kind || kind == &adopt_opencode) {
		dig_db_walk(d, out);
	}
	if (out->n > 1) {
		qsort(out->v, out->n, sizeof(*out->v), newer);
	}
}

/* ---- files ---- */

int dig_open(const char *path, uid_t uid, struct vy_err *e)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0) {
		return vy_fail_errno(e, errno, "reading %s", path);
	}
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != uid) {
		close(fd);
		return vy_fail(e, VY_DENIED, "%s is no plain file of this user", path);
	}
	return fd;
}

/* All of it, as far as it is there. */
static size_t read_at(int fd, char *to, size_t n, int64_t at)
{
	size_t got = 0;

	while (got < n) {
		ssize_t rc = pread(fd, to + got, n - got, at + (int64_t)got);

		if (rc <= 0 && !(rc < 0 && errno == EINTR)) {
			break;
		}
		got += rc > 0 ? (size_t)rc : 0;
	}
	return got;
}

/* ---- a glance ---- */

static char *line_of(struct vy_str s)
{
	VY_AUTO_BUF b = VY_BUF_INIT(4096);
	size_t n = 0;

	s = vy_str_trim(s);
	while (n < s.n && s.p[n] != '\n' && s.p[n] != '\r') {
		n++;
	}
	vy_utf8_visible(
		vy_str_n(s.p, vy_utf8_cut(vy_str_n(s.p, n), TITLE_BYTES)), VY_UTF8_LINE, &b);
	return b.len ? vy_buf_take(&b, NULL) : NULL;
}

static char *path_of(struct vy_str s)
{
	bool is_good = s.n > 0 && s.n < 4096 && s.p[0] == '/' && !memchr(s.p, 0, s.n);

	return is_good ? vy_memdup0(s.p, s.n) : NULL;
}

/* Where a session of gemini ran stands beside it: PROJECT/.project_root. */
static struct vy_str project_root(struct dig *d, const struct dig_find *f, char out[4096])
{
	const char *chats = strstr(f->path, "/chats/");
	struct vy_str none = { NULL, 0 };
	char path[4096];

	if (!chats || snprintf(path, sizeof(path), "%.*s/.project_root", (int)(chats - f->path),
			      f->path) >= (int)sizeof(path)) {
		return none;
	}
	int fd = dig_open(path, d->uid, NULL);

	if (fd < 0) {
		return none;
	}
	size_t n = read_at(fd, out, 4095, 0);

	close(fd);
	return vy_str_trim(vy_str_n(out, n));
}

static void fill(struct dig *d, struct dig_find *f, const struct adopt_glance *g)
{
	char root[4096];

	f->id = g->id.n && g->id.n <= VY_ID_MAX ? vy_memdup0(g->id.p, g->id.n) : NULL;
	f->cwd = path_of(g->cwd);
	if (!f->cwd && f->kind == &adopt_gemini) {
		f->cwd = path_of(project_root(d, f, root));
	}
	f->title = line_of(g->title);
	f->is_none = g->is_none || !f->id;
}

static void look(struct dig *d, struct dig_find *f, int fd)
{
	const char *slash = strrchr(f->path, '/');
	size_t most = f->size < HEAD_MOST ? (size_t)f->size : HEAD_MOST;
	char *head = vy_alloc(most + 1), tail[ADOPT_TAIL];
	size_t n = 0, want = most < ADOPT_HEAD ? most : ADOPT_HEAD;
	struct adopt_glance g = { 0 };
	bool is_last;
	struct vy_arena a;

	vy_arena_init(&a);
	do { /* what begins with long lines is looked at once more, further; it may have shrunk */
		struct adopt_piece p = { .name = vy_str_c(slash ? slash + 1 : f->path) };

		n += read_at(fd, head + n, want - n, (int64_t)n);
		p.head = vy_str_n(head, n);
		if ((int64_t)n < f->size) {
			int64_t at = f->size - ADOPT_TAIL > (int64_t)n ? f->size - ADOPT_TAIL
								       : (int64_t)n;

			p.tail = vy_str_n(tail, read_at(fd, tail, ADOPT_TAIL, at));
		}
		vy_arena_reset(&a);
		g = (struct adopt_glance){ 0 };
		f->kind->glance(&p, &a, &g);
		is_last = n < want || want == most;
		want = most;
	} while (!is_last && !g.is_none && !g.title.n);
	fill(d, f, &g);
	vy_arena_fini(&a);
	free(head);
}

void dig_glance(struct dig *d, struct dig_find *f)
{
	struct vy_err e = { 0 };
	int fd;

	if (f->is_seen || dig_cached(d, f)) {
		f->is_seen = true;
		return;
	}
	f->is_seen = true;
	fd = dig_open(f->path, d->uid, &e);
	if (fd < 0) {
		f->why = vy_strdup(e.text);
		return;
	}
	look(d, f, fd);
	close(fd);
	dig_cache(d, f);
}

/* ---- a reading ---- */

char *dig_read_file(const char *path, uid_t uid, int64_t from, int64_t most, size_t *n,
	int64_t *begin, int64_t *upto, struct vy_err *e)
{
	int fd = dig_open(path, uid, e);
	struct stat st;

	if (fd < 0) {
		return NULL;
	}
	if (fstat(fd, &st) != 0) {
		vy_fail_errno(e, errno, "reading %s", path);
		close(fd);
		return NULL;
	}
	*begin = from <= st.st_size ? from : 0; /* shorter than it was: it is another one */
	if (st.st_size - *begin > most) {
		*begin = st.st_size - most;
	}
	char *text = vy_alloc((size_t)(st.st_size - *begin) + 1);

	*n = read_at(fd, text, (size_t)(st.st_size - *begin), *begin);
	close(fd);
	const char *end = *n ? memrchr(text, '\n', *n) : NULL;

	*upto = end ? *begin + (end - text) + 1 : *begin; /* what is behind is read again */
	if (*begin > 0 && *begin != from) {               /* in the middle of a line */
		const char *nl = memchr(text, '\n', *n);
		size_t cut = nl ? (size_t)(nl - text) + 1 : *n;

		memmove(text, text + cut, *n - cut);
		*n -= cut;
	}
	return text;
}

char *dig_read(struct dig *d, const struct dig_find *f, int64_t from, size_t *n, int64_t *begin,
	int64_t *upto, struct vy_err *e)
{
	if (f->kind == &adopt_opencode) {
		*begin = *upto = 0;
		return dig_db_read(d, f, n, e);
	}
	return dig_read_file(f->path, d->uid, from, ADOPT_FILE_MAX, n, begin, upto, e);
}

/* ---- life ---- */

struct dig *dig_new(const struct dig_conf *conf)
{
	struct dig *d = VY_NEW(struct dig);

	d->own_dir = vy_strdup(conf->own_dir);
	d->claude = vy_strdup(conf->claude);
	d->codex = vy_strdup(conf->codex);
	d->gemini = vy_strdup(conf->gemini);
	d->opencode = vy_strdup(conf->opencode);
	d->uid = conf->uid;
	return d;
}

void dig_free(struct dig *d)
{
	if (d) {
		dig_db_forget(d);
		dig_cache_free(d);
		free(d->own_dir);
		free(d->claude);
		free(d->codex);
		free(d->gemini);
		free(d->opencode);
		free(d);
	}
}

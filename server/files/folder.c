/* folder.c -- see folder.h. The list is its own queue: folders in it are walked in their turn. */
#include "server/files/folder.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/files/ignore.h"
#include "server/files/inside.h"
#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define IGNORE_FILE_MAX (256 * VY_KIB)

struct folder {
	struct vy_arena arena;
	char *path;
	char *top; /* of the working tree; NULL: none */
	struct folder_item *v;
	size_t n, cap;
	size_t seen;
	int64_t read_at;
	bool is_cut;
	struct ignore *ignore;
};

/* ---- what git ignores ---- */

static void read_rules(struct folder *f, int fd, struct vy_str base)
{
	VY_AUTO_BUF text = VY_BUF_INIT(IGNORE_FILE_MAX + 1);
	struct stat st;

	if (fd < 0) {
		return;
	}
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= IGNORE_FILE_MAX &&
		vy_buf_reserve(&text, IGNORE_FILE_MAX)) {
		ssize_t n = read(fd, text.data, IGNORE_FILE_MAX);

		ignore_add(f->ignore, base, vy_str_n(text.data, n > 0 ? (size_t)n : 0));
	}
	close(fd);
}

static int open_rules(const char *folder, const char *name)
{
	VY_AUTO_BUF b = VY_BUF_INIT(8192);

	vy_buf_addf(&b, "%s/%s", folder, name);
	return open(vy_buf_c(&b), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
}

/* A folder of that name alone is no repository: sandboxes leave empty ones where they held a place. */
static bool has_git(const char *folder)
{
	VY_AUTO_BUF b = VY_BUF_INIT(8192);
	struct stat st;

	vy_buf_addf(&b, "%s/.git", folder);
	if (stat(vy_buf_c(&b), &st) != 0) {
		return false;
	}
	if (S_ISDIR(st.st_mode)) {
		vy_buf_adds(&b, "/HEAD");
		return stat(vy_buf_c(&b), &st) == 0;
	}
	return S_ISREG(st.st_mode); /* of a worktree: it names another folder */
}

static char *find_top(const char *path)
{
	char *at = vy_strdup(path);

	for (;;) {
		char *slash = strrchr(at, '/');

		if (has_git(at)) {
			return at;
		}
		if (!slash || slash == at) {
			free(at);
			return NULL;
		}
		*slash = '\0';
	}
}

/* The rules are written for paths from the working tree's top; ours begin at the folder. */
static struct vy_str from_top(struct folder *f, struct vy_str path)
{
	const char *own = f->path + strlen(f->top);

	own += *own == '/';
	return !*own    ? path
	       : path.n ? vy_str_c(vy_arena_printf(&f->arena, "%s/%.*s", own, VY_STR_ARG(path)))
			: vy_str_c(own);
}

/* Of the folders above, from the top down. */
static void rules_above(struct folder *f)
{
	size_t top = strlen(f->top), n = top;

	read_rules(f, open_rules(f->top, ".git/info/exclude"), vy_str_n(NULL, 0));
	while (n < strlen(f->path)) {
		char *at = vy_memdup0(f->path, n);
		struct vy_str base = vy_str_c(n > top ? at + top + 1 : "");

		read_rules(f, open_rules(at, ".gitignore"), base);
		free(at);
		do {
			n++;
		} while (f->path[n] && f->path[n] != '/');
	}
}

/* ---- walking ---- */

static int by_path(const void *a, const void *b)
{
	const struct folder_item *x = a, *y = b;
	size_t n = x->path.n < y->path.n ? x->path.n : y->path.n;
	int c = memcmp(x->path.p, y->path.p, n);

	return c ? c : x->path.n < y->path.n ? -1 : x->path.n > y->path.n;
}

static bool is_dir(int fd, const struct dirent *d)
{
	struct stat st;

	return d->d_type == DT_DIR ||
	       (d->d_type == DT_UNKNOWN && fstatat(fd, d->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		       S_ISDIR(st.st_mode));
}

static void add(struct folder *f, struct vy_str base, const char *name, bool dir)
{
	char *path = base.n ? vy_arena_printf(&f->arena, "%.*s/%s", VY_STR_ARG(base), name)
			    : vy_arena_dup(&f->arena, name, strlen(name));
	struct folder_item it = { vy_str_c(path), dir };

	if (f->top && ignore_match(f->ignore, from_top(f, it.path), dir)) {
		return;
	}
	f->v = vy_grow(f->v, &f->cap, f->n + 1, sizeof(*f->v));
	f->v[f->n++] = it;
}

static void walk(struct folder *f, int root, struct vy_str at)
{
	const char *path = at.n ? at.p : ".";
	int fd = inside_open(root, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0, NULL);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	size_t from = f->n;
	struct dirent *d;

	if (!dir) {
		if (fd >= 0) {
			close(fd);
		}
		return; /* not ours to read: as if it were empty */
	}
	if (f->top) {
		read_rules(f,
			openat(fd, ".gitignore", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW),
			from_top(f, at));
	}
	while ((d = readdir(dir))) {
		if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0 ||
			strcmp(d->d_name, ".git") == 0 || !vy_utf8_is_valid(vy_str_c(d->d_name))) {
			continue;
		}
		if (f->seen++ >= FOLDER_ENTRIES) {
			f->is_cut = true;
			break;
		}
		add(f, at, d->d_name, is_dir(fd, d));
	}
	closedir(dir);
	if (f->n > from) {
		qsort(f->v + from, f->n - from, sizeof(*f->v), by_path);
	}
}

static size_t depth_of(struct vy_str path)
{
	size_t n = 1;

	for (size_t i = 0; i < path.n; i++) {
		n += path.p[i] == '/';
	}
	return n;
}

struct folder *folder_read(const char *path, const struct vy_clock *clock, struct vy_err *e)
{
	int root = inside_root(path, e);
	struct folder *f;

	if (root < 0) {
		return NULL;
	}
	f = VY_NEW(struct folder);
	vy_arena_init(&f->arena);
	f->path = vy_strdup(path);
	f->top = find_top(path);
	f->ignore = ignore_new();
	f->read_at = vy_boot_ms(clock);
	if (f->top) {
		rules_above(f);
	}
	walk(f, root, vy_str_n(NULL, 0));
	for (size_t i = 0; i < f->n && !f->is_cut; i++) {
		struct folder_item it = f->v[i]; /* the list moves */

		if (!it.is_dir) {
			continue;
		}
		if (depth_of(it.path) >= FOLDER_DEPTH ||
			vy_boot_ms(clock) - f->read_at > FOLDER_MS) {
			f->is_cut = true;
			break;
		}
		walk(f, root, it.path);
	}
	close(root);
	ignore_free(f->ignore);
	f->ignore = NULL;
	return f;
}

void folder_free(struct folder *f)
{
	if (f) {
		vy_arena_fini(&f->arena);
		free(f->path);
		free(f->top);
		free(f->v);
		free(f);
	}
}

/* ---- looking ---- */

const char *folder_path(const struct folder *f)
{
	return f->path;
}

size_t folder_len(const struct folder *f)
{
	return f->n;
}

const struct folder_item *folder_at(const struct folder *f, size_t i)
{
	return &f->v[i];
}

bool folder_is_cut(const struct folder *f)
{
	return f->is_cut;
}

bool folder_is_git(const struct folder *f)
{
	return f->top != NULL;
}

int64_t folder_age_ms(const struct folder *f, const struct vy_clock *clock)
{
	return vy_boot_ms(clock) - f->read_at;
}

/* ---- finding ---- */

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static bool begins_word(struct vy_str s, size_t i)
{
	return i == 0 || strchr("/._- ", s.p[i - 1]) ||
	       (islower((unsigned char)s.p[i - 1]) && isupper((unsigned char)s.p[i]));
}

/* From `from` on; 0: the letters are not there in this order. */
static int score_from(struct vy_str s, size_t from, struct vy_str query)
{
	int score = 1;
	size_t q = 0, last = from;

	for (size_t i = from; i < s.n && q < query.n; i++) {
		if (!same_letter(s.p[i], query.p[q])) {
			continue;
		}
		score += begins_word(s, i) ? 8 : 1;
		score += q > 0 && i == last + 1 ? 6 : 0;
		last = i;
		q++;
	}
	return q == query.n ? score : 0;
}

static int score_of(struct vy_str s, struct vy_str query)
{
	size_t name = s.n;

	while (name && s.p[name - 1] != '/') {
		name--;
	}
	int whole = score_from(s, 0, query), own = score_from(s, name, query);

	return own ? own + 40 + (own > whole ? 0 : whole - own) : whole;
}

struct hit {
	int score;
	size_t at;
};

static bool is_better(const struct folder *f, const struct hit *a, const struct hit *b)
{
	size_t x = f->v[a->at].path.n, y = f->v[b->at].path.n;

	return a->score != b->score ? a->score > b->score : x != y ? x < y : a->at < b->at;
}

size_t folder_find(const struct folder *f, struct vy_str query, size_t most, size_t *out)
{
	struct hit *best = vy_calloc(most + 1, sizeof(*best));
	size_t n = 0;

	for (size_t i = 0; i < f->n && !(query.n == 0 && n == most); i++) {
		struct hit h = { query.n ? score_of(f->v[i].path, query) : 1, i };
		size_t at = n;

		if (h.score == 0 || most == 0) {
			continue;
		}
		while (query.n && at > 0 && is_better(f, &h, &best[at - 1])) {
			best[at] = best[at - 1];
			at--;
		}
		best[at] = h;
		n += n < most;
	}
	for (size_t i = 0; i < n; i++) {
		out[i] = best[i].at;
	}
	free(best);
	return n;
}

/* demo_past.c -- what the demo remembers: messages, where its lines stand, files before it changed them.
 *
 * One file a session, only appended to, as claude keeps its transcript:
 *
 *	UUID words      a message was taken
 *	=ID             a line of the demo's own: a place to go back to
 *	!NAME PATH      a file as it was before it was changed, in NAME beside this file; "-": it was not there
 *
 * A message told again after a crash is known by it and not run twice; a session id that has a file
 * is resumed, one that has none is new, and each of them refuses the other's flag. A copy of another
 * session, up to a place in it, is written when its first message is taken. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/provider/demo_agent.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define LINE_BYTES  8192
#define WORDS_BYTES 200
#define FILE_BYTES  (4 * VY_MIB)

/* ---- where ---- */

/* $VYRE_DEMO_DIR, else vyre's folder of state. */
static void find_dir(struct demo *d)
{
	static const struct {
		const char *variable, *below;
	} places[] = { { "VYRE_DEMO_DIR", "" }, { "XDG_STATE_HOME", "/vyre/demo" },
		{ "HOME", "/.local/state/vyre/demo" } };
	char path[4096];

	for (size_t i = 0; i < VY_COUNT(places) && !d->dir; i++) {
		const char *base = getenv(places[i].variable);

		if (base && base[0] == '/') {
			snprintf(path, sizeof(path), "%s%s", base, places[i].below);
			fields_str_set(&d->dir, vy_str_c(path));
		}
	}
}

static void make_dirs(const char *dir)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s", dir);
	for (char *p = path + 1; *p; p++) {
		if (*p == '/') {
			*p = '\0';
			mkdir(path, 0700);
			*p = '/';
		}
	}
	mkdir(path, 0700);
}

/* Without a folder the demo works, and forgets. */
static void keep(struct demo *d, const char *name, int flags, struct vy_str bytes)
{
	char path[4096];

	if (!d->dir) {
		return;
	}
	snprintf(path, sizeof(path), "%s/%s", d->dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);

	if (fd < 0 && errno == ENOENT) {
		make_dirs(d->dir);
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);
	}
	while (fd >= 0 && bytes.n > 0) {
		ssize_t n = write(fd, bytes.p, bytes.n);

		bytes = n > 0 ? vy_str_from(bytes, (size_t)n) : vy_str_n(NULL, 0);
	}
	if (fd >= 0) {
		close(fd);
	}
}

/* ---- lines ---- */

static void drop(struct demo_past *p, size_t n)
{
	while (p->n > n) {
		free(p->v[--p->n]);
	}
}

static void add(struct demo_past *p, const char *line)
{
	p->v = vy_grow(p->v, &p->cap, p->n + 1, sizeof(*p->v));
	p->v[p->n++] = vy_strdup(line);
}

static bool is_word(const char *line)
{
	return strchr("=!", line[0]) == NULL;
}

static bool is_named(const char *line, const char *id)
{
	size_t n = strlen(id);

	line += line[0] == '=';
	return strncmp(line, id, n) == 0 && (line[n] == '\0' || line[n] == ' ');
}

/* Behind that place: a word's own, or a line's. SIZE_MAX: there is none. */
static size_t behind(const struct demo_past *p, const char *id)
{
	for (size_t i = p->n; i-- > 0;) {
		if (is_named(p->v[i], id)) {
			return i + 1;
		}
	}
	return SIZE_MAX;
}

static bool go_back(struct demo_past *p, const char *id)
{
	size_t at = behind(p, id);

	if (at == SIZE_MAX) {
		return false;
	}
	drop(p, at);
	return true;
}

static void read_line(struct demo *d, char *line)
{
	line[strcspn(line, "\n")] = '\0';
	if (line[0]) {
		add(&d->past, line);
	}
	if (line[0] && is_word(line)) {
		line[strcspn(line, " ")] = '\0';
		vy_json_set_bool(d->seen, line, true);
	}
}

static void flush(struct demo *d, const char *line)
{
	VY_AUTO_BUF b = VY_BUF_INIT(LINE_BYTES * 2);

	vy_buf_addf(&b, "%s\n", line);
	keep(d, d->session, O_APPEND, vy_buf_str(&b));
}

static void put(struct demo *d, const char *line)
{
	add(&d->past, line);
	flush(d, line);
}

/* ---- a life ---- */

bool demo_past_open(struct demo *d, const char *from, const char *at)
{
	char path[4096], line[LINE_BYTES];

	d->seen = vy_json_new_obj();
	find_dir(d);
	if (d->dir) {
		snprintf(path, sizeof(path), "%s/%s", d->dir, from);
		FILE *f = fopen(path, "re");

		while (f && fgets(line, sizeof(line), f)) {
			read_line(d, line);
		}
		if (f) {
			fclose(f);
		}
	}
	d->past.is_copy = strcmp(from, d->session) != 0;
	return !at || go_back(&d->past, at);
}

bool demo_past_is_known(const struct demo *d)
{
	return vy_json_len(d->seen) > 0;
}

void demo_past_fini(struct demo *d)
{
	drop(&d->past, 0);
	free(d->past.v);
}

/* The first word of a copy: from now on it is on disk. */
static void settle(struct demo *d)
{
	struct demo_past *p = &d->past;

	for (size_t i = 0; p->is_copy && i < p->n; i++) {
		flush(d, p->v[i]);
	}
	p->is_copy = false;
}

void demo_past_word(struct demo *d, struct vy_str uuid, const char *text)
{
	VY_AUTO_BUF line = VY_BUF_INIT(LINE_BYTES);
	char id[VY_ID_MAX + 1];

	snprintf(id, sizeof(id), "%.*s", (int)(uuid.n < VY_ID_MAX ? uuid.n : VY_ID_MAX), uuid.p);
	vy_json_set_bool(d->seen, id, true);
	vy_buf_addf(&line, "%s %.*s", id, WORDS_BYTES, text ? text : "");
	for (size_t i = 0; i < line.len; i++) {
		line.data[i] = (unsigned char)line.data[i] < ' ' ? ' ' : line.data[i];
	}
	settle(d);
	put(d, vy_buf_c(&line));
}

void demo_past_line(struct demo *d, const char *id)
{
	VY_AUTO_BUF line = VY_BUF_INIT(LINE_BYTES);

	vy_buf_addf(&line, "=%s", id);
	put(d, vy_buf_c(&line));
}

const char *demo_past_told(struct demo *d)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_FRAME_TEXT_MAX);

	for (size_t i = 0; i < d->past.n; i++) {
		const char *words = is_word(d->past.v[i]) ? strchr(d->past.v[i], ' ') : NULL;

		if (words) {
			vy_buf_adds(&b, b.len ? " | " : "I remember: ");
			vy_buf_adds(&b, words + 1);
		}
	}
	return vy_arena_str(&d->arena, vy_buf_str(&b)).p;
}

/* ---- files ---- */

void demo_past_file(struct demo *d, struct vy_str path, bool was_there, struct vy_str before)
{
	VY_AUTO_BUF line = VY_BUF_INIT(LINE_BYTES);
	VY_AUTO_BUF name = VY_BUF_INIT(256);

	if (was_there) {
		vy_buf_addf(&name, "%s.%s-%lld", d->session, d->life, (long long)++d->past.files);
		keep(d, vy_buf_c(&name), O_TRUNC, before);
	}
	vy_buf_addf(&line, "!%s %.*s", was_there ? vy_buf_c(&name) : "-", VY_STR_ARG(path));
	put(d, vy_buf_c(&line));
}

static bool put_back(struct demo *d, const char *name, const char *path)
{
	VY_AUTO_BUF b = VY_BUF_INIT(FILE_BYTES);
	char from[4096], part[16384];
	size_t n;

	if (strcmp(name, "-") == 0) {
		return unlink(path) == 0 || errno == ENOENT;
	}
	snprintf(from, sizeof(from), "%s/%s", d->dir ? d->dir : "", name);
	FILE *f = fopen(from, "re");

	while (f && (n = fread(part, 1, sizeof(part), f)) > 0) {
		vy_buf_add(&b, part, n);
	}
	if (!f) {
		return false;
	}
	fclose(f);
	f = fopen(path, "we");
	bool ok = f && fwrite(b.len ? b.data : "", 1, b.len, f) == b.len;

	return f && fclose(f) == 0 && ok;
}

/* The oldest of each file behind the word: as it was before it. */
bool demo_past_restore(struct demo *d, struct vy_str uuid, bool is_dry, struct vy_json *changed)
{
	VY_AUTO_JSON *done = vy_json_new_obj();
	size_t at = behind(&d->past, vy_arena_dup(&d->arena, uuid.p, uuid.n));

	for (size_t i = at; at != SIZE_MAX && i < d->past.n; i++) {
		char name[256];
		const char *path = d->past.v[i][0] == '!' ? strchr(d->past.v[i], ' ') : NULL;

		if (!path || vy_json_get(done, path + 1)) {
			continue;
		}
		snprintf(name, sizeof(name), "%.*s", (int)(path - d->past.v[i] - 1),
			d->past.v[i] + 1);
		vy_json_set_bool(done, path + 1, true);
		vy_json_add_take(changed, vy_json_new_str(vy_str_c(path + 1)));
		if (!is_dry && !put_back(d, name, path + 1)) {
			return false;
		}
	}
	return at != SIZE_MAX;
}

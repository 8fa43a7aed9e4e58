/* config_file.c -- the file of a configuration: its lines and its sections; what they say is
 * config_keys.c's. The only file that knows inih.
 *
 * inih tells a handler neither the line nor that a section begins, cuts long lines and names, takes
 * an indented line for more of the value before, and passes over what stands behind a bracket. So
 * the lines are counted, trimmed and looked at here before it gets them. */
#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/main/config_keys.h"
#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define CONFIG_MAX         (256 * 1024)
#define CONFIG_LINE_MAX    198 /* inih's own buffer is 200: a longer line would be cut unseen */
#define CONFIG_SECTION_MAX 49  /* and so would a longer section, at its 50 */

struct section {
	char name[CONFIG_SECTION_MAX + 1];
	int line;
};

struct reading {
	struct config *c;
	const char *path;
	struct vy_str rest;
	int line;
	struct section *seen; /* in order of appearance; the last one is open */
	size_t n_seen, cap_seen;
	struct vy_err *e;
	bool has_failed;
};

/* What is wrong is in r->e but for its place. */
static void failed_at(struct reading *r, int line)
{
	vy_wrap(r->e, "%s:%d", r->path, line);
	r->has_failed = true;
}

static void failed(struct reading *r)
{
	failed_at(r, r->line);
}

/* ---- lines ---- */

static int enter_section(struct reading *r, struct vy_str name)
{
	struct section s = { .line = r->line };

	if (name.n > CONFIG_SECTION_MAX) {
		return vy_fail(r->e, VY_BAD_INPUT,
			"the name of this section is longer than %d bytes", CONFIG_SECTION_MAX);
	}
	memcpy(s.name, name.p, name.n);
	for (size_t i = 0; i < r->n_seen; i++) {
		if (strcmp(r->seen[i].name, s.name) == 0) {
			return vy_fail(r->e, VY_BAD_INPUT,
				"[%s] is named twice, first in line %d: put its keys in one place",
				s.name, r->seen[i].line);
		}
	}
	r->seen = vy_grow(r->seen, &r->cap_seen, r->n_seen + 1, sizeof(*r->seen));
	r->seen[r->n_seen++] = s;
	return config_section(r->c, s.name, r->e);
}

/* A line that begins with a bracket. */
static int read_section(struct reading *r, struct vy_str line)
{
	const char *end = memchr(line.p, ']', line.n);
	struct vy_str behind =
		end ? vy_str_trim(vy_str_from(line, (size_t)(end - line.p) + 1)) : line;

	if (!end || (behind.n && behind.p[0] != ';' && behind.p[0] != '#')) {
		return vy_fail(r->e, VY_BAD_INPUT,
			"expected [section] and nothing else in its line, got %.*s",
			VY_STR_ARG(line));
	}
	return enter_section(r, vy_str_n(line.p + 1, (size_t)(end - line.p) - 1));
}

/* The next line of the text, trimmed; false at its end. */
static bool take_line(struct reading *r, struct vy_str *out)
{
	if (r->rest.n == 0) {
		return false;
	}
	const char *nl = memchr(r->rest.p, '\n', r->rest.n);
	size_t n = nl ? (size_t)(nl - r->rest.p) : r->rest.n;

	r->line++;
	*out = vy_str_trim(vy_str_n(r->rest.p, n));
	r->rest = vy_str_from(r->rest, nl ? n + 1 : n);
	return true;
}

static int look_at(struct reading *r, struct vy_str line)
{
	if (line.n > CONFIG_LINE_MAX) {
		return vy_fail(
			r->e, VY_BAD_INPUT, "this line is longer than %d bytes", CONFIG_LINE_MAX);
	}
	if (memchr(line.p, '\0', line.n)) {
		return vy_fail(r->e, VY_BAD_INPUT, "expected text, got a zero byte");
	}
	return line.n && line.p[0] == '[' ? read_section(r, line) : 0;
}

/* inih's fgets. */
static char *next_line(char *out, int room, void *ctx)
{
	struct reading *r = ctx;
	struct vy_str line;

	if (r->has_failed || !take_line(r, &line)) {
		return NULL;
	}
	if (look_at(r, line) != 0) {
		failed(r);
		return NULL;
	}
	vy_assert(line.n + 2 <= (size_t)room);
	memcpy(out, line.p, line.n);
	memcpy(out + line.n, "\n", 2);
	return out;
}

static int on_key(void *ctx, const char *section, const char *key, const char *value)
{
	struct reading *r = ctx;

	(void)section; /* ours is the whole name */
	if (r->has_failed) {
		return 0;
	}
	if (config_key(r->c, r->n_seen ? r->seen[r->n_seen - 1].name : "", key, value, r->e) != 0) {
		failed(r);
		return 0;
	}
	return 1;
}

/* ---- the text ---- */

/* Where [provider.NAME] stands. */
static int line_of(const struct reading *r, const char *provider)
{
	for (size_t i = 0; i < r->n_seen; i++) {
		const char *dot = strchr(r->seen[i].name, '.');

		if (dot && strncmp(r->seen[i].name, "provider.", 9) == 0 &&
			strcmp(dot + 1, provider) == 0) {
			return r->seen[i].line;
		}
	}
	return r->line;
}

static void look_at_whole(struct reading *r)
{
	for (size_t i = 0; i < r->c->n_providers && !r->has_failed; i++) {
		const struct provider_conf *p = &r->c->providers[i];

		if (!p->kind) {
			vy_fail(r->e, VY_BAD_INPUT,
				"[provider.%s] has no kind: say which driver it is", p->name);
			failed_at(r, line_of(r, p->name));
		}
	}
}

struct config *config_parse(const char *path, struct vy_str text, struct vy_err *e)
{
	struct vy_err unheard;
	struct reading r = { .c = config_new(), .path = path, .rest = text, .e = e ? e : &unheard };
	int line;

	if (vy_str_starts(r.rest, "\xEF\xBB\xBF")) { /* an editor's mark of UTF-8 */
		r.rest = vy_str_from(r.rest, 3);
	}
	line = ini_parse_stream(next_line, &r, on_key, &r);
	if (line != 0 && !r.has_failed) {
		vy_fail(r.e, VY_BAD_INPUT, "expected [section], key = value, or a comment");
		failed_at(&r, line > 0 ? line : r.line);
	}
	look_at_whole(&r);
	free(r.seen);
	if (r.has_failed) {
		config_free(r.c);
		return NULL;
	}
	return r.c;
}

/* ---- the file ---- */

static int read_file(const char *path, struct vy_buf *b, struct vy_err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int rc = 0;

	if (fd < 0) {
		return errno == ENOENT ? vy_fail(e, VY_NOT_FOUND, "%s is not there", path)
				       : vy_fail_errno(e, errno, "reading %s", path);
	}
	for (;;) {
		if (!vy_buf_reserve(b, 4096)) {
			rc = vy_fail(e, VY_BAD_INPUT, "%s is larger than %d KiB", path,
				CONFIG_MAX / 1024);
			break;
		}
		ssize_t n = read(fd, b->data + b->len, 4096);

		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n < 0) {
			rc = vy_fail_errno(e, errno, "reading %s", path);
		}
		if (n <= 0) {
			break;
		}
		b->len += (size_t)n;
		b->data[b->len] = '\0';
	}
	close(fd);
	return rc;
}

struct config *config_read(const char *path, bool must_exist, struct vy_err *e)
{
	VY_AUTO_BUF b = VY_BUF_INIT(CONFIG_MAX);
	struct vy_err why = { 0 };

	if (read_file(path, &b, &why) != 0) {
		if (why.code == VY_NOT_FOUND && !must_exist) {
			return config_new();
		}
		vy_fail(e, why.code, "%s", why.text);
		return NULL;
	}
	return config_parse(path, vy_buf_str(&b), e);
}

/* config.c -- see config.h. The only file of the client that knows inih.
 *
 * Each line is a text of its own for inih, so that a broken one harms no other and its number is
 * known. Of the keys inih hears nothing: "[", "=", ";" and "#" are keys too, and are what it
 * parts lines by. */
#include "tui/main/config.h"

#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <unistd.h>

#include "tui/words/words.h"
#include "shared/base/ban.h"

#define CONFIG_MAX (256 * 1024)
#define LINE_MOST  198 /* inih's own buffer is 200: a longer line would be cut unseen */

enum section { SCREEN, KEYS, UNKNOWN };

struct reading {
	struct tui_config *c;
	enum section section;
	struct vy_err *e;
	bool has_failed;
};

void tui_config_init(struct tui_config *c)
{
	*c = (struct tui_config){ 0 };
	settings_init(&c->settings);
	keymap_init(&c->keymap);
}

void tui_config_fini(struct tui_config *c)
{
	settings_fini(&c->settings);
	keymap_fini(&c->keymap);
}

/* ---- one line ---- */

static int on_setting(void *ctx, const char *section, const char *name, const char *value)
{
	struct reading *r = ctx;

	(void)section;
	if (settings_set(&r->c->settings, vy_str_c(name), vy_str_c(value), r->e) != 0) {
		r->has_failed = true;
	}
	return 1;
}

static int read_setting(struct reading *r, struct vy_str line)
{
	char text[LINE_MOST + 2];

	if (line.n > LINE_MOST || memchr(line.p, '\0', line.n)) {
		return vy_fail(r->e, VY_BAD_INPUT,
			_("this line is longer than %d bytes, or no text"), LINE_MOST);
	}
	memcpy(text, line.p, line.n);
	memcpy(text + line.n, "\n", 2);
	r->has_failed = false;
	if (ini_parse_string(text, on_setting, r) != 0) {
		return vy_fail(r->e, VY_BAD_INPUT, _("expected name = value"));
	}
	return r->has_failed ? -1 : 0;
}

/* "[ = mine-up" binds a key. */
static bool is_section(struct vy_str line)
{
	return line.n && line.p[0] == '[' && !vy_str_starts(vy_str_trim(vy_str_from(line, 1)), "=");
}

static int read_section(struct reading *r, struct vy_str line)
{
	if (vy_str_is(line, "[keys]")) {
		r->section = KEYS;
	} else if (vy_str_is(line, "[screen]")) {
		r->section = SCREEN;
	} else {
		r->section = UNKNOWN;
		return vy_fail(r->e, VY_BAD_INPUT, _("there are [screen] and [keys], not %.*s"),
			VY_STR_ARG(line));
	}
	return 0;
}

static int read_line(struct reading *r, struct vy_str line)
{
	if (is_section(line)) {
		return read_section(r, line);
	}
	switch (r->section) {
	case KEYS: return keymap_line(&r->c->keymap, line, r->e);
	case SCREEN: return line.n ? read_setting(r, line) : 0;
	case UNKNOWN: break; /* said at its head */
	}
	return 0;
}

/* ---- the text ---- */

static void complain(struct tui_config *c, const char *path, int number, const struct vy_err *e)
{
	if (c->n_wrong++ == 0) {
		snprintf(c->trouble, sizeof(c->trouble), "%.400s:%d: %s", path, number, e->text);
	}
}

static void count_more(struct tui_config *c)
{
	size_t n = strlen(c->trouble), more = c->n_wrong - 1;

	if (c->n_wrong > 1) {
		snprintf(c->trouble + n, sizeof(c->trouble) - n,
			words_count(
				" (and %zu line more)", " (and %zu lines more)", (long long)more),
			more);
	}
}

void tui_config_parse(struct tui_config *c, const char *path, struct vy_str text)
{
	struct vy_err e;
	struct reading r = { .c = c, .e = &e };

	if (vy_str_starts(text, "\xEF\xBB\xBF")) { /* an editor's mark of UTF-8 */
		text = vy_str_from(text, 3);
	}
	for (int number = 1; text.n > 0; number++) {
		const char *nl = memchr(text.p, '\n', text.n);
		size_t n = nl ? (size_t)(nl - text.p) : text.n;

		e = (struct vy_err){ 0 };
		if (read_line(&r, vy_str_trim(vy_str_n(text.p, n))) != 0) {
			complain(c, path, number, &e);
		}
		text = vy_str_from(text, n + 1);
	}
	count_more(c);
}

/* ---- the file ---- */

void tui_config_path(const char *xdg_config_home, const char *home, struct vy_buf *out)
{
	if (xdg_config_home && xdg_config_home[0] == '/') {
		vy_buf_addf(out, "%s/vyre/tui.conf", xdg_config_home);
	} else if (home && home[0]) {
		vy_buf_addf(out, "%s/.config/vyre/tui.conf", home);
	}
}

static int read_all(int fd, struct vy_buf *b)
{
	for (;;) {
		if (!vy_buf_reserve(b, 4096)) {
			errno = EFBIG;
			return -1;
		}
		ssize_t n = read(fd, b->data + b->len, 4096);

		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n <= 0) {
			return (int)n;
		}
		b->len += (size_t)n;
		b->data[b->len] = '\0';
	}
}

void tui_config_read(struct tui_config *c, const char *path)
{
	VY_AUTO_BUF b = VY_BUF_INIT(CONFIG_MAX);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not hold us up */

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
		return;
	}
	if (fd < 0 || read_all(fd, &b) != 0) {
		c->n_wrong++;
		snprintf(c->trouble, sizeof(c->trouble), "%s: %s", path, strerror(errno));
	} else {
		tui_config_parse(c, path, vy_buf_str(&b));
	}
	if (fd >= 0) {
		close(fd);
	}
}

/* expect.c -- the words of a script that look at the screen. All of them wait for what they want. */
#include "tests/screen/run.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/ban.h"

#define QUIET_MS 300 /* UPDATE=1 only: when nothing is written for that long it is the picture */

bool run_fail(struct run *r, const char *fmt, ...)
{
	va_list ap;

	vy_buf_clear(&r->why);
	va_start(ap, fmt);
	vy_buf_addv(&r->why, fmt, ap);
	va_end(ap);
	return false;
}

bool run_number(const char *s, int *out)
{
	long long v;

	if (!vy_parse_i64(vy_str_c(s), &v) || v < -100000 || v > 1000000) {
		return false;
	}
	*out = (int)v;
	return true;
}

/* ---- waiting ---- */

/* Pumps until the verb holds; what it says in the end is why it does not. */
bool run_await(struct run *r, run_verb *holds, const struct words *w, int ms)
{
	int64_t until = term_now() + ms;

	for (;;) {
		bool is_late = term_now() >= until;

		if ((term_is_steady(&r->term) || is_late) && holds(r, w)) {
			return true;
		}
		if (is_late) {
			return false;
		}
		term_pump(&r->term, 20);
	}
}

static void screen_text(struct run *r, struct vy_buf *out)
{
	vy_buf_clear(out);
	term_text(&r->term, out);
}

static bool is_shown(struct run *r, const char *text)
{
	VY_AUTO_BUF b = VY_BUF_INIT(1 << 22);

	screen_text(r, &b);
	return strstr(vy_buf_c(&b), text) != NULL;
}

static bool shows(struct run *r, const struct words *w)
{
	return is_shown(r, w->v[1]) || run_fail(r, "\"%s\" did not appear", w->v[1]);
}

static bool shows_not(struct run *r, const struct words *w)
{
	return !is_shown(r, w->v[1]) || run_fail(r, "\"%s\" is still there", w->v[1]);
}

static int limit_of(const struct words *w, int at)
{
	int ms = RUN_WAIT_MS;

	return w->n > at && run_number(w->v[at], &ms) ? ms : RUN_WAIT_MS;
}

bool expect_wait(struct run *r, const struct words *w)
{
	return run_await(r, shows, w, limit_of(w, 2));
}

bool expect_absent(struct run *r, const struct words *w)
{
	return run_await(r, shows_not, w, limit_of(w, 2));
}

/* ---- expecting ---- */

/* Row number, from 1, or from the last with -1; as text in `out`. */
static bool row_text(struct run *r, const char *number, struct vy_buf *out)
{
	VY_AUTO_BUF b = VY_BUF_INIT(1 << 22);
	int cols, rows, n;

	vy_grid_size(vy_vt_grid(r->term.vt), &cols, &rows);
	if (!run_number(number, &n) || n == 0 || n > rows || n < -rows) {
		return run_fail(r, "there is no row %s", number);
	}
	n = n > 0 ? n - 1 : rows + n;
	screen_text(r, &b);
	const char *p = vy_buf_c(&b);

	while (n-- > 0) {
		p = strchr(p, '\n') + 1;
	}
	vy_buf_add(out, p, (size_t)(strchr(p, '\n') - p));
	return true;
}

static bool row_is(struct run *r, const struct words *w)
{
	VY_AUTO_BUF b = VY_BUF_INIT(1 << 20);
	bool has = w->n == 5 && strcmp(w->v[3], "has") == 0;

	if (!row_text(r, w->v[2], &b)) {
		return false;
	}
	const char *got = vy_buf_c(&b), *want = w->v[w->n - 1];

	return (has ? strstr(got, want) != NULL : strcmp(got, want) == 0) ||
	       run_fail(r, "row %s is \"%s\"", w->v[2], got);
}

static bool cursor_is(struct run *r, const struct words *w)
{
	int x, y, row, col;

	vy_vt_cursor(r->term.vt, &x, &y);
	if (!run_number(w->v[2], &row) || w->n < 4 || !run_number(w->v[3], &col)) {
		return run_fail(r, "expected: expect cursor ROW COLUMN");
	}
	return (x + 1 == col && y + 1 == row) ||
	       run_fail(r, "the cursor is at %d %d", y + 1, x + 1);
}

static bool title_is(struct run *r, const struct words *w)
{
	struct vy_str title = vy_vt_title(r->term.vt);

	return vy_str_is(title, w->v[2]) || run_fail(r, "the title is \"%.*s\"", VY_STR_ARG(title));
}

static bool mode_is(struct run *r, const struct words *w)
{
	struct vy_vt_modes m = vy_vt_modes(r->term.vt);
	const struct {
		const char *name;
		bool on;
	} modes[] = { { "alt", m.alt }, { "paste", m.bracketed_paste }, { "focus", m.focus },
		{ "mouse", m.mouse != VY_VT_MOUSE_NONE }, { "cursor", m.cursor_visible },
		{ "sync", m.sync } };

	for (size_t i = 0; i < VY_COUNT(modes) && w->n == 4; i++) {
		if (strcmp(w->v[2], modes[i].name) == 0) {
			return modes[i].on == (strcmp(w->v[3], "on") == 0) ||
			       run_fail(r, "%s is %s", modes[i].name, modes[i].on ? "on" : "off");
		}
	}
	return run_fail(r, "expected: expect mode alt|paste|focus|mouse|cursor|sync on|off");
}

static bool bells_are(struct run *r, const struct words *w)
{
	int n = 0;

	return (run_number(w->v[2], &n) && (size_t)n == r->term.bells) ||
	       run_fail(r, "the bell rang %zu times", r->term.bells);
}

/* So many pictures the terminal has, and what is on the screen of them is in place. */
static bool images_are(struct run *r, const struct words *w)
{
	const struct graphics *g = &r->term.graphics;
	char says[200];
	int n;

	if (g->wrong[0]) {
		return run_fail(r, "%s", g->wrong);
	}
	bool is_shown = graphics_is_shown(g, vy_vt_grid(r->term.vt), says, sizeof(says));

	return (run_number(w->v[2], &n) && n == graphics_count(g) && (n == 0 || is_shown)) ||
	       run_fail(r, "%s", says);
}

static bool clipboard_is(struct run *r, const struct words *w)
{
	return vy_str_is(vy_buf_str(&r->term.clipboard), w->v[2]) ||
	       run_fail(r, "the clipboard got \"%s\"", vy_buf_c(&r->term.clipboard));
}

static bool osc_is(struct run *r, const struct words *w)
{
	return vy_str_is(vy_buf_str(&r->term.osc), w->v[2]) ||
	       run_fail(r, "the last OSC is \"%s\"", vy_buf_c(&r->term.osc));
}

/* "#rrggbb", an index, or "default". */
static bool color_is(uint32_t c, const char *want)
{
	char got[16] = "default";

	if ((c & 0xff000000u) == VY_VT_RGB(0)) {
		snprintf(got, sizeof(got), "#%06x", c & 0xffffff);
	} else if (c != VY_VT_DEFAULT) {
		snprintf(got, sizeof(got), "%u", c & 0xffffff);
	}
	return strcmp(got, want) == 0;
}

static bool style_has(const struct vy_vt_cell *c, const char *want)
{
	static const char *const attrs[] = { "bold", "dim", "italic", "underline", "reverse",
		"strike" };
	bool wanted = *want != '!';

	if (strncmp(want, "fg=", 3) == 0) {
		return color_is(c->fg, want + 3);
	}
	if (strncmp(want, "bg=", 3) == 0) {
		return color_is(c->bg, want + 3);
	}
	for (size_t i = 0; i < VY_COUNT(attrs); i++) {
		if (strcmp(want + !wanted, attrs[i]) == 0) {
			return (c->attrs >> i & 1) == wanted;
		}
	}
	return strcmp(want + !wanted, "link") == 0 && (c->link != 0) == wanted;
}

/* Where the text stands: its row, and its first and last cell. */
static bool find(struct run *r, const char *text, int *row, int *from, int *to)
{
	const struct vy_grid *g = vy_vt_grid(r->term.vt);
	int cols, rows;

	vy_grid_size(g, &cols, &rows);
	for (*row = 0; *row < rows; ++*row) {
		for (*from = 0; *from < cols; ++*from) {
			const char *p = text;

			for (*to = *from; *p && *to < cols; ++*to) {
				const struct vy_vt_cell *c = vy_grid_cell(g, *to, *row);
				char t[VY_GRID_TEXT_MAX];
				size_t n = c->width > 0 ? vy_grid_text(g, c, t) : 0;

				if (strncmp(p, t, n) != 0) {
					break;
				}
				p += n;
			}
			if (!*p) {
				return true;
			}
		}
	}
	return false;
}

static bool style_is(struct run *r, const struct words *w)
{
	int row, from, to;

	if (!find(r, w->v[2], &row, &from, &to)) {
		return run_fail(r, "\"%s\" is not there", w->v[2]);
	}
	for (int x = from; x < to; x++) {
		for (int i = 3; i < w->n; i++) {
			const struct vy_vt_cell *c = vy_grid_cell(vy_vt_grid(r->term.vt), x, row);

			if (!style_has(c, w->v[i])) {
				return run_fail(r,
					"row %d, column %d is not %s (fg %x, bg %x, attributes %x)",
					row + 1, x + 1, w->v[i], c->fg, c->bg, c->attrs);
			}
		}
	}
	return true;
}

static bool picture_is_kept(struct run *r, const struct words *w)
{
	VY_AUTO_BUF now = VY_BUF_INIT(1 << 22);

	(void)w;
	term_snapshot(&r->term, &now);
	return vy_str_eq(vy_buf_str(&now), vy_buf_str(&r->kept)) ||
	       run_fail(r, "the screen is not as it was kept:\n%s", vy_buf_c(&r->kept));
}

static bool keep_picture(struct run *r, const struct words *w)
{
	(void)w;
	vy_buf_clear(&r->kept);
	term_snapshot(&r->term, &r->kept);
	return true;
}

bool expect_keep(struct run *r, const struct words *w)
{
	return run_await(r, keep_picture, w, RUN_WAIT_MS);
}

bool expect_fact(struct run *r, const struct words *w)
{
	static const struct {
		const char *name;
		int least;
		run_verb *holds;
	} kinds[] = { { "row", 4, row_is }, { "cursor", 4, cursor_is }, { "title", 3, title_is },
		{ "mode", 4, mode_is }, { "bells", 3, bells_are }, { "images", 3, images_are },
		{ "clipboard", 3, clipboard_is }, { "osc", 3, osc_is }, { "style", 4, style_is },
		{ "kept", 2, picture_is_kept } };

	for (size_t i = 0; i < VY_COUNT(kinds); i++) {
		if (strcmp(w->v[1], kinds[i].name) == 0 && w->n >= kinds[i].least) {
			return run_await(r, kinds[i].holds, w, RUN_WAIT_MS);
		}
	}
	return run_fail(
		r, "expected: expect row|cursor|title|mode|bells|images|clipboard|osc|style …");
}

/* ---- snapshots ---- */

static bool read_whole(const char *path, struct vy_buf *out)
{
	FILE *f = fopen(path, "re");
	char b[65536];
	size_t n;

	if (!f) {
		return false;
	}
	while ((n = fread(b, 1, sizeof(b), f)) > 0) {
		vy_buf_add(out, b, n);
	}
	fclose(f);
	return true;
}

/* A snapshot lives beside its script. */
static void path_of(const struct run *r, const char *name, struct vy_buf *out)
{
	const char *slash = strrchr(r->path, '/');

	vy_buf_addf(out, "%.*s%s", slash ? (int)(slash - r->path) + 1 : 0, r->path, name);
}

static bool is_picture(struct run *r, const struct words *w)
{
	VY_AUTO_BUF path = VY_BUF_INIT(4096);
	VY_AUTO_BUF want = VY_BUF_INIT(1 << 22);
	VY_AUTO_BUF got = VY_BUF_INIT(1 << 22);

	path_of(r, w->v[1], &path);
	if (!read_whole(vy_buf_c(&path), &want)) {
		return run_fail(r, "there is no %s (UPDATE=1 makes it)", vy_buf_c(&path));
	}
	term_snapshot(&r->term, &got);
	return vy_str_eq(vy_buf_str(&got), vy_buf_str(&want)) ||
	       run_fail(r, "the screen is not %s but:\n%s", vy_buf_c(&path), vy_buf_c(&got));
}

bool expect_picture(struct run *r, const struct words *w)
{
	VY_AUTO_BUF path = VY_BUF_INIT(4096);
	VY_AUTO_BUF got = VY_BUF_INIT(1 << 22);
	const char *update = getenv("UPDATE");
	int64_t until = term_now() + RUN_WAIT_MS;

	if (!update || strcmp(update, "1") != 0) {
		return run_await(r, is_picture, w, RUN_WAIT_MS);
	}
	do {
		term_pump(&r->term, 20);
	} while (term_now() - r->term.last_ms < QUIET_MS && term_now() < until);
	path_of(r, w->v[1], &path);
	term_snapshot(&r->term, &got);
	FILE *f = fopen(vy_buf_c(&path), "we");

	if (!f) {
		return run_fail(r, "%s cannot be written", vy_buf_c(&path));
	}
	fwrite(got.data, 1, got.len, f);
	return fclose(f) == 0;
}

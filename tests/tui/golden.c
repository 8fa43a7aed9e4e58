/* golden.c -- see golden.h. */
#include <dirent.h>
#include <errno.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/text/diff.h"
#include "shared/text/utf8.h"
#include "tests/check.h"
#include "tests/tui/golden.h"
#include "tests/tui/spelled.h"

/* ---- files ---- */

static bool read_file(const char *path, struct vy_buf *out)
{
	FILE *f = fopen(path, "r");
	char piece[65536];
	size_t n;

	if (!f) {
		return false;
	}
	while ((n = fread(piece, 1, sizeof(piece), f)) > 0) {
		vy_buf_add(out, piece, n);
	}
	fclose(f);
	return true;
}

static void write_file(const char *path, const struct vy_buf *b)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(vy_buf_c(b), 1, b->len, f) != b->len || fclose(f) != 0) {
		fail_msg("%s: %s", path, strerror(errno));
	}
}

static void compare(const char *path, const struct vy_buf *got)
{
	VY_AUTO_BUF want = VY_BUF_INIT(64 * VY_MIB), shown = VY_BUF_INIT(64 * VY_MIB);
	struct vy_arena a;
	struct vy_diff_file d;

	if (getenv("GOLDEN_UPDATE")) {
		write_file(path, got);
		return;
	}
	read_file(path, &want);
	if (vy_str_eq(vy_buf_str(&want), vy_buf_str(got))) {
		return;
	}
	vy_arena_init(&a);
	vy_diff_make(vy_buf_str(&want), vy_buf_str(got), 3, &a, &d);
	vy_diff_print(&d, &shown);
	vy_arena_fini(&a);
	fail_msg("%s looks otherwise (make golden-update, then look at it):\n%.8000s", path,
		vy_buf_c(&shown));
}

/* ---- cases ---- */

static void run_file(const char *base, golden_case_fn *draw)
{
	VY_AUTO_BUF path = VY_BUF_INIT(4096), text = VY_BUF_INIT(16 * VY_MIB);
	VY_AUTO_BUF out = VY_BUF_INIT(64 * VY_MIB);
	struct vy_err e = { 0 };

	vy_buf_addf(&path, "%s.json", base);
	read_file(vy_buf_c(&path), &text);

	VY_AUTO_JSON *file = vy_json_parse(vy_buf_str(&text), &e);
	const struct vy_json *cases = vy_json_get(file, "cases");

	if (vy_json_len(cases) == 0) {
		fail_msg("%s: no cases %s", vy_buf_c(&path), e.text);
	}
	for (size_t i = 0; i < vy_json_len(cases); i++) {
		VY_AUTO_JSON *c = spelled(vy_json_at(cases, i));
		const char *name = vy_json_cstr(c, "name");

		if (!name) {
			fail_msg("%s: case %zu has no name", vy_buf_c(&path), i);
		}
		draw(name, c, &out);
	}
	vy_buf_clear(&path);
	vy_buf_addf(&path, "%s.screen", base);
	compare(vy_buf_c(&path), &out);
}

static int is_json(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return n > 5 && strcmp(d->d_name + n - 5, ".json") == 0;
}

void golden_run(const char *folder, golden_case_fn *draw)
{
	const char *top = getenv("top_srcdir");
	VY_AUTO_BUF dir = VY_BUF_INIT(4096);
	struct dirent **list;
	int n;

	vy_buf_addf(&dir, "%s/%s", top ? top : ".", folder);
	n = scandir(vy_buf_c(&dir), &list, is_json, alphasort);
	if (n <= 0) {
		fail_msg("%s: no pictures", vy_buf_c(&dir));
	}
	for (int i = 0; i < n; i++) {
		VY_AUTO_BUF base = VY_BUF_INIT(4096);

		vy_buf_addf(&base, "%s/%.*s", vy_buf_c(&dir), (int)strlen(list[i]->d_name) - 5,
			list[i]->d_name);
		run_file(vy_buf_c(&base), draw);
		free(list[i]);
	}
	free(list);
}

/* ---- pictures ---- */

void golden_check_grid(const char *title, const struct cell_grid *g, int lines)
{
	for (int y = 0; y < lines; y++) {
		for (int x = 0; x < g->cols; x++) {
			const struct cell *c = cell_at(g, x, y);
			const struct cell *right = cell_at(g, x + 1, y);
			struct vy_str s = cell_text(g, c);
			bool is_whole = c->width == 0
						? x > 0 && cell_at(g, x - 1, y)->width == 2
						: c->width == 1 || (right && right->width == 0);

			if (!is_whole) {
				fail_msg("%s: half a glyph at %d,%d", title, x, y);
			}
			if (!vy_utf8_is_valid(s) || !vy_utf8_is_visible(s, VY_UTF8_LINE)) {
				fail_msg("%s: \"%.*s\" at %d,%d", title, VY_STR_ARG(s), x, y);
			}
		}
	}
}

void golden_add(struct vy_buf *out, const char *title, struct cell_grid *g, int lines,
	const struct screen_cursor *cursor)
{
	struct cell_grid part;
	struct cell_rect all = { 0, 0, g->cols, lines };

	golden_check_grid(title, g, lines);
	cell_grid_init(&part, g->pool, g->cols, lines);
	cell_blit(cell_win_all(&part), 0, 0, g, all);
	vy_buf_addf(out, "== %s\n", title);
	screen_dump_grid(&part, cursor, out);
	vy_buf_addc(out, '\n');
	cell_grid_fini(&part);
}

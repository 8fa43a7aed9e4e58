/* vt_fuzz.c -- whatever a program writes, at whatever sizes: the grid stays whole. A byte 0xFF in
 * the input is a resize to the two bytes behind it. */
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/vt/vt.h"
#include "shared/base/ban.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check_row(const struct vy_grid *g, int y, int cols)
{
	const struct vy_vt_row *r = vy_grid_row(g, y);
	char text[VY_GRID_TEXT_MAX];

	vy_assert(r != NULL && r->n <= cols);
	for (int x = 0; x < r->n; x++) {
		const struct vy_vt_cell *c = &r->cells[x];
		bool next_half = x + 1 < r->n && c[1].width == 0;

		vy_assert(next_half == (c->width == 2));
		vy_assert(x > 0 || c->width != 0);
		vy_assert(vy_grid_text(g, c, text) <= sizeof(text));
	}
}

static void check(const struct vy_vt *v)
{
	const struct vy_grid *g = vy_vt_grid(v);
	int cols, rows, x, y;

	vy_grid_size(g, &cols, &rows);
	vy_vt_cursor(v, &x, &y);
	vy_assert(x >= 0 && y >= 0 && x < cols && y < rows);
	for (int i = -vy_grid_scrollback(g); i < rows; i++) {
		check_row(g, i, cols);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct vy_vt *v = vy_vt_new(10, 4, 6, NULL);
	struct vy_arena a;

	for (size_t i = 0, from = 0; i <= n; i++) {
		if (i == n || data[i] == 0xff) {
			vy_vt_feed(v, vy_str_n((const char *)data + from, i - from));
			check(v);
			if (i + 2 < n) {
				vy_vt_resize(v, data[i + 1] % 40, data[i + 2] % 20);
				check(v);
				i += 2;
			}
			from = i + 1;
		}
	}
	vy_vt_free(v);
	vy_arena_init(&a);
	vy_vt_plain(vy_str_n((const char *)data, n), 8, 5, &a);
	vy_arena_fini(&a);
	return 0;
}

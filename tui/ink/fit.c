/* fit.c -- see fit.h. */
#include "tui/ink/fit.h"

#include "shared/base/ban.h"

#define CELL_W   8
#define CELL_H   16
#define SIDE_MAX ((int64_t)1 << 20) /* of what anybody says a picture's side is */

static int64_t near(int64_t part, int64_t whole)
{
	return (part + whole / 2) / whole;
}

static int within(int64_t n, int most)
{
	return n < 1 ? 1 : n > most ? most : (int)n;
}

struct fit_size fit_into(int64_t w, int64_t h, struct fit_room room)
{
	int64_t cw = room.cell_w > 0 ? room.cell_w : CELL_W;
	int64_t ch = room.cell_h > 0 ? room.cell_h : CELL_H;

	if (w < 1 || h < 1 || room.cols < 1 || room.rows < 1) {
		return (struct fit_size){ 0, 0 };
	}
	w = w < SIDE_MAX ? w : SIDE_MAX;
	h = h < SIDE_MAX ? h : SIDE_MAX;
	int64_t cols = near(w, cw), rows = near(h, ch);

	if (cols > room.cols) {
		cols = room.cols;
		rows = near(h * cols * cw, w * ch);
	}
	if (rows > room.rows) {
		rows = room.rows;
		cols = near(w * rows * ch, h * cw);
	}
	return (struct fit_size){ within(cols, room.cols), within(rows, room.rows) };
}

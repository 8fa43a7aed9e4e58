/* picture_main.c -- vyre-picture: makes one picture fit for a screen, and ends (develop.h).
 *
 * All of the order is read first; then it gives up what it could do, and only then it looks at the
 * picture's bytes. Its status is 0 if it answered, whatever the answer. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tui/ink/confine.h"
#include "tui/ink/develop.h"
#include "shared/base/ban.h"

#define ORDER_MAX (16 * VY_MIB)

static int cell_w(const struct develop_want *want)
{
	return want->cell_w > 0 ? want->cell_w : 8;
}

static int cell_h(const struct develop_want *want)
{
	return want->cell_h > 0 ? want->cell_h : 16;
}

/* The pixels that the cells have, as far as the picture has them and a terminal should be sent
 * them. */
static void pixels_for(
	const struct decode_pixels *p, const struct develop_want *want, int *w, int *h)
{
	*w = want->size.cols * cell_w(want);
	*h = want->size.rows * cell_h(want);
	*w = *w < p->w ? *w : p->w;
	*h = *h < p->h ? *h : p->h;
	while ((int64_t)*w * *h > DEVELOP_PIXELS_MAX) {
		*w = *w * 3 / 4 > 1 ? *w * 3 / 4 : 1;
		*h = *h * 3 / 4 > 1 ? *h * 3 / 4 : 1;
	}
}

static void answer_cells(const struct decode_pixels *p, const struct develop_want *want,
	const struct develop_head *head, struct vy_buf *answer)
{
	size_t n = (size_t)want->size.cols * (size_t)want->size.rows;
	struct picture_cell *cells = vy_calloc(n, sizeof(*cells));

	picture_cells(p, want->size, want->kind == DEVELOP_CELLS_256, want->ground, cells);
	vy_buf_add(answer, head, sizeof(*head));
	vy_buf_add(answer, cells, n * sizeof(*cells));
	free(cells);
}

static void answer_pixels(const struct decode_pixels *p, const struct develop_want *want,
	struct develop_head *head, struct vy_buf *answer)
{
	int w, h;

	pixels_for(p, want, &w, &h);
	uint8_t *rgba = vy_calloc((size_t)w * (size_t)h, 4);

	picture_scale(p, w, h, rgba);
	head->w = w;
	head->h = h;
	vy_buf_add(answer, head, sizeof(*head));
	vy_buf_add(answer, rgba, (size_t)w * (size_t)h * 4);
	free(rgba);
}

static void develop(struct vy_str bytes, const struct develop_want *want, struct vy_buf *answer)
{
	struct decode_pixels p;
	struct develop_head head = { .end = decode(bytes, want->size.cols * cell_w(want),
					     want->size.rows * cell_h(want), &p) };

	head.own_w = p.own_w;
	head.own_h = p.own_h;
	if (head.end != DECODE_OK) {
		vy_buf_add(answer, &head, sizeof(head));
	} else if (want->kind == DEVELOP_PIXELS) {
		answer_pixels(&p, want, &head, answer);
	} else {
		answer_cells(&p, want, &head, answer);
	}
	free(p.rgba);
}

static bool read_order(struct vy_buf *in)
{
	char piece[65536];
	ssize_t n;

	while ((n = read(STDIN_FILENO, piece, sizeof(piece))) != 0) {
		if ((n < 0 && errno != EINTR) || (n > 0 && !vy_buf_add(in, piece, (size_t)n))) {
			return false;
		}
	}
	return true;
}

static bool is_side(int n)
{
	return n > 0 && n <= DEVELOP_SIDE_MAX;
}

int main(void)
{
	VY_AUTO_BUF in = VY_BUF_INIT(ORDER_MAX), answer = VY_BUF_INIT(DEVELOP_MAX);
	struct develop_want want;
	size_t at = 0;

	if (!read_order(&in) || in.len < sizeof(want) || !confine()) {
		return 1;
	}
	memcpy(&want, in.data, sizeof(want));
	if (!is_side(want.size.cols) || !is_side(want.size.rows)) {
		return 1;
	}
	develop(vy_str_from(vy_buf_str(&in), sizeof(want)), &want, &answer);
	while (at < answer.len) {
		ssize_t n = write(STDOUT_FILENO, answer.data + at, answer.len - at);

		if (n < 0) {
			return 1;
		}
		at += (size_t)n;
	}
	_exit(0); /* what is left of it is nobody's */
}

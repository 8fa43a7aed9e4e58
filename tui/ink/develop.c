/* develop.c -- see develop.h: the child. What its bounds are is confine.c's.
 *
 * An answer is a head and a body: cells, or pixels. Both sides are one program, so a struct is a
 * format; what it says is believed as far as it is checked. */
#include "tui/ink/develop.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "tui/ink/confine.h"
#include "shared/base/ban.h"

struct head {
	int64_t end, own_w, own_h;
	int64_t w, h; /* of pixels */
};

/* ---- the child's work ---- */

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
	const struct head *head, struct vy_buf *answer)
{
	size_t n = (size_t)want->size.cols * (size_t)want->size.rows;
	struct picture_cell *cells = vy_calloc(n, sizeof(*cells));

	picture_cells(p, want->size, want->kind == DEVELOP_CELLS_256, want->ground, cells);
	vy_buf_add(answer, head, sizeof(*head));
	vy_buf_add(answer, cells, n * sizeof(*cells));
	free(cells);
}

static void answer_pixels(const struct decode_pixels *p, const struct develop_want *want,
	struct head *head, struct vy_buf *answer)
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

void develop_here(struct vy_str bytes, const struct develop_want *want, struct vy_buf *answer)
{
	struct decode_pixels p;
	struct head head = { .end = decode(bytes, want->size.cols * cell_w(want),
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

static void be_the_child(struct vy_str bytes, const struct develop_want *want, int out)
{
	VY_AUTO_BUF answer = VY_BUF_INIT(DEVELOP_MAX);
	size_t at = 0;

	if (!confine(out)) {
		_exit(1);
	}
	develop_here(bytes, want, &answer);
	while (at < answer.len) {
		ssize_t n = write(CONFINE_OUT, answer.data + at, answer.len - at);

		if (n < 0) {
			_exit(1);
		}
		at += (size_t)n;
	}
	_exit(0);
}

/* ---- the parent ---- */

bool develop_can(void)
{
	return true;
}

int develop_start(struct vy_str bytes, const struct develop_want *want, pid_t *pid)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0) {
		return -1;
	}
	*pid = fork();
	if (*pid == 0) {
		be_the_child(bytes, want, ends[1]);
	}
	close(ends[1]);
	if (*pid < 0) {
		close(ends[0]);
		return -1;
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	return ends[0];
}

static bool is_within(int64_t n, int64_t most)
{
	return n >= 1 && n <= most;
}

static bool is_color(int32_t c)
{
	return c == PICTURE_CLEAR || (c >= 0 && c <= 0xffffff);
}

static bool read_cells(struct vy_str body, struct fit_size size, struct developed *out)
{
	size_t n = (size_t)size.cols * (size_t)size.rows;

	if (body.n != n * sizeof(*out->cells)) {
		return false;
	}
	out->cells = vy_calloc(n, sizeof(*out->cells));
	memcpy(out->cells, body.p, body.n);
	for (size_t i = 0; i < n; i++) {
		const struct picture_cell *c = &out->cells[i];

		if (!picture_is_glyph(c->glyph) || !is_color(c->fg) || !is_color(c->bg)) {
			return false;
		}
	}
	return true;
}

static bool read_pixels(struct vy_str body, const struct head *head, struct developed *out)
{
	if (!is_within(head->w, DEVELOP_PIXELS_MAX) || !is_within(head->h, DEVELOP_PIXELS_MAX) ||
		head->w * head->h > DEVELOP_PIXELS_MAX ||
		body.n != (size_t)(head->w * head->h * 4)) {
		return false;
	}
	out->w = (int)head->w;
	out->h = (int)head->h;
	out->rgba = vy_calloc(1, body.n);
	memcpy(out->rgba, body.p, body.n);
	return true;
}

static bool read_answer(
	struct vy_str answer, const struct develop_want *want, struct developed *out)
{
	struct head head;
	struct vy_str body = vy_str_from(answer, sizeof(head));

	if (answer.n < sizeof(head)) {
		return false;
	}
	memcpy(&head, answer.p, sizeof(head));
	if (head.end < 0 || head.end >= DECODE_ENDS || head.own_w < 0 || head.own_h < 0) {
		return false;
	}
	out->own_w = head.own_w;
	out->own_h = head.own_h;
	if (head.end != DECODE_OK) {
		out->end = (enum decode_end)head.end;
		return body.n == 0;
	}
	return want->kind == DEVELOP_PIXELS ? read_pixels(body, &head, out)
					    : read_cells(body, want->size, out);
}

void develop_read(struct vy_str answer, const struct develop_want *want, struct developed *out)
{
	*out = (struct developed){ .end = DECODE_OK };
	if (!read_answer(answer, want, out)) {
		developed_fini(out);
		*out = (struct developed){ .end = DECODE_BROKEN };
	}
}

void developed_fini(struct developed *d)
{
	free(d->cells);
	free(d->rgba);
	*d = (struct developed){ .end = DECODE_BROKEN };
}

/* term_fuzz.c -- a terminal's viewer against any server: lines of text messages, and of bytes (those that begin
 * with B). What it is to feed comes once and in order, whatever it is told. */
#include "shared/frame/term.h"

#include <stdlib.h>

#include "shared/base/ban.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(const struct vy_term_viewer *v, const struct vy_term_out *out, uint64_t was)
{
	uint64_t from = 0;

	if (out->n > VY_COUNT(out->e)) {
		abort();
	}
	for (size_t i = 0; i < out->n; i++) {
		const struct vy_term_effect *e = &out->e[i];

		if (e->what == VY_TERM_DO_FEED && !e->is_prologue && v->at != was + e->bytes.n) {
			abort();
		}
		if ((e->what == VY_TERM_DO_RESET || e->what == VY_TERM_DO_SIZE) &&
			(e->cols < 1 || e->cols > VY_TERM_SIDE_MAX || e->rows < 1 ||
				e->rows > VY_TERM_SIDE_MAX)) {
			abort();
		}
	}
	if (vy_term_from(v, &from) && from != v->at) {
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct vy_str all = vy_str_n((const char *)data, n);
	struct vy_term_viewer v;

	vy_term_viewer_init(&v);
	while (all.n) {
		const char *end = memchr(all.p, '\n', all.n);
		struct vy_str line = vy_str_n(all.p, end ? (size_t)(end - all.p) : all.n);
		struct vy_term_out out = { 0 };
		uint64_t was = v.at;
		struct vy_term_msg m;
		struct vy_err e;

		if (line.n == 0) {
			vy_term_opened(&v);
		} else if (line.p[0] == 'B') {
			vy_term_bytes(&v, vy_str_from(line, 1), &out);
		} else {
			vy_term_text(&v, line, &out);
			(void)!vy_term_read(line, false, &m, &e);
		}
		check(&v, &out, was);
		all = vy_str_from(all, line.n + 1);
	}
	return 0;
}

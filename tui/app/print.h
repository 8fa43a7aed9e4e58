/* print.h -- the transcript as lines for a terminal's own scrollback.
 *
 * Each line of the text is one line, however long: the terminal wraps it, so that its own search,
 * selection and reflow work. Colours are the theme's; no byte of the text is obeyed. Pure. */
#ifndef APP_PRINT_H
#define APP_PRINT_H

#include "shared/base/buf.h"
#include "shared/model/fold.h"
#include "tui/ink/cell.h"
#include "tui/ink/theme.h"

struct print_how {
	struct theme theme;
	int cols;
	bool with_details, is_ascii;
	bool is_plain; /* no colours: nothing but text and line ends */
	int64_t now_ms;
};

/* One row; the caller writes `out` and clears it. */
void print_row(const struct vy_fold *f, size_t i, struct cell_pool *pool,
	const struct print_how *how, struct vy_buf *out);

#endif

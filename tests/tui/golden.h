/* golden.h -- pictures kept beside what they are of: NAME.json holds cases, NAME.screen how they
 * look (tui/ink/screen_dump: a lane of glyphs, a lane of styles).
 *
 * In a case a text may be given by its lines: {"lines": ["one", "two"]} stands for "one\ntwo", and
 * {"b64": ["one", "two"]} for the same in base64. `make golden-update` (GOLDEN_UPDATE=1) writes
 * the pictures anew; the difference is reviewed like code. */
#ifndef TESTS_TUI_GOLDEN_H
#define TESTS_TUI_GOLDEN_H

#include "shared/base/json.h"
#include "tui/ink/screen.h"

/* Draws one case, for each picture calls golden_add(). */
typedef void golden_case_fn(const char *name, const struct vy_json *c, struct vy_buf *out);

/* All NAME.json of a folder (under the source), each as one comparison. */
void golden_run(const char *folder, golden_case_fn *draw);

/* "== title" and rows [0, lines) of the grid; `cursor` NULL: none. Checks that no cell holds half
 * a glyph, a control byte or bad UTF-8. */
void golden_add(struct vy_buf *out, const char *title, struct cell_grid *g, int lines,
	const struct screen_cursor *cursor);
void golden_check_grid(const char *title, const struct cell_grid *g, int lines);

#endif

/* task.c -- a list of tasks: open, at work, done. */
#include "tui/block/shape.h"
#include "shared/base/ban.h"

void shape_task(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	static const struct {
		enum block_mark mark;
		enum theme_role role, text;
	} looks[] = { [VY_TASK_PENDING] = { MARK_OPEN, THEME_DIM, THEME_DIM },
		[VY_TASK_RUNNING] = { MARK_NOW, THEME_TEXT, THEME_TEXT },
		[VY_TASK_DONE] = { MARK_TICKED, THEME_OK, THEME_DIM } };

	(void)how;
	for (size_t i = 0; i < b->task.n; i++) {
		const struct vy_block_task *t = &b->task.items[i];
		int from = out->lines;

		out->at++;
		shape_words(t->text, looks[t->status].text, left + 2, 0, out);
		if (out->lines == from) {
			block_lines(out, 1, 0);
		}
		cell_puts(block_line(out, from), left, 0, mark_of(out, looks[t->status].mark),
			theme_ink(looks[t->status].role));
	}
	shape_note(b, left, out);
}

/* simple.c -- the shapes that are a list of short lines: text, files, tasks, records, answers,
 * flows, pictures' captions, fields (shape.h). */
#include <stdio.h>

#include "shared/text/utf8.h"
#include "tui/block/shape.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

static int limit_of(const struct block_how *how)
{
	return how->is_open ? 0 : SHAPE_FOLDED;
}

static void put_note(const struct vy_block *b, int left, struct block_sheet *out)
{
	if (b->note.n) {
		shape_lines(shape_safe(out, b->note, 0), theme_ink(THEME_DIM), left, 0, out);
	}
}

void shape_text(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	if (b->text.text.n) {
		shape_lines(shape_safe(out, b->text.text, VY_UTF8_PROSE), theme_ink(THEME_DIM),
			left, limit_of(how), out);
	}
	put_note(b, left, out);
}

void shape_files(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	size_t most = how->is_open ? b->files.n : SHAPE_FOLDED;

	for (size_t i = 0; i < b->files.n && i < most; i++) {
		const struct vy_block_file *f = &b->files.files[i];
		struct cell_win w = block_lines(out, 1, left);
		char line[32] = "";
		int x = cell_put(w, 0, 0, shape_safe(out, f->path, 0), theme_ink(THEME_DIM));

		if (f->line > 0) {
			snprintf(line, sizeof(line), ":%lld", (long long)f->line);
			x += cell_puts(w, x, 0, line, theme_ink(THEME_DIFF_GUTTER));
		}
		cell_put(w, x + 2, 0, shape_safe(out, f->text, 0), theme_ink(THEME_CODE_TEXT));
	}
	if (b->files.n > most) {
		shape_more(out, left, (int)(b->files.n - most), _(" (enter)"));
	}
	if (how->is_open && b->files.detail.n) {
		shape_lines(shape_safe(out, b->files.detail, VY_UTF8_PROSE),
			theme_ink(THEME_CODE_TEXT), left, 0, out);
	}
	put_note(b, left, out);
}

void shape_task(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	static const struct {
		const char *mark;
		enum theme_role role;
	} looks[] = { [VY_TASK_PENDING] = { "☐", THEME_DIM },
		[VY_TASK_RUNNING] = { "▸", THEME_TEXT },
		[VY_TASK_DONE] = { "☑", THEME_DIM } };

	(void)how;
	for (size_t i = 0; i < b->task.n; i++) {
		const struct vy_block_task *t = &b->task.items[i];
		struct cell_win w = block_lines(out, 1, left);

		cell_puts(w, 0, 0, looks[t->status].mark,
			theme_ink(t->status == VY_TASK_DONE ? THEME_OK : looks[t->status].role));
		cell_put(w, 2, 0, shape_safe(out, t->text, 0), theme_ink(looks[t->status].role));
	}
}

static void put_field(const struct vy_block_field *f, int left, struct block_sheet *out)
{
	struct cell_win w = block_lines(out, 1, left);
	int x = cell_put(w, 0, 0, shape_safe(out, f->label, 0), theme_ink(THEME_DIM));

	if (f->sealed || f->hidden.n) {
		cell_puts(w, x + 2, 0,
			f->sealed ? (f->present ? _("sealed") : _("sealed, empty"))
				  : _("hidden from your role"),
			theme_ink(THEME_WARN));
	} else {
		cell_put(w, x + 2, 0, shape_safe(out, f->value, 0), theme_ink(THEME_TEXT));
	}
}

void shape_field(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	(void)how;
	put_field(&b->field, left, out);
}

/* A record or a draft: a title, its fields, a body. */
void shape_record(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	if (b->record.title.n) {
		cell_put(block_lines(out, 1, left), 0, 0, shape_safe(out, b->record.title, 0),
			theme_bold(THEME_TITLE));
	}
	for (size_t i = 0; i < b->record.n; i++) {
		put_field(&b->record.fields[i], left + 2, out);
	}
	if (b->record.body.n) {
		shape_lines(shape_safe(out, b->record.body, VY_UTF8_PROSE), theme_ink(THEME_TEXT),
			left + 2, limit_of(how), out);
	}
	put_note(b, left, out);
}

void shape_answer(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	(void)how;
	shape_markdown(b->answer.text, true, theme_ink(THEME_ASSISTANT), left, out);
	for (size_t i = 0; i < b->answer.n; i++) {
		put_field(&b->answer.fields[i], left + 2, out);
	}
	for (size_t i = 0; i < b->answer.nsources; i++) {
		cell_put(block_lines(out, 1, left + 2), 0, 0,
			shape_safe(out, b->answer.sources[i], 0), theme_ink(THEME_LINK));
	}
	put_note(b, left, out);
}

void shape_flow(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	(void)how;
	cell_put(block_lines(out, 1, left), 0, 0, shape_safe(out, b->flow.title, 0),
		theme_bold(THEME_TITLE));
	for (size_t i = 0; i < b->flow.n; i++) {
		cell_put(block_lines(out, 1, left + 2), 0, 0, shape_safe(out, b->flow.steps[i], 0),
			theme_ink(THEME_TEXT));
	}
}

void shape_screen(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	char text[96];

	(void)how;
	snprintf(text, sizeof(text), _("picture, %lld by %lld"), (long long)b->screen.w,
		(long long)b->screen.h);
	struct cell_win w = block_lines(out, 1, left);
	int x = cell_puts(w, 0, 0, text, theme_ink(THEME_DIM));

	cell_put(w, x + 2, 0, shape_safe(out, b->screen.alt, 0), theme_ink(THEME_TEXT));
}

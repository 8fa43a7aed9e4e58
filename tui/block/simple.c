/* simple.c -- the shapes that are a list of short lines: text, files, tasks, records, answers,
 * flows, pictures' captions, fields (shape.h). */
#include <stdio.h>

#include "shared/text/utf8.h"
#include "tui/block/code.h"
#include "tui/block/shape.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

static int limit_of(const struct block_how *how)
{
	return how->is_open ? 0 : SHAPE_FOLDED;
}

static void put_note(const struct vy_block *b, int left, struct block_sheet *out)
{
	shape_words(b->note, THEME_DIM, left, 2, out);
}

static void put_one(struct vy_str text, struct cell_style s, int left, struct block_sheet *out)
{
	shape_put(block_lines(out, 1, left), 0, text, out->grid.cols - left - 1, s, out);
}

void shape_text(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	shape_words(b->text.text, THEME_DIM, left, limit_of(how), out);
	put_note(b, left, out);
}

/* ---- files ---- */

/* path:line and the words found there. */
static void put_file(const struct vy_block_file *f, int left, struct block_sheet *out)
{
	struct cell_win w = block_lines(out, 1, left);
	char line[32] = "";
	int room = w.w - 1, x = 0;

	if (f->line > 0) {
		snprintf(line, sizeof(line), ":%lld", (long long)f->line);
	}
	x = shape_put_path(w, x, f->path, f->text.n ? room / 2 : room - (int)strlen(line),
		theme_ink(THEME_DIM), out);
	x += cell_puts(w, x, 0, line, theme_ink(THEME_DIFF_GUTTER));
	shape_put(w, x + 2, f->text, room - x - 2, theme_ink(THEME_CODE_TEXT), out);
}

/* One file that was read: its words in their colours. */
static void put_content(const struct vy_block_file *f, int left, struct block_sheet *out)
{
	struct vy_hilite_state st = { 0 };

	code_block(shape_safe(out, f->text, VY_UTF8_PROSE), vy_hilite_lang_of_path(f->path), &st,
		left, out);
}

void shape_files(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	size_t most = how->is_open ? b->files.n : SHAPE_FOLDED;

	for (size_t i = 0; i < b->files.n && i < most; i++) {
		const struct vy_block_file *f = &b->files.files[i];

		out->at++;
		if (how->is_open && f->text.n && memchr(f->text.p, '\n', f->text.n)) {
			put_content(f, left, out);
		} else {
			put_file(f, left, out);
		}
	}
	if (b->files.n > most) {
		shape_more(out, left, b->files.n - most);
	}
	if (how->is_open) {
		shape_words(b->files.detail, THEME_DIM, left, 0, out);
	}
	put_note(b, left, out);
}

/* ---- tasks ---- */

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
	put_note(b, left, out);
}

/* ---- fields and what is made of them ---- */

static void put_field(const struct vy_block_field *f, int left, struct block_sheet *out)
{
	struct cell_win w = block_lines(out, 1, left);
	int x = shape_put(w, 0, f->label, w.w / 2, theme_ink(THEME_DIM), out);

	if (f->sealed || f->hidden.n) {
		cell_puts(w, x + 2, 0,
			f->sealed ? (f->present ? _("sealed") : _("sealed, empty"))
				  : _("hidden from your role"),
			theme_ink(THEME_WARN));
	} else {
		shape_put(w, x + 2, f->value, w.w - x - 3, theme_ink(THEME_TEXT), out);
	}
}

void shape_field(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	(void)how;
	put_field(&b->field, left, out);
	put_note(b, left, out);
}

/* Where the server did not draw it for this viewer there is a name and nothing else. */
void shape_field_ref(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	(void)how;
	put_one(b->field_ref.label.n ? b->field_ref.label : b->field_ref.field,
		theme_ink(THEME_DIM), left, out);
	put_note(b, left, out);
}

/* A record or a draft: a title, its fields, a body. */
void shape_record(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	if (b->record.title.n) {
		put_one(b->record.title, theme_bold(THEME_TITLE), left, out);
	}
	for (size_t i = 0; i < b->record.n; i++) {
		out->at++;
		put_field(&b->record.fields[i], left + 2, out);
	}
	shape_words(b->record.body, THEME_TEXT, left + 2, limit_of(how), out);
	put_note(b, left, out);
}

void shape_answer(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	(void)how;
	shape_markdown(b->answer.text, true, theme_ink(THEME_ASSISTANT), left, out);
	for (size_t i = 0; i < b->answer.n; i++) {
		out->at++;
		put_field(&b->answer.fields[i], left + 2, out);
	}
	for (size_t i = 0; i < b->answer.nsources; i++) {
		put_one(b->answer.sources[i], theme_ink(THEME_LINK), left + 2, out);
	}
	put_note(b, left, out);
}

void shape_flow(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	(void)how;
	put_one(b->flow.title, theme_bold(THEME_TITLE), left, out);
	for (size_t i = 0; i < b->flow.n; i++) {
		out->at++;
		shape_words(b->flow.steps[i], THEME_TEXT, left + 2, 0, out);
	}
	put_note(b, left, out);
}

void shape_screen(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	struct cell_win w = block_lines(out, 1, left);
	char text[96];

	(void)how;
	snprintf(text, sizeof(text), _("picture, %lld by %lld"), (long long)b->screen.w,
		(long long)b->screen.h);

	int x = cell_puts(w, 0, 0, text, theme_ink(THEME_DIM));

	shape_put(w, x + 2, b->screen.alt, w.w - x - 3, theme_ink(THEME_TEXT), out);
	put_note(b, left, out);
}

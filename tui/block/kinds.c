/* kinds.c -- the list of what can be drawn: one line a shape of block, one line a kind of row. */
#include <stdio.h>

#include "tui/block/shape.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define NESTED     2 /* cells more for each tool call a row stands under */
#define NESTED_MAX 4

static block_shape_fn *const shapes[VY_BLOCK_COUNT] = {
	[VY_BLOCK_TEXT] = shape_text,
	[VY_BLOCK_TERMINAL] = shape_terminal,
	[VY_BLOCK_DIFF] = shape_diff,
	[VY_BLOCK_FILES] = shape_files,
	[VY_BLOCK_RECORD] = shape_record,
	[VY_BLOCK_TASK] = shape_task,
	[VY_BLOCK_DRAFT] = shape_record,
	[VY_BLOCK_FLOW_CHANGE] = shape_flow,
	[VY_BLOCK_ANSWER] = shape_answer,
	[VY_BLOCK_SCREEN] = shape_screen,
	[VY_BLOCK_FIELD] = shape_field,
	[VY_BLOCK_FIELD_REF] = shape_field_ref,
};

/* A file's change is shown by the tool that made it. */
static block_row_fn *const rows[VY_ROW_COUNT] = {
	[VY_ROW_MESSAGE] = row_message,
	[VY_ROW_THINKING] = row_thinking,
	[VY_ROW_TOOL] = row_tool,
	[VY_ROW_ASK] = row_ask,
	[VY_ROW_TODO] = row_todo,
	[VY_ROW_TASK] = row_tool,
	[VY_ROW_NOTICE] = row_notice,
	[VY_ROW_TERM_COMMAND] = row_term,
	[VY_ROW_PARTICIPANT] = row_participant,
	[VY_ROW_EXTENSION] = row_extension,
};

void shape_block(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	shapes[b->kind](b, how, left, out);
}

/* ---- what all rows share ---- */

int shape_indent(const struct block_how *how)
{
	return (int)(how->depth > NESTED_MAX ? NESTED_MAX : how->depth) * NESTED;
}

struct cell_win shape_head(struct block_sheet *out, const struct block_how *how,
	enum block_mark mark, enum theme_role role)
{
	struct cell_win w = block_lines(out, 1, 0);

	cell_puts(w, SHAPE_MARK + shape_indent(how), 0, mark_of(out, mark), theme_ink(role));
	block_says(out, SHAPE_TEXT + shape_indent(how), 0, BLOCK_NEW);
	return w;
}

void shape_time(int64_t ms, bool tenths, char *out, size_t room)
{
	ms = ms > 0 ? ms : 0;
	if (tenths && ms < 10000) {
		snprintf(out, room, _("%.1f s"), (double)ms / 1000);
	} else if (ms < 60000) {
		snprintf(out, room, _("%lld s"), (long long)ms / 1000);
	} else {
		snprintf(out, room, _("%lld:%02lld min"), (long long)ms / 60000,
			(long long)ms / 1000 % 60);
	}
}

/* ---- a row ---- */

bool block_how_is(const struct block_how *a, const struct block_how *b)
{
	return a->cols == b->cols && a->depth == b->depth && a->is_open == b->is_open &&
	       a->with_details == b->with_details && a->is_ascii == b->is_ascii &&
	       a->is_side_by_side == b->is_side_by_side && a->is_unwrapped == b->is_unwrapped &&
	       a->spin == b->spin && a->now_ms == b->now_ms && a->pictures == b->pictures;
}

/* Borders and marks of ambiguous width are drawn in ASCII where that means two cells. */
static bool is_plain(const struct block_how *how, const struct block_sheet *out)
{
	return how->is_ascii || cell_pool_width(out->grid.pool).ambiguous_wide;
}

/* Whose words are settled piece by piece, and may go on where they ended. */
static bool grows(const struct vy_row *row)
{
	return row->kind == VY_ROW_THINKING ||
	       (row->kind == VY_ROW_MESSAGE && !row->message.is_user);
}

void block_draw(const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	const struct vy_mdtail *tail = &out->settled.tail;
	bool goes_on = grows(row) && !row->expired && tail->border > 0 && out->same >= tail->at;
	struct block_settled *s = &out->settled;
	bool rows_stay = goes_on && s->rows_at > 0 && out->same >= tail->border + s->rows_at;
	int from = rows_stay ? s->rows : goes_on ? s->lines : 0;
	struct block_was *was = block_sheet_was(out, from);

	if (goes_on) {
		block_sheet_cut(out, from);
		s->rows_at = rows_stay ? s->rows_at : 0;
		s->rows_n = rows_stay ? s->rows_n : 0;
	} else {
		block_sheet_reset(out, how->cols);
	}
	out->same = 0;
	out->is_plain = is_plain(how, out);
	out->is_unwrapped = how->is_unwrapped;
	if (row->expired) {
		row_expired(row, how, out);
	} else if ((size_t)row->kind < VY_ROW_COUNT && rows[row->kind]) {
		rows[row->kind](row, how, out);
	}
	block_sheet_is(out, was);
}

bool block_shows(const struct vy_row *row)
{
	if (row->expired) {
		return true;
	}
	switch (row->kind) {
	case VY_ROW_FILE: return false;
	case VY_ROW_ASK: return row->ask.state != VY_ASK_OPEN;
	case VY_ROW_NOTICE:
		return row->notice.note.n || row->notice.reason.n || row->notice.compacted.n;
	case VY_ROW_MESSAGE:
	case VY_ROW_THINKING:
	case VY_ROW_TOOL:
	case VY_ROW_TODO:
	case VY_ROW_TASK:
	case VY_ROW_TERM_COMMAND:
	case VY_ROW_PARTICIPANT:
	case VY_ROW_EXTENSION:
	case VY_ROW_COUNT: break;
	}
	return true;
}

bool block_moves(const struct vy_row *row)
{
	if (row->kind == VY_ROW_TERM_COMMAND) {
		return shape_runs(row);
	}
	return (row->kind == VY_ROW_TOOL || row->kind == VY_ROW_TASK) && !row->expired &&
	       row->tool.status == VY_TOOL_RUNNING && !row->tool.asked;
}

bool block_opens(const struct vy_row *row)
{
	return row->kind == VY_ROW_TOOL || row->kind == VY_ROW_TASK ||
	       row->kind == VY_ROW_THINKING || row->kind == VY_ROW_TODO ||
	       row->kind == VY_ROW_TERM_COMMAND || row->kind == VY_ROW_NOTICE ||
	       (row->kind == VY_ROW_ASK && row->ask.detail.n) ||
	       (row->kind == VY_ROW_MESSAGE && row->message.is_user);
}

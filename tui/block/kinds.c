/* kinds.c -- the list of what can be drawn: one line a shape, one function a kind of row (draw.h).
 *
 * Every row stands two cells in, its text four: marks are left of a quiet edge, as in the margin
 * of a page. What a tool brought is indented below its line. */
#include <stdio.h>

#include "shared/text/utf8.h"
#include "tui/block/shape.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define MARK   2
#define TEXT   4
#define NESTED 2 /* more for each tool call a row stands under */

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
};

static int indent(const struct block_how *how)
{
	return (int)(how->depth > 4 ? 4 : how->depth) * NESTED;
}

/* ---- one line of a row: mark, words, what is said at its right ---- */

static struct cell_win head(struct block_sheet *out, const struct block_how *how, const char *mark,
	enum theme_role role)
{
	struct cell_win w = block_lines(out, 1, 0);

	if (how->is_selected) {
		cell_fill(w, (struct cell_rect){ 0, 0, w.w, 1 },
			(struct cell_style){ .bg = CELL_ROLE(THEME_SELECT) });
	}
	cell_puts(w, MARK + indent(how), 0, mark, theme_ink(role));
	return w;
}

static int put_cut(struct cell_win w, int x, struct vy_str text, int room, struct cell_style s,
	struct block_sheet *out)
{
	struct vy_buf b = VY_BUF_INIT(64 * 1024);

	if (room > 0) {
		vy_width_ellipsis(
			shape_safe(out, text, 0), (size_t)room, cell_pool_width(w.grid->pool), &b);
		x += cell_put(w, x, 0, vy_buf_str(&b), s);
	}
	vy_buf_fini(&b);
	return x;
}

static void format_ms(int64_t ms, char *out, size_t room)
{
	if (ms < 0) {
		ms = 0;
	}
	if (ms < 10000) {
		snprintf(out, room, "%.1f s", (double)ms / 1000);
	} else if (ms < 60000) {
		snprintf(out, room, "%lld s", (long long)(ms / 1000));
	} else {
		snprintf(out, room, "%lld:%02lld min", (long long)(ms / 60000),
			(long long)(ms / 1000 % 60));
	}
}

/* ---- rows ---- */

static void draw_user(
	const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	const struct vy_row_message *m = &row->message;
	int from = out->lines;

	shape_lines(shape_safe(out, m->text, VY_UTF8_PROSE), theme_bold(THEME_USER),
		TEXT + indent(how), how->is_open ? 0 : 40, out);
	if (out->lines == from) {
		block_lines(out, 1, 0);
	}
	struct cell_win all = cell_win_all(&out->grid);

	cell_puts(all, MARK + indent(how), from, "›", theme_ink(THEME_USER_MARK));
	if (how->is_selected) {
		cell_tint(all, (struct cell_rect){ 0, from, all.w, out->lines - from },
			(struct cell_style){ .bg = CELL_ROLE(THEME_SELECT) });
	}
	if (m->step >= 0 && m->state == VY_MESSAGE_PICKED_UP) {
		cell_puts(block_lines(out, 1, TEXT), 0, 0, _("taken in between two steps"),
			theme_ink(THEME_DIM));
	}
	if (m->state == VY_MESSAGE_CANCELLED) {
		cell_puts(block_lines(out, 1, TEXT), 0, 0, _("taken back"), theme_ink(THEME_DIM));
	}
}

static void draw_message(
	const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	const struct vy_row_message *m = &row->message;
	int from = out->lines;

	if (m->is_user) {
		draw_user(row, how, out);
		return;
	}
	shape_markdown(m->text, m->done, theme_ink(THEME_ASSISTANT), TEXT + indent(how), out);
	if (m->cut) {
		cell_put(block_lines(out, 1, TEXT), 0, 0, shape_safe(out, m->note, 0),
			theme_ink(THEME_WARN));
	}
	if (how->is_selected) {
		struct cell_win all = cell_win_all(&out->grid);

		cell_tint(all, (struct cell_rect){ 0, from, all.w, out->lines - from },
			(struct cell_style){ .bg = CELL_ROLE(THEME_SELECT) });
	}
}

static void draw_thinking(
	const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	const struct vy_row_thinking *t = &row->thinking;
	struct cell_win w = head(out, how, "✻", THEME_THINKING);
	char text[64], took[32];

	format_ms(t->ms, took, sizeof(took));
	snprintf(text, sizeof(text), t->done ? _("thought for %s") : _("thinking, %s"), took);
	cell_puts(w, TEXT + indent(how), 0, text, theme_ink(THEME_DIM));
	if (how->with_details || how->is_open) {
		shape_markdown(t->text, t->done, theme_ink(THEME_DIM), TEXT + indent(how), out);
	}
}

static struct vy_block block_of(const struct vy_row_tool *t, struct block_sheet *out)
{
	struct vy_block b = { .kind = VY_BLOCK_TEXT };

	if (t->result.n) {
		struct vy_json *v = vy_json_parse(t->result, NULL);

		vy_block_read(v, &out->arena, &b);
		vy_json_free(v);
	}
	return b;
}

static const char *tool_mark(
	const struct vy_row_tool *t, const struct block_how *how, enum theme_role *role)
{
	static const char *const spinner[] = { "◜", "◝", "◞", "◟" };

	switch (t->status) {
	case VY_TOOL_RUNNING: *role = THEME_ACCENT; return spinner[(unsigned)how->spin % 4];
	case VY_TOOL_FAILED: *role = THEME_ERROR; return "✗";
	case VY_TOOL_CANCELED: *role = THEME_DIM; return "○";
	case VY_TOOL_COMPLETED:
	default: *role = THEME_OK; return "●";
	}
}

/* What stands at the right end of a tool's line; the x where it begins. */
static int put_gist(struct cell_win w, const struct vy_row_tool *t, const struct vy_block *b,
	const struct block_how *how)
{
	char gist[64] = "", took[32] = "";
	int64_t end = t->finished ? t->finished : how->now_ms;
	int x = w.w - 1;

	if (b->kind == VY_BLOCK_DIFF) {
		char del[24];

		snprintf(del, sizeof(del), " −%lld", (long long)b->diff.removed);
		snprintf(gist, sizeof(gist), "+%lld", (long long)b->diff.added);
		x = cell_puts_right(w, x, 0, del, theme_ink(THEME_ERROR));
		return cell_puts_right(w, x, 0, gist, theme_ink(THEME_OK));
	}
	if (t->status == VY_TOOL_COMPLETED && b->kind == VY_BLOCK_TERMINAL) {
		bool bad = b->terminal.has_exit && b->terminal.exit != 0;

		snprintf(gist, sizeof(gist), bad ? "  exit %lld" : "  ✓",
			(long long)b->terminal.exit);
		x = cell_puts_right(w, x, 0, gist, theme_ink(bad ? THEME_ERROR : THEME_OK));
	}
	if (t->started && end >= t->started &&
		(t->status == VY_TOOL_RUNNING || end - t->started >= 300)) {
		format_ms(end - t->started, took, sizeof(took));
		x = cell_puts_right(w, x, 0, took, theme_ink(THEME_DIM));
	} else {
		shape_gist(b, gist, sizeof(gist));
		x = b->kind == VY_BLOCK_TERMINAL
			    ? x
			    : cell_puts_right(w, x, 0, gist, theme_ink(THEME_DIM));
	}
	return x;
}

static void draw_tool(
	const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	const struct vy_row_tool *t = &row->tool;
	struct vy_block b = block_of(t, out);
	enum theme_role role;
	const char *mark = tool_mark(t, how, &role);
	struct cell_win w = head(out, how, mark, role);
	int right = put_gist(w, t, &b, how), x = TEXT + indent(how);

	x = put_cut(w, x, t->name, 24, theme_bold(THEME_TOOL), out);
	put_cut(w, x + 2, t->summary, right - x - 3, theme_ink(THEME_TEXT), out);
	if (t->status == VY_TOOL_RUNNING && t->progress.n) {
		shape_lines(shape_safe(out, t->progress, VY_UTF8_PROSE), theme_ink(THEME_DIM),
			TEXT + 2 + indent(how), SHAPE_FOLDED, out);
	}
	/* What a reading tool brought is for the agent: the person opens it when it matters. */
	bool quiet = b.kind == VY_BLOCK_FILES ||
		     (b.kind == VY_BLOCK_TEXT && t->status == VY_TOOL_COMPLETED &&
			     vy_str_is(t->kind, "read"));

	if (t->result.n && shapes[b.kind] && (!quiet || how->is_open) &&
		t->status != VY_TOOL_CANCELED) {
		shapes[b.kind](&b, how, TEXT + 2 + indent(how), out);
	}
}

static void draw_ask(const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	const struct vy_ask *a = &row->ask;
	char text[400];

	if (a->state == VY_ASK_OPEN) {
		return; /* the panel shows it */
	}
	struct cell_win w = head(out, how, "◑", THEME_DIM);
	struct vy_str by = vy_str_starts(a->by, "person:") ? vy_str_from(a->by, 7) : a->by;

	snprintf(text, sizeof(text), by.n ? _("%.*s, by %.*s") : "%.*s%.*s",
		VY_STR_ARG(a->decision), VY_STR_ARG(by));
	struct vy_str said = shape_safe(out, vy_arena_str(&out->arena, vy_str_c(text)), 0);
	int right = w.w - 1 - cell_width(w.grid->pool, said), x = TEXT + indent(how);

	cell_put(w, right, 0, said, theme_ink(THEME_DIM));
	x = put_cut(w, x, a->title.n ? a->title : a->tool, 30, theme_bold(THEME_TEXT), out);
	put_cut(w, x + 2, a->summary, right - x - 3, theme_ink(THEME_DIM), out);
}

static void draw_todo(
	const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	const struct vy_row_todo *t = &row->todo;
	struct cell_win w = head(out, how, t->done == t->total ? "●" : "◔",
		t->done == t->total ? THEME_OK : THEME_WARN);
	char text[64];

	snprintf(text, sizeof(text), _("%lld of %lld"), (long long)t->done, (long long)t->total);
	int x = TEXT + indent(how) +
		cell_puts(w, TEXT + indent(how), 0, text, theme_ink(THEME_TEXT));

	if (!how->is_open) {
		put_cut(w, x + 3, t->now, w.w - x - 4, theme_ink(THEME_DIM), out);
		return;
	}
	struct vy_json *v = vy_json_parse(t->items, NULL);
	struct vy_block b;

	vy_block_read(v, &out->arena, &b);
	vy_json_free(v);
	shapes[b.kind](&b, how, TEXT + 2 + indent(how), out);
}

static void draw_notice(
	const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	const struct vy_row_notice *n = &row->notice;
	bool bad = vy_str_is(n->state, "failed");
	struct vy_str text = n->note.n ? n->note : n->reason;
	int from = out->lines;

	if (n->compacted.n && text.n == 0) {
		text = vy_str_c(_("the conversation was made shorter for the agent"));
	}
	if (text.n == 0) {
		return;
	}
	shape_lines(shape_safe(out, text, VY_UTF8_PROSE), theme_ink(bad ? THEME_ERROR : THEME_DIM),
		TEXT + indent(how), how->is_open ? 0 : 8, out);
	cell_puts(cell_win_all(&out->grid), MARK + indent(how), from, bad ? "✗" : "·",
		theme_ink(bad ? THEME_ERROR : THEME_DIM));
}

static void draw_file(
	const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	(void)row; /* the tool that changed it shows the change */
	(void)how;
	(void)out;
}

static void draw_term(
	const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	const struct vy_row_term *t = &row->term;
	struct cell_win w = head(out, how, "$", THEME_ACCENT);
	struct vy_block b = { .kind = VY_BLOCK_TERMINAL,
		.terminal = { .command = t->command,
			.output = t->output,
			.has_exit = t->has_exit,
			.exit = t->exit } };

	put_cut(w, TEXT + indent(how), t->command, w.w - TEXT - 2, theme_bold(THEME_TEXT), out);
	shape_terminal(&b, how, TEXT + indent(how), out);
}

static void draw_participant(
	const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	struct cell_win w = head(out, how, "·", THEME_DIM);
	int x = put_cut(w, TEXT, row->participant.who, 60, theme_ink(THEME_DIM), out);

	cell_puts(
		w, x + 1, 0, row->participant.joined ? _("came") : _("left"), theme_ink(THEME_DIM));
}

static void draw_extension(
	const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	struct cell_win w = head(out, how, "·", THEME_DIM);
	int x = put_cut(w, TEXT, row->extension.word, 40, theme_ink(THEME_DIM), out);

	put_cut(w, x + 2, row->extension.data, w.w - x - 4, theme_ink(THEME_DIM), out);
}

typedef void row_fn(const struct vy_row *, const struct block_how *, struct block_sheet *);

static row_fn *const rows[VY_ROW_COUNT] = {
	[VY_ROW_MESSAGE] = draw_message,
	[VY_ROW_THINKING] = draw_thinking,
	[VY_ROW_TOOL] = draw_tool,
	[VY_ROW_ASK] = draw_ask,
	[VY_ROW_TODO] = draw_todo,
	[VY_ROW_TASK] = draw_tool,
	[VY_ROW_NOTICE] = draw_notice,
	[VY_ROW_FILE] = draw_file,
	[VY_ROW_TERM_COMMAND] = draw_term,
	[VY_ROW_PARTICIPANT] = draw_participant,
	[VY_ROW_EXTENSION] = draw_extension,
};

void block_draw(const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	block_sheet_reset(out, how->cols);
	if (row->expired) {
		struct cell_win w = head(out, how, "·", THEME_DIM);

		cell_puts(w, TEXT, 0, _("expired: its words were removed"), theme_ink(THEME_DIM));
	} else if ((size_t)row->kind < VY_ROW_COUNT && rows[row->kind]) {
		rows[row->kind](row, how, out);
	}
}

void shape_gist(const struct vy_block *b, char *out, size_t room)
{
	out[0] = '\0';
	if (b->kind == VY_BLOCK_FILES && b->files.n > 0) {
		snprintf(out, room, words_count("%zu file", "%zu files", b->files.n), b->files.n);
	} else if (b->kind == VY_BLOCK_TEXT && b->note.n) {
		snprintf(out, room, "%.*s", (int)(b->note.n < 40 ? b->note.n : 40), b->note.p);
	}
}

bool block_moves(const struct vy_row *row)
{
	return (row->kind == VY_ROW_TOOL || row->kind == VY_ROW_TASK) &&
	       row->tool.status == VY_TOOL_RUNNING;
}

bool block_opens(const struct vy_row *row)
{
	return row->kind == VY_ROW_TOOL || row->kind == VY_ROW_TASK ||
	       row->kind == VY_ROW_THINKING || row->kind == VY_ROW_TODO ||
	       row->kind == VY_ROW_TERM_COMMAND || row->kind == VY_ROW_NOTICE ||
	       (row->kind == VY_ROW_MESSAGE && row->message.is_user);
}

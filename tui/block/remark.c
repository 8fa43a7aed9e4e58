/* remark.c -- what is said at the side of the talk: answered asks, todos, notices, who came and
 * went, a person's own commands, and what a newer server knows (shape.h). */
#include <stdio.h>

#include "shared/base/limits.h"
#include "tui/block/shape.h"
#include "tui/words/said.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define COMMAND_LINES 12 /* of the output of a person's own command */
#define NOTICE_ROWS   8

/* ---- an ask that is closed ---- */

/* The chosen option's own words when the decision is one of them. */
static struct vy_str label_of(const struct vy_ask *a, struct vy_arena *mem)
{
	struct vy_ask_option o;

	for (size_t i = 0; vy_ask_option(a, i, mem, &o); i++) {
		if (vy_str_eq(o.id, a->decision)) {
			return o.rule.n ? o.rule : o.label;
		}
	}
	return a->decision;
}

static const char *outcome_of(const struct vy_ask *a, struct vy_arena *mem)
{
	if (a->state == VY_ASK_SUPERSEDED) {
		return _("answered in another way");
	}
	if (a->state == VY_ASK_WITHDRAWN) {
		return _("no longer asked");
	}
	if (a->state == VY_ASK_SKIPPED) {
		return _("skipped");
	}
	if (a->kind == VY_ASK_QUESTION) {
		return _("answered");
	}
	if (vy_str_is(a->decision, "allow")) {
		return _("allowed");
	}
	if (vy_str_is(a->decision, "deny")) {
		return _("denied");
	}
	struct vy_str label = label_of(a, mem);

	return vy_arena_printf(mem, _("allowed: %.*s"), VY_STR_ARG(label));
}

struct vy_str block_ask_said(const struct vy_ask *a, struct vy_arena *mem)
{
	const char *outcome = outcome_of(a, mem);
	struct vy_str by = vy_str_starts(a->by, "person:") ? vy_str_from(a->by, 7) : a->by;

	if (vy_str_is(a->delivered, "false")) {
		return vy_str_c(_("answered, but the agent was gone"));
	}
	if (by.n == 0) {
		return vy_str_c(outcome);
	}
	/* TRANSLATORS: what became of an ask, and who did it: "allowed, by ana" */
	return vy_str_c(vy_arena_printf(mem, _("%s, by %.*s"), outcome, VY_STR_ARG(by)));
}

static void put_answers(const struct vy_ask *a, int left, struct block_sheet *out)
{
	VY_AUTO_JSON *answers = a->answers.n ? vy_json_parse(a->answers, NULL) : NULL;
	struct vy_json *value;
	const char *question;

	VY_JSON_EACH (answers, question, value) {
		VY_AUTO_BUF text = VY_BUF_INIT(8192);

		vy_buf_addstr(&text, vy_json_strval(value));
		for (size_t i = 0; vy_json_type(value) == VY_JSON_ARR && i < vy_json_len(value);
			i++) {
			vy_buf_adds(&text, i ? ", " : "");
			vy_buf_addstr(&text, vy_json_strval(vy_json_at(value, i)));
		}
		struct cell_win w = block_lines(out, 1, left);
		int x = shape_put(w, 0, vy_arena_str(&out->arena, vy_str_c(question)), w.w / 2,
			theme_ink(THEME_DIM), out);

		shape_put(w, x + 2, vy_arena_str(&out->arena, vy_buf_str(&text)), w.w - x - 3,
			theme_ink(THEME_TEXT), out);
	}
}

/* What was asked, and at the right what became of it. */
static void put_outcome(struct cell_win w, int x, const struct vy_ask *a, struct vy_str said,
	struct cell_style s, struct block_sheet *out)
{
	int cells = cell_width(w.grid->pool, said), most = (w.w - x) * 2 / 3;

	cells = cells < most ? cells : most;

	int right = w.w - 1 - cells;

	shape_put(w, right, said, cells, s, out);
	shape_put(w, x, a->summary.n ? a->summary : words_said(a->title), right - x - 2,
		theme_ink(THEME_DIM), out);
}

void row_ask(const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	const struct vy_ask *a = &row->ask;
	int x = SHAPE_TEXT + shape_indent(how);
	bool is_no = vy_str_is(a->decision, "deny");

	if (a->state == VY_ASK_OPEN) {
		return; /* the panel shows it */
	}
	struct cell_style s = theme_ink(is_no ? THEME_WARN : THEME_DIM);
	struct cell_win w = shape_head(out, how, MARK_ASK, is_no ? THEME_WARN : THEME_DIM);
	struct vy_str said = shape_safe(out, block_ask_said(a, &out->arena), 0);

	if (a->tool_id.n && (a->kind == VY_ASK_QUESTION || a->kind == VY_ASK_PLAN)) {
		shape_put(w, x, said, w.w - x - 1, s, out); /* what it was, the call says */
	} else {
		put_outcome(w, x, a, said, s, out);
	}
	out->at++;
	if (a->tool_id.n == 0) { /* else the tool shows them */
		put_answers(a, SHAPE_BODY + shape_indent(how), out);
	}
	shape_words(a->message, THEME_TEXT, SHAPE_BODY + shape_indent(how),
		how->is_open ? 0 : SHAPE_FOLDED, out);
	if (how->is_open) {
		shape_asked(a, SHAPE_BODY + shape_indent(how), out);
		shape_asked_facts(a, SHAPE_BODY + shape_indent(how), out);
	}
}

/* ---- todos ---- */

static enum block_mark task_mark(enum vy_task_status s)
{
	return s == VY_TASK_DONE ? MARK_TICKED : s == VY_TASK_RUNNING ? MARK_NOW : MARK_OPEN;
}

/* All of them side by side, if they fit. */
static bool put_side_by_side(
	const struct vy_block *b, struct cell_win w, int x, struct block_sheet *out)
{
	int cells = 0;

	for (size_t i = 0; i < b->task.n && x + cells < w.w; i++) {
		cells += 5 + cell_width(w.grid->pool, shape_safe(out, b->task.items[i].text, 0));
	}
	if (x + cells >= w.w) {
		return false;
	}
	for (size_t i = 0; i < b->task.n; i++) {
		const struct vy_block_task *t = &b->task.items[i];
		bool is_now = t->status == VY_TASK_RUNNING;
		struct cell_style s = theme_ink(is_now ? THEME_TEXT : THEME_DIM);

		x += 3;
		x += cell_puts(w, x, 0, mark_of(out, task_mark(t->status)), s) + 1;
		x = shape_put(w, x, t->text, w.w - x, s, out);
	}
	return true;
}

void row_todo(const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	const struct vy_row_todo *t = &row->todo;
	bool is_done = t->done == t->total;
	struct cell_win w = shape_head(
		out, how, is_done ? MARK_DONE : MARK_TODO, is_done ? THEME_OK : THEME_WARN);
	int x = SHAPE_TEXT + shape_indent(how);
	struct vy_block b = { .kind = VY_BLOCK_TASK };
	char text[64];

	snprintf(text, sizeof(text), _("%lld of %lld"), (long long)t->done, (long long)t->total);
	x += cell_puts(w, x, 0, text, theme_ink(THEME_TEXT));
	if (t->items.n) {
		vy_block_parse(t->items, &out->arena, &b);
	}
	if (how->is_open) {
		out->at++;
		shape_block(&b, how, SHAPE_BODY + shape_indent(how), out);
	} else if (b.kind != VY_BLOCK_TASK || !put_side_by_side(&b, w, x, out)) {
		int at = x + 3;

		if (!is_done) {
			at += cell_puts(w, at, 0, mark_of(out, MARK_NOW), theme_ink(THEME_TEXT)) +
			      1;
		}
		shape_put(w, at, t->now, w.w - at - 1, theme_ink(THEME_TEXT), out);
	}
}

/* ---- notices ---- */

static void put_marked(struct vy_str text, enum block_mark mark, enum theme_role role,
	const struct block_how *how, struct block_sheet *out)
{
	int from = out->lines;

	shape_words(
		text, role, SHAPE_TEXT + shape_indent(how), how->is_open ? 0 : NOTICE_ROWS, out);
	if (out->lines > from) {
		cell_puts(block_line(out, from), SHAPE_MARK + shape_indent(how), 0,
			mark_of(out, mark), theme_ink(role));
	}
}

void row_notice(const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	const struct vy_row_notice *n = &row->notice;
	bool is_bad = vy_str_is(n->state, "failed");
	VY_AUTO_BUF note = VY_BUF_INIT(VY_FRAME_MAX);

	words_noted(n->note.n ? n->note : n->reason, &note);
	struct vy_str text = vy_buf_str(&note);

	if (n->compacted.n && text.n == 0) {
		text = vy_str_c(_("the conversation was made shorter for the agent"));
	}
	put_marked(
		text, is_bad ? MARK_FAILED : MARK_NOTE, is_bad ? THEME_ERROR : THEME_DIM, how, out);
}

void row_expired(const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	(void)row;
	put_marked(vy_str_c(_("expired: its words were removed")), MARK_NOTE, THEME_DIM, how, out);
}

void row_participant(const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	const struct vy_row_participant *p = &row->participant;
	struct vy_str who = vy_str_starts(p->who, "person:") ? vy_str_from(p->who, 7) : p->who;

	/* TRANSLATORS: a person came into the room, or went */
	put_marked(vy_str_c(vy_arena_printf(&out->arena,
			   p->joined ? _("%.*s came") : _("%.*s left"), VY_STR_ARG(who))),
		MARK_NOTE, THEME_DIM, how, out);
}

void row_extension(const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	struct cell_win w = shape_head(out, how, MARK_NOTE, THEME_DIM);
	int x = shape_put(w, SHAPE_TEXT + shape_indent(how), row->extension.word, 40,
		theme_ink(THEME_DIM), out);

	shape_put(w, x + 2, row->extension.data, w.w - x - 3, theme_ink(THEME_DIM), out);
}

/* ---- a person's own command ---- */

/* Of what is typed into a terminal nobody knows it: it may be a shell that says no end. */
bool shape_runs(const struct vy_row *row)
{
	return vy_str_is(row->term.via, "!") && !row->term.has_exit && !row->expired;
}

/* How long it has run; returns where the words before it end. */
static int put_running(const struct vy_row *row, const struct block_how *how, struct cell_win w)
{
	int64_t ms = how->now_ms > row->time ? how->now_ms - row->time : 0;
	char text[32];

	if (ms < 1000) {
		return w.w - 1;
	}
	shape_time(ms, false, text, sizeof(text));
	return cell_puts_right(w, w.w - 1, 0, text, theme_ink(THEME_DIM)) - 2;
}

void row_term(const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	const struct vy_row_term *t = &row->term;
	bool runs = shape_runs(row);
	enum block_mark mark =
		runs ? MARK_SPIN0 + (enum block_mark)((unsigned)how->spin % MARK_SPINS)
		     : MARK_SHELL;
	struct cell_win w = shape_head(out, how, mark, runs ? THEME_ACCENT : THEME_USER_MARK);
	struct vy_block b = { .kind = VY_BLOCK_TERMINAL, .terminal = { .output = t->output } };
	int x = SHAPE_TEXT + shape_indent(how), right = w.w - 1;
	char text[48];

	if (runs) {
		right = put_running(row, how, w);
	} else if (t->has_exit && t->exit != 0) {
		snprintf(text, sizeof(text), _("exit %lld"), (long long)t->exit);
		right = cell_puts_right(w, right, 0, text, theme_ink(THEME_ERROR)) - 2;
	}
	shape_put(w, x, t->command, right - x, theme_bold(THEME_USER), out);
	out->at++;
	shape_output(&b, how, x, COMMAND_LINES, out);
}

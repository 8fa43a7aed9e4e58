/* fold_tool.c -- what was done: tool calls, todo lists, files and commands; see fold.h. */
#include <stdlib.h>

#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/model/fold_own.h"
#include "shared/base/ban.h"

/* ---- tools ---- */

static struct fold_row *tool_row(struct vy_fold *f, const struct vy_frame *fr, bool background)
{
	FOLD_KEY(b);
	struct vy_str id = vy_frame_str(fr, VY_F_TOOL_ID);
	struct vy_str key = fold_key(&b, "tool", id);
	struct fold_row *r = fold_find(f, key);

	if (r || !id.n) {
		return r;
	}
	r = fold_new(f, background ? VY_ROW_TASK : VY_ROW_TOOL, key, fr);
	r->row.tool.tool_id = fold_keep(f, id);
	r->row.tool.pct = r->row.tool.bytes = -1;
	f->state.running++;
	return r;
}

static struct fold_row *find_tool(const struct vy_fold *f, struct vy_str id)
{
	FOLD_KEY(b);

	return id.n ? fold_find(f, fold_key(&b, "tool", id)) : NULL;
}

/* ---- what a person takes to answer ---- */

struct vy_str fold_tool_parent(const struct vy_fold *f, struct vy_str tool_id)
{
	const struct fold_row *r = find_tool(f, tool_id);

	return r ? r->row.parent : vy_str_n(NULL, 0);
}

/* Is it this call, or one below it? */
static bool is_under(const struct vy_fold *f, struct vy_str tool_id, const struct fold_row *top)
{
	const struct fold_row *r = find_tool(f, tool_id);

	for (unsigned n = 0; r && r != top && n < FOLD_DEPTH_MAX; n++) {
		r = find_tool(f, r->row.parent);
	}
	return r == top;
}

static bool is_asked_about(const struct vy_fold *f, const struct fold_row *r)
{
	for (size_t i = 0; i < f->asks.n; i++) {
		if (is_under(f, f->asks.v[i]->row.ask.tool_id, r)) {
			return true;
		}
	}
	return false;
}

/* Asks that came before their call stand where it does. */
static void adopt_asks(struct vy_fold *f, const struct fold_row *r, const struct vy_frame *fr)
{
	for (size_t i = 0; r->row.parent.n && i < f->asks.n; i++) {
		struct fold_row *ask = f->asks.v[i];

		if (vy_str_eq(ask->row.ask.tool_id, r->row.tool.tool_id) && !ask->row.parent.n) {
			ask->row.parent = r->row.parent;
			fold_touch(f, ask, fr);
		}
	}
}

static void stop_waiting(struct fold_row *r, int64_t now_ms)
{
	struct vy_row_tool *t = &r->row.tool;

	if (t->asked) {
		t->waited += now_ms > t->asked ? now_ms - t->asked : 0;
		t->asked = 0;
	}
}

void fold_tool_waits(struct vy_fold *f, struct vy_str tool_id, const struct vy_frame *fr)
{
	struct fold_row *r = find_tool(f, tool_id);

	for (unsigned n = 0; r && n < FOLD_DEPTH_MAX; n++) {
		if (r->row.tool.status == VY_TOOL_RUNNING && !r->row.tool.asked) {
			r->row.tool.asked = fr->time;
			fold_touch(f, r, fr);
		}
		r = find_tool(f, r->row.parent);
	}
}

void fold_tool_goes_on(struct vy_fold *f, struct vy_str tool_id, const struct vy_frame *fr)
{
	struct fold_row *r = find_tool(f, tool_id);

	for (unsigned n = 0; r && n < FOLD_DEPTH_MAX; n++) {
		if (r->row.tool.asked && !is_asked_about(f, r)) { /* by another ask, still */
			stop_waiting(r, fr->time);
			fold_touch(f, r, fr);
		}
		r = find_tool(f, r->row.parent);
	}
}

/* ---- a call ---- */

void fold_tool_started(struct vy_fold *f, const struct vy_frame *fr)
{
	struct fold_row *r = tool_row(f, fr, vy_frame_bool(fr, VY_F_BACKGROUND));

	if (!r || r->row.tool.started) {
		return; /* once per call */
	}
	r->row.tool.name = fold_keep(f, vy_frame_str(fr, VY_F_TOOL));
	r->row.tool.kind = fold_keep(f, vy_frame_str(fr, VY_F_KIND));
	r->row.tool.summary = fold_keep(f, vy_frame_str(fr, VY_F_SUMMARY));
	r->row.parent = fold_keep(f, vy_frame_str(fr, VY_F_PARENT_TOOL));
	r->row.tool.started = fr->time;
	r->row.tool.asked = is_asked_about(f, r) ? fr->time : 0;
	adopt_asks(f, r, fr);
	if (!r->listed) {
		r->row.withheld = vy_frame_is(fr, VY_F_KIND, "todo");
		fold_append(f, r);
	}
	fold_touch(f, r, fr);
}

void fold_tool_progress(struct vy_fold *f, const struct vy_frame *fr)
{
	struct fold_row *r = tool_row(f, fr, false);

	if (!r || r->row.tool.status != VY_TOOL_RUNNING) {
		return;
	}
	if (!r->listed) {
		fold_append(f, r); /* it began before what the log still holds */
	}
	if (vy_frame_has(fr, VY_F_TEXT)) {
		fold_replace(r, vy_frame_str(fr, VY_F_TEXT));
	}
	r->row.tool.pct = vy_frame_int(fr, VY_F_PCT, r->row.tool.pct);
	r->row.tool.bytes = vy_frame_int(fr, VY_F_BYTES, r->row.tool.bytes);
	fold_touch(f, r, fr);
}

static void count_todo(struct vy_row_todo *t, struct vy_arena *a)
{
	struct vy_block b;

	vy_block_parse(t->items, a, &b);
	t->done = t->total = 0;
	t->now = vy_str_n(NULL, 0);
	if (b.kind != VY_BLOCK_TASK) {
		return;
	}
	t->total = (int64_t)b.task.n;
	for (size_t i = b.task.n; i-- > 0;) { /* backwards: the first of its kind stays */
		const struct vy_block_task *it = &b.task.items[i];

		t->done += it->status == VY_TASK_DONE;
		if (it->status == VY_TASK_PENDING) {
			t->now = it->text;
		}
	}
	for (size_t i = 0; i < b.task.n; i++) {
		if (b.task.items[i].status == VY_TASK_RUNNING) {
			t->now = b.task.items[i].text;
			break;
		}
	}
}

/* The list and the words of its present item share the row's buffer. */
void fold_set_todo(struct fold_row *r, struct vy_str items)
{
	struct vy_arena a;

	vy_arena_init(&a);
	r->row.todo.items = items;
	count_todo(&r->row.todo, &a);
	vy_buf_clear(&r->text);
	vy_buf_addstr(&r->text, items);
	vy_buf_addstr(&r->text, r->row.todo.now);
	r->row.todo.items = vy_str_n(r->text.data, items.n);
	r->row.todo.now = vy_str_n(r->text.data + items.n, r->text.len - items.n);
	vy_arena_fini(&a);
}

/* One list a turn, and one a subagent, whose own may go on over turns; changed in place. */
static void todo(struct vy_fold *f, const struct vy_frame *fr, struct vy_str parent)
{
	FOLD_KEY(b);
	struct vy_str key =
		fold_key(&b, parent.n ? "todo-of" : "todo", parent.n ? parent : fr->turn);
	struct fold_row *r = fold_find(f, key);

	if (!r) {
		r = fold_new(f, VY_ROW_TODO, key, fr);
		r->row.parent = fold_keep(f, parent);
		fold_append(f, r);
	}
	fold_set_todo(r, vy_frame_str(fr, VY_F_RESULT));
	if (!parent.n) {
		fold_set(&f->state.todo, key);
	}
	fold_touch(f, r, fr);
}

static bool is_task_list(struct vy_str block)
{
	struct vy_arena a;
	struct vy_block b;

	vy_arena_init(&a);
	vy_block_parse(block, &a, &b);
	vy_arena_fini(&a);
	return b.kind == VY_BLOCK_TASK;
}

/* A list that came of a call is shown in the call's place. */
static bool is_list(const struct fold_row *r, struct vy_str result)
{
	return (r->row.withheld || !r->row.tool.started) && is_task_list(result);
}

void fold_tool_finished(struct vy_fold *f, const struct vy_frame *fr)
{
	struct fold_row *r = tool_row(f, fr, false);
	struct vy_str result = vy_frame_str(fr, VY_F_RESULT);

	if (!r || r->row.tool.status != VY_TOOL_RUNNING) {
		return; /* exactly once */
	}
	if (!vy_tool_status_parse(vy_frame_str(fr, VY_F_STATUS), &r->row.tool.status) ||
		r->row.tool.status == VY_TOOL_RUNNING) {
		r->row.tool.status = VY_TOOL_COMPLETED; /* an expired one does not say */
	}
	f->state.running--;
	r->row.tool.finished = fr->time;
	stop_waiting(r, fr->time);
	r->row.expired = r->row.expired || vy_frame_is_expired(fr);
	r->row.tool.result = fold_keep(f, result);
	fold_replace(r, vy_str_n(NULL, 0));
	r->row.withheld = is_list(r, result);
	if (r->listed) {
		fold_settle(f, r);
	} else {
		fold_append(f, r);
	}
	fold_touch(f, r, fr);
	if (r->row.withheld) {
		todo(f, fr, r->row.parent);
	}
}

/* ---- the machine ---- */

/* One row a turn; what changed between turns is one each. */
void fold_file_changed(struct vy_fold *f, const struct vy_frame *fr)
{
	FOLD_KEY(b);
	struct vy_str path = vy_frame_str(fr, VY_F_PATH), op = vy_frame_str(fr, VY_F_OP);
	struct vy_str key = fr->turn.n ? fold_key2(&b, "file", fr->turn, path)
				       : fold_key_cur(&b, "file", fr->cur);
	struct fold_row *r = fold_find(f, key);

	if (!path.n) {
		return;
	}
	if (!r) {
		r = fold_new(f, VY_ROW_FILE, key, fr);
		r->row.file.path = fold_keep(f, path);
		fold_append(f, r);
	}
	/* created, then edited, is created */
	if (!vy_str_is(r->row.file.op, "create") || !vy_str_is(op, "edit")) {
		r->row.file.op = fold_keep(f, op);
	}
	r->row.file.added += vy_frame_int(fr, VY_F_ADDED, 0);
	r->row.file.removed += vy_frame_int(fr, VY_F_REMOVED, 0);
	fold_touch(f, r, fr);
}

struct fold_term *fold_term(struct vy_fold *f, struct vy_str term, bool make)
{
	for (size_t i = 0; i < f->nterms; i++) {
		if (vy_str_eq(f->terms[i].term, term)) {
			return &f->terms[i];
		}
	}
	if (!make) {
		return NULL;
	}
	f->terms = vy_grow(f->terms, &f->terms_cap, f->nterms + 1, sizeof(f->terms[0]));
	f->terms[f->nterms] = (struct fold_term){ .term = fold_keep(f, term) };
	return &f->terms[f->nterms++];
}

static struct fold_row *new_command(
	struct vy_fold *f, const struct vy_frame *fr, struct fold_term *t)
{
	FOLD_KEY(b);
	struct fold_row *r =
		fold_new(f, VY_ROW_TERM_COMMAND, fold_key_cur(&b, "cmd", vy_frame_first(fr)), fr);

	r->row.term.term = t->term;
	if (fr->kind == VY_KIND_TERM_CHUNK) { /* of a merged run it has the last one's time */
		r->row.time = fold_began(f, fr);
	}
	t->row = r;
	fold_append(f, r);
	return r;
}

void fold_term_command(struct vy_fold *f, const struct vy_frame *fr)
{
	struct vy_str term = vy_frame_str(fr, VY_F_TERM), command = vy_frame_str(fr, VY_F_COMMAND);

	if (!term.n) {
		return;
	}
	struct fold_term *t = fold_term(f, term, true);
	struct fold_row *r = t->row;
	bool ended = vy_frame_has(fr, VY_F_EXIT);

	/* told when it began and again when it ended: one row */
	if (!r || !ended || r->row.term.has_exit || !vy_str_eq(r->row.term.command, command)) {
		r = new_command(f, fr, t);
		r->row.term.command = fold_keep(f, command);
	}
	if (vy_frame_has(fr, VY_F_VIA)) {
		r->row.term.via = fold_keep(f, vy_frame_str(fr, VY_F_VIA));
	}
	if (vy_frame_has(fr, VY_F_SURFACE)) {
		r->row.term.surface = fold_keep(f, vy_frame_str(fr, VY_F_SURFACE));
	}
	r->row.term.has_exit = ended;
	r->row.term.exit = vy_frame_int(fr, VY_F_EXIT, 0);
	fold_touch(f, r, fr);
}

void fold_term_chunk(struct vy_fold *f, const struct vy_frame *fr)
{
	struct vy_str term = vy_frame_str(fr, VY_F_TERM), b64 = vy_frame_str(fr, VY_F_B64);

	if (!term.n) {
		return;
	}
	struct fold_term *t = fold_term(f, term, true);
	struct fold_row *r = t->row ? t->row : new_command(f, fr, t);
	char *bytes = vy_alloc(b64.n + 1);
	long n = vy_base64_decode(b64, bytes, b64.n);
	size_t from = r->text.len;

	if (from == 0) {
		r->row.term.offset = (uint64_t)vy_frame_int(fr, VY_F_OFFSET, 0);
	}
	if (n > 0) {
		fold_grow(r, vy_str_n(bytes, (size_t)n), VY_FOLD_OUTPUT_MAX, false);
	}
	r->row.expired = r->row.expired || vy_frame_is_expired(fr);
	fold_touch_text(f, r, fr, from);
	free(bytes);
}

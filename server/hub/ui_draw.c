/* ui_draw.c -- see ui_draw.h. */
#include "server/hub/ui_draw.h"

#include "server/hub/ui_stage.h"
#include "shared/base/limits.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define BLOCKS_MAX VY_FRAME_MAX /* of one row: they came in one frame */

static struct vy_str kept(const struct vy_buf *b, struct vy_arena *a)
{
	return vy_arena_str(a, vy_buf_str(b));
}

/* One block as it may be shown; none stays none. */
static struct vy_str shown_block(struct vy_str json, struct vy_arena *a)
{
	VY_AUTO_BUF out = VY_BUF_INIT(BLOCKS_MAX);
	struct vy_jw w = VY_JW(&out);
	struct vy_block b;

	if (json.n == 0) {
		return json;
	}
	vy_block_parse(json, a, &b);
	vy_block_write(&b, &w);
	return kept(&out, a);
}

static struct vy_str shown_blocks(struct vy_str json, struct vy_arena *a)
{
	VY_AUTO_JSON *list = json.n ? vy_json_parse(json, NULL) : NULL;
	VY_AUTO_BUF out = VY_BUF_INIT(2 * BLOCKS_MAX);
	struct vy_jw w = VY_JW(&out);

	if (json.n == 0) {
		return json;
	}
	vy_jw_arr(&w);
	for (size_t i = 0; i < vy_json_len(list) && out.len < BLOCKS_MAX; i++) {
		struct vy_block b;

		vy_block_read(vy_json_at(list, i), a, &b);
		vy_block_write(&b, &w);
	}
	vy_jw_end_arr(&w);
	return kept(&out, a);
}

static struct vy_str cut(struct vy_str s)
{
	return s.n > UI_TEXT_MAX ? vy_str_n(s.p, vy_utf8_cut(s, UI_TEXT_MAX)) : s;
}

static void draw_message(struct vy_row_message *m, struct vy_arena *a)
{
	struct vy_str whole = m->text;

	m->text = cut(whole);
	if (m->text.n < whole.n) {
		m->bytes = m->bytes > (int64_t)whole.n ? m->bytes : (int64_t)whole.n;
		m->more = true;
	}
	m->blocks = shown_blocks(m->blocks, a);
}

static void draw_term(struct vy_row_term *t)
{
	size_t over = t->output.n > UI_OUTPUT_MAX ? t->output.n - UI_OUTPUT_MAX : 0;

	t->output = vy_str_from(t->output, over);
	t->offset += over;
}

void ui_draw(const struct vy_row *r, struct vy_buf *out)
{
	struct vy_jw w = VY_JW(out);
	struct vy_row row = *r;
	struct vy_arena a;

	vy_arena_init(&a);
	switch (r->kind) {
	case VY_ROW_MESSAGE: draw_message(&row.message, &a); break;
	case VY_ROW_THINKING: row.thinking.text = cut(row.thinking.text); break;
	case VY_ROW_TOOL:
	case VY_ROW_TASK: row.tool.result = shown_block(row.tool.result, &a); break;
	case VY_ROW_TODO: row.todo.items = shown_block(row.todo.items, &a); break;
	case VY_ROW_TERM_COMMAND: draw_term(&row.term); break;
	case VY_ROW_ASK:
	case VY_ROW_NOTICE:
	case VY_ROW_FILE:
	case VY_ROW_PARTICIPANT:
	case VY_ROW_EXTENSION:
	case VY_ROW_COUNT: break;
	}
	vy_row_encode(&row, &w);
	vy_arena_fini(&a);
}

bool ui_is_final(const struct vy_row *r)
{
	switch (r->kind) {
	case VY_ROW_MESSAGE: return r->message.done;
	case VY_ROW_THINKING: return r->thinking.done;
	case VY_ROW_TOOL:
	case VY_ROW_TASK: return r->tool.status != VY_TOOL_RUNNING;
	case VY_ROW_TERM_COMMAND: return r->term.has_exit;
	case VY_ROW_ASK:
	case VY_ROW_TODO:
	case VY_ROW_NOTICE:
	case VY_ROW_FILE:
	case VY_ROW_PARTICIPANT:
	case VY_ROW_EXTENSION:
	case VY_ROW_COUNT: break;
	}
	return true;
}

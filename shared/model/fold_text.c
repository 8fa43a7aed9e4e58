/* fold_text.c -- messages: what people said, and what the assistant says piece by piece; see fold.h.
 *
 * Whether a run of deltas comes in pieces or as one, the same row comes out: its revision is the
 * cursor of its last frame, and text began when the frame before its first piece was written (a
 * merged frame no longer says when its own first piece was). */
#include "shared/base/limits.h"
#include "shared/model/fold_own.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define CUT_CHARACTERS 40 /* what a text-cut takes back: wire 3 */

/* ---- text that grows ---- */

struct vy_str *fold_text_slice(struct vy_row *r)
{
	switch (r->kind) {
	case VY_ROW_MESSAGE: return &r->message.text;
	case VY_ROW_THINKING: return &r->thinking.text;
	case VY_ROW_TOOL:
	case VY_ROW_TASK: return &r->tool.progress;
	case VY_ROW_TERM_COMMAND: return &r->term.output;
	case VY_ROW_ASK:
	case VY_ROW_TODO: /* two texts in one buffer: fold_set_todo */
	case VY_ROW_NOTICE:
	case VY_ROW_FILE:
	case VY_ROW_PARTICIPANT:
	case VY_ROW_EXTENSION:
	case VY_ROW_COUNT: break;
	}
	return NULL;
}

void fold_attach(struct fold_row *r)
{
	struct vy_str *slice = fold_text_slice(&r->row);

	if (slice) {
		*slice = vy_buf_str(&r->text);
	}
}

void fold_grow(struct fold_row *r, struct vy_str s, size_t max, bool is_text)
{
	size_t room = max - r->text.len;

	if (r->full) {
		return;
	}
	if (s.n > room) {
		s.n = is_text ? vy_utf8_cut(s, room) : room;
		r->full = true;
	}
	vy_buf_addstr(&r->text, s);
	fold_attach(r);
}

void fold_replace(struct fold_row *r, struct vy_str s)
{
	vy_buf_clear(&r->text);
	r->full = false;
	fold_grow(r, s, VY_FOLD_TEXT_MAX, true);
}

int64_t fold_began(const struct vy_fold *f, const struct vy_frame *fr)
{
	return f->state.cur && f->state.cur + 1 == vy_frame_first(fr) ? f->last_time : fr->time;
}

/* ---- messages of people ---- */

static void fill_user(struct vy_fold *f, struct fold_row *r, const struct vy_frame *fr)
{
	struct vy_row_message *m = &r->row.message;

	if (!vy_frame_is_expired(fr)) {
		fold_replace(r, vy_frame_str(fr, VY_F_TEXT));
	}
	m->is_private = vy_frame_has(fr, VY_F_ENC);
	m->edited = m->edited || vy_frame_bool(fr, VY_F_EDITED);
	m->more = vy_frame_bool(fr, VY_F_MORE);
	m->bytes = vy_frame_int(fr, VY_F_BYTES, m->bytes);
	m->queued_at = vy_frame_int(fr, VY_F_QUEUED_AT, m->queued_at);
	m->step = vy_frame_int(fr, VY_F_STEP, m->step);
	if (vy_frame_has(fr, VY_F_VIA)) {
		m->via = fold_keep(f, vy_frame_str(fr, VY_F_VIA));
	}
	if (vy_frame_has(fr, VY_F_MODE)) {
		m->mode = fold_keep(f, vy_frame_str(fr, VY_F_MODE));
	}
	if (vy_frame_has(fr, VY_F_IMAGES)) {
		m->images = fold_keep(f, vy_frame_str(fr, VY_F_IMAGES));
	}
	m->reason = fold_keep(f, vy_frame_str(fr, VY_F_REASON));
	r->row.expired = r->row.expired || vy_frame_is_expired(fr);
	if (fr->turn.n && !vy_str_eq(fr->turn, r->row.turn)) {
		r->row.turn = fold_keep(f, fr->turn);
	}
}

/* Into the queue where the server says it stands, else at its end. */
static void wait_in_queue(struct vy_fold *f, struct fold_row *r, const struct vy_frame *fr)
{
	size_t at = fold_list_index(&f->queued, r);
	int64_t said = vy_frame_int(fr, VY_F_POSITION, -1);

	f->ch->state = true;
	if (at != VY_FOLD_NOWHERE && said < 0) {
		return;
	}
	if (at != VY_FOLD_NOWHERE) {
		fold_list_remove(&f->queued, r);
	}
	at = said >= 0 && (size_t)said < f->queued.n ? (size_t)said : f->queued.n;
	fold_list_insert(&f->queued, at, r);
}

static void queued(struct vy_fold *f, struct fold_row *r, const struct vy_frame *fr)
{
	if (r->row.message.state == VY_MESSAGE_SENT) { /* an interrupt took it back */
		fold_take_out(f, r);
	}
	r->row.message.state = VY_MESSAGE_QUEUED;
	wait_in_queue(f, r, fr);
}

/* Taken: it becomes a row here, where the assistant met it. */
static void entered(struct vy_fold *f, struct fold_row *r, const struct vy_frame *fr,
	enum vy_message_state state)
{
	fold_list_remove(&f->queued, r);
	r->row.message.state = state;
	if (!r->listed) {
		r->row.first = vy_frame_first(fr);
		r->row.folded = false;
		fold_append(f, r);
	}
}

static bool is_final(const struct fold_row *r)
{
	return r->row.message.state == VY_MESSAGE_PICKED_UP ||
	       r->row.message.state == VY_MESSAGE_CANCELLED;
}

void fold_user_message(struct vy_fold *f, const struct vy_frame *fr)
{
	FOLD_KEY(b);
	struct vy_str id = vy_frame_str(fr, VY_F_MESSAGE);
	struct vy_str key = fold_key(&b, "u", id);
	struct fold_row *r = fold_find(f, key);
	enum vy_message_state to;

	if (!id.n || !vy_message_state_parse(vy_frame_str(fr, VY_F_STATE), &to) ||
		(!r && to == VY_MESSAGE_CANCELLED) ||
		(r && is_final(r) && r->row.message.state != to)) {
		return;
	}
	if (!r) {
		r = fold_new(f, VY_ROW_MESSAGE, key, fr);
		r->row.message.is_user = r->row.message.done = true;
		r->row.message.message = fold_keep(f, id);
		r->row.message.step = -1;
	}
	if (to == VY_MESSAGE_CANCELLED && fold_list_remove(&f->queued, r)) {
		fold_delete(f, r);
		return;
	}
	fill_user(f, r, fr);
	switch (to) {
	case VY_MESSAGE_QUEUED: queued(f, r, fr); break;
	case VY_MESSAGE_SENT:
	case VY_MESSAGE_PICKED_UP: entered(f, r, fr, to); break;
	case VY_MESSAGE_CANCELLED: r->row.message.state = to; break;
	case VY_MESSAGE_STATES: break;
	}
	fold_touch(f, r, fr);
}

/* ---- text of the assistant ---- */

struct fold_row *fold_find_text(struct vy_fold *f, struct vy_str message, int64_t index)
{
	FOLD_KEY(m);
	FOLD_KEY(t);
	struct fold_row *r = fold_find(f, fold_key_block(&m, "m", message, index));

	return r ? r : fold_find(f, fold_key_block(&t, "t", message, index));
}

static struct fold_row *new_text(struct vy_fold *f, const struct vy_frame *fr, bool reasoning)
{
	FOLD_KEY(b);
	struct vy_str message = vy_frame_str(fr, VY_F_MESSAGE);
	int64_t index = vy_frame_int(fr, VY_F_INDEX, 0);
	struct fold_row *r = fold_new(f, reasoning ? VY_ROW_THINKING : VY_ROW_MESSAGE,
		fold_key_block(&b, reasoning ? "t" : "m", message, index), fr);

	r->row.time = fold_began(f, fr);
	r->row.parent = fold_keep(f, vy_frame_str(fr, VY_F_PARENT));
	if (reasoning) {
		r->row.thinking.message = fold_keep(f, message);
		r->row.thinking.index = index;
	} else {
		r->row.message.message = fold_keep(f, message);
		r->row.message.index = index;
		r->row.message.step = -1;
		r->row.message.state = VY_MESSAGE_SENT;
	}
	fold_append(f, r);
	return r;
}

static void spent(struct fold_row *r, const struct vy_frame *fr)
{
	if (r->row.kind == VY_ROW_THINKING && fr->time > r->row.time) {
		r->row.thinking.ms = fr->time - r->row.time;
	}
}

void fold_text_delta(struct vy_fold *f, const struct vy_frame *fr)
{
	struct vy_str message = vy_frame_str(fr, VY_F_MESSAGE);
	struct fold_row *r = fold_find_text(f, message, vy_frame_int(fr, VY_F_INDEX, 0));

	if (!message.n || (r && r->row.kind == VY_ROW_MESSAGE && r->row.message.cut)) {
		return;
	}
	if (!r) {
		r = new_text(f, fr, vy_frame_bool(fr, VY_F_REASONING));
	}
	size_t from = r->text.len;

	fold_grow(r, vy_frame_str(fr, VY_F_TEXT), VY_FOLD_TEXT_MAX, true);
	r->row.expired = r->row.expired || vy_frame_is_expired(fr);
	spent(r, fr);
	fold_touch_text(f, r, fr, from);
}

void fold_text_done(struct vy_fold *f, const struct vy_frame *fr)
{
	struct vy_str message = vy_frame_str(fr, VY_F_MESSAGE),
		      blocks = vy_frame_str(fr, VY_F_BLOCKS);
	struct fold_row *r = fold_find_text(f, message, vy_frame_int(fr, VY_F_INDEX, 0));

	if (!message.n || (!r && !blocks.n)) {
		return;
	}
	if (!r) {
		r = new_text(f, fr, false);
	}
	if (r->row.kind == VY_ROW_THINKING) {
		r->row.thinking.done = true;
		spent(r, fr);
	} else {
		r->row.message.done = true;
		r->row.message.blocks = blocks.n ? fold_keep(f, blocks) : r->row.message.blocks;
	}
	fold_touch(f, r, fr);
}

void fold_text_cut(struct vy_fold *f, const struct vy_frame *fr)
{
	struct vy_str message = vy_frame_str(fr, VY_F_MESSAGE);
	struct fold_row *r = fold_find_text(f, message, vy_frame_int(fr, VY_F_INDEX, 0));

	if (!message.n || (r && r->row.kind != VY_ROW_MESSAGE)) {
		return;
	}
	if (!r) {
		r = new_text(f, fr, false);
	}
	if (!r->row.message.cut &&
		!r->row.message.done) { /* what is done is no longer provisional */
		for (int i = 0; i < CUT_CHARACTERS && r->text.len > 0; i++) {
			uint32_t cp;

			vy_buf_truncate(&r->text,
				r->text.len - vy_utf8_prev(vy_buf_str(&r->text), r->text.len, &cp));
		}
	}
	r->row.message.cut = r->row.message.done = true;
	r->row.message.note = fold_keep(f, vy_frame_str(fr, VY_F_NOTE));
	fold_attach(r);
	fold_touch_text(f, r, fr, r->text.len);
}

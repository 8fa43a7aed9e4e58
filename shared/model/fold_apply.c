/* fold_apply.c -- each kind of frame to its rows: asks, statuses and people here, text and tools in
 * files of their own; see fold.h. */
#include "shared/base/limits.h"
#include "shared/model/fold_own.h"
#include "shared/base/ban.h"

/* ---- keys: "<what>:<id>" or "<what>:<id>:<id>" ---- */

struct vy_str fold_key(struct vy_buf *b, const char *what, struct vy_str id)
{
	vy_buf_adds(b, what);
	vy_buf_addc(b, ':');
	vy_buf_addstr(b, id);
	return vy_buf_str(b);
}

struct vy_str fold_key2(struct vy_buf *b, const char *what, struct vy_str one, struct vy_str two)
{
	fold_key(b, what, one);
	vy_buf_addc(b, ':');
	vy_buf_addstr(b, two);
	return vy_buf_str(b);
}

struct vy_str fold_key_cur(struct vy_buf *b, const char *what, uint64_t cur)
{
	vy_buf_addf(b, "%s:%llu", what, (unsigned long long)cur);
	return vy_buf_str(b);
}

struct vy_str fold_key_block(
	struct vy_buf *b, const char *what, struct vy_str message, int64_t index)
{
	fold_key(b, what, message);
	vy_buf_addf(b, ":%lld", (long long)index);
	return vy_buf_str(b);
}

/* ---- asks ---- */

static void ask(struct vy_fold *f, const struct vy_frame *fr)
{
	FOLD_KEY(b);
	struct vy_str id = vy_frame_str(fr, VY_F_ASK_ID);
	struct vy_str key = fold_key(&b, "ask", id);

	if (!id.n || fold_find(f, key)) {
		return;
	}
	struct fold_row *r = fold_new(f, VY_ROW_ASK, key, fr);
	struct vy_ask *a = &r->row.ask;

	*a = (struct vy_ask){
		.id = fold_keep(f, id),
		.session = fold_keep(f, fr->session),
		.turn = r->row.turn,
		.tool = fold_keep(f, vy_frame_str(fr, VY_F_TOOL)),
		.tool_id = fold_keep(f, vy_frame_str(fr, VY_F_TOOL_ID)),
		.title = fold_keep(f, vy_frame_str(fr, VY_F_TITLE)),
		.summary = fold_keep(f, vy_frame_str(fr, VY_F_SUMMARY)),
		.detail = fold_keep(f, vy_frame_str(fr, VY_F_DETAIL)),
		.blocked_path = fold_keep(f, vy_frame_str(fr, VY_F_BLOCKED_PATH)),
		.source = fold_keep(f, vy_frame_str(fr, VY_F_SOURCE)),
		.options = fold_keep(f, vy_frame_str(fr, VY_F_OPTIONS)),
		.questions = fold_keep(f, vy_frame_str(fr, VY_F_QUESTIONS)),
		.more = vy_frame_bool(fr, VY_F_MORE),
		.raised = fr->time,
	};
	(void)vy_ask_kind_parse(vy_frame_str(fr, VY_F_KIND), &a->kind);
	fold_list_insert(&f->asks, f->asks.n, r);
	r->row.parent = fold_tool_parent(f, a->tool_id);
	fold_append(f, r);
	fold_tool_waits(f, a->tool_id, fr);
}

static void ask_answered(struct vy_fold *f, const struct vy_frame *fr)
{
	FOLD_KEY(b);
	struct fold_row *r = fold_find(f, fold_key(&b, "ask", vy_frame_str(fr, VY_F_ASK_ID)));

	if (r && vy_frame_has(fr, VY_F_DELIVERED) && !vy_frame_bool(fr, VY_F_DELIVERED)) {
		r->row.ask.delivered = VY_STR_LIT("false");
		fold_touch(f, r, fr);
	}
	if (!r || !fold_list_remove(&f->asks, r)) {
		return;
	}
	struct vy_ask *a = &r->row.ask;

	a->decision = fold_keep(f, vy_frame_str(fr, VY_F_DECISION));
	a->state = vy_ask_state_of(a->decision);
	a->by = fold_keep(f, vy_frame_str(fr, VY_F_BY));
	a->closed = fr->time;
	fold_touch(f, r, fr);
	fold_tool_goes_on(f, a->tool_id, fr);
}

/* ---- status ---- */

static void rewound(struct vy_fold *f, const struct vy_frame *fr)
{
	VY_AUTO_JSON *v = vy_json_parse(vy_frame_str(fr, VY_F_REWOUND), NULL);
	int64_t to = vy_json_int(v, "to", -1);

	if (to >= 0) {
		fold_rewind(f, fr->cur, (uint64_t)to);
	}
}

/* A turn is over when nobody works on it and it waits for nothing. */
static bool is_in_turn(enum vy_state s)
{
	return s == VY_STATE_WORKING || s == VY_STATE_ASKING || s == VY_STATE_PAUSED;
}

static void enter(struct vy_fold_state *s, enum vy_state to, bool is_other_turn, int64_t now_ms)
{
	bool goes_on = s->has_state && !is_other_turn && is_in_turn(s->state) && is_in_turn(to);

	if (goes_on && s->state == VY_STATE_WORKING && now_ms > s->since) {
		s->worked += now_ms - s->since;
	} else if (!goes_on) {
		s->worked = 0;
	}
	s->since = now_ms;
}

static void set_state(struct vy_fold *f, const struct vy_frame *fr)
{
	struct vy_fold_state *s = &f->state;
	enum vy_state to = s->state;
	struct vy_str turn = vy_frame_has(fr, VY_F_TURN) ? vy_frame_str(fr, VY_F_TURN) : fr->turn;

	(void)vy_state_parse(vy_frame_str(fr, VY_F_STATE), &to);
	bool is_other_turn = turn.n && !vy_str_eq(turn, s->turn);

	if (!s->has_state || to != s->state || is_other_turn) {
		enter(s, to, is_other_turn, fr->time);
	}
	s->has_state = true;
	s->state = to;
	s->stopping = vy_frame_bool(fr, VY_F_STOPPING);
	if (turn.n) {
		fold_set(&s->turn, turn);
	}
	fold_set(&s->reason, vy_frame_str(fr, VY_F_REASON));
	fold_set(&s->note, vy_frame_str(fr, VY_F_NOTE));
	if (vy_frame_has(fr, VY_F_MODE)) {
		fold_set(&s->mode, vy_frame_str(fr, VY_F_MODE));
	}
	if (vy_frame_has(fr, VY_F_MODEL)) {
		fold_set(&s->model, vy_frame_str(fr, VY_F_MODEL));
	}
	if (vy_frame_has(fr, VY_F_HELD)) {
		s->held = vy_frame_bool(fr, VY_F_HELD);
	}
	f->ch->state = true;
}

static void status(struct vy_fold *f, const struct vy_frame *fr)
{
	FOLD_KEY(b);

	set_state(f, fr);
	if (vy_frame_has(fr, VY_F_REWOUND)) {
		rewound(f, fr);
	}
	/* A rest is no line of a conversation, nor is a step forward in a line. */
	if (!vy_frame_str(fr, VY_F_NOTE).n && !vy_frame_has(fr, VY_F_COMPACTED) &&
		(!vy_frame_str(fr, VY_F_REASON).n || vy_is_rest(vy_frame_str(fr, VY_F_REASON)) ||
			vy_frame_has(fr, VY_F_POSITION))) {
		return;
	}
	struct fold_row *r = fold_new(f, VY_ROW_NOTICE, fold_key_cur(&b, "n", fr->cur), fr);

	r->row.notice.state = fold_keep(f, vy_frame_str(fr, VY_F_STATE));
	r->row.notice.note = fold_keep(f, vy_frame_str(fr, VY_F_NOTE));
	r->row.notice.reason = fold_keep(f, vy_frame_str(fr, VY_F_REASON));
	r->row.notice.compacted = fold_keep(f, vy_frame_str(fr, VY_F_COMPACTED));
	fold_append(f, r);
}

/* ---- people, and what is new to us ---- */

static void participant(struct vy_fold *f, const struct vy_frame *fr)
{
	FOLD_KEY(b);
	struct fold_row *r = fold_new(f, VY_ROW_PARTICIPANT, fold_key_cur(&b, "p", fr->cur), fr);

	r->row.participant.who = fold_keep(f, vy_frame_str(fr, VY_F_WHO));
	r->row.participant.role = fold_keep(f, vy_frame_str(fr, VY_F_ROLE));
	r->row.participant.joined = fr->kind == VY_KIND_PARTICIPANT_JOINED;
	fold_append(f, r);
}

static void pin(struct vy_fold *f, const struct vy_frame *fr)
{
	FOLD_KEY(b);
	struct vy_str message = vy_frame_str(fr, VY_F_MESSAGE);
	struct fold_row *r = fold_find(f, fold_key(&b, "u", message));

	r = r ? r : fold_find_text(f, message, 0);
	if (r) {
		r->row.pinned = vy_frame_bool(fr, VY_F_ON);
		fold_touch(f, r, fr);
	}
}

static void extension(struct vy_fold *f, const struct vy_frame *fr)
{
	FOLD_KEY(b);
	struct fold_row *r = fold_new(f, VY_ROW_EXTENSION, fold_key_cur(&b, "x", fr->cur), fr);

	r->row.extension.word = fold_keep(f, fr->word);
	r->row.extension.data = fold_keep(f, vy_frame_str(fr, VY_F_DATA));
	fold_append(f, r);
}

void fold_frame(struct vy_fold *f, const struct vy_frame *fr)
{
	switch (fr->kind) {
	case VY_KIND_USER_MESSAGE: fold_user_message(f, fr); break;
	case VY_KIND_TEXT_DELTA: fold_text_delta(f, fr); break;
	case VY_KIND_TEXT_DONE: fold_text_done(f, fr); break;
	case VY_KIND_TEXT_CUT: fold_text_cut(f, fr); break;
	case VY_KIND_TOOL_STARTED: fold_tool_started(f, fr); break;
	case VY_KIND_TOOL_PROGRESS: fold_tool_progress(f, fr); break;
	case VY_KIND_TOOL_FINISHED: fold_tool_finished(f, fr); break;
	case VY_KIND_TERM_CHUNK: fold_term_chunk(f, fr); break;
	case VY_KIND_TERM_COMMAND: fold_term_command(f, fr); break;
	case VY_KIND_FILE_CHANGED: fold_file_changed(f, fr); break;
	case VY_KIND_ASK: ask(f, fr); break;
	case VY_KIND_ASK_ANSWERED: ask_answered(f, fr); break;
	case VY_KIND_STATUS: status(f, fr); break;
	case VY_KIND_PARTICIPANT_JOINED:
	case VY_KIND_PARTICIPANT_LEFT: participant(f, fr); break;
	case VY_KIND_PIN: pin(f, fr); break;
	case VY_KIND_UNKNOWN: extension(f, fr); break;
	case VY_KIND_REACTION: /* rooms give these rows of their own: a later issue */
	case VY_KIND_MENTION:
	case VY_KIND_FANOUT:
	case VY_KIND_FANOUT_KEEP:
	case VY_KIND_HIDDEN: /* the cursor is all there is */
	case VY_KIND_PRESENCE:
	case VY_KIND_READ_MARKER:
	case VY_KIND_RESET:
	case VY_KIND_HEARTBEAT:
	case VY_KIND_COUNT: break;
	}
}

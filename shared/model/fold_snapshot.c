/* fold_snapshot.c -- a fold as rows and back; see fold.h. */
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/model/fold_own.h"
#include "shared/model/members.h"
#include "shared/base/ban.h"

static const struct vy_member state_members[] = {
	VY_MEMBER_STR(struct vy_fold_state, turn, "turn"),
	VY_MEMBER_INT(struct vy_fold_state, since, "since", 0),
	VY_MEMBER_INT(struct vy_fold_state, worked, "worked", 0),
	VY_MEMBER_BOOL(struct vy_fold_state, has_state, "has_state"),
	VY_MEMBER_BOOL(struct vy_fold_state, stopping, "stopping"),
	VY_MEMBER_BOOL(struct vy_fold_state, held, "held"),
	VY_MEMBER_STR(struct vy_fold_state, reason, "reason"),
	VY_MEMBER_STR(struct vy_fold_state, note, "note"),
	VY_MEMBER_STR(struct vy_fold_state, mode, "mode"),
	VY_MEMBER_STR(struct vy_fold_state, model, "model"),
	VY_MEMBER_STR(struct vy_fold_state, todo, "todo"),
};

/* ---- out ---- */

static void write_fold(const struct vy_fold *f, struct vy_jw *w)
{
	vy_jw_key(w, "fold");
	vy_jw_obj(w);
	vy_jw_kstr(w, "state", vy_str_c(vy_state_word(f->state.state)));
	vy_members_write(state_members, VY_COUNT(state_members), &f->state, w);
	vy_jw_kint(w, "last_time", f->last_time);
	vy_jw_key(w, "rewinds");
	vy_jw_arr(w);
	for (size_t i = 0; i < f->nrewinds; i++) {
		vy_jw_arr(w);
		vy_jw_int(w, (int64_t)f->rewinds[i].at);
		vy_jw_int(w, (int64_t)f->rewinds[i].to);
		vy_jw_end_arr(w);
	}
	vy_jw_end_arr(w);
	vy_jw_end_obj(w);
}

static bool is_open(const struct vy_row *r)
{
	return (r->kind == VY_ROW_ASK && r->ask.state == VY_ASK_OPEN) ||
	       ((r->kind == VY_ROW_TOOL || r->kind == VY_ROW_TASK) &&
		       r->tool.status == VY_TOOL_RUNNING);
}

static void write_rows(const struct vy_fold *f, bool folded, uint64_t after, struct vy_jw *w)
{
	vy_jw_key(w, "rows");
	vy_jw_arr(w);
	for (size_t i = 0; i < f->all.n; i++) {
		const struct vy_row *r = &f->all.v[i]->row;

		if ((folded || !r->folded) && (!after || r->first > after || is_open(r))) {
			vy_row_encode(r, w);
		}
	}
	for (size_t i = 0; i < f->queued.n; i++) { /* they know from their state where they stand */
		vy_row_encode(&f->queued.v[i]->row, w);
	}
	vy_jw_end_arr(w);
	vy_jw_kint(w, "cur", (int64_t)f->state.cur);
	write_fold(f, w);
}

void vy_fold_encode(const struct vy_fold *f, bool folded, struct vy_jw *w)
{
	write_rows(f, folded, 0, w);
}

void vy_fold_encode_after(const struct vy_fold *f, uint64_t cur, bool folded, struct vy_jw *w)
{
	write_rows(f, folded, cur, w);
}

/* ---- in ---- */

static bool is_waiting(const struct vy_row *r)
{
	return r->kind == VY_ROW_MESSAGE && r->message.is_user &&
	       r->message.state == VY_MESSAGE_QUEUED;
}

/* The slices that may change move from the arena into memory of the row's own. */
static void own_text(struct fold_row *r)
{
	struct vy_str *slice = fold_text_slice(&r->row);

	if (r->row.kind == VY_ROW_TODO) {
		fold_set_todo(r, r->row.todo.items);
	} else if (slice) {
		fold_grow(r, *slice, VY_FOLD_TEXT_MAX, false);
	}
}

static void place(struct vy_fold *f, struct fold_row *r)
{
	if (is_waiting(&r->row)) {
		fold_list_insert(&f->queued, f->queued.n, r);
		return;
	}
	fold_list_insert(&f->all, f->all.n, r);
	r->listed = true;
	switch (r->row.kind) {
	case VY_ROW_ASK:
		if (r->row.ask.state == VY_ASK_OPEN) {
			fold_list_insert(&f->asks, f->asks.n, r);
		}
		break;
	case VY_ROW_TOOL:
	case VY_ROW_TASK: f->state.running += r->row.tool.status == VY_TOOL_RUNNING; break;
	case VY_ROW_TERM_COMMAND: {
		struct fold_term *t = fold_term(f, r->row.term.term, true);

		t->row = t->row && t->row->row.first > r->row.first ? t->row : r; /* the newest */
		break;
	}
	case VY_ROW_MESSAGE:
	case VY_ROW_THINKING:
	case VY_ROW_TODO:
	case VY_ROW_NOTICE:
	case VY_ROW_FILE:
	case VY_ROW_PARTICIPANT:
	case VY_ROW_EXTENSION:
	case VY_ROW_COUNT: break;
	}
}

static void add_row(struct vy_fold *f, const struct vy_row *row)
{
	struct fold_row *r = VY_NEW(struct fold_row);

	r->row = *row;
	r->at = VY_FOLD_NOWHERE;
	vy_buf_init(&r->text, VY_FOLD_TEXT_MAX);
	HASH_ADD_KEYPTR(hh, f->by_key, r->row.key.p, r->row.key.n, r);
	own_text(r);
	place(f, r);
}

static int load_row(struct vy_fold *f, const struct vy_json *v, struct vy_err *e)
{
	struct vy_row row;

	if (vy_row_decode(v, &f->a, &row, e) < 0) {
		return -1;
	}
	if (fold_find(f, row.key)) {
		return vy_fail(
			e, VY_BAD_INPUT, "row %.*s: stands there twice", VY_STR_ARG(row.key));
	}
	add_row(f, &row);
	return 0;
}

int fold_load_old_row(struct vy_fold *f, const struct vy_json *v, struct vy_err *e)
{
	struct vy_row row;

	if (vy_row_decode(v, &f->a, &row, e) < 0) {
		return -1;
	}
	if (!fold_find(f, row.key) && !is_waiting(&row)) {
		add_row(f, &row);
	}
	return 0;
}

void fold_load_rewinds(struct vy_fold *f, const struct vy_json *list)
{
	uint64_t last = 0;

	for (size_t i = 0; i < vy_json_len(list); i++) {
		const struct vy_json *pair = vy_json_at(list, i);
		int64_t at = vy_json_intval(vy_json_at(pair, 0), 0);
		int64_t to = vy_json_intval(vy_json_at(pair, 1), 0);

		if (to < 0 || at <= to || (uint64_t)at <= last) {
			continue; /* no order of events makes such a pair */
		}
		last = (uint64_t)at;
		f->rewinds = vy_grow(
			f->rewinds, &f->rewinds_cap, f->nrewinds + 1, sizeof(f->rewinds[0]));
		f->rewinds[f->nrewinds++] = (struct fold_rewind){ (uint64_t)at, (uint64_t)to };
	}
}

/* From the fold that wrote it; else as far as the record tells. */
static void load_state(struct vy_fold *f, const struct vy_json *snapshot)
{
	const struct vy_json *fold = vy_json_get(snapshot, "fold");
	const struct vy_json *record = vy_json_get(snapshot, "record");
	struct vy_fold_state said, *s = &f->state;
	struct vy_arena a;
	enum vy_record r;

	vy_arena_init(&a);
	vy_members_read(state_members, VY_COUNT(state_members), fold, &a, &said);
	s->has_state = said.has_state;
	s->since = said.since;
	s->worked = said.worked;
	s->stopping = said.stopping;
	s->held = fold ? said.held : vy_json_bool(record, "held", false);
	fold_set(&s->turn, fold ? said.turn : vy_json_str(record, "turn"));
	fold_set(&s->reason, said.reason);
	fold_set(&s->note, said.note);
	fold_set(&s->mode, said.mode.n ? said.mode : vy_json_str(record, "mode"));
	fold_set(&s->model, said.model.n ? said.model : vy_json_str(record, "model"));
	fold_set(&s->todo, said.todo);
	f->last_time = vy_json_int(fold, "last_time", 0);
	if (!vy_state_parse(vy_json_str(fold, "state"), &s->state) &&
		vy_record_parse(vy_json_str(record, "state"), &r)) {
		s->state = vy_record_state(r);
		s->has_state = true;
		s->since = vy_json_int(record, "updated", 0);
	}
	fold_load_rewinds(f, vy_json_get(fold, "rewinds"));
	vy_arena_fini(&a);
}

int vy_fold_load(struct vy_fold *f, const struct vy_json *snapshot, struct vy_err *e)
{
	const struct vy_json *rows = vy_json_get(snapshot, "rows");
	int64_t cur = vy_json_int(snapshot, "cur", -1);
	bool has_folded = false;

	vy_fold_clear(f);
	if (vy_json_type(rows) != VY_JSON_ARR || cur < 0) {
		return vy_fail(e, VY_BAD_INPUT, "a snapshot needs rows and cur");
	}
	for (size_t i = 0; i < vy_json_len(rows); i++) {
		if (load_row(f, vy_json_at(rows, i), e) < 0) {
			vy_fold_clear(f);
			return vy_wrap(e, "a snapshot");
		}
		has_folded = has_folded || vy_json_bool(vy_json_at(rows, i), "folded", false);
	}
	load_state(f, snapshot);
	f->state.cur = (uint64_t)cur;
	f->older = (uint64_t)vy_json_int(snapshot, "before", 0);
	f->state.queued = f->queued.n;
	f->state.asks = f->asks.n;
	f->lacks_folded = f->nrewinds > 0 && !has_folded;
	fold_reshow(f);
	return 0;
}

/* turn_rewind.c -- a turn goes back and forth (turn.h, "going back"); rewind.h has the value. */
#include "server/session/turn_state.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define REST_MS 1500

/* ---- marks ---- */

/* A start that has to go back first says nothing new by where it stands. */
void turn_on_mark(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	(void)fx;
	if (t->rewind.is_due) {
		return;
	}
	t->rewind.is_root = ev->mark.n == 0;
	turn_set(&t->rewind.at, ev->mark);
	t->rev++;
}

/* An agent that has said much and says now that it stands nowhere: nobody saw where. */
void turn_mark_word(struct turn *t, struct vy_str message, const struct agent_event *ev,
	bool was_taken, struct effects *fx)
{
	bool is_known = ev->mark.n > 0 || !was_taken || t->rewind.is_root;

	if (is_known) {
		struct effect *e = effects_add(fx, FX_MARK);
		struct rewind_mark m = {
			.as = ev->message, .at = ev->mark, .chapter = t->rewind.chapter
		};

		e->text = fx_keep(fx, message);
		e->json = rewind_mark_json(&m);
	}
	turn_redo_over(t, fx);
}

/* ---- files ---- */

static void kept_is_over(const struct rewind_step *s, struct effects *fx)
{
	if (s->files) {
		effects_add(fx, FX_UNDO_OVER)->text = fx_keep(fx, vy_str_c(s->files));
	}
}

void turn_redo_over(struct turn *t, struct effects *fx)
{
	for (size_t i = 0; i < t->rewind.n; i++) {
		kept_is_over(&t->rewind.redo[i], fx);
	}
	rewind_taken(&t->rewind);
	t->rev++;
}

void turn_put_files(
	struct turn *t, struct vy_str as, const struct vy_json *pending, struct effects *fx)
{
	t->rewind.pending = vy_json_copy(pending);
	t->rev++;
	if (!vy_json_bool(pending, "redo", false)) {
		fx_command(t, AC_FILES, fx)->message = fx_keep(fx, as);
	}
}

static void over(struct turn *t, struct vy_json *said, struct effects *fx)
{
	struct effect *e = effects_add(fx, FX_FILES);

	e->json = vy_json_new_obj();
	vy_json_set(e->json, "pending", t->rewind.pending);
	vy_json_set(e->json, "said", said);
	vy_json_free(t->rewind.pending);
	t->rewind.pending = NULL;
	t->rev++;
}

void turn_on_files(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	if (t->rewind.pending && !vy_json_bool(t->rewind.pending, "redo", false) &&
		!vy_json_bool(ev->json, "dry", false)) {
		over(t, ev->json, fx);
	}
}

void turn_files_lost(struct turn *t, struct effects *fx)
{
	if (t->rewind.pending && !vy_json_bool(t->rewind.pending, "redo", false)) {
		over(t, NULL, fx);
	}
}

void turn_files_over(struct turn *t, struct effects *fx)
{
	vy_json_free(t->rewind.pending);
	t->rewind.pending = NULL;
	t->rev++;
	turn_pump(t, fx);
}

const struct vy_json *turn_pending(const struct turn *t)
{
	return t->rewind.pending;
}

/* ---- may it be? ---- */

int turn_may_go_back(const struct turn *t, bool may_start, struct vy_err *e)
{
	if (turn_is_busy(t) || t->broken || t->n_tools > 0 || t->n_blocks > 0) {
		return vy_fail(e, VY_CONFLICT, "a turn runs in this session: end it first");
	}
	if (t->rewind.pending) {
		return vy_fail(e, VY_CONFLICT, "this session is just going back: wait a moment");
	}
	if (turn_any_told(t)) {
		return vy_fail(
			e, VY_CONFLICT, "a message is on its way to the agent: take it back first");
	}
	if (vy_json_len(t->tasks) > 0) {
		return vy_fail(e, VY_CONFLICT,
			"the agent works on something in the background: end that first");
	}
	if (t->process == VY_PROCESS_STARTING && !may_start) {
		return vy_fail(e, VY_CONFLICT, "the agent is just starting: wait a moment");
	}
	return 0;
}

/* ---- back ---- */

static void say_rewound(
	struct turn *t, struct vy_str message, int64_t to, struct vy_str author, struct effects *fx)
{
	VY_AUTO_JSON *v = vy_json_new_obj();
	struct vy_frame *f = fx_status_now(t, fx);

	vy_json_set_str(v, "message", message);
	vy_json_set_int(v, "to", to);
	f->author = fx_keep(fx, author);
	vy_frame_set_json(f, VY_F_REWOUND, fx_keep_json(fx, v));
}

void turn_go_back(struct turn *t, const struct turn_back *b, struct effects *fx)
{
	struct rewind_step step = {
		.message = vy_memdup0(b->message.p, b->message.n),
		.agent = vy_memdup0(b->agent_now.p, b->agent_now.n),
		.at = vy_strdup(t->rewind.at),
		.fork_of = vy_strdup(t->rewind.fork_of),
		.files = b->files.n ? vy_memdup0(b->files.p, b->files.n) : NULL,
		.to = b->head,
		.was_taken = t->is_taken_once,
		.was_back = t->rewind.is_due,
		.chapter = t->rewind.chapter,
	};

	say_rewound(t, b->message, b->to, b->author, fx);
	if (t->rewind.n == REWIND_REDO_MAX) {
		kept_is_over(&t->rewind.redo[0], fx);
	}
	rewind_push(&t->rewind, &step);
	turn_set(&t->rewind.at, b->at);
	turn_set(&t->rewind.key, b->key);
	turn_set(&t->rewind.answer, b->answer);
	t->rewind.is_due = true;
	turn_set(&t->rewind.fork_of, b->at.n ? b->fork_of : vy_str_n(NULL, 0));
	t->is_taken_once = false;
	t->rev++;
	turn_rest(t, "rewind", REST_MS, fx);
}

const struct rewind_step *turn_redo_step(const struct turn *t)
{
	return t->rewind.n ? &t->rewind.redo[t->rewind.n - 1] : NULL;
}

void turn_redo(struct turn *t, struct vy_str author, struct effects *fx)
{
	struct rewind_step *s = &t->rewind.redo[t->rewind.n - 1];

	say_rewound(t, vy_str_c(s->message), s->to, author, fx);
	turn_set(&t->rewind.at, vy_str_c(s->at));
	turn_set(&t->rewind.fork_of, vy_str_c(s->fork_of));
	t->rewind.is_due = s->was_back;
	t->rewind.chapter = s->chapter;
	t->is_taken_once = s->was_taken;
	kept_is_over(s, fx);
	rewind_step_fini(s);
	t->rewind.n--;
	t->rev++;
	turn_rest(t, "rewind", REST_MS, fx);
}

void turn_back_answered(struct turn *t, struct vy_str key, struct vy_str answer)
{
	turn_set(&t->rewind.key, key);
	turn_set(&t->rewind.answer, answer);
	t->rev++;
}

void turn_begin_from(struct turn *t, const struct turn_past *past)
{
	turn_set(&t->rewind.at, past->at);
	turn_set(&t->rewind.fork_of, past->fork_of);
	turn_set(&t->model, past->model);
	turn_set(&t->thinking, past->thinking);
	if (past->mode.n) {
		turn_set(&t->mode, past->mode);
	}
	t->rewind.chapter = past->chapter;
	t->rewind.is_due = !past->is_taken;
	t->is_taken_once = past->is_taken;
	t->n = past->number;
	t->messages = past->messages;
	t->rev++;
}

void turn_went_on(struct turn *t, int64_t number, int64_t messages, struct vy_str mark)
{
	t->n = number;
	t->messages = messages;
	if (mark.n) {
		turn_set(&t->rewind.at, mark);
	}
	t->rev++;
}

const struct rewind *turn_rewind(const struct turn *t)
{
	return &t->rewind;
}

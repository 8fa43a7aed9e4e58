/* turn_end.c -- how a turn ends, and how a process comes and goes (turn.h). */
#include "server/session/turn_state.h"

#include <stdlib.h>

#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

static void add_note(struct vy_frame *f, struct vy_str note, struct effects *fx)
{
	if (note.n) {
		vy_frame_set_str(f, VY_F_NOTE, fx_keep(fx, turn_cut(note, TURN_LINE_MAX)));
	}
}

/* The turn's last frame. A failed one is said first; then it is the person's turn. */
static void finish(struct turn *t, enum agent_outcome outcome, const char *reason,
	struct vy_str why, struct effects *fx)
{
	if (t->turn != VY_TURN_IDLE) {
		turn_move_turn(t, VY_TURN_IDLE);
	}
	if (outcome == AGENT_FAILED) {
		struct vy_frame *f = fx_status(t, VY_STATE_FAILED, fx);

		vy_frame_set_c(f, VY_F_REASON, reason);
		add_note(f, why, fx);
		t->end = VY_RECORD_FAILED;
	}
	struct vy_frame *f = fx_status(t, VY_STATE_WAITING, fx);

	if (outcome == AGENT_CANCELED) {
		vy_frame_set_c(f, VY_F_NOTE, "interrupted");
	}
	if (t->queue.held) {
		vy_frame_set_bool(f, VY_F_HELD, true);
	}
	if (t->usage) {
		vy_frame_set_json(f, VY_F_USAGE, fx_keep_json(fx, t->usage));
	}
	t->is_interrupting = false;
	t->is_announced = false;
	t->rev++;
}

/* A word whose turn is over without a receipt was taken all the same, or it would run for ever. */
static void settle_first(struct turn *t)
{
	struct vy_err e = { 0 };

	if (!t->first) {
		return;
	}
	const struct vy_queue_item *it = vy_queue_find(&t->queue, vy_str_c(t->first));

	if (it) {
		turn_word_drop(t, it->message);
		vy_assert(vy_queue_taken(&t->queue, it->message, &e) == 0);
	}
	turn_set(&t->first, vy_str_n(NULL, 0));
}

void turn_on_turn_end(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	if (t->turn == VY_TURN_IDLE) {
		return;
	}
	turn_announce(t, vy_str_n(NULL, 0), fx);
	if (t->is_first_queued && t->first) {
		const struct vy_queue_item *it = vy_queue_find(&t->queue, vy_str_c(t->first));

		if (it) {
			fx_user(t, it, "picked-up", fx);
		}
	}
	settle_first(t);
	turn_close_open(t, ev->outcome == AGENT_CANCELED, fx);
	if (t->queue.n == 0) {
		vy_queue_release(&t->queue);
	}
	finish(t, ev->outcome, "agent-error", ev->text, fx);
	turn_pump(t, fx);
}

void turn_on_broken(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	if (t->broken) {
		return;
	}
	turn_set(&t->broken, ev->text.n ? ev->text : VY_STR_LIT("The agent cannot go on."));
	t->rev++;
	effects_add(fx, FX_END)->grace_ms = 0;
}

void turn_started(struct turn *t, struct effects *fx)
{
	if (t->process == VY_PROCESS_STARTING) {
		turn_move_process(t, VY_PROCESS_LIVE);
		turn_pump(t, fx);
	}
}

void turn_again(struct turn *t, struct effects *fx)
{
	if (t->process == VY_PROCESS_ABSENT || t->process == VY_PROCESS_STOPPING) {
		return;
	}
	turn_close_open(t, true, fx);
	vy_queue_all_came_back(&t->queue);
	if (t->turn != VY_TURN_IDLE) {
		turn_move_turn(t, VY_TURN_IDLE);
	}
	turn_move_process(t, VY_PROCESS_ABSENT);
	t->is_interrupting = false;
	turn_pump(t, fx);
}

void turn_gone(struct turn *t, struct vy_str why, struct effects *fx)
{
	bool was_busy = turn_is_busy(t), was_stopping = t->process == VY_PROCESS_STOPPING;
	VY_AUTO_BUF reason = VY_BUF_INIT(8192);

	if (t->process == VY_PROCESS_ABSENT) {
		return;
	}
	if (t->is_resting) {
		t->is_resting = false;
		turn_move_process(t, VY_PROCESS_ABSENT);
		turn_pump(t, fx);
		return;
	}
	vy_buf_addstr(&reason, t->broken ? vy_str_c(t->broken) : why);
	turn_close_open(t, true, fx);
	vy_queue_all_came_back(&t->queue); /* untaken words go again, with the uuid they had */
	for (size_t i = 0; i < t->n_words; i++) {
		t->words[i].wish = WISH_NONE;
	}
	turn_set(&t->first, vy_str_n(NULL, 0));
	turn_set(&t->broken, vy_str_n(NULL, 0));
	if (t->queue.n > 0) {
		vy_queue_hold(&t->queue);
	}
	turn_move_process(t, VY_PROCESS_ABSENT);
	if (was_stopping) {
		if (was_busy) {
			finish(t, AGENT_CANCELED, "", vy_str_n(NULL, 0), fx);
		}
		t->end = VY_RECORD_STOPPED;
		fx_status(t, VY_STATE_STOPPED, fx);
	} else if (was_busy) {
		finish(t, AGENT_FAILED, "agent-lost",
			reason.len ? vy_buf_str(&reason) : VY_STR_LIT("The agent ended."), fx);
	} else if (reason.len) { /* it had nothing to do: a line is enough */
		add_note(fx_status_now(t, fx), vy_buf_str(&reason), fx);
	}
	t->rev++;
}

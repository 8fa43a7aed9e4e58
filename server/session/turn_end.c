/* turn_end.c -- how a turn begins and ends, and how a process comes and goes (turn.h). */
#include "server/session/turn_state.h"

#include <stdlib.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

static void add_note(struct vy_frame *f, struct vy_str note, struct effects *fx)
{
	if (note.n) {
		vy_frame_set_str(f, VY_F_NOTE, fx_keep(fx, turn_cut(note, TURN_LINE_MAX)));
	}
}

/* ---- of a turn ---- */

static bool first_is_told(const struct turn *t)
{
	const struct vy_queue_item *it =
		t->first ? vy_queue_find(&t->queue, vy_str_c(t->first)) : NULL;

	return it && it->state == VY_ITEM_TOLD;
}

void turn_on_turn_begin(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	struct vy_str origin = turn_cut(ev->text, VY_ID_MAX);

	t->is_aside = false;
	t->rev++;
	if (t->turn == VY_TURN_IDLE && t->process == VY_PROCESS_LIVE) {
		turn_begin(t, vy_str_n(NULL, 0), false);
		turn_move_turn(t, VY_TURN_RUNNING);
		if (origin.n || !turn_any_told(t)) { /* else a word is about to be taken: its own */
			turn_announce(t, origin, fx);
		}
	} else if (t->turn != VY_TURN_IDLE && origin.n && first_is_told(t)) {
		t->is_crossed = true;
		turn_announce(t, origin, fx);
	}
}

void turn_begin_aside(struct turn *t, struct effects *fx)
{
	turn_begin(t, vy_str_n(NULL, 0), false);
	t->is_aside = true;
	turn_move_turn(t, VY_TURN_RUNNING);
	turn_announce(t, VY_STR_LIT("agent"), fx);
}

/* The turn's last frame. A failed one is said first; then it is the person's turn. */
static void finish(struct turn *t, enum agent_outcome outcome, const char *reason,
	struct vy_str why, struct effects *fx)
{
	if (t->turn != VY_TURN_IDLE) {
		turn_move_turn(t, VY_TURN_IDLE);
	}
	if (outcome == AGENT_FAILED) {
		struct vy_frame *f = fx_status_last(t, VY_STATE_FAILED, fx);

		vy_frame_set_c(f, VY_F_REASON, reason);
		add_note(f, why, fx);
		t->end = VY_RECORD_FAILED;
		turn_set(&t->reason, vy_str_c(reason));
	}
	struct vy_frame *f = fx_status_last(t, VY_STATE_WAITING, fx);

	if (outcome == AGENT_CANCELED) {
		vy_frame_set_c(f, VY_F_NOTE, "interrupted");
	}
	if (t->queue.held) {
		t->queue.held = t->queue.n > 0;
		t->until = t->queue.held ? t->until : 0;
		vy_frame_set_bool(f, VY_F_HELD, t->queue.held);
	}
	if (t->usage) {
		vy_frame_set_json(f, VY_F_USAGE, fx_keep_json(fx, t->usage));
	}
	t->is_interrupting = t->is_announced = t->is_crossed = t->is_aside = false;
	vy_queue_fini(&t->spoken);
	t->rev++;
}

void turn_over_for(struct turn *t, enum agent_outcome outcome, const char *reason,
	struct vy_str why, struct effects *fx)
{
	/* An interrupt ends what runs in the background too; one on its way out asks nobody. */
	turn_close_open(t, outcome == AGENT_CANCELED || t->process != VY_PROCESS_LIVE, fx);
	finish(t, outcome, reason, why, fx);
	if (t->n_asks > 0) {
		turn_begin_aside(t, fx);
		turn_move_turn(t, VY_TURN_ASKING);
		fx_status(t, VY_STATE_ASKING, fx);
	}
	turn_pump(t, fx);
	turn_say_spent(t, fx);
}

void turn_over(struct turn *t, enum agent_outcome outcome, struct vy_str why, struct effects *fx)
{
	turn_over_for(t, outcome, "agent-error", why, fx);
}

/* The turn ended and its word has no receipt. In a turn of the agent's own it is still to be taken;
 * else it was taken all the same, or it would wait for ever. */
static void settle_first(struct turn *t, struct effects *fx)
{
	const struct vy_queue_item *it =
		t->first ? vy_queue_find(&t->queue, vy_str_c(t->first)) : NULL;

	if (it && !t->is_crossed) {
		if (t->is_first_queued) {
			vy_frame_set_c(fx_user(t, it, "picked-up", fx), VY_F_VIA, "turn");
		}
		turn_took(t, it->message);
	}
	turn_set(&t->first, vy_str_n(NULL, 0));
}

/* What this turn took, beside the sums of the session. */
static void say_cost(struct turn *t, const struct vy_json *own, struct effects *fx)
{
	if (!t->usage || !own) {
		return;
	}
	VY_AUTO_JSON *fresh = vy_json_copy(t->usage);

	vy_json_take(fresh, "turn", vy_json_copy(own));
	vy_json_free(t->usage);
	t->usage = vy_json_ref(fresh);
	t->rev++;
	vy_frame_set_json(fx_status_now(t, fx), VY_F_USAGE, fx_keep_json(fx, t->usage));
}

void turn_settle(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	turn_announce(t, vy_str_n(NULL, 0), fx);
	settle_first(t, fx);
	say_cost(t, ev->json, fx);
}

void turn_on_turn_end(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	if (t->turn == VY_TURN_IDLE || t->is_aside) {
		return;
	}
	turn_settle(t, ev, fx);
	turn_over(t, ev->outcome, ev->text, fx);
}

/* ---- of a process ---- */

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
	if (t->process != VY_PROCESS_STARTING) {
		return;
	}
	turn_move_process(t, VY_PROCESS_LIVE);
	if (t->is_mode_due) {
		fx_command(t, AC_MODE, fx)->text = fx_keep(fx, vy_str_c(t->mode));
	}
	if (t->is_model_due) {
		fx_command(t, AC_MODEL, fx)->text = fx_keep(fx, vy_str_c(t->model));
	}
	t->is_mode_due = t->is_model_due = false;
	turn_pump(t, fx);
	if (t->is_woken && t->turn == VY_TURN_IDLE) {
		fx_status_now(t, fx);
	}
	t->is_woken = false;
}

void turn_again(struct turn *t, struct effects *fx)
{
	bool is_begun = t->turn != VY_TURN_IDLE && !t->first;

	if (t->process == VY_PROCESS_ABSENT) {
		return;
	}
	if (t->process == VY_PROCESS_STOPPING || t->broken || is_begun) {
		turn_gone(t, vy_str_n(NULL, 0), fx);
		return;
	}
	turn_close_open(t, true, fx);
	turn_drop_tasks(t, fx);
	turn_all_came_back(t, fx);
	if (t->turn != VY_TURN_IDLE) {
		turn_move_turn(t, VY_TURN_IDLE);
	}
	turn_move_process(t, VY_PROCESS_ABSENT);
	t->is_interrupting = t->is_crossed = false;
	turn_pump(t, fx);
}

/* Nothing that was on its way is lost: it waits, held, for a key. */
static void take_all_back(struct turn *t, struct effects *fx)
{
	if (t->first) {
		turn_give_back_first(t, fx);
	}
	turn_all_came_back(t, fx);
	turn_show_unseen(t, fx);
	vy_queue_calm(&t->queue);
	if (t->queue.n > 0) {
		vy_queue_hold(&t->queue);
	}
}

void turn_unborn(struct turn *t, struct effects *fx)
{
	if (t->process == VY_PROCESS_STARTING && !t->broken) {
		t->is_mode_due = t->is_model_due = false; /* it is launched with what is set now */
		t->rev++;
		effects_add(fx, FX_START);
	} else {
		turn_gone(t, vy_str_n(NULL, 0), fx);
	}
}

/* It rests, and nothing waits for it. What vyred does for its own end is not said: nobody is to
 * see a difference. */
static void say_rest(struct turn *t, struct effects *fx)
{
	if (!t->reason || t->end != VY_RECORD_IDLE || strcmp(t->reason, "restart") == 0) {
		return;
	}
	bool is_done = strcmp(t->reason, "done") == 0;

	if (t->spent && !is_done) {
		return; /* that it is paused was said, and is still what there is to know */
	}
	struct vy_frame *f = fx_status_apart(t, is_done ? VY_STATE_FINISHED : VY_STATE_WAITING, fx);

	vy_frame_set_str(f, VY_F_REASON, fx_keep(fx, vy_str_c(t->reason)));
	if (is_done) {
		t->end = VY_RECORD_STOPPED;
		t->rev++;
	}
}

void turn_gone(struct turn *t, struct vy_str why, struct effects *fx)
{
	bool was_busy = turn_is_busy(t), was_resting = t->is_resting && !was_busy;
	bool was_switching = t->is_switching;
	bool was_stopping = t->process == VY_PROCESS_STOPPING && !was_switching;
	VY_AUTO_BUF reason = VY_BUF_INIT(8192);

	if (t->process == VY_PROCESS_ABSENT) {
		return;
	}
	vy_buf_addstr(&reason, turn_cut(t->broken ? vy_str_c(t->broken) : why, TURN_LINE_MAX));
	turn_set(&t->broken, vy_str_n(NULL, 0));
	turn_files_lost(t, fx);
	t->is_resting = t->is_woken = false;
	turn_close_open(t, true, fx);
	turn_drop_tasks(t, fx);
	if (turn_switched(t, fx)) {
		return;
	}
	if (was_resting) { /* it was let go and had nothing to do: what came meanwhile goes on */
		turn_all_came_back(t, fx);
		turn_move_process(t, VY_PROCESS_ABSENT);
		turn_pump(t, fx);
		if (!t->wants) {
			say_rest(t, fx);
		}
		return;
	}
	take_all_back(t, fx);
	turn_move_process(t, VY_PROCESS_ABSENT);
	if (was_stopping) {
		if (was_busy) {
			finish(t, AGENT_CANCELED, "", vy_str_n(NULL, 0), fx);
		}
		t->end = VY_RECORD_STOPPED;
		turn_set(&t->reason, VY_STR_LIT("stopped"));
		fx_status(t, VY_STATE_STOPPED, fx);
	} else if (was_busy && was_switching) { /* interrupted meanwhile */
		finish(t, AGENT_CANCELED, "", vy_str_n(NULL, 0), fx);
	} else if (was_busy) {
		finish(t, AGENT_FAILED, "agent-lost",
			reason.len ? vy_buf_str(&reason) : VY_STR_LIT("The agent ended."), fx);
		turn_say_spent(t, fx);
	} else if (reason.len) { /* it had nothing to do: a line is enough */
		add_note(fx_status_now(t, fx), vy_buf_str(&reason), fx);
	}
	t->rev++;
}

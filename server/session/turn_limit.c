/* turn_limit.c -- a turn whose agent's credential has reached its limit: it goes on with another one,
 * or waits for the limit to reset (turn.h, turn_limited).
 *
 * The agent did take the words, and has them in its own history with the refusal behind; but it did
 * nothing about them, or not all. So they are told again: under new names, since those that had a turn
 * are spent (claude.md 15.1), each at its old place. People see one turn and one message each; so does
 * the next process, which goes back to before them when nothing was done and it is known where that is. */
#include "server/session/turn_state.h"

#include "shared/base/ban.h"

#define GRACE_MS 1500

/* What a turn had done already is in the agent's history; it is not to be done twice. */
static const char go_on_here[] =
	"[Your last answer was broken off by a usage limit. If the message below is the one you "
	"were "
	"working on, go on where you were, and do not repeat what is done.]";

void turn_took(struct turn *t, struct vy_str message)
{
	const struct vy_queue_item *it = vy_queue_find(&t->queue, message);
	struct vy_err e = { 0 };

	if (t->spoken.n < VY_QUEUE_MAX) { /* of more in one turn the agent knows at least */
		vy_assert(vy_queue_untaken(&t->spoken, it, t->spoken.n, &e) == 0);
	}
	turn_word_drop(t, it->message);
	vy_assert(vy_queue_taken(&t->queue, it->message, &e) == 0);
}

/* Where it stood among those that came back before: they were said in some order. */
static size_t place_for(struct turn *t, const struct vy_queue_item *it, size_t at)
{
	for (; at < t->queue.n; at++) {
		const struct vy_queue_item *other = &t->queue.items[at];
		const struct told_word *w = turn_word(t, other->message, false);

		if (!w || !w->is_again || other->queued_at >= it->queued_at) {
			break;
		}
	}
	return at;
}

/* Into the queue again, before all else; the first of them is the running turn's word, or waits too. */
static void put_back(struct turn *t, bool is_same_turn, struct effects *fx)
{
	struct vy_err e = { 0 };

	if (is_same_turn) {
		turn_set(&t->first, t->spoken.items[0].message);
		t->is_first_queued = false; /* its receipt is out */
	}
	for (size_t i = 0; i < t->spoken.n; i++) {
		const struct vy_queue_item *it = &t->spoken.items[i];

		size_t at = place_for(t, it, i);

		vy_assert(
			vy_queue_untaken(&t->queue, it, at, &e) == 0); /* both have their bounds */
		struct told_word *w = turn_word(t, it->message, true);

		w->taken_back = (unsigned)it->tells;
		w->is_again = w->is_unseen = true;
		if (i == 0 && t->step > 0) {
			turn_set(&w->context, vy_str_c(go_on_here));
		}
	}
	if (!is_same_turn) {
		turn_show_unseen(t, fx);
	}
	vy_queue_fini(&t->spoken);
	t->rev++;
}

static void switch_over(struct turn *t, const struct turn_limit *l, struct effects *fx)
{
	vy_frame_set_str(fx_status_now(t, fx), VY_F_NOTE, fx_keep(fx, l->note));
	turn_close_open(t, true, fx);
	turn_move_process(t, VY_PROCESS_STOPPING);
	t->is_switching = true;
	t->switched++;
	if (t->spoken.n > 0) {
		if (t->step == 0 && t->before) {
			turn_set(&t->rewind.at, vy_str_c(t->before));
			t->rewind.is_due = true;
		}
		put_back(t, true, fx);
	} else { /* it had begun by itself: there is nothing to tell again */
		turn_over_for(t, AGENT_FAILED, "limit", vy_str_n(NULL, 0), fx);
	}
	effects_add(fx, FX_END)->grace_ms = GRACE_MS;
}

static void wait_for_it(struct turn *t, const struct turn_limit *l, struct effects *fx)
{
	vy_queue_calm(&t->queue);
	put_back(t, false, fx);
	vy_queue_hold(&t->queue);
	turn_over_for(t, AGENT_FAILED, "limit", l->note, fx);
	if (!t->queue.held) {
		return; /* nothing waits */
	}
	t->until = l->until;
	t->rev++;
	if (t->turn != VY_TURN_IDLE) {
		return; /* an ask in the background is answered first */
	}
	struct vy_frame *f = fx_status(t, VY_STATE_PAUSED, fx);

	vy_frame_set_c(f, VY_F_REASON, "limit");
	vy_frame_set_int(f, VY_F_UNTIL, l->until);
	t->end = VY_RECORD_IDLE;
}

void turn_limited(struct turn *t, const struct agent_event *ev, const struct turn_limit *l,
	struct effects *fx)
{
	if (t->turn == VY_TURN_IDLE || t->is_aside || t->process != VY_PROCESS_LIVE ||
		t->is_interrupting || t->broken) {
		turn_heard(t, ev, fx);
		return;
	}
	turn_settle(t, ev, fx);
	if (l->goes_on) {
		switch_over(t, l, fx);
	} else {
		wait_for_it(t, l, fx);
	}
}

bool turn_switched(struct turn *t, struct effects *fx)
{
	bool is_on = t->is_switching && !t->is_interrupting && !t->broken;

	t->is_switching = false;
	if (!is_on) {
		return false;
	}
	turn_all_came_back(t, fx);
	if (t->turn != VY_TURN_IDLE) {
		turn_move_turn(t, VY_TURN_IDLE);
	}
	turn_move_process(t, VY_PROCESS_ABSENT);
	t->is_announced = false;
	t->rev++;
	turn_pump(t, fx);
	return true;
}

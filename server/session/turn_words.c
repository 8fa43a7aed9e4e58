/* turn_words.c -- words on their way: handed to the agent, taken in, or back again (turn.h).
 *
 * One rule carries most of it: a message is "for" the turn that was begun with it (`first`) until
 * the agent took it; everything else that waits is the queue's. turn_pump() is the only place
 * that hands words on, and it is called after whatever may have made that possible. */
#include "server/session/turn_state.h"

#include <stdlib.h>

#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

static bool is_first(const struct turn *t, const struct vy_queue_item *it)
{
	return t->first && vy_str_is(it->message, t->first);
}

/* ---- what was told, and under which name ---- */

struct told_word *turn_word(struct turn *t, struct vy_str message, bool make)
{
	for (size_t i = 0; i < t->n_words; i++) {
		if (vy_str_is(message, t->words[i].message)) {
			return &t->words[i];
		}
	}
	if (!make) {
		return NULL;
	}
	t->words = vy_grow(t->words, &t->cap_words, t->n_words + 1, sizeof(*t->words));
	struct told_word *w = &t->words[t->n_words++];

	*w = (struct told_word){ .message = vy_memdup0(message.p, message.n) };
	t->rev++;
	return w;
}

void turn_context_back(struct turn *t, struct vy_str message)
{
	const struct told_word *w = turn_word(t, message, false);

	if (w && w->context) {
		VY_AUTO_BUF later = VY_BUF_INIT(TURN_CONTEXT_MAX * 2);

		vy_buf_adds(&later, t->context);
		turn_set(&t->context, vy_str_n(NULL, 0));
		turn_add_context(t, vy_str_c(w->context));
		if (later.len) {
			turn_add_context(t, vy_buf_str(&later));
		}
	}
}

void turn_word_drop(struct turn *t, struct vy_str message)
{
	struct told_word *w = turn_word(t, message, false);

	if (w) {
		free(w->message);
		free(w->text);
		free(w->context);
		*w = t->words[--t->n_words];
		t->rev++;
	}
}

void turn_uuid(struct turn *t, struct vy_str message, char out[])
{
	const struct told_word *w = turn_word(t, message, false);

	if ((!w || w->taken_back == 0) && vy_is_uuid(message)) {
		memcpy(out, message.p, message.n);
		out[message.n] = '\0';
		return;
	}
	VY_AUTO_BUF seed = VY_BUF_INIT(4096);

	vy_buf_addf(&seed, "%s/%.*s/%u", t->salt, VY_STR_ARG(message), w ? w->taken_back : 0);
	vy_uuid_of(vy_buf_str(&seed), out);
}

/* What the agent was told under this name and has neither taken nor given back. */
static const struct vy_queue_item *told_as(struct turn *t, struct vy_str uuid)
{
	for (size_t i = 0; i < t->queue.n; i++) {
		char mine[VY_UUID_LEN + 1];

		if (t->queue.items[i].state != VY_ITEM_TOLD) {
			continue;
		}
		turn_uuid(t, t->queue.items[i].message, mine);
		if (vy_str_is(uuid, mine)) {
			return &t->queue.items[i];
		}
	}
	return NULL;
}

bool turn_any_told(const struct turn *t)
{
	return vy_queue_waiting(&t->queue) < t->queue.n;
}

/* ---- handing on ---- */

void turn_add_context(struct turn *t, struct vy_str text)
{
	VY_AUTO_BUF b = VY_BUF_INIT(TURN_CONTEXT_MAX * 2 + text.n);

	vy_buf_adds(&b, t->context);
	vy_buf_adds(&b, t->context ? "\n" : "");
	vy_buf_addstr(&b, text);
	struct vy_str all = vy_buf_str(&b);

	if (all.n > TURN_CONTEXT_MAX) {
		size_t from = all.n - TURN_CONTEXT_MAX;

		while (from < all.n && ((unsigned char)all.p[from] & 0xC0) == 0x80) {
			from++;
		}
		all = vy_str_from(all, from);
	}
	char *fresh = vy_memdup0(all.p, all.n);

	free(t->context);
	t->context = fresh;
	t->rev++;
}

/* It goes with the word it was first told with, also when that is told again. */
static struct vy_str context_for(struct turn *t, struct vy_str message, struct effects *fx)
{
	struct told_word *w = turn_word(t, message, t->context != NULL);

	if (t->context) {
		VY_AUTO_BUF b = VY_BUF_INIT(TURN_CONTEXT_MAX * 4);

		vy_buf_adds(&b, w->context);
		vy_buf_adds(&b, w->context ? "\n" : "");
		vy_buf_adds(&b, t->context);
		free(w->context);
		w->context = vy_buf_take(&b, NULL);
		free(t->context);
		t->context = NULL;
		t->rev++;
	}
	return w && w->context ? fx_keep(fx, vy_str_c(w->context)) : vy_str_n(NULL, 0);
}

static void tell(
	struct turn *t, const struct vy_queue_item *it, enum agent_when when, struct effects *fx)
{
	struct effect *e = effects_add(fx, FX_COMMAND);
	char uuid[VY_UUID_LEN + 1];
	struct vy_err err = { 0 };

	turn_uuid(t, it->message, uuid);
	e->command.kind = AC_SAY;
	e->command.message = fx_keep(fx, vy_str_c(uuid));
	e->command.text = fx_keep(fx, it->text);
	e->command.context = context_for(t, it->message, fx);
	e->command.when = when;
	if (it->images.n) {
		e->json = vy_json_parse(it->images, NULL);
		e->command.json = e->json;
	}
	vy_assert(vy_queue_told(&t->queue, it->message, &err) == 0);
	t->rev++;
}

static enum agent_when when_of(const struct vy_queue_item *it)
{
	return it->urgent || it->mode == VY_SEND_NOW ? AGENT_NOW
	       : it->mode == VY_SEND_QUEUE           ? AGENT_QUEUE
						     : AGENT_STEER;
}

static bool first_waits(struct turn *t, const struct vy_queue_item **out)
{
	const struct vy_queue_item *it =
		t->first ? vy_queue_find(&t->queue, vy_str_c(t->first)) : NULL;

	*out = it;
	return it && it->state == VY_ITEM_WAITING;
}

/* ---- a process for it ---- */

static void want(struct turn *t, struct effects *fx)
{
	if (!t->wants) {
		t->wants = true;
		t->end = VY_RECORD_IDLE; /* however it ended, it is in use again */
		turn_set(&t->reason, vy_str_n(NULL, 0));
		t->rev++;
		effects_add(fx, FX_WANT);
	}
}

static void want_no_more(struct turn *t, bool was_told, struct effects *fx)
{
	was_told |= t->place > 0 || t->is_soon;
	if (!t->wants) {
		return;
	}
	t->wants = t->is_soon = t->is_woken = false;
	t->place = 0;
	t->rev++;
	effects_add(fx, FX_UNWANT);
	if (was_told) {
		struct vy_frame *f = fx_status_now(t, fx);

		if (t->queue.held) {
			vy_frame_set_bool(f, VY_F_HELD, true);
		}
	}
}

/* The next word that would begin a turn, if one may. */
static const struct vy_queue_item *next_to_go(struct turn *t)
{
	const struct vy_queue_item *it;

	if (t->spent) {
		return NULL;
	}
	if (first_waits(t, &it)) {
		return it;
	}
	return turn_any_told(t) ? NULL : vy_queue_next(&t->queue, false);
}

void turn_check_want(struct turn *t, struct effects *fx)
{
	if (t->wants && !t->is_woken && !next_to_go(t)) {
		want_no_more(t, false, fx);
	}
}

static void say_starting(struct turn *t, struct effects *fx)
{
	bool has_past = t->is_taken_once || t->rewind.fork_of; /* its own, or a copy of one */

	vy_frame_set_json(fx_status(t, VY_STATE_STARTING, fx), VY_F_LAUNCH,
		has_past ? VY_STR_LIT("{\"resumed\":true}") : VY_STR_LIT("{\"resumed\":false}"));
}

void turn_go(struct turn *t, struct effects *fx)
{
	const struct vy_queue_item *it = next_to_go(t);
	bool is_said = t->is_soon;

	if (!t->wants) {
		return;
	}
	t->wants = t->is_soon = false;
	t->place = 0;
	t->rev++;
	if (!it && !t->is_woken) {
		return;
	}
	if (it && !t->first) {
		turn_begin(t, it->message, true);
	}
	t->is_ready = t->is_warm = false;
	turn_set(&t->reason, vy_str_n(NULL, 0));
	turn_move_process(t, VY_PROCESS_STARTING);
	t->is_mode_due = t->is_model_due = false; /* it is launched with what is set now */
	effects_add(fx, FX_START);
	if (!is_said) {
		say_starting(t, fx);
	}
}

bool turn_wake(struct turn *t, struct effects *fx)
{
	if (t->process == VY_PROCESS_ABSENT) {
		t->is_woken = true;
		want(t, fx);
	}
	return t->process == VY_PROCESS_LIVE;
}

void turn_unwake(struct turn *t, struct effects *fx)
{
	if (t->wants && t->is_woken) {
		t->is_woken = false;
		t->rev++;
		turn_check_want(t, fx);
	}
}

void turn_warm(struct turn *t, struct effects *fx)
{
	t->is_ready = false;
	t->is_warm = true;
	turn_move_process(t, VY_PROCESS_STARTING);
	effects_add(fx, FX_START);
}

void turn_soon(struct turn *t, struct effects *fx)
{
	if (t->wants && !t->is_soon && t->place == 0) {
		t->is_soon = true;
		t->rev++;
		say_starting(t, fx);
	}
}

void turn_waits(
	struct turn *t, const char *reason, int64_t position, const char *note, struct effects *fx)
{
	enum turn_line line = turn_line_of(reason);
	bool is_other = line != t->line;

	if (!t->wants || (t->place == position && !is_other)) {
		return;
	}
	if (line == TURN_LINE_ELSEWHERE && t->first) { /* its turn may be long in coming */
		turn_give_back_first(t, fx);
	}
	struct vy_frame *f = fx_status_apart(t, VY_STATE_PAUSED, fx);

	vy_frame_set_c(f, VY_F_REASON, reason);
	vy_frame_set_int(f, VY_F_POSITION, position);
	if (t->place == 0 || is_other) { /* a line for people; where it stands is a number */
		vy_frame_set_str(f, VY_F_NOTE, fx_keep(fx, vy_str_c(note)));
	}
	t->place = position;
	t->line = line;
	t->is_soon = false;
	t->rev++;
}

void turn_leave_line(struct turn *t, struct effects *fx)
{
	bool has_turn = t->first != NULL;

	if (!t->wants) {
		return;
	}
	if (has_turn) {
		turn_give_back_first(t, fx);
	}
	turn_show_unseen(t, fx);
	if (t->queue.n > 0) {
		vy_queue_hold(&t->queue);
	}
	want_no_more(t, has_turn, fx);
}

/* Idle: begins a turn with the next word, if one may go and the agent has none of its own. */
static void pump_idle(struct turn *t, struct effects *fx)
{
	const struct vy_queue_item *it;

	it = next_to_go(t);
	if (!it) {
		turn_check_want(t, fx);
		return;
	}
	if (t->process == VY_PROCESS_ABSENT) {
		want(t, fx);
		return;
	}
	if (!t->first) {
		turn_begin(t, it->message, true);
	}
	if (t->process != VY_PROCESS_LIVE) {
		return;
	}
	bool was_warm = t->is_warm;

	if (was_warm) {
		t->is_warm = false;
		say_starting(t, fx);
	}
	turn_move_turn(t, VY_TURN_RUNNING);
	if (!t->is_first_queued) {
		turn_announce(t, vy_str_n(NULL, 0), fx);
	}
	if (was_warm && t->model) { /* it said so before anybody was there */
		vy_frame_set_str(fx_status_now(t, fx), VY_F_MODEL, fx_keep(fx, vy_str_c(t->model)));
	}
	tell(t, it, AGENT_STEER, fx);
}

void turn_pump(struct turn *t, struct effects *fx)
{
	const struct vy_queue_item *it;

	if (t->process == VY_PROCESS_STOPPING || t->is_interrupting || t->broken ||
		t->rewind.pending) {
		return;
	}
	if (t->turn == VY_TURN_IDLE) {
		pump_idle(t, fx);
	}
	/* While the turn's own message is not taken, a second one would be merged with it. */
	if (t->turn == VY_TURN_IDLE || t->process != VY_PROCESS_LIVE || t->first || t->spent) {
		return;
	}
	while ((it = vy_queue_next(&t->queue, true))) {
		tell(t, it, when_of(it), fx);
	}
}

/* ---- taken in ---- */

/* It is the running turn's own word: the one it was begun for or, of a turn that the agent began and
 * that has shown nothing yet, the first that is taken. */
static bool is_own(const struct turn *t, const struct vy_queue_item *it)
{
	return is_first(t, it) || (t->turn != VY_TURN_IDLE && !t->first && !t->is_announced);
}

/* A word that waited has the turn that begins with it. */
static void own_turn(struct turn *t, const struct vy_queue_item *it)
{
	if (t->turn == VY_TURN_IDLE) {
		turn_begin(t, it->message, true);
		turn_move_turn(t, VY_TURN_RUNNING);
	}
	turn_set(&t->first, it->message);
	t->is_first_queued = true;
	t->is_late = when_of(it) == AGENT_STEER;
}

/* steer: it joined the running turn, or was told to; now: at once; turn: a turn's end brought it. */
static const char *via_of(const struct turn *t, const struct vy_queue_item *it, bool is_steer)
{
	return when_of(it) == AGENT_NOW ? "now" : is_steer || t->is_late ? "steer" : "turn";
}

static void say_picked_up(
	struct turn *t, const struct vy_queue_item *it, bool is_steer, struct effects *fx)
{
	struct vy_frame *f = fx_user(t, it, "picked-up", fx);

	vy_frame_set_c(f, VY_F_VIA, via_of(t, it, is_steer));
	if (is_steer) {
		vy_frame_set_int(f, VY_F_STEP, t->step);
	}
}

void turn_on_taken(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	const struct vy_queue_item *it = told_as(t, ev->message);
	bool was_taken = t->is_taken_once;

	t->is_taken_once = true;
	t->is_aside = false;
	t->rev++;
	if (!it) {
		turn_redo_over(t, fx);
		return;
	}
	const struct told_word *w = turn_word(t, it->message, false);

	if (w && w->is_again) {
		rewind_taken(&t->rewind);
	} else {
		turn_mark_word(t, it->message, ev, was_taken, fx);
	}
	if (t->spoken.n == 0) {
		turn_set(&t->before, ev->mark);
	}
	bool is_steer = !is_own(t, it) && t->turn != VY_TURN_IDLE;

	if (!is_steer && !is_first(t, it)) {
		own_turn(t, it);
	}
	if ((is_steer || t->is_first_queued) && !(w && w->is_unseen)) {
		say_picked_up(t, it, is_steer, fx);
	}
	turn_announce(t, vy_str_n(NULL, 0), fx);
	turn_took(t, it->message);
	if (!is_steer) {
		turn_set(&t->first, vy_str_n(NULL, 0));
		t->is_crossed = false;
	}
	turn_let_go(t, fx);
	turn_pump(t, fx);
}

void turn_heard_leaving(struct turn *t, const struct agent_event *ev)
{
	bool is_word = ev->kind == AE_TAKEN || ev->kind == AE_CAME_BACK;
	const struct vy_queue_item *it = is_word ? told_as(t, ev->message) : NULL;
	struct vy_err e = { 0 };

	if (it) {
		turn_word(t, it->message, true)->taken_back++; /* the name is spent */
		vy_assert(vy_queue_came_back(&t->queue, it->message, &e) == 0);
		t->rev++;
	}
}

/* ---- back again ---- */

static int64_t position_of(const struct turn *t, const struct vy_queue_item *it)
{
	int64_t at = 0;

	for (const struct vy_queue_item *i = t->queue.items; i < it; i++) {
		at += !is_first(t, i);
	}
	return at;
}

void fx_queued_at(struct turn *t, const struct vy_queue_item *it, struct effects *fx)
{
	struct told_word *w = turn_word(t, it->message, false);
	struct vy_frame *f = fx_user(t, it, "queued", fx);

	vy_frame_set_int(f, VY_F_POSITION, position_of(t, it));
	if (w && w->is_unseen) { /* it was the agent's: there is one reason for this */
		vy_frame_set_c(f, VY_F_REASON, "limit");
		w->is_unseen = false;
		t->rev++;
	}
}

void turn_show_unseen(struct turn *t, struct effects *fx)
{
	for (size_t i = 0; i < t->queue.n; i++) {
		const struct vy_queue_item *it = &t->queue.items[i];
		const struct told_word *w = turn_word(t, it->message, false);

		if (w && w->is_unseen && !is_first(t, it)) {
			fx_queued_at(t, it, fx);
		}
	}
}

void turn_give_back_first(struct turn *t, struct effects *fx)
{
	const struct vy_queue_item *it = vy_queue_find(&t->queue, vy_str_c(t->first));
	struct vy_err e = { 0 };

	turn_set(&t->first, vy_str_n(NULL, 0));
	t->rev++;
	if (it) {
		vy_assert(vy_queue_came_back(&t->queue, it->message, &e) == 0);
		if (!t->is_first_queued) { /* it was sent: that is taken back */
			fx_queued_at(t, it, fx);
		}
	}
}

static void grant_wish(struct turn *t, struct told_word *w, struct effects *fx)
{
	const struct vy_queue_item *it = vy_queue_find(&t->queue, vy_str_c(w->message));
	struct vy_err e = { 0 };
	enum wish wish = w->wish;

	w->wish = WISH_NONE;
	if (!it || wish == WISH_NONE) {
		return;
	}
	if (wish == WISH_DROP) {
		vy_frame_set_c(fx_user(t, it, "cancelled", fx), VY_F_REASON, "taken");
		turn_context_back(t, it->message);
		turn_word_drop(t, it->message);
		vy_assert(vy_queue_cancelled(&t->queue, it->message, &e) == 0);
	} else {
		vy_assert(vy_queue_edit(&t->queue, it->message, vy_str_c(w->text), &e) == 0);
		fx_user(t, it, "queued", fx);
	}
	t->rev++;
}

/* Nobody asked for it: the agent does not want it, and would not the next time. */
static void hold(struct turn *t, struct effects *fx)
{
	if (!t->queue.held) {
		vy_queue_hold(&t->queue);
		vy_frame_set_bool(fx_status_now(t, fx), VY_F_HELD, true);
	}
}

/* The turn's own word is back. The turn goes on only when it is the agent's own; else it was over
 * before it began, and no end of it will come. */
static void first_came_back(struct turn *t, struct effects *fx)
{
	turn_give_back_first(t, fx);
	if (t->is_crossed) {
		t->is_crossed = false;
		hold(t, fx);
		turn_pump(t, fx);
		return;
	}
	vy_queue_hold(
		&t->queue); /* under queue_after_interrupt=go too: it would begin again at once */
	turn_over(t, t->is_interrupting ? AGENT_CANCELED : AGENT_OK, vy_str_n(NULL, 0), fx);
}

void turn_on_came_back(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	const struct vy_queue_item *it = told_as(t, ev->message);
	struct vy_err e = { 0 };

	if (!it) {
		return;
	}
	struct told_word *w = turn_word(t, it->message, true);
	bool was_recalled = w->is_recalled;

	w->taken_back++;
	w->is_recalled = false;
	t->rev++;
	if (is_first(t, it)) {
		first_came_back(t, fx);
		return;
	}
	vy_assert(vy_queue_came_back(&t->queue, it->message, &e) == 0);
	grant_wish(t, w, fx);
	if (!was_recalled) {
		hold(t, fx);
	}
	turn_let_go(t, fx);
	turn_pump(t, fx);
}

void turn_all_came_back(struct turn *t, struct effects *fx)
{
	vy_queue_all_came_back(&t->queue); /* they go again, with the names they had */
	for (size_t i = 0; i < t->n_words;) {
		struct told_word *w = &t->words[i];
		size_t before = t->n_words;

		w->is_recalled = false;
		grant_wish(t, w, fx);
		i += t->n_words == before; /* a word that went left its place to another */
	}
}

void turn_let_go(struct turn *t, struct effects *fx)
{
	if (t->queue.n == 0 && t->queue.held) {
		vy_queue_release(&t->queue);
		t->until = 0;
		t->rev++;
		vy_frame_set_bool(fx_status_now(t, fx), VY_F_HELD, false);
	}
}

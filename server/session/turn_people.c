/* turn_people.c -- what people do to a session (turn.h, "people's acts").
 *
 * Each act is refused whole or done whole; what it changes leaves as frames. */
#include "server/session/turn_state.h"

#include <stdlib.h>

#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

static enum vy_send_mode mode_of(enum agent_when when)
{
	return when == AGENT_NOW     ? VY_SEND_NOW
	       : when == AGENT_QUEUE ? VY_SEND_QUEUE
				     : VY_SEND_STEER;
}

/* All that waits is stored again with each change of the turn: it has a bound together, too. */
static int has_room(const struct turn *t, struct vy_str text, struct vy_err *e)
{
	return vy_queue_bytes(&t->queue) + text.n <= VY_QUEUE_BYTES_MAX
		       ? 0
		       : vy_fail(e, VY_FULL,
				 "%d MiB of messages are waiting: take one back or let some go "
				 "first",
				 VY_QUEUE_BYTES_MAX / VY_MIB);
}

int turn_say(struct turn *t, const struct turn_say *say, struct effects *fx, struct vy_err *e)
{
	VY_AUTO_BUF images = VY_BUF_INIT(VY_MIB);
	bool at_once = !turn_is_busy(t) && !t->queue.held && t->queue.n == 0 && !t->spent &&
		       t->process != VY_PROCESS_STOPPING && !t->rewind.pending &&
		       !(t->process == VY_PROCESS_ABSENT && say->has_no_place);
	struct vy_queue_item it = {
		.message = say->message,
		.text = say->text,
		.author = say->author,
		.reply_to = say->reply_to,
		.parent = say->parent,
		.surface = say->surface,
		.mode = mode_of(say->when),
		.queued_at = at_once ? 0 : say->now_ms,
	};

	if (say->images) {
		vy_json_dump(say->images, &images);
		it.images = vy_buf_str(&images);
	}
	if (has_room(t, say->text, e) != 0) {
		return -1;
	}
	if (vy_queue_add(&t->queue, &it, e) != 0) {
		return -1;
	}
	t->rev++;
	if (at_once) {
		turn_begin(t, say->message, false);
	}
	fx_user(t, vy_queue_find(&t->queue, say->message), at_once ? "sent" : "queued", fx);
	turn_pump(t, fx);
	return 0;
}

void turn_post(struct turn *t, const struct turn_say *say, struct effects *fx)
{
	const struct vy_queue_item it = {
		.message = say->message,
		.text = say->text,
		.author = say->author,
		.reply_to = say->reply_to,
		.parent = say->parent,
		.surface = say->surface,
	};
	struct vy_frame *f = fx_user(t, &it, "sent", fx);

	f->turn = vy_str_n(NULL, 0);
	if (say->enc) {
		vy_frame_del(f, VY_F_TEXT);
		vy_frame_set_json(f, VY_F_ENC, fx_keep_json(fx, say->enc));
	}
}

void turn_mention(struct turn *t, const struct turn_say *say, struct effects *fx)
{
	if (vy_json_len(say->mentions) == 0) {
		return;
	}
	struct vy_frame *f = fx_frame(t, VY_KIND_MENTION, fx);

	f->author = fx_keep(fx, say->author);
	f->turn = vy_str_n(NULL, 0);
	vy_frame_set_str(f, VY_F_MESSAGE, fx_keep(fx, say->message));
	vy_frame_set_json(f, VY_F_WHO_LIST, fx_keep_json(fx, say->mentions));
}

/* ---- the queue ---- */

/* A word that has its turn is not the queue's any more, though the agent may not have it yet. */
static int is_still_queued(struct turn *t, struct vy_str queued, struct vy_err *e)
{
	return t->first && vy_str_is(queued, t->first)
		       ? vy_fail(e, VY_CONFLICT,
				 "this message has its turn already; interrupt the turn to end it")
		       : 0;
}

static bool is_told(struct turn *t, struct vy_str queued)
{
	const struct vy_queue_item *it = vy_queue_find(&t->queue, queued);

	return it && it->state == VY_ITEM_TOLD;
}

/* The agent has it and has not begun: it is asked to give it back, for `wish`. */
static void ask_back(struct turn *t, struct vy_str queued, enum wish wish, struct vy_str text,
	struct effects *fx)
{
	struct told_word *w = turn_word(t, queued, true);
	char uuid[VY_UUID_LEN + 1];

	turn_uuid(t, queued, uuid);
	w->wish = wish;
	w->is_recalled = true;
	turn_set(&w->text, text);
	fx_command(t, AC_TAKE_BACK, fx)->message = fx_keep(fx, vy_str_c(uuid));
	t->rev++;
}

int turn_edit(struct turn *t, struct vy_str queued, struct vy_str text, struct effects *fx,
	struct vy_err *e)
{
	if (is_still_queued(t, queued, e) != 0) {
		return -1;
	}
	if (has_room(t, text, e) != 0) {
		return -1;
	}
	if (is_told(t, queued)) {
		ask_back(t, queued, WISH_EDIT, text, fx);
		return 0;
	}
	if (vy_queue_edit(&t->queue, queued, text, e) != 0) {
		return -1;
	}
	t->rev++;
	fx_user(t, vy_queue_find(&t->queue, queued), "queued", fx);
	return 0;
}

int turn_unqueue(struct turn *t, struct vy_str queued, struct effects *fx, struct vy_err *e)
{
	const struct vy_queue_item *it = vy_queue_find(&t->queue, queued);

	if (is_still_queued(t, queued, e) != 0) {
		return -1;
	}
	if (is_told(t, queued)) {
		ask_back(t, queued, WISH_DROP, vy_str_n(NULL, 0), fx);
		return 0;
	}
	if (it) {
		vy_frame_set_c(fx_user(t, it, "cancelled", fx), VY_F_REASON, "taken");
	}
	if (vy_queue_unqueue(&t->queue, queued, e) != 0) {
		return -1;
	}
	turn_context_back(t, queued);
	turn_word_drop(t, queued);
	t->rev++;
	turn_let_go(t, fx);
	turn_check_want(t, fx);
	return 0;
}

int turn_send_now(struct turn *t, struct vy_str queued, struct effects *fx, struct vy_err *e)
{
	if (is_still_queued(t, queued, e) != 0 || vy_queue_send_now(&t->queue, queued, e) != 0) {
		return -1;
	}
	t->rev++;
	turn_pump(t, fx);
	return 0;
}

int turn_move(struct turn *t, struct vy_str queued, struct vy_str before, struct effects *fx,
	struct vy_err *e)
{
	if (is_still_queued(t, queued, e) != 0 || is_still_queued(t, before, e) != 0 ||
		vy_queue_move(&t->queue, queued, before, e) != 0) {
		return -1;
	}
	t->rev++;
	fx_queued_at(t, vy_queue_find(&t->queue, queued), fx);
	return 0;
}

int turn_release(struct turn *t, struct effects *fx, struct vy_err *e)
{
	(void)e;
	if (!t->queue.held) {
		return 0;
	}
	vy_queue_release(&t->queue);
	t->until = 0;
	t->rev++;
	vy_frame_set_bool(fx_status_now(t, fx), VY_F_HELD, false);
	turn_pump(t, fx);
	return 0;
}

/* ---- ending things ---- */

static bool others_wait(const struct turn *t)
{
	return turn_queued(t) > 0;
}

/* The agent is not there yet: the turn is over before it began, its word waits for a key. */
static void give_up_early(struct turn *t, struct effects *fx)
{
	turn_give_back_first(t, fx);
	turn_show_unseen(t, fx);
	vy_queue_hold(&t->queue);
	t->is_soon = false; /* that it is over says so, too */
	t->place = 0;
	turn_over(t, AGENT_CANCELED, vy_str_n(NULL, 0), fx);
}

/* ---- a budget ---- */

void turn_say_spent(struct turn *t, struct effects *fx)
{
	if (t->spent && !turn_is_busy(t)) {
		struct vy_frame *f = fx_status_apart(t, VY_STATE_PAUSED, fx);

		vy_frame_set_c(f, VY_F_REASON, "budget");
		vy_frame_set_str(f, VY_F_NOTE, fx_keep(fx, vy_str_c(t->spent)));
	}
}

void turn_spent(struct turn *t, struct vy_str why, struct effects *fx)
{
	bool was_spent = t->spent != NULL;

	if (!was_spent && !why.n) {
		return;
	}
	turn_set(&t->spent, why);
	t->rev++;
	if (t->spent && t->first && t->process == VY_PROCESS_ABSENT) {
		turn_spent_cut(t, fx); /* it stood in a line, for nothing now */
	} else if (t->spent) {
		turn_check_want(t, fx);
		turn_say_spent(t, fx);
	} else {
		if (t->turn == VY_TURN_IDLE) {
			fx_status_now(t, fx);
		}
		turn_pump(t, fx);
	}
}

/* What it has not begun comes back with the interrupt; we asked for that. */
static void recall_all(struct turn *t)
{
	for (size_t i = 0; i < t->queue.n; i++) {
		if (t->queue.items[i].state == VY_ITEM_TOLD) {
			turn_word(t, t->queue.items[i].message, true)->is_recalled = true;
		}
	}
}

/* As an interrupt, but that what waits goes on by itself when there is money again. */
void turn_spent_cut(struct turn *t, struct effects *fx)
{
	if (!t->spent || !turn_is_busy(t) || t->is_interrupting) {
		return;
	}
	t->rev++;
	if (t->turn == VY_TURN_IDLE) {
		turn_give_back_first(t, fx);
		t->is_soon = false;
		t->place = 0;
		turn_over(t, AGENT_CANCELED, vy_str_n(NULL, 0), fx);
		return;
	}
	recall_all(t);
	fx_command(t, AC_INTERRUPT, fx);
	if (t->is_aside) {
		turn_over(t, AGENT_CANCELED, vy_str_n(NULL, 0), fx);
		return;
	}
	t->is_interrupting = true;
	turn_withdraw_asks(t, true, fx);
}

int turn_interrupt(struct turn *t, struct effects *fx, struct vy_err *e)
{
	(void)e;
	if (!turn_is_busy(t) || t->is_interrupting) {
		turn_leave_line(t, fx); /* what waits for a process waits for a key then */
		return 0;
	}
	if (!t->goes_on && others_wait(t)) {
		vy_queue_hold(&t->queue);
		vy_queue_calm(&t->queue);
	}
	t->rev++;
	if (t->turn == VY_TURN_IDLE) {
		give_up_early(t, fx);
		return 0;
	}
	recall_all(t);
	fx_command(t, AC_INTERRUPT, fx);
	if (t->is_aside) { /* the agent runs no turn that it could end */
		turn_over(t, AGENT_CANCELED, vy_str_n(NULL, 0), fx);
		return 0;
	}
	t->is_interrupting = true;
	turn_withdraw_asks(t, true, fx);
	return 0;
}

int turn_stop(struct turn *t, int64_t grace_ms, struct effects *fx, struct vy_err *e)
{
	(void)e;
	t->until = 0; /* whoever ends it does not want it to go on by itself */
	if (t->process == VY_PROCESS_ABSENT) {
		turn_leave_line(t, fx);
		if (t->end != VY_RECORD_STOPPED) {
			t->end = VY_RECORD_STOPPED;
			turn_set(&t->reason, VY_STR_LIT("stopped"));
			t->rev++;
			fx_status(t, VY_STATE_STOPPED, fx);
		}
		return 0;
	}
	if (t->process != VY_PROCESS_STOPPING || t->is_resting || t->is_switching) {
		vy_frame_set_bool(fx_status_now(t, fx), VY_F_STOPPING, true);
		turn_move_process(t, VY_PROCESS_STOPPING);
		t->is_resting = t->is_switching = false;
	}
	effects_add(fx, FX_END)->grace_ms = grace_ms;
	return 0;
}

bool turn_can_rest(const struct turn *t)
{
	return t->process == VY_PROCESS_LIVE && !turn_is_busy(t) && !t->rewind.pending &&
	       !turn_any_told(t) && !t->broken && t->n_tools == 0 && t->n_blocks == 0 &&
	       vy_json_len(t->tasks) == 0;
}

void turn_rest(struct turn *t, const char *reason, int64_t grace_ms, struct effects *fx)
{
	if (!turn_can_rest(t)) {
		return;
	}
	turn_move_process(t, VY_PROCESS_STOPPING);
	t->is_resting = true;
	if (t->end != VY_RECORD_FAILED) { /* that it failed says more */
		turn_set(&t->reason, vy_str_c(reason));
	}
	struct effect *end = effects_add(fx, FX_END);

	end->grace_ms = grace_ms;
	end->is_rest = true;
}

/* ---- asks ---- */

static struct closed_ask *closed(struct turn *t, struct vy_str ask)
{
	for (size_t i = 0; i < TURN_CLOSED; i++) {
		if (t->closed[i].ask && vy_str_is(ask, t->closed[i].ask)) {
			return &t->closed[i];
		}
	}
	return NULL;
}

static bool takes(const struct vy_json *row, struct vy_str decision)
{
	const struct vy_json *options = vy_json_get(row, "options");

	if (vy_str_is(decision, "allow") || vy_str_is(decision, "deny") ||
		vy_str_is(decision, "skip")) {
		return true;
	}
	for (size_t i = 0; i < vy_json_len(options); i++) {
		if (vy_str_eq(vy_json_str(vy_json_at(options, i), "id"), decision)) {
			return true;
		}
	}
	return false;
}

static int answer_closed(struct closed_ask *c, struct turn_outcome *out, struct vy_err *e)
{
	if (!c) {
		return vy_fail(e, VY_NOT_FOUND, "there is no such ask");
	}
	if (strcmp(c->decision, "cancelled") == 0) {
		return vy_fail(
			e, VY_GONE, "the agent took this question back; nothing was answered");
	}
	if (strcmp(c->decision, "superseded") == 0) {
		return vy_fail(e, VY_GONE, "this question was settled in another way");
	}
	*out = (struct turn_outcome){ vy_str_c(c->decision), vy_str_c(c->by), true, c->is_lost };
	return 0;
}

int turn_answer(struct turn *t, const struct turn_answer *a, struct turn_outcome *out,
	struct effects *fx, struct vy_err *e)
{
	size_t i = 0;

	while (i < t->n_asks && !vy_str_is(a->ask, t->asks[i].ask)) {
		i++;
	}
	if (i == t->n_asks) {
		return answer_closed(closed(t, a->ask), out, e);
	}
	if (!takes(t->asks[i].json, a->decision)) {
		return vy_fail(e, VY_BAD_INPUT,
			"decision: expected allow, deny, skip or the id of an option, got \"%.*s\"",
			VY_STR_ARG(a->decision));
	}
	if (vy_json_get(a->json, "mode") &&
		!vy_str_is(vy_json_str(t->asks[i].json, "kind"), "plan")) {
		return vy_fail(e, VY_BAD_INPUT,
			"params.mode: only the answer to a plan takes a mode; nothing was "
			"answered");
	}
	struct effect *fe = effects_add(fx, FX_COMMAND);

	fe->command.kind = AC_ANSWER;
	fe->ask = fx_keep(fx, a->ask);
	fe->command.request = fx_keep(fx, vy_str_c(t->asks[i].request));
	fe->command.decision = fx_keep(fx, a->decision);
	fe->command.text = fx_keep(fx, a->text);
	fe->json = vy_json_copy(a->json);
	fe->command.json = fe->json;
	turn_close_ask(t, i, a->decision, a->by, fx);
	turn_asked_all(t, fx);
	*out = (struct turn_outcome){ a->decision, a->by, false, false };
	return 0;
}

/* ---- mode, model, notes ---- */

int turn_mode(struct turn *t, struct vy_str mode, struct effects *fx, struct vy_err *e)
{
	if (!vy_str_is(mode, "default") && !vy_str_is(mode, "acceptEdits") &&
		!vy_str_is(mode, "plan")) {
		return vy_fail(e, VY_BAD_INPUT,
			"mode: expected default, acceptEdits or plan, got "
			"\"%.*s\"",
			VY_STR_ARG(mode));
	}
	if (vy_str_is(mode, t->mode)) {
		return 0;
	}
	turn_set(&t->mode, mode);
	t->rev++;
	vy_frame_set_str(fx_status_now(t, fx), VY_F_MODE, fx_keep(fx, mode));
	if (t->process == VY_PROCESS_LIVE) {
		fx_command(t, AC_MODE, fx)->text = fx_keep(fx, mode);
	}
	t->is_mode_due = t->process == VY_PROCESS_STARTING;
	return 0;
}

int turn_model(struct turn *t, struct vy_str model, struct effects *fx, struct vy_err *e)
{
	if (model.n == 0) {
		return vy_fail(e, VY_BAD_INPUT, "model: expected a name, got nothing");
	}
	turn_set(&t->model, model);
	t->rev++;
	vy_frame_set_str(fx_status_now(t, fx), VY_F_MODEL, fx_keep(fx, model));
	if (t->process == VY_PROCESS_LIVE) {
		fx_command(t, AC_MODEL, fx)->text = fx_keep(fx, model);
	}
	t->is_model_due = t->process == VY_PROCESS_STARTING;
	return 0;
}

void turn_say_thinking(struct turn *t, struct effects *fx)
{
	struct effect *e = effects_add(fx, FX_COMMAND);
	long long tokens = 0;

	(void)vy_parse_i64(vy_str_c(t->thinking), &tokens); /* a word is no number */
	e->command.kind = AC_THINKING;
	e->json = vy_json_new_obj();
	vy_json_set_bool(e->json, "on", strcmp(t->thinking, "off") != 0);
	vy_json_set_int(e->json, "tokens", tokens);
	e->command.json = e->json;
}

int turn_thinking(struct turn *t, struct vy_str how, struct effects *fx, struct vy_err *e)
{
	(void)e;
	if (t->thinking && vy_str_is(how, t->thinking)) {
		return 0;
	}
	turn_set(&t->thinking, how);
	t->rev++;
	vy_frame_set_str(fx_status_now(t, fx), VY_F_THINKING, fx_keep(fx, how));
	if (t->process == VY_PROCESS_LIVE) { /* else it is said when it is ready */
		turn_say_thinking(t, fx);
	}
	return 0;
}

void turn_say_effort(struct turn *t, struct effects *fx)
{
	fx_command(t, AC_EFFORT, fx)->text = fx_keep(fx, vy_str_c(t->effort));
}

int turn_effort(struct turn *t, struct vy_str word, struct effects *fx, struct vy_err *e)
{
	(void)e;
	if (t->effort && vy_str_is(word, t->effort)) {
		return 0;
	}
	turn_set(&t->effort, word);
	t->rev++;
	vy_frame_set_str(fx_status_now(t, fx), VY_F_EFFORT, fx_keep(fx, word));
	if (t->process == VY_PROCESS_LIVE) { /* else it is said when it is ready */
		turn_say_effort(t, fx);
	}
	return 0;
}

int turn_kill_task(struct turn *t, struct vy_str task, struct effects *fx, struct vy_err *e)
{
	for (size_t i = 0; i < vy_json_len(t->tasks); i++) {
		if (vy_str_eq(vy_json_str(vy_json_at(t->tasks, i), "task"), task)) {
			fx_command(t, AC_KILL_TASK, fx)->text = fx_keep(fx, task);
			return 0;
		}
	}
	return vy_fail(e, VY_NOT_FOUND, "there is no task %.*s in this session (any more)",
		VY_STR_ARG(task));
}

void turn_note(struct turn *t, const char *note, struct effects *fx)
{
	vy_frame_set_str(fx_status_now(t, fx), VY_F_NOTE, fx_keep(fx, vy_str_c(note)));
}

void turn_title(struct turn *t, struct vy_str title, struct effects *fx)
{
	vy_frame_set_str(fx_status_now(t, fx), VY_F_TITLE, fx_keep(fx, title));
}

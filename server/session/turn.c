/* turn.c -- the value, its effects, its moves, and what others may know of it (turn.h). */
#include "server/session/turn.h"
#include "server/session/turn_state.h"

#include <stdlib.h>

#include "shared/base/digits.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/frame/check.h"
#include "shared/base/ban.h"

/* ---- the value ---- */

struct turn *turn_new(struct vy_str session, struct vy_str salt, struct vy_str assistant)
{
	struct turn *t = VY_NEW(struct turn);

	t->session = vy_memdup0(session.p, session.n);
	t->salt = vy_memdup0(salt.p, salt.n);
	t->assistant = vy_memdup0(assistant.p, assistant.n);
	t->mode = vy_strdup("default");
	t->end = VY_RECORD_IDLE;
	t->rev = 1;
	vy_queue_init(&t->queue);
	vy_queue_init(&t->spoken);
	return t;
}

static void free_ask(struct open_ask *a)
{
	free(a->ask);
	free(a->request);
	vy_json_free(a->json);
}

static void free_word(struct told_word *w)
{
	free(w->message);
	free(w->text);
	free(w->context);
}

void turn_free(struct turn *t)
{
	if (!t) {
		return;
	}
	for (size_t i = 0; i < t->n_blocks; i++) {
		free(t->blocks[i].message);
	}
	for (size_t i = 0; i < t->n_tools; i++) {
		free(t->tools[i].id);
	}
	for (size_t i = 0; i < t->n_asks; i++) {
		free_ask(&t->asks[i]);
	}
	for (size_t i = 0; i < t->n_words; i++) {
		free_word(&t->words[i]);
	}
	for (size_t i = 0; i < TURN_CLOSED; i++) {
		free(t->closed[i].ask);
		free(t->closed[i].decision);
		free(t->closed[i].by);
	}
	vy_queue_fini(&t->queue);
	vy_queue_fini(&t->spoken);
	vy_json_free(t->usage);
	vy_json_free(t->tasks);
	vy_json_free(t->commands);
	free(t->blocks);
	free(t->tools);
	free(t->asks);
	free(t->words);
	free(t->session);
	free(t->salt);
	free(t->assistant);
	free(t->first);
	free(t->broken);
	free(t->before);
	free(t->spent);
	free(t->reason);
	free(t->mode);
	free(t->model);
	free(t->context);
	free(t->thinking);
	rewind_fini(&t->rewind);
	free(t->effort);
	free(t);
}

void turn_set(char **at, struct vy_str value)
{
	char *fresh = value.n ? vy_memdup0(value.p, value.n) : NULL;

	free(*at);
	*at = fresh;
}

/* ---- effects ---- */

void effects_init(struct effects *fx, struct vy_arena *arena)
{
	*fx = (struct effects){ .arena = arena };
}

void effects_clear(struct effects *fx)
{
	for (size_t i = 0; i < fx->n; i++) {
		vy_json_free(fx->v[i].json);
	}
	fx->n = 0;
}

void effects_fini(struct effects *fx)
{
	effects_clear(fx);
	free(fx->v);
	*fx = (struct effects){ .arena = fx->arena };
}

struct effect *effects_add(struct effects *fx, enum effect_kind kind)
{
	fx->v = vy_grow(fx->v, &fx->cap, fx->n + 1, sizeof(*fx->v));
	struct effect *e = &fx->v[fx->n++];

	*e = (struct effect){ .kind = kind };
	return e;
}

struct vy_str fx_keep(struct effects *fx, struct vy_str s)
{
	return s.n ? vy_arena_str(fx->arena, s) : vy_str_n(NULL, 0);
}

struct vy_str fx_keep_json(struct effects *fx, const struct vy_json *v)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_LINE_MAX);

	vy_json_dump(v, &b);
	return fx_keep(fx, vy_buf_str(&b));
}

static struct vy_str id_of_turn(struct turn *t, struct effects *fx)
{
	if (t->n == 0) {
		return vy_str_n(NULL, 0);
	}
	size_t n = strlen(t->session);
	char *id = vy_arena_alloc(fx->arena, n + 1 + VY_DIGITS_MAX);

	memcpy(id, t->session, n);
	id[n] = ':';
	return vy_str_n(id, n + 1 + vy_digits((uint64_t)t->n, 10, id + n + 1));
}

struct vy_frame *fx_frame(struct turn *t, enum vy_kind kind, struct effects *fx)
{
	struct effect *e = effects_add(fx, FX_FRAME);

	vy_frame_init(&e->frame, kind);
	if (t->turn != VY_TURN_IDLE || t->first) { /* behind a turn's last frame nothing is of it */
		e->frame.turn = id_of_turn(t, fx);
	}
	e->frame.author = fx_keep(fx, vy_str_c(t->assistant));
	return &e->frame;
}

struct agent_command *fx_command(struct turn *t, enum agent_command_kind kind, struct effects *fx)
{
	struct effect *e = effects_add(fx, FX_COMMAND);

	(void)t;
	e->command.kind = kind;
	return &e->command;
}

struct vy_frame *fx_status(struct turn *t, enum vy_state state, struct effects *fx)
{
	struct vy_frame *f = fx_frame(t, VY_KIND_STATUS, fx);

	vy_frame_set_c(f, VY_F_STATE, vy_state_word(state));
	if (state == VY_STATE_WAITING) {
		f->turn = vy_str_n(NULL, 0); /* of a turn that is fx_status_last()'s to say */
	}
	if (f->turn.n) {
		vy_frame_set_str(f, VY_F_TURN, f->turn);
	}
	return f;
}

struct vy_frame *fx_status_last(struct turn *t, enum vy_state state, struct effects *fx)
{
	struct vy_frame *f = fx_status_apart(t, state, fx);

	f->turn = id_of_turn(t, fx);
	vy_frame_set_str(f, VY_F_TURN, f->turn);
	return f;
}

struct vy_frame *fx_status_apart(struct turn *t, enum vy_state state, struct effects *fx)
{
	struct vy_frame *f = fx_frame(t, VY_KIND_STATUS, fx);

	f->turn = vy_str_n(NULL, 0);
	vy_frame_set_c(f, VY_F_STATE, vy_state_word(state));
	return f;
}

struct vy_frame *fx_status_now(struct turn *t, struct effects *fx)
{
	enum vy_record r = vy_record_of(t->process, t->turn, VY_RECORD_IDLE);
	bool is_paused = t->spent && t->turn == VY_TURN_IDLE;
	struct vy_frame *f = fx_status(t, is_paused ? VY_STATE_PAUSED : vy_record_state(r), fx);

	if (is_paused) {
		vy_frame_set_c(f, VY_F_REASON, "budget");
	}
	return f;
}

struct vy_frame *fx_user(
	struct turn *t, const struct vy_queue_item *it, const char *state, struct effects *fx)
{
	struct vy_frame *f = fx_frame(t, VY_KIND_USER_MESSAGE, fx);
	size_t fit = vy_frame_text_fit(it->text);

	f->author = fx_keep(fx, it->author);
	if (strcmp(state, "queued") == 0 || strcmp(state, "cancelled") == 0) {
		f->turn = vy_str_n(NULL, 0);
	}
	vy_frame_set_str(f, VY_F_MESSAGE, fx_keep(fx, it->message));
	vy_frame_set_c(f, VY_F_STATE, state);
	vy_frame_set_str(f, VY_F_TEXT, fx_keep(fx, vy_str_n(it->text.p, fit)));
	if (fit < it->text.n) {
		vy_frame_set_int(f, VY_F_BYTES, (int64_t)it->text.n);
		vy_frame_set_bool(f, VY_F_MORE, true);
	}
	if (it->images.n) {
		vy_frame_set_json(f, VY_F_IMAGES, fx_keep(fx, it->images));
	}
	if (it->edited) {
		vy_frame_set_bool(f, VY_F_EDITED, true);
	}
	if (it->queued_at) {
		vy_frame_set_int(f, VY_F_QUEUED_AT, it->queued_at);
	}
	if (strcmp(state, "queued") == 0) {
		vy_frame_set_c(f, VY_F_MODE, vy_send_mode_word(it->mode));
	}
	if (it->reply_to.n) {
		vy_frame_set_str(f, VY_F_REPLY_TO, fx_keep(fx, it->reply_to));
	}
	if (it->parent.n) {
		vy_frame_set_str(f, VY_F_PARENT, fx_keep(fx, it->parent));
	}
	if (it->surface.n) {
		vy_frame_set_str(f, VY_F_SURFACE, fx_keep(fx, it->surface));
	}
	return f;
}

/* ---- moves ---- */

void turn_move_process(struct turn *t, enum vy_process to)
{
	struct vy_sm m = vy_process_sm(t->process);
	struct vy_err e = { 0 };

	vy_assert(vy_sm_move(&m, to, &e) == 0);
	t->process = to;
	t->rev++;
}

void turn_move_turn(struct turn *t, enum vy_turn to)
{
	struct vy_sm m = vy_turn_sm(t->turn);
	struct vy_err e = { 0 };

	vy_assert(vy_sm_move(&m, to, &e) == 0);
	t->turn = to;
	t->rev++;
}

void turn_begin(struct turn *t, struct vy_str first, bool was_queued)
{
	t->n++;
	t->step = 0;
	t->end = VY_RECORD_IDLE;
	turn_set(&t->reason, vy_str_n(NULL, 0));
	t->is_announced = t->is_interrupting = t->is_crossed = t->is_aside = t->is_late = false;
	turn_set(&t->first, first);
	t->is_first_queued = was_queued;
	t->rev++;
}

void turn_announce(struct turn *t, struct vy_str origin, struct effects *fx)
{
	if (t->is_announced) {
		return;
	}
	struct vy_frame *f = fx_status(t, VY_STATE_WORKING, fx);

	if (origin.n) {
		vy_frame_set_str(f, VY_F_ORIGIN, fx_keep(fx, origin));
	} else if (t->first) {
		vy_frame_set_str(f, VY_F_MESSAGE, fx_keep(fx, vy_str_c(t->first)));
	}
	if (t->is_late) {
		vy_frame_set_bool(f, VY_F_STEERED, true);
	}
	t->is_announced = true;
	t->rev++;
}

static int64_t hash_of(struct vy_str id)
{
	uint8_t digest[VY_SHA256_LEN];
	int64_t hash;

	vy_sha256(id.p, id.n, digest);
	memcpy(&hash, digest, sizeof(hash));
	return hash;
}

bool turn_was_called(const struct turn *t, struct vy_str id)
{
	int64_t hash = hash_of(id);

	for (size_t i = 0; i < t->n_over_calls && i < TURN_OVER_CALLS; i++) {
		if (t->over_calls[i] == hash) {
			return true;
		}
	}
	return false;
}

void turn_drop_tool(struct turn *t, size_t i)
{
	t->over_calls[t->n_over_calls++ % TURN_OVER_CALLS] = hash_of(vy_str_c(t->tools[i].id));
	free(t->tools[i].id);
	memmove(&t->tools[i], &t->tools[i + 1], (t->n_tools - i - 1) * sizeof(*t->tools));
	t->n_tools--;
	t->rev++;
}

void turn_drop_block(struct turn *t, size_t i)
{
	free(t->blocks[i].message);
	memmove(&t->blocks[i], &t->blocks[i + 1], (t->n_blocks - i - 1) * sizeof(*t->blocks));
	t->n_blocks--;
	t->rev++;
}

void turn_close_ask(
	struct turn *t, size_t i, struct vy_str decision, struct vy_str by, struct effects *fx)
{
	struct open_ask a = t->asks[i];
	struct vy_frame *f = fx_frame(t, VY_KIND_ASK_ANSWERED, fx);
	struct closed_ask *c = &t->closed[t->n_closed++ % TURN_CLOSED];

	vy_frame_set_str(f, VY_F_ASK_ID, fx_keep(fx, vy_str_c(a.ask)));
	vy_frame_set_str(f, VY_F_DECISION, fx_keep(fx, decision));
	if (by.n) {
		f->author = fx_keep(fx, by);
		vy_frame_set_str(f, VY_F_BY, f->author);
	}
	struct effect *e = effects_add(fx, FX_ASK_CLOSED);

	e->json = vy_json_ref(a.json);
	e->ask = fx_keep(fx, vy_str_c(a.ask));
	e->text = fx_keep(fx, decision);
	e->by = fx_keep(fx, by);
	turn_set(&c->ask, vy_str_c(a.ask));
	turn_set(&c->decision, decision);
	turn_set(&c->by, by);
	c->told = 0;
	c->is_lost = false;
	free_ask(&a);
	memmove(&t->asks[i], &t->asks[i + 1], (t->n_asks - i - 1) * sizeof(*t->asks));
	t->n_asks--;
	if (t->n_asks == 0 && t->turn == VY_TURN_ASKING) {
		turn_move_turn(t, VY_TURN_RUNNING);
	}
	t->rev++;
}

void turn_withdraw_asks(struct turn *t, bool all, struct effects *fx)
{
	for (size_t i = 0; i < t->n_asks;) {
		if (all || !t->asks[i].outlives) {
			turn_close_ask(t, i, VY_STR_LIT("cancelled"), vy_str_n(NULL, 0), fx);
		} else {
			i++;
		}
	}
}

static void cancel_tool(struct turn *t, size_t i, struct effects *fx)
{
	struct vy_frame *f = fx_frame(t, VY_KIND_TOOL_FINISHED, fx);

	vy_frame_set_str(f, VY_F_TOOL_ID, fx_keep(fx, vy_str_c(t->tools[i].id)));
	vy_frame_set_bool(f, VY_F_OK, false);
	vy_frame_set_c(f, VY_F_STATUS, "canceled");
	vy_frame_set_json(f, VY_F_RESULT, VY_STR_LIT("{\"type\":\"text\",\"text\":\"canceled\"}"));
	turn_drop_tool(t, i);
}

void turn_close_block(struct turn *t, size_t i, struct effects *fx)
{
	struct vy_frame *f = fx_frame(t, VY_KIND_TEXT_DONE, fx);

	vy_frame_set_str(f, VY_F_MESSAGE, fx_keep(fx, vy_str_c(t->blocks[i].message)));
	vy_frame_set_int(f, VY_F_INDEX, t->blocks[i].index);
	vy_frame_set_int(f, VY_F_MESSAGES, t->messages);
	turn_drop_block(t, i);
}

void turn_close_open(struct turn *t, bool all, struct effects *fx)
{
	for (size_t i = 0; i < t->n_blocks;) {
		if (all || !t->blocks[i].outlives) {
			turn_close_block(t, i, fx);
		} else {
			i++;
		}
	}
	for (size_t i = 0; i < t->n_tools;) {
		if (all || !t->tools[i].outlives) {
			cancel_tool(t, i, fx);
		} else {
			i++;
		}
	}
	turn_withdraw_asks(t, all, fx);
	t->rev++;
}

/* ---- what others may know ---- */

uint64_t turn_rev(const struct turn *t)
{
	return t->rev;
}

const char *turn_state(const struct turn *t)
{
	if (t->wants) {
		return vy_record_word(t->is_soon ? VY_RECORD_STARTING : VY_RECORD_IDLE);
	}
	return vy_record_word(vy_record_of(t->process, t->turn, t->end));
}

struct vy_str turn_mode_get(const struct turn *t)
{
	return vy_str_c(t->mode);
}

struct vy_str turn_model_get(const struct turn *t)
{
	return vy_str_c(t->model);
}

struct vy_str turn_thinking_get(const struct turn *t)
{
	return vy_str_c(t->thinking);
}

struct vy_str turn_effort_get(const struct turn *t)
{
	return vy_str_c(t->effort);
}

int64_t turn_number(const struct turn *t)
{
	return t->n;
}

int64_t turn_messages(const struct turn *t)
{
	return t->messages;
}

bool turn_is_busy(const struct turn *t)
{
	return t->turn != VY_TURN_IDLE || t->first != NULL || t->n_asks > 0;
}

bool turn_has_process(const struct turn *t)
{
	return t->process != VY_PROCESS_ABSENT;
}

const char *turn_process(const struct turn *t)
{
	struct vy_sm m = vy_process_sm(t->process);

	return vy_sm_name(&m);
}

static const char *const lines[] = { [TURN_LINE_LIVE] = "live-cap",
	[TURN_LINE_SLOT] = "slots",
	[TURN_LINE_ELSEWHERE] = "elsewhere" };

const char *turn_line_word(enum turn_line line)
{
	return lines[line];
}

enum turn_line turn_line_of(const char *reason)
{
	size_t i = VY_COUNT(lines) - 1;

	while (i > 0 && strcmp(lines[i], reason) != 0) {
		i--;
	}
	return (enum turn_line)i;
}

const char *turn_reason(const struct turn *t)
{
	if (t->spent && !turn_is_busy(t)) {
		return "budget";
	}
	return !t->place ? t->reason : lines[t->line];
}

bool turn_is_spent(const struct turn *t)
{
	return t->spent != NULL;
}

bool turn_wants(const struct turn *t)
{
	return t->wants;
}

bool turn_waits_for_slot(const struct turn *t)
{
	return t->place > 0 && t->line == TURN_LINE_SLOT;
}

bool turn_waits_elsewhere(const struct turn *t)
{
	return t->place > 0 && t->line == TURN_LINE_ELSEWHERE;
}

int64_t turn_place(const struct turn *t)
{
	return t->place;
}

bool turn_is_unready(const struct turn *t)
{
	return !t->is_ready && !t->broken &&
	       (t->process == VY_PROCESS_STARTING || t->process == VY_PROCESS_LIVE);
}

bool turn_is_taken(const struct turn *t)
{
	return t->is_taken_once;
}

bool turn_is_held(const struct turn *t)
{
	return t->queue.held;
}

bool turn_is_stopping(const struct turn *t)
{
	return t->process == VY_PROCESS_STOPPING;
}

/* The word of a turn stands in the queue until the agent took it, but is no more people's to see. */
static bool has_its_turn(const struct turn *t, const struct vy_queue_item *it)
{
	return t->first && vy_str_is(it->message, t->first);
}

const struct vy_queue_item *turn_find(const struct turn *t, struct vy_str message, bool *has_turn)
{
	const struct vy_queue_item *it = vy_queue_find(&t->queue, message);

	*has_turn = it && has_its_turn(t, it);
	return it;
}

int64_t turn_until(const struct turn *t)
{
	return t->until;
}

size_t turn_queued(const struct turn *t)
{
	return t->queue.n - (t->first && vy_queue_find(&t->queue, vy_str_c(t->first)) ? 1 : 0);
}

size_t turn_asks(const struct turn *t)
{
	return t->n_asks;
}

struct vy_json *turn_queue_json(const struct turn *t)
{
	struct vy_json *out = vy_json_new_obj(), *items = vy_json_new_arr();
	int64_t position = 0;

	for (size_t i = 0; i < t->queue.n; i++) {
		const struct vy_queue_item *it = &t->queue.items[i];
		struct vy_json *o;

		if (has_its_turn(t, it)) {
			continue;
		}
		o = vy_json_new_obj();
		vy_json_set_str(o, "queued", it->message);
		vy_json_set_str(o, "message", it->message);
		vy_json_set_str(o, "text", it->text);
		vy_json_set_c(o, "mode", vy_send_mode_word(it->mode));
		vy_json_set_int(o, "position", position++);
		vy_json_set_bool(o, "told", it->state == VY_ITEM_TOLD);
		vy_json_add_take(items, o);
	}
	vy_json_set_bool(out, "held", t->queue.held);
	vy_json_take(out, "items", items);
	return out;
}

struct vy_json *turn_facts(const struct turn *t)
{
	struct vy_json *out = vy_json_new_obj();

	vy_json_set(out, "usage", t->usage);
	vy_json_set(out, "tasks", t->tasks);
	vy_json_set(out, "commands", t->commands);
	return out;
}

void turn_set_goes_on(struct turn *t, bool goes_on)
{
	t->goes_on = goes_on;
}

/* turn_code.c -- a turn as JSON and back: what a loop turn commits, what a boot goes on from. */
#include "server/session/turn_state.h"

#include <stdlib.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define TURN_VERSION 1

static struct vy_json *blocks_json(const struct turn *t)
{
	struct vy_json *arr = vy_json_new_arr();

	for (size_t i = 0; i < t->n_blocks; i++) {
		struct vy_json *o = vy_json_new_obj();

		vy_json_set_c(o, "message", t->blocks[i].message);
		vy_json_set_int(o, "index", t->blocks[i].index);
		vy_json_set_bool(o, "outlives", t->blocks[i].outlives);
		vy_json_add_take(arr, o);
	}
	return arr;
}

static struct vy_json *tools_json(const struct turn *t)
{
	struct vy_json *arr = vy_json_new_arr();

	for (size_t i = 0; i < t->n_tools; i++) {
		struct vy_json *o = vy_json_new_obj();

		vy_json_set_c(o, "id", t->tools[i].id);
		vy_json_set_bool(o, "outlives", t->tools[i].outlives);
		vy_json_add_take(arr, o);
	}
	return arr;
}

/* Oldest first, as below. */
static struct vy_json *over_calls_json(const struct turn *t)
{
	struct vy_json *arr = vy_json_new_arr();
	size_t from = t->n_over_calls > TURN_OVER_CALLS ? t->n_over_calls - TURN_OVER_CALLS : 0;

	for (size_t i = from; i < t->n_over_calls; i++) {
		vy_json_add_take(arr, vy_json_new_int(t->over_calls[i % TURN_OVER_CALLS]));
	}
	return arr;
}

static struct vy_json *asks_json(const struct turn *t)
{
	struct vy_json *arr = vy_json_new_arr();

	for (size_t i = 0; i < t->n_asks; i++) {
		struct vy_json *o = vy_json_new_obj();

		vy_json_set_c(o, "ask", t->asks[i].ask);
		vy_json_set_c(o, "request", t->asks[i].request);
		vy_json_set(o, "row", t->asks[i].json);
		vy_json_set_bool(o, "outlives", t->asks[i].outlives);
		vy_json_add_take(arr, o);
	}
	return arr;
}

/* Oldest first, so that the ring is refilled in order. */
static struct vy_json *closed_json(const struct turn *t)
{
	struct vy_json *arr = vy_json_new_arr();
	size_t from = t->n_closed > TURN_CLOSED ? t->n_closed - TURN_CLOSED : 0;

	for (size_t i = from; i < t->n_closed; i++) {
		const struct closed_ask *c = &t->closed[i % TURN_CLOSED];
		struct vy_json *o = vy_json_new_obj();

		vy_json_set_c(o, "ask", c->ask);
		vy_json_set_c(o, "decision", c->decision);
		vy_json_set_c(o, "by", c->by);
		if (c->told) {
			vy_json_set_int(o, "told", c->told);
		}
		if (c->is_lost) {
			vy_json_set_bool(o, "lost", true);
		}
		vy_json_add_take(arr, o);
	}
	return arr;
}

static struct vy_json *words_json(const struct turn *t)
{
	struct vy_json *arr = vy_json_new_arr();

	for (size_t i = 0; i < t->n_words; i++) {
		const struct told_word *w = &t->words[i];
		struct vy_json *o = vy_json_new_obj();

		vy_json_set_c(o, "message", w->message);
		vy_json_set_int(o, "taken_back", w->taken_back);
		vy_json_set_bool(o, "recalled", w->is_recalled);
		vy_json_set_bool(o, "again", w->is_again);
		vy_json_set_bool(o, "unseen", w->is_unseen);
		vy_json_set_int(o, "wish", w->wish);
		vy_json_set_c(o, "text", w->text);
		vy_json_set_c(o, "context", w->context);
		vy_json_add_take(arr, o);
	}
	return arr;
}

static struct vy_json *queue_json(const struct vy_queue *q)
{
	VY_AUTO_BUF b = VY_BUF_INIT((size_t)VY_QUEUE_MAX * VY_SEND_TEXT_MAX * 2);
	struct vy_jw w = VY_JW(&b);

	vy_queue_encode(q, &w);
	struct vy_json *v = vy_json_parse(vy_buf_str(&b), NULL);

	vy_assert(v != NULL);
	return v;
}

struct vy_json *turn_encode(const struct turn *t)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_int(o, "v", TURN_VERSION);
	vy_json_set_c(o, "session", t->session);
	vy_json_set_c(o, "salt", t->salt);
	vy_json_set_c(o, "assistant", t->assistant);
	vy_json_set_int(o, "process", t->process);
	vy_json_set_int(o, "turn", t->turn);
	vy_json_set_int(o, "end", t->end);
	vy_json_set_int(o, "n", t->n);
	vy_json_set_int(o, "step", t->step);
	vy_json_set_int(o, "messages", t->messages);
	vy_json_set_bool(o, "announced", t->is_announced);
	vy_json_set_bool(o, "interrupting", t->is_interrupting);
	vy_json_set_bool(o, "crossed", t->is_crossed);
	vy_json_set_bool(o, "aside", t->is_aside);
	vy_json_set_bool(o, "late", t->is_late);
	vy_json_set_bool(o, "woken", t->is_woken);
	vy_json_set_bool(o, "taken_once", t->is_taken_once);
	vy_json_set_bool(o, "resting", t->is_resting);
	vy_json_set_bool(o, "ready", t->is_ready);
	vy_json_set_bool(o, "wants", t->wants);
	vy_json_set_bool(o, "soon", t->is_soon);
	vy_json_set_bool(o, "warm", t->is_warm);
	vy_json_set_int(o, "place", t->place);
	vy_json_set_c(o, "line", turn_line_word(t->line));
	vy_json_set_c(o, "reason", t->reason);
	vy_json_set_bool(o, "switching", t->is_switching);
	vy_json_set_int(o, "until", t->until);
	vy_json_set_int(o, "switched", t->switched);
	vy_json_set_c(o, "first", t->first);
	vy_json_set_bool(o, "first_queued", t->is_first_queued);
	vy_json_set_c(o, "broken", t->broken);
	vy_json_set_c(o, "before", t->before);
	vy_json_set_c(o, "spent", t->spent);
	vy_json_set_c(o, "context", t->context);
	vy_json_set_c(o, "mode", t->mode);
	vy_json_set_c(o, "model", t->model);
	vy_json_set_c(o, "thinking", t->thinking);
	vy_json_set_c(o, "effort", t->effort);
	vy_json_set_bool(o, "mode_due", t->is_mode_due);
	vy_json_set_bool(o, "model_due", t->is_model_due && t->model);
	vy_json_set(o, "usage", t->usage);
	vy_json_take(o, "cost_seen", vy_json_new_real(t->cost_seen));
	vy_json_take(o, "cost_before", vy_json_new_real(t->cost_before));
	vy_json_set_bool(o, "unpriced", t->is_unpriced);
	vy_json_set(o, "tasks", t->tasks);
	vy_json_set(o, "commands", t->commands);
	vy_json_take(o, "queue", queue_json(&t->queue));
	if (t->spoken.n > 0) {
		vy_json_take(o, "spoken", queue_json(&t->spoken));
	}
	vy_json_take(o, "words", words_json(t));
	vy_json_take(o, "over_calls", over_calls_json(t));
	vy_json_take(o, "blocks", blocks_json(t));
	vy_json_take(o, "tools", tools_json(t));
	vy_json_take(o, "asks", asks_json(t));
	vy_json_take(o, "closed", closed_json(t));
	vy_json_take(o, "rewind", rewind_json(&t->rewind));
	return o;
}

/* ---- and back ---- */

static char *word_at(const struct vy_json *v, const char *key)
{
	return vy_strdup(vy_json_cstr(v, key));
}

/* -1: none of them. */
static int enum_at(const struct vy_json *v, const char *key, int count)
{
	int64_t n = vy_json_int(v, key, 0);

	return n >= 0 && n < count ? (int)n : -1;
}

static void read_open(struct turn *t, const struct vy_json *v)
{
	const struct vy_json *list = vy_json_get(v, "blocks");

	for (size_t i = 0; i < vy_json_len(list); i++) {
		const struct vy_json *o = vy_json_at(list, i);

		t->blocks = vy_grow(t->blocks, &t->cap_blocks, i + 1, sizeof(*t->blocks));
		t->blocks[t->n_blocks++] = (struct open_block){ word_at(o, "message"),
			vy_json_int(o, "index", 0), vy_json_bool(o, "outlives", false) };
	}
	list = vy_json_get(v, "tools");
	for (size_t i = 0; i < vy_json_len(list); i++) {
		const struct vy_json *o = vy_json_at(list, i);

		t->tools = vy_grow(t->tools, &t->cap_tools, i + 1, sizeof(*t->tools));
		t->tools[t->n_tools++] =
			(struct open_tool){ word_at(o, "id"), vy_json_bool(o, "outlives", false) };
	}
	list = vy_json_get(v, "asks");
	for (size_t i = 0; i < vy_json_len(list); i++) {
		const struct vy_json *o = vy_json_at(list, i);

		t->asks = vy_grow(t->asks, &t->cap_asks, i + 1, sizeof(*t->asks));
		t->asks[t->n_asks++] = (struct open_ask){ word_at(o, "ask"), word_at(o, "request"),
			vy_json_ref(vy_json_get(o, "row")), vy_json_bool(o, "outlives", false) };
	}
}

static void read_lists(struct turn *t, const struct vy_json *v)
{
	const struct vy_json *list = vy_json_get(v, "words");

	for (size_t i = 0; i < vy_json_len(list); i++) {
		const struct vy_json *o = vy_json_at(list, i);

		t->words = vy_grow(t->words, &t->cap_words, i + 1, sizeof(*t->words));
		t->words[t->n_words++] = (struct told_word){
			.message = word_at(o, "message"),
			.taken_back = (unsigned)vy_json_int(o, "taken_back", 0),
			.is_recalled = vy_json_bool(o, "recalled", false),
			.is_again = vy_json_bool(o, "again", false),
			.is_unseen = vy_json_bool(o, "unseen", false),
			.wish = (enum wish)enum_at(o, "wish", WISH_EDIT + 1),
			.text = word_at(o, "text"),
			.context = word_at(o, "context"),
		};
	}
	list = vy_json_get(v, "closed");
	for (size_t i = 0; i < vy_json_len(list) && i < TURN_CLOSED; i++) {
		const struct vy_json *o = vy_json_at(list, i);

		t->closed[t->n_closed++] = (struct closed_ask){ word_at(o, "ask"),
			word_at(o, "decision"), word_at(o, "by"), vy_json_int(o, "told", 0),
			vy_json_bool(o, "lost", false) };
	}
}

/* Is every part there that the rest of the turn takes for granted? */
static bool is_whole(const struct turn *t)
{
	for (size_t i = 0; i < t->n_blocks; i++) {
		if (!t->blocks[i].message) {
			return false;
		}
	}
	for (size_t i = 0; i < t->n_tools; i++) {
		if (!t->tools[i].id) {
			return false;
		}
	}
	for (size_t i = 0; i < t->n_asks; i++) {
		if (!t->asks[i].ask || !t->asks[i].request ||
			vy_json_type(t->asks[i].json) != VY_JSON_OBJ) {
			return false;
		}
	}
	for (size_t i = 0; i < t->n_words; i++) {
		if (!t->words[i].message || (int)t->words[i].wish < 0) {
			return false;
		}
	}
	for (size_t i = 0; i < t->n_closed; i++) {
		if (!t->closed[i].ask || !t->closed[i].decision) {
			return false;
		}
	}
	return t->mode && t->mode[0] && t->n >= 0;
}

/* Do the parts fit each other? What would leave the session stuck is refused at the door. */
static bool fits_together(const struct turn *t)
{
	bool is_running = t->turn != VY_TURN_IDLE;

	if (vy_machines_wrong(t->process, t->turn, (unsigned)t->n_asks)) {
		return false;
	}
	if (t->first && !vy_queue_find(&t->queue, vy_str_c(t->first))) {
		return false;
	}
	if (!is_running && (t->is_interrupting || t->is_aside || t->is_crossed)) {
		return false;
	}
	if (t->is_aside && t->n_asks == 0) {
		return false;
	}
	if (t->is_switching && t->process != VY_PROCESS_STOPPING) {
		return false;
	}
	if (!t->wants && (t->is_soon || t->place)) {
		return false;
	}
	return t->process != VY_PROCESS_ABSENT ? !t->wants
					       : (!t->first || t->wants) && !turn_any_told(t) &&
							 !t->broken && !t->is_resting;
}

static bool read_machines(struct turn *t, const struct vy_json *v)
{
	int process = enum_at(v, "process", VY_PROCESS_COUNT);
	int turn = enum_at(v, "turn", VY_TURN_COUNT), end = enum_at(v, "end", VY_RECORD_COUNT);

	if (process < 0 || turn < 0 || end < 0) {
		return false;
	}
	t->process = (enum vy_process)process;
	t->turn = (enum vy_turn)turn;
	t->end = (enum vy_record)end;
	t->n = vy_json_int(v, "n", 0);
	t->step = vy_json_int(v, "step", 0);
	t->messages = vy_json_int(v, "messages", 0);
	t->is_announced = vy_json_bool(v, "announced", false);
	t->is_interrupting = vy_json_bool(v, "interrupting", false);
	t->is_crossed = vy_json_bool(v, "crossed", false);
	t->is_aside = vy_json_bool(v, "aside", false);
	t->is_late = vy_json_bool(v, "late", false);
	t->is_woken = vy_json_bool(v, "woken", false);
	t->is_taken_once = vy_json_bool(v, "taken_once", false);
	t->is_resting = vy_json_bool(v, "resting", false);
	t->is_ready = vy_json_bool(v, "ready", true); /* an earlier version did not wait for it */
	t->wants = vy_json_bool(v, "wants", false);
	t->is_soon = vy_json_bool(v, "soon", false);
	t->is_warm = vy_json_bool(v, "warm", false);
	t->place = vy_json_int(v, "place", 0);
	t->line =
		turn_line_of(vy_json_cstr(v, "line")              ? vy_json_cstr(v, "line")
			     : vy_json_bool(v, "for_slot", false) ? "slots" /* an earlier version */
								  : "live-cap");
	t->reason = word_at(v, "reason");
	t->is_switching = vy_json_bool(v, "switching", false);
	t->until = vy_json_int(v, "until", 0);
	t->switched = vy_json_int(v, "switched", 0);
	t->is_first_queued = vy_json_bool(v, "first_queued", false);
	t->first = word_at(v, "first");
	t->broken = word_at(v, "broken");
	t->before = word_at(v, "before");
	t->spent = word_at(v, "spent");
	return true;
}

static void read_over_calls(struct turn *t, const struct vy_json *arr)
{
	for (size_t i = 0; i < vy_json_len(arr); i++) {
		t->over_calls[t->n_over_calls++ % TURN_OVER_CALLS] =
			vy_json_intval(vy_json_at(arr, i), 0);
	}
}

struct turn *turn_decode(const struct vy_json *v, struct vy_err *e)
{
	struct vy_str session, salt, assistant;

	if (vy_json_int(v, "v", 0) != TURN_VERSION) {
		vy_fail(e, VY_UNSUPPORTED, "a turn of version %lld, this vyred knows %d",
			(long long)vy_json_int(v, "v", 0), TURN_VERSION);
		return NULL;
	}
	session = vy_json_str(v, "session");
	salt = vy_json_str(v, "salt");
	assistant = vy_json_str(v, "assistant");
	if (!session.n || !salt.n || !assistant.n) {
		vy_fail(e, VY_CORRUPT, "a stored turn is damaged");
		return NULL;
	}
	struct turn *t = turn_new(session, salt, assistant);
	bool is_good = read_machines(t, v);

	free(t->mode);
	t->mode = word_at(v, "mode");
	t->context = word_at(v, "context");
	t->model = word_at(v, "model");
	t->thinking = word_at(v, "thinking");
	t->effort = word_at(v, "effort");
	t->is_mode_due = vy_json_bool(v, "mode_due", false);
	t->is_model_due = t->model && vy_json_bool(v, "model_due", false);
	t->usage = vy_json_ref(vy_json_get(v, "usage"));
	t->cost_seen = vy_json_num(v, "cost_seen", vy_json_num(t->usage, "cost_usd", 0));
	t->cost_before = vy_json_num(v, "cost_before", 0);
	t->is_unpriced = vy_json_bool(v, "unpriced", false);
	t->tasks = vy_json_ref(vy_json_get(v, "tasks"));
	t->commands = vy_json_ref(vy_json_get(v, "commands"));
	read_over_calls(t, vy_json_get(v, "over_calls"));
	read_open(t, v);
	read_lists(t, v);
	rewind_load(&t->rewind, vy_json_get(v, "rewind"));
	if (!is_good || vy_queue_decode(&t->queue, vy_json_get(v, "queue"), e) != 0 ||
		vy_queue_decode(&t->spoken, vy_json_get(v, "spoken"), e) != 0 || !is_whole(t) ||
		!fits_together(t)) {
		vy_fail(e, VY_CORRUPT, "the stored turn of %s is damaged", t->session);
		turn_free(t);
		return NULL;
	}
	return t;
}

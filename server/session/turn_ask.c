/* turn_ask.c -- questions of the agent: raised, withdrawn, and calls that the floor rules judge. */
#include "server/session/turn_state.h"

#include <stdlib.h>

#include "server/guard/redact.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

/* Nine bytes nobody can guess, and the same ones when a cut run goes on. Never with a dash in front:
 * people and scripts give it to commands as a word, where that would be an option. */
static void ask_id(const struct turn *t, struct vy_str request, char out[16])
{
	unsigned tries = 0;

	do {
		VY_AUTO_BUF seed = VY_BUF_INIT(4096);
		uint8_t digest[VY_SHA256_LEN];

		vy_buf_addf(&seed, "ask/%s/%lld/%.*s/%u", t->salt, (long long)t->n,
			VY_STR_ARG(request), tries++);
		if (t->switched >
			0) { /* another process in the same turn counts its requests anew */
			vy_buf_addf(&seed, "/%lld", (long long)t->switched);
		}
		vy_sha256(seed.data, seed.len, digest);
		vy_base64url(digest, 9, out);
	} while (out[0] == '-');
}

static void set_text(struct vy_frame *f, enum vy_fid field, const struct vy_json *ask,
	const char *key, size_t max, struct effects *fx)
{
	struct vy_str s = vy_json_str(ask, key);

	if (s.n) {
		vy_frame_set_str(f, field, fx_keep(fx, turn_cut(s, max)));
	}
}

static void ask_frame(struct turn *t, const char *id, const struct vy_json *ask, struct effects *fx)
{
	struct vy_frame *f = fx_frame(t, VY_KIND_ASK, fx);
	const struct vy_json *options = vy_json_get(ask, "options");
	const struct vy_json *questions = vy_json_get(ask, "questions");

	vy_frame_set_str(f, VY_F_ASK_ID, fx_keep(fx, vy_str_c(id)));
	set_text(f, VY_F_KIND, ask, "kind", 16, fx);
	set_text(f, VY_F_TOOL, ask, "tool", VY_ID_MAX, fx);
	set_text(f, VY_F_TOOL_ID, ask, "tool_id", VY_ID_MAX, fx);
	set_text(f, VY_F_TITLE, ask, "title", TURN_LINE_MAX, fx);
	vy_frame_set_str(
		f, VY_F_SUMMARY, fx_keep(fx, turn_cut(vy_json_str(ask, "summary"), TURN_LINE_MAX)));
	set_text(f, VY_F_DETAIL, ask, "detail", VY_DETAIL_MAX, fx);
	if (vy_json_str(ask, "detail").n > VY_DETAIL_MAX) {
		vy_frame_set_bool(f, VY_F_MORE, true);
	}
	set_text(f, VY_F_BLOCKED_PATH, ask, "blocked_path", 4096, fx);
	set_text(f, VY_F_SOURCE, ask, "source", VY_ID_MAX, fx);
	vy_frame_set_json(f, VY_F_OPTIONS, options ? fx_keep_json(fx, options) : VY_STR_LIT("[]"));
	if (questions) {
		vy_frame_set_json(f, VY_F_QUESTIONS, fx_keep_json(fx, questions));
	}
}

/* The open asks about a call are settled in another way than by an answer: an interrupt or a stop withdraws
 * them. True: there was one. */
static bool supersede(struct turn *t, struct vy_str tool, struct effects *fx)
{
	bool was_open = false;
	struct vy_str how = t->is_interrupting || t->process == VY_PROCESS_STOPPING
				    ? VY_STR_LIT("cancelled")
				    : VY_STR_LIT("superseded");

	for (size_t i = 0; tool.n && i < t->n_asks;) {
		if (vy_str_eq(vy_json_str(t->asks[i].json, "tool_id"), tool)) {
			fx_command(t, AC_ANSWER, fx)->request =
				fx_keep(fx, vy_str_c(t->asks[i].request));
			turn_close_ask(t, i, how, vy_str_n(NULL, 0), fx);
			was_open = true;
		} else {
			i++;
		}
	}
	return was_open;
}

void turn_settle_asks(struct turn *t, struct vy_str tool, struct effects *fx)
{
	if (supersede(t, tool, fx)) {
		turn_asked_all(t, fx);
	}
}

void turn_on_ask(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	char id[16];

	for (size_t i = 0; i < t->n_asks; i++) {
		if (vy_str_is(ev->request, t->asks[i].request)) {
			return; /* asked again after a reconnect: it is open already */
		}
	}
	supersede(t, ev->tool, fx); /* it asks about that call anew */
	if (t->turn == VY_TURN_IDLE) {
		if (t->process != VY_PROCESS_LIVE) {
			return; /* it is on its way out: nobody will hear the answer */
		}
		turn_begin_aside(t, fx);
	}
	turn_announce(t, vy_str_n(NULL, 0), fx);
	ask_id(t, ev->request, id);
	struct vy_json *row = vy_json_copy(ev->json);

	/* a question's words are its name in the answer */
	struct vy_json *questions = vy_json_get(ev->json, "questions");

	guard_redact_ask(row);
	if (questions) {
		vy_json_take(row, "questions", vy_json_copy(questions));
	}
	vy_json_set_c(row, "ask", id);
	vy_json_set_c(row, "session", t->session);
	if (ev->tool.n) {
		vy_json_set_str(row, "tool_id", ev->tool);
	}
	t->asks = vy_grow(t->asks, &t->cap_asks, t->n_asks + 1, sizeof(*t->asks));
	t->asks[t->n_asks++] = (struct open_ask){ vy_strdup(id),
		vy_memdup0(ev->request.p, ev->request.n), row, ev->parent.n > 0 };
	ask_frame(t, id, row, fx);

	struct effect *e = effects_add(fx, FX_ASK_OPEN);

	e->ask = fx_keep(fx, vy_str_c(id));
	e->json = vy_json_ref(row);
	if (t->turn == VY_TURN_RUNNING) {
		turn_move_turn(t, VY_TURN_ASKING);
		fx_status(t, VY_STATE_ASKING, fx);
	}
}

void turn_asked_all(struct turn *t, struct effects *fx)
{
	if (t->n_asks > 0 || t->turn == VY_TURN_IDLE) {
		return;
	}
	if (t->is_aside) {
		turn_over(t, AGENT_OK, vy_str_n(NULL, 0), fx);
	} else if (!t->is_interrupting) {
		fx_status(t, VY_STATE_WORKING, fx);
	}
}

void turn_on_ask_gone(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	for (size_t i = 0; i < t->n_asks; i++) {
		if (!vy_str_is(ev->request, t->asks[i].request)) {
			continue;
		}
		turn_close_ask(t, i, VY_STR_LIT("cancelled"), vy_str_n(NULL, 0), fx);
		turn_asked_all(t, fx);
		return;
	}
}

void turn_on_check(struct turn *t, const struct agent_event *ev, struct effects *fx)
{
	struct effect *e = effects_add(fx, FX_CHECK);

	(void)t;
	e->command.request = fx_keep(fx, ev->request);
	e->text = fx_keep(fx, ev->name);
	if (ev->is_spawn) {
		e->ask = fx_keep(fx, ev->tool);
	}
	e->json = vy_json_ref(ev->json);
}

/* ---- on their way to the agent ---- */

void turn_answer_told(struct turn *t, struct vy_str ask, int64_t seq)
{
	for (size_t i = 0; i < TURN_CLOSED; i++) {
		if (t->closed[i].ask && vy_str_is(ask, t->closed[i].ask)) {
			t->closed[i].told = seq;
			t->rev++;
		}
	}
}

static void say_lost(struct turn *t, struct closed_ask *c, struct effects *fx)
{
	struct vy_frame *f = fx_frame(t, VY_KIND_ASK_ANSWERED, fx);

	c->is_lost = true;
	vy_frame_set_str(f, VY_F_ASK_ID, fx_keep(fx, vy_str_c(c->ask)));
	vy_frame_set_str(f, VY_F_DECISION, fx_keep(fx, vy_str_c(c->decision)));
	if (c->by) {
		vy_frame_set_str(f, VY_F_BY, fx_keep(fx, vy_str_c(c->by)));
	}
	vy_frame_set_bool(f, VY_F_DELIVERED, false);
	effects_add(fx, FX_ASK_LOST)->ask = fx_keep(fx, vy_str_c(c->ask));
}

void turn_untold(struct turn *t, int64_t seq, struct effects *fx)
{
	size_t from = t->n_closed > TURN_CLOSED ? t->n_closed - TURN_CLOSED : 0;

	for (size_t i = from; i < t->n_closed; i++) {
		struct closed_ask *c = &t->closed[i % TURN_CLOSED];

		if (c->told == 0) {
			continue;
		}
		if (c->told >= seq) {
			say_lost(t, c, fx);
		}
		c->told = 0; /* the next process counts its own */
		t->rev++;
	}
}

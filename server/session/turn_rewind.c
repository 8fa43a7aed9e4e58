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
	rewind_taken(&t->rewind);
}

/* ---- may it be? ---- */

int turn_may_go_back(const struct turn *t, struct vy_err *e)
{
	if (turn_is_busy(t) || t->broken || t->n_tools > 0 || t->n_blocks > 0) {
		return vy_fail(e, VY_CONFLICT, "a turn runs in this session: end it first");
	}
	if (turn_any_told(t)) {
		return vy_fail(
			e, VY_CONFLICT, "a message is on its way to the agent: take it back first");
	}
	if (vy_json_len(t->tasks) > 0) {
		return vy_fail(e, VY_CONFLICT,
			"the agent works on something in the background: end that first");
	}
	if (t->process == VY_PROCESS_STARTING) {
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
	rewind_push(&t->rewind, &step);
	turn_set(&t->rewind.at, b->at);
	t->rewind.is_due = true;
	if (!b->at.n) {
		turn_set(&t->rewind.fork_of, vy_str_n(NULL, 0));
	}
	t->is_taken_once = t->is_taken_once && b->at.n > 0;
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
	rewind_step_fini(s);
	t->rewind.n--;
	t->rev++;
	turn_rest(t, "rewind", REST_MS, fx);
}

const struct rewind *turn_rewind(const struct turn *t)
{
	return &t->rewind;
}

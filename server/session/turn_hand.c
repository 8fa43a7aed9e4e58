/* turn_hand.c -- words that go to somebody else who has the conversation open (turn.h). They are taken
 * without a turn of ours: its answer is in the other's history, and comes here with that. */
#include "server/session/turn_state.h"

#include "shared/base/ban.h"

static bool may_go(const struct turn *t, const struct vy_queue_item *it)
{
	return it->state == VY_ITEM_WAITING && it->images.n == 0 &&
	       !(t->first && vy_str_is(it->message, t->first));
}

size_t turn_to_hand(const struct turn *t, size_t max, struct vy_json *messages, struct vy_buf *text)
{
	size_t n = 0;

	for (size_t i = 0; !t->queue.held && i < t->queue.n; i++) {
		const struct vy_queue_item *it = &t->queue.items[i];

		/* none goes before one that said it sooner */
		if (!may_go(t, it) || text->len + it->text.n + 2 > max) {
			break;
		}
		vy_buf_adds(text, n ? "\n\n" : "");
		vy_buf_addstr(text, it->text);
		vy_json_add_take(messages, vy_json_new_str(it->message));
		n++;
	}
	return n;
}

bool turn_handed(struct turn *t, struct vy_str message, struct effects *fx)
{
	const struct vy_queue_item *it = vy_queue_find(&t->queue, message);
	struct vy_err e = { 0 };

	if (!it || !may_go(t, it)) {
		return false;
	}
	struct vy_frame *f = fx_user(t, it, "picked-up", fx);
	struct vy_str id = fx_keep(fx, message);

	f->turn = vy_str_n(NULL, 0);
	vy_frame_set_c(f, VY_F_VIA, "elsewhere");
	turn_context_back(t, id);
	turn_word_drop(t, id);
	vy_assert(vy_queue_told(&t->queue, id, &e) == 0 && vy_queue_taken(&t->queue, id, &e) == 0);
	t->rev++;
	turn_let_go(t, fx);
	turn_check_want(t, fx);
	return true;
}

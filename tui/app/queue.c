/* queue.c -- see queue.h. */
#include "tui/app/queue.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "tui/app/say.h"
#include "shared/base/ban.h"

const struct vy_row *queue_newest(struct app_state *s)
{
	size_t n = vy_fold_state(s->fold)->queued;

	return n ? vy_fold_queued(s->fold, n - 1) : NULL;
}

void queue_edit(struct app_state *s)
{
	const struct vy_row *r = queue_newest(s);

	composer_put(&s->composer, r->message.text);
	free(s->editing);
	s->editing = vy_memdup0(r->message.message.p, r->message.message.n);
}

void queue_drop(struct app_state *s, struct app_effects *fx)
{
	const struct vy_row *r = queue_newest(s);

	if (!r) {
		return;
	}
	vy_json_set_str(app_call(s, fx, "threads.unqueue"), "queued", r->message.message);
	if (edit_is_empty(&s->composer.edit)) { /* the words are not thrown away */
		composer_put(&s->composer, r->message.text);
	}
}

void queue_now(struct app_state *s, struct app_effects *fx)
{
	const struct vy_row *r = queue_newest(s);

	if (r) {
		vy_json_set_str(app_call(s, fx, "threads.send_now"), "queued", r->message.message);
	}
}

void queue_move(struct app_state *s, bool up, struct app_effects *fx)
{
	size_t n = vy_fold_state(s->fold)->queued;
	const struct vy_row *last = n > 1 ? vy_fold_queued(s->fold, n - 1) : NULL;

	if (!last) {
		return;
	}
	/* Up: the newest goes before the one above it. Down: the first goes to the end. */
	const struct vy_row *first = vy_fold_queued(s->fold, 0);
	const struct vy_row *above = vy_fold_queued(s->fold, n - 2);
	struct vy_json *p = app_call(s, fx, "threads.move");

	vy_json_set_str(p, "queued", up ? last->message.message : first->message.message);
	if (up) {
		vy_json_set_str(p, "before", above->message.message);
	}
}

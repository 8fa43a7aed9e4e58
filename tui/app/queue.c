/* queue.c -- see queue.h. The picked one is known by its id (s->editing): rows come and go. */
#include "tui/app/queue.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "tui/app/say.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

static size_t count(const struct app_state *s)
{
	return vy_fold_state(s->fold)->queued;
}

/* The index of the picked one, else of the newest; false: nothing waits. */
static bool at_hand(const struct app_state *s, size_t *i)
{
	size_t n = count(s);

	for (*i = 0; s->editing && *i < n; (*i)++) {
		if (vy_str_is(vy_fold_queued(s->fold, *i)->message.message, s->editing)) {
			return true;
		}
	}
	*i = n ? n - 1 : 0;
	return n > 0 && !s->editing;
}

static struct vy_json *call_for(
	struct app_state *s, const char *method, size_t i, struct app_effects *fx)
{
	struct vy_json *p = app_call(s, fx, method);

	vy_json_set_str(p, "queued", vy_fold_queued(s->fold, i)->message.message);
	return p;
}

/* ---- picking ---- */

static void leave(struct app_state *s)
{
	free(s->editing);
	s->editing = NULL;
}

static void pick(struct app_state *s, size_t i)
{
	const struct vy_row_message *m = &vy_fold_queued(s->fold, i)->message;

	leave(s);
	composer_put(&s->composer, m->text);
	s->editing = vy_memdup0(m->message.p, m->message.n);
}

static bool is_changed(const struct app_state *s, size_t i)
{
	VY_AUTO_BUF now = VY_BUF_INIT(EDIT_MAX);

	edit_whole(&s->composer.edit, &now);
	return !vy_str_eq(vy_buf_str(&now), vy_fold_queued(s->fold, i)->message.text);
}

static void keep_change(struct app_state *s, size_t i, struct app_effects *fx)
{
	VY_AUTO_BUF now = VY_BUF_INIT(EDIT_MAX);

	if (edit_is_empty(&s->composer.edit) || !is_changed(s, i)) {
		return;
	}
	edit_whole(&s->composer.edit, &now);
	vy_json_set_str(call_for(s, "threads.edit", i, fx), "text", vy_buf_str(&now));
}

static void clear(struct app_state *s)
{
	edit_set(&s->composer.edit, vy_str_n(NULL, 0));
}

/* Is there a line above, or below, the cursor? */
static bool has_line(const struct edit *e, bool above)
{
	struct vy_str t = edit_text(e);

	return above ? e->at && memchr(t.p, '\n', e->at)
		     : t.n > e->at && memchr(t.p + e->at, '\n', t.n - e->at);
}

bool queue_up(struct app_state *s, struct app_effects *fx)
{
	size_t i;

	if (!at_hand(s, &i)) {
		return false;
	}
	if (!s->editing) {
		bool is_empty = edit_is_empty(&s->composer.edit);

		if (is_empty) {
			pick(s, i);
		}
		return is_empty;
	}
	if (has_line(&s->composer.edit, true)) {
		return false;
	}
	if (i > 0) {
		keep_change(s, i, fx);
		pick(s, i - 1);
	}
	return true;
}

bool queue_down(struct app_state *s, struct app_effects *fx)
{
	size_t i;

	if (!s->editing || !at_hand(s, &i) || has_line(&s->composer.edit, false)) {
		return false;
	}
	keep_change(s, i, fx);
	if (i + 1 < count(s)) {
		pick(s, i + 1);
	} else {
		leave(s);
		clear(s);
	}
	return true;
}

void queue_keep(struct app_state *s, struct app_effects *fx)
{
	size_t i;

	if (at_hand(s, &i)) {
		keep_change(s, i, fx);
		clear(s);
	}
	leave(s);
}

void queue_give_up(struct app_state *s)
{
	leave(s);
	clear(s);
}

void queue_changed(struct app_state *s, struct app_effects *fx)
{
	size_t i;

	if (s->has_interrupted && vy_fold_state(s->fold)->held) {
		s->has_interrupted = false;
		if (s->queue_goes && count(s)) {
			app_call(s, fx, "threads.release");
		}
	}
	if (s->editing && !at_hand(s, &i)) {
		leave(s);
		app_flash(s, _("that one was taken in, or back, meanwhile; its words stay here"));
	}
}

/* ---- acts ---- */

/* What the server refused: its words come back. */
static bool drop_refused(struct app_state *s, struct app_effects *fx)
{
	for (size_t i = s->n_unsent; i-- > 0;) {
		const struct app_unsent *u = &s->unsent[i];

		if (u->why) {
			app_effect(fx, APP_DROP)->text = vy_strdup(u->id);
			if (edit_is_empty(&s->composer.edit)) {
				composer_put(&s->composer, vy_str_c(u->text));
			}
			return true;
		}
	}
	return false;
}

void queue_drop(struct app_state *s, struct app_effects *fx)
{
	size_t i;

	if (!s->editing && drop_refused(s, fx)) {
		return;
	}
	if (!at_hand(s, &i)) {
		return;
	}
	call_for(s, "threads.unqueue", i, fx);
	if (s->editing) { /* its words stand there already, with what was changed */
		leave(s);
	} else if (edit_is_empty(&s->composer.edit)) {
		composer_put(&s->composer, vy_fold_queued(s->fold, i)->message.text);
	}
}

void queue_now(struct app_state *s, struct app_effects *fx)
{
	size_t i;

	if (!at_hand(s, &i)) {
		return;
	}
	if (s->editing && is_changed(s, i) && !edit_is_empty(&s->composer.edit)) {
		/* Two calls may come in any order: the old words go, the new ones are a message. */
		call_for(s, "threads.unqueue", i, fx);
		leave(s);
		app_say_as(s, "now", fx);
		return;
	}
	call_for(s, "threads.send_now", i, fx);
	if (s->editing) {
		queue_give_up(s);
	}
}

void queue_move(struct app_state *s, bool up, struct app_effects *fx)
{
	size_t n = count(s), i;

	if (!at_hand(s, &i) || (up ? i == 0 : i + 1 == n)) {
		return;
	}
	struct vy_json *p = call_for(s, "threads.move", i, fx);
	size_t before = up ? i - 1 : i + 2;

	if (before < n) {
		vy_json_set_str(p, "before", vy_fold_queued(s->fold, before)->message.message);
	}
}

/* outcome.c -- see outcome.h.
 *
 * `status waiting` is the last frame of a turn, whatever became of it; what went wrong is said
 * before it (`status failed`) or with it (the note "interrupted"). */
#include "tui/cmd/outcome.h"

#include <stdio.h>
#include <string.h>

#include "tui/words/words.h"
#include "shared/base/ban.h"

void outcome_init(struct outcome *o, const char *message)
{
	*o = (struct outcome){ .state = OUTCOME_UNSEEN };
	snprintf(o->message, sizeof(o->message), "%s", message);
}

static void fail(struct outcome *o, const char *why)
{
	o->state = OUTCOME_FAILED;
	snprintf(o->why, sizeof(o->why), "%s", why);
}

static void on_message(struct outcome *o, const struct vy_frame *f)
{
	if (!vy_str_is(vy_frame_str(f, VY_F_MESSAGE), o->message)) {
		return;
	}
	if (vy_frame_is(f, VY_F_STATE, "cancelled")) {
		fail(o, _("the message was taken back"));
	} else if (vy_frame_is(f, VY_F_STATE, "queued")) {
		o->state = OUTCOME_WAITING;
		o->turn[0] = '\0';
	} else { /* sent, picked-up */
		o->state = OUTCOME_RUNNING;
		o->why[0] = '\0';
		snprintf(o->turn, sizeof(o->turn), "%.*s", VY_STR_ARG(f->turn));
	}
}

bool outcome_is_of(const struct outcome *o, const struct vy_frame *f)
{
	return o->turn[0] && vy_str_is(f->turn, o->turn);
}

static void keep_reason(struct outcome *o, const struct vy_frame *f)
{
	struct vy_str why = vy_frame_str(f, VY_F_NOTE);

	if (why.n == 0) {
		why = vy_frame_str(f, VY_F_REASON);
	}
	if (why.n == 0) {
		why = vy_str_c(_("the turn failed"));
	}
	snprintf(o->why, sizeof(o->why), "%.*s", VY_STR_ARG(why));
}

/* While the message waits: what keeps it from being taken at all. */
static void while_waiting(struct outcome *o, const struct vy_frame *f)
{
	if (vy_frame_bool(f, VY_F_HELD)) {
		fail(o, _("the queue is held after an interrupt; the message waits in it"));
	} else if (vy_frame_is(f, VY_F_STATE, "stopped")) {
		fail(o, _("the session was stopped; the message waits in its queue"));
	}
}

static void on_status(struct outcome *o, const struct vy_frame *f)
{
	if (o->state == OUTCOME_WAITING) {
		while_waiting(o, f);
		return;
	}
	if (vy_frame_is(f, VY_F_STATE, "stopped")) {
		fail(o, _("the session was stopped"));
		return;
	}
	if (!outcome_is_of(o, f)) {
		return;
	}
	if (vy_frame_is(f, VY_F_STATE, "failed")) {
		keep_reason(o, f);
	} else if (vy_frame_is(f, VY_F_STATE, "waiting")) {
		if (vy_frame_is(f, VY_F_NOTE, "interrupted")) {
			fail(o, _("the turn was interrupted"));
		} else {
			o->state = o->why[0] ? OUTCOME_FAILED : OUTCOME_OK;
		}
	} else if (vy_frame_is(f, VY_F_STATE, "finished")) {
		o->state = o->why[0] ? OUTCOME_FAILED : OUTCOME_OK;
	}
}

void outcome_step(struct outcome *o, const struct vy_frame *f)
{
	if (outcome_is_over(o)) {
		return;
	}
	if (f->kind == VY_KIND_USER_MESSAGE) {
		on_message(o, f);
	} else if (f->kind == VY_KIND_STATUS && o->state != OUTCOME_UNSEEN) {
		on_status(o, f);
	}
}

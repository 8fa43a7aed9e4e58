/* standing.c -- see standing.h. */
#include "shared/frame/standing.h"

#include <string.h>

#include "shared/base/err.h"
#include "shared/base/limits.h"
#include "shared/frame/backoff.h"
#include "shared/base/ban.h"

#define RETRY_LEAST 50

enum { CODE_DONE = 1000, CODE_RESTARTING = 1012, CODE_LATER = 1013 };

struct step {
	struct vy_standing *s;
	const struct vy_standing_event *ev;
	struct vy_standing_out *out;
};

static void emit(struct step *st, enum vy_standing_effect e)
{
	vy_assert(st->out->n < VY_COUNT(st->out->e));
	st->out->e[st->out->n++] = e;
}

static void attempt(struct step *st)
{
	st->s->tries++;
	st->s->heard_ms = st->ev->now_ms;
	st->s->state = VY_STANDING_OPENING;
	emit(st, VY_STANDING_DO_OPEN);
}

/* At once when the last connection brought something. */
static void again(struct step *st)
{
	struct vy_standing *s = st->s;

	if (s->tries == 0) {
		attempt(st);
		return;
	}
	s->state = VY_STANDING_WAITING;
	s->due_ms = st->ev->now_ms + vy_backoff_ms(s->first_ms, s->tries, st->ev->random);
	emit(st, VY_STANDING_DO_WAIT);
}

static void later(struct step *st)
{
	st->s->tries += st->s->tries == 0; /* not at once */
	emit(st, VY_STANDING_DO_CLOSE);
	again(st);
}

static void end(struct step *st, enum vy_standing_state state)
{
	st->s->state = state;
	emit(st, VY_STANDING_DO_CLOSE);
	emit(st, state == VY_STANDING_OVER ? VY_STANDING_DO_END : VY_STANDING_DO_GIVE_UP);
}

static bool is_trying(const struct vy_standing *s)
{
	return s->state == VY_STANDING_OPENING || s->state == VY_STANDING_LIVE;
}

/* ---- events ---- */

static void item(struct step *st)
{
	struct vy_standing *s = st->s;
	struct vy_str id = st->ev->id;

	s->tries = s->bad = 0;
	if (id.n && id.n <= VY_SSE_ID_MAX) {
		memcpy(s->last, id.p, id.n);
		s->last[id.n] = '\0';
	}
	emit(st, VY_STANDING_DO_DELIVER);
	if (st->ev->is_last) {
		end(st, VY_STANDING_OVER);
	}
}

static void misfit(struct step *st)
{
	if (++st->s->bad >= VY_STANDING_BAD) {
		end(st, VY_STANDING_LOST);
	} else {
		later(st);
	}
}

static void goodbye(struct step *st)
{
	switch (st->ev->code) {
	case CODE_DONE: end(st, VY_STANDING_OVER); break;
	case CODE_RESTARTING:
	case CODE_LATER: later(st); break;
	default: end(st, VY_STANDING_LOST); break;
	}
}

/* A server that is busy or broken may be better later; what it does not have, or not for us, stays so. */
static void refused(struct step *st)
{
	int status = st->ev->code;

	if (status == 204) {
		end(st, VY_STANDING_OVER);
	} else if (status == 408 || status == 429 || (status >= 500 && status != 501)) {
		later(st);
	} else {
		end(st, VY_STANDING_LOST);
	}
}

static void tick(struct step *st)
{
	struct vy_standing *s = st->s;

	if (s->state == VY_STANDING_WAITING && st->ev->now_ms >= s->due_ms) {
		attempt(st);
	} else if (is_trying(s) && st->ev->now_ms - s->heard_ms >= VY_DEAD_MS) {
		emit(st, VY_STANDING_DO_CLOSE);
		again(st);
	}
}

/* What only an open connection can say. */
static void heard(struct step *st)
{
	struct vy_standing *s = st->s;

	if (!is_trying(s)) {
		return;
	}
	s->heard_ms = st->ev->now_ms;
	switch ((int)st->ev->type) {
	case VY_STANDING_OPENED: s->state = VY_STANDING_LIVE; break;
	case VY_STANDING_ITEM: item(st); break;
	case VY_STANDING_MISFIT: misfit(st); break;
	case VY_STANDING_GOODBYE: goodbye(st); break;
	case VY_STANDING_REFUSED: refused(st); break;
	case VY_STANDING_CLOSED: again(st); break;
	case VY_STANDING_RETRY:
		s->first_ms = st->ev->ms < RETRY_LEAST          ? RETRY_LEAST
			      : st->ev->ms > VY_BACKOFF_MOST_MS ? VY_BACKOFF_MOST_MS
								: st->ev->ms;
		break;
	default: break;
	}
}

void vy_standing_init(struct vy_standing *s, const char *last)
{
	size_t n = last ? strlen(last) : 0;

	*s = (struct vy_standing){ .first_ms = VY_BACKOFF_FIRST_MS };
	if (n && n <= VY_SSE_ID_MAX) {
		memcpy(s->last, last, n + 1);
	}
}

void vy_standing_step(
	struct vy_standing *s, const struct vy_standing_event *ev, struct vy_standing_out *out)
{
	struct step st = { s, ev, out };

	out->n = 0;
	switch (ev->type) {
	case VY_STANDING_START:
		if (!is_trying(s)) {
			s->tries = s->bad = 0;
			attempt(&st);
		}
		break;
	case VY_STANDING_PATH:
		if (s->state == VY_STANDING_WAITING) {
			attempt(&st);
		}
		break;
	case VY_STANDING_TICK: tick(&st); break;
	case VY_STANDING_STOP:
		if (is_trying(s)) {
			emit(&st, VY_STANDING_DO_CLOSE);
		}
		s->state = VY_STANDING_IDLE;
		break;
	case VY_STANDING_OPENED:
	case VY_STANDING_ITEM:
	case VY_STANDING_MISFIT:
	case VY_STANDING_BYTES:
	case VY_STANDING_RETRY:
	case VY_STANDING_GOODBYE:
	case VY_STANDING_CLOSED:
	case VY_STANDING_REFUSED: heard(&st); break;
	}
}

int64_t vy_standing_due(const struct vy_standing *s)
{
	if (s->state == VY_STANDING_WAITING) {
		return s->due_ms;
	}
	return is_trying(s) ? s->heard_ms + VY_DEAD_MS : INT64_MAX;
}

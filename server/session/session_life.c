/* session_life.c -- a session as the ledger of processes sees it, and what that has it do. */
#include "server/session/session_in.h"

#include "server/session/table_adopt.h"
#include "shared/base/ban.h"

static int viewers(const struct session *s)
{
	return s->conf->viewers(s->conf->ctx, s->record->session);
}

enum live_use session_use(const struct session *s)
{
	if (!s->runner && !turn_has_process(s->turn)) {
		return LIVE_ABSENT;
	}
	if (turn_is_stopping(s->turn) || s->record->is_deleted) {
		return LIVE_LEAVING;
	}
	if (s->is_spare) {
		return s->is_spare_over ? LIVE_LEAVING : LIVE_SPARE;
	}
	if (!turn_can_rest(s->turn) || !LIST_EMPTY(&s->shells)) {
		return LIVE_BUSY;
	}
	return viewers(s) > 0 ? LIVE_WATCHED : LIVE_IDLE;
}

/* What it was interrupted in, and what then waits, is a person's to go on with. */
bool session_is_finished(const struct session *s)
{
	return s->record->is_once && turn_number(s->turn) > 0 && turn_queued(s->turn) == 0 &&
	       turn_can_rest(s->turn);
}

bool session_wants(const struct session *s)
{
	return turn_wants(s->turn);
}

int64_t session_place_in_line(const struct session *s)
{
	return turn_place(s->turn);
}

void session_rest(struct session *s, const char *reason)
{
	turn_rest(s->turn, reason, SESSION_GRACE_MS, &s->fx);
	session_run(s);
}

void session_go(struct session *s)
{
	s->use = -1;
	table_adopt_catch_up(s->table, s); /* what was said elsewhere while a word waited */
	turn_go(s->turn, &s->fx);
	session_run(s);
}

void session_soon(struct session *s)
{
	turn_soon(s->turn, &s->fx);
	session_run(s);
}

void session_waits(struct session *s, const char *reason, int64_t position, const char *note)
{
	turn_waits(s->turn, reason, position, note, &s->fx);
	session_run(s);
}

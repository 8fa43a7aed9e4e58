/* session_spare.c -- a session that is nobody's yet, and how it becomes somebody's (table_spare.c). */
#include "server/session/session_in.h"

#include "shared/base/ban.h"

bool session_is_spare(const struct session *s)
{
	return s->is_spare;
}

void session_warm(struct session *s, struct vy_buf *key)
{
	s->is_spare = true;
	(void)session_launch_key(s, key);
	turn_warm(s->turn, &s->fx);
	session_run(s);
}

bool session_can_be_taken(const struct session *s)
{
	return s->is_spare && !s->is_spare_over && s->runner && !turn_is_unready(s->turn) &&
	       turn_can_rest(s->turn);
}

bool session_key_as(struct session *s, struct record *r, struct vy_buf *key)
{
	struct record *own = s->record;
	char *id = r->session;
	bool is_good;

	r->session = own->session;
	s->record = r;
	is_good = session_launch_key(s, key);
	s->record = own;
	r->session = id;
	return is_good;
}

void session_take(struct session *s, struct record **own_r)
{
	struct record *r = *own_r;

	*own_r = NULL;
	record_set(&r->session, vy_str_c(s->record->session));
	record_set(&r->agent_id, vy_str_c(s->record->agent_id));
	record_free(s->record);
	s->record = r;
	s->is_spare = false;
	s->is_fresh = s->is_record_new = true;
	s->turn_rev = 0; /* nothing of it is stored */
	session_run(s);
}

void session_end_spare(struct session *s)
{
	s->is_spare = s->is_spare_over = true;
	if (s->runner) {
		runner_end(s->runner, SESSION_GRACE_MS);
	}
	session_run(s);
}

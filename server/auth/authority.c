/* authority.c -- see authority.h. */
#include "server/auth/authority.h"

#include <string.h>

#include "shared/base/ban.h"

static bool same(const char *a, const char *b)
{
	return a && b && a[0] && strcmp(a, b) == 0;
}

/* Before any session is looked up, so that a refusal tells nothing about one. */
static enum authority by_reach(const struct caller *who, enum vy_reach reach, bool writes)
{
	bool is_placed = who->kind == CALLER_PERSON || who->kind == CALLER_AGENT;

	if (reach == VY_REACH_PERSON && who->kind != CALLER_PERSON) {
		return who->is_confined ? AUTHORITY_NO_METHOD : AUTHORITY_PERSON_ONLY;
	}
	if (!is_placed && (writes || reach != VY_REACH_ANYONE)) {
		return AUTHORITY_PERSON_ONLY;
	}
	return AUTHORITY_ALLOWED;
}

enum authority authority_judge(const struct caller *who, enum vy_reach reach, bool writes,
	bool names, const struct authority_session *s)
{
	enum authority first = by_reach(who, reach, writes);
	bool is_own, is_started;

	if (first != AUTHORITY_ALLOWED || !names) {
		return first;
	}
	if (!s || !same(s->person, who->person)) {
		return AUTHORITY_NOT_FOUND;
	}
	if (who->kind != CALLER_AGENT) {
		return AUTHORITY_ALLOWED;
	}
	is_own = same(s->id, who->session);
	is_started = same(s->started_by, who->session);
	if ((writes && !is_own && !is_started) || (reach == VY_REACH_OWN && !is_own)) {
		return AUTHORITY_DENIED;
	}
	return AUTHORITY_ALLOWED;
}

bool authority_observes(const struct caller *who)
{
	return who->kind == CALLER_PERSON && !who->is_confined && strcmp(who->device, "local") == 0;
}

/* session_paid.c -- what pays for a session's agent: chosen when it starts, said when it changes, and
 * what comes of a limit that is reached (design/life.md, "Money"). */
#include "server/session/session_in.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server/provider/auth.h"
#include "server/session/payer.h"
#include "shared/base/clock.h"
#include "shared/base/log.h"
#include "shared/base/ban.h"

#define WORDS_MAX 512
#define FAR_MS    (20LL * 3600 * 1000) /* a time of day alone would be read as today's */

/* " until 17:00 CET"; empty when nobody said. */
static void until_words(const struct session *s, int64_t until, char out[64])
{
	time_t at = (time_t)(until / 1000);
	bool is_far = until - vy_wall_ms(s->conf->clock) > FAR_MS;
	struct tm tm;

	out[0] = '\0';
	if (until > 0 && localtime_r(&at, &tm)) {
		strftime(out, 64, is_far ? " until %a %H:%M %Z" : " until %H:%M %Z", &tm);
	}
}

/* As the first word of a sentence. */
static void limit_words(
	const struct session *s, const char *auth, int64_t until, char out[WORDS_MAX])
{
	char when[64];

	until_words(s, until, when);
	snprintf(out, WORDS_MAX, "The%s's limit is reached%s", auth_says(auth) + 3, when);
}

static const char *price_words(const char *auth)
{
	return strcmp(auth, "api-key") == 0 ? ", which is paid by use" : "";
}

static void switch_words(const struct session *s, const char *from, const char *to, int64_t until,
	char out[WORDS_MAX])
{
	char limit[WORDS_MAX];

	limit_words(s, from, until, limit);
	snprintf(out, WORDS_MAX, "%.300s; this session goes on with %s%s.", limit, auth_says(to),
		price_words(to));
}

void session_tell_of_payer(struct session *s)
{
	const struct provider_conf *pc = s->conf->provider(s->conf->ctx, s->record->provider);
	struct record *r = s->record;
	char words[WORDS_MAX];

	if (!pc || !r->auth || strcmp(r->told_auth ? r->told_auth : auth_of(pc), r->auth) == 0) {
		return;
	}
	const char *first = auth_of(pc);

	if (strcmp(r->auth, first) == 0) {
		snprintf(words, sizeof(words), "T%s pays for this session again.",
			auth_says(first) + 1);
	} else {
		int64_t until = table_limit_until(s->table, pc->name, first);

		switch_words(s, first, r->auth, until, words);
	}
	record_set(&r->told_auth, vy_str_c(r->auth));
	s->is_record_new = true;
	turn_note(s->turn, words, &s->fx);
}

void session_is_paid(struct session *s, const char *auth)
{
	struct record *r = s->record;

	if (!r->auth || strcmp(r->auth, auth) != 0) {
		record_set(&r->auth, vy_str_c(auth));
		vy_json_free(r->limits);
		r->limits = vy_json_ref(table_limit(s->table, r->provider, auth));
		s->is_record_new = true;
	}
	if (!s->is_spare) {
		session_tell_of_payer(s);
	}
}

void session_limit_heard(struct session *s, struct vy_json *limit)
{
	struct record *r = s->record;

	if (r->auth && limit) {
		table_limit_heard(s->table, r->provider, r->auth, limit);
		vy_json_free(r->limits);
		r->limits = vy_json_ref(limit);
		s->is_record_new = true;
	}
}

static void wait_words(struct session *s, const struct provider_conf *pc, const char *auth,
	int64_t until, char out[WORDS_MAX])
{
	char limit[WORDS_MAX], secret[AUTH_SECRET_MAX];
	bool goes_on = table_goes_on_after_limit(s->table);
	bool has_other = pc->fallback && strcmp(pc->fallback, auth) != 0;

	limit_words(s, auth, until, limit);
	snprintf(out, WORDS_MAX, "%.200s. What was said waits%s", limit,
		goes_on ? ", and goes on by itself then." : " until it is released.");
	if (has_other && auth_secret(pc, pc->fallback, secret) &&
		!s->conf->has_secret(s->conf->ctx, secret)) {
		size_t n = strlen(out);

		snprintf(out + n, WORDS_MAX - n,
			" %s could pay, but is not set: `vyred secret set %s`.", pc->fallback,
			secret);
	}
}

void session_limited(struct session *s, const struct agent_event *ev)
{
	const struct provider_conf *pc = s->conf->provider(s->conf->ctx, s->record->provider);
	const char *auth = s->record->auth;
	struct payer_next next = { 0 };
	struct turn_limit l = { 0 };
	char words[WORDS_MAX], was[32];

	if (!pc || !auth_is(auth)) {
		turn_heard(s->turn, ev, &s->fx);
		return;
	}
	table_limit_reached(s->table, pc, auth, &next);
	snprintf(was, sizeof(was), "%s", auth);
	if (next.auth) {
		switch_words(s, was, next.auth, next.is_guess ? 0 : next.until, words);
		record_set(&s->record->told_auth, vy_str_c(next.auth));
		s->is_record_new = true;
	} else {
		wait_words(s, pc, was, next.is_guess ? 0 : next.until, words);
	}
	vy_log(VY_LOG_INFO, "limit.reached", "session=%s auth=%s next=%s until=%lld",
		s->record->session, was, next.auth ? next.auth : "-", (long long)next.until);
	l.goes_on = next.auth != NULL;
	l.note = vy_str_c(words);
	l.until = next.until;
	turn_limited(s->turn, ev, &l, &s->fx);
}

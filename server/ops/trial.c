/* trial.c -- see trial.h. */
#include "server/ops/trial.h"

#include <stdlib.h>

#include "server/ops/house.h"
#include "shared/base/clock.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define GRACE_MS 2000

static int64_t now_ms(void)
{
	return vy_boot_ms(&vy_clock_real);
}

void trial_leave(struct trial *r)
{
	free(r->session);
	r->session = NULL;
}

void trial_fini(struct trial *r)
{
	trial_leave(r);
	heard_fini(&r->t);
	free(r->odd_mode);
	r->odd_mode = NULL;
}

struct vy_json *trial_call(
	struct trial *r, const char *method, const char *key, const char *value, struct vy_err *e)
{
	struct vy_json *params = vy_json_new_obj();

	vy_json_set_c(params, "session", r->session);
	if (key) {
		vy_json_set_c(params, key, value);
	}
	return house_call(r->house, method, params, e);
}

int trial_begin(struct trial *r, struct vy_err *e)
{
	static const char *const handed_on[] = { "PATH", "LANG", "TZ" };
	struct vy_json *params = vy_json_new_obj(), *env = vy_json_new_obj();

	for (size_t i = 0; i < VY_COUNT(handed_on); i++) {
		vy_json_set_c(env, handed_on[i], getenv(handed_on[i]));
	}
	vy_json_set_c(params, "provider", r->provider);
	vy_json_set_c(params, "cwd", house_folder(r->house));
	vy_json_take(params, "env", env);
	VY_AUTO_JSON *record = house_call(r->house, "threads.start", params, e);

	if (!record) {
		return -1;
	}
	r->session = vy_strdup(vy_json_cstr(record, "session"));
	VY_AUTO_JSON *heard = trial_call(r, "stream.subscribe", NULL, NULL, e);

	if (!heard) {
		trial_leave(r);
		return -1;
	}
	return 0;
}

int trial_tell(struct trial *r, const char *text, struct vy_err *e)
{
	heard_fini(&r->t);
	if (!r->session && trial_begin(r, e) != 0) {
		return -1;
	}
	VY_AUTO_JSON *sent = trial_call(r, "threads.send", "text", text, e);
	const char *turn = vy_json_cstr(sent, "turn"), *why = vy_json_cstr(sent, "reason");

	if (!sent) {
		return -1;
	}
	if (!turn) {
		return vy_fail(e, VY_BUSY, "what was said waits: %s", why ? why : "a turn runs");
	}
	heard_init(&r->t, r->session, turn);
	return 0;
}

bool trial_step(struct trial *r, int ms)
{
	VY_AUTO_JSON *frame = house_frame(r->house, ms);

	if (frame) {
		heard_frame(&r->t, frame);
	}
	if (r->t.odd_mode && !r->odd_mode) {
		r->odd_mode = vy_strdup(r->t.odd_mode);
	}
	return frame != NULL;
}

bool trial_listen(struct trial *r, bool stops_at_ask)
{
	int64_t until = now_ms() + TRIAL_MS;

	while (!r->t.is_over && !(stops_at_ask && r->t.ask)) {
		if (!trial_step(r, 1000) && (now_ms() > until || house_is_over(r->house))) {
			return false;
		}
	}
	return true;
}

int trial_allow(struct trial *r, struct vy_err *e)
{
	struct vy_json *params = vy_json_new_obj();

	vy_json_set_c(params, "ask", r->t.ask);
	vy_json_set_c(params, "decision", "allow");
	free(r->t.ask);
	r->t.ask = NULL;
	VY_AUTO_JSON *done = house_call(r->house, "threads.answer", params, e);

	return done ? 0 : -1;
}

bool trial_let(struct trial *r)
{
	struct vy_err e = { 0 };

	while (trial_listen(r, true)) {
		if (r->t.is_over) {
			return true;
		}
		if (trial_allow(r, &e) != 0) {
			return false;
		}
	}
	return false;
}

int trial_stop(struct trial *r, struct vy_err *e)
{
	int64_t until = now_ms() + TRIAL_MS;
	struct vy_json *params = vy_json_new_obj();

	vy_json_set_c(params, "session", r->session);
	vy_json_set_int(params, "grace_ms", GRACE_MS);
	VY_AUTO_JSON *stopping = house_call(r->house, "threads.stop", params, e);

	while (stopping && !r->t.is_stopped) {
		if (!trial_step(r, 1000) && (now_ms() > until || house_is_over(r->house))) {
			return vy_fail(e, VY_RETRY, "it was told to stop and did not");
		}
	}
	return stopping ? 0 : -1;
}

static pid_t first_of(const struct vy_json *list)
{
	return (pid_t)vy_json_intval(vy_json_at(list, 0), 0);
}

struct pids trial_pids(struct trial *r)
{
	struct vy_err e = { 0 };
	VY_AUTO_JSON *all = house_call(r->house, "threads.pids", vy_json_new_obj(), &e);
	const struct vy_json *list = vy_json_get(all, "pids");
	struct pids p = { 0 };

	for (size_t i = 0; r->session && i < vy_json_len(list); i++) {
		const struct vy_json *one = vy_json_at(list, i);

		if (vy_str_is(vy_json_str(one, "session"), r->session)) {
			p.pid = (pid_t)vy_json_int(one, "pid", 0);
			p.group = first_of(vy_json_get(one, "pgids"));
			p.session = first_of(vy_json_get(one, "sids"));
		}
	}
	return p;
}

char *trial_agents_id(struct trial *r)
{
	struct vy_err e = { 0 };
	VY_AUTO_JSON *record = trial_call(r, "threads.get", NULL, NULL, &e);
	const char *own = vy_json_cstr(record, "agent_session");

	return vy_strdup(own ? own : r->session);
}

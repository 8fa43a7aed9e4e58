/* contact.c -- see contact.h. */
#include "tui/net/contact.h"

#include <stdlib.h>

#include "shared/base/clock.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define AGAIN_MS    200
#define PATIENCE_MS 5000 /* for a server that restarts */

struct waiting {
	struct vy_loop *loop;
	struct vy_json *result;
	struct vy_err err;
};

/* ---- a server ---- */

static void on_spawned(void *ctx, const struct vy_err *e)
{
	struct waiting *w = ctx;

	w->err = *e;
	vy_loop_stop(w->loop);
}

static int start_server(struct contact *c, struct vy_err *e)
{
	struct waiting w = { .loop = c->loop };
	struct spawn *s = spawn_start(c->loop, &c->place, on_spawned, &w);

	vy_loop_run(c->loop);
	spawn_free(s);
	return w.err.code == VY_OK ? 0 : vy_fail(e, VY_RETRY, "%s", w.err.text);
}

static int have_server(struct contact *c, struct vy_err *e)
{
	if (spawn_is_running(&c->place, e)) {
		return 0;
	}
	if (c->may_start) {
		return start_server(c, e);
	}
	return vy_fail(e, VY_RETRY,
		_("no server runs (vyre-tui, its new and its send start one): %s"),
		c->place.socket);
}

/* Inside an agent: the socket that is its own, when no other is asked for. */
static const char *agent_socket(const struct contact_conf *conf)
{
	const char *own = getenv("VYRE_SOCKET");

	return own && own[0] == '/' && !conf->connect && !conf->socket && !conf->state_dir ? own
											   : NULL;
}

int contact_open(struct contact *c, const struct contact_conf *conf, struct vy_err *e)
{
	const char *own = agent_socket(conf);

	*c = (struct contact){ .loop = vy_loop_new(),
		.is_local = !conf->connect,
		.may_start = conf->may_start && !conf->connect && !own,
		.timeout_ms = conf->timeout_ms };
	if (spawn_place_init(&c->place, conf->state_dir, own ? own : conf->socket, e) != 0) {
		return -1;
	}
	if (c->is_local && have_server(c, e) != 0) {
		return -1;
	}
	c->dial = dial_new(c->loop, conf->connect ? conf->connect : c->place.socket, e);
	if (!c->dial) {
		return -1;
	}
	c->rpc = rpc_new(c->dial);
	return 0;
}

void contact_close(struct contact *c)
{
	rpc_free(c->rpc);
	dial_free(c->dial);
	spawn_place_fini(&c->place);
	if (c->loop) {
		vy_loop_free(c->loop);
	}
	*c = (struct contact){ 0 };
}

/* ---- calls ---- */

static void on_answer(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct waiting *w = ctx;

	w->result = vy_json_copy(result);
	w->err = *e;
	vy_loop_stop(w->loop);
}

static void on_pause(void *ctx)
{
	vy_loop_stop(ctx);
}

static void pause_a_little(struct contact *c)
{
	struct vy_timer *t = vy_loop_timer(c->loop, on_pause, c->loop);

	vy_timer_set(t, AGAIN_MS);
	vy_loop_run(c->loop);
	vy_timer_del(t);
}

struct vy_json *contact_ask(struct contact *c, const char *method, struct vy_json *own_params,
	const char *key, struct vy_err *e)
{
	int64_t until = vy_boot_ms(&vy_clock_real) + PATIENCE_MS;
	struct waiting w = { .loop = c->loop };

	for (;;) {
		rpc_call(c->rpc, method, vy_json_copy(own_params), key, c->timeout_ms, on_answer,
			&w);
		vy_loop_run(c->loop);
		/* only where somebody was there a moment ago */
		if (w.result || w.err.code != VY_RETRY || !c->is_local ||
			vy_boot_ms(&vy_clock_real) > until) {
			break;
		}
		pause_a_little(c);
		if (c->may_start && !spawn_is_running(&c->place, NULL)) {
			(void)start_server(c, NULL);
		}
	}
	vy_json_free(own_params);
	if (!w.result) {
		vy_fail(e, w.err.code ? w.err.code : VY_BUG, "%s", w.err.text);
	}
	return w.result;
}

struct vy_json *contact_get(struct contact *c, const char *path, struct vy_err *e)
{
	struct waiting w = { .loop = c->loop };

	rpc_get(c->rpc, path, on_answer, &w);
	vy_loop_run(c->loop);
	if (!w.result) {
		vy_fail(e, w.err.code ? w.err.code : VY_BUG, "%s", w.err.text);
	}
	return w.result;
}

int contact_exit(enum vy_code code)
{
	switch (code) {
	case VY_OK: return EXIT_OK;
	case VY_BAD_INPUT: return EXIT_USAGE;
	case VY_NOT_FOUND:
	case VY_GONE: return EXIT_NOT_FOUND;
	case VY_DENIED:
	case VY_PERSON_ONLY: return EXIT_DENIED;
	case VY_RETRY: return EXIT_NO_SERVER;
	default: return EXIT_FAILED;
	}
}

/* ask.c -- see ask.h. */
#include "tui/net/ask.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "tui/net/rpc.h"
#include "tui/net/spawn.h"
#include "shared/base/ban.h"

#define TRIES     4
#define BREATH_MS 250

struct waiting {
	struct vy_loop *loop;
	struct vy_json *result;
	struct vy_err err;
};

static void on_spawned(void *ctx, const struct vy_err *e)
{
	struct waiting *w = ctx;

	w->err = *e;
	vy_loop_stop(w->loop);
}

int ask_server(struct vy_loop *l, const struct spawn_place *p, struct vy_err *e)
{
	struct waiting w = { .loop = l };
	struct spawn *s;

	if (spawn_is_running(p, NULL)) {
		return 0;
	}
	s = spawn_start(l, p, on_spawned, &w);
	vy_loop_run(l);
	spawn_free(s);
	return w.err.code == VY_OK ? 0 : vy_fail(e, w.err.code, "%s", w.err.text);
}

/* ---- calls ---- */

static void on_answer(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct waiting *w = ctx;

	w->result = vy_json_copy(result);
	w->err = *e;
	vy_loop_stop(w->loop);
}

static void stop(void *ctx)
{
	vy_loop_stop(ctx);
}

static void breathe(struct vy_loop *l)
{
	struct vy_timer *t = vy_loop_timer(l, stop, l);

	vy_timer_set(t, BREATH_MS);
	vy_loop_run(l);
	vy_timer_del(t);
}

struct vy_json *ask_call(struct vy_loop *l, struct rpc *r, const char *method,
	struct vy_json *own_params, const char *key, struct vy_err *e)
{
	struct waiting w = { .loop = l };

	for (int i = 0; i < (key ? TRIES : 1); i++) {
		if (i > 0) {
			breathe(l);
		}
		rpc_call(r, method, vy_json_copy(own_params), key, 0, on_answer, &w);
		vy_loop_run(l);
		if (w.err.code != VY_RETRY) {
			break;
		}
	}
	vy_json_free(own_params);
	if (!w.result) {
		vy_fail(e, w.err.code == VY_OK ? VY_BUG : w.err.code, "%s", w.err.text);
	}
	return w.result;
}

/* ---- which session ---- */

static bool fits(const struct vy_json *record, struct vy_str name)
{
	struct vy_str id = vy_json_str(record, "session");

	return (name.n >= 4 && id.n >= name.n && memcmp(id.p, name.p, name.n) == 0) ||
	       vy_str_eq(vy_json_str(record, "title"), name);
}

static bool is_of_folder(const struct vy_json *record, struct vy_str cwd)
{
	return vy_str_eq(vy_json_str(record, "cwd"), cwd);
}

/* The newest for which `is` holds, as a value of the caller's. */
static struct vy_json *pick(const struct vy_json *threads,
	bool (*is)(const struct vy_json *record, struct vy_str what), struct vy_str what)
{
	const struct vy_json *best = NULL;

	for (size_t i = 0; i < vy_json_len(threads); i++) {
		const struct vy_json *one = vy_json_at(threads, i);

		if (is(one, what) && (!best || vy_json_int(one, "updated", 0) >
						       vy_json_int(best, "updated", 0))) {
			best = one;
		}
	}
	return vy_json_copy(best);
}

struct vy_json *ask_named(struct vy_loop *l, struct rpc *r, const char *name, struct vy_err *e)
{
	VY_AUTO_JSON *list = ask_call(l, r, "threads.list", NULL, NULL, e);
	struct vy_json *found;

	if (!list) {
		return NULL;
	}
	found = pick(vy_json_get(list, "threads"), fits, vy_str_c(name));
	if (!found) {
		vy_fail(e, VY_NOT_FOUND, "there is no session called %s (vyre-tui ls lists them)",
			name);
	}
	return found;
}

struct vy_json *ask_newest(struct vy_loop *l, struct rpc *r, const char *cwd, struct vy_err *e)
{
	struct vy_json *params = vy_json_new_obj(), *filter = vy_json_new_obj(), *found;

	vy_json_set_c(filter, "cwd", cwd);
	vy_json_take(params, "filter", filter);
	VY_AUTO_JSON *list = ask_call(l, r, "threads.list", params, NULL, e);

	if (!list) {
		return NULL;
	}
	found = pick(vy_json_get(list, "threads"), is_of_folder, vy_str_c(cwd));
	if (!found) {
		vy_fail(e, VY_NOT_FOUND,
			"there is no session of this folder (vyre-tui new starts one)");
	}
	return found;
}

/* ---- a new one ---- */

/* What a person's agents get of the person's own environment. */
static struct vy_json *own_env(void)
{
	static const char *const names[] = { "PATH", "LANG", "LANGUAGE", "TZ", "SSH_AUTH_SOCK",
		"LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LC_TIME", "LC_COLLATE", "LC_NUMERIC" };
	struct vy_json *o = vy_json_new_obj();

	for (size_t i = 0; i < VY_COUNT(names); i++) {
		vy_json_set_c(o, names[i], getenv(names[i]));
	}
	return o;
}

static char *usable_provider(struct vy_loop *l, struct rpc *r, struct vy_err *e)
{
	struct vy_json *params = vy_json_new_obj();
	const struct vy_json *all;
	const char *demo = "demo";

	vy_json_take(params, "env", own_env());
	VY_AUTO_JSON *list = ask_call(l, r, "providers.list", params, NULL, e);

	if (!list) {
		return NULL;
	}
	all = vy_json_get(list, "providers");
	for (size_t i = 0; i < vy_json_len(all); i++) {
		const struct vy_json *p = vy_json_at(all, i);
		const char *name = vy_json_cstr(p, "name");

		if (vy_str_is(vy_json_str(p, "driver"), "demo")) {
			demo = name;
		} else if (name && vy_json_bool(p, "available", false)) {
			return vy_strdup(name);
		}
	}
	return vy_strdup(demo ? demo : "demo");
}

struct vy_json *ask_start(
	struct vy_loop *l, struct rpc *r, const struct ask_start *s, struct vy_err *e)
{
	char *provider = s->provider ? vy_strdup(s->provider) : usable_provider(l, r, e);
	struct vy_json *params;
	char key[VY_UUID_LEN + 1];

	if (!provider) {
		return NULL;
	}
	vy_uuid(key);
	params = vy_json_new_obj();
	vy_json_set_c(params, "provider", provider);
	vy_json_set_c(params, "model", s->model);
	vy_json_set_c(params, "title", s->title);
	vy_json_set_c(params, "cwd", s->cwd);
	vy_json_take(params, "env", own_env());
	free(provider);
	return ask_call(l, r, "threads.start", params, key, e);
}

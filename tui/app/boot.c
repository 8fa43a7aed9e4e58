/* boot.c -- see boot.h. Each question is a call that runs the loop until its answer is there. */
#include "tui/app/boot.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "shared/base/json.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define EXIT_FAILED    1
#define EXIT_NOT_FOUND 3
#define EXIT_NO_SERVER 5

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

static int have_server(struct boot *b, struct vy_err *e)
{
	struct waiting w = { .loop = b->loop };

	if (!b->may_spawn || spawn_is_running(&b->place, NULL)) {
		return 0;
	}
	struct spawn *sp = spawn_start(b->loop, &b->place, on_spawned, &w);

	vy_loop_run(b->loop);
	spawn_free(sp);
	return w.err.code == VY_OK ? 0 : vy_fail(e, w.err.code, "%s", w.err.text);
}

static void on_answer(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct waiting *w = ctx;

	w->result = vy_json_copy(result);
	w->err = *e;
	vy_loop_stop(w->loop);
}

/* The result, owned by the caller; NULL on failure. */
static struct vy_json *ask(struct boot *b, const char *method, struct vy_json *own_params,
	const char *key, struct vy_err *e)
{
	struct waiting w = { .loop = b->loop };

	rpc_call(b->rpc, method, own_params, key, 0, on_answer, &w);
	vy_loop_run(b->loop);
	if (!w.result) {
		vy_fail(e, w.err.code ? w.err.code : VY_BUG, "%s", w.err.text);
	}
	return w.result;
}

/* ---- which session ---- */

static void take_id(struct boot *b, const struct vy_json *record)
{
	snprintf(
		b->session, sizeof(b->session), "%.*s", VY_STR_ARG(vy_json_str(record, "session")));
}

/* By id, by the beginning of an id, or by title: the newest that fits. */
static bool fits(const struct vy_json *record, struct vy_str name)
{
	struct vy_str id = vy_json_str(record, "session"), title = vy_json_str(record, "title");

	return (name.n >= 4 && id.n >= name.n && memcmp(id.p, name.p, name.n) == 0) ||
	       vy_str_eq(title, name);
}

static int find_named(struct boot *b, const char *name, struct vy_err *e)
{
	VY_AUTO_JSON *list = ask(b, "threads.list", NULL, NULL, e);
	const struct vy_json *threads = vy_json_get(list, "threads");

	if (!list) {
		return -1;
	}
	for (size_t i = 0; i < vy_json_len(threads); i++) {
		if (fits(vy_json_at(threads, i), vy_str_c(name))) {
			take_id(b, vy_json_at(threads, i));
			return 0;
		}
	}
	return vy_fail(
		e, VY_NOT_FOUND, "there is no session called %s (vyre-tui ls lists them)", name);
}

/* 1: found, 0: there is none, -1: failed. */
static int find_newest(struct boot *b, const char *cwd, struct vy_err *e)
{
	struct vy_json *params = vy_json_new_obj(), *filter = vy_json_new_obj();

	vy_json_set_c(filter, "cwd", cwd);
	vy_json_take(params, "filter", filter);
	VY_AUTO_JSON *list = ask(b, "threads.list", params, NULL, e);

	if (!list) {
		return -1;
	}
	const struct vy_json *newest = vy_json_at(vy_json_get(list, "threads"), 0);

	if (newest) {
		take_id(b, newest);
	}
	return newest != NULL;
}

/* ---- a new one ---- */

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

/* The first provider that can run here; the demo last, with the others' reasons. */
static char *usable_provider(struct boot *b, struct vy_err *e)
{
	struct vy_json *params = vy_json_new_obj();

	vy_json_take(params, "env", own_env());
	VY_AUTO_JSON *list = ask(b, "providers.list", params, NULL, e);
	const struct vy_json *all = vy_json_get(list, "providers");
	const char *demo = NULL;

	if (!list) {
		return NULL;
	}
	for (size_t i = 0; i < vy_json_len(all); i++) {
		const struct vy_json *p = vy_json_at(all, i);
		bool is_demo = vy_str_is(vy_json_str(p, "driver"), "demo");

		if (vy_json_bool(p, "available", false) && !is_demo) {
			b->note[0] = '\0';
			return vy_strdup(vy_json_cstr(p, "name"));
		}
		if (is_demo) {
			demo = vy_json_cstr(p, "name");
		} else if (!b->note[0]) {
			snprintf(b->note, sizeof(b->note), "%.*s",
				VY_STR_ARG(vy_json_str(p, "why")));
		}
	}
	return vy_strdup(demo ? demo : "demo");
}

static int start_new(struct boot *b, const struct app_options *o, const char *cwd, struct vy_err *e)
{
	struct vy_json *params = vy_json_new_obj();
	char *provider = o->provider ? vy_strdup(o->provider) : usable_provider(b, e);
	char key[VY_UUID_LEN + 1];

	if (!provider) {
		vy_json_free(params);
		return -1;
	}
	vy_uuid(key);
	vy_json_set_c(params, "provider", provider);
	vy_json_set_c(params, "model", o->model);
	vy_json_set_c(params, "cwd", cwd);
	vy_json_take(params, "env", own_env());
	free(provider);
	VY_AUTO_JSON *record = ask(b, "threads.start", params, key, e);

	if (!record) {
		return -1;
	}
	take_id(b, record);
	return 0;
}

static int choose(struct boot *b, const struct app_options *o, struct vy_err *e)
{
	char *cwd = realpath(o->cwd ? o->cwd : ".", NULL);
	int rc;

	if (!cwd) {
		return vy_fail(e, VY_BAD_INPUT, "there is no folder %s", o->cwd ? o->cwd : ".");
	}
	if (o->session) {
		rc = find_named(b, o->session, e);
	} else {
		rc = o->is_new || o->provider ? 0 : find_newest(b, cwd, e);
		rc = rc == 0 ? start_new(b, o, cwd, e) : rc < 0 ? -1 : 0;
	}
	free(cwd);
	return rc;
}

int boot_up(struct boot *b, const struct app_options *o, int *code, struct vy_err *e)
{
	*b = (struct boot){ .loop = vy_loop_new(), .may_spawn = !o->connect };
	*code = EXIT_FAILED;
	if (spawn_place_init(&b->place, o->state_dir, o->socket, e) != 0) {
		return -1;
	}
	if (have_server(b, e) != 0) {
		*code = EXIT_NO_SERVER;
		return -1;
	}
	b->dial = dial_new(b->loop, o->connect ? o->connect : b->place.socket, e);
	if (!b->dial) {
		return -1;
	}
	b->rpc = rpc_new(b->dial);
	if (choose(b, o, e) != 0) {
		*code = e->code == VY_NOT_FOUND ? EXIT_NOT_FOUND
			: e->code == VY_RETRY   ? EXIT_NO_SERVER
						: EXIT_FAILED;
		return -1;
	}
	return 0;
}

void boot_fini(struct boot *b)
{
	if (b->rpc) {
		rpc_free(b->rpc);
	}
	if (b->dial) {
		dial_free(b->dial);
	}
	spawn_place_fini(&b->place);
	if (b->loop) {
		vy_loop_free(b->loop);
	}
	*b = (struct boot){ 0 };
}

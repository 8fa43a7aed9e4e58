/* demo_main.c -- `vyred agent-demo`: its options, and one turn after the other. */
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "server/provider/demo.h"
#include "server/provider/demo_agent.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

static const struct field errand_fields[] = {
	{ "task", FIELD_STR, offsetof(struct demo_errand, task), NULL },
	{ "tool", FIELD_STR, offsetof(struct demo_errand, tool), NULL },
	{ "script", FIELD_STR, offsetof(struct demo_errand, script), NULL },
};
static const struct field_set errand_set = FIELD_SET(errand_fields, struct demo_errand);

static const struct field said_fields[] = {
	{ "uuid", FIELD_STR, offsetof(struct demo_said, uuid), NULL },
	{ "text", FIELD_STR, offsetof(struct demo_said, text), NULL },
};
static const struct field_set said_set = FIELD_SET(said_fields, struct demo_said);

/* ---- a turn ---- */

static void turn_begin(struct demo *d)
{
	d->in_turn = true;
	d->is_cut = d->wants_now = d->has_new_script = false;
	d->api_status = 0;
	d->usage.input = d->usage.output = 0;
	vy_json_free(d->turn_uuids);
	d->turn_uuids = vy_json_new_arr();
	d->script = (struct script){ NULL, 0 };
	d->at = 0;
}

static const char *api_error(struct demo *d)
{
	if (d->api_status < 0) {
		return "API Error: the demo refused to answer, as it was told to.";
	}
	return vy_arena_printf(
		&d->arena, "API Error: %lld, as the script ordered", (long long)d->api_status);
}

static void result(struct demo *d, const char *origin)
{
	struct demo_result r = {
		.subtype = "success",
		.terminal = "completed",
		.text = "",
		.origin = origin,
		.uuids = d->turn_uuids,
		.usage = d->usage,
	};

	if (d->is_cut) {
		r.is_error = true;
		r.subtype = "error_during_execution";
		r.terminal = "aborted_streaming";
		r.text = NULL;
	} else if (d->api_status) {
		r.is_error = true;
		r.terminal = "api_error";
		r.text = api_error(d);
		r.api_status = d->api_status > 0 ? d->api_status : 0;
		demo_out_api_error(&d->main, "synthetic", vy_str_c(r.text));
	} else if (d->wants_now) {
		r.terminal = "aborted_tools";
	}
	demo_out_result(&d->main, &r);
}

static void turn_end(struct demo *d, const char *origin)
{
	bool was_cut = d->is_cut || d->wants_now;

	if (!d->is_dying) {
		result(d, origin);
	}
	for (size_t i = 0; i < vy_json_len(d->turn_uuids) && !d->is_dying; i++) {
		demo_life(d, vy_json_strval(vy_json_at(d->turn_uuids, i)).p,
			was_cut ? "cancelled" : "completed");
	}
	d->in_turn = d->is_cut = d->wants_now = false;
	vy_json_free(d->replies);
	d->replies = vy_json_new_obj();
	vy_arena_reset(&d->arena);
}

/* What a person said decides: a script, the tour, or an echo. */
static void act(struct demo *d, struct vy_str text)
{
	bool is_tour = vy_str_is(text, "/tour") || vy_str_is(text, "tour");

	if (demo_compact(d, text)) {
		return;
	}
	if (!is_tour && script_parse(text, &d->arena, &d->script)) {
		d->is_first = false;
		demo_play(d, &d->main, NULL);
	} else if (is_tour) {
		d->is_first = false;
		demo_tour(d);
	} else {
		const char *more = d->is_first ? "\n\nI am the demo, and all I can do by myself is "
						 "to show you round: say `tour`."
					       : "";

		d->is_first = false;
		demo_say(d, &d->main,
			vy_str_c(vy_arena_printf(
				&d->arena, "You said: %.*s%s", VY_STR_ARG(text), more)),
			-1);
	}
}

static void turn(struct demo *d, size_t i)
{
	struct demo_said s = d->said.v[i];
	struct vy_str text = vy_str_c(
		vy_arena_dup(&d->arena, s.text ? s.text : "", s.text ? strlen(s.text) : 0));

	memset(&d->said.v[i], 0, sizeof(s)); /* its strings are ours now */
	demo_said_del(d, &d->said.v[i]);
	turn_begin(d);
	d->images = s.images;
	if (s.uuid) {
		demo_past_word(d, vy_str_c(s.uuid), s.text);
		vy_json_add_take(d->turn_uuids, vy_json_new_str(vy_str_c(s.uuid)));
		demo_life(d, s.uuid, "started");
	}
	demo_out_init(&d->main, d->turn_uuids);
	act(d, text);
	turn_end(d, NULL);
	free(s.uuid);
	free(s.text);
}

/* A task ended while nobody asked for anything: the demo says so by itself. */
static void notice_turn(struct demo *d)
{
	struct vy_str text =
		vy_str_c(vy_arena_printf(&d->arena, "Noted: %s.", d->notices.v[0].text));

	fields_list_del(&d->notices, &said_set, 0);
	turn_begin(d);
	demo_out_init(&d->main, d->turn_uuids);
	demo_say(d, &d->main, text, d->is_fast ? 0 : DEMO_DELAY_MS);
	turn_end(d, "task-notification");
}

/* A subagent in the background has its own voice between the turns. */
static void errand(struct demo *d)
{
	struct demo_errand e = d->errands.v[0];
	struct demo_where sub = d->main;
	struct script script;
	struct vy_str summary = VY_STR_LIT("The errand is done");

	memset(&d->errands.v[0], 0, sizeof(e));
	sub.parent = e.tool;
	script_parse(vy_str_c(e.script), &d->arena, &script);
	demo_play(d, &sub, &script);
	fields_list_del(&d->errands, &errand_set, 0);
	demo_out_task_ended(&d->main, e.task, e.tool, "completed", summary);
	demo_out_tasks(&d->main, demo_tasks(d));
	fields_str_set(
		&((struct demo_said *)fields_list_add(&d->notices, &said_set))->text, summary);
	fields_free(&errand_set, &e);
}

/* "now" goes before all else, then what came first. */
static size_t next_said(const struct demo *d)
{
	for (size_t i = 0; i < d->said.n; i++) {
		if (d->said.v[i].priority == DEMO_NOW) {
			return i;
		}
	}
	return 0;
}

static void work(struct demo *d)
{
	while (!d->is_dying) {
		if (d->said.n) {
			turn(d, next_said(d));
		} else if (d->errands.n) {
			errand(d);
		} else if (d->notices.n) {
			notice_turn(d);
		} else if (!d->has_stdin && !d->tasks.n) {
			return;
		} else {
			vy_arena_reset(&d->arena);
			demo_wait(d, -1);
		}
	}
}

/* ---- options ---- */

static const char *value_of(const char *arg, const char *flag)
{
	size_t n = strlen(flag);

	return strncmp(arg, flag, n) == 0 && arg[n] == '=' ? arg + n + 1 : NULL;
}

struct options {
	const char *resume, *at;
	bool is_fork;
};

static bool options(struct demo *d, int argc, char **argv, struct options *o)
{
	const char *id = NULL;

	for (int i = 1; i < argc; i++) {
		const char *own = value_of(argv[i], "--session-id");
		const char *at = value_of(argv[i], "--resume-session-at");
		const char *resume = value_of(argv[i], "--resume");
		const char *mode = value_of(argv[i], "--permission-mode");
		const char *model = value_of(argv[i], "--model");

		o->resume = resume ? resume : o->resume;
		o->at = at ? at : o->at;
		id = own ? own : id;
		if (own || resume || at) {
			continue;
		} else if (strcmp(argv[i], "--fork-session") == 0) {
			o->is_fork = true;
		} else if (mode) {
			fields_str_set(&d->mode, vy_str_c(mode));
		} else if (model) {
			fields_str_set(&d->model, vy_str_c(model));
		} else {
			fprintf(stderr, "error: unknown option '%s'\n", argv[i]);
			return false;
		}
	}
	if (id || o->resume) {
		fields_str_set(&d->session, vy_str_c(id ? id : o->resume));
	}
	return true;
}

/* A session id is a file name here: nothing that leads elsewhere. */
static bool is_plain(const char *id)
{
	return id[0] && id[0] != '.' && strlen(id) <= 64 &&
	       strspn(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
		       strlen(id);
}

/* The same words as claude's, by which a driver knows what to do. */
static bool has_session(struct demo *d, const struct options *o)
{
	const char *from = o->resume ? o->resume : d->session;

	if (!is_plain(d->session) || !is_plain(from)) {
		fprintf(stderr, "Error: Invalid session ID. Must be a valid UUID.\n");
		return false;
	}
	bool has_place = demo_past_open(d, from, o->at);

	d->is_first = !demo_past_is_known(d);
	if (o->resume && d->is_first) {
		fprintf(stderr, "No conversation found with session ID: %s\n", from);
		return false;
	}
	if (!has_place) {
		fprintf(stderr, "No message found with message.uuid of: %s\n", o->at);
		return false;
	}
	if (!o->resume && !d->is_first) {
		fprintf(stderr, "Error: Session ID %s is already in use.\n", d->session);
		return false;
	}
	return true;
}

/* ---- a life ---- */

/* UNTIL[+MESSAGES]: seconds of the wall clock. */
static void read_limit(struct demo *d, const char *text)
{
	size_t n = text ? strcspn(text, "+") : 0;
	long long until, after = 0;

	if (n > 0 && vy_parse_i64(vy_str_n(text, n), &until) &&
		(!text[n] || vy_parse_i64(vy_str_c(text + n + 1), &after))) {
		d->limit = until;
		d->limit_after = after;
	}
}

static void demo_init(struct demo *d)
{
	const char *fast = getenv("VYRE_DEMO_FAST");

	memset(d, 0, sizeof(*d));
	d->front.fd = -1;
	d->is_fast = fast && *fast && strcmp(fast, "0") != 0;
	fields_str_set(&d->session, VY_STR_LIT("demo"));
	fields_str_set(&d->mode, VY_STR_LIT("default"));
	fields_str_set(&d->model, VY_STR_LIT("demo"));
	vy_random_id(6, d->life);
	read_limit(d, getenv("VYRE_DEMO_LIMIT"));
	vy_arena_init(&d->arena);
	d->gone = vy_json_new_obj();
	d->replies = vy_json_new_obj();
	d->failures = vy_json_new_obj();
	d->rules = vy_json_new_arr();
	d->turn_uuids = vy_json_new_arr();
}

static void demo_fini(struct demo *d)
{
	demo_shell_kill(d);
	demo_past_fini(d);
	fields_list_clear(&d->said, &said_set);
	fields_list_clear(&d->errands, &errand_set);
	char **strings[] = { &d->session, &d->mode, &d->model, &d->dir, &d->hook, &d->open_request,
		&d->last_plan };
	struct vy_json *values[] = { d->seen, d->gone, d->replies, d->failures, d->rules,
		d->turn_uuids };

	for (size_t i = 0; i < VY_COUNT(strings); i++) {
		fields_str_set(strings[i], vy_str_n(NULL, 0));
	}
	for (size_t i = 0; i < VY_COUNT(values); i++) {
		vy_json_free(values[i]);
	}
	vy_arena_fini(&d->arena);
	vy_cut_fini(&d->cut);
	vy_buf_fini(&d->out);
}

/* The last words, when it was told to leave: as long as somebody takes them. */
static void say_rest(struct demo *d)
{
	while (d->sent < d->out.len) {
		struct pollfd p = { 1, POLLOUT, 0 };
		size_t left = d->out.len - d->sent;

		if (poll(&p, 1, 200) <= 0) {
			return;
		}
		ssize_t n = write(1, d->out.data + d->sent, left < 4096 ? left : 4096);

		if (n <= 0) {
			return;
		}
		d->sent += (size_t)n;
	}
}

static void said_line(void *ctx, const char *id)
{
	demo_past_line(ctx, id);
}

int demo_main(int argc, char **argv)
{
	struct options o = { NULL };
	struct demo d;
	int status = 1;

	demo_init(&d);
	if (options(&d, argc, argv, &o) && has_session(&d, &o)) {
		demo_link_open(&d);
		d.lines = (struct demo_lines){ d.life, 0, said_line, &d };
		d.main = (struct demo_where){ &d.lines, &d.out, d.session, d.model, d.mode, NULL };
		work(&d);
		say_rest(&d);
		status = d.status;
	}
	demo_fini(&d);
	return status;
}

/* demo_link.c -- the demo's line to its host: waiting, hearing, and the control protocol. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "server/provider/demo_agent.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define FLUSH_AT (64 * VY_KIB)
#define FDS_MAX  64

static const struct field said_fields[] = {
	{ "uuid", FIELD_STR, offsetof(struct demo_said, uuid), NULL },
	{ "text", FIELD_STR, offsetof(struct demo_said, text), NULL },
};
static const struct field_set said_set = FIELD_SET(said_fields, struct demo_said);

void demo_link_open(struct demo *d)
{
	static const int wanted[] = { SIGTERM, SIGINT, SIGHUP, SIGCHLD };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < VY_COUNT(wanted); i++) {
		sigaddset(&set, wanted[i]);
	}
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	d->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	d->has_stdin = true;
	vy_cut_init(&d->cut, VY_CUT_LINES, VY_LINE_MAX);
	vy_buf_init(&d->out, (size_t)4 * VY_LINE_MAX);
}

bool demo_is_cut(const struct demo *d)
{
	return d->is_cut || d->is_dying;
}

void demo_said_del(struct demo *d, struct demo_said *s)
{
	fields_list_del(&d->said, &said_set, (size_t)(s - d->said.v));
}

void demo_life(const struct demo *d, const char *uuid, const char *state)
{
	if (uuid) {
		demo_out_life(&d->main, vy_str_c(uuid), state);
	}
}

/* ---- a person's message ---- */

static void text_of(const struct vy_json *content, struct vy_buf *text, int64_t *images)
{
	vy_buf_addstr(text, vy_json_strval(content));
	for (size_t i = 0; vy_json_type(content) == VY_JSON_ARR && i < vy_json_len(content); i++) {
		const struct vy_json *b = vy_json_at(content, i);

		if (vy_json_get(b, "text")) { /* the last one is what the person said */
			vy_buf_clear(text);
			vy_buf_addstr(text, vy_json_str(b, "text"));
		}
		*images += vy_str_is(vy_json_str(b, "type"), "image");
	}
}

/* Taken in an earlier life: claude answers only that it is done. Known in this one: silence. */
static bool is_repeated(struct demo *d, struct vy_str uuid)
{
	const char *key = vy_arena_printf(&d->arena, "%.*s", VY_STR_ARG(uuid));
	bool is_known = vy_json_get(d->gone, key) != NULL;

	vy_json_set_bool(d->gone, key, true);
	if (!is_known && vy_json_get(d->seen, key)) {
		demo_out_life(&d->main, uuid, "completed");
		is_known = true;
	}
	return is_known;
}

static void hear_user(struct demo *d, const struct vy_json *line)
{
	struct vy_str uuid = vy_json_str(line, "uuid"), priority = vy_json_str(line, "priority");
	VY_AUTO_BUF text = VY_BUF_INIT(VY_LINE_MAX);
	int64_t images = 0;

	if (uuid.n > VY_ID_MAX || (uuid.n && is_repeated(d, uuid))) {
		return;
	}
	text_of(vy_json_path(line, "message.content"), &text, &images);
	struct demo_said *s = fields_list_add(&d->said, &said_set);

	fields_str_set(&s->uuid, uuid);
	fields_str_set(&s->text, vy_buf_str(&text));
	s->images = images;
	s->priority = vy_str_is(priority, "later") ? DEMO_LATER
		      : vy_str_is(priority, "now") ? DEMO_NOW
						   : DEMO_NEXT;
	d->wants_now |= s->priority == DEMO_NOW && d->in_turn;
	demo_life(d, s->uuid, "queued");
}

struct demo_said *demo_steer(struct demo *d)
{
	for (size_t i = 0; i < d->said.n; i++) {
		if (d->said.v[i].priority == DEMO_NEXT) {
			return &d->said.v[i];
		}
	}
	return NULL;
}

/* ---- requests of the host ---- */

void demo_set_mode(struct demo *d, struct vy_str mode)
{
	fields_str_set(&d->mode, mode);
	d->main.mode = d->mode;
	demo_out_mode(&d->main);
}

static void on_initialize(struct demo *d, struct vy_str id, const struct vy_json *req)
{
	const struct vy_json *hooks = vy_json_path(req, "hooks.PreToolUse");
	const struct vy_json *ids = vy_json_get(vy_json_at(hooks, 0), "hookCallbackIds");

	if (vy_json_get(req, "hooks")) {
		fields_str_set(&d->hook, vy_json_strval(vy_json_at(ids, 0)));
	}
	demo_out_hello(&d->main, id);
}

static void cancel(struct demo *d, struct demo_said *s, struct vy_json *cancelled)
{
	demo_life(d, s->uuid, "cancelled");
	vy_json_add_take(cancelled, vy_json_new_str(vy_str_c(s->uuid)));
	demo_said_del(d, s);
}

static void on_interrupt(struct demo *d, struct vy_str id, const struct vy_json *req)
{
	struct vy_json *r = vy_json_new_obj(), *cancelled = vy_json_new_arr();
	struct vy_json *still = vy_json_new_arr();

	if (d->open_request) {
		demo_out_withdraw(&d->main, d->open_request);
		fields_str_set(&d->open_request, vy_str_n(NULL, 0));
	}
	while (vy_json_bool(req, "cancel_queued", false) && d->said.n) {
		cancel(d, &d->said.v[0], cancelled);
	}
	for (size_t i = 0; i < d->said.n; i++) {
		vy_json_add_take(still, vy_json_new_str(vy_str_c(d->said.v[i].uuid)));
	}
	vy_json_take(r, "still_queued", still);
	vy_json_take(r, "cancelled", cancelled);
	demo_out_reply(&d->main, id, r);
	d->is_cut = d->in_turn;
}

static void on_take_back(struct demo *d, struct vy_str id, const struct vy_json *req)
{
	struct vy_str uuid = vy_json_str(req, "message_uuid");
	struct vy_json *r = vy_json_new_obj(), *cancelled = vy_json_new_arr();

	for (size_t i = 0; i < d->said.n; i++) {
		if (vy_str_is(uuid, d->said.v[i].uuid)) {
			cancel(d, &d->said.v[i], cancelled);
			break;
		}
	}
	vy_json_set_bool(r, "cancelled", vy_json_len(cancelled) > 0);
	vy_json_set_str(r, "message_uuid", uuid);
	vy_json_free(cancelled);
	demo_out_reply(&d->main, id, r);
}

static void on_mode(struct demo *d, struct vy_str id, const struct vy_json *req)
{
	struct vy_str mode = vy_json_str(req, "mode");
	struct vy_json *r = vy_json_new_obj();

	vy_json_set_str(r, "mode", mode);
	demo_out_reply(&d->main, id, r);
	demo_set_mode(d, mode);
}

static void on_model(struct demo *d, struct vy_str id, const struct vy_json *req)
{
	struct vy_str model = vy_json_str(req, "model");
	struct vy_json *r = vy_json_new_obj();

	if (model.n && !vy_str_is(model, "default")) {
		fields_str_set(&d->model, model);
		d->main.model = d->model;
	}
	vy_json_set_c(r, "model", d->model);
	demo_out_reply(&d->main, id, r);
}

/* It has no thoughts but those of its script. */
static void on_thinking(struct demo *d, struct vy_str id, const struct vy_json *req)
{
	(void)req;
	demo_out_reply(&d->main, id, NULL);
}

static void on_stop_task(struct demo *d, struct vy_str id, const struct vy_json *req)
{
	if (demo_task_stop(d, vy_json_str(req, "task_id"))) {
		demo_out_reply(&d->main, id, NULL);
	} else {
		demo_out_refuse(&d->main, id, "no such task");
	}
}

/* Lines are not counted: it says which files, and that it can. */
static void on_files(struct demo *d, struct vy_str id, const struct vy_json *req)
{
	struct vy_json *r = vy_json_new_obj(), *changed = vy_json_new_arr();
	bool is_dry = vy_json_bool(req, "dry_run", false);
	bool can = demo_past_restore(d, vy_json_str(req, "user_message_id"), is_dry, changed);

	vy_json_set_bool(r, "canRewind", can);
	if (!can) {
		vy_json_set_c(r, "error", "No file checkpoint found for this message.");
	}
	if (is_dry) {
		vy_json_set(r, "filesChanged", changed);
	}
	vy_json_free(changed);
	demo_out_reply(&d->main, id, r);
}

static void on_end(struct demo *d, struct vy_str id, const struct vy_json *req)
{
	(void)req;
	demo_out_reply(&d->main, id, NULL);
	d->is_dying = true;
}

static const struct {
	const char *subtype;
	void (*on)(struct demo *d, struct vy_str id, const struct vy_json *req);
} requests[] = {
	{ "initialize", on_initialize },
	{ "interrupt", on_interrupt },
	{ "cancel_async_message", on_take_back },
	{ "set_permission_mode", on_mode },
	{ "set_model", on_model },
	{ "set_max_thinking_tokens", on_thinking },
	{ "stop_task", on_stop_task },
	{ "rewind_files", on_files },
	{ "side_question", demo_beside_question },
	{ "get_task_output", demo_beside_output },
	{ "apply_flag_settings", demo_beside_settings },
	{ "end_session", on_end },
};

static void hear_request(struct demo *d, const struct vy_json *line)
{
	const struct vy_json *req = vy_json_get(line, "request");
	struct vy_str id = vy_json_str(line, "request_id");

	for (size_t i = 0; i < VY_COUNT(requests); i++) {
		if (vy_str_is(vy_json_str(req, "subtype"), requests[i].subtype)) {
			requests[i].on(d, id, req);
			return;
		}
	}
	demo_out_refuse(&d->main, id, "unsupported");
}

/* ---- answers of the host ---- */

char *demo_request_id(struct demo *d)
{
	return vy_arena_printf(&d->arena, "demo-%lld", (long long)++d->next_request);
}

static void hear_response(struct demo *d, const struct vy_json *line)
{
	struct vy_json *r = vy_json_get(line, "response");
	const char *id = vy_json_cstr(r, "request_id");

	if (id && d->open_request && strcmp(id, d->open_request) == 0) {
		vy_json_set(d->replies, id, r);
		fields_str_set(&d->open_request, vy_str_n(NULL, 0));
	}
}

const struct vy_json *demo_await(struct demo *d, const char *id)
{
	fields_str_set(&d->open_request, vy_str_c(id));
	while (d->open_request && d->has_stdin && !demo_is_cut(d)) {
		demo_wait(d, -1);
	}
	fields_str_set(&d->open_request, vy_str_n(NULL, 0));
	const struct vy_json *r = vy_json_get(d->replies, id);

	return vy_str_is(vy_json_str(r, "subtype"), "success") ? vy_json_get(r, "response") : NULL;
}

/* ---- hearing ---- */

static void hear(struct demo *d, struct vy_str text)
{
	VY_AUTO_JSON *line = vy_json_parse_lenient(text, NULL);
	struct vy_str type = vy_json_str(line, "type");

	if (vy_str_is(type, "user")) {
		hear_user(d, line);
	} else if (vy_str_is(type, "control_request")) {
		hear_request(d, line);
	} else if (vy_str_is(type, "control_response")) {
		hear_response(d, line);
	}
}

static void read_stdin(struct demo *d)
{
	char part[65536];
	ssize_t n = read(0, part, sizeof(part));

	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
		d->has_stdin = false;
		return;
	}
	struct vy_str in = vy_str_n(part, n > 0 ? (size_t)n : 0), piece;
	enum vy_cut_got got;

	while ((got = vy_cut_next(&d->cut, &in, &piece)) != VY_CUT_MORE) {
		if (got == VY_CUT_PIECE) {
			hear(d, piece);
		}
	}
}

static void read_signals(struct demo *d)
{
	struct signalfd_siginfo si;

	while (read(d->signals, &si, sizeof(si)) == (ssize_t)sizeof(si)) {
		if (si.ssi_signo == SIGCHLD) {
			demo_shell_reap(d);
		} else if (si.ssi_signo == SIGINT) {
			d->is_cut = d->in_turn;
		} else {
			d->is_dying = true;
			d->status = 128 + (int)si.ssi_signo;
		}
	}
}

/* ---- waiting ---- */

/* A pipe that says it is writable takes PIPE_BUF bytes without blocking. */
static void write_some(struct demo *d)
{
	size_t left = d->out.len - d->sent;
	ssize_t n = write(1, d->out.data + d->sent, left < PIPE_BUF ? left : PIPE_BUF);

	if (n > 0) {
		d->sent += (size_t)n;
		if (d->sent == d->out.len) {
			vy_buf_clear(&d->out);
			d->sent = 0;
		}
	} else if (errno != EAGAIN && errno != EINTR) {
		d->is_dying = true; /* nobody listens any more */
	}
}

static size_t watch(struct demo *d, struct pollfd *fds)
{
	size_t n = 0;

	fds[n++] = (struct pollfd){ d->signals, POLLIN, 0 };
	fds[n++] = (struct pollfd){ d->has_stdin ? 0 : -1, POLLIN, 0 };
	fds[n++] = (struct pollfd){ d->out.len ? 1 : -1, POLLOUT, 0 };
	fds[n++] = (struct pollfd){ d->front.pid ? d->front.fd : -1, POLLIN, 0 };
	for (size_t i = 0; i < d->tasks.n && n < FDS_MAX; i++) {
		fds[n++] = (struct pollfd){ d->tasks.v[i].child->fd, POLLIN, 0 };
	}
	return n;
}

void demo_wait(struct demo *d, int64_t ms)
{
	struct pollfd fds[FDS_MAX];
	size_t n = watch(d, fds);

	if (poll(fds, n, ms > INT32_MAX ? INT32_MAX : (int)ms) <= 0) {
		return;
	}
	for (size_t i = 4; i < n; i++) {
		if (fds[i].revents) {
			demo_shell_read(d->tasks.v[i - 4].child);
		}
	}
	if (fds[3].revents) {
		demo_shell_read(&d->front);
	}
	if (fds[2].revents) {
		write_some(d);
	}
	if (fds[1].revents) {
		read_stdin(d);
	}
	if (fds[0].revents) {
		read_signals(d);
	}
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

bool demo_pause(struct demo *d, int64_t ms)
{
	int64_t until = now_ms() + ms, left = ms;

	if (ms <= 0) { /* no rest, but a look now and then */
		if (d->out.len >= FLUSH_AT) {
			demo_flush(d);
		}
		return !demo_is_cut(d);
	}
	while (left > 0 && !demo_is_cut(d)) {
		demo_wait(d, left);
		left = until - now_ms();
	}
	return !demo_is_cut(d);
}

void demo_flush(struct demo *d)
{
	while (d->out.len && !d->is_dying) {
		demo_wait(d, -1);
	}
	demo_wait(d, 0);
}

/* reader.c -- see reader.h. Lines of a person in, frames as words out; render.c makes the words. */
#include "tui/cmd/reader.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/model/fold.h"
#include "tui/cmd/acts.h"
#include "tui/cmd/render.h"
#include "tui/cmd/spoken.h"
#include "tui/cmd/verb.h"
#include "tui/net/link.h"
#include "tui/net/session.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define SAFE_MS 400 /* a number that was on its way when the ask came is no answer */

struct reader;

/* Whose answer has something to say: one a method, so that none has to be freed. */
struct acted {
	struct reader *r;
	const char *method; /* static */
};

#define ACTED_MAX 16

struct reader {
	struct acted acted[ACTED_MAX];
	struct cmd c;
	char session[VY_UUID_LEN + 1];
	struct render render;
	struct link *link;
	struct vy_watch *input;
	struct vy_buf typed; /* the unfinished line */
	struct vy_fold *fold;
	struct spawn *spawn;
	struct spoken spoken; /* the ask at hand */
	int64_t asked_ms;     /* boot clock */
	bool is_live, has_ended, is_input_tty;
	size_t under_way; /* calls without an answer */
	struct vy_err err;
};

static int64_t now_ms(void)
{
	return vy_boot_ms(&vy_clock_real);
}

static void over(struct reader *r)
{
	vy_loop_stop(r->c.net.loop);
}

static void note(struct reader *r, const char *text)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_FRAME_MAX);

	render_note(&r->render, text, &b);
	out_raw(&r->c.out, vy_buf_str(&b));
}

static bool is_busy(const struct reader *r)
{
	enum vy_state s = vy_fold_state(r->fold)->state;

	return s == VY_STATE_WORKING || s == VY_STATE_STARTING || s == VY_STATE_ASKING;
}

static void leave_if_done(struct reader *r)
{
	if (r->has_ended && r->is_live && r->under_way == 0 && !is_busy(r)) {
		over(r);
	}
}

/* ---- the ask ---- */

static void tell_ask(struct reader *r)
{
	VY_AUTO_BUF b = VY_BUF_INIT(8 * VY_FRAME_MAX), hint = VY_BUF_INIT(1024);

	spoken_print(&r->spoken, &b);
	out_raw(&r->c.out, vy_buf_str(&b));
	spoken_hint(&r->spoken, &hint);
	note(r, vy_buf_c(&hint));
}

/* A frame holds the beginning of a long one: all of it is told, or as much as there is. */
static void on_whole(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct reader *r = ctx;
	const struct vy_json *asks = vy_json_get(result, "asks");
	struct vy_arena a;
	struct vy_ask ask;

	(void)e;
	r->under_way--;
	if (!r->spoken.ask) {
		return; /* it is over */
	}
	vy_arena_init(&a);
	for (size_t i = 0; i < vy_json_len(asks); i++) {
		const struct vy_json *v = vy_json_at(asks, i);

		if (vy_str_is(vy_json_str(v, "ask"), r->spoken.ask) &&
			vy_ask_decode(v, &a, &ask, NULL) == 0) {
			spoken_take(&r->spoken, &ask);
		}
	}
	vy_arena_fini(&a);
	r->asked_ms = now_ms();
	tell_ask(r);
}

/* One at a time: the oldest that is open. */
static void take_ask(struct reader *r)
{
	const struct vy_row *row = vy_fold_ask(r->fold, 0);

	if (!row || (r->spoken.ask && vy_str_is(row->ask.id, r->spoken.ask))) {
		return;
	}
	spoken_take(&r->spoken, &row->ask);
	if (row->ask.more) {
		struct vy_json *params = cmd_params(r->session);

		r->under_way++;
		r->asked_ms = INT64_MAX / 2; /* nothing answers it before it is told */
		rpc_call(r->c.net.rpc, "threads.asks", params, NULL, 0, on_whole, r);
		return;
	}
	r->asked_ms = now_ms();
	tell_ask(r);
}

/* ---- what happens ---- */

/* Lines of what the small acts have to say, each a note. */
static void notes(struct reader *r, const struct vy_buf *say)
{
	struct vy_str rest = vy_buf_str(say);

	while (rest.n) {
		const char *nl = memchr(rest.p, '\n', rest.n);
		size_t n = nl ? (size_t)(nl - rest.p) : rest.n;
		char *line = vy_memdup0(rest.p, n);

		note(r, line);
		free(line);
		rest = vy_str_from(rest, nl ? n + 1 : n);
	}
}

static void tell_acts(struct reader *r, const struct vy_frame *f)
{
	VY_AUTO_BUF say = VY_BUF_INIT(4096);

	acts_frame(r->fold, f, &say);
	notes(r, &say);
}

static void on_frame(void *ctx, const struct vy_frame *f)
{
	struct reader *r = ctx;
	VY_AUTO_BUF b = VY_BUF_INIT(4 * VY_FRAME_MAX);
	bool was_busy = is_busy(r);

	vy_fold_apply(r->fold, f, NULL);
	render_frame(&r->render, f, &b);
	out_raw(&r->c.out, vy_buf_str(&b));
	if (r->is_live && f->kind == VY_KIND_STATUS) {
		tell_acts(r, f);
	}
	if (vy_fold_state(r->fold)->asks == 0) {
		spoken_take(&r->spoken, NULL);
	} else if (r->is_live) {
		take_ask(r);
	}
	if (was_busy && !is_busy(r) && r->is_live) {
		note(r, _("your turn"));
	}
	leave_if_done(r);
}

static void on_snapshot(void *ctx, const struct vy_json *snapshot)
{
	struct reader *r = ctx;
	struct vy_err e;

	if (vy_fold_load(r->fold, snapshot, &e) == 0) {
		note(r, _("something is missing here: the log does not hold it"));
	}
}

static void on_state(void *ctx, enum link_state s, const struct vy_err *why)
{
	struct reader *r = ctx;

	if (s == LINK_REFUSED || s == LINK_ENDED) {
		r->err = why ? *why : (struct vy_err){ .code = VY_GONE };
		over(r);
	} else if (s == LINK_LIVE && !r->is_live) {
		r->is_live = r->render.has_asks = true;
		take_ask(r);
		if (!is_busy(r)) {
			note(r, _("your turn: type a message and enter; /stop ends a turn, /quit "
				  "leaves"));
		}
		vy_watch_set(r->input, VY_READ);
	}
}

static void on_spawned(void *ctx, const struct vy_err *e)
{
	struct reader *r = ctx;

	spawn_free(r->spawn);
	r->spawn = NULL;
	if (e->code == VY_OK) {
		link_retry(r->link);
	} else {
		note(r, e->text);
	}
}

static void on_no_server(void *ctx)
{
	struct reader *r = ctx;

	if (!r->spawn && r->c.net.may_start) {
		r->spawn = spawn_start(r->c.net.loop, &r->c.net.place, on_spawned, r);
	}
}

/* ---- what a person types ---- */

static void on_called(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct reader *r = ctx;

	(void)result;
	r->under_way--;
	if (e->code != VY_OK) {
		note(r, e->text);
	}
	leave_if_done(r);
}

/* An answer that did not come through can be given again. */
static void on_answered(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct reader *r = ctx;

	on_called(ctx, result, e);
	if (e->code != VY_OK) {
		spoken_take(&r->spoken, NULL);
		take_ask(r);
	}
}

static void call_for(
	struct reader *r, const char *method, struct vy_json *params, rpc_done_fn *done)
{
	char key[VY_UUID_LEN + 1];

	vy_uuid(key);
	r->under_way++;
	rpc_call(r->c.net.rpc, method, params, key, 0, done, r);
}

static void call(struct reader *r, const char *method, struct vy_json *params)
{
	call_for(r, method, params, on_called);
}

static void on_acted(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct acted *a = ctx;
	struct reader *r = a->r;
	VY_AUTO_BUF said = VY_BUF_INIT(VY_FRAME_MAX);

	if (result) {
		acts_told(a->method, result, vy_wall_ms(&vy_clock_real), &said);
		notes(r, &said);
	}
	on_called(r, result, e);
}

static struct acted *acted_of(struct reader *r, const char *method)
{
	size_t i = 0;

	while (r->acted[i].method && strcmp(r->acted[i].method, method) != 0) {
		i++;
		vy_assert(i < ACTED_MAX);
	}
	r->acted[i] = (struct acted){ r, method };
	return &r->acted[i];
}

static bool act(struct reader *r, struct vy_str line)
{
	VY_AUTO_BUF said = VY_BUF_INIT(65536);
	struct vy_json *params = NULL;
	const char *method = NULL;
	char key[VY_UUID_LEN + 1];

	switch (acts_line(r->fold, r->session, line, &method, &params, &said)) {
	case ACTS_NOTHING: return false;
	case ACTS_NOTE: notes(r, &said); return true;
	case ACTS_CALL: break;
	}
	vy_uuid(key);
	r->under_way++;
	rpc_call(r->c.net.rpc, method, params, key, -1, on_acted, acted_of(r, method));
	return true;
}

static void say(struct reader *r, struct vy_str text)
{
	struct vy_json *params = cmd_params(r->session);

	vy_json_set_str(params, "text", text);
	call(r, "threads.send", params);
}

/* A number that was on its way when the ask came is no answer. */
static bool answer(struct reader *r, struct vy_str line)
{
	struct vy_json *params = NULL;
	const char *text = NULL;

	if (r->spoken.ask && now_ms() - r->asked_ms < SAFE_MS && line.n && line.p[0] >= '0' &&
		line.p[0] <= '9' && line.n <= 2) {
		note(r, _("there is no such answer; nothing was said"));
		return true;
	}
	switch (spoken_line(&r->spoken, line, &params, &text)) {
	case SPOKEN_NOTHING: return false;
	case SPOKEN_NOTE: note(r, text); return true;
	case SPOKEN_NEXT: tell_ask(r); return true;
	case SPOKEN_ANSWER: call_for(r, "threads.answer", params, on_answered); return true;
	}
	return false;
}

static void stop_turn(struct reader *r)
{
	if (is_busy(r)) {
		call(r, "threads.interrupt", cmd_params(r->session));
	} else {
		note(r, _("nothing runs; /quit leaves"));
	}
}

static void take_line(struct reader *r, struct vy_str line)
{
	while (line.n && (line.p[line.n - 1] == '\r' || line.p[line.n - 1] == ' ')) {
		line.n--;
	}
	if (line.n == 0 && !r->spoken.words_for) {
		return;
	}
	if (vy_str_is(line, "/quit")) {
		over(r);
	} else if (vy_str_is(line, "/stop")) {
		stop_turn(r);
	} else if (!answer(r, line) && !act(r, line)) {
		say(r, line);
	}
}

static void take_lines(struct reader *r)
{
	struct vy_str all = vy_buf_str(&r->typed);
	size_t at = 0;

	for (const char *nl; at < all.n && (nl = memchr(all.p + at, '\n', all.n - at));) {
		size_t end = (size_t)(nl - all.p);

		take_line(r, vy_str_n(all.p + at, end - at));
		at = end + 1;
	}
	memmove(r->typed.data, r->typed.data + at, all.n - at);
	vy_buf_truncate(&r->typed, all.n - at);
	if (vy_buf_is_over(&r->typed)) {
		vy_buf_clear(&r->typed);
		note(r, _("too long for one message (8 MiB): nothing was said"));
	}
}

static void on_input(void *ctx, int fd, unsigned events)
{
	struct reader *r = ctx;
	char bytes[65536];
	ssize_t n = read(fd, bytes, sizeof(bytes));

	(void)events;
	if (n > 0) {
		vy_buf_add(&r->typed, bytes, (size_t)n);
		take_lines(r);
	} else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
		vy_watch_set(r->input, 0);
		if (r->typed.len) {
			take_line(r, vy_buf_str(&r->typed)); /* it has no end of line */
		}
		if (r->spoken.words_for) {
			take_line(r, vy_str_n(NULL, 0)); /* no words, then */
		}
		r->has_ended = true;
		if (r->is_input_tty) {
			over(r);
		}
		leave_if_done(r);
	}
}

static void on_signal(void *ctx, int signo)
{
	struct reader *r = ctx;

	if (signo == SIGINT && is_busy(r)) {
		stop_turn(r);
	} else {
		over(r);
	}
}

static void on_turn_end(void *ctx)
{
	struct reader *r = ctx;

	if (out_flush(&r->c.out) != 0) {
		over(r);
	}
}

/* ---- all of it ---- */

static int choose(struct reader *r, const char *name, struct vy_err *e)
{
	const struct cmd_options *o = r->c.o;
	struct session_new s = { .provider = o->provider, .model = o->model };
	char *cwd;
	int found;

	if (name) {
		return session_shown(&r->c.net, name, r->session, e);
	}
	cwd = session_folder(o->cwd, e);
	if (!cwd) {
		return -1;
	}
	found = o->is_new || o->provider ? 0 : session_newest(&r->c.net, cwd, r->session, e);
	if (found == 0) {
		s.cwd = cwd;
		VY_AUTO_JSON *record = session_start(&r->c.net, &s, e);

		found = record ? 1 : -1;
		if (record) {
			session_id_of(record, r->session);
		}
		if (record && s.note[0]) {
			note(r, s.note);
		}
	}
	free(cwd);
	return found > 0 ? 0 : -1;
}

static void run(struct reader *r)
{
	static const struct link_events events = {
		.frame = on_frame,
		.snapshot = on_snapshot,
		.state = on_state,
		.no_server = on_no_server,
	};
	struct vy_loop *loop = r->c.net.loop;
	struct link_conf conf = { .loop = loop,
		.dial = r->c.net.dial,
		.rpc = r->c.net.rpc,
		.clock = &vy_clock_real,
		.session = r->session,
		.from = -1,
		.is_from_start = true };

	r->fold = vy_fold_new();
	spoken_init(&r->spoken);
	r->is_input_tty = isatty(0);
	vy_buf_init(&r->typed, VY_SEND_TEXT_MAX);
	r->input = vy_loop_watch(loop, 0, 0, on_input, r); /* once the past was printed */
	vy_loop_on_signal(loop, SIGINT, on_signal, r);
	vy_loop_on_signal(loop, SIGTERM, on_signal, r);
	vy_loop_at_end(loop, on_turn_end, r);
	r->link = link_new(&conf, &events, r);
	vy_loop_run(loop);
	link_free(r->link);
	spawn_free(r->spawn);
	vy_loop_forget(loop, on_turn_end, r);
	vy_watch_del(r->input);
	vy_buf_fini(&r->typed);
	spoken_fini(&r->spoken);
	vy_fold_free(r->fold);
}

int reader_run(const char *session, const struct cmd_options *o)
{
	struct reader r = { .c = { .o = o } };
	struct contact_conf conf = { .connect = o->connect,
		.socket = o->socket,
		.state_dir = o->state_dir,
		.may_start = true };
	struct vy_err e = { 0 };
	int code = EXIT_OK;

	signal(SIGPIPE, SIG_IGN);
	out_init(&r.c.out);
	render_init(&r.render, r.c.out.is_ascii);
	r.render.is_spoken = true;
	if (contact_open(&r.c.net, &conf, &e) != 0 || choose(&r, session, &e) != 0) {
		r.err = e;
	} else {
		run(&r);
	}
	contact_close(&r.c.net);
	if (r.err.code != VY_OK) {
		out_say(&r.c.out, "vyre-tui: %s", r.err.text);
		code = contact_exit(r.err.code);
	}
	render_fini(&r.render);
	out_fini(&r.c.out);
	return code;
}

/* app.c -- the client's edge: terminal, loop and network round the state (app.h, state.h).
 *
 * Events are taken as they come; the screen is painted once at the end of a loop turn, and not
 * more often than every FRAME_MS, but for a key. With nothing moving and nothing arriving, nothing
 * wakes up. */
#include "tui/app/app.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/base/clock.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "tui/app/boot.h"
#include "tui/app/bring.h"
#include "tui/app/branch.h"
#include "tui/app/calls.h"
#include "tui/app/desk.h"
#include "tui/app/hand.h"
#include "tui/app/leave.h"
#include "tui/app/query.h"
#include "tui/app/settings.h"
#include "tui/app/state.h"
#include "tui/app/tell.h"
#include "tui/app/wear.h"
#include "tui/ink/screen.h"
#include "tui/input/burst.h"
#include "tui/net/link.h"
#include "tui/net/outbox.h"
#include "tui/net/session.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define FRAME_MS     24  /* each costs 0.2 ms of CPU: doc/performance.md says what 16 would cost */
#define KEY_FRAME_MS 2   /* after a key: a person must not wait for the words of others */
#define PAGE_ROWS    400 /* of the transcript, taken at once */
#define RECORD_MS    800 /* after a change of state: what the record knows beside the frames */
#define READ_AT_ONCE 65536

struct app {
	struct boot boot;
	struct app_state state;
	struct settings own;
	const struct settings *settings; /* own: when none were given */
	struct screen *screen;
	struct cell_grid grid;
	struct key_parser keys;
	struct burst burst;
	struct vy_watch *tty;
	struct vy_timer *paint, *key_wait, *record;
	struct outbox *outbox;
	struct desk *desk;
	struct bring *bring;
	struct calls *calls;
	struct queries *queries;
	struct link *link;
	struct spawn *spawn;
	int64_t painted_ms;
	bool is_dirty, is_over;
	bool has_moved, has_left; /* to another session; by a key of the person */
	bool has_key;             /* it is dirty by a key */
	bool has_words;           /* by frames, as they come while an assistant speaks */
	bool is_wanted;           /* a server that was ended: a person did something since */
	int code;
	char title[300];
};

/* ---- time and paint ---- */

static int64_t now_ms(void)
{
	return vy_boot_ms(&vy_clock_real);
}

static void tell_time(struct app *a)
{
	app_time(&a->state, now_ms(), vy_wall_ms(&vy_clock_real));
}

static void dirty(struct app *a)
{
	a->is_dirty = true;
}

/* The person is near the first row that is here. */
static void ask_older(struct app *a)
{
	int64_t to = app_wants_older(&a->state);

	if (to && a->link) {
		a->state.is_paging = true;
		link_older(a->link, to);
	}
}

static void paint_now(struct app *a)
{
	struct screen_cursor cursor = { 0 };
	struct vy_err e = { 0 };
	char title[sizeof(a->title)];
	int cols, rows;

	tell_time(a);
	screen_size(a->screen, &cols, &rows);
	if (cols != a->grid.cols || rows != a->grid.rows) {
		cell_grid_resize(&a->grid, cols, rows);
	}
	app_paint(&a->state, &a->grid, &cursor);
	app_title(&a->state, title, sizeof(title));
	if (a->settings->title && strcmp(title, a->title) != 0) {
		memcpy(a->title, title, sizeof(title));
		screen_title(a->screen, vy_str_c(title));
	}
	if (screen_present(a->screen, &a->grid, cursor, &e) < 0) {
		a->is_over = true; /* the terminal is gone */
		vy_loop_stop(a->boot.net.loop);
		return;
	}
	vy_watch_set(a->tty, VY_READ | (screen_is_pending(a->screen) ? VY_WRITE : 0));
	a->painted_ms = now_ms();
	a->is_dirty = a->has_key = false;
	int64_t next = app_next_ms(&a->state);

	vy_timer_set(a->paint, next);
	ask_older(a);
}

/* The end of a loop turn. */
static void on_turn_end(void *ctx)
{
	struct app *a = ctx;
	int64_t since = now_ms() - a->painted_ms, frame = a->has_key ? KEY_FRAME_MS : FRAME_MS;

	desk_turn(a->desk);
	if (!a->is_dirty || a->is_over || !a->screen) {
		return;
	}
	if (since < frame) {
		vy_timer_set(a->paint, frame - since);
	} else {
		paint_now(a);
		if (a->has_words && !a->is_over) { /* more will come; none is shown sooner */
			vy_loop_nap(
				a->boot.net.loop, a->tty, FRAME_MS - (now_ms() - a->painted_ms));
		}
		a->has_words = false;
	}
}

static void on_paint_timer(void *ctx)
{
	struct app *a = ctx;

	dirty(a);
	a->painted_ms = 0;
}

/* ---- the server ---- */

static void on_call_failed(void *ctx, const char *why)
{
	struct app *a = ctx;

	tell_time(a);
	app_failed(&a->state, why);
	dirty(a);
}

static void on_record(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct app *a = ctx;
	char branch[256];

	if (e->code == VY_OK) {
		app_record(&a->state, result);
		app_set_branch(&a->state,
			branch_read(a->state.cwd, branch, sizeof(branch)) ? branch : NULL);
		desk_project(a->desk, a->state.cwd);
		dirty(a);
	}
}

static void ask_record(void *ctx)
{
	struct app *a = ctx;
	struct vy_json *params = vy_json_new_obj();

	vy_json_set_c(params, "session", a->boot.session);
	rpc_call(a->boot.net.rpc, "threads.get", params, NULL, 0, on_record, a);
}

static void show_unsent(void *ctx, const char *session)
{
	struct app *a = ctx;
	size_t n = outbox_count(a->outbox, a->boot.session), kept = 0;
	struct app_unsent *list = vy_calloc(n + 1, sizeof(*list));
	struct outbox_entry e;

	(void)session;
	for (size_t i = 0; i < n && outbox_get(a->outbox, a->boot.session, i, &e); i++) {
		if (e.state == OUTBOX_TAKEN) {
			continue; /* its frame is on the way */
		}
		list[kept++] = (struct app_unsent){ vy_strdup(e.id), vy_memdup0(e.text.p, e.text.n),
			e.state == OUTBOX_REFUSED ? vy_strdup(e.why.text) : NULL };
	}
	app_set_unsent(&a->state, list, kept);
	dirty(a);
}

static void do_effects(struct app *a, struct app_effects *fx);

static void on_frame(void *ctx, const struct vy_frame *f)
{
	struct app *a = ctx;
	struct app_effects fx = { 0 };

	tell_time(a);
	if (f->kind == VY_KIND_USER_MESSAGE &&
		outbox_seen(a->outbox, vy_frame_str(f, VY_F_MESSAGE))) {
		show_unsent(a, a->boot.session);
	}
	app_frame(&a->state, f, &fx);
	do_effects(a, &fx);
	if (f->kind == VY_KIND_STATUS && !vy_timer_is_set(a->record)) {
		vy_timer_set(a->record, RECORD_MS);
	}
	a->has_words = a->state.line == APP_LIVE;
	dirty(a);
}

/* What the log shows already needs no sending. */
static void see_rows(struct app *a, const struct vy_json *rows)
{
	bool any = false;

	for (size_t i = 0; i < vy_json_len(rows); i++) {
		const struct vy_json *row = vy_json_at(rows, i);

		if (vy_str_is(vy_json_str(row, "kind"), "message")) {
			any |= outbox_seen(a->outbox, vy_json_str(row, "message"));
		}
	}
	if (any) {
		show_unsent(a, a->boot.session);
	}
}

static void on_snapshot(void *ctx, const struct vy_json *snapshot)
{
	struct app *a = ctx;
	struct app_effects fx = { 0 };

	tell_time(a);
	see_rows(a, vy_json_get(snapshot, "rows"));
	app_snapshot(&a->state, snapshot, &fx);
	do_effects(a, &fx);
	dirty(a);
}

static void on_older(void *ctx, const struct vy_json *page)
{
	struct app *a = ctx;

	tell_time(a);
	app_older(&a->state, page);
	dirty(a);
}

static void on_link(void *ctx, enum link_state s, const struct vy_err *why)
{
	static const enum app_line lines[] = { [LINK_DOWN] = APP_DOWN,
		[LINK_REPLAY] = APP_CATCHING_UP,
		[LINK_LIVE] = APP_LIVE,
		[LINK_REFUSED] = APP_REFUSED,
		[LINK_ENDED] = APP_REFUSED };
	struct app *a = ctx;

	enum app_line line = lines[s];

	if (s == LINK_DOWN && a->link && link_was_ended(a->link) && !a->is_wanted) {
		line = APP_ENDED;
	}
	tell_time(a);
	app_set_line(&a->state, line, a->link ? link_down_since_ms(a->link) : -1,
		why ? why->text : NULL);
	if (s == LINK_LIVE || s == LINK_DOWN) {
		desk_line(a->desk, s == LINK_LIVE);
	}
	if (s == LINK_LIVE) {
		a->is_wanted = false;
		outbox_flush(a->outbox, a->boot.net.rpc);
		calls_retry(a->calls);
		ask_record(a);
	} else if (s == LINK_DOWN) {
		outbox_hold(a->outbox);
	}
	dirty(a);
}

static void on_spawned(void *ctx, const struct vy_err *e)
{
	struct app *a = ctx;

	spawn_free(a->spawn);
	a->spawn = NULL;
	if (e->code != VY_OK) {
		app_no_server(&a->state, e->text);
		dirty(a);
	}
}

static void on_no_server(void *ctx)
{
	struct app *a = ctx;

	bool is_wanted = !link_was_ended(a->link) || a->is_wanted;

	if (a->boot.net.may_start && !a->spawn && is_wanted) {
		a->spawn = spawn_start(a->boot.net.loop, &a->boot.net.place, on_spawned, a);
	}
}

static const struct link_events link_callbacks = {
	.frame = on_frame,
	.snapshot = on_snapshot,
	.state = on_link,
	.no_server = on_no_server,
	.older = on_older,
};

/* ---- effects ---- */

static void open_link(struct app *a)
{
	struct link_conf lc = {
		.loop = a->boot.net.loop,
		.dial = a->boot.net.dial,
		.rpc = a->boot.net.rpc,
		.clock = &vy_clock_real,
		.session = a->boot.session,
		.from = -1,
		.rows = PAGE_ROWS,
	};

	a->link = link_new(&lc, &link_callbacks, a);
}

/* A person does something: a server that was ended is brought back for it. */
static void want_server(struct app *a)
{
	if (link_state(a->link) == LINK_DOWN && link_was_ended(a->link)) {
		a->is_wanted = true;
		app_set_line(&a->state, APP_DOWN, link_down_since_ms(a->link), NULL);
		link_retry(a->link);
	}
}

static void send_words(struct app *a, struct app_effect *fx)
{
	struct outbox_with with = { .uploads = fx->params };
	char id[VY_UUID_LEN + 1];
	struct vy_err e = { 0 };

	fx->params = NULL;
	if (outbox_add(a->outbox, a->boot.session, vy_str_c(fx->text), fx->word, &with, id, &e) !=
		0) {
		edit_undo(&a->state.composer.edit); /* as it was: nothing is lost */
		app_failed(&a->state, e.text);
		return;
	}
	outbox_flush(a->outbox, a->boot.net.rpc);
	show_unsent(a, a->boot.session);
	want_server(a);
}

static void do_call(struct app *a, struct app_effect *fx)
{
	want_server(a);
	calls_make(a->calls, fx->word, fx->params);
	fx->params = NULL; /* handed over */
}

static void do_query(struct app *a, struct app_effect *fx)
{
	if (fx->kind == APP_START) {
		vy_json_take(fx->params, "env", session_env());
	}
	queries_make(a->queries, fx->word, fx->params, fx->tag);
	fx->params = NULL; /* handed over */
}

static void on_reply(
	void *ctx, struct app_tag tag, const struct vy_json *result, const struct vy_err *e)
{
	struct app *a = ctx;
	struct app_effects fx = { 0 };

	tell_time(a);
	app_reply(&a->state, tag, result, e, &fx);
	do_effects(a, &fx);
	dirty(a);
}

static void show_session(struct app *a, const char *id)
{
	link_free(a->link);
	a->has_moved = true;
	snprintf(a->boot.session, sizeof(a->boot.session), "%s", id);
	app_state_open(&a->state, id);
	app_set_line(&a->state, APP_CONNECTING, -1, NULL);
	desk_open(a->desk, id);
	open_link(a);
	show_unsent(a, id);
	ask_record(a);
}

static void suspend(struct app *a)
{
	struct vy_err e = { 0 };

	if (screen_suspend(a->screen, &e) == 0) {
		kill(0, SIGTSTP); /* the whole job; where no shell waits, nothing stops */
		if (screen_resume(a->screen, &e) != 0) {
			vy_loop_stop(a->boot.net.loop);
		}
	}
}

static void edit_outside(struct app *a)
{
	if (bring_editor(a->bring) != 0) {
		vy_loop_stop(a->boot.net.loop);
	}
}

static void hand_out(struct app *a, struct app_effect *fx)
{
	if (hand_effect(a->screen, a->boot.net.place.state_dir, &a->state, fx) != 0) {
		vy_loop_stop(a->boot.net.loop); /* the terminal is gone */
	}
}

static void do_effect(struct app *a, struct app_effect *fx)
{
	switch (fx->kind) {
	case APP_SEND: send_words(a, fx); break;
	case APP_CALL: do_call(a, fx); break;
	case APP_QUERY:
	case APP_START: do_query(a, fx); break;
	case APP_OPEN: show_session(a, fx->text); break;
	case APP_DROP: outbox_drop(a->outbox, fx->text); break;
	case APP_RETRY: want_server(a); break;
	case APP_NOTICE: tell(a->screen, a->settings, &a->state, fx); break;
	case APP_REDRAW: screen_redraw(a->screen); break;
	case APP_SUSPEND: suspend(a); break;
	case APP_MOUSE: screen_set_mouse(a->screen, a->state.is_mouse_ours); break;
	case APP_EDITOR: edit_outside(a); break;
	case APP_CLIPBOARD: bring_clipboard(a->bring); break;
	case APP_IMAGE_FILE: bring_picture(a->bring, fx->text, fx->number); break;
	case APP_PASTE_FILE: bring_paste(a->bring, vy_str_n(fx->text, fx->number)); break;
	case APP_COPY:
	case APP_LINK:
	case APP_EDIT_FILE:
	case APP_PRINT: hand_out(a, fx); break;
	case APP_QUIT:
		a->is_over = a->has_left = true;
		vy_loop_stop(a->boot.net.loop);
		break;
	}
}

static void do_effects(struct app *a, struct app_effects *fx)
{
	for (size_t i = 0; i < fx->n; i++) {
		do_effect(a, &fx->v[i]);
	}
	app_effects_fini(fx);
}

/* ---- the terminal ---- */

static void on_event(void *ctx, const struct key_event *ev)
{
	struct app *a = ctx;
	struct app_effects fx = { 0 };

	wear_event(a->screen, a->settings, ev);
	app_key(&a->state, ev, &fx);
	do_effects(a, &fx);
	a->has_key = true;
	dirty(a);
}

static void on_key(void *ctx, const struct key_event *ev)
{
	struct app *a = ctx;

	a->burst.has_brackets |= ev->kind == KEY_EV_PASTE;
	on_event(a, ev);
}

static void on_key_wait(void *ctx)
{
	struct app *a = ctx;

	tell_time(a);
	burst_timeout(&a->burst, on_event, a);
	key_timeout(&a->keys, on_key, a);
}

static void take_bytes(struct app *a, struct vy_str bytes)
{
	bool is_ground = key_wait_ms(&a->keys) < 0;

	if (burst_takes(&a->burst, bytes, is_ground, on_event, a)) {
		vy_timer_set(a->key_wait, burst_wait_ms(&a->burst));
	} else {
		key_step(&a->keys, bytes, on_key, a);
		vy_timer_set(a->key_wait, key_wait_ms(&a->keys));
	}
}

static void on_tty(void *ctx, int fd, unsigned events)
{
	struct app *a = ctx;
	static char bytes[READ_AT_ONCE];
	struct vy_err e = { 0 };

	tell_time(a);
	if ((events & VY_WRITE) && screen_flush(a->screen, &e) <= 0) {
		vy_watch_set(a->tty, VY_READ);
	}
	if (!(events & VY_READ)) {
		return;
	}
	ssize_t n = read(fd, bytes, sizeof(bytes));

	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
		a->is_over = true; /* the terminal hung up */
		vy_loop_stop(a->boot.net.loop);
		return;
	}
	if (n > 0) {
		take_bytes(a, vy_str_n(bytes, (size_t)n));
	}
}

static void on_signal(void *ctx, int signo)
{
	struct app *a = ctx;

	if (signo == SIGWINCH || signo == SIGCONT) {
		/* Who knows what was printed meanwhile; and a window that was made small and large again
		 * before we looked has our size and has lost its cells. */
		screen_redraw(a->screen);
		dirty(a);
		return;
	}
	a->is_over = true;
	a->code = signo == SIGHUP ? 0 : 128 + signo;
	vy_loop_stop(a->boot.net.loop);
}

/* ---- life ---- */

static int open_outbox(struct app *a, struct vy_err *e)
{
	static const struct outbox_events events = { show_unsent };
	VY_AUTO_BUF dir = VY_BUF_INIT(8192);

	vy_buf_addf(&dir, "%s/outbox", a->boot.net.place.state_dir);
	a->outbox = outbox_new(a->boot.net.loop, &vy_clock_real, vy_buf_c(&dir),
		dial_target(a->boot.net.dial), &events, a, e);
	return a->outbox ? 0 : -1;
}

static void dirty_again(void *ctx)
{
	dirty(ctx);
}

static void open_desk(struct app *a)
{
	static const struct desk_events events = { on_call_failed, dirty_again };
	struct desk_conf conf = { .loop = a->boot.net.loop,
		.clock = &vy_clock_real,
		.state_dir = a->boot.net.place.state_dir,
		.rpc = a->boot.net.rpc,
		.c = &a->state.composer };

	a->desk = desk_new(&conf, &events, a);
	desk_open(a->desk, a->boot.session);
}

static void open_bring(struct app *a)
{
	a->bring = bring_new(&(struct bring_conf){ .loop = a->boot.net.loop,
		.state = &a->state,
		.screen = a->screen,
		.state_dir = a->boot.net.place.state_dir,
		.is_local = a->boot.net.is_local,
		.changed = dirty_again,
		.ctx = a });
}

static int open_screen(struct app *a, struct vy_err *e)
{
	struct screen_options so = { .mouse = a->settings->mouse, .ascii = a->state.is_ascii };

	a->screen = screen_curses_open(&so, e);
	if (!a->screen) {
		return -1;
	}
	wear_start(a->screen, a->settings);
	cell_grid_init(&a->grid, a->state.pool, 80, 24);
	key_init(&a->keys);
	burst_init(&a->burst);
	a->tty = vy_loop_watch(a->boot.net.loop, screen_fd(a->screen), VY_READ, on_tty, a);
	a->paint = vy_loop_timer(a->boot.net.loop, on_paint_timer, a);
	a->key_wait = vy_loop_timer(a->boot.net.loop, on_key_wait, a);
	a->record = vy_loop_timer(a->boot.net.loop, ask_record, a);
	static const int signals[] = { SIGWINCH, SIGCONT, SIGTERM, SIGHUP, SIGINT };

	for (size_t i = 0; i < VY_COUNT(signals); i++) {
		vy_loop_on_signal(a->boot.net.loop, signals[i], on_signal, a);
	}
	return 0;
}

static void close_all(struct app *a)
{
	if (a->link) {
		link_free(a->link);
	}
	spawn_free(a->spawn);
	vy_timer_del(a->paint);
	vy_timer_del(a->key_wait);
	vy_timer_del(a->record);
	vy_watch_del(a->tty);
	if (a->screen) {
		screen_close(a->screen);
		cell_grid_fini(&a->grid);
		key_fini(&a->keys);
		burst_fini(&a->burst);
	}
	bring_free(a->bring);
	desk_free(a->desk);
	calls_free(a->calls);
	queries_free(a->queries);
	if (a->outbox) {
		outbox_free(a->outbox);
	}
	app_state_fini(&a->state);
	boot_fini(&a->boot);
}

int app_run(const struct app_options *o)
{
	struct app *a = VY_NEW(struct app);
	struct vy_err e = { 0 };

	signal(SIGPIPE, SIG_IGN);
	app_state_init(&a->state, (struct vy_width){ 0 });
	a->state.home = getenv("HOME");
	settings_init(&a->own);
	a->settings = o->settings ? o->settings : &a->own;
	a->state.is_ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	a->state.is_still = a->settings->is_still;
	a->state.is_straight = !a->settings->bidi;
	a->state.queue_goes = a->settings->queue_goes;
	if (o->keymap) {
		keymap_copy(&a->state.keymap, o->keymap);
	}
	a->state.is_mouse_ours = a->settings->mouse;
	if (boot_up(&a->boot, o, &e) == 0 && open_outbox(a, &e) == 0 && open_screen(a, &e) == 0) {
		vy_log_to(-1); /* nothing prints to a screen that is ours */
		app_state_open(&a->state, a->boot.session);
		open_desk(a);
		open_bring(a);
		tell_time(a);
		app_note(&a->state, a->boot.note);
		if (o->trouble && o->trouble[0]) {
			app_failed(&a->state, o->trouble);
		}
		if (outbox_trouble(a->outbox)) {
			app_failed(&a->state, outbox_trouble(a->outbox));
		}
		a->calls = calls_new(
			a->boot.net.loop, &vy_clock_real, a->boot.net.rpc, on_call_failed, a);
		a->queries = queries_new(a->boot.net.rpc, on_reply, a);
		vy_loop_at_end(a->boot.net.loop, on_turn_end, a);
		open_link(a);
		show_unsent(a, a->boot.session);
		ask_record(a);
		a->code = 0;
		paint_now(a);
		vy_loop_run(a->boot.net.loop);
	} else {
		a->code = e.code == VY_OK ? EXIT_FAILED : contact_exit(e.code);
	}
	int code = a->code;
	VY_AUTO_BUF words = VY_BUF_INIT(65536);

	if (a->has_left) {
		leave_words(&a->state, o, !o->session && !o->cwd && !a->has_moved, &words);
	}
	close_all(a);
	fputs(vy_buf_c(&words), stdout);
	if (e.code != VY_OK && code != 0) {
		fprintf(stderr, "vyre-tui: %s\n", e.text);
	}
	free(a);
	return code;
}

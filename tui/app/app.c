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
#include "tui/app/app_in.h"
#include "tui/app/bring.h"
#include "tui/app/calls.h"
#include "tui/app/desk.h"
#include "tui/app/gallery.h"
#include "tui/app/leave.h"
#include "tui/app/say.h"
#include "tui/app/query.h"
#include "tui/app/term_wire.h"
#include "tui/app/tidy.h"
#include "tui/app/wear.h"
#include "tui/ink/cell_rows.h"
#include "tui/net/link.h"
#include "tui/net/outbox.h"
#include "tui/net/plane.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define FRAME_MS     24 /* each costs 0.2 ms of CPU: doc/performance.md says what 16 would cost */
#define KEY_FRAME_MS 2  /* after a key: a person must not wait for the words of others */
#define READ_AT_ONCE 65536
#define TIDY_WAIT_MS 10000

/* ---- time and paint ---- */

int64_t app_now(void)
{
	return vy_boot_ms(&vy_clock_real);
}

void app_tell_time(struct app *a)
{
	app_time(&a->state, app_now(), vy_wall_ms(&vy_clock_real));
}

void app_dirty(struct app *a)
{
	a->is_dirty = true;
	app_stale(&a->state);
}

/* What the painting showed to be wanted: older rows, as the person is near the first that is here,
 * and the list of sessions. */
static void ask_wanted(struct app *a)
{
	int64_t to = app_wants_older(&a->state);
	struct app_effects fx = { 0 };

	column_ask(&a->state, &fx);
	app_perform(a, &fx);
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

	app_tell_time(a);
	screen_size(a->screen, &cols, &rows);
	if (cols != a->grid.cols || rows != a->grid.rows) {
		cell_grid_resize(&a->grid, cols, rows);
	}
	gallery_wear(a->gallery, rows);
	app_paint(&a->state, &a->grid, &cursor);
	app_title(&a->state, title, sizeof(title));
	if (a->settings->title && strcmp(title, a->title) != 0) {
		memcpy(a->title, title, sizeof(title));
		screen_title(a->screen, vy_str_c(title));
	}
	int rc = screen_present(a->screen, &a->grid, cursor, &e);

	if (rc < 0) {
		a->is_over = true; /* the terminal is gone */
		vy_loop_stop(a->boot.net.loop);
		return;
	}
	vy_watch_set(a->tty, VY_READ | (screen_is_pending(a->screen) ? VY_WRITE : 0));
	a->painted_ms = app_now();
	a->is_dirty = rc > 0; /* it still eats the last one: again when it has */
	a->has_key = false;
	int64_t next = app_next_ms(&a->state);

	vy_timer_set(a->paint, next);
	ask_wanted(a);
}

static void paint_turn(struct app *a)
{
	int64_t since = app_now() - a->painted_ms, frame = a->has_key ? KEY_FRAME_MS : FRAME_MS;

	if (!a->is_dirty || a->is_over) {
		return;
	}
	if (since < frame) {
		vy_timer_set(a->paint, frame - since);
	} else {
		paint_now(a);
		if (a->has_words && !a->is_over) { /* more will come; none is shown sooner */
			vy_loop_nap(
				a->boot.net.loop, a->tty, FRAME_MS - (app_now() - a->painted_ms));
		}
		a->has_words = false;
	}
}

/* What was painted says which pictures are wanted now. */
static void bring_pictures(struct app *a)
{
	bool was_dirty = a->is_dirty;

	if (a->is_over) {
		return;
	}
	gallery_turn(a->gallery);
	if (screen_is_pending(a->screen)) {
		vy_watch_set(a->tty, VY_READ | VY_WRITE);
	}
	if (a->is_dirty && !was_dirty) {
		vy_timer_set(a->paint, FRAME_MS); /* this turn is over */
	}
}

/* The end of a loop turn. */
static void on_turn_end(void *ctx)
{
	struct app *a = ctx;

	desk_turn(a->desk);
	term_wire_turn(a->terms);
	if (a->state.terms.wants_quit && !a->is_over) {
		a->is_over = true;
		vy_loop_stop(a->boot.net.loop);
	}
	seen_keep_turn(&a->seen, &a->state.seen);
	paint_turn(a);
	bring_pictures(a);
}

static void on_paint_timer(void *ctx)
{
	struct app *a = ctx;

	a->is_dirty = true;
	a->painted_ms = 0;
}

/* ---- the terminal ---- */

static void on_event(void *ctx, const struct key_event *ev)
{
	struct app *a = ctx;
	struct app_effects fx = { 0 };

	wear_event(a->screen, a->settings, ev);
	gallery_event(a->gallery, ev);
	if (ev->kind == KEY_EV_FOCUS) { /* the person comes from another client, or goes to one */
		app_saw(&a->state);
		seen_keep_turn(&a->seen, &a->state.seen);
		seen_keep_read(&a->seen, &a->state.seen);
	}
	app_key(&a->state, ev, &fx);
	app_perform(a, &fx);
	a->has_key = true;
	app_dirty(a);
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

	app_tell_time(a);
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

	app_tell_time(a);
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
		if (signo == SIGCONT) {
			gallery_again(a->gallery);
		}
		app_dirty(a);
		return;
	}
	a->is_over = true;
	a->code = signo == SIGHUP ? 0 : 128 + signo;
	vy_loop_stop(a->boot.net.loop);
}

/* ---- life ---- */

static int open_outbox(struct app *a, struct vy_err *e)
{
	static const struct outbox_events events = { app_show_unsent };
	VY_AUTO_BUF dir = VY_BUF_INIT(8192);

	vy_buf_addf(&dir, "%s/outbox", a->boot.net.place.state_dir);
	a->outbox = outbox_new(a->boot.net.loop, &vy_clock_real, vy_buf_c(&dir),
		dial_target(a->boot.net.dial), &events, a, e);
	return a->outbox ? 0 : -1;
}

static void dirty_again(void *ctx)
{
	app_dirty(ctx);
}

static bool is_kept(void *ctx, const char *id)
{
	const struct app *a = ctx;
	struct outbox_entry it;

	for (size_t i = 0; outbox_get(a->outbox, NULL, i, &it); i++) {
		if (strcmp(it.id, id) == 0) {
			return true;
		}
	}
	return false;
}

static void open_desk(struct app *a)
{
	static const struct desk_events events = { app_call_failed, dirty_again, is_kept };
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

static void open_gallery(struct app *a)
{
	a->gallery = gallery_new(&(struct gallery_conf){ .loop = a->boot.net.loop,
		.rpc = a->boot.net.rpc,
		.screen = a->screen,
		.album = a->state.album,
		.settings = a->settings,
		.changed = dirty_again,
		.ctx = a });
	gallery_open(a->gallery, a->boot.session);
}

static void on_term_bell(void *ctx)
{
	struct app *a = ctx;

	if (a->settings->bell != SETTINGS_NEVER) {
		screen_bell(a->screen);
	}
}

static void on_term_clip(void *ctx, struct vy_str text)
{
	struct app *a = ctx;
	struct app_effects fx = { 0 };

	if (a->settings->clipboard) {
		app_effect(&fx, APP_COPY)->text = vy_memdup0(text.p, text.n);
		app_perform(a, &fx);
		app_dirty(a);
	}
}

static void open_terms(struct app *a)
{
	a->state.terms.is_here = a->boot.net.is_local;
	a->terms = term_wire_new(&(struct term_wire_conf){ .loop = a->boot.net.loop,
		.dial = a->boot.net.dial,
		.rpc = a->boot.net.rpc,
		.state = &a->state,
		.state_dir = a->boot.net.place.state_dir,
		.changed = dirty_again,
		.bell = on_term_bell,
		.clip = on_term_clip,
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
	cell_grid_watch(&a->grid);
	key_init(&a->keys);
	burst_init(&a->burst);
	a->tty = vy_loop_watch(a->boot.net.loop, screen_fd(a->screen), VY_READ, on_tty, a);
	a->paint = vy_loop_timer(a->boot.net.loop, on_paint_timer, a);
	a->key_wait = vy_loop_timer(a->boot.net.loop, on_key_wait, a);
	a->record = vy_loop_timer(a->boot.net.loop, app_ask_record, a);
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
	gallery_free(a->gallery);
	term_wire_free(a->terms);
	if (a->screen) {
		screen_close(a->screen);
		cell_grid_fini(&a->grid);
		key_fini(&a->keys);
		burst_fini(&a->burst);
	}
	if (a->seen.state_dir) {
		app_saw(&a->state);
		seen_keep_turn(&a->seen, &a->state.seen);
	}
	bring_free(a->bring);
	desk_free(a->desk);
	calls_free(a->calls);
	plane_free(a->plane);
	queries_free(a->queries);
	tidy_free(a->tidy);
	if (a->outbox) {
		outbox_free(a->outbox);
	}
	app_state_fini(&a->state);
	boot_fini(&a->boot);
}

/* Before anything is started for a screen that cannot be. */
static bool has_screen(void)
{
	struct vy_err e = { 0 };

	if (screen_curses_check(&e) == 0) {
		return true;
	}
	fprintf(stderr, _("vyre-tui: %s; --screen-reader needs lines alone\n"), e.text);
	return false;
}

/* --adopt: the list to choose from is there at once. */
static void open_left(struct app *a, const char *sought)
{
	struct app_effects fx = { 0 };

	menu_open(&a->state, &menu_sessions, &fx);
	picker_type(&a->state.menu.picker, vy_str_c(sought));
	app_perform(a, &fx);
}

int app_run(const struct app_options *o)
{
	struct app *a;
	struct vy_err e = { 0 };

	if (!has_screen()) {
		return EXIT_USAGE;
	}
	a = VY_NEW(struct app);
	signal(SIGPIPE, SIG_IGN);
	app_state_init(&a->state, (struct vy_width){ 0 });
	a->state.home = getenv("HOME");
	settings_init(&a->own);
	a->settings = o->settings ? o->settings : &a->own;
	a->state.is_ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	a->state.is_still = a->settings->is_still;
	a->state.is_straight = !a->settings->bidi;
	cell_pool_set_straight(a->state.pool, a->state.is_straight);
	a->state.queue_goes = a->settings->queue_goes;
	composer_set_vim(&a->state.composer, a->settings->is_vim);
	a->state.is_unwrapped = a->settings->is_unwrapped;
	a->state.column.wish = a->settings->list;
	if (o->keymap) {
		keymap_copy(&a->state.keymap, o->keymap);
	}
	a->state.is_mouse_ours = a->settings->mouse;
	if (boot_up(&a->boot, o, &e) == 0 && open_outbox(a, &e) == 0 && open_screen(a, &e) == 0) {
		vy_log_to(-1); /* nothing prints to a screen that is ours */
		app_state_open(&a->state, a->boot.session);
		open_desk(a);
		a->seen.state_dir = a->boot.net.place.state_dir;
		seen_keep_read(&a->seen, &a->state.seen);
		open_bring(a);
		if (o->is_term) {
			term_alone(&a->state);
		}
		app_tell_time(a);
		app_note(&a->state, a->boot.note);
		if (o->trouble && o->trouble[0]) {
			app_failed(&a->state, o->trouble);
		}
		if (outbox_trouble(a->outbox)) {
			app_failed(&a->state, outbox_trouble(a->outbox));
		}
		a->calls = calls_new(
			a->boot.net.loop, &vy_clock_real, a->boot.net.rpc, app_call_failed, a);
		a->queries = queries_new(a->boot.net.rpc, app_on_reply, a);
		open_gallery(a);
		open_terms(a);
		a->tidy = tidy_new(&(struct tidy_conf){ .loop = a->boot.net.loop,
			.rpc = a->boot.net.rpc,
			.state_dir = a->boot.net.place.state_dir,
			.session = a->boot.session,
			.wait_ms = TIDY_WAIT_MS });
		vy_loop_at_end(a->boot.net.loop, on_turn_end, a);
		app_open_link(a);
		app_show_unsent(a, a->boot.session);
		app_ask_record(a);
		if (o->adopt) {
			open_left(a, o->adopt);
		}
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

/* perform.c -- does what the state wants done outside: its effects, in order (app_in.h). */
#include "tui/app/app_in.h"

#include <signal.h>
#include <stdio.h>

#include "tui/app/bring.h"
#include "tui/app/calls.h"
#include "tui/app/desk.h"
#include "tui/app/gallery.h"
#include "tui/app/hand.h"
#include "tui/app/query.h"
#include "tui/app/tell.h"
#include "tui/net/link.h"
#include "tui/net/outbox.h"
#include "tui/net/session.h"
#include "shared/base/ban.h"

static void send_words(struct app *a, struct app_effect *fx)
{
	char key[VY_UUID_LEN + 1], id[VY_UUID_LEN + 1];
	struct outbox_with with = { .uploads = fx->params, .id = key };
	struct vy_err e = { 0 };

	fx->params = NULL;
	vy_uuid(key);
	desk_sends(a->desk, key);
	if (outbox_add(a->outbox, a->boot.session, vy_str_c(fx->text), fx->word, &with, id, &e) !=
		0) {
		edit_undo(&a->state.composer.edit); /* as it was: nothing is lost */
		app_failed(&a->state, e.text);
		return;
	}
	outbox_flush(a->outbox, a->boot.net.rpc);
	app_show_unsent(a, a->boot.session);
	app_want_server(a);
}

static void do_call(struct app *a, struct app_effect *fx)
{
	app_want_server(a);
	calls_make(a->calls, fx->word, fx->params);
	fx->params = NULL; /* handed over */
}

static void do_query(struct app *a, struct app_effect *fx)
{
	if (fx->kind == APP_START) {
		vy_json_take(fx->params, "env", session_env());
	}
	queries_make(a->queries, fx->word, fx->params, fx->tag, (int64_t)fx->number * 1000);
	fx->params = NULL; /* handed over */
}

void app_on_reply(
	void *ctx, struct app_tag tag, const struct vy_json *result, const struct vy_err *e)
{
	struct app *a = ctx;
	struct app_effects fx = { 0 };

	app_tell_time(a);
	app_reply(&a->state, tag, result, e, &fx);
	app_perform(a, &fx);
	app_dirty(a);
}

static void show_session(struct app *a, const char *id)
{
	link_free(a->link);
	a->has_moved = true;
	snprintf(a->boot.session, sizeof(a->boot.session), "%s", id);
	app_state_open(&a->state, id);
	app_set_line(&a->state, APP_CONNECTING, -1, NULL);
	desk_open(a->desk, id);
	gallery_open(a->gallery, a->boot.session);
	app_open_link(a);
	app_show_unsent(a, id);
	app_ask_record(a);
}

/* Not inside of the frame that showed it: the link that brought it is another then. */
static void reread(void *ctx)
{
	struct app *a = ctx;

	link_free(a->link);
	a->state.is_paging = false;
	app_open_link(a);
	app_dirty(a);
}

static void suspend(struct app *a)
{
	struct vy_err e = { 0 };

	if (screen_suspend(a->screen, &e) == 0) {
		kill(0, SIGTSTP); /* the whole job; where no shell waits, nothing stops */
		if (screen_resume(a->screen, &e) != 0) {
			vy_loop_stop(a->boot.net.loop);
		}
		gallery_again(a->gallery);
	}
}

static void edit_outside(struct app *a)
{
	if (bring_editor(a->bring) != 0) {
		vy_loop_stop(a->boot.net.loop);
	}
	gallery_again(a->gallery);
}

static void edit_text_outside(struct app *a, struct app_effect *fx)
{
	struct app_effects more = { 0 };

	if (bring_edit(a->bring, fx->text, fx->tag, &more) != 0) {
		vy_loop_stop(a->boot.net.loop);
	}
	gallery_again(a->gallery);
	app_perform(a, &more);
}

static void hand_out(struct app *a, struct app_effect *fx)
{
	if (hand_effect(a->screen, a->boot.net.place.state_dir, &a->state, fx) != 0) {
		vy_loop_stop(a->boot.net.loop); /* the terminal is gone */
	}
	if (fx->kind == APP_EDIT_FILE || fx->kind == APP_PRINT) {
		gallery_again(a->gallery);
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
	case APP_PUT: composer_put(&a->state.composer, vy_str_c(fx->text)); break;
	case APP_REREAD: vy_loop_defer(a->boot.net.loop, reread, a); break;
	case APP_DROP: outbox_drop(a->outbox, fx->text); break;
	case APP_RETRY: app_want_server(a); break;
	case APP_NOTICE: tell(a->screen, a->settings, &a->state, fx); break;
	case APP_REDRAW:
		screen_redraw(a->screen);
		gallery_again(a->gallery);
		break;
	case APP_SUSPEND: suspend(a); break;
	case APP_MOUSE: screen_set_mouse(a->screen, a->state.is_mouse_ours); break;
	case APP_EDITOR: edit_outside(a); break;
	case APP_EDIT_TEXT: edit_text_outside(a, fx); break;
	case APP_CLIPBOARD: bring_clipboard(a->bring); break;
	case APP_IMAGE_FILE: bring_picture(a->bring, fx->text, fx->number); break;
	case APP_PASTE_FILE: bring_paste(a->bring, vy_str_n(fx->text, fx->number)); break;
	case APP_COPY:
	case APP_LINK:
	case APP_EDIT_FILE:
	case APP_PRINT:
	case APP_PAGE: hand_out(a, fx); break;
	case APP_QUIT:
		a->is_over = a->has_left = true;
		vy_loop_stop(a->boot.net.loop);
		break;
	}
}

void app_perform(struct app *a, struct app_effects *fx)
{
	for (size_t i = 0; i < fx->n; i++) {
		do_effect(a, &fx->v[i]);
	}
	app_effects_fini(fx);
}

/* line.c -- what the server brings: frames, snapshots, the record, the state of the line (app_in.h). */
#include "tui/app/app_in.h"

#include <stdlib.h>

#include "shared/base/clock.h"
#include "shared/base/mem.h"
#include "tui/app/branch.h"
#include "tui/app/calls.h"
#include "tui/app/column.h"
#include "tui/app/desk.h"
#include "tui/app/ledger.h"
#include "tui/app/tidy.h"
#include "tui/app/whole.h"
#include "tui/net/link.h"
#include "tui/net/outbox.h"
#include "tui/net/plane.h"
#include "shared/base/ban.h"

#define PAGE_ROWS 400 /* of the transcript, taken at once */
#define RECORD_MS 800 /* after a change of state: what the record knows beside the frames */

void app_call_failed(void *ctx, const char *why)
{
	struct app *a = ctx;

	app_tell_time(a);
	app_failed(&a->state, why);
	app_dirty(a);
}

/* As soon as the folder is known there is what was said in it before, and its branch. */
static void know_folder(struct app *a)
{
	char branch[256];

	app_set_branch(
		&a->state, branch_read(a->state.cwd, branch, sizeof(branch)) ? branch : NULL);
	desk_project(a->desk, a->state.cwd);
}

static void on_record(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct app *a = ctx;

	if (e->code == VY_OK) {
		app_record(&a->state, result);
		know_folder(a);
		app_dirty(a);
	}
}

void app_ask_record(void *ctx)
{
	struct app *a = ctx;
	struct vy_json *params = vy_json_new_obj();

	vy_json_set_c(params, "session", a->boot.session);
	rpc_call(a->boot.net.rpc, "threads.get", params, NULL, 0, on_record, a);
}

void app_show_unsent(void *ctx, const char *session)
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
	app_dirty(a);
}

static void on_frame(void *ctx, const struct vy_frame *f)
{
	struct app *a = ctx;
	struct app_effects fx = { 0 };

	app_tell_time(a);
	if (f->kind == VY_KIND_USER_MESSAGE &&
		outbox_seen(a->outbox, vy_frame_str(f, VY_F_MESSAGE))) {
		app_show_unsent(a, a->boot.session);
	}
	app_frame(&a->state, f, &fx);
	app_perform(a, &fx);
	if (f->kind == VY_KIND_STATUS && !vy_timer_is_set(a->record)) {
		vy_timer_set(a->record, RECORD_MS);
	}
	a->has_words = a->state.line == APP_LIVE;
	a->is_dirty = true; /* what is stale by it, app_frame() knows */
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
		app_show_unsent(a, a->boot.session);
	}
}

static void on_snapshot(void *ctx, const struct vy_json *snapshot)
{
	struct app *a = ctx;
	struct app_effects fx = { 0 };

	app_tell_time(a);
	see_rows(a, vy_json_get(snapshot, "rows"));
	app_snapshot(&a->state, snapshot, &fx);
	know_folder(a);
	app_perform(a, &fx);
	app_dirty(a);
}

static void on_older(void *ctx, const struct vy_json *page)
{
	struct app *a = ctx;
	struct app_effects fx = { 0 };

	app_tell_time(a);
	app_older(&a->state, page);
	whole_step(&a->state, page != NULL && a->state.no_paging_until != INT64_MAX, &fx);
	app_perform(a, &fx);
	app_dirty(a);
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
	app_tell_time(a);
	app_set_line(&a->state, line, a->link ? link_down_since_ms(a->link) : -1,
		why ? why->text : NULL);
	if (s == LINK_LIVE || s == LINK_DOWN) {
		desk_line(a->desk, s == LINK_LIVE);
	}
	if (s == LINK_LIVE) {
		a->is_wanted = false;
		outbox_flush(a->outbox, a->boot.net.rpc);
		calls_retry(a->calls);
		tidy_line_up(a->tidy);
		app_ask_record(a);
	} else if (s == LINK_DOWN) {
		outbox_hold(a->outbox);
	}
	app_dirty(a);
	if (s == LINK_LIVE && plane_is_there(a->plane) && a->state.column.plane == COLUMN_ALONE) {
		column_told(&a->state, COLUMN_COMING);
	}
	plane_want(a->plane, s == LINK_LIVE);
}

static void on_spawned(void *ctx, const struct vy_err *e)
{
	struct app *a = ctx;

	spawn_free(a->spawn);
	a->spawn = NULL;
	if (e->code != VY_OK) {
		app_no_server(&a->state, e->text);
		app_dirty(a);
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

/* ---- the control plane: what happens to any session is seen at once ---- */

static void on_plane_begins(void *ctx, int64_t head)
{
	struct app *a = ctx;

	column_begins(&a->state, head);
	app_dirty(a);
}

static void on_plane_event(void *ctx, const struct vy_json *event)
{
	struct app *a = ctx;
	struct app_effects fx = { 0 };

	app_tell_time(a);
	column_event(&a->state, event);
	ledger_event(&a->state, event, &fx);
	app_perform(a, &fx);
	app_dirty(a);
}

static void on_plane_ends(void *ctx)
{
	struct app *a = ctx;

	column_told(&a->state, COLUMN_ALONE);
	app_dirty(a);
}

static const struct plane_events plane_callbacks = {
	.begins = on_plane_begins,
	.event = on_plane_event,
	.ends = on_plane_ends,
};

void app_open_link(struct app *a)
{
	struct link_conf lc = {
		.loop = a->boot.net.loop,
		.dial = a->boot.net.dial,
		.rpc = a->boot.net.rpc,
		.clock = &vy_clock_real,
		.session = a->boot.session,
		.from = -1,
		.rows = PAGE_ROWS,
		.wants_words = true,
	};

	if (!a->plane) {
		a->plane = plane_new(a->boot.net.loop, a->boot.net.dial, &a->state.column.watch,
			&plane_callbacks, a);
	}
	a->link = link_new(&lc, &link_callbacks, a);
}

void app_want_server(struct app *a)
{
	if (link_state(a->link) == LINK_DOWN && link_was_ended(a->link)) {
		a->is_wanted = true;
		app_set_line(&a->state, APP_DOWN, link_down_since_ms(a->link), NULL);
		link_retry(a->link);
	}
}

/* desk.c -- see desk.h. */
#include "tui/app/desk.h"

#include <stdio.h>
#include <stdlib.h>

#include "shared/base/clock.h"
#include "shared/base/hash.h"
#include "shared/base/json.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "tui/app/share.h"
#include "tui/net/keep.h"
#include "tui/net/past.h"
#include "tui/view/draft.h"
#include "shared/base/ban.h"

#define DRAFT_MAX   (256 * 1024 * 1024) /* a message with its pictures, as JSON may escape it */
#define KILLS_KEPT  8
#define KILL_MAX    (64 * 1024)
#define KILLS_MAX   (8 * KILLS_KEPT * KILL_MAX)
#define REST_FACTOR 20 /* writing a giant takes at most one part in so many of the time */
#define GIANT       (256 * 1024)

struct desk {
	struct composer *c;
	const struct vy_clock *clock;
	struct desk_events ev;
	void *ctx;
	struct vy_timer *timer; /* the next moment a giant draft may be written */
	char *drafts, *history; /* folders */
	char *project;          /* NULL: not known yet */
	char session[VY_UUID_LEN + 1];
	uint64_t rev, kill_rev; /* as on disk */
	uint64_t told_rev;      /* as the server's part knows it */
	bool has_file, has_sends, has_failed;
	int64_t not_before_ms;
	struct share *share; /* NULL: no server */
};

#define SHARED_MAX (1024 * 1024) /* of a text with its chips; a larger one stays here */

/* ---- writing ---- */

static void tell(struct desk *d, int rc, const struct vy_err *e)
{
	if (rc != 0 && !d->has_failed && d->ev.failed) {
		d->ev.failed(d->ctx, e->text);
	}
	d->has_failed = rc != 0;
}

static bool write_doc(struct desk *d, const char *name, const struct vy_json *doc, size_t max)
{
	VY_AUTO_BUF text = VY_BUF_INIT(max);
	struct vy_err e = { 0 };

	if (!vy_json_dump(doc, &text)) {
		return false;
	}
	int rc = keep_write(d->drafts, name, vy_buf_str(&text), &e);

	tell(d, rc, &e);
	return rc == 0;
}

static void draft_name(const struct desk *d, char out[VY_UUID_LEN + 16])
{
	snprintf(out, VY_UUID_LEN + 16, "%s.draft", d->session);
}

/* Which message the draft on disk is just becoming (desk_sends). */
static void sends_name(const struct desk *d, char out[VY_UUID_LEN + 16])
{
	snprintf(out, VY_UUID_LEN + 16, "%s.sends", d->session);
}

static void forget_sends(struct desk *d)
{
	char name[VY_UUID_LEN + 16];

	sends_name(d, name);
	keep_remove(d->drafts, name);
	d->has_sends = false;
}

void desk_sends(struct desk *d, const char *id)
{
	char name[VY_UUID_LEN + 16];

	if (d->has_file) {
		sends_name(d, name);
		d->has_sends = keep_write(d->drafts, name, vy_str_c(id), NULL) == 0;
	}
}

static struct share_mark mark_of(const struct desk *d)
{
	return d->share ? share_mark(d->share) : (struct share_mark){ -1, true };
}

/* An empty one is kept until the server knows that it is empty. */
static void write_draft(struct desk *d)
{
	VY_AUTO_JSON *doc = draft_pack(d->c);
	char name[VY_UUID_LEN + 16];
	int64_t start = vy_boot_ms(d->clock), took;
	struct share_mark mark = mark_of(d);
	bool is_done = true;

	draft_name(d, name);
	if (!doc && !mark.is_sent) {
		doc = vy_json_new_obj();
		vy_json_take(doc, "parts", vy_json_new_arr());
	}
	if (doc) {
		vy_json_set_int(doc, "rev", mark.rev);
		vy_json_set_bool(doc, "sent", mark.is_sent);
		is_done = write_doc(d, name, doc, DRAFT_MAX);
	} else if (d->has_file) {
		keep_remove(d->drafts, name);
	}
	d->has_file = doc != NULL;
	if (d->has_sends && is_done) { /* else the old draft stands there, and was sent */
		forget_sends(d);
	}
	d->rev = d->c->edit.rev;
	took = vy_boot_ms(d->clock) - start;
	d->not_before_ms = edit_size(&d->c->edit) > GIANT ? start + took * REST_FACTOR : 0;
}

static void write_kills(struct desk *d)
{
	VY_AUTO_JSON *list = vy_json_new_arr();
	VY_AUTO_BUF one = VY_BUF_INIT(EDIT_MAX);

	for (size_t i = 0; i < KILLS_KEPT && edit_kill(&d->c->edit, i, &one); i++) {
		if (one.len <= KILL_MAX) {
			vy_json_add_take(list, vy_json_new_str(vy_buf_str(&one)));
		}
		vy_buf_clear(&one);
	}
	write_doc(d, "kills", list, KILLS_MAX);
	d->kill_rev = d->c->edit.kill_rev;
}

/* While the server has not told the folder, what is said is kept under the session's name. */
static const char *project_of(const struct desk *d)
{
	return d->project ? d->project : d->session;
}

static void write_history(struct desk *d)
{
	struct composer *c = d->c;
	struct vy_str texts[COMPOSER_HISTORY];
	struct vy_err e = { 0 };

	for (size_t i = 0; i < c->n_fresh; i++) {
		texts[i] = vy_str_c(c->history[c->n_history - c->n_fresh + i]);
	}
	int rc = past_add(d->history, project_of(d), texts, c->n_fresh, vy_wall_ms(d->clock), &e);

	tell(d, rc, &e);
	composer_kept(c);
}

/* What the person changed is told before anything is decided by what was told. */
static void look(struct desk *d)
{
	if (d->share && d->told_rev != d->c->edit.rev) {
		d->told_rev = d->c->edit.rev;
		share_changed(d->share);
	}
}

static void write_all(struct desk *d, bool is_last)
{
	if (d->session[0] && d->c->n_fresh) {
		write_history(d);
	}
	if (d->kill_rev != d->c->edit.kill_rev) {
		write_kills(d);
	}
	look(d);
	if (!d->session[0] || d->rev == d->c->edit.rev) {
		return;
	}
	int64_t wait = d->not_before_ms - vy_boot_ms(d->clock);

	if (wait > 0 && !is_last) {
		vy_timer_set(d->timer, wait);
	} else {
		write_draft(d);
	}
}

void desk_turn(struct desk *d)
{
	write_all(d, false);
}

static void on_timer(void *ctx)
{
	write_all(ctx, false);
}

/* ---- reading ---- */

static struct vy_json *read_doc(const struct desk *d, const char *name, size_t max)
{
	VY_AUTO_BUF text = VY_BUF_INIT(max);

	return keep_read(d->drafts, name, &text) ? vy_json_parse(vy_buf_str(&text), NULL) : NULL;
}

static void read_kills(struct desk *d)
{
	VY_AUTO_JSON *list = read_doc(d, "kills", KILLS_MAX);

	for (size_t i = vy_json_len(list); i-- > 0;) { /* the newest last */
		struct vy_str text = vy_json_strval(vy_json_at(list, i));

		if (text.n) {
			edit_remember_kill(&d->c->edit, text);
		}
	}
	d->kill_rev = d->c->edit.kill_rev;
}

/* The last client died with the draft sent and not put away. That it was sent is forgotten behind the
 * draft (write_draft): this client may be killed as well. */
static bool was_sent(struct desk *d)
{
	VY_AUTO_BUF id = VY_BUF_INIT(VY_UUID_LEN + 1);
	char name[VY_UUID_LEN + 16];

	sends_name(d, name);
	d->has_sends = keep_read(d->drafts, name, &id);
	if (d->has_sends && d->ev.is_kept && d->ev.is_kept(d->ctx, vy_buf_c(&id))) {
		return true;
	}
	if (d->has_sends) {
		forget_sends(d);
	}
	return false;
}

void desk_open(struct desk *d, const char *session)
{
	char name[VY_UUID_LEN + 16];

	write_all(d, true);
	composer_switch(d->c);
	free(d->project); /* told anew */
	d->project = NULL;
	snprintf(d->session, sizeof(d->session), "%s", session);
	draft_name(d, name);
	VY_AUTO_JSON *doc = read_doc(d, name, DRAFT_MAX);

	bool is_old = was_sent(d);

	d->has_file = doc && (is_old || draft_unpack(d->c, doc));
	edit_forget(&d->c->edit);
	d->rev = d->told_rev = d->c->edit.rev;
	d->not_before_ms = 0;
	if (d->share) {
		share_open(d->share, session,
			(struct share_mark){ vy_json_int(doc, "rev", -1),
				!is_old && vy_json_bool(doc, "sent", !d->has_file) });
	}
	if (is_old) {
		write_draft(d);
	}
}

struct said {
	char **v;
	struct vy_str *s;
	size_t n, cap, s_cap;
};

static void add_said(void *ctx, struct vy_str text)
{
	struct said *all = ctx;

	all->v = vy_grow(all->v, &all->cap, all->n + 1, sizeof(*all->v));
	all->s = vy_grow(all->s, &all->s_cap, all->n + 1, sizeof(*all->s));
	all->v[all->n] = vy_memdup0(text.p, text.n);
	all->s[all->n] = vy_str_n(all->v[all->n], text.n);
	all->n++;
}

static void free_said(struct said *all)
{
	for (size_t i = 0; i < all->n; i++) {
		free(all->v[i]);
	}
	free(all->v);
	free(all->s);
}

/* What was said while nobody knew the folder goes where it belongs. */
static void move_pending(struct desk *d)
{
	struct said pending = { 0 };

	past_read(d->history, d->session, add_said, &pending);
	for (size_t i = 0; i < pending.n; i++) {
		composer_remember(d->c, pending.s[i]);
	}
	if (pending.n) {
		write_history(d);
		past_forget(d->history, d->session);
	}
	free_said(&pending);
}

void desk_project(struct desk *d, const char *cwd)
{
	struct said all = { 0 };

	if (!cwd || (d->project && strcmp(d->project, cwd) == 0)) {
		return;
	}
	if (d->c->n_fresh) {
		write_history(d);
	}
	free(d->project);
	d->project = vy_strdup(cwd);
	past_read(d->history, cwd, add_said, &all);
	composer_load_history(d->c, all.s, all.n);
	free_said(&all);
	move_pending(d);
}

/* ---- the server's ---- */

static void on_look(void *ctx)
{
	look(ctx);
}

static bool on_ours(void *ctx, struct vy_json **out)
{
	struct desk *d = ctx;

	if (edit_size(&d->c->edit) > SHARED_MAX) {
		return false;
	}
	*out = draft_pack(d->c);
	return true;
}

static void on_theirs(void *ctx, const struct vy_json *draft)
{
	struct desk *d = ctx;

	if (!draft || !draft_unpack(d->c, draft)) {
		edit_clear(&d->c->edit);
	}
	d->told_rev = d->c->edit.rev; /* no change of ours */
	d->ev.changed(d->ctx);
}

/* One that another screen wrote while we wrote ours: up finds it. */
static void on_other(void *ctx, const struct vy_json *draft)
{
	struct desk *d = ctx;
	struct composer theirs;
	VY_AUTO_BUF whole = VY_BUF_INIT(EDIT_MAX);

	composer_init(&theirs);
	if (draft_unpack(&theirs, draft) && edit_whole(&theirs.edit, &whole)) {
		composer_remember(d->c, vy_buf_str(&whole));
	}
	composer_fini(&theirs);
}

static void on_settled(void *ctx)
{
	write_draft(ctx);
}

void desk_line(struct desk *d, bool is_up)
{
	if (d->share) {
		(is_up ? share_up : share_down)(d->share);
	}
}

/* ---- life ---- */

static char *folder_of(const char *state_dir, const char *name)
{
	struct vy_buf b = VY_BUF_INIT(8192);

	vy_buf_addf(&b, "%s/%s", state_dir, name);
	return vy_buf_take(&b, NULL);
}

struct desk *desk_new(const struct desk_conf *conf, const struct desk_events *ev, void *ctx)
{
	static const struct share_events events = { on_look, on_ours, on_theirs, on_other,
		on_settled };
	struct desk *d = VY_NEW(struct desk);

	d->c = conf->c;
	d->clock = conf->clock;
	d->ev = *ev;
	d->ctx = ctx;
	d->timer = vy_loop_timer(conf->loop, on_timer, d);
	d->drafts = folder_of(conf->state_dir, "drafts");
	d->history = folder_of(conf->state_dir, "history");
	d->share = conf->rpc ? share_new(conf->loop, conf->rpc, SHARE_PAUSE_MS, &events, d) : NULL;
	d->rev = d->told_rev = d->c->edit.rev;
	read_kills(d);
	return d;
}

void desk_free(struct desk *d)
{
	if (!d) {
		return;
	}
	write_all(d, true);
	share_free(d->share);
	vy_timer_del(d->timer);
	free(d->drafts);
	free(d->history);
	free(d->project);
	free(d);
}

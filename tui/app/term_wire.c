/* term_wire.c -- see term_wire.h. A wire is known by its tab's serial: tabs come and go meanwhile. */
#include "tui/app/term_wire.h"

#include <stdio.h>
#include <stdlib.h>

#include "shared/base/clock.h"
#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "tui/app/state.h"
#include "tui/app/term.h"
#include "tui/net/keep.h"
#include "tui/net/rpc.h"
#include "tui/net/term_link.h"
#include "shared/base/ban.h"

#define KEPT     "pane"
#define KEPT_MAX 64

struct wire {
	struct term_wire *all;
	uint32_t serial; /* 0: free */
	struct rpc_call *opening;
	struct term_link *link;
};

struct term_wire {
	struct term_wire_conf conf;
	struct wire wires[TERM_MAX];
	struct rpc_call *listing;
	struct vy_buf clip;
	uint64_t kept_rev;
};

static struct terms *terms(const struct term_wire *w)
{
	return &w->conf.state->terms;
}

static struct term_tab *tab_of(const struct wire *one)
{
	return terms_find(terms(one->all), one->serial);
}

static void free_wire(struct wire *one)
{
	rpc_cancel(one->opening);
	term_link_free(one->link);
	*one = (struct wire){ .all = one->all };
}

static struct wire *wire_of(struct term_wire *w, uint32_t serial)
{
	struct wire *free_one = NULL;

	for (size_t i = 0; i < TERM_MAX; i++) {
		if (w->wires[i].serial == serial) {
			return &w->wires[i];
		}
		if (w->wires[i].serial == 0) {
			free_one = &w->wires[i];
		}
	}
	if (free_one) {
		free_one->serial = serial;
	}
	return free_one;
}

/* ---- what comes ---- */

static void on_effect(void *ctx, const struct vy_term_effect *e)
{
	struct wire *one = ctx;
	struct term_tab *tab = tab_of(one);

	if (tab) {
		term_effect(tab, e);
		one->all->conf.changed(one->all->conf.ctx);
	}
}

static void on_line(void *ctx, enum term_link_state line, const struct vy_err *why)
{
	struct wire *one = ctx;
	struct term_tab *tab = tab_of(one);

	if (tab) {
		term_line(one->all->conf.state, tab, line,
			one->link ? term_link_down_since_ms(one->link) : -1, why);
		one->all->conf.changed(one->all->conf.ctx);
	}
}

static void on_opened(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct wire *one = ctx;

	one->opening = NULL;
	term_opened(one->all->conf.state, one->serial, result, e);
	one->all->conf.changed(one->all->conf.ctx);
}

static void on_listed(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct term_wire *w = ctx;

	(void)e; /* opening one will say it */
	w->listing = NULL;
	term_listed(w->conf.state, result);
	w->conf.changed(w->conf.ctx);
}

static void on_closed(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct term_wire *w = ctx;

	if (!result) {
		app_failed(w->conf.state, e->text);
		w->conf.changed(w->conf.ctx);
	}
}

/* ---- what is wished ---- */

static void list(struct term_wire *w)
{
	struct vy_json *p = vy_json_new_obj();

	vy_json_set_c(p, "session", w->conf.state->session);
	w->listing = rpc_call(w->conf.rpc, "term.list", p, NULL, 0, on_listed, w);
}

static void open_one(struct term_wire *w, struct wire *one)
{
	char key[VY_UUID_LEN + 1];
	struct vy_json *p = vy_json_new_obj();
	int cols, rows;

	vy_uuid(key);
	term_room(w->conf.state, &cols, &rows);
	vy_json_set_c(p, "session", w->conf.state->session);
	vy_json_set_int(p, "cols", cols);
	vy_json_set_int(p, "rows", rows);
	one->opening = rpc_call(w->conf.rpc, "term.open", p, key, 0, on_opened, one);
}

static void close_one(struct term_wire *w, struct term_tab *tab)
{
	char key[VY_UUID_LEN + 1];
	struct vy_json *p = vy_json_new_obj();

	vy_uuid(key);
	vy_json_set_c(p, "term", tab->id);
	rpc_call(w->conf.rpc, "term.close", p, key, 0, on_closed, w);
	tab->wants_close = false;
}

static void connect_one(struct term_wire *w, struct wire *one, struct term_tab *tab)
{
	static const struct term_link_events events = { on_effect, on_line };
	struct term_link_conf conf = { .loop = w->conf.loop,
		.dial = w->conf.dial,
		.rpc = w->conf.rpc,
		.clock = &vy_clock_real,
		.term = tab->id,
		.viewer = &tab->viewer,
		.claims_keys = tab->is_ours };

	term_room(w->conf.state, &conf.cols, &conf.rows);
	one->link = term_link_new(&conf, &events, one);
}

static void disconnect_one(struct term_wire *w, struct wire *one, struct term_tab *tab)
{
	term_link_free(one->link);
	one->link = NULL;
	if (tab->line != TERM_LINK_OVER && tab->line != TERM_LINK_GONE) {
		term_line(w->conf.state, tab, TERM_LINK_DOWN, w->conf.state->now_ms, NULL);
	}
}

/* What the pane has to say: keys, answers, its room, a bell. */
static void flush(struct term_wire *w, struct wire *one, struct term_tab *tab)
{
	int cols, rows;

	if (pane_take_bell(tab->pane)) {
		w->conf.bell(w->conf.ctx);
	}
	if (pane_take_clip(tab->pane, &w->clip)) {
		w->conf.clip(w->conf.ctx, vy_buf_str(&w->clip));
		vy_buf_fini(&w->clip);
	}
	if (!one->link) {
		return;
	}
	if (tab->wants_take) {
		term_link_take(one->link);
		tab->wants_take = false;
	}
	if (terms(w)->body.w > 0) {
		term_room(w->conf.state, &cols, &rows);
		term_link_size(one->link, cols, rows);
	}
	if (tab->viewer.is_open && !tab->viewer.has_keys) {
		vy_buf_clear(pane_out(tab->pane)); /* answers that another viewer gives */
	} else {
		term_link_send(one->link, pane_out(tab->pane));
	}
}

static void turn_one(struct term_wire *w, struct term_tab *tab)
{
	struct wire *one = wire_of(w, tab->serial);
	bool is_over = tab->line == TERM_LINK_OVER || tab->line == TERM_LINK_GONE;

	if (!one) {
		return; /* the one before it has its place until the next turn */
	}
	if (!tab->id && !one->opening && !is_over) {
		open_one(w, one);
	}
	if (tab->id && tab->wants_close) {
		close_one(w, tab);
	}
	if (tab->id && terms(w)->is_shown && !one->link && !is_over) {
		connect_one(w, one, tab);
	} else if (one->link && (!terms(w)->is_shown || is_over)) {
		disconnect_one(w, one, tab);
	}
	flush(w, one, tab);
}

/* ---- how the pane stands ---- */

static void read_place(struct term_wire *w)
{
	VY_AUTO_BUF b = VY_BUF_INIT(KEPT_MAX);
	struct terms *t = terms(w);
	int layout, below, beside;

	if (w->conf.state_dir && keep_read(w->conf.state_dir, KEPT, &b) &&
		sscanf(vy_buf_c(&b), "%d %d %d", &layout, &below, &beside) == 3 && layout >= 0 &&
		layout < TERM_LAYOUTS && below > 0 && below < 100 && beside > 0 && beside < 100) {
		t->layout = layout;
		t->below = below;
		t->beside = beside;
	}
	w->kept_rev = t->rev;
}

static void keep_place(struct term_wire *w)
{
	VY_AUTO_BUF b = VY_BUF_INIT(KEPT_MAX);
	const struct terms *t = terms(w);
	struct vy_err e = { 0 };

	if (w->conf.state_dir && w->kept_rev != t->rev && !t->is_sizing) {
		w->kept_rev = t->rev;
		vy_buf_addf(&b, "%d %d %d\n", t->layout, t->below, t->beside);
		if (keep_write(w->conf.state_dir, KEPT, vy_buf_str(&b), &e) != 0) {
			app_failed(w->conf.state, e.text);
		}
	}
}

void term_wire_turn(struct term_wire *w)
{
	struct terms *t = terms(w);

	for (size_t i = 0; i < TERM_MAX; i++) {
		struct wire *one = &w->wires[i];

		if (one->serial && !tab_of(one)) {
			free_wire(one);
		}
	}
	terms_sweep(t);
	keep_place(w);
	if (!t->wants_list && w->listing) {
		rpc_cancel(w->listing); /* another session is shown */
		w->listing = NULL;
	}
	if (t->wants_list && !w->listing) {
		list(w);
	}
	for (size_t i = 0; i < t->n; i++) {
		turn_one(w, t->tabs[i]);
	}
}

/* ---- life ---- */

struct term_wire *term_wire_new(const struct term_wire_conf *conf)
{
	struct term_wire *w = VY_NEW(struct term_wire);

	w->conf = *conf;
	w->clip = VY_BUF_INIT(PANE_CLIP_MAX + 1);
	for (size_t i = 0; i < TERM_MAX; i++) {
		w->wires[i].all = w;
	}
	read_place(w);
	return w;
}

void term_wire_free(struct term_wire *w)
{
	if (w) {
		for (size_t i = 0; i < TERM_MAX; i++) {
			free_wire(&w->wires[i]);
		}
		rpc_cancel(w->listing);
		vy_buf_fini(&w->clip);
		free(w);
	}
}

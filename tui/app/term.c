/* term.c -- see term.h: the tabs, and what the server brings. Keys are in term_key.c, drawing in
 * term_draw.c. */
#include "tui/app/term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "tui/app/state.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define BELOW  45 /* hundredths, at first */
#define BESIDE 50

/* ---- tabs ---- */

static struct term_tab *tab_new(struct app_state *s, const char *id)
{
	struct terms *t = &s->terms;
	struct term_tab *tab = VY_NEW(struct term_tab);
	int cols, rows;

	term_room(s, &cols, &rows);
	tab->serial = ++t->serial;
	tab->id = vy_strdup(id);
	tab->pane = pane_new(s->pool, cols, rows);
	pane_set_muted(tab->pane, true);
	if (t->has_colors) {
		pane_set_colors(tab->pane, t->fg, t->bg);
	}
	vy_term_viewer_init(&tab->viewer);
	tab->line = TERM_LINK_DOWN;
	tab->down_since_ms = s->now_ms;
	return tab;
}

static void tab_free(struct term_tab *tab)
{
	pane_free(tab->pane);
	free(tab->id);
	free(tab->why);
	free(tab->first);
	free(tab);
}

void terms_init(struct terms *t)
{
	*t = (struct terms){ .below = BELOW, .beside = BESIDE };
	edit_init(&t->query);
}

void terms_sweep(struct terms *t)
{
	for (size_t i = 0; i < t->n_gone; i++) {
		tab_free(t->gone[i]);
	}
	t->n_gone = 0;
}

void terms_fini(struct terms *t)
{
	terms_sweep(t);
	for (size_t i = 0; i < t->n; i++) {
		tab_free(t->tabs[i]);
	}
	free(t->gone);
	edit_fini(&t->query);
}

struct term_tab *terms_now(const struct terms *t)
{
	return t->at < t->n ? t->tabs[t->at] : NULL;
}

struct term_tab *terms_find(const struct terms *t, uint32_t serial)
{
	for (size_t i = 0; i < t->n; i++) {
		if (t->tabs[i]->serial == serial) {
			return t->tabs[i];
		}
	}
	return NULL;
}

static struct term_tab *add(struct app_state *s, const char *id)
{
	struct terms *t = &s->terms;

	if (t->n == TERM_MAX) {
		return NULL;
	}
	t->tabs[t->n] = tab_new(s, id);
	return t->tabs[t->n++];
}

static void drop(struct terms *t, struct term_tab *tab)
{
	size_t i = 0;

	while (i < t->n && t->tabs[i] != tab) {
		i++;
	}
	if (i == t->n) {
		return;
	}
	memmove(&t->tabs[i], &t->tabs[i + 1], (t->n - i - 1) * sizeof(t->tabs[0]));
	t->n--;
	if (t->at > i || t->at == t->n) {
		t->at = t->at > 0 ? t->at - 1 : 0;
	}
	t->gone = vy_grow(t->gone, &t->cap_gone, t->n_gone + 1, sizeof(*t->gone));
	t->gone[t->n_gone++] = tab;
}

/* ---- there and away ---- */

static bool has_ended(const struct term_tab *tab)
{
	return tab->line == TERM_LINK_OVER || tab->line == TERM_LINK_GONE;
}

static void hide(struct app_state *s)
{
	struct terms *t = &s->terms;

	for (size_t i = t->n; i > 0; i--) {
		if (has_ended(t->tabs[i - 1])) {
			drop(t, t->tabs[i - 1]); /* it was seen */
		}
	}
	t->is_prefixed = t->is_seeking = false;
	if (t->is_alone) {
		t->wants_quit = true;
		return;
	}
	t->is_shown = false;
	if (s->focus == APP_TERM) {
		s->focus = APP_COMPOSER;
	}
}

static void take_keys(struct app_state *s)
{
	struct term_tab *tab = terms_now(&s->terms);

	s->focus = APP_TERM;
	if (tab) {
		tab->has_news = false;
	}
}

static void show(struct app_state *s)
{
	struct terms *t = &s->terms;

	if (!t->is_shown) {
		t->is_shown = true;
		t->wants_list = t->n == 0;
	}
	take_keys(s);
}

void term_toggle(struct app_state *s)
{
	if (s->terms.is_shown && s->focus == APP_TERM) {
		hide(s);
	} else {
		show(s);
	}
}

void term_alone(struct app_state *s)
{
	s->terms.is_alone = true;
	show(s);
}

void term_next_layout(struct app_state *s)
{
	struct terms *t = &s->terms;

	if (!t->is_shown) {
		show(s);
		return;
	}
	for (int i = 1; i <= TERM_LAYOUTS; i++) { /* the next that there is room for */
		int was = t->layout;

		t->layout = (was + 1) % TERM_LAYOUTS;
		if (term_split(s, t->whole_w, t->whole_h).layout == t->layout) {
			break;
		}
	}
	t->rev++;
}

void term_next_focus(struct app_state *s)
{
	if (s->focus == APP_TERM) {
		s->focus = APP_COMPOSER;
		s->terms.is_prefixed = s->terms.is_seeking = false;
	} else {
		show(s);
	}
}

struct term_tab *term_new(struct app_state *s)
{
	struct term_tab *tab = add(s, NULL);
	char line[120];

	if (!tab) {
		snprintf(line, sizeof(line), _("no more than %d terminals here"), TERM_MAX);
		app_flash(s, line);
		return NULL;
	}
	s->terms.at = s->terms.n - 1;
	s->terms.is_shown = true;
	return tab;
}

void term_leave_session(struct app_state *s)
{
	struct terms *t = &s->terms;

	while (t->n) {
		drop(t, t->tabs[t->n - 1]);
	}
	t->is_shown = t->is_prefixed = t->is_seeking = t->wants_list = false;
}

void term_close(struct app_state *s, struct term_tab *tab)
{
	if (has_ended(tab) || (!tab->id && tab->why)) {
		drop(&s->terms, tab);
		if (s->terms.n == 0) {
			hide(s);
		}
	} else {
		tab->wants_close = tab->closes = true;
	}
}

static int layout_of(struct vy_str word)
{
	static const char *const names[TERM_LAYOUTS] = { "below", "beside", "full" };

	for (int i = 0; i < TERM_LAYOUTS; i++) {
		if (vy_str_is(word, names[i])) {
			return i;
		}
	}
	return -1;
}

void term_command(struct app_state *s, struct vy_str words)
{
	struct term_tab *tab = terms_now(&s->terms);
	int layout = layout_of(words);

	if (layout >= 0) {
		s->terms.layout = layout;
		s->terms.rev++;
		show(s);
	} else if (vy_str_is(words, "new")) {
		if (s->terms.is_shown || s->terms.n) {
			term_new(s);
		}
		show(s);
	} else if (vy_str_is(words, "close")) {
		if (tab) {
			term_close(s, tab);
		}
	} else if (words.n == 0) {
		show(s);
	} else {
		app_flash(s, _("/terminal takes new, close, below, beside or full"));
	}
}

/* In quotes, as every shell takes it. */
static void add_quoted(struct vy_buf *out, const char *word)
{
	vy_buf_addc(out, '\'');
	for (; *word; word++) {
		if (*word == '\'') {
			vy_buf_adds(out, "'\\''");
		} else {
			vy_buf_addc(out, *word);
		}
	}
	vy_buf_addc(out, '\'');
}

bool term_edit(struct app_state *s, const char *path, size_t line)
{
	VY_AUTO_BUF b = VY_BUF_INIT(16384);
	struct term_tab *tab;
	size_t n;

	if (!s->terms.is_shown || !s->terms.is_here || strpbrk(path, "\n\r\033") ||
		!(tab = term_new(s))) {
		return false;
	}
	vy_buf_adds(&b, "exec ${VISUAL:-${EDITOR:-vi}} ");
	if (line > 0) {
		vy_buf_addf(&b, "+%zu ", line);
	}
	add_quoted(&b, path);
	vy_buf_addc(&b, '\r');
	tab->first = vy_buf_take(&b, &n);
	tab->closes = true;
	take_keys(s);
	return true;
}

/* ---- what the server brings ---- */

void term_listed(struct app_state *s, const struct vy_json *result)
{
	const struct vy_json *list = vy_json_get(result, "terms");

	s->terms.wants_list = false;
	for (size_t i = 0; i < vy_json_len(list); i++) {
		const struct vy_json *one = vy_json_at(list, i);
		const char *id = vy_json_cstr(one, "term");

		if (id && !vy_json_get(one, "ended")) {
			add(s, id);
		}
	}
	if (s->terms.n == 0) {
		term_new(s);
	}
}

static void set_why(struct term_tab *tab, const struct vy_err *why)
{
	free(tab->why);
	tab->why = why && why->text[0] ? vy_strdup(why->text) : NULL;
}

void term_opened(
	struct app_state *s, uint32_t serial, const struct vy_json *result, const struct vy_err *e)
{
	struct term_tab *tab = terms_find(&s->terms, serial);
	const char *id = vy_json_cstr(result, "term");

	if (!tab) {
		return;
	}
	if (id) {
		free(tab->id);
		tab->id = vy_strdup(id);
		tab->is_ours = true;
		set_why(tab, NULL);
	} else {
		set_why(tab, e);
		tab->line = TERM_LINK_GONE;
	}
}

void term_effect(struct term_tab *tab, const struct vy_term_effect *e)
{
	switch (e->what) {
	case VY_TERM_DO_RESET:
		pane_set_muted(tab->pane, true);
		pane_reset(tab->pane, (int)e->cols, (int)e->rows);
		tab->is_known = true;
		break;
	case VY_TERM_DO_SIZE: pane_resize(tab->pane, (int)e->cols, (int)e->rows); break;
	case VY_TERM_DO_FEED:
		pane_feed(tab->pane, e->bytes);
		tab->has_news = true;
		break;
	case VY_TERM_DO_KEYS:
	case VY_TERM_DO_EXIT:
	case VY_TERM_DO_AGAIN: break;
	}
}

void term_line(struct app_state *s, struct term_tab *tab, enum term_link_state line,
	int64_t down_since_ms, const struct vy_err *why)
{
	tab->line = line;
	tab->down_since_ms = down_since_ms;
	set_why(tab, why);
	pane_set_muted(tab->pane, line != TERM_LINK_LIVE);
	if (line == TERM_LINK_LIVE && tab->first) {
		vy_buf_adds(pane_out(tab->pane), tab->first);
		free(tab->first);
		tab->first = NULL;
	}
	if (line == TERM_LINK_OVER && (tab->closes || s->terms.is_alone)) {
		drop(&s->terms, tab);
		if (s->terms.n == 0) {
			hide(s);
		}
	}
}

void term_say_end(const struct term_tab *tab, struct vy_buf *out)
{
	const struct vy_term_msg *x = &tab->viewer.exit;

	if (tab->line == TERM_LINK_GONE || !tab->viewer.has_ended) {
		vy_buf_adds(out, tab->why ? tab->why : _("the terminal is gone"));
	} else if (x->why[0]) {
		vy_buf_adds(out, x->why);
	} else if (x->has_signal) {
		vy_buf_addf(out, _("the shell was ended by signal %d"), x->signal);
	} else if (x->has_status && x->status != 0) {
		vy_buf_addf(out, _("the shell has ended with status %d"), x->status);
	} else {
		vy_buf_adds(out, _("the shell has ended"));
	}
}

/* composer.c -- see composer.h: what is written, and what was said before. Rows: composer_draw.c. */
#include "tui/view/composer.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

void composer_init(struct composer *c)
{
	*c = (struct composer){ 0 };
	edit_init(&c->edit);
	edit_vim_init(&c->vim);
	vy_arena_init(&c->arena);
}

void composer_fini(struct composer *c)
{
	edit_fini(&c->edit);
	for (size_t i = 0; i < c->n_history; i++) {
		free(c->history[i]);
	}
	free(c->draft);
	vy_arena_fini(&c->arena);
	*c = (struct composer){ 0 };
}

/* Another text: what is written first is a message, not a command. */
static void begin_anew(struct composer *c)
{
	if (c->is_vim) {
		edit_vim_restart(&c->vim, &c->edit);
	}
}

void composer_set_vim(struct composer *c, bool is_vim)
{
	c->is_vim = is_vim;
	c->edit.group = 0;
	edit_vim_init(&c->vim);
	begin_anew(c);
}

/* ---- what it is ---- */

static bool is_blank(struct vy_str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != ' ' && s.p[i] != '\n' && s.p[i] != '\t') {
			return false;
		}
	}
	return true;
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '_' || c == ':' || c == '.';
}

/* "/word" and no path: the word ends at a blank or at the end. */
static bool is_command(struct vy_str s)
{
	size_t i = 1;

	while (i < s.n && is_name(s.p[i])) {
		i++;
	}
	return i == s.n || (i > 1 && (s.p[i] == ' ' || s.p[i] == '\n'));
}

static bool is_memory(struct vy_str s)
{
	return !memchr(s.p, '\n', s.n) && (s.n == 1 || s.p[1] < '0' || s.p[1] > '9');
}

enum composer_kind composer_kind(const struct composer *c)
{
	struct vy_str s = edit_text(&c->edit);

	if (s.n == 0) {
		return COMPOSER_MESSAGE;
	}
	switch (s.p[0]) {
	case '&': return COMPOSER_QUEUE;
	case '!': return COMPOSER_SHELL;
	case '#': return is_memory(s) ? COMPOSER_MEMORY : COMPOSER_MESSAGE;
	case '/': return is_command(s) ? COMPOSER_COMMAND : COMPOSER_MESSAGE;
	default: return COMPOSER_MESSAGE;
	}
}

/* ---- history ---- */

static void forget_oldest(struct composer *c)
{
	c->history_bytes -= strlen(c->history[0]);
	free(c->history[0]);
	c->n_history--;
	memmove(c->history, c->history + 1, c->n_history * sizeof(*c->history));
	if (c->n_fresh > c->n_history) {
		c->n_fresh = c->n_history;
	}
	c->at -= c->at > 0;
}

static bool add(struct composer *c, struct vy_str text)
{
	if (text.n == 0 || (c->n_history && vy_str_is(text, c->history[c->n_history - 1]))) {
		return false;
	}
	while (c->n_history == COMPOSER_HISTORY ||
		(c->n_history && c->history_bytes + text.n > COMPOSER_HISTORY_BYTES)) {
		forget_oldest(c);
	}
	c->history[c->n_history] = vy_memdup0(text.p, text.n);
	c->history_bytes += strlen(c->history[c->n_history++]);
	return true;
}

void composer_remember(struct composer *c, struct vy_str text)
{
	c->n_fresh += add(c, text);
	c->at = c->n_history;
}

void composer_load_history(struct composer *c, const struct vy_str *texts, size_t n)
{
	size_t n_fresh = c->n_fresh, old = c->n_history - n_fresh;
	char *fresh[COMPOSER_HISTORY];
	bool is_walking = c->at < c->n_history;

	for (size_t i = 0; i < old; i++) {
		free(c->history[i]);
	}
	memcpy(fresh, c->history + old, n_fresh * sizeof(*fresh));
	c->n_history = c->history_bytes = c->n_fresh = 0;
	for (size_t i = 0; i < n; i++) {
		add(c, texts[i]);
	}
	for (size_t i = 0; i < n_fresh; i++) {
		c->n_fresh += add(c, vy_str_c(fresh[i]));
		free(fresh[i]);
	}
	c->at = c->n_history;
	if (is_walking) { /* what stands there is the draft now */
		free(c->draft);
		c->draft = NULL;
	}
}

void composer_kept(struct composer *c)
{
	c->n_fresh = 0;
}

struct vy_str composer_draft(const struct composer *c)
{
	return c->at < c->n_history && c->draft ? vy_str_n(c->draft, c->n_draft)
						: edit_text(&c->edit);
}

/* ---- taking and putting ---- */

static bool take_whole(struct composer *c, struct vy_buf *whole)
{
	if (is_blank(edit_text(&c->edit)) || !edit_whole(&c->edit, whole)) {
		return false;
	}
	composer_remember(c, vy_buf_str(whole));
	free(c->draft);
	c->draft = NULL;
	edit_clear(&c->edit);
	begin_anew(c);
	c->top = 0;
	return true;
}

char *composer_take(struct composer *c, size_t *len)
{
	struct vy_buf whole = VY_BUF_INIT(EDIT_MAX);

	if (!take_whole(c, &whole)) {
		vy_buf_fini(&whole);
		return NULL;
	}
	return vy_buf_take(&whole, len);
}

void composer_drop(struct composer *c)
{
	VY_AUTO_BUF whole = VY_BUF_INIT(EDIT_MAX);

	if (!take_whole(c, &whole)) {
		edit_clear(&c->edit); /* blanks */
		begin_anew(c);
		c->top = 0;
	}
}

void composer_switch(struct composer *c)
{
	free(c->draft);
	c->draft = NULL;
	c->at = c->n_history;
	c->top = 0;
	edit_clear(&c->edit);
	edit_forget(&c->edit);
	begin_anew(c);
}

void composer_put(struct composer *c, struct vy_str text)
{
	edit_set(&c->edit, text);
	begin_anew(c);
	c->at = c->n_history;
}

void composer_put_back(struct composer *c, struct vy_str whole)
{
	VY_AUTO_BUF was = VY_BUF_INIT(EDIT_MAX);

	edit_whole(&c->edit, &was);
	if (!vy_str_eq(vy_buf_str(&was), whole)) {
		edit_rewrite(&c->edit, whole);
		c->at = c->n_history;
	}
}

/* ---- walking ---- */

static void keep_draft(struct composer *c)
{
	struct vy_str now = edit_text(&c->edit);

	free(c->draft);
	c->draft = vy_memdup0(now.p, now.n);
	c->n_draft = now.n;
}

/* Before another line takes its place: is what stands there a draft? */
static void leave(struct composer *c)
{
	if (c->at < c->n_history) {
		if (vy_str_is(edit_text(&c->edit), c->history[c->at])) {
			return;
		}
		VY_AUTO_BUF old = VY_BUF_INIT(EDIT_MAX);
		struct vy_str draft = vy_str_n(c->draft, c->n_draft);

		if (!is_blank(draft) && edit_open(&c->edit, draft, &old)) {
			c->n_fresh += add(c, vy_buf_str(&old));
		}
	}
	keep_draft(c);
}

static bool walk(struct composer *c, bool back)
{
	if (back ? c->at == 0 : c->at >= c->n_history) {
		return false;
	}
	leave(c);
	if (back ? c->at == 0 : c->at >= c->n_history) {
		return false; /* the oldest was forgotten just now */
	}
	c->at += back ? (size_t)-1 : 1;
	if (c->at == c->n_history) {
		edit_set_own(&c->edit, vy_str_n(c->draft, c->n_draft));
	} else {
		edit_set(&c->edit, vy_str_c(c->history[c->at]));
	}
	return true;
}

void composer_go(struct composer *c, size_t i)
{
	if (i < c->n_history) {
		char *text = vy_strdup(c->history[i]); /* leaving may move it */

		leave(c);
		for (i = c->n_history; i-- > 0 && strcmp(c->history[i], text) != 0;) {
		}
		c->at = i < c->n_history ? i : c->n_history;
		edit_set(&c->edit, vy_str_c(text));
		free(text);
	}
}

bool composer_back(struct composer *c)
{
	return walk(c, true);
}

bool composer_forth(struct composer *c)
{
	return walk(c, false);
}

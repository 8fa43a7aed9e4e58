/* vi.c -- see vi.h. */
#include "tui/app/vi.h"

#include <stdio.h>

#include "shared/text/utf8.h"
#include "tui/app/say.h"
#include "tui/app/write.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

static bool is_vi(const struct app_state *s)
{
	return s->composer.is_vim && s->focus == APP_COMPOSER;
}

bool vi_inserts(const struct app_state *s)
{
	return is_vi(s) && s->composer.vim.mode == EDIT_VIM_INSERT;
}

bool vi_is_busy(const struct app_state *s)
{
	return is_vi(s) && edit_vim_is_busy(&s->composer.vim);
}

void vi_escape(struct app_state *s)
{
	edit_vim_key(
		&s->composer.vim, &s->composer.edit, (struct key){ KEY_ESC, 0 }, vy_str_n(NULL, 0));
}

/* Signs that make a text what it is begin one, where there is nothing to command: "/", "!". And help
 * is where it is without vi. */
static bool begins(struct app_state *s, struct vy_str text)
{
	bool is_idle = s->composer.vim.mode == EDIT_VIM_NORMAL && !vi_is_busy(s) &&
		       edit_is_empty(&s->composer.edit);

	if (!is_idle || text.n != 1 || !strchr("/!#&@?", text.p[0])) {
		return false;
	}
	if (text.p[0] != '?') {
		edit_vim_restart(&s->composer.vim, &s->composer.edit);
	}
	return true;
}

/* vi's keys for scrolling: half of them would delete here, the others scroll the transcript. */
static bool scrolls(struct app_state *s, struct key k, struct app_effects *fx)
{
	if (s->composer.vim.mode == EDIT_VIM_INSERT || k.mods != KEY_CTRL ||
		!(k.code == 'u' || k.code == 'b' || k.code == 'd' || k.code == 'f')) {
		return false;
	}
	if (k.code == 'u' || k.code == 'b') {
		write_key(s, ACTION_BROWSE, fx);
	}
	return true;
}

/* "+y": what was cut or copied is on the clipboard too. */
static void share_cut(struct app_state *s, uint64_t kill_rev, struct app_effects *fx)
{
	const struct composer *c = &s->composer;
	VY_AUTO_BUF text = VY_BUF_INIT(EDIT_MAX);

	if (kill_rev != c->edit.kill_rev && (c->vim.reg == '+' || c->vim.reg == '*') &&
		edit_kill(&c->edit, 0, &text)) {
		app_effect(fx, APP_COPY)->text = vy_buf_take(&text, NULL);
	}
}

bool vi_key(struct app_state *s, const struct key_event *ev, struct app_effects *fx)
{
	struct composer *c = &s->composer;
	struct key k = ev->kind == KEY_EV_KEY ? ev->key : (struct key){ 0 };
	uint64_t kill_rev = c->edit.kill_rev;
	enum edit_vim_did did;

	if (!is_vi(s) || begins(s, ev->text)) {
		return false;
	}
	if (scrolls(s, k, fx)) {
		return true;
	}
	did = edit_vim_key(&c->vim, &c->edit, k, ev->text);
	if (did == EDIT_VIM_NOT_MINE) {
		return false;
	}
	share_cut(s, kill_rev, fx);
	if (did != EDIT_VIM_DONE) {
		write_key(s, did == EDIT_VIM_UP ? ACTION_UP : ACTION_DOWN, fx);
		vi_after(s);
	}
	if (edit_is_full(&c->edit)) {
		app_flash(s, _("too long for one message (8 MiB): nothing was added"));
		c->edit.text.over = false;
	}
	return true;
}

bool vi_hasty_key(struct app_state *s, struct key k, struct app_effects *fx)
{
	struct key_event ev = { .kind = KEY_EV_KEY, .key = { k.code, 0 } };
	char text[4];

	if (!vi_inserts(s) || k.mods != KEY_ALT || k.code <= ' ' || k.code >= KEY_BACKSPACE) {
		return false;
	}
	ev.text = vy_str_n(text, vy_utf8_put(k.code, text));
	vi_escape(s);
	return vi_key(s, &ev, fx);
}

void vi_after(struct app_state *s)
{
	if (s->composer.is_vim) {
		edit_vim_settle(&s->composer.vim, &s->composer.edit);
	}
}

void vi_toggle(struct app_state *s)
{
	composer_set_vim(&s->composer, !s->composer.is_vim);
	app_flash(s, s->composer.is_vim ? _("vi's keys: esc for normal mode")
					: _("emacs' keys in the composer"));
}

const char *vi_word(const struct app_state *s, char out[VI_WORD_MAX])
{
	static const char *const words[] = { [EDIT_VIM_INSERT] = N_("insert"),
		[EDIT_VIM_NORMAL] = N_("normal"),
		[EDIT_VIM_VISUAL] = N_("visual"),
		[EDIT_VIM_LINES] = N_("visual lines") };
	const struct edit_vim *v = &s->composer.vim;

	if (!is_vi(s)) {
		return NULL;
	}
	snprintf(out, VI_WORD_MAX, "%s%s%s", _(words[v->mode]), v->typed[0] ? " " : "", v->typed);
	return out;
}

bool vi_help(size_t i, const char **keys, const char **help)
{
	static const char *const rows[][2] = {
		{ "i a I A o O",
			N_("write here, behind, at the line's start or end, in a new line") },
		{ "h l j k w b e", N_("move by characters, lines, words; W B E by blanks") },
		{ "0 ^ $ gg G { }", N_("ends of the line, of the text, of a paragraph") },
		{ "f F t T ; , %",
			N_("to a character of the line, again, back; to the other bracket") },
		{ "d c y > <", N_("with a motion: cut, change, copy, indent; doubled: the line") },
		{ "gu gU g~", N_("with a motion: small letters, capitals, the other") },
		{ "iw a( i\" ap",
			N_("with those, or selecting: a word, brackets, quotes, a paragraph") },
		{ "x X D C s S r ~ J", N_("cut, change or replace characters, join lines") },
		{ "p P \"a", N_("put what was cut; a register by its letter") },
		{ "v V", N_("select characters, lines") },
		{ ". u ctrl-r", N_("again, back, forth") },
	};

	if (i >= VY_COUNT(rows)) {
		return false;
	}
	*keys = rows[i][0];
	*help = _(rows[i][1]);
	return true;
}

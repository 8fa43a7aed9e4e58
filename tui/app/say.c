/* say.c -- see say.h. */
#include "tui/app/say.h"

#include <stdio.h>
#include <stdlib.h>

#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "tui/app/back.h"
#include "tui/app/command.h"
#include "tui/app/look.h"
#include "tui/app/queue.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

/* ---- effects ---- */

struct app_effect *app_effect(struct app_effects *fx, enum app_effect_kind kind)
{
	vy_assert(fx->n < APP_EFFECTS_MAX);
	struct app_effect *e = &fx->v[fx->n++];

	*e = (struct app_effect){ .kind = kind };
	return e;
}

struct vy_json *app_call(struct app_state *s, struct app_effects *fx, const char *method)
{
	struct app_effect *e = app_effect(fx, APP_CALL);

	e->word = method;
	e->params = vy_json_new_obj();
	vy_json_set_c(e->params, "session", s->session);
	return e->params;
}

struct vy_json *app_query(struct app_effects *fx, const char *method, struct app_tag tag)
{
	struct app_effect *e = app_effect(fx, APP_QUERY);

	e->word = method;
	e->tag = tag;
	e->params = vy_json_new_obj();
	return e->params;
}

void app_next_mode(struct app_state *s, struct app_effects *fx)
{
	static const char *const modes[] = { "default", "acceptEdits", "plan" };
	size_t i = 0;

	while (i < VY_COUNT(modes) && (!s->mode || strcmp(s->mode, modes[i]) != 0)) {
		i++;
	}
	vy_json_set_c(app_call(s, fx, "threads.mode"), "mode", modes[(i + 1) % VY_COUNT(modes)]);
}

/* ---- answers ---- */

void app_answer(struct app_state *s, const struct ask_answer *a, struct vy_str words,
	struct app_effects *fx)
{
	struct vy_json *p = app_call(s, fx, "threads.answer");

	vy_json_del(p, "session");
	vy_json_set_c(p, "ask", s->panel.ask);
	vy_json_set_str(p, "decision", a->decision);
	vy_json_take(p, "answers", a->answers);
	if (a->scope.n) {
		struct vy_json *always = vy_json_new_obj();

		vy_json_set_str(always, "scope", a->scope);
		vy_json_take(p, "always", always);
	}
	if (words.n) {
		vy_json_set_str(p, "message", words);
	}
	free(s->answered);
	s->answered = vy_strdup(s->panel.ask);
	s->focus = APP_COMPOSER;
	s->panel.is_focused = false;
	s->is_saying = false;
}

void app_say_to_ask(struct app_state *s, struct app_effects *fx)
{
	char *text = composer_take(&s->composer, NULL);
	struct ask_answer a = { 0 };

	if (text && ask_panel_said(&s->panel, vy_str_c(text), &a) == ASK_PANEL_ANSWER) {
		app_answer(s, &a, s->panel.n_questions ? vy_str_n(NULL, 0) : vy_str_c(text), fx);
	} else if (text) {
		s->is_saying = false;
		s->focus = APP_ASK;
		s->panel.is_focused = true;
	}
	free(text);
}

/* ---- messages ---- */

enum composer_kind app_kind(const struct app_state *s)
{
	return s->is_saying || s->editing || s->back.again ? COMPOSER_MESSAGE
							   : composer_kind(&s->composer);
}

/* The pictures of the text, as the outbox takes them: [{mime, b64}]; NULL when there are none. */
static struct vy_json *pictures(const struct edit *e)
{
	struct vy_json *list = NULL;
	struct edit_image im;

	for (size_t i = 0; edit_image(e, i, &im); i++) {
		struct vy_json *one = vy_json_new_obj();
		char *b64 = vy_alloc(4 * ((im.data.n + 2) / 3) + 1);

		vy_base64(im.data.p, im.data.n, b64);
		vy_json_set_c(one, "mime", im.mime);
		vy_json_set_c(one, "b64", b64);
		free(b64);
		list = list ? list : vy_json_new_arr();
		vy_json_add_take(list, one);
	}
	return list;
}

static void send(struct app_state *s, const char *mode, bool without_sign, struct app_effects *fx)
{
	struct edit *edit = &s->composer.edit;

	if (edit->at == s->completed_at && edit->at == edit->text.len) {
		edit_take_back(edit, 1); /* a blank that a menu put there */
	}
	s->completed_at = SIZE_MAX;
	struct vy_json *images = pictures(edit);
	size_t n;
	char *text = composer_take(&s->composer, &n);

	if (!text) {
		vy_json_free(images);
		return;
	}
	if (without_sign) {
		memmove(text, text + 1, n);
	}
	struct app_effect *e = app_effect(fx, APP_SEND);

	e->word = mode;
	e->text = text;
	e->params = images;
	transcript_follow(s->transcript);
}

void app_say_as(struct app_state *s, const char *mode, struct app_effects *fx)
{
	send(s, mode, app_kind(s) == COMPOSER_QUEUE && s->composer.edit.text.len > 1, fx);
}

/* The words behind the sign, taken out of the composer; owned. NULL: there are none. */
static char *words_behind(struct app_state *s, struct vy_str *words)
{
	size_t n;
	char *text = composer_take(&s->composer, &n);

	*words = vy_str_from(vy_str_n(text, text ? n : 0), 1);
	while (words->n && words->p[0] == ' ') {
		*words = vy_str_from(*words, 1);
	}
	transcript_follow(s->transcript);
	return text;
}

/* "!make test" */
static void run_line(struct app_state *s, struct app_effects *fx)
{
	struct vy_str words;
	char *text = words_behind(s, &words);

	if (text) {
		vy_json_set_str(app_call(s, fx, "threads.shell"), "command", words);
	}
	free(text);
}

/* "#use tabs" */
static void remember(struct app_state *s, struct app_effects *fx)
{
	struct vy_str words;
	char *text = words_behind(s, &words);

	if (text) {
		struct app_tag tag = { APP_FOR_MEMORY, s->n_opened };
		struct vy_json *p = app_query(fx, "threads.remember", tag);

		vy_json_set_c(p, "session", s->session);
		vy_json_set_str(p, "text", words);
	}
	free(text);
}

void app_remembered(struct app_state *s, const struct vy_json *result, const struct vy_err *e)
{
	VY_AUTO_BUF path = VY_BUF_INIT(8192);
	char line[512];

	if (!result) {
		app_failed(s, e->text); /* the words are in the history */
		return;
	}
	look_folder(vy_json_cstr(result, "path"), s->home, &path);
	snprintf(line, sizeof(line), _("added to %s"), vy_buf_c(&path));
	app_flash(s, line);
}

static void say_by_sign(struct app_state *s, struct app_effects *fx)
{
	bool is_alone = s->composer.edit.text.len == 1;

	switch (app_kind(s)) {
	case COMPOSER_QUEUE: is_alone ? (void)0 : app_say_as(s, "queue", fx); break;
	case COMPOSER_SHELL: is_alone ? (void)0 : run_line(s, fx); break;
	case COMPOSER_MEMORY: is_alone ? (void)0 : remember(s, fx); break;
	case COMPOSER_COMMAND:
		if (command_say(s, fx)) {
			break;
		}
		app_say_as(s, "steer", fx);
		break;
	case COMPOSER_MESSAGE:
	default: app_say_as(s, "steer", fx); break;
	}
}

/* "\" at the end, under the cursor, breaks the line. */
static bool break_line(struct edit *e)
{
	struct vy_str t = edit_text(e);

	if (t.n == 0 || t.p[t.n - 1] != '\\' || e->at != t.n) {
		return false;
	}
	edit_delete_back(e);
	edit_insert(e, VY_STR_LIT("\n"));
	return true;
}

void app_say(struct app_state *s, struct app_effects *fx)
{
	const struct vy_fold_state *st = vy_fold_state(s->fold);

	if (break_line(&s->composer.edit)) {
		return;
	}
	if (s->is_saying) {
		app_say_to_ask(s, fx);
	} else if (s->editing) {
		queue_keep(s, fx);
	} else if (s->back.again) {
		back_say(s, fx);
	} else if (edit_is_empty(&s->composer.edit) && st->held && st->queued) {
		app_call(s, fx, "threads.release");
	} else if (edit_is_empty(&s->composer.edit) && s->line == APP_ENDED) {
		fx->v[fx->n++].kind = APP_RETRY;
	} else {
		say_by_sign(s, fx);
	}
}

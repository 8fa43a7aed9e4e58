/* bring.c -- see bring.h. */
#include "tui/app/bring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "tui/app/clip.h"
#include "tui/app/editor.h"
#include "tui/ink/screen.h"
#include "tui/net/keep.h"
#include "tui/view/image.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

struct bring {
	struct bring_conf conf;
	struct clip *clip; /* NULL: nobody asks for it */
};

struct bring *bring_new(const struct bring_conf *conf)
{
	struct bring *b = VY_NEW(struct bring);

	b->conf = *conf;
	return b;
}

void bring_free(struct bring *b)
{
	if (b) {
		clip_free(b->clip);
		free(b);
	}
}

/* ---- an editor ---- */

int bring_editor(struct bring *b)
{
	struct app_state *s = b->conf.state;
	VY_AUTO_BUF text = VY_BUF_INIT(EDIT_MAX);
	struct vy_err e = { 0 };

	edit_whole(&s->composer.edit, &text);
	if (screen_suspend(b->conf.screen, &e) != 0) {
		app_failed(s, e.text);
		return 0;
	}
	int rc = editor_run(&text, &e);

	if (rc == 0) {
		composer_put_back(&s->composer, vy_buf_str(&text));
	} else {
		app_failed(s, e.text);
	}
	return screen_resume(b->conf.screen, &e);
}

int bring_edit(struct bring *b, const char *was, struct app_tag tag, struct app_effects *fx)
{
	struct app_state *s = b->conf.state;
	VY_AUTO_BUF text = VY_BUF_INIT(EDIT_MAX);
	struct vy_err e = { 0 };

	vy_buf_adds(&text, was);
	if (screen_suspend(b->conf.screen, &e) != 0) {
		app_failed(s, e.text);
		return 0;
	}
	if (editor_run(&text, &e) != 0) {
		app_failed(s, e.text);
	} else if (vy_str_is(vy_buf_str(&text), was)) {
		app_flash(s, _("it is as it was"));
	} else {
		app_edited(s, tag, vy_buf_str(&text), fx);
	}
	return screen_resume(b->conf.screen, &e);
}

/* ---- the clipboard ---- */

static void on_clip(void *ctx, struct vy_str bytes, const struct vy_err *e)
{
	struct bring *b = ctx;

	if (e->code == VY_OK) {
		app_attach(b->conf.state, bytes, 0);
	} else {
		app_flash(b->conf.state, e->text);
	}
	clip_free(b->clip);
	b->clip = NULL;
	b->conf.changed(b->conf.ctx);
}

void bring_clipboard(struct bring *b)
{
	if (!b->clip) {
		b->clip = clip_read(b->conf.loop, on_clip, b);
	}
}

/* ---- files ---- */

void bring_picture(struct bring *b, const char *path, size_t instead_of)
{
	VY_AUTO_BUF bytes = VY_BUF_INIT(IMAGE_MAX), full = VY_BUF_INIT(8192);
	struct app_state *s = b->conf.state;

	if (strncmp(path, "~/", 2) == 0 && s->home) {
		vy_buf_addf(&full, "%s%s", s->home, path + 1);
	} else {
		vy_buf_adds(&full, path);
	}
	if (keep_read(NULL, vy_buf_c(&full), &bytes)) {
		app_attach(s, vy_buf_str(&bytes), instead_of);
	} else if (vy_buf_is_over(&bytes)) {
		app_flash(s, _("this picture is over 6 MiB: its path stays a path"));
	}
}

void bring_paste(struct bring *b, struct vy_str text)
{
	VY_AUTO_BUF dir = VY_BUF_INIT(4096), path = VY_BUF_INIT(8192);
	struct app_state *s = b->conf.state;
	char id[16], name[128];
	struct vy_err e = { 0 };

	if (!b->conf.is_local) {
		app_flash(s, _("too long for one message (8 MiB): nothing was added"));
		return;
	}
	vy_random_id(6, id);
	snprintf(name, sizeof(name), "%s-%s.txt", s->session ? s->session : "paste",
		id); /* tidy.h */
	vy_buf_addf(&dir, "%s/pastes", b->conf.state_dir);
	if (keep_write(vy_buf_c(&dir), name, text, &e) != 0) {
		app_failed(s, e.text);
		return;
	}
	vy_buf_addf(&path, "@%s/%s ", vy_buf_c(&dir), name);
	edit_insert(&s->composer.edit, vy_buf_str(&path));
	app_flash(s, _("too long for a message: it is kept as a file, and the message names it"));
}

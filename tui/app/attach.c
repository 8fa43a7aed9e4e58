/* attach.c -- what comes into the composer: typed, pasted, dropped, from the clipboard. */
#include "tui/app/say.h"

#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "tui/view/image.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

static bool takes_pictures(const struct app_state *s)
{
	return !s->is_saying && !s->editing;
}

void app_type(struct app_state *s, struct vy_str text, struct app_effects *fx)
{
	struct edit *e = &s->composer.edit;

	(void)fx;
	/* "@a.c " and then ":10": the blank was ours */
	if (e->at == s->completed_at && text.n == 1 && strchr(":,.;)]", text.p[0])) {
		edit_take_back(e, 1);
	}
	s->completed_at = SIZE_MAX;
	edit_insert(e, text);
}

void app_paste(struct app_state *s, struct vy_str text, struct app_effects *fx)
{
	VY_AUTO_BUF path = VY_BUF_INIT(8192);
	size_t before = s->composer.edit.text.len;

	edit_paste(&s->composer.edit, text);
	if (edit_is_full(&s->composer.edit) && takes_pictures(s)) {
		struct app_effect *e = app_effect(fx, APP_PASTE_FILE);

		e->text = vy_memdup0(text.p, text.n);
		e->number = text.n;
		s->composer.edit.text.over = false; /* it is not lost */
		return;
	}
	if (takes_pictures(s) && image_path(text, &path)) {
		struct app_effect *e = app_effect(fx, APP_IMAGE_FILE);

		e->number = s->composer.edit.text.len - before;
		e->text = vy_buf_take(&path, NULL);
	}
}

static void attach_picture(
	struct app_state *s, const struct image_head *head, struct vy_str bytes, size_t instead_of)
{
	struct edit *e = &s->composer.edit;

	if (!takes_pictures(s)) {
		app_flash(s, _("a picture goes with a message only"));
		return;
	}
	if (bytes.n > IMAGE_MAX) {
		app_flash(s, _("a picture may have 6 MiB"));
		return;
	}
	edit_take_back(e, instead_of);
	if (!edit_add_image(e, &(struct edit_image){ head->mime, bytes, head->w, head->h })) {
		if (instead_of) {
			edit_undo(e);
		}
		app_flash(s, _("no more pictures fit into this message"));
	}
}

/* As key.c does with a paste: lines end with "\n". */
static void paste_text(struct edit *e, struct vy_str bytes)
{
	VY_AUTO_BUF text = VY_BUF_INIT(bytes.n + 1);

	for (size_t i = 0; i < bytes.n; i++) {
		if (bytes.p[i] != '\r' || i + 1 == bytes.n || bytes.p[i + 1] != '\n') {
			vy_buf_addc(&text, bytes.p[i]);
		}
	}
	edit_paste(e, vy_buf_str(&text));
}

void app_attach(struct app_state *s, struct vy_str bytes, size_t instead_of)
{
	struct image_head head;

	if (image_head(bytes, &head)) {
		attach_picture(s, &head, bytes, instead_of);
	} else if (!instead_of && vy_utf8_is_valid(bytes)) {
		paste_text(&s->composer.edit, bytes);
	} else if (!instead_of) {
		app_flash(s, _("what the clipboard holds is no picture and no text"));
	}
	if (edit_is_full(&s->composer.edit)) {
		app_flash(s, _("too long for one message (8 MiB): nothing was added"));
	}
}

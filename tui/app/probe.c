/* probe.c -- see probe.h. */
#include "tui/app/probe.h"

#include "shared/base/buf.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

void probe_begin(struct app_state *s)
{
	s->is_probing = true;
	app_flash(s, _("press any key to learn what arrives and what it does; esc ends this"));
}

bool probe_key(struct app_state *s, const struct key_event *ev)
{
	VY_AUTO_BUF text = VY_BUF_INIT(1024);
	char name[KEY_NAME_MAX];
	enum keymap_action a;

	if (!s->is_probing || ev->kind != KEY_EV_KEY) {
		return false;
	}
	key_format(ev->key, false, name);
	a = keymap_find(&s->keymap, KEYMAP_COMPOSER, ev->key);
	s->is_probing = !key_eq(ev->key, (struct key){ .code = KEY_ESC });
	if (!s->is_probing) {
		vy_buf_adds(&text, _("keys do again what they do"));
	} else if (a != ACTION_NONE) {
		vy_buf_addf(&text, _("%s arrives: %s (%s in tui.conf)"), name, _(keymap_help(a)),
			keymap_name(a));
	} else if (ev->text.n) {
		vy_buf_addf(&text, _("%s arrives, and is typed"), name);
	} else {
		vy_buf_addf(&text, _("%s arrives; it is bound to nothing"), name);
	}
	app_flash(s, vy_buf_c(&text));
	return true;
}

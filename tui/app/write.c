/* write.c -- see write.h. */
#include "tui/app/write.h"

#include <stdio.h>
#include <stdlib.h>

#include "tui/app/answer.h"
#include "tui/app/back.h"
#include "tui/app/browse.h"
#include "tui/app/escape.h"
#include "tui/app/help.h"
#include "tui/app/queue.h"
#include "tui/app/say.h"
#include "tui/view/edit_key.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define CTRL_C_MS 1500

static void on_ctrl_c(struct app_state *s, struct app_effects *fx)
{
	char key[KEY_NAME_MAX], line[200];

	if (s->back.again) {
		back_give_up(s);
	} else if (!edit_is_empty(&s->composer.edit)) {
		composer_drop(&s->composer);
		snprintf(line, sizeof(line), _("cleared; %s brings it back"),
			keymap_hint(&s->keymap, ACTION_UNDO, key));
		app_flash(s, line);
		s->ctrl_c_ms = 0;
	} else if (s->ctrl_c_ms && s->now_ms - s->ctrl_c_ms < CTRL_C_MS) {
		app_effect(fx, APP_QUIT);
	} else {
		s->ctrl_c_ms = s->now_ms;
		snprintf(line, sizeof(line), _("%s again to leave; the session goes on"),
			keymap_hint(&s->keymap, ACTION_CLEAR, key));
		app_flash(s, line);
	}
}

/* ---- keys ---- */

static void on_complete(struct app_state *s)
{
	if (s->panel.ask) {
		answer_begin(s);
	} else if (edit_open_chip(&s->composer.edit)) {
		return;
	} else if (edit_is_empty(&s->composer.edit)) {
		browse_begin(s);
		transcript_select(s->transcript, s->fold, TRANSCRIPT_ROW, -1);
	}
}

static void say_cut(struct app_state *s)
{
	char key[KEY_NAME_MAX], line[200];

	snprintf(line, sizeof(line), _("cut; %s brings it back"),
		keymap_hint(&s->keymap, ACTION_YANK, key));
	app_flash(s, line);
}

static bool on_edit(struct app_state *s, enum keymap_action a)
{
	uint64_t cuts = s->composer.edit.kill_rev;

	if (!edit_key(&s->composer.edit, a)) {
		return false;
	}
	if ((a == ACTION_DELETE_BACK || a == ACTION_DELETE) && cuts != s->composer.edit.kill_rev) {
		say_cut(s); /* a chip */
	}
	return true;
}

bool write_key(struct app_state *s, enum keymap_action a, struct app_effects *fx)
{
	struct vy_width width = cell_pool_width(s->pool);

	switch ((int)a) {
	case ACTION_SEND: app_say(s, fx); return true;
	case ACTION_QUEUE:
		s->back.again ? back_say(s, fx) : app_say_as(s, "queue", fx);
		return true;
	case ACTION_NEWLINE: edit_insert(&s->composer.edit, VY_STR_LIT("\n")); return true;
	case ACTION_CANCEL: escape_do(s, fx); return true;
	case ACTION_CLEAR: on_ctrl_c(s, fx); return true;
	case ACTION_UP:
		if (!queue_up(s, fx)) {
			composer_up(&s->composer, s->chat_cols, width);
		}
		return true;
	case ACTION_DOWN:
		if (!queue_down(s, fx)) {
			composer_down(&s->composer, s->chat_cols, width);
		}
		return true;
	case ACTION_COMPLETE: on_complete(s); return true;
	case ACTION_EDITOR: app_effect(fx, APP_EDITOR); return true;
	case ACTION_PASTE_IMAGE: app_effect(fx, APP_CLIPBOARD); return true;
	case ACTION_QUEUE_DROP: queue_drop(s, fx); return true;
	case ACTION_QUEUE_UP: queue_move(s, true, fx); return true;
	case ACTION_QUEUE_DOWN: queue_move(s, false, fx); return true;
	case ACTION_QUEUE_NOW: queue_now(s, fx); return true;
	case ACTION_BROWSE:
		browse_begin(s);
		transcript_page(s->transcript, s->fold, -1);
		return true;
	case ACTION_BROWSE_MESSAGE:
		browse_begin(s);
		transcript_select(s->transcript, s->fold, TRANSCRIPT_MESSAGE, -1);
		return true;
	case ACTION_HELP_EMPTY:
		if (!edit_is_empty(&s->composer.edit)) {
			return false;
		}
		help_open(s);
		return true;
	default: return on_edit(s, a);
	}
}

/* menu_prompt.c -- what every agent is told first: read, edited, and its revisions to go back to
 * (ledger.h). */
#include "tui/app/ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "tui/app/hint.h"
#include "tui/app/look.h"
#include "tui/app/menu.h"
#include "tui/app/say.h"
#include "tui/app/state.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

enum { READ = 1, EDIT = 2, SAVE = 3, WHAT = 3, OF_PROJECT = 8, REV_SHIFT = 4 };

#define READ_ID "read"
#define EDIT_ID "edit"

static struct vy_json *ask(
	struct app_state *s, const char *method, uint32_t what, struct app_effects *fx)
{
	struct vy_json *p = app_query(fx, method, (struct app_tag){ APP_FOR_PROMPT, what });

	if (what & OF_PROJECT && s->stand.project) {
		vy_json_set_c(p, "project", s->stand.project);
	}
	return p;
}

static void add_acts(struct app_state *s, const struct vy_json *result)
{
	VY_AUTO_BUF size = VY_BUF_INIT(256);
	size_t bytes = vy_json_str(result, "text").n;
	long long rev = vy_json_int(result, "rev", 0);

	if (rev > 0) {
		vy_buf_addf(&size, _("%zu bytes, revision %lld"), bytes, rev);
	} else {
		vy_buf_adds(&size, _("none is set"));
	}
	picker_add(
		&s->menu.picker, &(struct picker_item){ .id = EDIT_ID,
					 .mark = "✎",
					 .mark_role = THEME_ACCENT,
					 .label = _("Edit it in $EDITOR"),
					 .detail = vy_buf_c(&size),
					 .preview = _("it counts from an agent's next start on") });
	if (bytes) {
		picker_add(&s->menu.picker, &(struct picker_item){ .id = READ_ID,
						    .mark = "›",
						    .mark_role = THEME_DIM,
						    .label = _("Read it") });
	}
}

static void add_rev(struct app_state *s, const struct vy_json *o, bool is_now)
{
	long long rev = vy_json_int(o, "rev", 0);
	char id[32], label[80], age[40];
	VY_AUTO_BUF detail = VY_BUF_INIT(1024);

	snprintf(id, sizeof(id), "%lld", rev);
	snprintf(label, sizeof(label), _("Revision %lld"), rev);
	look_age(s->wall_ms - vy_json_int(o, "time", s->wall_ms), age, sizeof(age));
	vy_buf_addf(&detail, _("%lld bytes, by %.*s"), (long long)vy_json_int(o, "bytes", 0),
		VY_STR_ARG(vy_json_str(o, "by")));
	picker_add(&s->menu.picker,
		&(struct picker_item){ .id = id,
			.mark = is_now ? "●" : "○",
			.mark_role = is_now ? THEME_OK : THEME_DIM,
			.label = label,
			.detail = vy_buf_c(&detail),
			.aside = age,
			.aside_role = THEME_DIM,
			.is_here = is_now,
			.preview = is_now ? _("the one that counts now")
					  : _("enter brings it back, as a new revision") });
}

static void reply(struct app_state *s, const struct vy_json *result, struct app_effects *fx)
{
	const struct vy_json *revs = vy_json_get(result, "revs");
	int64_t now = vy_json_int(result, "rev", 0);

	(void)fx;
	picker_clear(&s->menu.picker);
	add_acts(s, result);
	for (size_t i = 0; i < vy_json_len(revs); i++) {
		const struct vy_json *o = vy_json_at(revs, i);

		add_rev(s, o, vy_json_int(o, "rev", 0) == now);
	}
}

static void fill(struct app_state *s, struct app_effects *fx)
{
	ledger_put_project(s, menu_ask(s, "sessions.prompt.get", fx));
}

static bool key(struct app_state *s, enum keymap_action a, const struct picker_item *it,
	struct app_effects *fx)
{
	uint32_t of = ledger_project(s) ? OF_PROJECT : 0;

	if (a == ACTION_MENU_ALL && s->stand.project) {
		s->menu.is_wide = !s->menu.is_wide;
		menu_fill(s, fx);
		return true;
	}
	if (a != ACTION_MENU_ACCEPT || !it) {
		return false;
	}
	bool is_read = strcmp(it->id, READ_ID) == 0, is_edit = strcmp(it->id, EDIT_ID) == 0;

	if (is_read || is_edit) {
		ask(s, "sessions.prompt.get", (is_read ? READ : EDIT) | of, fx);
	} else if (!it->is_here) {
		vy_json_set_int(ask(s, "sessions.prompt.revert", SAVE | of, fx), "rev",
			strtol(it->id, NULL, 10));
	}
	menu_close(s);
	return true;
}

static void hint(struct app_state *s, struct vy_buf *out)
{
	if (picker_chosen(&s->menu.picker)) {
		hint_add(&s->keymap, out, ACTION_MENU_ACCEPT, _("choose"));
	}
	if (s->stand.project) {
		hint_add(&s->keymap, out, ACTION_MENU_ALL,
			s->menu.is_wide ? _("this project") : _("all projects"));
	}
}

const struct menu_kind menu_prompt = {
	.title = N_("System prompt"),
	.empty = N_("nothing is known yet"),
	.fill = fill,
	.reply = reply,
	.key = key,
	.hint = hint,
};

/* ---- read, edited, saved ---- */

void ledger_prompt_told(struct app_state *s, uint32_t what, const struct vy_json *result,
	const struct vy_err *e, struct app_effects *fx)
{
	char line[160];

	if (!result) {
		app_failed(s, e->text);
		return;
	}
	switch (what & WHAT) {
	case READ: page_open_text(s, _("System prompt"), vy_json_str(result, "text")); break;
	case EDIT: {
		struct vy_str text = vy_json_str(result, "text");
		struct app_effect *out = app_effect(fx, APP_EDIT_TEXT);

		out->text = vy_memdup0(text.p ? text.p : "", text.n);
		/* saved, it is to be of the revision that was read */
		what |= (uint32_t)vy_json_int(result, "rev", 0) << REV_SHIFT;
		out->tag = (struct app_tag){ APP_FOR_PROMPT, what };
		break;
	}
	default:
		snprintf(line, sizeof(line),
			_("revision %lld; it counts from an agent's next start on"),
			(long long)vy_json_int(result, "rev", 0));
		app_flash(s, line);
		break;
	}
}

void ledger_prompt_edited(
	struct app_state *s, uint32_t what, struct vy_str text, struct app_effects *fx)
{
	struct vy_json *p = ask(s, "sessions.prompt.set", SAVE | (what & OF_PROJECT), fx);

	vy_json_set_str(p, "text", text);
	vy_json_set_int(p, "if_rev", what >> REV_SHIFT);
}

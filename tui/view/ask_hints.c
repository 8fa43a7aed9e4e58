/* ask_hints.c -- see ask_hints.h. */
#include "tui/view/ask_hints.h"

#include "tui/view/ask_panel.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define BETWEEN 3 /* cells */

struct hint {
	enum keymap_action action;
	const char *does;
	bool works;
};

static bool has_effect(const struct ask_panel *p, enum ask_effect effect)
{
	for (int i = p->form ? p->n_choices : 0; i < p->n_choices; i++) {
		if (p->choices[i].effect == effect) {
			return true;
		}
	}
	return false;
}

static bool has_next(const struct ask_panel *p)
{
	return p->count > 1 || (p->form && p->form->question < p->form->furthest);
}

/* "y yes", or nothing when no key is bound to it. */
static void say(const struct ask_panel *p, const struct hint *h, struct vy_buf *out)
{
	char key[KEY_NAME_MAX];

	if (h->works && p->keymap && keymap_hint(p->keymap, h->action, key)[0]) {
		vy_buf_addf(out, "%s %s", key, _(h->does));
	}
}

static int width_of(const struct ask_panel *p, const struct hint *h, struct cell_pool *pool)
{
	VY_AUTO_BUF text = VY_BUF_INIT(256);

	say(p, h, &text);
	return text.len ? cell_width(pool, vy_buf_str(&text)) + BETWEEN : 0;
}

void ask_hints(const struct ask_panel *p, struct cell_pool *pool, int cells, struct vy_buf *out)
{
	bool is_form = p->form != NULL, ticks = p->is_multi && !p->choices[p->sel].says;
	/* the last one is always said, the others as far as there is room */
	const struct hint focused[] = {
		{ ACTION_ASK_YES, N_("yes"), has_effect(p, ASK_ALLOW) },
		{ ACTION_ASK_NO, N_("no"), has_effect(p, ASK_DENY) },
		{ ACTION_ASK_ALWAYS, N_("always"), has_effect(p, ASK_ALWAYS) },
		{ ACTION_ASK_SCOPE, N_("where"), p->rules.n_scopes > 1 },
		{ ACTION_ASK_TOGGLE, N_("tick"), ticks },
		{ ACTION_ASK_CHOOSE, ticks ? N_("go on") : N_("choose"), is_form },
		{ ACTION_ASK_SKIP, N_("skip"), true },
		{ ACTION_ASK_LATER, N_("later"), true },
		{ ACTION_ASK_NEXT, is_form ? N_("next") : N_("next ask"), has_next(p) },
		{ ACTION_ASK_FOLD, N_("fold"), true },
	};
	const struct hint unfocused = { ACTION_COMPLETE, N_("to answer"), p->is_reachable };
	size_t last = VY_COUNT(focused) - 1;

	if (!p->is_focused) {
		say(p, &unfocused, out);
		return;
	}
	cells -= width_of(p, &focused[last], pool) - BETWEEN;
	for (size_t i = 0; i < last; i++) {
		int n = width_of(p, &focused[i], pool);

		if (n > 0 && n <= cells) {
			say(p, &focused[i], out);
			vy_buf_addf(out, "%*s", BETWEEN, "");
			cells -= n;
		}
	}
	say(p, &focused[last], out);
}

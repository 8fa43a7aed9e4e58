/* sessions.c -- see sessions.h. */
#include "tui/app/sessions.h"

#include <stdio.h>

#include "shared/base/mem.h"
#include "tui/app/say.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

void sessions_go(struct app_state *s, struct vy_str session, struct app_effects *fx)
{
	if (session.n && !vy_str_is(session, s->session)) {
		app_effect(fx, APP_OPEN)->text = vy_memdup0(session.p, session.n);
	}
}

void sessions_new(struct app_state *s, struct app_effects *fx)
{
	struct app_effect *e = app_effect(fx, APP_START);

	menu_close(s);
	e->word = "threads.start";
	e->tag = (struct app_tag){ APP_FOR_OPENING, 0 };
	e->params = vy_json_new_obj();
	vy_json_set_c(e->params, "provider", s->provider);
	vy_json_set_c(e->params, "cwd", s->cwd);
}

void sessions_number(struct app_state *s, unsigned n, struct app_effects *fx)
{
	struct vy_str session;

	if (column_number(s, n, &session)) {
		menu_close(s);
		sessions_go(s, session, fx);
	} else {
		s->column.asked = column_mark(s);
		app_query(fx, "threads.list", (struct app_tag){ APP_FOR_OPENING, n });
	}
}

void sessions_opened(struct app_state *s, uint32_t serial, const struct vy_json *result,
	const struct vy_err *e, struct app_effects *fx)
{
	struct roster *r = &s->column.roster;
	char line[80];

	if (!result) {
		app_failed(s, e->text);
		return;
	}
	if (serial == 0) {
		sessions_go(s, vy_json_str(result, "session"), fx);
		return;
	}
	column_list(s, result, s->column.asked);
	if (serial <= r->n) {
		menu_close(s);
		sessions_go(s, r->rows[serial - 1].session, fx);
	} else {
		snprintf(line, sizeof(line),
			words_count("there is %lld session", "there are %lld sessions", r->n),
			(long long)r->n);
		app_flash(s, line);
	}
}

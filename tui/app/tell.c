/* tell.c -- see tell.h. */
#include "tui/app/tell.h"

#include <stdlib.h>
#include <string.h>

#include "tui/app/hook.h"
#include "tui/ink/notice.h"
#include "shared/base/ban.h"

static void tell_desktop(
	struct screen *screen, int desktop, struct vy_str title, struct vy_str text)
{
	struct notice_env env = { .term = getenv("TERM"),
		.term_program = getenv("TERM_PROGRAM"),
		.vte_version = getenv("VTE_VERSION"),
		.tmux = getenv("TMUX") };
	enum notice_way way = desktop == SETTINGS_DESKTOP_OSC9     ? NOTICE_OSC9
			      : desktop == SETTINGS_DESKTOP_OSC777 ? NOTICE_OSC777
								   : notice_way_of(&env);
	VY_AUTO_BUF b = VY_BUF_INIT(65536);

	notice_add(way, env.tmux && *env.tmux, title, text, &b);
	screen_send(screen, vy_buf_str(&b));
}

void tell(struct screen *screen, const struct settings *how, const struct app_state *s,
	const struct app_effect *fx)
{
	bool is_ask = strcmp(fx->word, "ask") == 0;
	const char *title = s->title ? s->title : "vyre";

	if (how->bell == SETTINGS_ALL || (how->bell == SETTINGS_ASKS && is_ask)) {
		screen_bell(screen);
	}
	if (s->is_away && how->desktop != SETTINGS_DESKTOP_OFF) {
		tell_desktop(screen, how->desktop, vy_str_c(title), vy_str_c(fx->text));
	}
	if (how->command) {
		hook_run(how->command,
			&(struct hook_event){ fx->word, s->session, title, fx->text });
	}
}

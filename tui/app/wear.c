/* wear.c -- see wear.h. */
#include "tui/app/wear.h"

#include <stdlib.h>

#include "tui/ink/theme.h"
#include "shared/base/ban.h"

#define BACKGROUND 11 /* the OSC of that colour */

static enum theme_depth depth_of(const struct screen *s, const struct settings *how)
{
	static const enum theme_depth chosen[] = { [SETTINGS_COLORS_NONE] = THEME_DEPTH_NONE,
		[SETTINGS_COLORS_16] = THEME_DEPTH_16,
		[SETTINGS_COLORS_256] = THEME_DEPTH_256,
		[SETTINGS_COLORS_RGB] = THEME_DEPTH_RGB };
	struct theme_env env = screen_theme_env(s);

	return how->colors == SETTINGS_COLORS_AUTO ? theme_depth_of(&env) : chosen[how->colors];
}

static void put_on(struct screen *s, const struct settings *how, enum theme_look look)
{
	screen_set_theme(s, (struct theme){ look, depth_of(s, how) });
}

static void ask(struct screen *s)
{
	screen_send(s, VY_STR_LIT("\033]11;?\033\\"));
}

void wear_start(struct screen *s, const struct settings *how)
{
	static const enum theme_look chosen[] = { [SETTINGS_DARK] = THEME_LOOK_DARK,
		[SETTINGS_LIGHT] = THEME_LOOK_LIGHT,
		[SETTINGS_CONTRAST] = THEME_LOOK_CONTRAST };
	enum theme_look look = THEME_LOOK_DARK;

	if (how->theme != SETTINGS_AUTO) {
		put_on(s, how, chosen[how->theme]);
		return;
	}
	theme_look_of_fgbg(getenv("COLORFGBG"), &look);
	put_on(s, how, look);
	ask(s);
}

void wear_event(struct screen *s, const struct settings *how, const struct key_event *ev)
{
	enum theme_look look;

	if (how->theme != SETTINGS_AUTO) {
		return;
	}
	if (ev->kind == KEY_EV_LOOK) {
		ask(s); /* the colour itself decides: "dark" may be any */
	} else if (ev->kind == KEY_EV_COLOR && ev->value == BACKGROUND &&
		   theme_look_of_osc11(ev->text, &look)) {
		put_on(s, how, look);
	}
}

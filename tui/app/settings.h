/* settings.h -- what a person chose about the screen: one value, filled before there is one.
 *
 * settings_set() takes one line of tui.conf; names may be written with - or _. Facts are in the
 * table of settings.c, so a file, the help and the manual can read the same ones. Pure. */
#ifndef APP_SETTINGS_H
#define APP_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/err.h"
#include "shared/base/str.h"

enum settings_theme { SETTINGS_AUTO, SETTINGS_DARK, SETTINGS_LIGHT, SETTINGS_CONTRAST };
enum settings_colors {
	SETTINGS_COLORS_AUTO,
	SETTINGS_COLORS_NONE,
	SETTINGS_COLORS_16,
	SETTINGS_COLORS_256,
	SETTINGS_COLORS_RGB
};
/* Of what a person is told. */
enum settings_about { SETTINGS_NEVER, SETTINGS_ASKS, SETTINGS_ALL }; /* all: finished turns too */
/* How, on the desktop. */
enum settings_desktop {
	SETTINGS_DESKTOP_OFF,
	SETTINGS_DESKTOP_AUTO, /* as the terminal is known to take it */
	SETTINGS_DESKTOP_OSC9,
	SETTINGS_DESKTOP_OSC777
};

enum settings_pictures {
	SETTINGS_PICTURES_OFF, /* captions */
	SETTINGS_PICTURES_CELLS,
	SETTINGS_PICTURES_AUTO /* by the terminal itself where it is known to; else in cells */
};

struct settings {
	int theme;        /* enum settings_theme */
	int colors;       /* enum settings_colors */
	int bell;         /* enum settings_about */
	int desktop;      /* enum settings_desktop; only while the terminal has not the focus */
	int title;        /* the terminal's title is ours */
	int mouse;        /* the wheel and selection are ours; F12 hands them back */
	int is_still;     /* reduced_motion: nothing turns */
	int bidi;         /* right-to-left text is turned here; off: the terminal does it */
	int list;         /* session_list: enum column_wish */
	int queue_goes;   /* queue_after_interrupt: what waits goes on by itself */
	int pictures;     /* enum settings_pictures */
	int is_vim;       /* editing: vi's keys in the composer */
	int is_unwrapped; /* code_lines: scroll, long ones are cut and slide */
	int clipboard; /* terminal_clipboard: programs in the terminal may set it; none may read it */
	char *command; /* notify_command, through sh -c; owned; NULL: none */
};

void settings_init(struct settings *s); /* the defaults */
void settings_fini(struct settings *s);

/* -1 with a sentence that names the values there are. */
VY_MUST_USE int settings_set(
	struct settings *s, struct vy_str name, struct vy_str value, struct vy_err *e);

/* ---- facts ---- */

/* The i-th setting's name ("reduced_motion"); NULL behind the last. */
const char *settings_name(size_t i);
/* Its values, parted by "|"; "" for words of one's own. The first is the default. */
const char *settings_values(size_t i);

#endif

/* theme.h -- roles to colours. Renderers say what a thing is; the theme says how that looks.
 *
 * Six colour roles (accent, ok, warn, error, thinking, link) and two text weights carry the whole
 * client; the rest are shades of those. Each look (dark, light, high contrast) is designed at each
 * depth (RGB, 256, 16, none): the table is theme.def. Without colours, attributes and the words on
 * the screen carry the meaning. Pure: what the terminal is comes in as values. */
#ifndef INK_THEME_H
#define INK_THEME_H

#include <stdbool.h>

#include "shared/base/str.h"
#include "tui/ink/cell.h"

enum theme_role {
#define THEME_ROLE(name, ...) THEME_##name,
#include "tui/ink/theme.def"
#undef THEME_ROLE
	THEME_ROLE_COUNT
};

enum theme_look { THEME_LOOK_DARK, THEME_LOOK_LIGHT, THEME_LOOK_CONTRAST };
enum theme_depth { THEME_DEPTH_NONE, THEME_DEPTH_16, THEME_DEPTH_256, THEME_DEPTH_RGB };

struct theme {
	enum theme_look look;
	enum theme_depth depth;
};

/* ---- choosing ---- */

/* What is known of the terminal; strings from the environment, NULL when unset. */
struct theme_env {
	const char *term, *colorterm, *no_color, *tmux;
	int colors; /* terminfo's max_colors; below 0: unknown */
};

enum theme_depth theme_depth_of(const struct theme_env *env);

/* Light or dark from the terminal's answer to OSC 11 ("rgb:1616/1818/1a1a", "#16181a"), or from
 * COLORFGBG ("15;0"). False, and *look left alone, when it cannot be read. */
bool theme_look_of_osc11(struct vy_str answer, enum theme_look *look);
bool theme_look_of_fgbg(const char *colorfgbg, enum theme_look *look);

/* "auto" is the caller's business; "dark", "light", "contrast". */
bool theme_look_parse(struct vy_str word, enum theme_look *look);

/* ---- using ---- */

/* Text in a role, on whatever background is there. */
static inline struct cell_style theme_ink(enum theme_role r)
{
	return (struct cell_style){ .fg = CELL_ROLE(r) };
}

/* The same with attributes: theme_bold(THEME_TEXT) is the second of the two text weights. */
static inline struct cell_style theme_bold(enum theme_role r)
{
	return (struct cell_style){ .fg = CELL_ROLE(r), .attrs = CELL_BOLD };
}

/* Text in a role on the role's own background (theme_on(THEME_DIFF_ADD, THEME_DIFF_ADD)), or on
 * another's (theme_on(THEME_CODE_KEYWORD, THEME_DIFF_ADD)). */
static inline struct cell_style theme_on(enum theme_role fg, enum theme_role bg)
{
	return (struct cell_style){ .fg = CELL_ROLE(fg), .bg = CELL_ROLE(bg) };
}

/* What a cell's fg, bg and attrs come to at this depth: colours are CELL_DEFAULT, CELL_INDEX (below
 * 16 at depth 16) or, at depth RGB, also CELL_RGB. Colours that a program chose are brought down
 * to the nearest one there is. */
struct theme_pen {
	uint32_t fg, bg;
	uint8_t attrs;
};

struct theme_pen theme_pen_of(struct theme t, uint32_t fg, uint32_t bg, uint8_t attrs);

const char *theme_role_name(enum theme_role r); /* "DIFF_ADD"; for dumps */

#endif

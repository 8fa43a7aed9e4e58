/* theme.c -- see theme.h; the looks themselves are theme.def. */
#include "tui/ink/theme.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "shared/base/buf.h"
#include "shared/base/ban.h"

#define __ (-1)
#define B  CELL_BOLD
#define D  CELL_DIM
#define I  CELL_ITALIC
#define U  CELL_UNDERLINE
#define R  CELL_REVERSE
#define S  CELL_STRIKE

struct pair {
	int fg, bg; /* __: the terminal's own */
};

struct look {
	const char *name;
	struct pair rgb[3], c256[3], c16[3]; /* by enum theme_look */
	uint8_t attrs, mono_fg, mono_bg;
};

/* clang-format off */
#define THEME_ROLE(name, df, db, lf, lb, cf, cb, df2, db2, lf2, lb2, cf2, cb2, \
		df1, db1, lf1, lb1, cf1, cb1, attrs, mono_fg, mono_bg) \
	{ #name, { { df, db }, { lf, lb }, { cf, cb } }, \
	  { { df2, db2 }, { lf2, lb2 }, { cf2, cb2 } }, \
	  { { df1, db1 }, { lf1, lb1 }, { cf1, cb1 } }, attrs, mono_fg, mono_bg },
static const struct look looks[THEME_ROLE_COUNT] = {
#include "tui/ink/theme.def"
};
#undef THEME_ROLE
/* clang-format on */

/* ---- choosing ---- */

static bool starts(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

static bool ends(const char *s, const char *with)
{
	size_t n = strlen(s), k = strlen(with);

	return n >= k && strcmp(s + n - k, with) == 0;
}

/* Terminals that have 16.7 million colours and a name of their own: COLORTERM is lost over ssh. */
static bool is_known_rgb(const char *term)
{
	static const char *const names[] = { "xterm-kitty", "xterm-ghostty", "ghostty", "alacritty",
		"foot", "foot-extra", "wezterm", "contour", "rio" };

	for (size_t i = 0; i < VY_COUNT(names); i++) {
		if (strcmp(term, names[i]) == 0) {
			return true;
		}
	}
	return ends(term, "-direct");
}

enum theme_depth theme_depth_of(const struct theme_env *env)
{
	const char *term = env->term ? env->term : "", *ct = env->colorterm ? env->colorterm : "";
	/* GNU screen hands COLORTERM down and then breaks the long sequences. */
	bool is_gnu_screen = starts(term, "screen") && !(env->tmux && *env->tmux);

	if ((env->no_color && *env->no_color) || *term == '\0' || strcmp(term, "dumb") == 0) {
		return THEME_DEPTH_NONE;
	}
	if (!is_gnu_screen &&
		(strcmp(ct, "truecolor") == 0 || strcmp(ct, "24bit") == 0 || is_known_rgb(term))) {
		return THEME_DEPTH_RGB;
	}
	if (strstr(term, "256color") || env->colors >= 256) {
		return THEME_DEPTH_256;
	}
	return env->colors >= 0 && env->colors < 8 ? THEME_DEPTH_NONE : THEME_DEPTH_16;
}

static int hex_of(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
				      : -1;
}

/* One channel of 1 to 4 hex digits, in thousandths; -1 for anything else. */
static int channel(struct vy_str s)
{
	int v = 0, most = 0;

	if (s.n < 1 || s.n > 4) {
		return -1;
	}
	for (size_t i = 0; i < s.n; i++) {
		int d = hex_of(s.p[i]);

		if (d < 0) {
			return -1;
		}
		v = v * 16 + d;
		most = most * 16 + 15;
	}
	return v * 1000 / most;
}

static struct vy_str cut_at(struct vy_str s, char sep, struct vy_str *rest)
{
	const char *p = s.n ? memchr(s.p, sep, s.n) : NULL;
	size_t n = p ? (size_t)(p - s.p) : s.n;

	*rest = vy_str_from(s, n + 1);
	return vy_str_n(s.p, n);
}

bool theme_look_of_osc11(struct vy_str answer, enum theme_look *look)
{
	int c[3];

	if (vy_str_starts(answer, "#")) {
		size_t each = (answer.n - 1) / 3;

		if (each < 1 || (answer.n - 1) % 3 != 0) {
			return false;
		}
		for (size_t i = 0; i < 3; i++) {
			c[i] = channel(vy_str_n(answer.p + 1 + i * each, each));
		}
	} else if (vy_str_starts(answer, "rgb:") || vy_str_starts(answer, "rgba:")) {
		struct vy_str rest;

		cut_at(answer, ':', &rest);
		for (size_t i = 0; i < 3; i++) {
			c[i] = channel(cut_at(rest, '/', &rest));
		}
	} else {
		return false;
	}
	if (c[0] < 0 || c[1] < 0 || c[2] < 0) {
		return false;
	}
	*look = 299 * c[0] + 587 * c[1] + 114 * c[2] > 500 * 1000 ? THEME_LOOK_LIGHT
								  : THEME_LOOK_DARK;
	return true;
}

bool theme_look_of_fgbg(const char *colorfgbg, enum theme_look *look)
{
	struct vy_str rest = vy_str_c(colorfgbg), last = rest;
	long long n;

	while (rest.n > 0) {
		last = cut_at(rest, ';', &rest);
	}
	if (!vy_parse_i64(last, &n) || n < 0 || n > 15) {
		return false;
	}
	*look = n == 7 || n > 8 ? THEME_LOOK_LIGHT : THEME_LOOK_DARK;
	return true;
}

bool theme_look_parse(struct vy_str word, enum theme_look *look)
{
	static const char *const words[] = { "dark", "light", "contrast" };

	for (size_t i = 0; i < VY_COUNT(words); i++) {
		if (vy_str_is(word, words[i])) {
			*look = (enum theme_look)i;
			return true;
		}
	}
	return false;
}

/* ---- fewer colours ---- */

static int square(int a)
{
	return a * a;
}

static int distance(uint32_t a, uint32_t b)
{
	return square((int)(a >> 16 & 255) - (int)(b >> 16 & 255)) +
	       square((int)(a >> 8 & 255) - (int)(b >> 8 & 255)) +
	       square((int)(a & 255) - (int)(b & 255));
}

/* What xterm shows for an index: the 16 (about), the cube, the greys. */
static uint32_t rgb_of_index(uint32_t i)
{
	static const uint32_t first[16] = { 0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee,
		0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff,
		0xff00ff, 0x00ffff, 0xffffff };
	static const uint32_t level[6] = { 0, 95, 135, 175, 215, 255 };

	if (i < 16) {
		return first[i];
	}
	if (i < 232) {
		i -= 16;
		return level[i / 36] << 16 | level[i / 6 % 6] << 8 | level[i % 6];
	}
	return (8 + (i - 232) * 10) * 0x010101;
}

static uint32_t nearest(uint32_t rgb, uint32_t from, uint32_t to)
{
	uint32_t best = from;
	int least = distance(rgb, rgb_of_index(from));

	for (uint32_t i = from + 1; i < to; i++) {
		int d = distance(rgb, rgb_of_index(i));

		if (d < least) {
			least = d;
			best = i;
		}
	}
	return best;
}

static uint32_t reduce(uint32_t color, enum theme_depth depth)
{
	uint32_t v = color & 0xffffff;

	if (depth == THEME_DEPTH_NONE) {
		return CELL_DEFAULT;
	}
	if (CELL_KIND(color) == CELL_KIND(CELL_RGB(0)) && depth == THEME_DEPTH_256) {
		return CELL_INDEX(nearest(v, 16, 256));
	}
	if (CELL_KIND(color) == CELL_KIND(CELL_RGB(0)) && depth == THEME_DEPTH_16) {
		return CELL_INDEX(nearest(v, 0, 16));
	}
	if (CELL_KIND(color) == CELL_KIND(CELL_INDEX(0)) && depth == THEME_DEPTH_16 && v > 15) {
		return CELL_INDEX(nearest(rgb_of_index(v), 0, 16));
	}
	return color;
}

/* ---- using ---- */

static const struct look *look_of(uint32_t color)
{
	uint32_t role = CELL_KIND(color) == CELL_KIND(CELL_ROLE(0)) ? color & 0xffffff : THEME_TEXT;

	return &looks[role < THEME_ROLE_COUNT ? role : THEME_TEXT];
}

static struct pair pair_of(struct theme t, const struct look *l)
{
	switch (t.depth) {
	case THEME_DEPTH_RGB: return l->rgb[t.look];
	case THEME_DEPTH_256: return l->c256[t.look];
	case THEME_DEPTH_16: return l->c16[t.look];
	case THEME_DEPTH_NONE: break;
	}
	return (struct pair){ __, __ };
}

static uint32_t word(struct theme t, int v)
{
	return v == __ ? CELL_DEFAULT : t.depth == THEME_DEPTH_RGB ? CELL_RGB(v) : CELL_INDEX(v);
}

/* A role without a colour of its own has the text's; in most looks that is the terminal's. */
static uint32_t resolve(struct theme t, uint32_t color, bool is_bg)
{
	if (CELL_KIND(color) == CELL_KIND(CELL_RGB(0)) ||
		CELL_KIND(color) == CELL_KIND(CELL_INDEX(0))) {
		return reduce(color, t.depth);
	}
	struct pair own = pair_of(t, look_of(color)), text = pair_of(t, &looks[THEME_TEXT]);

	if (is_bg) {
		return word(t, own.bg == __ ? text.bg : own.bg);
	}
	return word(t, own.fg == __ ? text.fg : own.fg);
}

/* Of the 16 a ground that is a colour needs its own ink: another could be that colour, or too near. */
static bool has_own_ink(struct theme t, uint32_t bg)
{
	struct pair own = pair_of(t, look_of(bg));

	return t.depth == THEME_DEPTH_16 && CELL_KIND(bg) == CELL_KIND(CELL_ROLE(0)) &&
	       own.fg != __ && own.bg > 0;
}

struct theme_pen theme_pen_of(struct theme t, uint32_t fg, uint32_t bg, uint8_t attrs)
{
	struct theme_pen p = { resolve(t, has_own_ink(t, bg) ? bg : fg, false),
		resolve(t, bg, true), attrs };

	if (t.depth == THEME_DEPTH_NONE) {
		p.attrs |= look_of(fg)->mono_fg | look_of(bg)->mono_bg;
	} else {
		p.attrs |= look_of(fg)->attrs;
	}
	return p;
}

const char *theme_role_name(enum theme_role r)
{
	return r < THEME_ROLE_COUNT ? looks[r].name : "?";
}

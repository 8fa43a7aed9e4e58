/* vt_charset.c -- see vt_charset.h. */
#include "shared/vt/vt_charset.h"

#include <string.h>

#include "shared/text/utf8.h"
#include "shared/base/ban.h"

/* 0x60 to 0x7e of the VT100's line drawing set. */
static const char *const drawing[] = { "◆", "▒", "␉", "␌", "␍", "␊", "°", "±", "␤", "␋", "┘", "┐",
	"┌", "└", "┼", "⎺", "⎻", "─", "⎼", "⎽", "├", "┤", "┴", "┬", "│", "≤", "≥", "π", "≠", "£",
	"·" };

struct vt_charset vt_charset_default(void)
{
	return (struct vt_charset){ .g = { 'B', 'B', 'B', 'B' } };
}

bool vt_charset_is_plain(const struct vt_charset *c)
{
	return c->single == 0 && c->g[(int)c->gl] == 'B';
}

void vt_charset_designate(struct vt_charset *c, char which, char set)
{
	static const char order[] = "()*+";
	const char *at = which ? strchr(order, which) : NULL;

	if (at) {
		c->g[at - order] = set == '0' || set == 'A' ? set : 'B';
	}
}

bool vt_charset_shift(struct vt_charset *c, char final)
{
	switch (final) {
	case 'N':
	case 'O': c->single = final == 'N' ? 2 : 3; return true;
	case 'n':
	case 'o': c->gl = final == 'n' ? 2 : 3; return true;
	case '~':
	case '}':
	case '|': return true; /* the right half is UTF-8 */
	default: return false;
	}
}

static void map_one(char set, char c, struct vy_buf *out)
{
	if (set == '0' && c >= 0x60 && c <= 0x7e) {
		vy_buf_adds(out, drawing[c - 0x60]);
	} else if (set == 'A' && c == '#') {
		vy_buf_adds(out, "£");
	} else {
		vy_buf_addc(out, c);
	}
}

void vt_charset_map(struct vt_charset *c, struct vy_str text, struct vy_buf *out)
{
	uint32_t cp;

	for (size_t at = 0; at < text.n;) {
		char set = c->g[(int)(c->single ? c->single : c->gl)];
		size_t n = vy_utf8_get(text, at, &cp);

		c->single = 0;
		if (n == 1 && cp < 0x80) {
			map_one(set, (char)cp, out);
		} else {
			vy_buf_add(out, text.p + at, n);
		}
		at += n;
	}
}

/* key_name.c -- keys as words, and the one spelling of each. */
#include "tui/input/key.h"

#include <string.h>
#include <strings.h>

#include "shared/text/utf8.h"
#include "shared/base/ban.h"

struct key key_norm(struct key k)
{
	bool is_lower = k.code >= 'a' && k.code <= 'z', is_upper = k.code >= 'A' && k.code <= 'Z';

	if (k.mods & KEY_CTRL) {
		k.code += is_upper ? 'a' - 'A' : 0;
		if (k.code == '@') {
			k.code = KEY_SPACE; /* byte 0 */
		} else if (k.code == '/') {
			k.code = '_'; /* byte 0x1f */
		} else if (k.code == '?' && !(k.mods & KEY_SHIFT)) {
			k = (struct key){ KEY_BACKSPACE, k.mods & (uint8_t)~KEY_CTRL };
		}
	} else if (k.mods & KEY_SHIFT) {
		if (is_lower || is_upper) {
			k.code -= is_lower ? 'a' - 'A' : 0;
			k.mods &= (uint8_t)~KEY_SHIFT;
		} else if (k.code == KEY_SPACE) {
			k.mods &= (uint8_t)~KEY_SHIFT;
		}
	}
	return k;
}

/* The first name of a code is the one that is shown. */
static const struct {
	const char *name;
	uint32_t code;
} names[] = {
	{ "enter", KEY_ENTER },
	{ "return", KEY_ENTER },
	{ "tab", KEY_TAB },
	{ "esc", KEY_ESC },
	{ "escape", KEY_ESC },
	{ "space", KEY_SPACE },
	{ "backspace", KEY_BACKSPACE },
	{ "bs", KEY_BACKSPACE },
	{ "up", KEY_UP },
	{ "down", KEY_DOWN },
	{ "left", KEY_LEFT },
	{ "right", KEY_RIGHT },
	{ "home", KEY_HOME },
	{ "end", KEY_END },
	{ "pgup", KEY_PGUP },
	{ "pageup", KEY_PGUP },
	{ "pgdn", KEY_PGDN },
	{ "pagedown", KEY_PGDN },
	{ "insert", KEY_INSERT },
	{ "ins", KEY_INSERT },
	{ "delete", KEY_DELETE },
	{ "del", KEY_DELETE },
	{ "begin", KEY_BEGIN },
	{ "menu", KEY_MENU },
	{ "minus", '-' },
	{ "plus", '+' },
};

static const struct {
	const char *name;
	uint8_t mod;
} mods[] = {
	{ "ctrl-", KEY_CTRL },
	{ "alt-", KEY_ALT },
	{ "shift-", KEY_SHIFT },
	{ "super-", KEY_SUPER },
	{ "control-", KEY_CTRL },
	{ "meta-", KEY_ALT },
	{ "c-", KEY_CTRL },
	{ "m-", KEY_ALT },
	{ "s-", KEY_SHIFT },
	{ "ctrl+", KEY_CTRL },
	{ "alt+", KEY_ALT },
	{ "shift+", KEY_SHIFT },
	{ "^", KEY_CTRL },
};

/* Takes one modifier off the front; what is left is never empty, so "ctrl--" and "^" are keys. */
static bool take_mod(struct vy_str *s, uint8_t *out)
{
	for (size_t i = 0; i < VY_COUNT(mods); i++) {
		size_t n = strlen(mods[i].name);

		if (s->p && s->n > n && strncasecmp(s->p, mods[i].name, n) == 0) {
			*out |= mods[i].mod;
			*s = vy_str_from(*s, n);
			return true;
		}
	}
	return false;
}

static uint32_t code_of(struct vy_str s)
{
	uint32_t cp;
	long long n;

	for (size_t i = 0; i < VY_COUNT(names); i++) {
		if (s.p && s.n == strlen(names[i].name) &&
			strncasecmp(s.p, names[i].name, s.n) == 0) {
			return names[i].code;
		}
	}
	if (s.n > 1 && (s.p[0] == 'f' || s.p[0] == 'F') && vy_parse_i64(vy_str_from(s, 1), &n)) {
		return n >= 1 && n <= 35 ? KEY_F1 + (uint32_t)n - 1 : KEY_NONE;
	}
	if (s.n > 0 && vy_utf8_get_strict(s, 0, &cp) == s.n && cp > 0x20 &&
		(cp < 0x7f || cp >= 0xa0)) {
		return cp;
	}
	return KEY_NONE;
}

bool key_parse(struct vy_str name, struct key *out)
{
	struct key k = { 0 };

	while (take_mod(&name, &k.mods)) {
	}
	k.code = code_of(name);
	if (k.code == KEY_NONE) {
		return false;
	}
	*out = key_norm(k);
	return true;
}

static const char *pretty_name(uint32_t code)
{
	switch (code) {
	case KEY_UP: return "↑";
	case KEY_DOWN: return "↓";
	case KEY_LEFT: return "←";
	case KEY_RIGHT: return "→";
	default: return NULL;
	}
}

static const char *name_of(uint32_t code, bool pretty)
{
	const char *p = pretty ? pretty_name(code) : NULL;

	for (size_t i = 0; !p && i < VY_COUNT(names); i++) {
		if (names[i].code == code && code != '-' && code != '+') {
			p = names[i].name;
		}
	}
	return p;
}

const char *key_format(struct key k, bool pretty, char out[KEY_NAME_MAX])
{
	const char *name = name_of(k.code, pretty);
	char text[16];

	if (!name && k.code >= KEY_F1 && k.code <= KEY_F35) {
		snprintf(text, sizeof(text), "f%u", k.code - KEY_F1 + 1);
		name = text;
	} else if (!name) {
		text[k.code < KEY_NAMED ? vy_utf8_put(k.code, text) : 0] = '\0';
		name = text;
	}
	snprintf(out, KEY_NAME_MAX, "%s%s%s%s%s", k.mods & KEY_CTRL ? "ctrl-" : "",
		k.mods & KEY_ALT ? "alt-" : "", k.mods & KEY_SHIFT ? "shift-" : "",
		k.mods & KEY_SUPER ? "super-" : "", name);
	return out;
}

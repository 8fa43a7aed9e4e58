/* keymap.c -- see keymap.h; the facts are keys.def.
 *
 * A map is a list of bindings that is searched from the front. What a person binds goes to the
 * front, so it wins over the built-in key and is the one that hints show. */
#include "tui/input/keymap.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

static const struct {
	const char *name, *keys, *help;
	enum keymap_mode mode;
} facts[ACTION_COUNT] = {
	[ACTION_NONE] = { "none", "", "", KEYMAP_GLOBAL },
#define KEY_ACTION(id, name, mode, keys, help) [ACTION_##id] = { name, keys, help, KEYMAP_##mode },
#include "tui/input/keys.def"
#undef KEY_ACTION
};

static const struct {
	const char *name;
	int parent;
} modes[KEYMAP_MODE_COUNT] = {
	[KEYMAP_GLOBAL] = { "global", -1 },
	[KEYMAP_EDIT] = { "edit", KEYMAP_GLOBAL },
	[KEYMAP_COMPOSER] = { "composer", KEYMAP_EDIT },
	[KEYMAP_MENU] = { "menu", KEYMAP_EDIT },
	[KEYMAP_ASK] = { "ask", KEYMAP_GLOBAL },
	[KEYMAP_BROWSE] = { "browse", KEYMAP_GLOBAL },
	[KEYMAP_ASIDE] = { "aside", KEYMAP_EDIT },
	[KEYMAP_VIEW] = { "view", KEYMAP_GLOBAL },
	[KEYMAP_PANE] = { "pane", -1 },
	[KEYMAP_PREFIX] = { "prefix", -1 },
	[KEYMAP_LOOK] = { "look", KEYMAP_PANE },
};

/* ---- facts ---- */

const char *keymap_name(enum keymap_action a)
{
	return facts[a].name;
}

const char *keymap_help(enum keymap_action a)
{
	return facts[a].help;
}

enum keymap_mode keymap_mode_of(enum keymap_action a)
{
	return facts[a].mode;
}

int keymap_parent(enum keymap_mode m)
{
	return modes[m].parent;
}

const char *keymap_mode_name(enum keymap_mode m)
{
	return modes[m].name;
}

static bool same_name(struct vy_str a, const char *b)
{
	if (a.n != strlen(b)) {
		return false;
	}
	for (size_t i = 0; i < a.n; i++) {
		if ((a.p[i] == '_' ? '-' : a.p[i]) != b[i]) {
			return false;
		}
	}
	return true;
}

enum keymap_action keymap_action_of(struct vy_str name)
{
	for (int a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		if (same_name(name, facts[a].name)) {
			return (enum keymap_action)a;
		}
	}
	return ACTION_NONE;
}

/* ---- the map ---- */

static struct vy_str word_of(struct vy_str *rest)
{
	size_t i = 0, end;

	while (i < rest->n && rest->p[i] == ' ') {
		i++;
	}
	for (end = i; end < rest->n && rest->p[end] != ' ';) {
		end++;
	}
	struct vy_str word = vy_str_n(rest->p + i, end - i);

	*rest = vy_str_from(*rest, end);
	return word;
}

static void add(struct keymap *m, size_t at, struct keymap_binding b)
{
	m->binds = vy_grow(m->binds, &m->cap, m->n + 1, sizeof(b));
	memmove(&m->binds[at + 1], &m->binds[at], (m->n - at) * sizeof(b));
	m->binds[at] = b;
	m->n++;
}

void keymap_init(struct keymap *m)
{
	*m = (struct keymap){ 0 };
	for (int a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		struct vy_str rest = vy_str_c(facts[a].keys), word;

		while ((word = word_of(&rest)).n > 0) {
			struct keymap_binding b = { .action = (enum keymap_action)a };
			bool ok = key_parse(word, &b.key);

			vy_assert(ok);
			add(m, m->n, b);
		}
	}
}

void keymap_fini(struct keymap *m)
{
	free(m->binds);
	*m = (struct keymap){ 0 };
}

void keymap_copy(struct keymap *to, const struct keymap *from)
{
	to->binds = vy_grow(to->binds, &to->cap, from->n + 1, sizeof(*to->binds));
	memcpy(to->binds, from->binds, from->n * sizeof(*to->binds));
	to->n = from->n;
}

/* Takes the key from one mode, or (mode -1) from all. */
static void unbind(struct keymap *m, struct key k, int mode)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->n; i++) {
		bool gone = key_eq(m->binds[i].key, k) &&
			    (mode < 0 || (int)keymap_mode_of(m->binds[i].action) == mode);

		if (!gone) {
			m->binds[kept++] = m->binds[i];
		}
	}
	m->n = kept;
}

int keymap_bind(struct keymap *m, struct vy_str key, struct vy_str action, struct vy_err *e)
{
	struct keymap_binding b;

	if (!key_parse(key, &b.key)) {
		return vy_fail(e, VY_BAD_INPUT,
			_("\"%.*s\" is no key: expected one like ctrl-t, alt-enter, f5"),
			VY_STR_ARG(key));
	}
	if (vy_str_is(action, "none")) {
		unbind(m, b.key, -1);
		return 0;
	}
	b.action = keymap_action_of(action);
	if (b.action == ACTION_NONE) {
		return vy_fail(e, VY_BAD_INPUT,
			_("\"%.*s\" is nothing a key can do: the help (f1) has the names"),
			VY_STR_ARG(action));
	}
	unbind(m, b.key, (int)keymap_mode_of(b.action));
	add(m, 0, b);
	return 0;
}

/* The "=" between key and action: the last one, since "= = search" binds "=". */
static int bind_line(struct keymap *m, struct vy_str line, struct vy_err *e)
{
	const char *eq = memrchr(line.p, '=', line.n);

	if (!eq) {
		return vy_fail(e, VY_BAD_INPUT, _("expected \"key = action\""));
	}
	size_t at = (size_t)(eq - line.p);

	return keymap_bind(
		m, vy_str_trim(vy_str_n(line.p, at)), vy_str_trim(vy_str_from(line, at + 1)), e);
}

int keymap_line(struct keymap *m, struct vy_str line, struct vy_err *e)
{
	line = vy_str_trim(line);
	/* "# = search" binds "#"; any other line that begins with it is a comment */
	bool is_comment = line.n > 0 && line.p[0] == '#' &&
			  !vy_str_starts(vy_str_trim(vy_str_from(line, 1)), "=");

	return line.n > 0 && !is_comment ? bind_line(m, line, e) : 0;
}

int keymap_parse(struct keymap *m, struct vy_str text, struct vy_err *e)
{
	for (int number = 1; text.n > 0; number++) {
		const char *nl = memchr(text.p, '\n', text.n);
		size_t n = nl ? (size_t)(nl - text.p) : text.n;

		if (keymap_line(m, vy_str_n(text.p, n), e) < 0) {
			return vy_wrap(e, _("line %d"), number);
		}
		text = vy_str_from(text, n + 1);
	}
	return 0;
}

enum keymap_action keymap_find(const struct keymap *m, enum keymap_mode mode, struct key k)
{
	for (int at = (int)mode; at >= 0; at = modes[at].parent) {
		for (size_t i = 0; i < m->n; i++) {
			if (key_eq(m->binds[i].key, k) &&
				(int)keymap_mode_of(m->binds[i].action) == at) {
				return m->binds[i].action;
			}
		}
	}
	return ACTION_NONE;
}

bool keymap_key(const struct keymap *m, enum keymap_action a, size_t i, struct key *out)
{
	for (size_t at = 0; at < m->n; at++) {
		if (m->binds[at].action == a && i-- == 0) {
			*out = m->binds[at].key;
			return true;
		}
	}
	return false;
}

const char *keymap_hint(const struct keymap *m, enum keymap_action a, char out[KEY_NAME_MAX])
{
	struct key k;

	out[0] = '\0';
	return keymap_key(m, a, 0, &k) ? key_format(k, true, out) : out;
}

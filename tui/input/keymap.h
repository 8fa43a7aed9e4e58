/* keymap.h -- which key does what, where: mode and key to action.
 *
 * Facts live once, in keys.def: an action's name, its mode, its default keys, its help line. An
 * action belongs to one mode; a key not bound in a mode is looked up in the mode's parent, up to
 * GLOBAL. The terminal pane has no parent: what it does not bind goes to the program. A person's
 * tui.conf adds and removes keys ("ctrl-y = search", "alt-q = none"). The help and the hint line
 * are read from here too, so they cannot lie. Pure; a map is a value. */
#ifndef INPUT_KEYMAP_H
#define INPUT_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/err.h"
#include "shared/base/str.h"
#include "tui/input/key.h"

enum keymap_mode {
	KEYMAP_GLOBAL,   /* anywhere but the pane */
	KEYMAP_EDIT,     /* wherever there is a text field */
	KEYMAP_COMPOSER, /* > EDIT */
	KEYMAP_MENU,     /* a picker with its filter line > EDIT */
	KEYMAP_ASK,      /* the ask panel has the focus */
	KEYMAP_BROWSE,   /* the transcript has the focus */
	KEYMAP_ASIDE,    /* the panel of side questions > EDIT */
	KEYMAP_VIEW,     /* a pager: help, an opened output */
	KEYMAP_PANE,     /* the terminal pane; no parent */
	KEYMAP_PREFIX,   /* behind the pane's own key; no parent */
	KEYMAP_LOOK,     /* looking back in the pane > PANE */
	KEYMAP_MODE_COUNT
};

enum keymap_action {
	ACTION_NONE, /* not bound: text, or nothing */
#define KEY_ACTION(id, name, mode, keys, help) ACTION_##id,
#include "tui/input/keys.def"
#undef KEY_ACTION
	ACTION_COUNT
};

struct keymap_binding {
	struct key key;
	enum keymap_action action;
};

struct keymap {
	struct keymap_binding *binds; /* an earlier one goes before a later one */
	size_t n, cap;
};

void keymap_init(struct keymap *m); /* the built-in keys */
void keymap_fini(struct keymap *m);
void keymap_copy(struct keymap *to, const struct keymap *from); /* `to` is one already */

/* One setting: key "ctrl-y" does "search" (in search's mode), or "none" (nowhere). Names may be
 * written with - or _. -1 says what was wrong with it. */
int keymap_bind(struct keymap *m, struct vy_str key, struct vy_str action, struct vy_err *e);
/* One line of a file: "key = action", nothing, or a # comment. */
int keymap_line(struct keymap *m, struct vy_str line, struct vy_err *e);
/* Lines of "key = action"; empty ones and # comments are skipped. The first bad line is named by
 * its number; lines before it stay in force. */
int keymap_parse(struct keymap *m, struct vy_str text, struct vy_err *e);

/* What the key does in this mode, its parents included. */
enum keymap_action keymap_find(const struct keymap *m, enum keymap_mode mode, struct key k);

/* The i-th key of an action, a person's own first; false when there are fewer. */
bool keymap_key(const struct keymap *m, enum keymap_action a, size_t i, struct key *out);
/* Its first key for a hint line ("^t", "alt-↑"); "" when it has none. Returns out. */
const char *keymap_hint(const struct keymap *m, enum keymap_action a, char out[KEY_NAME_MAX]);

/* ---- facts ---- */

const char *keymap_name(enum keymap_action a); /* "send" */
const char *keymap_help(enum keymap_action a); /* English msgid: pass through _() */
enum keymap_mode keymap_mode_of(enum keymap_action a);
int keymap_parent(enum keymap_mode m);                   /* -1: none */
const char *keymap_mode_name(enum keymap_mode m);        /* "composer" */
enum keymap_action keymap_action_of(struct vy_str name); /* ACTION_NONE when unknown */

#endif

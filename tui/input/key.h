/* key.h -- bytes from a terminal to keys: a machine that eats bytes and emits events.
 *
 * Any split of the same bytes gives the same keys and the same text (text may come in more pieces,
 * since what has arrived is never held back). A paste is one event however long it is; its cost
 * is linear and its memory bounded. What is no key, answer or text is dropped, never typed.
 *
 * The machine owns no clock: after each step the caller asks key_wait_ms() and, when that much
 * time passes without a byte, calls key_timeout(). That is how a lone ESC becomes the Esc key.
 * Understands xterm and rxvt keys, SS3, modifyOtherKeys, the kitty keyboard (CSI u), bracketed
 * paste, SGR and X10 mouse, focus reports, and the answers to OSC 10/11, DA, DECRQM, XTVERSION,
 * kitty's graphics.
 * Pure. */
#ifndef INPUT_KEY_H
#define INPUT_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/str.h"

/* A key's code is a Unicode code point or one of these. */
enum key_code {
	KEY_NONE = 0,
	KEY_TAB = 9,
	KEY_ENTER = 13,
	KEY_ESC = 27,
	KEY_SPACE = 32,
	KEY_BACKSPACE = 127,
	KEY_NAMED = 0x110000, /* above Unicode */
	KEY_UP,
	KEY_DOWN,
	KEY_LEFT,
	KEY_RIGHT,
	KEY_HOME,
	KEY_END,
	KEY_PGUP,
	KEY_PGDN,
	KEY_INSERT,
	KEY_DELETE,
	KEY_BEGIN, /* the middle of the keypad */
	KEY_MENU,
	KEY_F1, /* KEY_F1 + n - 1, up to F35 */
	KEY_F35 = KEY_F1 + 34,
};

enum key_mod { KEY_SHIFT = 1, KEY_ALT = 2, KEY_CTRL = 4, KEY_SUPER = 8 };

/* One key with its modifiers, in one spelling whatever the terminal sent: ctrl with a letter has
 * the lower-case letter; shift with a letter (and no ctrl) is the capital without KEY_SHIFT. */
struct key {
	uint32_t code;
	uint8_t mods;
};

static inline bool key_eq(struct key a, struct key b)
{
	return a.code == b.code && a.mods == b.mods;
}

enum key_kind {
	KEY_EV_KEY,   /* key; text is what it types, empty when nothing */
	KEY_EV_TEXT,  /* text: one cluster of several code points (an emoji, a base with marks) */
	KEY_EV_PASTE, /* text, line ends as \n; is_cut when it was longer than the maximum, `total`
			  * bytes then; is_open when its end never came */
	KEY_EV_MOUSE, /* mouse */
	KEY_EV_FOCUS, /* value 1: the terminal got the focus, 0: lost it */
	KEY_EV_COLOR, /* value 10 or 11, text as the terminal wrote it: theme_look_of_osc11() */
	KEY_EV_DA,    /* text: the terminal's parameters, "62;22" */
	KEY_EV_MODE,  /* value: the private mode, state: DECRQM's 0…4 */
	KEY_EV_KITTY, /* value: flags of the kitty keyboard; that it answers says it has it */
	KEY_EV_VERSION,  /* text: the terminal's name, XTVERSION */
	KEY_EV_GRAPHICS, /* text: an answer about pictures, "Gi=1;OK" */
	KEY_EV_LOOK,     /* value 1 dark, 2 light: the terminal's own theme changed (CSI ?997) */
};

enum key_mouse_kind {
	KEY_MOUSE_PRESS,
	KEY_MOUSE_RELEASE,
	KEY_MOUSE_DRAG,
	KEY_MOUSE_MOVE,
	KEY_MOUSE_WHEEL_UP,
	KEY_MOUSE_WHEEL_DOWN,
	KEY_MOUSE_WHEEL_LEFT,
	KEY_MOUSE_WHEEL_RIGHT
};

struct key_mouse {
	enum key_mouse_kind kind;
	uint8_t button; /* 1 left, 2 middle, 3 right, 8…11 more; 0 none */
	uint8_t mods;
	int x, y; /* from 0 */
};

struct key_event {
	enum key_kind kind;
	struct key key;
	struct vy_str text; /* borrow: valid during the call */
	struct key_mouse mouse;
	int value, state;
	size_t total;
	bool is_cut, is_open;
};

typedef void key_fn(void *ctx, const struct key_event *ev);

#define KEY_SEQ_MAX   256                /* bytes of an escape sequence */
#define KEY_STR_MAX   4096               /* of a terminal's string answer */
#define KEY_PASTE_MAX (64 * 1024 * 1024) /* of a paste */

struct key_parser { /* private: key.c */
	int state;
	bool is_alt;           /* an ESC came before this sequence */
	bool has_kitty;        /* the terminal reports Esc as CSI 27 u: a lone ESC is no key */
	char kind;             /* of a string: ] P _ */
	char seq[KEY_SEQ_MAX]; /* the unfinished sequence or character */
	size_t n;
	size_t matched; /* bytes of the paste's end seen */
	size_t total;   /* of the paste, also what was cut off */
	bool was_cr;
	struct vy_buf str, paste;
};

void key_init(struct key_parser *p);
void key_fini(struct key_parser *p);

void key_step(struct key_parser *p, struct vy_str bytes, key_fn *emit, void *ctx);
/* How long to wait for more before key_timeout(); -1: nothing is unfinished. 50 ms after a lone
 * ESC (longer once the terminal has said that its Esc key is CSI 27 u), more inside of a sequence
 * that can be nothing else, 3 s inside of a paste. */
int key_wait_ms(const struct key_parser *p);
void key_timeout(struct key_parser *p, key_fn *emit, void *ctx);

/* ---- names ---- */

/* The one spelling of a key (see struct key). */
struct key key_norm(struct key k);
/* "ctrl-t", "alt-enter", "shift-tab", "pgup", "f12", "?", "ctrl-\\": what tui.conf takes. */
bool key_parse(struct vy_str name, struct key *out);
/* Writes that name; with `pretty` as a hint line shows it: "^t", "alt-↑". Returns out. */
#define KEY_NAME_MAX 40
const char *key_format(struct key k, bool pretty, char out[KEY_NAME_MAX]);

#endif

/* edit_vim.h -- vi's way of writing, for a text field: insert, normal, visual; keys in, edits out.
 *
 * One key goes into edit_vim_key() and is done, is kept until the command is whole, or is given back:
 * in insert mode all but Esc is the usual text field's. What a key does is what vim 9 does with it
 * (-u NONE, sw=4 et), cluster by cluster, a chip being one character and one word. What is cut is the
 * newest of the kill ring, so ctrl-y and p paste the same; an insert is one step of undo. Where vim
 * would fail on k in the first line and j in the last, the caller is asked to do its own up and down.
 * Pure; a value: edit_vim_init(), nothing to free (the registers are the edit's). */
#ifndef VIEW_EDIT_VIM_H
#define VIEW_EDIT_VIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/text/width.h"
#include "tui/input/key.h"
#include "tui/view/edit.h"

enum edit_vim_mode { EDIT_VIM_INSERT, EDIT_VIM_NORMAL, EDIT_VIM_VISUAL, EDIT_VIM_LINES };

/* One command, whole: "2d3w" is op_count 2, op d, count 3, key w. */
struct edit_vim_cmd {
	size_t op_count, count;       /* as typed; 0: none */
	uint32_t op, key;             /* a key's character, or two: edit_vim_core.h; 0: none */
	char reg;                     /* '"': the kill ring */
	char force;                   /* 'v' or 'V' between operator and motion; 0 */
	char arg[VY_CLUSTER_MAX + 1]; /* what f, t and r are about, a cluster */
	size_t n_arg;
	bool is_area; /* of visual mode, done again: as many lines, or characters of the last */
	bool is_lines;
	size_t area_rows, area_chars;
};

struct edit_vim {
	enum edit_vim_mode mode;
	struct edit_vim_cmd cmd;   /* as far as it is typed */
	struct edit_vim_cmd again; /* what "." does; key 0: nothing yet */
	int wait;                  /* for what: edit_vim.c */
	uint32_t first;            /* of a pair of keys */
	char typed[12];            /* for the hint line: "2d" */
	uint32_t find;             /* f F t T: what ; and , do again; 0: nothing yet */
	char found[VY_CLUSTER_MAX + 1];
	size_t n_found;
	size_t anchor; /* where visual mode began */
	size_t goal;   /* the column j and k want, in cells; SIZE_MAX: the cursor's */
	bool at_ends;  /* "$" was the last motion: j and k go to the ends of lines */
	/* of the insert that goes on */
	size_t from, tail, times; /* where it began, bytes behind it then, how often it is wanted */
	bool is_line;             /* by o or O: each time on a line of its own */
	bool is_again;            /* "." will do it too */
	bool has_moved;           /* it is another than the one its command began */
	uint64_t rev;             /* of the text, at the last key */
	char reg;                 /* of the last command: '+' and '*' are the caller's clipboard */
};

void edit_vim_init(struct edit_vim *v); /* in insert mode: what is written first is a message */

enum edit_vim_did {
	EDIT_VIM_NOT_MINE, /* do with the key what you would do without vim */
	EDIT_VIM_DONE,
	EDIT_VIM_UP, /* do what the up key does, or the down key */
	EDIT_VIM_DOWN
};
/* `text`: what the key types, also where it is no key (a cluster of several code points). */
enum edit_vim_did edit_vim_key(
	struct edit_vim *v, struct edit *e, struct key k, struct vy_str text);
/* After a key that was not ours, and after anything else that changed the text or the cursor. */
void edit_vim_settle(struct edit_vim *v, struct edit *e);
/* The text is another (sent, cleared, another session): in insert mode, nothing half typed. */
void edit_vim_restart(struct edit_vim *v, struct edit *e);

/* Is a command half typed, or something selected? What Esc would drop in normal mode. */
bool edit_vim_is_busy(const struct edit_vim *v);
/* Of visual mode, what is to be shown selected; false: nothing. */
bool edit_vim_selected(const struct edit_vim *v, const struct edit *e, size_t *from, size_t *to);

#endif

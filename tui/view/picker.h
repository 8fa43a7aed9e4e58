/* picker.h -- a list to choose from, above the composer: sessions, models, files, commands.
 *
 * Items stand in the order they were added, or, while something is typed, the best match first;
 * the letters found are emphasised. The typed text is the picker's own line (a filter, with the
 * verbs of a text field) or somebody else's word (the "@fi" in the composer): is_borrowed. A choice
 * stays on its item when the list is filled anew, else on the first line.
 *
 * It takes as much room as it needs and is given; narrow, the details go before the labels. All
 * text may come from outside: it goes through shared/text/utf8 here. Never blocks: what is not
 * there yet is said by `is_waiting`, what failed by `trouble`. Pure; init/fini, and a value
 * between. */
#ifndef VIEW_PICKER_H
#define VIEW_PICKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/ink/cell.h"
#include "tui/ink/screen.h"
#include "tui/input/keymap.h"
#include "tui/view/edit.h"

#define PICKER_MOST 50000 /* items; more are not taken */
#define PICKER_TEXT 65536 /* bytes of one string; the rest is not searched */

/* One line. Strings are copied by picker_add(); NULL is none. */
struct picker_item {
	const char *id;      /* what it is to its owner */
	const char *key;     /* the digit that chooses it from anywhere: shown, not acted on */
	const char *mark;    /* a glyph of one cell in front */
	const char *label;   /* what is searched first */
	const char *detail;  /* dim behind it; searched where the label does not match */
	const char *aside;   /* at the right edge: an age, a count */
	const char *preview; /* the line below the list while it is chosen */
	int mark_role, aside_role; /* enum theme_role */
	bool is_here;              /* the one in use now: bold */
	bool is_done;              /* over: dim, and may be chosen */
	bool is_off;               /* may be seen and not chosen: dim */
};

struct picker_entry {
	struct picker_item item;
	char *memory; /* of its strings */
};

struct picker {
	char *title, *empty; /* `empty`: said when there are no items; owned; NULL */
	struct edit filter;
	struct vy_buf borrowed; /* the word of another field, while is_borrowed */
	bool is_borrowed;
	bool is_waiting; /* the items are on their way */
	bool keeps_end;  /* labels are paths: what does not fit is cut off in front */
	char *trouble;   /* why there are none, in a sentence; owned; NULL */

	struct picker_entry *entries;
	size_t n, cap;

	/* of what is typed: entries by worth, and what they were found for */
	uint32_t *shown;
	size_t n_shown, cap_shown;
	char *sought;
	size_t n_sought;
	bool is_stale;

	size_t sel, top; /* in `shown` */
	char *kept;      /* id of what was chosen before the list was filled anew; NULL */
	int page;        /* lines of the last draw */
};

void picker_init(struct picker *p);
void picker_fini(struct picker *p);

/* Empty, for another list. Strings are copied. */
void picker_begin(struct picker *p, const char *title, const char *empty);

/* ---- the items ---- */

/* The list is filled anew: what was chosen is chosen again if an item of that id comes back. */
void picker_clear(struct picker *p);
void picker_add(struct picker *p, const struct picker_item *item);
void picker_fail(struct picker *p, const char *sentence);
void picker_choose(struct picker *p, const char *id); /* if it is there and shown */
/* Items in all, and the i-th as it was added; borrowed until the next change. */
const struct picker_item *picker_at(const struct picker *p, size_t i);
/* The one chosen; NULL: none is shown. Borrowed until the next change. */
const struct picker_item *picker_chosen(struct picker *p);

/* ---- keys ---- */

void picker_seek(struct picker *p, struct vy_str word); /* is_borrowed: what is typed there */
void picker_type(struct picker *p, struct vy_str text); /* into its own line */
struct vy_str picker_sought(const struct picker *p);    /* what is typed */
/* Moves, or edits its line; false: not one of its own (choosing and closing are the owner's). */
bool picker_action(struct picker *p, enum keymap_action a);

/* ---- the look ---- */

/* Rows it takes, `most` at most; at least 3. */
int picker_rows(struct picker *p, int most);
/* The cursor is put into its line; where it is borrowed the cursor is left alone. */
void picker_draw(struct picker *p, struct cell_win w, struct screen_cursor *cursor);

#endif

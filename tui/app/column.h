/* column.h -- the sessions beside the chat: a line each, who needs a person first.
 *
 * From 120 columns on it is there by itself, unless the setting or its key says otherwise; a window
 * that would leave the chat too little has none. The control plane (net/plane.h) tells of every
 * change: the list is read from the server once, and again only when something was missed
 * (model/watch.h). From a server without it the list is read when the column appears, when another
 * session is opened, when the state of our own changes and when the terminal gets the focus; it is
 * never polled. The row of our own session is always true: it is drawn from its stream. Pure. */
#ifndef APP_COLUMN_H
#define APP_COLUMN_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/json.h"
#include "shared/model/watch.h"
#include "tui/app/roster.h"
#include "tui/ink/cell.h"
#include "tui/input/key.h"

struct app_state;
struct app_effects;

enum column_wish { COLUMN_AUTO, COLUMN_ON, COLUMN_OFF };

/* Who tells of changes. */
enum column_plane {
	COLUMN_ALONE,  /* nobody */
	COLUMN_COMING, /* the plane, in a moment: until then nothing is asked for */
	COLUMN_TOLD
};

/* All that its look depends on beside the words of the list: as long as that is the same, so is it. */
struct column_look {
	uint64_t list; /* the answer it was read from */
	int64_t second, asks;
	uint32_t opened; /* app_state.n_opened: whose title and state these are */
	int cols, rows, top;
	enum vy_state state;
	enum standing_kind kind;
	int64_t position;
	bool has_state, is_stopping, is_ascii;
};

struct column {
	struct roster roster;
	struct vy_watch watch;
	enum column_plane plane;
	bool is_known;     /* the list was read since the last reset */
	int64_t asked;     /* watch.since when it was asked for */
	uint64_t seen_rev; /* the news of the roster are counted by */
	int wish;          /* enum column_wish */
	int top;           /* the first row in sight */
	int cols;          /* as last painted; 0: it is not there */
	int rows;          /* of sessions in sight, as last painted */
	bool is_due, is_asked;
	struct column_look look; /* as last painted, with … */
	char *title;             /* … our own title, … */
	uint64_t *numbers;       /* … and the number of each line (ink/cell_rows.h) */
	uint32_t serial;         /* of the newest question */
};

void column_init(struct column *c);
void column_fini(struct column *c);

/* How wide it is in a window of so many columns; 0: it is not there. */
int column_cols(enum column_wish wish, int cols);
void column_draw(struct app_state *s, struct cell_win w);
void column_toggle(struct app_state *s); /* its key */

/* ---- the list ---- */

void column_stale(struct app_state *s); /* something may be otherwise now */
/* After a paint: asks for the list if it is shown and stale. Each answer comes to column_reply(). */
void column_ask(struct app_state *s, struct app_effects *fx);
void column_reply(struct app_state *s, uint32_t serial, const struct vy_json *result);
/* A list that was asked for by another, `asked` being column_mark() then. */
int64_t column_mark(const struct app_state *s);
void column_list(struct app_state *s, const struct vy_json *result, int64_t asked);

/* ---- the control plane ---- */

void column_told(struct app_state *s, enum column_plane plane);
/* It is there; `head` is where it begins. */
void column_begins(struct app_state *s, int64_t head);
void column_event(struct app_state *s, const struct vy_json *event);
/* How many asks wait, in all sessions. */
int64_t column_asks(const struct app_state *s);

/* Session n of those that are shown, from 1; false: it is not shown, or has none of that number. */
bool column_number(const struct app_state *s, size_t n, struct vy_str *session);
/* False: not its business. */
bool column_mouse(struct app_state *s, const struct key_mouse *m, struct app_effects *fx);

#endif

/* state.h -- what the screen knows and what it does about an event: the client's pure heart.
 *
 * Keys, frames and answers come in as events; what must happen outside (a call to the server, a
 * bell, the end) goes out as effects, which app.c does. Time comes in with the event. Nothing here
 * reads a clock, a socket or a terminal, so a screen test is a list of events. */
#ifndef APP_STATE_H
#define APP_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/json.h"
#include "shared/frame/frame.h"
#include "shared/model/fold.h"
#include "tui/app/back.h"
#include "tui/app/browse.h"
#include "tui/app/column.h"
#include "tui/app/menu.h"
#include "tui/app/left.h"
#include "tui/app/places.h"
#include "tui/app/seen.h"
#include "tui/app/stand.h"
#include "tui/app/term.h"
#include "tui/ink/album.h"
#include "tui/ink/cell.h"
#include "tui/ink/screen.h"
#include "tui/input/key.h"
#include "tui/input/keymap.h"
#include "tui/view/aside_panel.h"
#include "tui/view/ask_panel.h"
#include "tui/view/composer.h"
#include "tui/view/transcript.h"

/* ---- effects ---- */

enum app_effect_kind {
	APP_SEND,   /* text, mode: into the outbox */
	APP_CALL,   /* method, params: to the server, an error comes back as APP_FAILED */
	APP_QUERY,  /* method, params, tag: to the server, the answer comes back by app_reply();
		     * number: the seconds it may take, 0: as others */
	APP_START,  /* params, tag: the same, a new session, with what of our environment it sees */
	APP_OPEN,   /* text: id of the session to show from now on */
	APP_PUT,    /* text: into the composer, behind an APP_OPEN into that of its session */
	APP_REREAD, /* what is shown lacks rows that are wanted back */
	APP_DROP,   /* id: an outbox entry the person took back */
	APP_RETRY,  /* the server that was ended is wanted again */
	APP_NOTICE, /* text: what a person should be told; word "ask" or "finished" */
	APP_REDRAW,
	APP_SUSPEND,
	APP_MOUSE,      /* hand the mouse over, or take it back: see state.is_mouse_ours */
	APP_EDITOR,     /* write the composer's text in $EDITOR */
	APP_EDIT_TEXT,  /* text, tag: in $EDITOR; what was saved comes back by app_edited() */
	APP_CLIPBOARD,  /* what is in it comes back by app_attach() */
	APP_PASTE_FILE, /* text, number: its bytes; a paste that is too long for a message */
	APP_IMAGE_FILE, /* text: a path; number: bytes of the text just pasted that it takes the
			 * place of: app_attach() */
	APP_COPY,       /* text: onto the clipboard, and say so; word: and what it was */
	APP_EDIT_FILE,  /* params: [{path, line or 0}]; the first that is there, in $EDITOR */
	APP_LINK,       /* text: an address, to what opens addresses */
	APP_PRINT,      /* the transcript into the terminal's own scrollback */
	APP_PAGE,       /* the transcript to $PAGER */
	APP_QUIT
};

/* Who wants an answer, and to which of his questions. */
struct app_tag {
	enum app_asker {
		APP_FOR_NOBODY,
		APP_FOR_MENU,
		APP_FOR_OPENING,
		APP_FOR_COLUMN,
		APP_FOR_COMMANDS,
		APP_FOR_MEMORY,
		APP_FOR_ASK,
		APP_FOR_BACK,
		APP_FOR_ASIDE,
		APP_FOR_COMPACT,
		APP_FOR_BUDGET,
		APP_FOR_PROMPT,
		APP_FOR_OUTPUT,
		APP_FOR_LEFT,
		APP_FOR_RESUME
	} who;
	uint32_t serial;
};

struct app_effect {
	enum app_effect_kind kind;
	struct app_tag tag;
	char *text;       /* owned */
	const char *word; /* mode or method; static */
	size_t number;
	struct vy_json *params; /* owned */
};

#define APP_EFFECTS_MAX 16

struct app_effects {
	struct app_effect v[APP_EFFECTS_MAX];
	size_t n;
};

void app_effects_fini(struct app_effects *fx);

/* ---- the state ---- */

enum app_focus {
	APP_COMPOSER,
	APP_ASK,
	APP_BROWSE,
	APP_HELP,
	APP_MENU,
	APP_PAGER,
	APP_SEEK,
	APP_ASIDE,
	APP_TERM
};

enum app_line {
	APP_CONNECTING,
	APP_CATCHING_UP,
	APP_LIVE,
	APP_DOWN,
	APP_ENDED, /* somebody ended the server: it comes back by them, or by what a person does */
	APP_REFUSED
};

/* What the person said and the log has not shown: drawn as a row of its own. */
struct app_unsent {
	char *id, *text, *why; /* why: NULL unless the server refused it */
};

/* What is round the transcript, as it was painted last: while only words come, it stays as it is. */
struct app_around {
	const struct cell_grid *grid; /* NULL: nothing was painted, or something changed */
	uint64_t frame;               /* of the grid */
	int64_t second, wall_second;  /* that are seen in it */
	struct cell_win transcript;
	struct screen_cursor cursor;
};

struct app_state {
	struct cell_pool *pool;
	struct vy_fold *fold;
	struct transcript *transcript;
	struct album *album;  /* pictures: captions alone until album_set() */
	struct places places; /* of the other sessions */
	struct seen seen;
	struct column column;
	struct composer composer;
	struct ask_panel panel;
	struct menu menu;
	struct browse browse;
	struct back back;
	struct aside_panel aside;
	struct terms terms;
	struct keymap keymap;
	enum app_focus focus;

	/* of the record; "" or 0 when not known */
	char *session, *title, *provider, *model, *mode, *thinking, *cwd, *branch, *auth;
	bool can_think;  /* the agent has that setting */
	bool can_effort; /* and that */
	/* The agent is known not to: what that is for is not offered, and said when it is wanted. */
	bool cannot_rewind, cannot_aside, cannot_fork;
	const char *home; /* of this user, for shortening; borrowed; NULL */
	int64_t used, max, viewers;
	int64_t messages; /* of the assistant: as many as were shown */
	double cost;
	bool is_cost_unknown;  /* it counts tokens, and tells no money */
	struct vy_json *tasks; /* in the background: [{task, kind, text, status}]; owned; NULL */

	struct stand stand; /* beside its state: resting, in a line, paused */

	struct app_unsent *unsent;
	size_t n_unsent;

	enum app_line line;
	int64_t down_since_ms; /* boot clock; -1 while up */
	char *trouble;         /* why not, in a sentence; NULL */
	char *paused;          /* why the server's sessions wait (pause.h); NULL: they do not */
	char *paused_note;     /* the same in its own words; NULL */

	char *note;  /* what the person should know of this machine, while nothing was said; NULL */
	char *flash; /* a passing line in place of the hints; NULL */
	int64_t flash_since_ms, flash_until_ms;
	bool is_flash_of_line; /* it says why there is no server */
	int64_t ctrl_c_ms, esc_ms;
	char *editing;  /* id of the queued message in the composer; NULL */
	char *answered; /* id of the ask we answered last: others' answers are said, not ours */
	bool queue_goes, has_interrupted; /* the setting; and we did, so a held queue is let go */
	struct left left;                 /* of other programs */
	struct vy_json *commands;         /* what the agent told: threads.commands; NULL */
	uint32_t n_opened;                /* sessions, so far */
	size_t closed_word;               /* of the composer: its menu was closed; SIZE_MAX: none */
	size_t completed_at; /* behind the blank that a choice put there; SIZE_MAX: none */
	bool is_saying;      /* the next words are the panel's, not a message */
	bool with_details, is_mouse_ours, is_ascii;
	bool is_unwrapped; /* long lines of code are cut and slide */
	bool is_probing;   /* keys say what they are: probe.h */
	bool is_straight;  /* the terminal turns right-to-left text itself */
	bool is_still;     /* nothing turns: reduced motion */
	bool is_away;      /* the terminal said that it lost the focus */
	bool is_paging;    /* an older page is on its way */
	bool wants_whole;  /* all of them are read, for: */
	enum app_effect_kind whole_for;
	int64_t no_paging_until;    /* now_ms: one did not come */
	size_t ask_at;              /* which of the open asks the panel shows */
	enum keymap_mode help_mode; /* where help was asked for */
	int help_top;
	int spin;
	struct app_around around;
	int cols, rows; /* of the last paint */
	int chat_cols,
		chat_rows; /* the chat's part of them; rows: with the status line and the foot */
	int64_t now_ms, wall_ms; /* of the last event */
};

void app_state_init(struct app_state *s, struct vy_width width);
void app_state_fini(struct app_state *s);
/* Another session is shown from now on: its words, asks and rows are not this one's. */
void app_state_open(struct app_state *s, const char *session);

/* ---- events ---- */

void app_key(struct app_state *s, const struct key_event *ev, struct app_effects *fx);
void app_frame(struct app_state *s, const struct vy_frame *f, struct app_effects *fx);
void app_snapshot(struct app_state *s, const struct vy_json *snapshot, struct app_effects *fx);
/* After a paint: the cursor up to which older rows will be wanted soon; 0: none. */
int64_t app_wants_older(const struct app_state *s);
void app_older(struct app_state *s, const struct vy_json *page); /* NULL: it did not come */
void app_record(struct app_state *s, const struct vy_json *record);
/* What the session said so far was shown: kept in `seen`. By itself at a turn's end and when
 * another session is opened; before the end, by the caller. */
void app_saw(struct app_state *s);
void app_set_line(struct app_state *s, enum app_line line, int64_t down_since_ms, const char *why);
void app_failed(struct app_state *s, const char *sentence);    /* a call did not work */
void app_no_server(struct app_state *s, const char *sentence); /* why; passes once we are live */
/* The answer to an APP_QUERY; `result` is NULL when `e` says why there is none. */
void app_reply(struct app_state *s, struct app_tag tag, const struct vy_json *result,
	const struct vy_err *e, struct app_effects *fx);
void app_set_unsent(struct app_state *s, struct app_unsent *own_list, size_t n);
/* Passes after its time, or by a key once it could be read. */
void app_flash(struct app_state *s, const char *text);
void app_flash_seen(struct app_state *s);
/* Bytes of the clipboard or of a dropped file: a picture becomes a chip in place of the
 * `instead_of` bytes before the cursor; other text is pasted if there are none. */
void app_attach(struct app_state *s, struct vy_str bytes, size_t instead_of);
/* What an APP_EDIT_TEXT made of its text. */
void app_edited(
	struct app_state *s, struct app_tag tag, struct vy_str text, struct app_effects *fx);
void app_note(struct app_state *s, const char *sentence); /* shown while the session is empty */
void app_set_branch(struct app_state *s, const char *branch);
void app_time(struct app_state *s, int64_t boot_ms, int64_t wall_ms);

/* Does this client do something on this action? What it does not is left out of the help. */
bool app_does(enum keymap_action a);

/* Something changed that is neither a word at the end of the transcript nor the time: whoever changes
 * the state by other ways than app_frame() and app_time() says so before the next paint. */
void app_stale(struct app_state *s);

/* How long until the look changes by itself: -1 never (nothing moves, nothing passes). */
int64_t app_next_ms(const struct app_state *s);

/* ---- painting (paint.c) ---- */

void app_paint(struct app_state *s, struct cell_grid *g, struct screen_cursor *cursor);
/* "(2) fix-login · vyre": what waits for a person first. */
void app_title(const struct app_state *s, char *out, size_t room);

#endif

/* app_in.h -- the running client as its three files see it (app.c, line.c, perform.c alone).
 *
 * app.c has the terminal, the painting and the life; line.c is what the server brings; perform.c does
 * the effects of the state. Loop thread only. */
#ifndef APP_IN_H
#define APP_IN_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/app/app.h"
#include "tui/app/boot.h"
#include "tui/app/seen_keep.h"
#include "tui/app/settings.h"
#include "tui/app/state.h"
#include "tui/ink/screen.h"
#include "tui/input/burst.h"

struct bring;
struct calls;
struct desk;
struct gallery;
struct link;
struct outbox;
struct queries;
struct spawn;
struct term_wire;
struct tidy;

struct app {
	struct boot boot;
	struct app_state state;
	struct settings own;
	const struct settings *settings; /* own: when none were given */
	struct screen *screen;
	struct cell_grid grid;
	struct key_parser keys;
	struct burst burst;
	struct vy_watch *tty;
	struct vy_timer *paint, *key_wait, *record;
	struct outbox *outbox;
	struct desk *desk;
	struct seen_keep seen;
	struct bring *bring;
	struct calls *calls;
	struct queries *queries;
	struct tidy *tidy;
	struct gallery *gallery;
	struct term_wire *terms;
	struct link *link;
	struct plane *plane;
	struct spawn *spawn;
	int64_t painted_ms;
	bool is_dirty, is_over;
	bool has_moved, has_left; /* to another session; by a key of the person */
	bool has_key;             /* it is dirty by a key */
	bool has_words;           /* by frames, as they come while an assistant speaks */
	bool is_wanted;           /* a server that was ended: a person did something since */
	int code;
	char title[300];
};

/* app.c */
int64_t app_now(void); /* boot clock, ms */
void app_tell_time(struct app *a);
void app_dirty(struct app *a); /* paint all at the end of the loop turn, or of the frame */

/* line.c */
void app_open_link(struct app *a);
void app_ask_record(void *app);                       /* what the frames do not tell */
void app_show_unsent(void *app, const char *session); /* what the outbox holds, as rows */
void app_call_failed(void *app, const char *why);
/* A person does something: a server that was ended is brought back for it. */
void app_want_server(struct app *a);

/* perform.c */
void app_perform(struct app *a, struct app_effects *fx); /* does them in order, and frees them */
void app_on_reply(
	void *app, struct app_tag tag, const struct vy_json *result, const struct vy_err *e);

#endif

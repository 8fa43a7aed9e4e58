/* ui.h -- the UI projection: a session's rows, folded on the server as the screen folds them.
 *
 * One fold a session (and one for its agents) while anybody looks (a `show`), whoever and however many; it reads the log as
 * one more viewer of the hub, so it knows nothing that a viewer of frames is not given: no raw
 * output of a provider, no sealed value. It is dropped with its last viewer. What is told when, and
 * what a slow viewer gets, is ui_stage.h's.
 *
 *	ready(ctx) -> while (ui_next(sub, &buf)) { send }
 *
 * Everybody begins with a ui.reset; there is no place to come back to, rows are cheaper to send
 * than to remember. A show is of a session and of those who are drawn the same: persons, agents; with
 * rooms there will be more (hub_on_seal). Loop thread. */
#ifndef UI_H
#define UI_H

#include <stdbool.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"

struct hub;
struct log;
struct ui;
struct ui_sub;
struct vy_clock;
struct vy_fold;
struct vy_loop;

struct ui_conf {
	struct log *log;
	struct hub *hub;
	struct vy_loop *loop;
	const struct vy_clock *clock;
	/* rows.h: does a fold hold all that the session has open? NULL: it does. */
	bool (*is_whole)(void *ctx, const char *session, const struct vy_fold *fold);
	void *ctx;
};

struct ui *ui_new(const struct ui_conf *conf);
void ui_free(struct ui *u); /* all subscriptions are gone; NULL is fine */

struct ui_open {
	const char *session;
	bool is_agent;            /* it is never told of a private message (seal.h) */
	bool is_counted;          /* a screen, not a tool: shows in `viewers` */
	void (*ready)(void *ctx); /* later in this turn, and whenever it had run dry */
	void *ctx;
};
/* NULL: the rows cannot be read. */
struct ui_sub *ui_subscribe(struct ui *u, const struct ui_open *o, struct vy_err *e);
void ui_unsubscribe(struct ui_sub *s); /* NULL is fine */

/* Appends the next event, {"type":"ui.reset"|"ui.upsert"|"ui.remove", …}. False: `ready` comes, or,
 * when ui_code() is not 0, nothing ever more. */
bool ui_next(struct ui_sub *s, struct vy_buf *out);
const char *ui_said(const struct ui_sub *s); /* the name of the event it gave last */
int ui_code(const struct ui_sub *s);         /* enum hub_close; 0: open */

#endif

/* back.h -- going back in a session, and going on another way: rewind, redo, say again, branch, fork.
 *
 * A person's messages are the points (view/points.h). Where it goes back to one, what came after is
 * folded away, not lost: a line above the composer says so with the key that brings it back, until
 * the next word is sent. The words of the message come into the composer; a draft that stood there
 * is in the history. Said otherwise (`again`): the words are changed first, and nothing is rewound
 * before they are sent. All of it is decided by the server, in one call each; what it refuses it
 * says in a sentence. Pure. */
#ifndef APP_BACK_H
#define APP_BACK_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/json.h"
#include "tui/ink/cell.h"

struct app_state;
struct app_effects;
struct vy_row;

struct back {
	char *again; /* id of the message that is said otherwise by what the composer holds; NULL */
	char *said;  /* what was sent in its place, until the server took it; NULL */
	char *put;   /* the words a rewind put into the composer: a redo takes them away; NULL */
	/* Which files would go back is asked for; what the person chose meanwhile waits for the answer:
	 * an agent that had to be started for it is not told to rest at once. */
	bool is_asking, then_files;
	char *then;      /* the message; NULL: nothing waits */
	int64_t then_ms; /* since when it does */
	char *from;      /* id of the session this one is a copy of; NULL */
	int64_t since;   /* it was made, wall ms */
	/* Kept over a switch: the session that was forked last, and its title; NULL. */
	char *of, *of_title;
};

void back_fini(struct back *b);
void back_clear(struct back *b); /* another session */

/* ---- acts ---- */

/* Whether the agent can go back at all; said where it cannot. */
bool back_may(struct app_state *s);

/* The list of points, of a session that has one; false, and said, where there is none. */
bool back_open(struct app_state *s, struct app_effects *fx);
/* Esc pressed twice would open it. */
bool back_is_there(const struct app_state *s);
/* The newest point; that of an id; NULL: it is none. Borrowed until the next change of the fold. */
const struct vy_row *back_newest(const struct app_state *s);
const struct vy_row *back_find(const struct app_state *s, struct vy_str message);

/* What would become of the files: the answer comes to menu_back_told(). */
void back_dry(struct app_state *s, struct vy_str message, struct app_effects *fx);
void back_rewind(
	struct app_state *s, struct vy_str message, bool with_files, struct app_effects *fx);
void back_redo(struct app_state *s, struct app_effects *fx);
void back_retry(struct app_state *s, struct app_effects *fx);
/* Its words into the composer; enter sends them in its place, Esc gives up. */
void back_again(struct app_state *s, struct vy_str message);
void back_say(struct app_state *s, struct app_effects *fx); /* enter */
void back_give_up(struct app_state *s);
/* A new session with what came before the message; of all of it. */
void back_branch(struct app_state *s, struct vy_str message, struct app_effects *fx);
void back_fork(struct app_state *s, struct app_effects *fx);
void back_reply(struct app_state *s, uint32_t serial, const struct vy_json *result,
	const struct vy_err *e, struct app_effects *fx);

/* ---- what is known ---- */

void back_record(struct app_state *s, const struct vy_json *record);
/* "forked from fix-login". Appends. */
void back_say_origin(const struct app_state *s, struct vy_str from, struct vy_buf *out);
void back_word(struct app_state *s); /* somebody says something */

/* Above what waits: what is folded away, and where the session comes from. */
int back_rows(const struct app_state *s);
void back_draw(const struct app_state *s, struct cell_win w);

#endif

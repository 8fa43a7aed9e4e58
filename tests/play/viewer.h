/* viewer.h -- one who watches a session: what came over the wire, piece by piece.
 *
 * Every frame is judged by the house's one validation as it comes, and by the rules a client may
 * rely on: cursors go up without a gap from where was asked, whatever the connection did meanwhile.
 * A merged frame is taken apart, so two viewers can be compared however each of them got there. */
#ifndef TESTS_PLAY_VIEWER_H
#define TESTS_PLAY_VIEWER_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/json.h"
#include "tests/play/conn.h"
#include "tests/play/plane.h"

/* A frame as it is after taking apart. */
struct seen {
	uint64_t cur; /* 0: it is in no log */
	struct vy_json *json;
	char *text; /* what of it must be the same for everybody: type, turn, author, data */
};

struct viewer {
	char *name, *session;
	enum conn_form form;
	struct plane *plane; /* NULL: its session's frames */
	struct conn conn;
	struct seen *v;
	size_t n, cap;
	size_t mark;              /* the first one a wait looks at */
	uint64_t from;            /* asked for at first */
	uint64_t last;            /* delivered; 0: none */
	bool has_from;            /* else the first frame says where it begins */
	bool with_epoch;          /* it says which history its cursor is of */
	bool is_slow;             /* its socket is not read */
	bool is_left;             /* the script closed it: it does not come back by itself */
	bool is_inline;           /* the turn behind what it said: frames of that alone */
	bool is_talker;           /* it asks many things on one connection; */
	struct vy_json *answers;  /* what was answered and not yet taken */
	bool is_via;              /* comes by $PROXY, and comes back whenever it is cut */
	unsigned losses;          /* so often */
	struct vy_json *snapshot; /* what it began with; NULL: with frames */
	int goodbye;              /* what `event: closed` said */
	unsigned resets, beats;
	char reason[16];   /* of the last reset */
	uint64_t asked_at; /* where it was, and when, as its session's head was asked for last */
	int64_t asked_ms;
	uint64_t head;         /* of the last heartbeat */
	char epoch[64];        /* of the last heartbeat or reset */
	char subscription[32]; /* where its frames come as notifications */
	char why[512];         /* the first thing that was wrong; empty: nothing */
};

struct viewer *viewer_new(const char *name, const char *session, enum conn_form form);
void viewer_free(struct viewer *v);

/* Takes in what is there. False when the connection is over. */
bool viewer_read(struct viewer *v);
/* An item of its plane that came by another way. */
void viewer_take(struct viewer *v, struct vy_str text);
void viewer_forget(struct viewer *v); /* the frames it kept; not where it is */

/* Frames with a cursor, and what was said in them by deltas of `message` (empty: all). */
void viewer_words(const struct viewer *v, size_t from, struct vy_buf *out);

#endif

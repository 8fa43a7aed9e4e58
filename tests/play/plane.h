/* plane.h -- one who is told of something else than a session's frames: a client of the control plane, of
 * one message being written, of a session's rows, of its journal, of an agent's raw lines.
 *
 * Written from wire.md alone, and every rule there that a client may rely on is judged at each item:
 * ids come once (again only to who came back: dropped, counted), a control `seq` only grows, no word of a
 * message travels there, a generation begins with a snapshot, its deltas are dense, and together they are
 * what its end says; each event of a journal names the one before. A viewer (viewer.h) has one in place
 * of frames; what it holds is as a good client would: the highest revision of each message, the
 * draft, the list of rows; of rows the client's own applier (shared/model/ui.h) holds the same. Pure. */
#ifndef TESTS_PLAY_PLANE_H
#define TESTS_PLAY_PLANE_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/json.h"
#include "shared/base/str.h"
#include "tests/play/journal.h"

#define PLANE_CHANNELS 2 /* text, reasoning */
#define PLANE_PLACE    700

struct vy_ui;

struct plane_kind {
	const char *name;   /* in a script */
	const char *method; /* that subscribes */
	const char *notice; /* of its notifications */
	const char *path;   /* behind /v1/sessions/S/; NULL: no endpoint of its own */
	const char *place;  /* the param that says where to go on from; NULL: there is none */
	const char *member; /* of an item, which is that place */
};

struct plane {
	const struct plane_kind *kind;
	bool is_by_id;           /* its first place, too, is a Last-Event-ID */
	char *message, *more;    /* of a generation; further params, {"attempts":true} */
	char place[PLANE_PLACE]; /* empty: it holds nothing */
	struct vy_json *ids;     /* of events it was given */
	unsigned doubles;        /* that came again, to who came back */
	unsigned openings;       /* how often it came: the first time nothing may come twice */
	int64_t seq;             /* the highest; of a journal: the last */
	/* control, and what a generation ends with: message → {revision, state, text} */
	struct vy_json *messages;
	/* a generation */
	struct vy_buf draft[PLANE_CHANNELS];
	int64_t next[PLANE_CHANNELS]; /* -1: whatever comes first, for who begins at a place */
	unsigned snapshots, deltas;
	unsigned same;        /* its end was compared with the draft, and is it */
	bool is_whole;        /* there was one on this connection, or none is due */
	bool is_settled;      /* its end was here: it does not come back */
	struct vy_json *rows; /* of a session, in order */
	struct vy_ui *ui;     /* the same by what Vyre's own clients apply them with */
	struct journal journal;
	char why[400]; /* the first thing that was wrong */
};

const struct plane_kind *plane_find(const char *name); /* NULL: there is none */

struct plane *plane_new(const struct plane_kind *kind, const char *message, const char *more);
void plane_free(struct plane *p); /* NULL is fine */

void plane_opened(struct plane *p); /* a connection begins */
/* Judges it and takes it in. False: it is one that was here before, and dropped; or wrong. */
bool plane_step(struct plane *p, const struct vy_json *item);
/* From a stream of events: its name and id there. */
void plane_tagged(
	struct plane *p, const struct vy_json *item, struct vy_str event, struct vy_str id);

/* What the message is by all it was told: {messageId, state, text, reasoning}; NULL: nothing. */
struct vy_json *plane_message(const struct plane *p, struct vy_str id);

#endif

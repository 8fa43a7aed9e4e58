/* message.h -- one message of a session as an object with a life, whoever wrote it.
 *
 * A person's: pending while it waits in the queue, completed once it is the agent's, deleted when it
 * was taken back. An assistant's: streaming from its first word, then completed, or failed when it
 * was cut short; another attempt of the same message makes it stream again. Deleted is the end.
 *
 * A person's words are in the record; an assistant's are in its settlements (settle.h), of which the
 * record has the numbers in the journal. Every change raises `revision` by one, so of two records
 * of a message the one with the higher revision is the newer, and replaces the other whole.
 *
 * A value; slices are borrowed from what it was made of. The fold is three functions that change a
 * record and say what that was; keeping records is the caller's (server/log/derive). Pure. */
#ifndef VY_MODEL_MESSAGE_H
#define VY_MODEL_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/jw.h"
#include "shared/base/str.h"
#include "shared/frame/frame.h"

enum vy_message_role { VY_ROLE_USER, VY_ROLE_ASSISTANT, VY_ROLES };

enum vy_message_life {
	VY_MESSAGE_PENDING,
	VY_MESSAGE_STREAMING,
	VY_MESSAGE_COMPLETED,
	VY_MESSAGE_FAILED,
	VY_MESSAGE_DELETED,
	VY_MESSAGE_LIVES
};

/* What a step did: the control event it is. */
enum vy_message_change {
	VY_MESSAGE_SAME, /* nothing */
	VY_MESSAGE_CREATED,
	VY_MESSAGE_UPDATED,
	VY_MESSAGE_IS_COMPLETED,
	VY_MESSAGE_HAS_FAILED,
	VY_MESSAGE_IS_DELETED
};

struct vy_message {
	struct vy_str message; /* its id */
	enum vy_message_role role;
	enum vy_message_life state;
	int64_t revision; /* from 1 on; 0: there is no such message yet */
	int64_t position; /* cursor of its first frame, for good */
	int64_t taken;    /* … of the frame by which it stands in the transcript; 0: it waits */
	int64_t folded;   /* … of the rewind that took it back, and may be redone; 0: none did */
	int64_t was;      /* its state before that */
	struct vy_str author, acts_for, turn;
	struct vy_str
		parent; /* a subagent's: the tool call it works for; a person's: a thread's root */
	int64_t created, updated; /* wall ms */
	/* a person's */
	struct vy_str text;   /* at most 64 KiB; with enc or deleted: none */
	int64_t bytes;        /* of the whole text when it is cut; else 0 */
	struct vy_str images; /* JSON array of refs; empty: none */
	struct vy_str enc;    /* JSON; a private message: nobody here can read it */
	struct vy_str reply_to;
	bool edited;
	/* an assistant's */
	struct vy_str
		settled;      /* JSON array of the journal's numbers of its settlements, in order */
	struct vy_str reason; /* why it failed: "interrupted", "agent-lost" … */
};

/* Its place in the transcript, and in the history: an assistant's where it began, a person's where its
 * turn took it, and until then where it was queued. */
int64_t vy_message_stands_at(const struct vy_message *m);
const char *vy_message_role_word(enum vy_message_role r);
const char *vy_message_life_word(enum vy_message_life s);
/* "session.message.created" …; NULL for VY_MESSAGE_SAME. */
const char *vy_message_change_word(enum vy_message_change c);
bool vy_message_is_open(const struct vy_message *m); /* pending or streaming */

/* ---- the fold: *m is the record so far, or zero when there is none ---- */

/* A user-message frame. */
enum vy_message_change vy_message_said(struct vy_message *m, const struct vy_frame *f);

/* The first text-delta of an attempt. */
enum vy_message_change vy_message_streams(struct vy_message *m, const struct vy_frame *f);

/* Its attempt is settled: number `seq` of the journal; an empty reason: whole. */
enum vy_message_change vy_message_settled(struct vy_message *m, struct vy_str reason, int64_t seq,
	int64_t time, struct vy_arena *mem);

/* A rewind at frame `at` folds away what is behind frame `to`, or (a redo) brings back what was folded
 * since: as shared/model/fold does with rows. What is folded is deleted to all who ask, but its words
 * are kept. */
enum vy_message_change vy_message_rewind(
	struct vy_message *m, int64_t at, int64_t to, int64_t time);

/* ---- storage and wire ---- */

/* The record, for its row. */
void vy_message_encode(const struct vy_message *m, struct vy_jw *w);
VY_MUST_USE int vy_message_decode(
	struct vy_str json, struct vy_arena *mem, struct vy_message *out, struct vy_err *e);

/* As people's programs see it (wire 15): {message, role, author, state, text, blocks[],
 * messageRevision, turn, created, updated, …}. `text` and `blocks` (a JSON array, or empty) are an
 * assistant's words; of a person's message they are the record's own. */
void vy_message_write(
	const struct vy_message *m, struct vy_str text, struct vy_str blocks, struct vy_jw *w);

#endif

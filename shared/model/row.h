/* row.h -- one line of thought in the transcript, as a value: what a screen draws and a snapshot
 * carries (wire 9, "UI projection", and wire 4, snapshot).
 *
 * A row has a key that never changes and a revision that rises with every change, so a drawing can
 * be kept as long as (key, rev, width) is the same. Which of the unions holds is said by `kind`.
 * Slices of a row in a fold are the fold's and live until the next frame is applied; those of a
 * decoded row live in the arena. Pure. */
#ifndef VY_MODEL_ROW_H
#define VY_MODEL_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/jw.h"
#include "shared/base/str.h"
#include "shared/model/ask.h"
#include "shared/model/block.h"

enum vy_row_kind {
	VY_ROW_MESSAGE,
	VY_ROW_THINKING,
	VY_ROW_TOOL,
	VY_ROW_ASK,
	VY_ROW_TODO,
	VY_ROW_TASK,
	VY_ROW_NOTICE,
	VY_ROW_FILE,
	VY_ROW_TERM_COMMAND,
	VY_ROW_PARTICIPANT,
	VY_ROW_EXTENSION,
	VY_ROW_COUNT
};

enum vy_message_state {
	VY_MESSAGE_QUEUED,
	VY_MESSAGE_SENT,
	VY_MESSAGE_PICKED_UP,
	VY_MESSAGE_CANCELLED,
	VY_MESSAGE_STATES
};

enum vy_tool_status { VY_TOOL_RUNNING, VY_TOOL_COMPLETED, VY_TOOL_FAILED, VY_TOOL_CANCELED };

/* A person's message, or one block of the assistant's. */
struct vy_row_message {
	bool is_user;
	struct vy_str message; /* id */
	int64_t index;         /* block in its message; 0 for a person's */
	struct vy_str text;
	bool done; /* no more text comes: the last 40 characters are no longer provisional */
	bool cut;  /* text-cut: `note` says why */
	struct vy_str note;
	struct vy_str blocks; /* JSON array; empty: none */
	/* a person's only */
	enum vy_message_state state;
	int64_t queued_at;             /* ms since the epoch; 0: it did not wait */
	int64_t step;                  /* that took a steered one in; -1: none */
	int64_t bytes;                 /* of the whole text when `more` */
	bool edited, more, is_private; /* private: encrypted, no text */
	struct vy_str via, images, reason;
	struct vy_str mode; /* steer, queue, now: while it waits */
};

struct vy_row_thinking {
	struct vy_str message;
	int64_t index;
	struct vy_str text;
	bool done;
	int64_t ms; /* from the first words to the last, or to the end of the block */
};

/* A tool call; in a task row one that runs in the background. */
struct vy_row_tool {
	struct vy_str tool_id, name, kind, summary;
	enum vy_tool_status status;
	int64_t started, finished; /* ms since the epoch; 0: not yet */
	int64_t waited; /* ms of that time in which it, or a call below it, waited for a person */
	int64_t asked;  /* since when it waits; 0: it does not */
	struct vy_str progress; /* the latest words of it */
	int64_t pct, bytes;     /* -1: unknown */
	struct vy_str result;   /* one block as JSON; empty: none yet */
};

struct vy_row_todo {
	struct vy_str items; /* a task block as JSON */
	int64_t done, total;
	struct vy_str now; /* the running item's text, else the first pending one's */
};

struct vy_row_notice {
	struct vy_str state; /* the status word it came with */
	struct vy_str note, reason;
	struct vy_str compacted; /* {trigger, before, after}; empty: none */
};

struct vy_row_file {
	struct vy_str path, op;
	int64_t added, removed;
};

struct vy_row_term {
	struct vy_str term, command, via, surface;
	bool has_exit;
	int64_t exit;
	struct vy_str
		output;  /* raw bytes of a `!` command: for the emulator, never for the screen */
	uint64_t offset; /* of output's first byte in the stream */
};

struct vy_row_participant {
	struct vy_str who, role;
	bool joined;
};

struct vy_row_extension {
	struct vy_str word, data; /* the unknown kind and its data as JSON */
};

struct vy_row {
	struct vy_str key;
	uint64_t rev; /* from 1 */
	enum vy_row_kind kind;
	uint64_t first, last; /* cursors of the first and the last frame in it */
	struct vy_str turn, author, acts_for;
	struct vy_str parent; /* the tool call it belongs under; empty: none */
	int64_t time, time_last;
	bool expired; /* its words were removed after retain_hours */
	bool pinned;
	bool withheld; /* kept but not shown (a todo call that has no result yet) */
	bool folded;   /* taken back by a rewind */
	union {
		struct vy_row_message message;
		struct vy_row_thinking thinking;
		struct vy_row_tool tool; /* TOOL, TASK */
		struct vy_ask ask;
		struct vy_row_todo todo;
		struct vy_row_notice notice;
		struct vy_row_file file;
		struct vy_row_term term;
		struct vy_row_participant participant;
		struct vy_row_extension extension;
	};
};

const char *vy_row_kind_word(enum vy_row_kind k); /* "term-command" */
const char *vy_message_state_word(enum vy_message_state s);
bool vy_message_state_parse(struct vy_str word, enum vy_message_state *out);
const char *vy_tool_status_word(enum vy_tool_status s);
bool vy_tool_status_parse(struct vy_str word, enum vy_tool_status *out);

/* How long a call has worked, what a person took to answer its asks taken off; -1: unknown. */
int64_t vy_row_tool_took(const struct vy_row_tool *t, int64_t now_ms);

void vy_row_encode(const struct vy_row *r, struct vy_jw *w);
/* Copies into the arena. A kind nobody knows becomes an extension; a row without its key or the
 * id of what it shows is none. */
VY_MUST_USE int vy_row_decode(
	const struct vy_json *v, struct vy_arena *a, struct vy_row *out, struct vy_err *e);

#endif

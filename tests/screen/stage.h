/* stage.h -- the whole client on a stage: its state without a server, its painter, and a terminal.
 *
 * Frames, records and keys go in as in life; stage_paint() draws through the real painter into the
 * emulator. What the emulator was told beside cells is counted: on a stage nothing may be. Time
 * stands still at STAGE_NOW, so the same case always looks the same. */
#ifndef TESTS_SCREEN_STAGE_H
#define TESTS_SCREEN_STAGE_H

#include "shared/base/arena.h"
#include "shared/vt/vt.h"
#include "tui/app/state.h"
#include "tui/ink/paint.h"

#define STAGE_NOW 1764000000000 /* ms since the epoch */

struct stage {
	struct app_state s;
	struct cell_grid grid;
	struct screen_cursor cursor;
	struct paint paint;
	struct vy_vt *vt;
	struct vy_buf bytes; /* of the last paint */
	struct vy_arena arena;
	uint64_t cur;
	const struct vy_json *replies; /* {method: result}: what a query is answered; borrowed */
	int bells, titles, clips, oscs, answers;
};

void stage_open(struct stage *st, int cols, int rows, struct theme t, bool is_ascii);
void stage_close(struct stage *st);

/* Kind and data as JSON; `turn`, `author` and `time` are read from `extra` when it is there. */
void stage_frame_json(struct stage *st, const char *kind, const struct vy_json *data,
	const struct vy_json *extra);
void stage_frame(struct stage *st, struct vy_frame *f); /* its cursor and time are set here */
void stage_key(struct stage *st, const char *name);
void stage_type(struct stage *st, struct vy_str text, bool is_paste);
void stage_paint(struct stage *st);

/* A case of tests/screen/views: {record, branch, frames: [{kind, data, …}], replies, do: [lines]}.
 * A line is "key NAME", "type WORDS", "line down" (or "down long", "ended", "catching up",
 * "refused"), "unsent WORDS", "flash WORDS", "details", "lines" (code_lines = scroll), "term opens" (or "says BYTES",
 * "watched", "down", "ends STATUS": the terminal in front); each is seen
 * before the next. */
void stage_play(struct stage *st, const struct vy_json *c);

#endif

/* ui_stage.h -- the rows of one session as all who look at them see them: the pure core of ui.h.
 *
 * A stage is a fold (shared/model/fold, the screen's own) and beside it the list of what is shown:
 * the transcript's rows, then the messages that wait. Each change of a row gets the next number;
 * only the newest of each row is remembered. So a viewer is a place in that order and nothing
 * else: whoever is behind gets each row once, as it is now, and costs the others nothing.
 *
 * Text that grows is not told with each piece. What is final (a row that is new, done, answered,
 * moved or gone) is told at once; a row that still grows when UI_PAUSE_MS and a millisecond for each
 * KiB of it went by since it was told last. So one row makes at most about a MiB a second for one
 * viewer however long it becomes; an upsert of the whole for each piece would make its square.
 *
 * What it holds is bounded by its window: the fold of UI_ROWS_MAX rows or UI_FED_MAX bytes of frames
 * behind its begin, and of each row the JSON that was sent last, for all who look together.
 *
 * Rows leave it as a snapshot has them, their blocks through the door of shared/model/block (a
 * sealed field is its placeholder), a text over UI_TEXT_MAX cut, of a command's output the last
 * UI_OUTPUT_MAX. Pure: time comes in. */
#ifndef UI_STAGE_H
#define UI_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/frame/frame.h"
#include "shared/model/fold.h"

#define UI_ROWS       400                /* about so many the window begins with: the newest */
#define UI_ROWS_MAX   1600               /* then it begins anew, with a reset for everybody */
#define UI_FED_MAX    (16 * 1024 * 1024) /* the same for bytes of frames */
#define UI_RESET_MAX  (8 * 1024 * 1024)  /* of the rows of one reset; the newest are kept */
#define UI_TEXT_MAX   (1024 * 1024)
#define UI_OUTPUT_MAX (256 * 1024)
#define UI_PAUSE_MS   40
#define UI_NEVER      INT64_MAX

struct ui_stage;

/* Where a viewer stands; {0} has seen nothing. */
struct ui_place {
	uint64_t life, at;
	uint64_t dry; /* where it was behind on nothing last */
};

/* Of a fold that stands at a cursor, which is taken over. `epoch` is the log's, copied. */
struct ui_stage *ui_stage_new(struct vy_fold *own_fold, const char *epoch);
void ui_stage_free(struct ui_stage *s); /* NULL is fine */
/* Goes on with another fold: everybody gets a reset. */
void ui_stage_renew(struct ui_stage *s, struct vy_fold *own_fold);

/* False: the rows have to be read anew (too many of them, or some are missing), and nothing else
 * may be asked before ui_stage_renew(). `bytes`: the frame's, encoded. */
VY_MUST_USE bool ui_stage_apply(
	struct ui_stage *s, const struct vy_frame *f, size_t bytes, int64_t now_ms);
/* What waited long enough is told now. When the next is due; UI_NEVER: nothing waits. */
int64_t ui_stage_tick(struct ui_stage *s, int64_t now_ms);

/* Appends the next event for who stands at `p`, {"type":"ui.upsert", …}, moves it and returns the
 * event's name; NULL: that place has seen everything that was told. */
const char *ui_stage_next(struct ui_stage *s, struct ui_place *p, struct vy_buf *out);
bool ui_stage_has(const struct ui_stage *s, const struct ui_place *p);

/* The cursor of the newest frame in it. */
uint64_t ui_stage_cur(const struct ui_stage *s);

#endif

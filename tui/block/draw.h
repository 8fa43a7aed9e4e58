/* draw.h -- how one row of the transcript becomes lines of cells.
 *
 * A renderer is a pure function of the row, the width and a few switches; it draws into a sheet of
 * its own, which the transcript keeps as long as (key, rev, how) is the same and shows wherever the
 * row happens to be. One file per shape of block, one line each in kinds.c. Words of agents and
 * tools go through shared/text/utf8 here, so nothing of theirs reaches a terminal as a control.
 *
 * Each line knows the place in the row's words where it begins (its mark): the same place at every
 * width, so a reader's line is found again after the row was laid out anew. A message that grows
 * is not laid out from its start again: what mdtail calls settled stays on the sheet. */
#ifndef BLOCK_DRAW_H
#define BLOCK_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/model/block.h"
#include "shared/model/row.h"
#include "shared/text/hilite.h"
#include "shared/text/mdtail.h"
#include "tui/ink/album.h"
#include "tui/ink/cell.h"
#include "tui/ink/theme.h"

/* What a drawing depends on beside its row. Two equal ones give equal sheets. */
struct block_how {
	int cols;
	unsigned depth;       /* under how many tool calls it nests */
	bool is_open;         /* the person opened this row: all of it */
	bool with_details;    /* thinking and details are shown (ctrl-o) */
	bool is_ascii;        /* marks and lines that any terminal has */
	bool is_side_by_side; /* diffs in two columns */
	bool is_unwrapped;    /* code keeps its lines: slide.h */
	int spin;             /* phase of the spinner; constant when nothing moves */
	int64_t now_ms;       /* wall clock, for the elapsed time of a running call; 0 elsewhere */
	struct album *album;  /* pictures; borrowed, not compared; NULL: captions alone */
	uint64_t pictures;    /* its album_rev() if the sheet shows some, else 0 */
};

bool block_how_is(const struct block_how *a, const struct block_how *b);

/* ---- the paper ---- */

/* The part of a growing text that will not change again, as it stands on the sheet. */
struct block_settled {
	struct vy_mdtail tail; /* its border is where the rest begins */
	size_t at;             /* the mark of the text's beginning */
	int lines;             /* the sheet's, up to the border */
	bool any;              /* some are of the text: the next block keeps a distance */
	/* Behind the border, while the tail is a paragraph of one line: rows that stay as they are as
	 * long as that is all that comes. */
	size_t rows_at;              /* bytes of the tail that they show; 0: none */
	size_t rows_n;               /* those of their words, without marks */
	int rows;                    /* the sheet's lines with them */
	struct vy_hilite_state code; /* of the fence the border stands in */
};

/* How a line goes on from the one above it, for copying: as the text has it, not the picture. */
enum block_join {
	BLOCK_NEW,   /* a line of the text begins */
	BLOCK_BLANK, /* wrapped at a blank, which is not drawn */
	BLOCK_INSIDE /* wrapped with nothing left out */
};

/* Which of a line's cells are words; the rest are margins, bars, marks, numbers. */
struct block_words {
	uint16_t from, end; /* end 0: up to the last glyph */
	uint8_t join;       /* enum block_join */
	uint8_t turns;      /* view/turn.c's note; a new line has none */
	bool none;          /* the whole line is ours: "… 12 more lines", the line under a head */
};

/* A picture on the sheet, or the caption of one that may come (no size). */
struct block_picture {
	uint32_t id; /* of the album */
	struct fit_size size;
	int line; /* its first one */
};

/* Lines of cells; grows as they are added. Init/fini. */
struct block_sheet {
	struct cell_grid grid;     /* cols × at least `lines` rows */
	int lines;                 /* drawn so far */
	size_t *marks;             /* one a line, never falling */
	struct block_words *words; /* one a line */
	uint64_t *numbers; /* one a line, see cell_rows.h: another when it may look different */
	struct block_picture *pictures;
	size_t n_pictures, cap_pictures;
	struct block_slide *slides; /* blocks of code that keep their lines, and … */
	struct block_long *longs;   /* … of those what does not fit (slide.h) */
	size_t n_slides, cap_slides, n_longs, cap_longs;
	size_t at;     /* the mark of the lines that are added next */
	bool is_plain; /* draws ASCII marks (mark.h) */
	bool is_unwrapped;
	struct block_settled settled;
	size_t same;           /* see block_draw() */
	struct vy_arena arena; /* of one drawing */
};

void block_sheet_init(struct block_sheet *s, struct cell_pool *pool);
void block_sheet_fini(struct block_sheet *s);
void block_sheet_reset(struct block_sheet *s, int cols); /* no lines; `cols` wide from now on */
/* The first `lines` stay: what goes on behind them is drawn anew, or (fold) is left out, while the
 * arena of the drawing stays as well. */
void block_sheet_cut(struct block_sheet *s, int lines);
void block_sheet_fold(struct block_sheet *s, int lines);

/* What a drawing replaces: the lines from `from` on as they are now, or as many of them as are worth
 * it; NULL is none. Those that were drawn again just as they were have their old numbers afterwards,
 * and what was noted of them; `own` is freed. */
struct block_was *block_sheet_was(const struct block_sheet *s, int from);
void block_sheet_is(struct block_sheet *s, struct block_was *own);

/* n new blank lines at the end, as a window over them; `left` cells are kept free on the left. */
struct cell_win block_lines(struct block_sheet *s, int n, int left);
/* Of the last line: its words are the cells [from, end), and how they go on; block_lines() says
 * "from `left` on, a new line". */
void block_says(struct block_sheet *s, int from, int end, enum block_join join);
void block_says_nothing(struct block_sheet *s);
/* A picture that stands, from the last line but size.rows - 1 on. */
void block_add_picture(struct block_sheet *s, uint32_t id, struct fit_size size);
/* One line that is there already, to be drawn into. */
struct cell_win block_line(struct block_sheet *s, int line);

/* The line in which the words at `mark` stand: the first of those that begin there, else the last
 * before. `nth` counts on among lines of one mark. 0 when there are no lines. */
int block_line_of(const struct block_sheet *s, size_t mark, int nth);

/* ---- drawing ---- */

/* The whole row: its mark, its words, its block. Never fails; a row with nothing to show has no
 * lines. Before a sheet of this row and an equal `how` is drawn on again, its `same` may be set to
 * the number of bytes at the start of the row's text that are as they were then; it is 0 after. */
void block_draw(const struct vy_row *row, const struct block_how *how, struct block_sheet *out);

/* What became of an ask, and by whom: "allowed: Bash(make:*), by ana". Its words may be another's:
 * they are made safe by who shows them. */
struct vy_str block_ask_said(const struct vy_ask *a, struct vy_arena *mem);

/* Has it anything to show? (A file's change is shown by the tool, an open ask by its panel.) */
bool block_shows(const struct vy_row *row);

/* Does its look change with time (a running call)? Then it is drawn again at each tick. */
bool block_moves(const struct vy_row *row);

/* Can enter open it: may there be more than it shows folded? */
bool block_opens(const struct vy_row *row);

#endif

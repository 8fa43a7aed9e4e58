/* transcript_core.h -- the inside of a transcript, for transcript*.c only. */
#ifndef VIEW_TRANSCRIPT_CORE_H
#define VIEW_TRANSCRIPT_CORE_H

#include "tui/view/find.h"
#include "tui/view/select.h"
#include "tui/view/sheets.h"
#include "tui/view/slides.h"
#include "tui/view/transcript.h"
#include "tui/view/transcript_text.h"

struct place { /* in one layout */
	size_t row;
	int line; /* the empty line above counts */
};

struct transcript {
	struct cell_pool *pool;
	struct sheets sheets;
	struct slides slides;
	int rows; /* of the last draw */

	bool is_following;
	bool is_at_end; /* not following, but the window holds the end for now */
	bool is_sought; /* the anchor was given, and its row is not here yet: the end is shown */
	bool is_moving;
	bool is_straight;               /* of the last draw */
	struct transcript_place anchor; /* where the reader is; nothing while following */
	struct place top;               /* of the last draw: first line */
	size_t last;                    /* last row in sight */
	size_t fresh;                   /* rows come since following ended … */
	uint64_t seen;                  /* … behind this cursor */
	char *selected;                 /* key; NULL: none */

	enum transcript_span span;
	char *mark;                    /* key of the row in which the selection began */
	struct select_point from, cur; /* CHARS: in that row, in the selected row */
	int goal;                      /* column the cursor keeps when it moves up or down */

	struct find find;
	bool has_found;                 /* `found` is a match in the selected row */
	struct select_point found;      /* its first byte */
	struct transcript_place before; /* where the search began */
};

bool transcript_is_before(struct place a, struct place b);
struct place transcript_up(
	struct transcript *t, const struct vy_fold *f, struct place p, int lines);
struct place transcript_down(
	struct transcript *t, const struct vy_fold *f, struct place p, int lines);
void transcript_set_key(char **at, const struct vy_fold *f, size_t row);
/* Scrolls as little as brings the row into sight. */
void transcript_show(struct transcript *t, const struct vy_fold *f, size_t row);

/* transcript_place.c */
struct place transcript_top_now(struct transcript *t, const struct vy_fold *f);
/* Goes to a top; at or past the bottom is following. */
void transcript_go(struct transcript *t, const struct vy_fold *f, struct place top);
/* Has it something to show that the reader was not shown? */
bool transcript_is_fresh(const struct transcript *t, const struct vy_row *row);

/* transcript_text.c */
struct block_sheet *transcript_sheet(struct transcript *t, const struct vy_fold *f, size_t row);
bool transcript_index(const struct vy_fold *f, const char *key, size_t *row); /* false: no such */
void transcript_select_row(struct transcript *t, const struct vy_fold *f, size_t row);
/* Scrolls as little as brings line y of the row's sheet into sight. */
void transcript_show_line(struct transcript *t, const struct vy_fold *f, size_t row, int y);

/* The row and the line of its sheet (< 0: an empty one above it) at a line of the window. */
bool transcript_spot(struct transcript *t, const struct vy_fold *f, int y, size_t *row, int *line);

/* transcript_slide.c: must the line be shown by transcript_put_slid()? What does shows over the
 * sheet's own line at y, with what browsing lays over it. */
bool transcript_is_slid(const struct transcript *t, const struct vy_fold *f, size_t row,
	struct block_sheet *s, int line, bool is_browsing);
void transcript_put_slid(struct transcript *t, const struct vy_fold *f, struct cell_win w, int y,
	size_t row, int line, bool is_browsing);
/* The column of the line as it is that is seen at column x. */
int transcript_column(struct transcript *t, const struct vy_fold *f, size_t row, int line, int x);
/* Slides the block of code as far as brings these cells of the line into sight. */
void transcript_show_column(
	struct transcript *t, const struct vy_fold *f, size_t row, int line, int x, int cells);

/* A drag has come to this cell: code that is cut there slides on. */
void transcript_slide_edge(struct transcript *t, const struct vy_fold *f, int x, int y);

/* transcript_text.c: what browsing lays over a row that was drawn: lines [skip, skip + r.h) of its sheet
 * stand in `r` of the window. */
void transcript_overlay(struct transcript *t, const struct vy_fold *f, struct cell_win w, size_t i,
	struct cell_rect r, int skip);

#endif

/* album.h -- the pictures that rows show: what is known of each, and what it looks like here.
 *
 * A renderer asks by ref and gets what there is: nothing but a caption, room that is kept, or the
 * picture's cells. The transcript tells which ones were seen; the album says what is to be brought
 * for those (the next job), and who brings it gives it in. What was not seen for the longest time
 * is forgotten when there is too much; it is brought again when it is seen again.
 *
 * album_rev() grows whenever something would be drawn in another way. Pure: a value that answers. */
#ifndef INK_ALBUM_H
#define INK_ALBUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/str.h"
#include "tui/ink/develop.h"
#include "tui/ink/fit.h"
#include "tui/ink/picture.h"

struct album;

/* How pictures are shown on this terminal. */
enum album_look {
	ALBUM_CAPTIONS, /* not at all */
	ALBUM_CELLS,
	ALBUM_PIXELS /* by the terminal itself, in cells that stand for it (kitty.h) */
};

struct album_conf {
	enum album_look look;
	bool is_256;
	int rows;           /* most of one picture that is not opened */
	int cell_w, cell_h; /* pixels of a cell; 0: not known */
	uint32_t ground;    /* 0xRRGGBB */
};

struct album *album_new(void);
void album_free(struct album *a);
void album_clear(struct album *a); /* another session: other refs */
void album_set(struct album *a, const struct album_conf *conf);
uint64_t album_rev(const struct album *a);

/* ---- drawing ---- */

struct album_ask {
	struct vy_str ref;
	int64_t w, h; /* as its row says; 0: not said */
	int cols;     /* room */
	int share;    /* so many stand below each other: each gets less of the height */
	bool is_open; /* the person wants to see it: twice the height, whatever stands beside it */
};

struct album_view {
	uint32_t id;                      /* for album_see() */
	struct fit_size size;             /* 0 by 0: a caption is all */
	const struct picture_cell *cells; /* lent; NULL: nothing there yet, or an image */
	uint32_t image;                   /* of ALBUM_PIXELS, once the terminal has it; else 0 */
	const char *why;                  /* it will not come: a sentence; NULL */
};

void album_get(struct album *a, const struct album_ask *ask, struct album_view *out);

/* A new paint begins; then for each picture in sight, with the size it is laid out in. */
void album_turn(struct album *a);
void album_see(struct album *a, uint32_t id, struct fit_size size);

/* ---- bringing ---- */

enum album_task {
	ALBUM_NOTHING,
	ALBUM_FETCH,   /* the bytes of `ref` */
	ALBUM_DEVELOP, /* `want` of `bytes` */
	ALBUM_SEND,    /* `rgba`, w by h, to the terminal, as `image` */
	ALBUM_UNSEND   /* the terminal may forget `image` */
};

/* Lent until the album is given something. */
struct album_job {
	enum album_task task;
	uint32_t id, image;
	const char *ref;
	struct vy_str bytes;
	struct develop_want want;
	const uint8_t *rgba;
	int w, h;
};

/* One job of a task at a time; it stays the next one until its end is told. False: none. */
bool album_next(struct album *a, enum album_task task, struct album_job *out);

/* w, h: as the bytes' own beginning says; 0: it does not. */
void album_fetched(struct album *a, uint32_t id, struct vy_str bytes, int64_t w, int64_t h);
void album_missed(struct album *a, uint32_t id, const char *why); /* it will not come */
void album_developed(struct album *a, const struct album_job *job, struct developed *d); /* takes */
void album_sent(struct album *a, uint32_t image);
void album_unsent(struct album *a, uint32_t image);
/* Who knows what the terminal still has: it may forget all, and is sent again what is seen. */
void album_again(struct album *a);

#endif

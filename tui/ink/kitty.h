/* kitty.h -- a picture that the terminal itself draws: what it is sent, and the cells it fills.
 *
 * The terminal is sent the pixels once. Where the picture stands is said by cells: U+10EEEE with two
 * marks, which are its row and its column, in a colour that is the image's number. So scrolling,
 * clipping and what lies over it are the grid's business, as with any text, and what is
 * printed or left behind has no picture in it. Only kitty and Ghostty draw such cells; others
 * that speak the protocol do not, so that its answer alone is not enough. Pure. */
#ifndef INK_KITTY_H
#define INK_KITTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/str.h"

#define KITTY_PLACEHOLDER 0x10eeee
#define KITTY_CELL_MAX    12
#define KITTY_SIDES       297 /* rows or columns that there are marks for */
#define KITTY_CHUNK       4096

/* The questions: who is it, and, if it is one of those, does it take pictures. */
#define KITTY_ASK_NAME "\033[>0q"
#define KITTY_ASK      "\033_Gi=5657,s=1,v=1,a=q,t=d,f=24;AAAA\033\\"

/* Is this the answer of one that does? Without "ESC _" and the end. */
bool kitty_is_yes(struct vy_str answer);
/* Does a terminal of this name (XTVERSION: "kitty(0.35)") draw such cells? */
bool kitty_is_name(struct vy_str name);

/* The bytes of the cell in that row and column of the picture; its colour is CELL_RGB(image). Returns
 * their number. */
size_t kitty_cell(int row, int col, char out[KITTY_CELL_MAX]);

/* A picture on its way: each kitty_send() appends pieces of it, `most` bytes of pixels; true when
 * that was the last. No other picture's may come between. */
struct kitty_sending {
	uint32_t image;
	const uint8_t *rgba; /* borrowed */
	int w, h, cols, rows;
	size_t sent; /* bytes of rgba */
};
bool kitty_send(struct kitty_sending *s, size_t most, struct vy_buf *out);

void kitty_forget(uint32_t image, struct vy_buf *out); /* and its pixels */

#endif

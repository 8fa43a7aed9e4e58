/* fit.h -- how many cells a picture takes: its own size where that fits, else smaller. Pure. */
#ifndef INK_FIT_H
#define INK_FIT_H

#include <stdint.h>

/* The room there is, and what a cell is on this terminal. */
struct fit_room {
	int cols, rows;     /* at most */
	int cell_w, cell_h; /* pixels of a cell; 0: not known, taken as 8 by 16 */
};

struct fit_size {
	int cols, rows;
};

/* The picture's sides keep their proportion as far as whole cells can; it is never made larger,
 * and never smaller than one cell. 0 by 0 when a side is 0 or there is no room. */
struct fit_size fit_into(int64_t w, int64_t h, struct fit_room room);

#endif

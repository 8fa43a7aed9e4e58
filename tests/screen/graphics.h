/* graphics.h -- the part of a terminal that draws pictures as kitty does, for a script's `graphics`.
 *
 * Stands before the emulator, which knows nothing of it: takes what is for it out of the program's
 * bytes, answers, and keeps the pictures it was sent. Strict, as a terminal is not: what is wrong
 * is noted and fails the script. */
#ifndef TESTS_SCREEN_GRAPHICS_H
#define TESTS_SCREEN_GRAPHICS_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/vt/vt.h"

#define GRAPHICS_MAX 64

struct graphics_image {
	uint32_t id;
	int w, h, cols, rows;
	bool is_whole;
	struct vy_buf rgba;
};

struct graphics {
	bool is_on;
	struct graphics_image v[GRAPHICS_MAX];
	int n;
	struct graphics_image *open; /* pieces are still to come */
	struct vy_buf held;          /* an unfinished sequence */
	char wrong[200];             /* the first thing that was; "" */
};

void graphics_init(struct graphics *g);
void graphics_fini(struct graphics *g);

/* What the emulator should see, and what the program is answered. */
void graphics_step(
	struct graphics *g, struct vy_str bytes, struct vy_buf *rest, struct vy_buf *answers);

/* Whole pictures it has. */
int graphics_count(const struct graphics *g);
/* Do cells of the screen show a picture it has, and each stands in its place beside the others (a
 * part of it may be out of sight)? `says` gets why not. */
bool graphics_is_shown(
	const struct graphics *g, const struct vy_grid *grid, char *says, size_t room);

#endif

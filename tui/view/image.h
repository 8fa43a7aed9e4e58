/* image.h -- what a file of a picture says about itself, by its first bytes; and paths of pictures
 * in what was pasted. Pure. */
#ifndef VIEW_IMAGE_H
#define VIEW_IMAGE_H

#include <stdbool.h>

#include "shared/base/buf.h"
#include "shared/base/str.h"

#define IMAGE_MAX (6 * 1024 * 1024) /* of one file: 8 MiB as base64 (wire 2) */

struct image_head {
	const char *mime;
	unsigned w, h; /* 0: not found */
};

/* PNG, JPEG, GIF, WebP: what agents take. False: none of them, whatever its name. */
bool image_head(struct vy_str bytes, struct image_head *out);

/* Is this text, as a terminal gives a dropped file, the path of a picture? One line; bare, in
 * quotes, with backslashes before blanks, or a file: URL; its name ends like a picture's.
 * `path` gets it plain ("~/" and relative ones stay so). */
bool image_path(struct vy_str text, struct vy_buf *path);

#endif

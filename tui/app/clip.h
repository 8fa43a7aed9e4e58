/* clip.h -- what the clipboard of this machine holds, asked of the tool that is there.
 *
 * wl-paste under Wayland, xclip under X11, both found on the PATH: first for a picture, then for
 * text. Runs beside the loop: a clipboard whose owner hangs costs nothing but CLIP_MS. */
#ifndef APP_CLIP_H
#define APP_CLIP_H

#include "shared/base/err.h"
#include "shared/base/str.h"

#define CLIP_MS 5000

struct clip;
struct vy_loop;

/* `bytes` are lent; empty with the reason in `e`. Once, never from inside clip_read(). */
typedef void clip_fn(void *ctx, struct vy_str bytes, const struct vy_err *e);

struct clip *clip_read(struct vy_loop *l, clip_fn *fn, void *ctx);
void clip_free(struct clip *c); /* no answer any more; NULL is fine; from the answer too */

#endif

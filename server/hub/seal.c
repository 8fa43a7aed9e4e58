/* seal.c -- see seal.h. */
#include "server/hub/seal.h"

#include <string.h>

#include "shared/base/arena.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/frame/codec.h"
#include "shared/base/ban.h"

static struct frame_ref *hidden(const struct vy_frame *f, struct frame_ref *in_place_of)
{
	VY_AUTO_BUF line = VY_BUF_INIT(8 * VY_KIB);
	struct vy_frame h;

	vy_frame_init(&h, VY_KIND_HIDDEN);
	h.id = f->id;
	h.session = f->session;
	h.time = f->time;
	h.cur = f->cur;
	h.span = f->span;
	vy_assert(vy_frame_encode(&h, &line));
	return frame_ref_new(in_place_of->cur, in_place_of->span, vy_buf_str(&line));
}

struct frame_ref *seal_for_agent(struct frame_ref *f)
{
	struct vy_frame frame;
	struct vy_arena mem;
	struct frame_ref *out = NULL;

	if (!memmem(f->bytes, f->len, "\"enc\"", 5)) { /* most, and they need no decoding */
		return frame_ref(f);
	}
	vy_arena_init(&mem);
	if (vy_frame_decode(frame_ref_str(f), &mem, &frame, NULL) == 0 &&
		vy_frame_has(&frame, VY_F_ENC)) {
		out = hidden(&frame, f);
	}
	vy_arena_fini(&mem);
	return out ? out : frame_ref(f);
}

/* pieces.c -- see pieces.h. */
#include "server/log/pieces.h"

#include "server/log/compact.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

static void add(void *ctx, const struct vy_frame *delta)
{
	struct pieces *w = ctx;

	w->v[w->n++] = (struct piece){ vy_frame_str(delta, VY_F_TEXT), delta->time };
}

int pieces_read(struct pieces *w, int64_t seq, struct vy_str data, struct vy_err *e)
{
	struct vy_settlement s;
	size_t n = 0;

	*w = (struct pieces){ .seq = seq };
	vy_arena_init(&w->mem);
	if (compact_read(data, &w->mem, &s, e) < 0) {
		vy_arena_fini(&w->mem);
		return vy_wrap(e, "event %lld", (long long)seq);
	}
	w->from = s.from;
	w->to = s.to;
	w->message = s.message;
	w->parent = s.parent;
	for (size_t i = 0; i < s.n_blocks; i++) {
		n += s.blocks[i].n;
	}
	w->v = vy_calloc(n + 1, sizeof(*w->v));
	vy_settlement_deltas(&s, add, w);
	return 0;
}

void pieces_fini(struct pieces *w)
{
	free(w->v);
	vy_arena_fini(&w->mem);
	*w = (struct pieces){ 0 };
}

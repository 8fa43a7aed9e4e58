/* hold_window.c -- see hold_window.h. */
#include "server/io/hold_window.h"

#include <stdlib.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

struct hold_input {
	uint64_t seq;
	size_t n;
	char *bytes;
	TAILQ_ENTRY(hold_input) link;
};

void hold_window_init(struct hold_window *w)
{
	*w = (struct hold_window){ 0 };
	TAILQ_INIT(&w->inputs);
}

static void drop_first(struct hold_window *w)
{
	struct hold_input *in = TAILQ_FIRST(&w->inputs);

	if (in == w->next) {
		w->next = TAILQ_NEXT(in, link);
	} else {
		w->on_way -= in->n;
	}
	w->waiting -= in->n;
	TAILQ_REMOVE(&w->inputs, in, link);
	free(in->bytes);
	free(in);
}

void hold_window_fini(struct hold_window *w)
{
	while (!TAILQ_EMPTY(&w->inputs)) {
		drop_first(w);
	}
}

bool hold_window_add(struct hold_window *w, uint64_t seq, struct vy_str bytes)
{
	struct hold_input *in;

	if (bytes.n > VY_HOLD_IN_MAX - w->waiting || bytes.n > VY_HOLD_MSG_MAX - VY_KIB) {
		return false;
	}
	in = VY_NEW(struct hold_input);
	in->seq = seq;
	in->n = bytes.n;
	in->bytes = vy_memdup0(bytes.p, bytes.n);
	TAILQ_INSERT_TAIL(&w->inputs, in, link);
	w->waiting += in->n;
	if (!w->next) {
		w->next = in;
	}
	return true;
}

bool hold_window_next(struct hold_window *w, uint64_t *seq, struct vy_str *bytes)
{
	struct hold_input *in = w->next;

	if (!in || (w->on_way && w->on_way + in->n > VY_HOLD_IN_WINDOW)) {
		return false;
	}
	*seq = in->seq;
	*bytes = vy_str_n(in->bytes, in->n);
	w->on_way += in->n;
	w->next = TAILQ_NEXT(in, link);
	return true;
}

void hold_window_rewind(struct hold_window *w)
{
	w->next = TAILQ_FIRST(&w->inputs);
	w->on_way = 0;
}

void hold_window_arrived(struct hold_window *w, uint64_t next)
{
	struct hold_input *in;

	while ((in = TAILQ_FIRST(&w->inputs)) && in->seq < next) {
		drop_first(w);
	}
}

/* input.c -- see input.h. */
#include "server/holder/input.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

struct input_item {
	uint64_t seq;
	uint64_t begin; /* bytes ever taken before it */
	char *bytes;
	size_t n;
	TAILQ_ENTRY(input_item) link;
};

void input_init(struct input *in)
{
	*in = (struct input){ 0 };
	TAILQ_INIT(&in->items);
}

static void drop_first(struct input *in)
{
	struct input_item *it = TAILQ_FIRST(&in->items);

	TAILQ_REMOVE(&in->items, it, link);
	free(it->bytes);
	free(it);
	in->at = 0;
}

void input_fini(struct input *in)
{
	while (!TAILQ_EMPTY(&in->items)) {
		drop_first(in);
	}
	in->undue = NULL;
}

static void move_due(struct input *in)
{
	while (in->undue && in->undue->begin <= in->written + INPUT_SOFT) {
		in->due = in->undue->seq + 1;
		in->undue = TAILQ_NEXT(in->undue, link);
	}
}

enum input_got input_add(struct input *in, uint64_t seq, struct vy_str bytes)
{
	struct input_item *it;

	if (seq < in->next) {
		return INPUT_OLD;
	}
	if (in->is_closed) {
		return INPUT_CLOSED;
	}
	if (bytes.n > INPUT_MAX - (in->taken - in->written)) {
		return INPUT_FULL;
	}
	it = VY_NEW(struct input_item);
	it->seq = seq;
	it->begin = in->taken;
	it->bytes = vy_memdup0(bytes.p, bytes.n);
	it->n = bytes.n;
	TAILQ_INSERT_TAIL(&in->items, it, link);
	in->next = seq + 1;
	in->taken += bytes.n;
	in->is_closed = bytes.n == 0;
	if (!in->undue) {
		in->undue = it;
	}
	move_due(in);
	return INPUT_TAKEN;
}

bool input_peek(const struct input *in, struct vy_str *bytes, bool *is_end)
{
	const struct input_item *it = TAILQ_FIRST(&in->items);

	if (!it) {
		return false;
	}
	*bytes = vy_str_n(it->bytes + in->at, it->n - in->at);
	*is_end = it->n == 0;
	return true;
}

void input_wrote(struct input *in, size_t n)
{
	struct input_item *it = TAILQ_FIRST(&in->items);

	vy_assert(it && n <= it->n - in->at);
	in->at += n;
	in->written += n;
	move_due(in);
	if (in->at == it->n) {
		drop_first(in);
	}
}

void input_close(struct input *in)
{
	input_fini(in);
	in->written = in->taken;
	in->is_closed = true;
}

uint64_t input_due(const struct input *in)
{
	return in->due;
}

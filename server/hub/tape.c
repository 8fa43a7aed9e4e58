/* tape.c -- see tape.h. A chunk is heads and texts in a row, each head where memory is aligned. */
#include "server/hub/tape.h"

#include <stdlib.h>

#include "server/guard/redact.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

struct head {
	int64_t time;
	uint32_t len, part;
	uint64_t whole : 62, way : 2;
};

struct tape_chunk {
	TAILQ_ENTRY(tape_chunk) link;
	int64_t first; /* number of its first line */
	size_t used, size;
	char bytes[] __attribute__((aligned(8)));
};

static size_t room_for(size_t len)
{
	return sizeof(struct head) + ((len + 7) & ~(size_t)7);
}

void tape_init(struct tape *t)
{
	*t = (struct tape){ .next = 1 };
	TAILQ_INIT(&t->chunks);
}

static void chunk_free(struct tape *t, struct tape_chunk *c)
{
	TAILQ_REMOVE(&t->chunks, c, link);
	t->bytes -= c->size;
	vy_wipe(c->bytes, c->used);
	free(c);
}

void tape_fini(struct tape *t)
{
	struct tape_chunk *c;

	while ((c = TAILQ_FIRST(&t->chunks))) {
		chunk_free(t, c);
	}
}

/* ---- reading ---- */

static const struct head *head_at(const struct tape_chunk *c, size_t at)
{
	return (const struct head *)(const void *)(c->bytes + at);
}

static size_t behind(const struct tape_chunk *c, size_t at)
{
	return at + room_for(head_at(c, at)->len);
}

static struct tape_line line_at(const struct tape_chunk *c, size_t at, int64_t n)
{
	const struct head *h = head_at(c, at);

	return (struct tape_line){ .n = n,
		.time = h->time,
		.part = h->part,
		.way = (enum tape_way)h->way,
		.whole = h->whole,
		.text = vy_str_n(c->bytes + at + sizeof(*h), h->len) };
}

int64_t tape_first(const struct tape *t)
{
	const struct tape_chunk *c = TAILQ_FIRST(&t->chunks);

	return c ? c->first : t->next;
}

bool tape_read(const struct tape *t, int64_t n, struct tape_line *out)
{
	const struct tape_chunk *c = TAILQ_LAST(&t->chunks, tape_chunks);
	int64_t i;
	size_t at = 0;

	n = n < tape_first(t) ? tape_first(t) : n;
	if (n >= t->next) {
		return false;
	}
	while (c->first > n) {
		c = TAILQ_PREV(c, tape_chunks, link);
	}
	for (i = c->first; i < n; i++) {
		at = behind(c, at);
	}
	*out = line_at(c, at, n);
	return true;
}

/* ---- writing ---- */

/* What speaks JSON has a whole block in one string, and neither opens nor closes one. */
bool tape_is_of_key(bool *in_key, struct vy_str line)
{
	VY_AUTO_BUF ignored = VY_BUF_INIT(0);

	return line.n && line.p[0] != '{' && !guard_redact_line(in_key, line, false, &ignored);
}

/* What goes leaves behind whether it ended in the midst of a key. */
void tape_drop_oldest(struct tape *t)
{
	struct tape_chunk *c = TAILQ_FIRST(&t->chunks);

	for (size_t at = 0; c && at < c->used; at = behind(c, at)) {
		struct tape_line line = line_at(c, at, 0);

		tape_is_of_key(&t->in_key[line.way], line.text);
	}
	if (c) {
		chunk_free(t, c);
	}
}

static struct tape_chunk *chunk_with_room(struct tape *t, size_t room)
{
	struct tape_chunk *c = TAILQ_LAST(&t->chunks, tape_chunks);
	size_t size = room > TAPE_CHUNK ? room : TAPE_CHUNK;

	if (c && c->size - c->used >= room) {
		return c;
	}
	while (t->bytes + size > TAPE_MAX) {
		tape_drop_oldest(t);
	}
	c = vy_alloc(sizeof(*c) + size);
	c->first = t->next;
	c->size = size;
	t->bytes += size;
	TAILQ_INSERT_TAIL(&t->chunks, c, link);
	return c;
}

void tape_write(struct tape *t, const struct tape_line *line)
{
	size_t len = line->text.n < TAPE_LINE_MAX ? line->text.n : TAPE_LINE_MAX;
	struct tape_chunk *c = chunk_with_room(t, room_for(len));
	struct head h = { .time = line->time,
		.len = (uint32_t)len,
		.part = line->part,
		.whole = line->whole,
		.way = line->way };

	memcpy(c->bytes + c->used, &h, sizeof(h));
	if (len) {
		memcpy(c->bytes + c->used + sizeof(h), line->text.p, len);
	}
	c->used += room_for(len);
	t->next++;
}

/* sizes.c -- see sizes.h. */
#include "server/term/sizes.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "shared/frame/term.h"
#include "shared/base/ban.h"

void sizes_init(struct sizes *s, struct size first)
{
	*s = (struct sizes){ .first = first };
}

void sizes_fini(struct sizes *s)
{
	free(s->later);
	s->later = NULL;
	s->n = s->cap = 0;
}

void sizes_add(struct sizes *s, struct size size)
{
	vy_assert(!sizes_is_full(s) && size.offset >= sizes_last(s).offset);
	s->later = vy_grow(s->later, &s->cap, s->n + 1, sizeof(*s->later));
	s->later[s->n++] = size;
}

bool sizes_is_full(const struct sizes *s)
{
	return s->n >= SIZES_MAX;
}

void sizes_settle(struct sizes *s)
{
	s->settled = s->no + s->n;
}

struct size sizes_last(const struct sizes *s)
{
	return s->n ? s->later[s->n - 1] : s->first;
}

uint64_t sizes_past(const struct sizes *s, uint64_t offset)
{
	size_t i = 0;

	while (i < s->n && s->later[i].offset <= offset) {
		i++;
	}
	return s->no + i;
}

struct size sizes_at(const struct sizes *s, uint64_t offset)
{
	uint64_t past = sizes_past(s, offset);

	return past > s->no ? s->later[past - s->no - 1] : s->first;
}

const struct size *sizes_get(const struct sizes *s, uint64_t no, bool *holds)
{
	if (no < s->no || no - s->no >= s->n) {
		return NULL;
	}
	*holds = no < s->settled;
	return &s->later[no - s->no];
}

void sizes_shift(struct sizes *s)
{
	vy_assert(s->n > 0);
	s->first = s->later[0];
	memmove(s->later, s->later + 1, --s->n * sizeof(*s->later));
	s->no++;
}

/* ---- over a restart ---- */

static void encode_one(struct vy_json *list, const struct size *z)
{
	struct vy_json *one = vy_json_new_arr();

	vy_json_add_take(one, vy_json_new_int((int64_t)z->offset));
	vy_json_add_take(one, vy_json_new_int(z->cols));
	vy_json_add_take(one, vy_json_new_int(z->rows));
	vy_json_add_take(list, one);
}

struct vy_json *sizes_encode(const struct sizes *s)
{
	struct vy_json *list = vy_json_new_arr();

	encode_one(list, &s->first);
	for (size_t i = 0; i < s->n; i++) {
		encode_one(list, &s->later[i]);
	}
	return list;
}

static bool decode_one(const struct vy_json *one, struct size *z)
{
	int64_t offset = vy_json_intval(vy_json_at(one, 0), -1);
	int64_t cols = vy_json_intval(vy_json_at(one, 1), 0);
	int64_t rows = vy_json_intval(vy_json_at(one, 2), 0);

	*z = (struct size){ (uint64_t)offset, (unsigned)cols, (unsigned)rows };
	return offset >= 0 && cols >= 1 && cols <= VY_TERM_SIDE_MAX && rows >= 1 &&
	       rows <= VY_TERM_SIDE_MAX;
}

bool sizes_decode(struct sizes *s, const struct vy_json *list)
{
	size_t n = vy_json_len(list);
	struct size z;

	sizes_init(s, (struct size){ 0 });
	if (n < 1 || n > SIZES_MAX + 1 || !decode_one(vy_json_at(list, 0), &s->first)) {
		return false;
	}
	for (size_t i = 1; i < n; i++) {
		if (!decode_one(vy_json_at(list, i), &z) || z.offset < sizes_last(s).offset) {
			sizes_fini(s);
			return false;
		}
		sizes_add(s, z);
	}
	sizes_settle(s);
	return true;
}

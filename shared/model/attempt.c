/* attempt.c -- see attempt.h.
 *
 * The hot path is a word of the block that had the word before: a piece and six bytes are appended. */
#include "shared/model/attempt.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

void vy_attempt_init(struct vy_attempt *a, int64_t started)
{
	*a = (struct vy_attempt){ .started = started, .last = started };
}

void vy_attempt_fini(struct vy_attempt *a)
{
	for (size_t i = 0; i < a->n_blocks; i++) {
		vy_buf_fini(&a->blocks[i].text);
		free(a->blocks[i].pieces);
	}
	free(a->blocks);
	free(a->runs);
	free(a->id);
	free(a->message);
	free(a->parent);
	free(a->turn);
	free(a->author);
	free(a->acts_for);
}

bool vy_attempt_is_full(const struct vy_attempt *a, struct vy_str text)
{
	return a->bytes + text.n > VY_ATTEMPT_TEXT_MAX || a->pieces >= VY_ATTEMPT_PIECES_MAX;
}

static size_t block_of(struct vy_attempt *a, int64_t index, bool is_reasoning)
{
	if (a->n_blocks && a->blocks[a->at].index == index &&
		a->blocks[a->at].is_reasoning == is_reasoning) {
		return a->at;
	}
	for (size_t i = 0; i < a->n_blocks; i++) {
		if (a->blocks[i].index == index && a->blocks[i].is_reasoning == is_reasoning) {
			return i;
		}
	}
	a->blocks = vy_grow(a->blocks, &a->cap_blocks, a->n_blocks + 1, sizeof(*a->blocks));
	a->blocks[a->n_blocks] = (struct vy_attempt_block){ .index = index,
		.is_reasoning = is_reasoning,
		.text = VY_BUF_INIT(VY_ATTEMPT_TEXT_MAX) };
	return a->n_blocks++;
}

static void count_run(struct vy_attempt *a, size_t block)
{
	if (a->n_runs && a->runs[a->n_runs - 1].block == block) {
		a->runs[a->n_runs - 1].n++;
		return;
	}
	a->runs = vy_grow(a->runs, &a->cap_runs, a->n_runs + 1, sizeof(*a->runs));
	a->runs[a->n_runs++] = (struct vy_piece_run){ block, 1 };
}

void vy_attempt_add(
	struct vy_attempt *a, int64_t index, bool is_reasoning, struct vy_str text, int64_t time)
{
	size_t at = block_of(a, index, is_reasoning);
	struct vy_attempt_block *b = &a->blocks[at];

	b->pieces = vy_grow(b->pieces, &b->cap, b->n + 1, sizeof(*b->pieces));
	b->pieces[b->n++] = (struct vy_piece){ b->units, time - a->last };
	b->units += (int64_t)vy_utf16_len(text);
	vy_buf_addstr(&b->text, text);
	a->last = time;
	a->at = at;
	a->bytes += text.n;
	a->pieces++;
	count_run(a, at);
}

void vy_attempt_view(const struct vy_attempt *a, struct vy_arena *mem, struct vy_settlement *out)
{
	struct vy_settled_block *blocks =
		vy_arena_calloc(mem, a->n_blocks + 1, sizeof(struct vy_settled_block));

	*out = (struct vy_settlement){
		.attempt = vy_str_c(a->id),
		.message = vy_str_c(a->message),
		.parent = vy_str_c(a->parent),
		.turn = vy_str_c(a->turn),
		.author = vy_str_c(a->author),
		.acts_for = vy_str_c(a->acts_for),
		.step = a->step,
		.started = a->started,
		.from = a->from,
		.blocks = blocks,
		.n_blocks = a->n_blocks,
		.runs = a->runs,
		.n_runs = a->n_runs,
	};
	for (size_t i = 0; i < a->n_blocks; i++) {
		const struct vy_attempt_block *b = &a->blocks[i];

		blocks[i] = (struct vy_settled_block){ b->index, b->is_reasoning,
			vy_buf_str(&b->text), b->pieces, b->n };
	}
}

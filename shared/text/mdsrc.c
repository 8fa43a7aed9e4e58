/* mdsrc.c -- see mdsrc.h. */
#include "shared/text/mdsrc.h"

#include "shared/base/mem.h"
#include "shared/text/mdline.h"
#include "shared/base/ban.h"

struct extent {
	size_t first, last; /* of the source bytes that became text; first > last: none did */
	size_t to;          /* line where the text of the next block that has some begins */
};

static void widen(struct extent *e, const struct vy_md_text *t)
{
	for (size_t i = 0; i < t->n_spans; i++) {
		if (t->spans[i].src_end > t->spans[i].src) {
			e->first = t->spans[i].src < e->first ? t->spans[i].src : e->first;
			e->last = t->spans[i].src_end - 1 > e->last ? t->spans[i].src_end - 1
								    : e->last;
		}
	}
}

static struct extent extent_of(const struct vy_md_block *b)
{
	struct extent e = { SIZE_MAX, 0, 0 };

	widen(&e, &b->text);
	for (size_t i = 0; i < b->rows * b->cols; i++) {
		widen(&e, &b->cells[i]);
	}
	return e;
}

/* Could this line be what a block without text was written as? */
static bool could_be(const struct vy_md_block *b, struct vy_str line)
{
	struct vy_str bare = vy_mdline_bare(line);
	char fence;

	switch (b->kind) {
	case VY_MD_RULE: return vy_mdline_is_rule(bare);
	case VY_MD_CODE: return vy_mdline_fence(bare, &fence) > 0;
	case VY_MD_HEADING: return bare.n && bare.p[0] == '#';
	case VY_MD_PARA:
	case VY_MD_TABLE:
	default: return !vy_mdline_is_blank(line);
	}
}

/* Start of the line in [from, to) that a block without text was written as; `to` if none. */
static size_t look_for(struct vy_str src, const struct vy_md_block *b, size_t from, size_t to)
{
	while (from < to && !could_be(b, vy_mdline_at(src, from))) {
		from = vy_mdline_next(src, from);
	}
	return from < to ? from : to;
}

/* Behind the fence that closes the block, if it is at `end` or below blank lines of code there. */
static size_t behind_fence(struct vy_str src, const struct vy_md_block *b, size_t end, size_t to)
{
	char fence = 0;
	unsigned len = vy_mdline_fence(vy_mdline_bare(vy_mdline_at(src, b->src)), &fence);

	for (size_t at = end; len && at < to; at = vy_mdline_next(src, at)) {
		struct vy_str line = vy_mdline_bare(vy_mdline_at(src, at));

		if (vy_mdline_closes(line, fence, len)) {
			return vy_mdline_next(src, at);
		}
		if (!vy_mdline_is_blank(line)) {
			break;
		}
	}
	return end;
}

/* Behind the lines that belong to a block whose text ends before `end` (a line's start). */
static size_t tail_of(struct vy_str src, const struct vy_md_block *b, size_t end, size_t to)
{
	if (end >= to) {
		return to;
	}
	struct vy_str own = vy_mdline_bare(vy_mdline_at(src, b->src));
	struct vy_str next = vy_mdline_unquoted(vy_mdline_at(src, end));
	size_t lines = b->rows + 1;
	bool takes_next = false;

	switch (b->kind) {
	case VY_MD_CODE: return b->is_fenced ? behind_fence(src, b, end, to) : end;
	case VY_MD_HEADING:
		takes_next = !(own.n && own.p[0] == '#') && vy_mdline_is_underline(next);
		break;
	case VY_MD_TABLE: /* a line for each row and the delimiter, whatever is in them */
		for (end = b->src; lines > 0 && end < to; lines--) {
			end = vy_mdline_next(src, end);
		}
		break;
	case VY_MD_PARA:
	case VY_MD_RULE:
	default: break;
	}
	return takes_next ? vy_mdline_next(src, end) : end;
}

/* Lines of a table above its first one that has text: rows of empty cells, and the delimiter. */
static size_t lines_above(const struct vy_md_block *table, size_t first)
{
	for (size_t i = 0; i < table->rows * table->cols; i++) {
		struct extent e = { SIZE_MAX, 0, 0 };

		widen(&e, &table->cells[i]);
		if (e.first == first) {
			return i < table->cols ? 0 : i / table->cols + 1;
		}
	}
	return 0;
}

static void find_one(struct vy_str src, struct vy_md_block *b, struct extent e, size_t from)
{
	size_t end, to = e.to;

	if (e.first <= e.last) {
		b->src = vy_mdline_start(src, e.first);
		if (b->kind == VY_MD_CODE && b->is_fenced && b->src > from) {
			size_t above = vy_mdline_start(src, b->src - 1);

			while (above > from && !could_be(b, vy_mdline_at(src, above))) {
				above = vy_mdline_start(src, above - 1);
			}
			b->src = above; /* blank lines of code may lie between */
		}
		for (size_t above = b->kind == VY_MD_TABLE ? lines_above(b, e.first) : 0;
			above > 0 && b->src > from; above--) {
			b->src = vy_mdline_start(src, b->src - 1);
		}
		end = vy_mdline_next(src, e.last);
	} else {
		b->src = look_for(src, b, from, to);
		end = b->src < to ? vy_mdline_next(src, b->src) : to;
	}
	b->src = b->src < from ? from : b->src;
	end = end < b->src ? b->src : end;
	b->src_end = tail_of(src, b, end, to > end ? to : end);
}

void vy_mdsrc_find(struct vy_str src, struct vy_md_block *blocks, size_t n)
{
	struct extent *extents = vy_calloc(n, sizeof(*extents));
	size_t from = 0, to = src.n;

	for (size_t i = n; i-- > 0;) {
		extents[i] = extent_of(&blocks[i]);
		extents[i].to = to;
		if (extents[i].first <= extents[i].last) {
			to = vy_mdline_start(src, extents[i].first);
		}
	}
	for (size_t i = 0; i < n; i++) {
		find_one(src, &blocks[i], extents[i], from);
		from = blocks[i].src_end;
	}
	free(extents);
}

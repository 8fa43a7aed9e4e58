/* cut.c -- see cut.h.
 *
 * U32 counts down `left`; LINES looks for the newline. Both gather in `part` only what does not lie
 * whole in the input, and both skip by going on without gathering. */
#include "shared/base/cut.h"

#include <string.h>

#include "shared/base/limits.h"
#include "shared/base/ban.h"

enum { KEEP_CAP = 64 * VY_KIB }; /* a part that grew past this gives its memory back */

void vy_cut_init(struct vy_cut *c, enum vy_cut_kind kind, size_t piece_max)
{
	*c = (struct vy_cut){ .kind = kind, .part = VY_BUF_INIT(piece_max) };
}

void vy_cut_fini(struct vy_cut *c)
{
	vy_buf_fini(&c->part);
}

static void forget_part(struct vy_cut *c)
{
	if (c->part.cap > KEEP_CAP) {
		vy_buf_fini(&c->part);
	} else {
		vy_buf_clear(&c->part);
	}
	c->part_lent = false;
}

static struct vy_str take(struct vy_str *in, size_t n)
{
	struct vy_str s = vy_str_n(in->p, n);

	*in = vy_str_from(*in, n);
	return s;
}

/* The last bytes of a piece are here: lends it from `in` when nothing of it was kept. */
static struct vy_str complete(struct vy_cut *c, struct vy_str last)
{
	if (c->part.len == 0) {
		return last;
	}
	vy_buf_addstr(&c->part, last);
	c->part_lent = true;
	return vy_buf_str(&c->part);
}

/* Lends the beginning of a piece that grew too long; from now on it is skipped. */
static enum vy_cut_got too_long(struct vy_cut *c, struct vy_str more, struct vy_str *piece)
{
	size_t room = c->part.max - c->part.len;

	vy_buf_add(&c->part, more.p, more.n < room ? more.n : room);
	c->part_lent = true;
	c->skipping = true;
	*piece = vy_buf_str(&c->part);
	return VY_CUT_TOO_LONG;
}

static enum vy_cut_got next_line(struct vy_cut *c, struct vy_str *in, struct vy_str *piece)
{
	while (in->n) {
		const char *nl = memchr(in->p, '\n', in->n);
		struct vy_str part = take(in, nl ? (size_t)(nl - in->p) : in->n);
		bool is_skipped = c->skipping;

		if (nl) {
			take(in, 1);
			c->skipping = false;
		}
		if (is_skipped) {
			continue;
		}
		if (part.n > c->part.max - c->part.len) {
			enum vy_cut_got got = too_long(c, part, piece);

			c->skipping = !nl;
			return got;
		}
		if (nl) {
			*piece = complete(c, part);
			return VY_CUT_PIECE;
		}
		vy_buf_addstr(&c->part, part);
	}
	return VY_CUT_MORE;
}

/* Gathers the four bytes of a length; true once they are there. */
static bool have_head(struct vy_cut *c, struct vy_str *in)
{
	while (in->n && c->head_n < sizeof(c->head)) {
		c->head[c->head_n++] = (uint8_t)take(in, 1).p[0];
		c->left = c->left << 8 | c->head[c->head_n - 1];
	}
	return c->head_n == sizeof(c->head);
}

static enum vy_cut_got next_message(struct vy_cut *c, struct vy_str *in, struct vy_str *piece)
{
	while (have_head(c, in)) {
		size_t n = c->left < in->n ? c->left : in->n;

		if (!c->skipping && c->part.len + c->left > c->part.max) {
			return too_long(c, vy_str_n(in->p, n), piece);
		}
		if (c->left && n == 0) {
			break;
		}
		struct vy_str part = take(in, n);

		c->left -= n;
		if (c->left == 0) {
			bool is_skipped = c->skipping;

			c->head_n = 0;
			c->skipping = false;
			if (!is_skipped) {
				*piece = complete(c, part);
				return VY_CUT_PIECE;
			}
		} else if (!c->skipping) {
			vy_buf_addstr(&c->part, part);
		}
	}
	return VY_CUT_MORE;
}

enum vy_cut_got vy_cut_next(struct vy_cut *c, struct vy_str *in, struct vy_str *piece)
{
	if (c->part_lent) {
		forget_part(c);
	}
	return c->kind == VY_CUT_LINES ? next_line(c, in, piece) : next_message(c, in, piece);
}

size_t vy_cut_pending(const struct vy_cut *c)
{
	return c->part_lent ? 0 : c->part.len;
}

bool vy_cut_rest(struct vy_cut *c, struct vy_str *piece)
{
	if (c->kind != VY_CUT_LINES || c->part_lent || c->part.len == 0) {
		return false;
	}
	*piece = vy_buf_str(&c->part);
	c->part_lent = true;
	return true;
}

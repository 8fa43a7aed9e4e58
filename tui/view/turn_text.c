/* turn_text.c -- texts that are turned before they are drawn (turn.h). */
#include "tui/view/turn.h"

#include "shared/text/bidi.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

bool turn_needs(struct vy_str text)
{
	for (size_t i = 0; i < text.n; i++) {
		uint32_t cp;

		/* what begins a letter of these scripts */
		if ((unsigned char)text.p[i] >= 0xD6 && (unsigned char)text.p[i] <= 0xF0) {
			vy_utf8_get(text, i, &cp);
			if (vy_bidi_is_rtl(cp)) {
				return true;
			}
		}
	}
	return false;
}

void turn_text(struct turn_text *t, struct vy_str text, bool is_straight, struct vy_arena *a)
{
	*t = (struct turn_text){ .text = text };
	if (is_straight || !turn_needs(text)) {
		return;
	}
	t->at = vy_arena_calloc(a, text.n + 1, sizeof(*t->at));
	t->cps = vy_arena_calloc(a, text.n + 1, sizeof(*t->cps));
	t->levels = vy_arena_calloc(a, text.n + 1, 1);
	for (size_t i = 0; i < text.n; i = vy_cluster_next(text, i)) {
		t->at[t->n] = i;
		vy_utf8_get(text, i, &t->cps[t->n++]);
	}
	t->at[t->n] = text.n;
	t->is_rtl = vy_bidi_is_rtl_text(t->cps, t->n);
	if (!vy_bidi_levels(t->cps, t->n, t->is_rtl, t->levels)) {
		t->n = 0; /* a giant is shown as it is */
	}
}

/* The first cluster at or behind a byte. */
static size_t cluster_at(const struct turn_text *t, size_t at)
{
	size_t low = 0, high = t->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (t->at[mid] < at) {
			low = mid + 1;
		} else {
			high = mid;
		}
	}
	return low;
}

static size_t row_as_it_is(
	const struct turn_text *t, size_t from, size_t to, struct turn_glyph *out)
{
	size_t n = 0;

	for (size_t i = from; i < to; n++) {
		size_t next = vy_cluster_next(t->text, i);

		out[n] = (struct turn_glyph){ i, next < to ? next : to, false };
		i = out[n].end;
	}
	return n;
}

size_t turn_row(const struct turn_text *t, size_t from, size_t to, struct vy_arena *a,
	struct turn_glyph **out)
{
	*out = vy_arena_calloc(a, to - from + 1, sizeof(**out));
	if (t->n == 0) {
		return row_as_it_is(t, from, to, *out);
	}
	size_t first = cluster_at(t, from), n = cluster_at(t, to) - first;
	uint16_t *order = vy_arena_calloc(a, n + 1, sizeof(*order));
	bool *turned = vy_arena_calloc(a, n + 1, sizeof(*turned));

	vy_bidi_row(t->cps + first, t->levels + first, n, t->is_rtl, order, turned);
	for (size_t i = 0; i < n; i++) {
		size_t k = first + order[i];

		(*out)[i] = (struct turn_glyph){ t->at[k], t->at[k + 1], turned[order[i]] };
	}
	return n;
}

struct vy_str turn_shown(const struct turn_text *t, const struct turn_glyph *g, char own[4])
{
	struct vy_str text = vy_str_n(t->text.p + g->at, g->end - g->at);
	uint32_t cp, other;

	if (!g->is_turned || text.n == 0 || vy_utf8_get(text, 0, &cp) != text.n ||
		(other = vy_bidi_mirror(cp)) == cp) {
		return text;
	}
	return vy_str_n(own, vy_utf8_put(other, own));
}

int turn_put(struct cell_win w, int x, int y, const struct turn_text *t, size_t from, size_t to,
	struct cell_style s)
{
	struct turn_glyph *glyphs;
	struct vy_arena a;
	int cells = 0;

	if (t->n == 0) {
		return cell_put(w, x, y, vy_str_n(t->text.p + from, to - from), s);
	}
	vy_arena_init(&a);
	for (size_t i = 0, n = turn_row(t, from, to, &a, &glyphs); i < n; i++) {
		char own[4];

		cells += cell_put(w, x + cells, y, turn_shown(t, &glyphs[i], own), s);
	}
	vy_arena_fini(&a);
	return cells;
}

int turn_field(struct cell_win w, struct vy_str text, size_t at, struct cell_style s)
{
	struct turn_glyph *glyphs;
	struct turn_text t;
	struct vy_arena a;
	int x = 0, cursor = -1, shift;

	vy_arena_init(&a);
	turn_text(&t, text, cell_pool_is_straight(w.grid->pool), &a);
	size_t n = turn_row(&t, 0, text.n, &a, &glyphs);

	for (size_t i = 0; i < n; i++) {
		struct vy_str one = vy_str_n(text.p + glyphs[i].at, glyphs[i].end - glyphs[i].at);
		int cells = cell_width(w.grid->pool, one);

		if (glyphs[i].at == at) {
			cursor = glyphs[i].is_turned ? x + cells : x;
		}
		x += cells;
	}
	cursor = cursor >= 0 ? cursor : t.is_rtl ? 0 : x;
	shift = cursor >= w.w ? cursor - w.w + 1 : 0;
	turn_put(w, -shift, 0, &t, 0, text.n, s);
	vy_arena_fini(&a);
	return cursor - shift;
}

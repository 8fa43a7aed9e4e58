/* wrap.c -- see wrap.h.
 *
 * One walk over the clusters of a row. It remembers the last place where a break is allowed; when
 * a cluster does not fit, the row ends there, or, in a word longer than the row, right here.
 * Spaces never overflow: those past the edge hang in the break, undrawn. */
#include "shared/text/wrap.h"

#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

/* ---- where a row may break ---- */

/* Never at the start of a row: closing marks, small kana, sound marks. Sorted. */
static const uint16_t no_start[] = { '!', '"', '%', '\'', ')', ',', '.', '/', ':', ';', '?', ']',
	'}', 0xB0, 0xB7, 0xBB, 0x2010, 0x2013, 0x2014, 0x2019, 0x201D, 0x2025, 0x2026, 0x2030,
	0x203A, 0x203C, 0x2047, 0x2048, 0x2049, 0x2103, 0x3001, 0x3002, 0x3005, 0x3009, 0x300B,
	0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0x3019, 0x301C, 0x301F, 0x303B, 0x3041, 0x3043,
	0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308E, 0x3095, 0x3096, 0x309B,
	0x309C, 0x309D, 0x309E, 0x30A0, 0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30C3, 0x30E3,
	0x30E5, 0x30E7, 0x30EE, 0x30F5, 0x30F6, 0x30FB, 0x30FC, 0x30FD, 0x30FE, 0xFF01, 0xFF05,
	0xFF09, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0xFF3D, 0xFF5D, 0xFF60, 0xFF61, 0xFF63,
	0xFF64, 0xFF65 };

/* Never at the end of a row: opening marks and money. Sorted. */
static const uint16_t no_end[] = { '"', '$', '\'', '(', '[', '{', 0xA3, 0xA5, 0xAB, 0x2018, 0x201C,
	0x2039, 0x20AC, 0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0x3018, 0x301D,
	0xFF04, 0xFF08, 0xFF3B, 0xFF5B, 0xFF5F, 0xFF62, 0xFFE1, 0xFFE5 };

static bool has(const uint16_t *set, size_t n, uint32_t cp)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (cp > set[mid]) {
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	return lo < n && set[lo] == cp;
}

static bool is_break_space(uint32_t cp)
{
	return cp == ' ' || cp == '\t' ||
	       (cp > 0xA0 && cp != 0x2007 && cp != 0x202F && vy_cp_is_space(cp));
}

/* Stands by itself like a word: ideographs, kana, their marks, wide pictographs. */
static bool is_own_word(uint32_t cp)
{
	if (cp < 0x2E80) {
		return cp >= 0x231A && vy_cp_is_pictograph(cp) &&
		       vy_width_cp(cp, (struct vy_width){ 0 }) == 2;
	}
	return (cp <= 0x30FF) || (cp >= 0x31C0 && cp <= 0x9FFF) || (cp >= 0xF900 && cp <= 0xFAFF) ||
	       (cp >= 0xFE30 && cp <= 0xFE4F) || (cp >= 0xFF01 && cp <= 0xFF9F) ||
	       (cp >= 0x1F000 && vy_cp_is_pictograph(cp)) || (cp >= 0x20000 && cp <= 0x3FFFF) ||
	       (cp >= 0x1F1E6 && cp <= 0x1F1FF);
}

/* What was passed on the way to a place: the two clusters before it, by their first code points. */
struct passed {
	uint32_t last, before;
};

static bool may_break(struct passed p, uint32_t cp)
{
	if (is_break_space(p.last)) {
		return !is_break_space(cp);
	}
	if (p.last == '-' || p.last == 0x2010) {
		return vy_cp_is_letter(p.before) && vy_cp_is_letter(cp);
	}
	if (cp < 0x80 && p.last < 0x80) {
		return false;
	}
	if (p.last == 0x2014) {
		return vy_cp_is_letter(cp);
	}
	return (is_own_word(p.last) || is_own_word(cp)) && !is_break_space(cp) && cp != 0xA0 &&
	       p.last != 0xA0 && !has(no_start, VY_COUNT(no_start), cp) &&
	       !has(no_end, VY_COUNT(no_end), p.last);
}

/* ---- one row ---- */

static unsigned tab_of(const struct vy_wrap *how)
{
	return how->tab ? how->tab : 8;
}

static bool is_newline(struct vy_str s, size_t at)
{
	return s.p[at] == '\n' || (s.p[at] == '\r' && at + 1 < s.n && s.p[at + 1] == '\n');
}

unsigned vy_wrap_cells(
	const struct vy_wrap *how, struct vy_str s, size_t at, unsigned col, size_t *next)
{
	*next = vy_cluster_next(s, at);
	if (s.p[at] == '\t') {
		return tab_of(how) - col % tab_of(how);
	}
	return is_newline(s, at) ? 0 : vy_width_cluster(vy_str_n(s.p + at, *next - at), how->width);
}

/* A place where the row could end. */
struct stop {
	size_t end, next;
	uint32_t cells;
	bool is_set;
};

/* What is known while the row grows. */
struct walk {
	struct passed passed;
	struct stop last;    /* the newest allowed break */
	size_t end;          /* behind what fits */
	size_t word_end;     /* behind the last cluster that is no space */
	uint32_t cells;      /* of [start, end) */
	uint32_t word_cells; /* of [start, word_end) */
	bool word;           /* there is one */
};

static void finish(struct vy_wrap_row *row, struct stop at, bool hard, bool last)
{
	row->end = at.end;
	row->next = at.next;
	row->cells = at.cells;
	row->is_hard = hard;
	row->is_last = last;
}

/* Takes the cluster [at, next) in; false if the row is full before it. */
static bool take(const struct vy_wrap *how, struct vy_str s, struct walk *w, size_t at, size_t next,
	unsigned cells, unsigned room)
{
	uint32_t cp = (unsigned char)s.p[at];

	if (cp >= 0x80) {
		vy_utf8_get(s, at, &cp);
	}
	bool space = !how->verbatim && is_break_space(cp);

	if (!how->verbatim && w->word && may_break(w->passed, cp)) {
		w->last = (struct stop){ w->word_end, at, w->word_cells, true };
	}
	if (w->cells + cells <= room) {
		w->end = next;
		w->cells += cells;
	} else if (!space) {
		return false;
	} else {
		w->cells = room; /* full: what follows cannot fit, not even a narrow one */
	}
	if (!space) {
		w->word_end = next;
		w->word_cells = w->cells;
		w->word = true;
	}
	w->passed = (struct passed){ cp, w->passed.last };
	return true;
}

/* The usual case: a cluster of one byte and one cell. */
static bool is_plain(struct vy_str s, size_t at)
{
	return s.p[at] >= 0x20 && s.p[at] < 0x7f &&
	       (at + 1 == s.n || (unsigned char)s.p[at + 1] < 0x80);
}

/* Cells of the cluster at `at`; what is wider than a whole row is as wide as the row. */
static unsigned cells_here(const struct vy_wrap *how, struct vy_str s, size_t at, uint32_t col,
	unsigned room, size_t *next)
{
	if (is_plain(s, at)) {
		*next = at + 1;
		return 1;
	}
	unsigned cells = vy_wrap_cells(how, s, at, col, next);

	if (s.p[at] == '\t' && how->verbatim && col < room && cells > room - col) {
		return room - col;
	}
	return cells < room ? cells : room;
}

static bool is_inside(char c)
{
	return c > 0x20 && c < 0x7f && c != '-';
}

/* Inside of a word of plain ASCII, where no row may break: takes what fits of the rest of it. */
static size_t take_inside(struct vy_str s, struct walk *w, size_t at, unsigned room)
{
	size_t n = 0, most = room - w->cells;

	if (!w->word || w->passed.last >= 0x7f || !is_inside((char)w->passed.last)) {
		return 0;
	}
	while (n < most && at + n < s.n && is_inside(s.p[at + n]) && is_plain(s, at + n)) {
		n++;
	}
	if (n) {
		w->end = w->word_end = at + n;
		w->word_cells = w->cells += (uint32_t)n;
		w->passed.before = n > 1 ? (unsigned char)s.p[at + n - 2] : w->passed.last;
		w->passed.last = (unsigned char)s.p[at + n - 1];
	}
	return n;
}

static void one_row(
	const struct vy_wrap *how, struct vy_str s, unsigned room, struct vy_wrap_row *row)
{
	struct walk w = { .end = row->start, .word_end = row->start };
	size_t at = row->start, next;
	uint32_t drawn = 0; /* of [start, w.end) */

	while (at < s.n && !is_newline(s, at)) {
		size_t n = take_inside(s, &w, at, room);

		if (n) {
			drawn = w.cells;
			at += n;
			continue;
		}
		unsigned cells = cells_here(how, s, at, w.cells, room, &next);

		if (!take(how, s, &w, at, next, cells, room)) {
			struct stop here = { w.end, at, drawn, true };

			finish(row, w.last.is_set ? w.last : here, false, false);
			return;
		}
		drawn = w.end == next ? w.cells : drawn;
		at = next;
	}
	finish(row, (struct stop){ w.end, at < s.n ? vy_cluster_next(s, at) : at, drawn, true },
		true, at == s.n);
}

bool vy_wrap_next(const struct vy_wrap *how, struct vy_str s, struct vy_wrap_row *row)
{
	if (row->is_last || row->next > s.n) {
		return false;
	}
	unsigned cells = how->cells ? how->cells : 1;
	unsigned indent = row->next == 0 ? how->first : how->rest;

	*row = (struct vy_wrap_row){ .start = row->next,
		.indent = indent < cells / 2 ? indent : cells / 2 };
	one_row(how, s, cells - row->indent, row);
	return true;
}

size_t vy_wrap_all(
	const struct vy_wrap *how, struct vy_str s, struct vy_arena *a, struct vy_wrap_row **rows)
{
	struct vy_wrap_row row = { 0 }, *list = NULL;
	size_t n = 0, cap = 0;

	while (vy_wrap_next(how, s, &row)) {
		list = vy_grow(list, &cap, n + 1, sizeof(*list));
		list[n++] = row;
	}
	*rows = vy_arena_calloc(a, n, sizeof(**rows));
	memcpy(*rows, list, n * sizeof(*list));
	free(list);
	return n;
}

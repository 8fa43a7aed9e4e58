/* width.c -- see width.h. The only file that sees utf8proc: where clusters end is its word, how
 * wide they are is our rule, since libraries and terminals disagree on sequences. */
#include "shared/text/width.h"

#include <utf8proc.h>

#include "shared/text/utf8.h"
#include "shared/base/ban.h"

/* ---- code points ---- */

static const struct {
	uint32_t from, to;
} ambiguous[] = {
#include "shared/text/ambiguous.def"
};

static bool is_ambiguous(uint32_t cp)
{
	size_t lo = 0, hi = VY_COUNT(ambiguous);

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (cp > ambiguous[mid].to) {
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	return lo < VY_COUNT(ambiguous) && cp >= ambiguous[lo].from;
}

static int boundclass(uint32_t cp)
{
	return utf8proc_get_property((utf8proc_int32_t)cp)->boundclass;
}

unsigned vy_width_cp(uint32_t cp, struct vy_width w)
{
	if (cp < 0xA0) {
		return 1; /* a control byte is drawn as one mark */
	}
	const utf8proc_property_t *p = utf8proc_get_property((utf8proc_int32_t)cp);

	if (p->boundclass == UTF8PROC_BOUNDCLASS_V || p->boundclass == UTF8PROC_BOUNDCLASS_T) {
		return 0; /* goes into the syllable before it */
	}
	return p->charwidth == 1 && w.ambiguous_wide && is_ambiguous(cp) ? 2 : p->charwidth;
}

bool vy_cp_is_pictograph(uint32_t cp)
{
	return boundclass(cp) == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

static utf8proc_category_t category(uint32_t cp)
{
	return utf8proc_category((utf8proc_int32_t)cp);
}

uint32_t vy_cp_fold(uint32_t cp)
{
	if (cp < 0x80) {
		return cp >= 'A' && cp <= 'Z' ? cp + ('a' - 'A') : cp;
	}
	return (uint32_t)utf8proc_tolower((utf8proc_int32_t)cp);
}

uint32_t vy_cp_upper(uint32_t cp)
{
	return (uint32_t)utf8proc_toupper((utf8proc_int32_t)cp);
}

bool vy_cp_is_letter(uint32_t cp)
{
	if (cp < 0x80) {
		return (cp | 0x20) - 'a' < 26 || cp - '0' < 10;
	}
	utf8proc_category_t c = category(cp);

	return c >= UTF8PROC_CATEGORY_LU && c <= UTF8PROC_CATEGORY_NO;
}

bool vy_cp_is_space(uint32_t cp)
{
	return cp == ' ' || (cp >= 0x09 && cp <= 0x0D) ||
	       (cp >= 0xA0 && category(cp) >= UTF8PROC_CATEGORY_ZS &&
		       category(cp) <= UTF8PROC_CATEGORY_ZP);
}

bool vy_cp_is_punct(uint32_t cp)
{
	utf8proc_category_t c = category(cp);

	return c >= UTF8PROC_CATEGORY_PC && c <= UTF8PROC_CATEGORY_SO;
}

/* ---- clusters ---- */

/* The usual case: this byte is a cluster by itself. */
static bool is_plain_at(struct vy_str s, size_t at)
{
	return (unsigned char)s.p[at] < 0x80 && s.p[at] != '\r' &&
	       (at + 1 == s.n || (unsigned char)s.p[at + 1] < 0x80);
}

size_t vy_cluster_next(struct vy_str s, size_t at)
{
	if (at >= s.n) {
		return s.n;
	}
	if (is_plain_at(s, at)) {
		return at + 1;
	}
	utf8proc_int32_t state = 0;
	uint32_t a, b;
	size_t i = at + vy_utf8_get(s, at, &a);

	while (i < s.n) {
		size_t len = vy_utf8_get(s, i, &b);

		if (i + len - at > VY_CLUSTER_MAX ||
			utf8proc_grapheme_break_stateful((int32_t)a, (int32_t)b, &state)) {
			break;
		}
		i += len;
		a = b;
	}
	return i;
}

/* A place at or before `at` that is a border whatever stands before it. */
static size_t sure_border(struct vy_str s, size_t at)
{
	while (at > 0 && at < s.n) {
		uint32_t a, b;
		size_t len = vy_utf8_prev(s, at, &a);

		vy_utf8_get(s, at, &b);
		/* without a state, utf8proc does not know what stands before a joiner */
		if (a != 0x200D && utf8proc_grapheme_break((int32_t)a, (int32_t)b)) {
			break;
		}
		at -= len;
	}
	return at;
}

/* Border before `at`, at < n or not. */
static size_t border_before(struct vy_str s, size_t at)
{
	uint32_t cp;
	size_t from = sure_border(s, at - vy_utf8_prev(s, at, &cp));

	for (size_t next; (next = vy_cluster_next(s, from)) < at;) {
		from = next;
	}
	return from;
}

size_t vy_cluster_prev(struct vy_str s, size_t at)
{
	if (at > s.n) {
		at = s.n;
	}
	if (at == 0) {
		return 0;
	}
	if (at >= 2 && (unsigned char)s.p[at - 1] < 0x80 && s.p[at - 1] != '\n' &&
		(unsigned char)s.p[at - 2] < 0x80) {
		return at - 1;
	}
	return border_before(s, at);
}

bool vy_cluster_is_border(struct vy_str s, size_t at)
{
	if (at == 0 || at >= s.n) {
		return at == 0 || at == s.n;
	}
	size_t from = sure_border(s, vy_utf8_cut(s, at));

	while (from < at) {
		from = vy_cluster_next(s, from);
	}
	return from == at;
}

size_t vy_cluster_cut(struct vy_str s, size_t max)
{
	if (max >= s.n) {
		return s.n;
	}
	size_t at = vy_utf8_cut(s, max);

	if (at == 0 || vy_cluster_is_border(s, at)) {
		return at;
	}
	return border_before(s, at);
}

/* ---- words ---- */

enum word { WORD_NONE, WORD_LETTERS, WORD_HAN, WORD_HIRAGANA, WORD_KATAKANA };

static enum word word_at(struct vy_str s, size_t at)
{
	uint32_t cp;

	vy_utf8_get(s, at, &cp);
	if (cp >= 0x3041 && cp <= 0x309F) {
		return WORD_HIRAGANA;
	}
	if ((cp >= 0x30A1 && cp <= 0x30FF && cp != 0x30FB) || (cp >= 0xFF66 && cp <= 0xFF9F)) {
		return WORD_KATAKANA;
	}
	if ((cp >= 0x3400 && cp <= 0x9FFF) || (cp >= 0xF900 && cp <= 0xFAFF) || cp == 0x3005 ||
		(cp >= 0x20000 && cp <= 0x3FFFF)) {
		return WORD_HAN;
	}
	return vy_cp_is_letter(cp) ? WORD_LETTERS : WORD_NONE;
}

size_t vy_word_next(struct vy_str s, size_t at)
{
	while (at < s.n && word_at(s, at) == WORD_NONE) {
		at = vy_cluster_next(s, at);
	}
	if (at >= s.n) {
		return s.n;
	}
	enum word kind = word_at(s, at);

	while (at < s.n && word_at(s, at) == kind) {
		at = vy_cluster_next(s, at);
	}
	return at;
}

size_t vy_word_prev(struct vy_str s, size_t at)
{
	enum word kind = WORD_NONE;
	size_t before = vy_cluster_prev(s, at);

	while (at > 0 && (kind = word_at(s, before)) == WORD_NONE) {
		at = before;
		before = vy_cluster_prev(s, at);
	}
	while (at > 0 && word_at(s, before) == kind) {
		at = before;
		before = vy_cluster_prev(s, at);
	}
	return at;
}

/* ---- cells ---- */

static bool takes_vs16(uint32_t cp)
{
	return vy_cp_is_pictograph(cp) || cp - '0' < 10 || cp == '#' || cp == '*';
}

/* What the sequence rules add: a pair of regional indicators, VS16, are two cells. */
static unsigned cluster_rule(struct vy_str c, struct vy_width w)
{
	unsigned widest = 0, flags = 0;
	uint32_t cp, last = 0;

	for (size_t at = 0; at < c.n;) {
		at += vy_utf8_get(c, at, &cp);
		unsigned cells = vy_width_cp(cp, w);

		flags += boundclass(cp) == UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR;
		if (flags == 2 || (cp == 0xFE0F && takes_vs16(last))) {
			cells = 2;
		}
		if (cells > widest) {
			widest = cells;
		}
		last = cp;
	}
	return widest;
}

static unsigned cluster_sum(struct vy_str c, struct vy_width w)
{
	unsigned sum = 0;
	uint32_t cp;

	for (size_t at = 0; at < c.n;) {
		at += vy_utf8_get(c, at, &cp);
		sum += vy_width_cp(cp, w);
	}
	return sum;
}

unsigned vy_width_cluster(struct vy_str c, struct vy_width w)
{
	if (c.n <= 1) {
		return (unsigned)c.n;
	}
	if (c.p[0] == '\r') {
		return 1;
	}
	unsigned cells = w.sums ? cluster_sum(c, w) : cluster_rule(c, w);

	return cells ? cells : 1;
}

size_t vy_width_cells(struct vy_str s, struct vy_width w)
{
	size_t cells = 0;

	for (size_t at = 0; at < s.n;) {
		if (is_plain_at(s, at)) {
			at++;
			cells++;
			continue;
		}
		size_t next = vy_cluster_next(s, at);

		cells += vy_width_cluster(vy_str_n(s.p + at, next - at), w);
		at = next;
	}
	return cells;
}

size_t vy_width_piece(struct vy_str s, size_t at, struct vy_width w, unsigned *cells)
{
	size_t end = vy_cluster_next(s, at);

	if (!w.sums || end - at <= 1 || s.p[at] == '\r') {
		*cells = vy_width_cluster(vy_str_n(s.p + at, end - at), w);
		return end;
	}
	uint32_t cp;
	size_t i = at + vy_utf8_get(s, at, &cp);

	*cells = vy_width_cp(cp, w);
	while (i < end) {
		size_t len = vy_utf8_get(s, i, &cp);
		unsigned more = vy_width_cp(cp, w);

		if (more && *cells) {
			break;
		}
		*cells += more;
		i += len;
	}
	*cells = *cells ? *cells : 1;
	return i;
}

size_t vy_width_fit(struct vy_str s, size_t cells, struct vy_width w, size_t *used)
{
	size_t at = 0, taken = 0;

	while (at < s.n) {
		size_t next = vy_cluster_next(s, at);
		size_t more = vy_width_cluster(vy_str_n(s.p + at, next - at), w);

		if (more > cells - taken) {
			break;
		}
		taken += more;
		at = next;
	}
	if (used) {
		*used = taken;
	}
	return at;
}

/* ---- ellipsis ---- */

#define ELLIPSIS "\xE2\x80\xA6"

/* Cells left beside the mark, or -1 when it does not fit itself. */
static long beside_ellipsis(size_t cells, struct vy_width w)
{
	return (long)cells - (long)vy_width_cp(0x2026, w);
}

void vy_width_ellipsis(struct vy_str s, size_t cells, struct vy_width w, struct vy_buf *out)
{
	size_t n = vy_width_fit(s, cells, w, NULL);

	if (n < s.n) {
		long room = beside_ellipsis(cells, w);

		if (room < 0) {
			return;
		}
		n = vy_width_fit(s, (size_t)room, w, NULL);
		while (n > 0 && s.p[n - 1] == ' ') {
			n--;
		}
	}
	vy_buf_add(out, s.p, n);
	if (n < s.n) {
		vy_buf_adds(out, ELLIPSIS);
	}
}

void vy_width_ellipsis_tail(struct vy_str s, size_t cells, struct vy_width w, struct vy_buf *out)
{
	size_t all = vy_width_cells(s, w), at = 0;
	long room = all <= cells ? (long)cells : beside_ellipsis(cells, w);

	if (room < 0) {
		return;
	}
	while (all > (size_t)room) {
		size_t next = vy_cluster_next(s, at);

		all -= vy_width_cluster(vy_str_n(s.p + at, next - at), w);
		at = next;
	}
	if (at) {
		vy_buf_adds(out, ELLIPSIS);
	}
	vy_buf_addstr(out, vy_str_from(s, at));
}

/* hold_lines.c -- see hold_lines.h.
 *
 * A stream is handled up to the beginning of its unfinished line; with none, up to the end of all
 * that was fed, whichever stream that was. */
#include "server/io/hold_lines.h"

#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/digits.h"
#include "shared/base/ban.h"

static uint64_t lower(const uint64_t v[2])
{
	return v[0] < v[1] ? v[0] : v[1];
}

void hold_lines_init(struct hold_lines *l, const struct hold_mark *from, size_t line_max)
{
	memset(l, 0, sizeof(*l));
	for (int i = 0; i < 2; i++) {
		vy_cut_init(&l->cut[i], VY_CUT_LINES, line_max);
		l->given[i] = from ? from->done[i] : 0;
		l->cut[i].skipping = from && from->skipping[i];
	}
	l->end = lower(l->given);
}

void hold_lines_fini(struct hold_lines *l)
{
	vy_cut_fini(&l->cut[0]);
	vy_cut_fini(&l->cut[1]);
}

void hold_lines_feed(struct hold_lines *l, uint64_t off, int stream, struct vy_str bytes)
{
	vy_assert(off == l->end && (stream == 1 || stream == 2) && l->in.n == 0);
	l->at = stream - 1;
	l->in = bytes;
	l->end = off + bytes.n;
	if (l->given[l->at] > off) { /* read again for the other stream's sake */
		uint64_t again = l->given[l->at] - off;

		l->in = vy_str_from(bytes, again < bytes.n ? (size_t)again : bytes.n);
	}
	if (vy_cut_pending(&l->cut[l->at]) == 0) {
		l->start[l->at] = l->end - l->in.n;
	}
}

bool hold_lines_next(struct hold_lines *l, struct hold_line *out)
{
	struct vy_cut *cut = &l->cut[l->at];
	enum vy_cut_got got = vy_cut_next(cut, &l->in, &out->text);

	if (got != VY_CUT_MORE || cut->skipping) {
		l->start[l->at] = l->end - l->in.n;
	}
	out->stream = l->at + 1;
	out->too_long = got == VY_CUT_TOO_LONG;
	return got != VY_CUT_MORE;
}

bool hold_lines_rest(struct hold_lines *l, struct hold_line *out)
{
	for (int i = 0; i < 2; i++) {
		if (vy_cut_rest(&l->cut[i], &out->text)) {
			out->stream = i + 1;
			out->too_long = false;
			return true;
		}
	}
	return false;
}

struct hold_mark hold_lines_mark(const struct hold_lines *l)
{
	struct hold_mark m;

	for (int i = 0; i < 2; i++) {
		bool has_more = vy_cut_pending(&l->cut[i]) > 0 || (i == l->at && l->in.n > 0);

		m.done[i] = has_more ? l->start[i] : l->end;
		m.done[i] = m.done[i] > l->given[i] ? m.done[i] : l->given[i];
		m.skipping[i] = l->cut[i].skipping;
	}
	m.off = lower(m.done);
	return m;
}

/* ---- as text: "stdout,stderr,flags" ---- */

void hold_mark_format(const struct hold_mark *m, char out[HOLD_MARK_LEN])
{
	size_t n = 0;

	for (int i = 0; i < 2; i++) {
		n += vy_digits(m->done[i], 10, out + n);
		out[n++] = ',';
	}
	out[n++] = (char)('0' + (m->skipping[0] | m->skipping[1] << 1));
	out[n] = '\0';
}

/* A number and the comma behind it. */
static bool number(struct vy_str *s, long long *out)
{
	const char *comma = s->n ? memchr(s->p, ',', s->n) : NULL;
	struct vy_str digits = vy_str_n(s->p, comma ? (size_t)(comma - s->p) : 0);

	*s = vy_str_from(*s, digits.n + 1);
	return vy_parse_i64(digits, out) && *out >= 0;
}

int hold_mark_parse(struct vy_str s, struct hold_mark *out, struct vy_err *e)
{
	long long v[3];

	if (!number(&s, &v[0]) || !number(&s, &v[1]) || !vy_parse_i64(s, &v[2]) || v[2] < 0 ||
		v[2] > 3) {
		return vy_fail(e, VY_CORRUPT, "a mark of a holder's output is damaged");
	}
	*out = (struct hold_mark){ .done = { (uint64_t)v[0], (uint64_t)v[1] },
		.skipping = { v[2] & 1, v[2] & 2 } };
	out->off = lower(out->done);
	return 0;
}

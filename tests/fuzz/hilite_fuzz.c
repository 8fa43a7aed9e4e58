/* hilite_fuzz.c -- whatever the bytes and the language: spans lie in order, inside their line, and
 * between characters; the same state gives the same again. The first byte chooses the language. */
#include <stdint.h>

#include "shared/base/err.h"
#include "shared/text/hilite.h"
#include "shared/text/hilite_lang.h"
#include "shared/text/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Does a character begin at `at`? Goes on from *seen, a place where one does. */
static bool is_border(struct vy_str line, size_t at, size_t *seen)
{
	uint32_t cp;

	while (*seen < at) {
		*seen += vy_utf8_get(line, *seen, &cp);
	}
	return *seen == at;
}

static void one_line(
	const struct vy_hilite_lang *lang, struct vy_str line, struct vy_hilite_state *st)
{
	static struct vy_hilite_span spans[256], again[256];
	struct vy_hilite_state other = *st;
	size_t n = vy_hilite_line(lang, line, st, spans, 256), at = 0, seen = 0;

	for (size_t i = 0; i < n; i++) {
		vy_assert(spans[i].start >= at && spans[i].end > spans[i].start);
		vy_assert(spans[i].end <= line.n);
		vy_assert(is_border(line, spans[i].start, &seen));
		vy_assert(is_border(line, spans[i].end, &seen));
		vy_assert(spans[i].role > VY_HL_TEXT && spans[i].role < VY_HL_COUNT);
		at = spans[i].end;
	}
	vy_assert(vy_hilite_line(lang, line, &other, again, 256) == n);
	vy_assert(n == 0 || memcmp(spans, again, n * sizeof(*spans)) == 0);
	vy_assert(other.mode == st->mode && other.depth == st->depth && other.stack == st->stack &&
		  other.mark == st->mark);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct vy_hilite_state st = { 0 };
	size_t langs = 0;

	while (vy_hl_langs[langs]) {
		langs++;
	}
	for (size_t at = 1; at < n;) {
		const uint8_t *nl = memchr(data + at, '\n', n - at);
		size_t end = nl ? (size_t)(nl - data) : n;

		one_line(vy_hl_langs[data[0] % langs], vy_str_n((const char *)data + at, end - at),
			&st);
		at = end + 1;
	}
	return 0;
}

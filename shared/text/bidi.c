/* bidi.c -- see bidi.h; FriBidi does the work. */
#include "shared/text/bidi.h"

#include <fribidi.h>
#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

bool vy_bidi_is_rtl(uint32_t cp)
{
	return (cp >= 0x590 && cp <= 0x8FF) || (cp >= 0xFB1D && cp <= 0xFDFF) ||
	       (cp >= 0xFE70 && cp <= 0xFEFE) || (cp >= 0x10800 && cp <= 0x10FFF) ||
	       (cp >= 0x1E800 && cp <= 0x1EFFF);
}

bool vy_bidi_is_rtl_text(const uint32_t *cps, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		FriBidiCharType t = fribidi_get_bidi_type(cps[i]);

		if (FRIBIDI_IS_LETTER(t)) {
			return FRIBIDI_IS_RTL(t);
		}
	}
	return false;
}

static void as_it_is(size_t n, uint16_t *order, bool *turned)
{
	for (size_t i = 0; i < n; i++) {
		order[i] = (uint16_t)i;
		turned[i] = false;
	}
}

void vy_bidi_order(const uint32_t *cps, size_t n, bool is_rtl, uint16_t *order, bool *turned)
{
	FriBidiStrIndex len = (FriBidiStrIndex)n;
	FriBidiParType base = is_rtl ? FRIBIDI_PAR_RTL : FRIBIDI_PAR_LTR;

	as_it_is(n, order, turned);
	if (n == 0 || n > VY_BIDI_MAX) {
		return;
	}
	FriBidiCharType *types = vy_calloc(n, sizeof(*types));
	FriBidiBracketType *brackets = vy_calloc(n, sizeof(*brackets));
	FriBidiLevel *levels = vy_calloc(n, sizeof(*levels));
	FriBidiStrIndex *map = vy_calloc(n, sizeof(*map));

	fribidi_get_bidi_types(cps, len, types);
	fribidi_get_bracket_types(cps, len, types, brackets);
	for (size_t i = 0; i < n; i++) {
		map[i] = (FriBidiStrIndex)i;
	}
	if (fribidi_get_par_embedding_levels_ex(types, brackets, len, &base, levels) != 0 &&
		fribidi_reorder_line(
			FRIBIDI_FLAGS_DEFAULT, types, len, 0, base, levels, NULL, map) != 0) {
		for (size_t i = 0; i < n; i++) {
			order[i] = (uint16_t)map[i];
			turned[i] = FRIBIDI_LEVEL_IS_RTL(levels[i]);
		}
	}
	free(types);
	free(brackets);
	free(levels);
	free(map);
}

uint32_t vy_bidi_mirror(uint32_t cp)
{
	FriBidiChar out = cp;

	fribidi_get_mirror_char(cp, &out);
	return out;
}

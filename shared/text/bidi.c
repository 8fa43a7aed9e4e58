/* bidi.c -- see bidi.h; FriBidi does the work. */
#include "shared/text/bidi.h"

#include <fribidi.h>
#include <stdlib.h>
#include <string.h>

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

bool vy_bidi_levels(const uint32_t *cps, size_t n, bool is_rtl, int8_t *levels)
{
	FriBidiStrIndex len = (FriBidiStrIndex)n;
	FriBidiParType base = is_rtl ? FRIBIDI_PAR_RTL : FRIBIDI_PAR_LTR;
	bool ok = false;

	memset(levels, is_rtl, n);
	if (n == 0 || n > VY_BIDI_MAX) {
		return n == 0;
	}
	FriBidiCharType *types = vy_calloc(n, sizeof(*types));
	FriBidiBracketType *brackets = vy_calloc(n, sizeof(*brackets));
	FriBidiLevel *found = vy_calloc(n, sizeof(*found));

	fribidi_get_bidi_types(cps, len, types);
	fribidi_get_bracket_types(cps, len, types, brackets);
	if (fribidi_get_par_embedding_levels_ex(types, brackets, len, &base, found) != 0) {
		for (size_t i = 0; i < n; i++) {
			levels[i] = (int8_t)found[i];
		}
		ok = true;
	}
	free(types);
	free(brackets);
	free(found);
	return ok;
}

static void reverse(uint16_t *order, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		uint16_t swap = order[i];

		order[i] = order[n - 1 - i];
		order[n - 1 - i] = swap;
	}
}

/* Rules L1 and L2: blanks at the end are the paragraph's, then from the highest level down to the
 * lowest odd one each run of it is reversed. */
void vy_bidi_row(const uint32_t *cps, const int8_t *levels, size_t n, bool is_rtl, uint16_t *order,
	bool *turned)
{
	size_t end = n;
	int8_t highest = 0;

	while (end > 0 && FRIBIDI_IS_EXPLICIT_OR_BN_OR_WS(fribidi_get_bidi_type(cps[end - 1]))) {
		end--;
	}
	for (size_t i = 0; i < n; i++) {
		int8_t level = i < end ? levels[i] : (int8_t)is_rtl;

		order[i] = (uint16_t)i;
		turned[i] = level & 1;
		highest = level > highest ? level : highest;
	}
	for (int8_t level = highest; level > 0 && n <= VY_BIDI_MAX; level--) {
		for (size_t i = 0; i < n; i++) {
			size_t from = i;

			while (i < n && (i < end ? levels[i] : (int8_t)is_rtl) >= level) {
				i++;
			}
			reverse(order + from, i - from);
		}
	}
}

void vy_bidi_order(const uint32_t *cps, size_t n, bool is_rtl, uint16_t *order, bool *turned)
{
	int8_t *levels = vy_calloc(n + 1, sizeof(*levels));

	if (!vy_bidi_levels(cps, n, is_rtl, levels)) {
		memset(levels, 0, n); /* as it is */
	}
	vy_bidi_row(cps, levels, n, is_rtl && n <= VY_BIDI_MAX, order, turned);
	free(levels);
}

uint32_t vy_bidi_mirror(uint32_t cp)
{
	FriBidiChar out = cp;

	fribidi_get_mirror_char(cp, &out);
	return out;
}

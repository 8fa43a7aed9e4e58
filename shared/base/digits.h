/* digits.h -- whole numbers as text, on the way of every word: snprintf() costs a dozen times as much. */
#ifndef VY_DIGITS_H
#define VY_DIGITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define VY_DIGITS_MAX 20 /* of 64 bits, from base 10 on */

/* The digits of n in a base of 10 to 16, no NUL behind them: how many. */
static inline size_t vy_digits(uint64_t n, unsigned base, char out[VY_DIGITS_MAX])
{
	char all[VY_DIGITS_MAX];
	size_t i = sizeof(all);

	do {
		all[--i] = "0123456789abcdef"[n % base];
	} while (n /= base);
	memcpy(out, all + i, sizeof(all) - i);
	return sizeof(all) - i;
}

#endif

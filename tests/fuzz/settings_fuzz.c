/* settings_fuzz.c -- whatever a settings file holds: our hooks go in and come out, and it stays JSON, or it is
 * refused and nothing is done. Twice is once. */
#include <stdint.h>
#include <string.h>

#include "server/hook/settings.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define PROGRAM "/usr/bin/vyred"

static size_t ours_in(struct vy_str text)
{
	VY_AUTO_JSON *v = vy_json_parse(text, NULL);
	size_t n = 0;

	vy_assert(v);
	vy_assert(hook_settings_count(text, NULL, &n, &(struct vy_err){ 0 }) == 0);
	return n;
}

static size_t all(void)
{
	size_t n = 0;

	while (hook_events[n].name) {
		n++;
	}
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	VY_AUTO_BUF with = VY_BUF_INIT(VY_MIB), twice = VY_BUF_INIT(VY_MIB),
		    without = VY_BUF_INIT(VY_MIB), back = VY_BUF_INIT(VY_MIB);
	struct vy_str text = vy_str_n((const char *)data, n);
	struct vy_err e = { 0 };

	if (n > 64 * VY_KIB) {
		return 0;
	}
	if (hook_settings_add(text, PROGRAM, "", &with, &e) != 0) {
		vy_assert(with.len == 0 && e.text[0]);
		vy_assert(hook_settings_remove(text, &without, &e) != 0 && without.len == 0);
		return 0;
	}
	vy_assert(ours_in(vy_buf_str(&with)) == all());
	vy_assert(hook_settings_add(vy_buf_str(&with), PROGRAM, "", &twice, &e) == 0);
	vy_assert(ours_in(vy_buf_str(&twice)) == all());
	vy_assert(hook_settings_remove(vy_buf_str(&with), &back, &e) == 0);
	vy_assert(ours_in(vy_buf_str(&back)) == 0);
	return 0;
}

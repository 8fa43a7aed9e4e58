/* hint.c -- see hint.h. */
#include "tui/app/hint.h"

#include "shared/base/ban.h"

/* A name that is one sign, as an arrow is, needs no blank before the next one. */
static bool is_sign(const char *key)
{
	return (unsigned char)key[0] >= 0x80;
}

static void add(struct vy_buf *out, const char *key, const char *other, const char *does)
{
	const char *gap = !key[0] || !other[0] || (is_sign(key) && is_sign(other)) ? "" : " ";

	if (key[0] || other[0]) {
		vy_buf_addf(out, "%s%s%s%s %s", out->len ? "  " : "", key, gap, other, does);
	}
}

void hint_add(const struct keymap *m, struct vy_buf *out, enum keymap_action a, const char *does)
{
	char key[KEY_NAME_MAX];

	add(out, keymap_hint(m, a, key), "", does);
}

void hint_two(const struct keymap *m, struct vy_buf *out, enum keymap_action a,
	enum keymap_action b, const char *does)
{
	char key[KEY_NAME_MAX], other[KEY_NAME_MAX];

	add(out, keymap_hint(m, a, key), keymap_hint(m, b, other), does);
}

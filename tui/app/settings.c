/* settings.c -- see settings.h. */
#include "tui/app/settings.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "tui/app/column.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define WORDS_MAX 6

struct setting {
	const char *name, *values; /* "a|b|c", the default first; "": any words */
	size_t at;                 /* of the int, or of the char * */
	int numbers[WORDS_MAX];    /* what each of the values is */
};

#define AT(field) offsetof(struct settings, field)

static const struct setting table[] = {
	{ "theme", "auto|dark|light|contrast", AT(theme),
		{ SETTINGS_AUTO, SETTINGS_DARK, SETTINGS_LIGHT, SETTINGS_CONTRAST } },
	{ "colors", "auto|rgb|256|16|none", AT(colors),
		{ SETTINGS_COLORS_AUTO, SETTINGS_COLORS_RGB, SETTINGS_COLORS_256,
			SETTINGS_COLORS_16, SETTINGS_COLORS_NONE } },
	{ "bell", "asks|all|off", AT(bell), { SETTINGS_ASKS, SETTINGS_ALL, SETTINGS_NEVER } },
	{ "desktop_notify", "auto|osc9|osc777|off", AT(desktop),
		{ SETTINGS_DESKTOP_AUTO, SETTINGS_DESKTOP_OSC9, SETTINGS_DESKTOP_OSC777,
			SETTINGS_DESKTOP_OFF } },
	{ "title", "on|off", AT(title), { 1, 0 } },
	{ "mouse", "on|off", AT(mouse), { 1, 0 } },
	{ "reduced_motion", "off|on", AT(is_still), { 0, 1 } },
	{ "bidi", "on|off", AT(bidi), { 1, 0 } },
	{ "session_list", "auto|on|off", AT(list), { COLUMN_AUTO, COLUMN_ON, COLUMN_OFF } },
	{ "queue_after_interrupt", "hold|go", AT(queue_goes), { 0, 1 } },
	{ "pictures", "auto|cells|off", AT(pictures),
		{ SETTINGS_PICTURES_AUTO, SETTINGS_PICTURES_CELLS, SETTINGS_PICTURES_OFF } },
	{ "editing", "emacs|vim", AT(is_vim), { 0, 1 } },
	{ "code_lines", "wrap|scroll", AT(is_unwrapped), { 0, 1 } },
	{ "terminal_clipboard", "on|off", AT(clipboard), { 1, 0 } },
	{ "notify_command", "", AT(command), { 0 } },
};

static int *number_at(struct settings *s, const struct setting *t)
{
	return (int *)(void *)((char *)s + t->at);
}

void settings_init(struct settings *s)
{
	*s = (struct settings){ 0 };
	for (size_t i = 0; i < VY_COUNT(table); i++) {
		if (table[i].values[0]) {
			*number_at(s, &table[i]) = table[i].numbers[0];
		}
	}
}

void settings_fini(struct settings *s)
{
	free(s->command);
	s->command = NULL;
}

static bool is_named(struct vy_str name, const char *want)
{
	size_t i = 0;

	while (i < name.n && want[i] && (name.p[i] == '-' ? '_' : name.p[i]) == want[i]) {
		i++;
	}
	return i == name.n && !want[i];
}

/* Which of "a|b|c" the value is; -1: none. */
static int place_of(const char *values, struct vy_str value)
{
	for (int i = 0;; i++) {
		size_t n = strcspn(values, "|");

		if (vy_str_eq(value, vy_str_n(values, n))) {
			return i;
		}
		if (!values[n]) {
			return -1;
		}
		values += n + 1;
	}
}

static int take(struct settings *s, const struct setting *t, struct vy_str value, struct vy_err *e)
{
	if (!t->values[0]) {
		free(s->command);
		s->command = value.n ? vy_memdup0(value.p, value.n) : NULL;
		return 0;
	}
	int i = place_of(t->values, value);

	if (i < 0) {
		return vy_fail(e, VY_BAD_INPUT, _("%s is one of %s, not %.*s"), t->name, t->values,
			VY_STR_ARG(value));
	}
	*number_at(s, t) = t->numbers[i];
	return 0;
}

int settings_set(struct settings *s, struct vy_str name, struct vy_str value, struct vy_err *e)
{
	for (size_t i = 0; i < VY_COUNT(table); i++) {
		if (is_named(name, table[i].name)) {
			return take(s, &table[i], value, e);
		}
	}
	return vy_fail(e, VY_NOT_FOUND, _("there is no setting %.*s"), VY_STR_ARG(name));
}

const char *settings_name(size_t i)
{
	return i < VY_COUNT(table) ? table[i].name : NULL;
}

const char *settings_values(size_t i)
{
	return i < VY_COUNT(table) ? table[i].values : NULL;
}
